"""`volte score` as a process: nothing is lost, whatever stops it; lists, exports and misuse."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest
from cli.command import Command
from cli.conftest import volte as volte_here
from cli.test_hostile import NONSENSE, assert_told
from terminal.test_being_stopped import Terminal

from volte.cli import volte as whole_command
from volte.console.command import run
from volte.scorekeeper.model import Sheet, parse_sheet, read_sheet

volte = volte_here
ROOT = Path(__file__).parents[2]
VOLTE = [sys.executable, "-m", "volte"]
NEW = ["new", "--rules", "coeurs-moyenne", "--players", "Anne,Bruno,Chloé,David"]
QUESTION = "Who took what?"


@pytest.fixture
def environ(folder: Path) -> dict[str, str]:
    wanted = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm"}
    return {**wanted, "XDG_DATA_HOME": str(folder), "HOME": str(folder), "LC_ALL": "C.UTF-8"}


@pytest.fixture
def score(environ: dict[str, str]) -> Iterator[Score]:
    score = Score(environ)
    yield score
    assert "Traceback" not in score.complaints


Refused = Callable[..., str]


@pytest.fixture
def refused(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Refused:
    """What the command complains of, in this process; it has nothing else to say."""
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    def call(status: int, *args: str) -> str:
        out, err = StringIO(), StringIO()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        assert run(whole_command, ["score", *args]) == status, err.getvalue()
        assert out.getvalue() == ""
        return err.getvalue()

    return call


class Score:
    """The command, run to its end."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.environ = environ
        self.complaints = ""

    def __call__(self, *args: str, typed: str = "", status: int = 0) -> str:
        """What it says, or complains of."""
        done = subprocess.run(
            [*VOLTE, "score", *args],
            input=typed.encode(),
            env=self.environ,
            capture_output=True,
            timeout=60,
        )
        self.complaints += done.stderr.decode()
        assert done.returncode == status, (done.stdout, done.stderr)
        return (done.stdout if status == 0 else done.stderr).decode()


def sheets(folder: Path) -> list[Path]:
    return sorted((folder / "volte" / "sheets").glob("*.volte-sheet"))


def kept(folder: Path) -> Sheet:
    (path,) = sheets(folder)
    return read_sheet(path)


# Nothing is lost


def test_killed_after_an_answer_every_entry_is_there(
    environ: dict[str, str], score: Score, folder: Path
) -> None:
    process = subprocess.Popen(
        [*VOLTE, "score", *NEW, "--dealer", "anne"],
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for line in (b"4 6q 3\n", b"misdeal exposed\n", b"moon david\n"):
        while QUESTION.encode() not in process.stdout.readline():
            pass
        process.stdin.write(line)
        process.stdin.flush()
    while QUESTION.encode() not in process.stdout.readline():
        pass
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert kept(folder).table.totals == (30, 45, 29, 0)

    back = score(typed="revoke bruno\n")
    assert "Totals: Anne 30; Bruno 45; Chloé 29; David 0." in back
    assert kept(folder).table.totals == (30, 71, 29, 0)


@pytest.mark.parametrize("lost", [1, 20, 60])
def test_a_last_line_that_is_half_written_is_left_out_and_told(
    lost: int, score: Score, folder: Path
) -> None:
    score(*NEW, "--dealer", "anne", typed="4 6q 3\nmoon david\n")
    (path,) = sheets(folder)
    path.write_bytes(path.read_bytes()[:-lost])
    back = score(typed="moon 4\n")
    assert "The end of the file was not written whole, and is left out: 3 entries stand." in back
    assert "Deals so far: 1." in back
    assert kept(folder).table.totals == (30, 45, 29, 0)
    assert "not written whole" not in score(typed="")


def test_a_disk_that_is_full_is_told_and_nothing_is_lost(
    environ: dict[str, str], score: Score, folder: Path
) -> None:
    score(*NEW, "--dealer", "anne", typed="4 6q 3\n")
    (path,) = sheets(folder)
    before = path.read_bytes()

    def no_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before), len(before)))

    done = subprocess.run(
        [*VOLTE, "score"],
        input=b"moon david\ns\nq\n",
        env=environ,
        capture_output=True,
        timeout=60,
        preexec_fn=no_room,
    )
    told = done.stdout.decode()
    assert done.returncode == 0
    assert done.stderr == b""
    assert "Nothing has been entered; see to it and enter it again." in told
    assert told.count(QUESTION) == 3
    assert path.read_bytes() == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_the_middle_of_a_question(
    number: signal.Signals, environ: dict[str, str], folder: Path
) -> None:
    terminal = Terminal(environ, "score", *NEW, "--dealer", "anne")
    terminal.until(QUESTION)
    terminal.type("4 6q 3\n")
    terminal.until("Deal 2: ")
    terminal.until(QUESTION)
    terminal.process.send_signal(number)
    assert terminal.end() == 128 + number
    assert "To go on: volte score open" in " ".join(terminal.said.split())
    assert "Traceback" not in terminal.said
    assert kept(folder).table.totals == (4, 19, 3, 0)


def test_no_two_terminals_keep_one_sheet_but_one_may_look(
    environ: dict[str, str], score: Score, folder: Path
) -> None:
    first = Terminal(environ, "score", *NEW, "--dealer", "anne")
    first.until(QUESTION)
    assert "is open in another program: close it there first." in score(status=1)
    assert "Anne, Bruno, Chloé and David" in score("show")
    assert "under way" in score("list")
    first.type("q\n")
    assert first.end() == 0
    assert "Who took what?" in score()


def test_a_narrow_terminal(environ: dict[str, str], folder: Path) -> None:
    terminal = Terminal(environ, "score", *NEW, "--lang", "fr", columns=40)
    terminal.until("ouverte\u00a0: ")
    terminal.type("\n")
    terminal.until("quoi\u00a0? ")
    for line in ("4 6d 3", "f", "?"):
        terminal.type(f"{line}\n")
        terminal.until("quoi\u00a0? ")
    terminal.type("\x04")
    assert terminal.end() == 0
    assert [line for line in terminal.said.splitlines() if len(line) > 40] == []
    assert "\x1b" not in terminal.said


# Which sheet


def test_without_a_sheet_a_new_one_is_begun_question_by_question(
    score: Score, folder: Path
) -> None:
    typed = "Anne\nAnne,Bruno,Chloé,David\nnothing\ncoeurs-moyenne\nmuch\n0,25 €\nlots\n\n4 6q 3\n"
    told = score(typed=typed)
    assert told.startswith("No sheet is open: here is a new one.\nWho plays, clockwise?")
    assert "1 cannot play: choose 3 to 7 players." in told
    assert "There is no preset “nothing”" in told
    assert "“much” is not what a stake can be worth" in told
    sheet = kept(folder)
    assert (sheet.stake, sheet.currency) == ("0.25", "EUR")
    assert sheet.rules.stakes.settlement == "average"
    assert sheet.first_dealer is not None
    assert sheet.table.totals == (4, 19, 3, 0)


def test_with_several_open_sheets_one_is_chosen(score: Score, folder: Path) -> None:
    for title in ("Monday", "Tuesday"):
        score(*NEW, "--title", title, "--dealer", "anne")
    assert score(typed="\n").count("Tuesday: Anne") == 1
    assert score(typed="2\n").count("Monday: Anne") == 1
    asked = score(typed="9\nzz\nq\n")
    assert asked.count("Type a number from 1 to 2") == 2
    assert "A new sheet" in score(typed="new\nA,B,C\n\n\nq\n")
    assert len(sheets(folder)) == 3


def test_a_settled_sheet_is_not_gone_on_with(score: Score, folder: Path) -> None:
    new = ["new", "--rules", "coeurs", "--players", "A,B,C,D", "--dealer", "a"]
    score(*new, typed="= 2 18 5\naccept\n")
    assert score(typed="q\n").startswith("No sheet is open")
    assert "(settled)" in score("list")
    (path,) = sheets(folder)
    assert "The match is settled." in score("open", path.stem)
    assert "The match is settled." in score("open", str(path))


def test_sheets_are_listed_for_people_and_programs(score: Score, folder: Path) -> None:
    assert score("list") == "No sheets are kept yet; “volte score new” begins one.\n"
    assert json.loads(score("list", "--json")) == []
    score(*NEW, "--dealer", "anne", "--title", "Friday", typed="4 6q 3\n")
    (path,) = sheets(folder)
    names = "Anne, Bruno, Chloé, David"
    totals = "Totals: Anne 4; Bruno 19; Chloé 3; David 0."
    assert score("list") == f"{path.stem} “Friday” (under way): {names}. {totals}\n"
    (told,) = json.loads(score("list", "--json"))
    assert told["id"] == path.stem
    assert told["state"] == "playing"
    assert told["players"][1] == {"name": "Bruno", "total": 19}
    path.write_bytes(b"no sheet\n")
    assert "is no score sheet" in score("list")


# What is shown and given away


def test_a_sheet_is_shown_and_exported(score: Score, folder: Path) -> None:
    stake = ["--dealer", "anne", "--stake", "0,25", "--currency", "€"]
    score(*NEW, *stake, typed="4 6q 3\nmoon david\nfix 1 4 5q 4 # again\n")
    shown = score("show", "--lang", "fr").splitlines()
    assert shown[0].startswith("Feuille de pointage\u00a0: Anne, Bruno, Chloé et David.")
    assert "Une mise vaut 0,25\u00a0€." in shown
    assert "     2  26 (30)  26 (44)  26 (30)  0 (0)" in shown
    assert len(score("show", "--csv").splitlines()) == 3
    assert json.loads(score("show", "--json"))
    record = score("show", "--record")
    assert parse_sheet(record).table == kept(folder).table
    told = score("show", "--record", "--save", str(folder / "evening.txt"))
    assert told == f"Written: {folder / 'evening.txt'}\n"
    assert (folder / "evening.txt").read_text() == record
    assert score("show", str(folder / "evening.txt")) == score("show")


@pytest.mark.parametrize(
    ("args", "status"),
    [
        (["show"], 1),
        (["show", "nothing"], 1),
        (["open", "nothing"], 1),
        (["open"], 2),
        (["show", "--csv", "--json"], 2),
        (["nonsense"], 2),
        (["new", "--rules", "nothing", "--players", "A,B,C"], 2),
        (["new", "--rules", "dame-de-pique", "--players", "A,B,C"], 2),
        (["new", "--players", "A,B"], 2),
        (["new", "--players", "A,A,B"], 1),
        (["new", "--players", "A,B,,C"], 1),
        (["new", "--players", "A,B,C", "--stake", "lots"], 1),
        (["new", "--players", "A,B,C", "--dealer", "Z"], 1),
        (["new", "--players", "A,B,C", "--set", "queen_points=x"], 2),
        (["new", "--players", "9"], 2),
        (["new", "--players", "A,B,C", "extra"], 2),
    ],
)
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_misuse_is_one_sentence(
    args: list[str], status: int, lang: str, refused: Refused, folder: Path
) -> None:
    told = refused(status, *args, "--lang", lang)
    assert told.count("\n") == 1
    assert told.rstrip()[-1] in ".!»"
    assert sheets(folder) == []


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\xff\xfe\x00", b"Volte sheet 1\nzz\n"])
def test_a_file_that_is_no_sheet(content: bytes, refused: Refused, folder: Path) -> None:
    bad = folder / "bad"
    bad.write_bytes(content)
    for command in ("show", "open"):
        assert refused(1, command, str(bad)).count("\n") == 1


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(value, id=str(place), marks=() if place % 4 == 0 else pytest.mark.full)
        for place, value in enumerate(NONSENSE)
    ],
)
def test_every_option_survives_nonsense(
    value: str, volte: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)  # some nonsense makes a name to save by
    players = ("--players", "A,B,C")
    for option in ("--rules", "--set", "--stake", "--currency", "--title", "--dealer"):
        assert_told(volte, "score", "new", *players, option, value)
    assert_told(volte, "score", "new", "--players", value)
    assert_told(volte, "score", "new", "--players", f"{value},B,C")
    for command in ("open", "show"):
        assert_told(volte, "score", command, "--", value)
    assert_told(volte, "score", "show", "--csv", "--save", value)
    assert_told(volte, "score", value)
