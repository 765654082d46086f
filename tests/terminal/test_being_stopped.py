"""Nothing is lost: killed, interrupted, at the end of the input, and resumed."""

import re
import signal
import subprocess
from pathlib import Path

import pytest
from kit.reasons import because
from kit.terminals import Script, Stubborn, Terminal, Volte, killed_at

from volte.console.files import Shelf
from volte.console.terminal import TerminalFault
from volte.game import MatchState
from volte.notation import compare_cards, load_record


def under_way(folder: Path) -> MatchState:
    (path,) = (folder / "volte" / "under-way").iterdir()
    return load_record(path).state


def test_killed_in_the_middle_of_a_trick_it_goes_on_with_the_same_cards(
    volte: Volte, environ: dict[str, str], folder: Path
) -> None:
    stubborn = Stubborn()

    def until_the_third_trick(printed: str) -> str | None:
        deal = under_way(folder).deal
        there = deal is not None and len(deal.tricks) >= 2 and deal.trick
        return None if there else stubborn(printed)

    asked = ("play", "--rules", "coeurs-cinq-coups", "--seed", "4")
    killed_at(environ, *asked, answer=until_the_third_trick)
    killed = under_way(folder)
    assert killed.deal is not None
    assert killed.deal.trick

    back = volte("play", "--resume", "--plain", answer=Script(["c", "h"]))
    assert back.status == 0
    assert f"deal 1, trick {killed.deal.trick_number}." in back.out
    assert back.out.count("The match is saved.") == 1
    assert under_way(folder) == killed


def test_the_end_of_the_input_leaves_the_match_saved(volte: Volte, folder: Path) -> None:
    record = folder / "soir.volte"
    left = volte("play", "--lang", "fr", "--record", str(record), answer=Script([".1 .2 .3"]))
    assert (left.status, left.err) == (0, "")
    last = left.out.splitlines()[-1]
    assert last == "La partie est enregistrée. Pour la continuer\u00a0: volte play --resume"
    assert load_record(record).state == under_way(folder)
    assert volte("play", "--resume", str(record), answer=Script(["q"])).status == 0
    assert load_record(record).state == under_way(folder)


@pytest.mark.parametrize(
    ("number", "passed"),
    [
        pytest.param(signal.SIGINT, False, marks=pytest.mark.full),
        (signal.SIGINT, True),
        pytest.param(signal.SIGTERM, True, marks=pytest.mark.full),
        (signal.SIGHUP, False),
    ],
)
def test_a_signal_in_the_middle_of_a_question(
    number: signal.Signals, passed: bool, environ: dict[str, str], folder: Path
) -> None:
    terminal = Terminal(environ, "play", "--rules", "coeurs", "--seed", "1")
    terminal.until("to Alice? ")
    if passed:
        terminal.type(".1 .2 .3\n")
        terminal.until("\nYour ")
        terminal.until("? ")
    terminal.process.send_signal(number)
    assert terminal.end() == 128 + number
    assert "The match is saved. To go on: volte play --resume\r\n" in terminal.said
    assert under_way(folder).deal is not None


def test_a_window_that_is_closed(environ: dict[str, str], folder: Path) -> None:
    terminal = Terminal(environ, "play", "--rules", "coeurs", stderr=subprocess.PIPE)
    terminal.until("to Alice? ")
    terminal.close()
    _, complaints = terminal.process.communicate(timeout=20)
    assert complaints == b""
    assert under_way(folder).deal is not None


def test_no_two_terminals_play_one_match(volte: Volte, environ: dict[str, str]) -> None:
    first = Terminal(environ, "play", "--rules", "coeurs", "--seed", "1")
    first.until("to Alice? ")
    sentence = volte.refused("play", "--resume", status=1)
    assert sentence.startswith("This match is being played in another terminal")
    first.type("q\n")
    assert first.end() == 0
    assert volte("play", "--resume").status == 0


def test_a_narrow_terminal_with_colours(environ: dict[str, str], folder: Path) -> None:
    terminal = Terminal(environ, "play", "--seed", "1", "--lang", "fr", columns=40)
    terminal.until("Alice\u00a0? ")
    terminal.type("?\n")
    terminal.until("Alice\u00a0? ")
    terminal.type("\x04")
    assert terminal.end() == 0
    shown = re.sub(r"\x1b\[(0|31|32|35|36)m", "", terminal.said)
    assert "\x1b" not in shown
    assert shown != terminal.said
    assert [line for line in shown.splitlines() if len(line) > 40] == []


@pytest.mark.parametrize(
    ("variable", "args"),
    [
        ("NO_COLOR", ()),
        pytest.param("ACCESSIBLE", (), marks=pytest.mark.full),
        pytest.param("", ("--plain",), marks=pytest.mark.full),
    ],
)
def test_no_colours_where_they_are_not_wanted(
    variable: str, args: tuple[str, ...], environ: dict[str, str]
) -> None:
    if variable:
        environ[variable] = "1"
    terminal = Terminal(environ, "play", "--seed", "1", *args)
    terminal.until("to Alice? ")
    terminal.type("q\n")
    assert terminal.end() == 0
    assert "\x1b" not in terminal.said
    assert ("♠" in terminal.said) == (variable == "NO_COLOR")


def test_whoever_has_no_home_is_told_where_to_say_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_: int) -> None:
        raise KeyError

    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    with pytest.raises(TerminalFault, check=because("no_home")):
        Shelf()


def test_the_same_cards_are_dealt_again_also_after_the_match_was_left(
    volte: Volte, folder: Path
) -> None:
    class Again(Stubborn):
        """Asks for the same cards once, and leaves that match once its first deal is scored."""

        same = False

        def __call__(self, printed: str) -> str:
            if "Another match, yes or no?" in printed:
                self.same, again = True, not self.same
                return "Same" if again else "no"
            return (
                "q" if self.same and "Points for deal 1" in printed else super().__call__(printed)
            )

    record = folder / "first.volte"
    rules = ("--rules", "salon", "--set", "match_end=deals:2", "--set", "pass_count=0")
    left = volte("play", *rules, "--seed", "4", "--record", str(record), answer=Again())
    assert left.status == 0
    assert "The cards of the match before, everybody one seat on." in left.out
    old = load_record(record)
    again = folder / "first-2.volte"
    assert load_record(again).decks
    assert not load_record(again).finished
    back = volte("play", "--resume", str(again), answer=Stubborn())
    assert back.status == 0
    assert "The same cards, before and now:" in back.out
    new = load_record(again)
    assert new.finished
    assert not new.decks
    assert compare_cards(new, old) is None
    assert volte("verify", str(again), "--of", str(record)).status == 0
    lines = again.read_text(encoding="utf-8")
    assert "Deck " not in lines
