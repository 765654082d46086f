"""`volte score`: nothing is lost, whatever stops it; lists and exports.

Choosing a sheet and beginning a new one are in the transcript `score-new.en.txt`.
"""

from __future__ import annotations

import json
import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from kit.terminals import VOLTE, Script, Terminal, Volte, killed_at
from kit.transcripts import replay

from volte.scorekeeper.model import Sheet, parse_sheet, read_sheet, to_record

GOLDEN = Path(__file__).parents[1] / "scorekeeper" / "goldens" / "evening.txt"

NEW = ("new", "--rules", "coeurs-moyenne", "--players", "Anne,Bruno,Chloé,David")
QUESTION = "Who took what?"

Score = Callable[..., str]


@pytest.fixture
def score(volte: Volte) -> Score:
    """Runs the command with typed lines; returns its output, or its complaints if it fails."""

    def call(*args: str, typed: str = "", status: int = 0) -> str:
        done = volte("score", *args, answer=Script(typed.splitlines()))
        assert done.status == status, done
        return done.out if status == 0 else done.err

    return call


def sheets(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.volte-sheet"))


def only_sheet(folder: Path) -> Sheet:
    (path,) = sheets(folder)
    return read_sheet(path)


# Nothing is lost


def test_killed_after_an_answer_every_entry_is_there(
    environ: dict[str, str], score: Score, folder: Path
) -> None:
    entries = iter(["4 6q 3", "misdeal exposed", "moon david"])
    asked = ("score", *NEW, "--dealer", "anne")
    killed_at(environ, *asked, answer=lambda _: next(entries, None))
    assert only_sheet(folder).table.totals == (30, 45, 29, 0)
    back = score(typed="revoke bruno")
    assert "Totals: Anne 30; Bruno 45; Chloé 29; David 0." in back
    assert only_sheet(folder).table.totals == (30, 71, 29, 0)


@pytest.mark.parametrize("lost", [1, 20, 60])
def test_a_last_line_that_is_half_written_is_left_out_and_told(
    lost: int, score: Score, folder: Path
) -> None:
    score(*NEW, "--dealer", "anne", typed="4 6q 3\nmoon david")
    (path,) = sheets(folder)
    path.write_bytes(path.read_bytes()[:-lost])
    back = score(typed="moon 4")
    assert "The end of the file is damaged and was left out; entries kept: 3." in back
    assert "Deals so far: 1." in back
    assert only_sheet(folder).table.totals == (30, 45, 29, 0)
    assert "is damaged" not in score()


def test_a_disk_that_is_full_is_told_and_nothing_is_lost(
    environ: dict[str, str], score: Score, folder: Path
) -> None:
    score(*NEW, "--dealer", "anne", typed="4 6q 3")
    (path,) = sheets(folder)
    before = path.read_bytes()

    def no_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before), len(before)))

    done = subprocess.run(
        [*VOLTE, "score"],
        input="moon david\ns\nq\n",
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=no_room,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Put that right, then repeat your entry: it was not saved." in done.stdout
    assert done.stdout.count(QUESTION) == 3
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        *(pytest.param(each, marks=pytest.mark.full) for each in (signal.SIGTERM, signal.SIGHUP)),
    ],
)
def test_a_signal_in_the_middle_of_a_question(
    number: signal.Signals, environ: dict[str, str], folder: Path
) -> None:
    terminal = Terminal(environ, "score", *NEW, "--dealer", "anne")
    terminal.converse((QUESTION, "4 6q 3"))
    terminal.until("Deal 2: ")
    terminal.until(QUESTION)
    terminal.process.send_signal(number)
    assert terminal.end() == 128 + number
    assert "To go on: volte score open" in " ".join(terminal.said.split())
    assert only_sheet(folder).table.totals == (4, 19, 3, 0)


def test_no_two_terminals_keep_one_sheet_but_one_may_look(
    environ: dict[str, str], score: Score
) -> None:
    first = Terminal(environ, "score", *NEW, "--dealer", "anne")
    first.until(QUESTION)
    assert "is open in another program: close it there first." in score(status=1)
    assert "Anne, Bruno, Chloé and David" in score("show")
    assert "under way" in score("list")
    first.type("q\n")
    assert first.end() == 0
    assert QUESTION in score()


def test_a_narrow_terminal(environ: dict[str, str]) -> None:
    terminal = Terminal(environ, "score", *NEW, "--lang", "fr", columns=40)
    question = "quoi\u00a0? "
    terminal.converse(("tard\u00a0: ", ""), (question, "4 6d 3"), (question, "f"), (question, "?"))
    terminal.until(question)
    terminal.type("\x04")
    assert terminal.end() == 0
    assert [line for line in terminal.said.splitlines() if len(line) > 40] == []
    assert "\x1b" not in terminal.said


# The choice of a sheet


def test_a_sheet_is_named_by_its_id_or_its_path(score: Score, folder: Path) -> None:
    score(*NEW, "--dealer", "anne")
    (path,) = sheets(folder)
    for name in (path.stem, str(path)):
        assert QUESTION in score("open", name)


def test_sheets_are_listed_for_programs(score: Score, folder: Path) -> None:
    score(*NEW, "--dealer", "anne", "--title", "Friday", typed="4 6q 3")
    (path,) = sheets(folder)
    (listed,) = json.loads(score("list", "--json"))
    assert (listed["id"], listed["state"]) == (path.stem, "playing")
    assert listed["players"][1] == {"name": "Bruno", "total": 19}
    path.write_bytes(b"no sheet\n")
    assert "is not a score sheet" in score("list")


# Lists and exports


def test_a_sheet_is_exported(score: Score, folder: Path) -> None:
    score(*NEW, "--dealer", "anne", typed="4 6q 3\nmoon david")
    assert len(score("show", "--csv").splitlines()) == 3
    assert json.loads(score("show", "--json"))
    record, path = score("show", "--record"), folder / "evening.txt"
    assert parse_sheet(record).table == only_sheet(folder).table
    assert score("show", "--record", "--save", str(path)) == f"Saved: {path}\n"
    assert path.read_text() == record
    assert score("show", str(path)) == score("show")


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\xff\xfe\x00", b"Volte sheet 1\nzz\n"])
def test_a_file_that_is_no_sheet(content: bytes, volte: Volte, folder: Path) -> None:
    bad = folder / "bad"
    bad.write_bytes(content)
    for command in ("show", "open"):
        volte.refused("score", command, str(bad), status=1)


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_M5_an_evening_is_the_one_that_was_reckoned_by_hand(
    lang: str, volte: Volte, folder: Path
) -> None:
    """The arithmetic of every line stands in `score-evening-seen.en.txt`."""
    replay(f"score-evening-seen.{lang}", volte, folder)
    sheet = only_sheet(folder)
    assert sheet.table.totals == (62, 49, 53, 18)
    assert sheet.table.net == (-16, -3, -7, 26)
    by_hand = parse_sheet(GOLDEN.read_text(encoding="utf-8"))
    assert parse_sheet(to_record(sheet).replace(sheet.date, by_hand.date)) == by_hand
