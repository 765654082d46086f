"""`volte play`, from its options to the last question; see also the transcript `play.en.txt`."""

import os
import sys
from pathlib import Path

import pytest
from kit.filling import small_filesystem
from kit.terminals import Script, Stubborn, Volte

from volte.game import MatchStarted
from volte.notation import load_record

PEOPLE = ("play", "--rules", "coeurs", "--lang", "en")


def test_bots_alone_play_to_the_end(volte: Volte) -> None:
    done = volte("play", "--seats", "Casual,Chloé,CASUAL,casual", "--rules", "Cœurs")
    assert done.status == 0
    assert "win" in done.out
    assert "?" not in done.out


@pytest.mark.parametrize("seats", ["casual,beginner,casual,casual", "me,casual,casual,casual"])
def test_a_record_that_a_full_disk_broke_off_is_told_at_once_and_at_the_end(
    seats: str, volte: Volte, tmp_path: Path
) -> None:
    path = tmp_path / "small" / "match.volte"
    with small_filesystem(path.parent, 4096):  # room for one page
        done = volte(*PEOPLE, "--seats", seats, "--record", str(path), answer=Script([".1 .2 .3"]))
        assert os.listdir(path.parent) == [path.name]
        assert not load_record(path).finished
    assert done.status == 1
    told = f"Cannot save {path}: No space left on device. The match goes on.\n"
    missed = f"The match in {path} is incomplete: No space left on device.\n"
    assert (done.out.count(told), done.out.count(missed)) == (1, 1)
    assert done.out.index(told) < done.out.index(missed)
    assert ("The match is saved." in done.out) == seats.startswith("me")  # at another place


def test_seats_say_how_many_play_and_where_i_sit(volte: Volte, folder: Path) -> None:
    path = folder / "three.volte"
    volte(*PEOPLE, "--seats", "beginner,me,casual", "--name", "Zoé", "--record", str(path))
    players = load_record(path).state.players
    assert [player.person for player in players] == [False, True, False]
    assert [player.level for player in players] == ["beginner", "", "casual"]
    assert players[1].name == "Zoé"


def test_without_a_seed_no_two_matches_are_alike(volte: Volte) -> None:
    assert volte(*PEOPLE).out != volte(*PEOPLE).out


def test_of_two_matches_from_one_seed_only_the_latest_is_resumed(
    volte: Volte, folder: Path
) -> None:
    volte(*PEOPLE, "--seed", "x", answer=Script([".1 .2 .3", "q"]))
    (first,) = folder.rglob("*.volte")
    before = first.read_text()
    volte(*PEOPLE, "--seed", "x", answer=Script(["q"]))
    assert len(list(folder.rglob("*.volte"))) == 2
    volte("play", "--resume", answer=Script([".4 .5 .6", "q"]))
    assert first.read_text() == before


def test_a_copy_left_behind_does_not_undo_the_match(volte: Volte, folder: Path) -> None:
    volte(*PEOPLE, answer=Script(["q"]))
    (kept,) = folder.rglob("*.volte")
    copy = folder / "copy.volte"
    copy.write_text(kept.read_text())
    volte("play", "--resume", answer=Script([".1 .2 .3", "q"]))
    before = kept.read_text()
    volte("play", "--resume", str(copy), answer=Script([".4 .5 .6", "q"]))
    assert kept.read_text() == before
    assert len(list(kept.parent.glob("*.volte"))) == 2


def test_a_match_that_ended_with_the_program_bars_no_other(volte: Volte, folder: Path) -> None:
    volte(*PEOPLE, answer=Stubborn())
    (done,) = folder.rglob("*.volte")
    volte(*PEOPLE, answer=Script(["q"]))
    (left,) = (path for path in folder.rglob("*.volte") if path != done)
    done.rename(left.with_name("done.volte"))
    os.utime(left.with_name("done.volte"))
    assert volte("play", "--resume", answer=Script(["q"])).status == 0
    assert done.with_name("done.volte").exists()


def test_ears_are_told_no_total_twice(volte: Volte, folder: Path) -> None:
    printed = volte("play", "--rules", "coeurs-cinq-coups", "--plain", answer=Stubborn()).out
    (path,) = folder.rglob("*.volte")
    totals = [line for line in printed.splitlines() if line.startswith("Totals: ")]
    assert len(totals) == len(load_record(path).state.deals) - 1


def test_the_way_back_is_one_that_works(volte: Volte, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "argv", ["/a clone/.venv/bin/volte", "play"])
    last = volte(*PEOPLE).out.splitlines()[-1]
    assert last.endswith(": '/a clone/.venv/bin/volte' play --resume")


@pytest.mark.parametrize("damage", [b"", b"\0" * 512, b"Trick 9: \xff\n"])
def test_a_match_whose_file_is_broken_goes_on_from_what_is_whole(
    volte: Volte, folder: Path, damage: bytes
) -> None:
    volte(*PEOPLE, answer=Script([".1 .2 .3", ".1", "q"]))
    (path,) = folder.rglob("*.volte")
    log = load_record(path).log
    cut = path.read_bytes()[:-5] + damage
    path.write_bytes(cut)
    done = volte("play", "--resume", answer=Script(["q"]))
    aside = Path(f"{path}.broken")
    said = (
        f"The match goes on without the end of {path}, which was damaged and has been put aside as"
    )
    assert done.out.startswith(f"{said} {aside}: Line ")
    assert done.status == 0
    rest = aside.read_bytes()
    assert cut.endswith(rest)
    assert rest
    going_on = load_record(path).log
    assert going_on[:1] == log[:1]
    assert volte("play", "--resume", answer=Script(["q"])).out.startswith("The match goes on: ")


def test_a_match_that_cannot_go_on_bars_no_other(volte: Volte, folder: Path) -> None:
    volte(*PEOPLE, answer=Script(["q"]))
    (whole,) = folder.rglob("*.volte")
    for name, text in (("cut", whole.read_text()[:40]), ("void", ""), ("other", "Other 1\n")):
        whole.with_name(f"{name}.volte").write_text(text)
        os.utime(whole, (0, 0))
    done = volte("play", "--resume", answer=Script(["q"]))
    assert done.status == 0
    for name in ("cut", "void", "other"):
        path = whole.with_name(f"{name}.volte")
        assert (
            f"{path} has been put aside as {path}.broken, because its match cannot go on: "
            in done.out
        )
        assert not path.exists()
    assert volte("play", "--resume", answer=Script(["q"])).out.startswith("The match goes on: ")


class Onward(Stubborn):
    """A player who plays until that question, says yes to another match, and leaves it."""

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question
        self.again = False

    def __call__(self, heard: str) -> str:
        if self.again:
            return "q"
        self.again = self.question in heard
        return "yes" if self.again else super().__call__(heard)


def test_D2_the_next_match_goes_on_from_who_dealt_last(volte: Volte, folder: Path) -> None:
    first, second = folder / "m.volte", folder / "m-2.volte"
    asked = ("--seed", "3", "--verbosity", "full", "--record", str(first))
    done = volte(*PEOPLE, *asked, answer=Onward("Another match"))
    dealer = (load_record(first).state.dealer - 1) % 4
    began = load_record(second).log[0]
    assert isinstance(began, MatchStarted)
    assert began.dealer == (dealer + 1) % 4
    assert f"\nDealer: {began.dealer + 1}, passed on\n" in second.read_text(encoding="utf-8")
    assert "The deal passes to " in done.out
    assert done.out.count("The lowest card deals.") == 1
    resumed = volte("play", "--resume", str(second), "--lang", "en", answer=Stubborn())
    assert resumed.status == 0
    assert "proved" in volte("verify", str(second), "--lang", "en").out


def test_M6_a_pot_that_nobody_took_opens_the_next_match(volte: Volte) -> None:
    seats = "me,beginner,beginner,beginner"
    for seed in map(str, range(40)):
        asked = ("play", "--rules", "coeurs-cagnotte", "--seats", seats, "--seed", seed)
        printed = volte(*asked, answer=Onward("is waiting. Another match")).out
        if "is waiting" in printed:
            break
    assert "A pot of 25 stakes is waiting." in printed
    assert "The pot still holds 25 stakes from the last match." in printed


@pytest.mark.parametrize("answer", [["maybe", "q"], ["no"], []])
def test_another_match_is_a_question_of_yes_or_no(answer: list[str], volte: Volte) -> None:
    script = iter(answer)

    class Undecided(Stubborn):
        def __call__(self, heard: str) -> str:
            if "Another match" in heard or "yes or no" in heard:
                return next(script, "q")
            return super().__call__(heard)

    done = volte(*PEOPLE, "--seed", "1", answer=Undecided())
    assert done.status == 0
    assert done.out.count("Please answer yes or no.") == answer.count("maybe")
