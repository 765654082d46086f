"""Nothing is lost: killed, interrupted, at the end of the input, and resumed."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from volte.console.shelf import Shelf
from volte.console.terminal import TerminalFault
from volte.game import MatchState
from volte.notation import load_record

ROOT = Path(__file__).parents[2]
VOLTE = [sys.executable, "-m", "volte"]


@pytest.fixture
def environ(folder: Path) -> dict[str, str]:
    wanted = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm"}
    wanted["ACCESSIBLE"] = ""  # else they are asked whether they use a screen reader
    return {**wanted, "XDG_DATA_HOME": str(folder), "HOME": str(folder), "LC_ALL": "C.UTF-8"}


def under_way(folder: Path) -> MatchState:
    (path,) = (folder / "volte" / "under-way").iterdir()
    return load_record(path).state


class Terminal:
    """The command at a pseudo-terminal of a given width."""

    def __init__(
        self,
        environ: dict[str, str],
        *args: str,
        columns: int = 80,
        stderr: int | None = None,
    ) -> None:
        self.said = ""
        self._ahead = ""
        self._screen, inside = os.openpty()
        self.process = subprocess.Popen(
            [*VOLTE, *args],
            env={**environ, "COLUMNS": str(columns)},
            stdin=inside,
            stdout=inside,
            stderr=inside if stderr is None else stderr,
            start_new_session=True,
        )
        os.close(inside)

    def until(self, text: str) -> None:
        """Reads on just until the text has been said."""
        while text not in self._ahead and self._read():
            pass
        heard, found, self._ahead = self._ahead.partition(text)
        self.said += heard + found
        assert found, f"{text!r} was never said: {self.said}"

    def type(self, text: str) -> None:
        os.write(self._screen, text.encode())

    def close(self) -> None:
        """As when the window is closed."""
        os.close(self._screen)

    def end(self) -> int:
        """The exit status, once all is said."""
        while self._read():
            pass
        self.said += self._ahead
        os.close(self._screen)
        return self.process.wait(20)

    def _read(self) -> bool:
        try:
            if select.select([self._screen], [], [], 20)[0]:
                self._ahead += os.read(self._screen, 65536).decode()
                return True
        except OSError:  # the other side is closed
            return False
        self.process.kill()
        return False


def play(environ: dict[str, str], *args: str, typed: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*VOLTE, "play", *args], input=typed, env=environ, capture_output=True, timeout=60
    )


OPENING = b".1 .2 .3\n"


def test_killed_in_the_middle_of_a_trick_it_goes_on_with_the_same_cards(
    environ: dict[str, str], folder: Path
) -> None:
    process = subprocess.Popen(
        [*VOLTE, "play", "--rules", "coeurs-cinq-coups", "--seed", "4"],
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(OPENING)
    process.stdin.flush()
    place = 0
    for line in process.stdout:
        if b"(.1)" in line:
            place = 0
        if line.startswith((b"Your card?", b"Your lead?")):
            state = under_way(folder)
            assert state.deal is not None
            if len(state.deal.tricks) >= 2 and state.deal.trick:
                break
            place += 1
            process.stdin.write(b".%d\n" % place)
            process.stdin.flush()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    killed = under_way(folder)
    assert killed.deal is not None
    assert killed.deal.trick

    back = play(environ, "--resume", "--plain", typed=b"c\nh\n")
    assert back.returncode == 0
    told = back.stdout.decode()
    assert f"deal 1, trick {killed.deal.trick_number}." in told
    assert told.count("The match is saved.") == 1
    assert under_way(folder) == killed


def test_the_end_of_the_input_leaves_the_match_saved(environ: dict[str, str], folder: Path) -> None:
    left = play(environ, "--lang", "fr", "--record", str(folder / "soir.volte"), typed=OPENING)
    assert left.returncode == 0
    assert left.stderr == b""
    last = left.stdout.decode().splitlines()[-1]
    assert last == "La partie est enregistrée. Pour la continuer\u00a0: volte play --resume"
    assert load_record(folder / "soir.volte").state == under_way(folder)

    back = play(environ, "--resume", str(folder / "soir.volte"), typed=b"q\n")
    assert back.returncode == 0
    assert load_record(folder / "soir.volte").state == under_way(folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("typed", [b"", OPENING], ids=["passing", "playing"])
def test_a_signal_in_the_middle_of_a_question(
    typed: bytes, number: signal.Signals, environ: dict[str, str], folder: Path
) -> None:
    terminal = Terminal(environ, "play", "--rules", "coeurs", "--seed", "1")
    terminal.until("to Alice? ")
    if typed:
        terminal.type(typed.decode())
        terminal.until("\nYour ")
        terminal.until("? ")
    terminal.process.send_signal(number)
    assert terminal.end() == 128 + number
    assert "The match is saved. To go on: volte play --resume\r\n" in terminal.said
    assert "Traceback" not in terminal.said
    assert under_way(folder).deal is not None


def test_a_window_that_is_closed(environ: dict[str, str], folder: Path) -> None:
    terminal = Terminal(environ, "play", "--rules", "coeurs", stderr=subprocess.PIPE)
    terminal.until("to Alice? ")
    terminal.close()
    _, complaints = terminal.process.communicate(timeout=20)
    assert complaints == b""
    assert under_way(folder).deal is not None


def test_no_two_terminals_play_one_match(environ: dict[str, str], folder: Path) -> None:
    first = Terminal(environ, "play", "--rules", "coeurs", "--seed", "1")
    first.until("to Alice? ")
    second = play(environ, "--resume", typed=OPENING)
    assert second.returncode == 1
    assert second.stdout == b""
    assert second.stderr.decode().startswith("This match is being played in another terminal")
    first.type("q\n")
    assert first.end() == 0
    assert play(environ, "--resume", typed=OPENING).returncode == 0


def test_a_narrow_terminal_with_colours(environ: dict[str, str], folder: Path) -> None:
    terminal = Terminal(environ, "play", "--seed", "1", "--lang", "fr", columns=40)
    terminal.until("Alice\u00a0? ")
    terminal.type("?\n")
    terminal.until("Alice\u00a0? ")
    terminal.type("\x04")
    assert terminal.end() == 0
    shown = terminal.said
    for code in (31, 32, 35, 36):
        shown = shown.replace(f"\x1b[{code}m", "")
    shown = shown.replace("\x1b[0m", "")
    assert "\x1b" not in shown
    assert shown != terminal.said
    assert [line for line in shown.splitlines() if len(line) > 40] == []


@pytest.mark.parametrize(
    ("variable", "args"), [("NO_COLOR", ()), ("ACCESSIBLE", ()), ("", ("--plain",))]
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
    with pytest.raises(TerminalFault, match="no_home"):
        Shelf()
