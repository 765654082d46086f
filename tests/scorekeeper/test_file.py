"""A sheet in a file: saved at every entry, and found again whatever happened."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit.reasons import because
from kit.sheets import EXPOSED, NAMES, enter, hearts, lots, points, revoked, rules_of

from volte.game.codec import encode
from volte.say import Words
from volte.scorekeeper import model
from volte.scorekeeper.model.file import _line

HERE = Path(__file__).parent
OPEN = model.Open(rules_of("coeurs-moyenne"), NAMES[:4], stake="0.25", currency="EUR")
TOLD = (hearts("3 4 6 -", queen=1), EXPOSED, points("0 26 26 26"), revoked(2))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the sheet of an evening."""
    with model.SheetFile.create(tmp_path / "a.volte-sheet", OPEN) as file:
        file.draw_lots()
        for told in TOLD:
            file.do(model.Enter(told))
    return file.path


def test_a_sheet_that_an_older_volte_has_kept_is_read_as_it_was_and_goes_on(path: Path) -> None:
    """The file is older than the wider family: a moon, a slam, a revoke, a correction."""
    path.write_bytes((HERE / "goldens" / "old.volte-sheet").read_bytes())
    with model.SheetFile.open(path) as file:
        assert file.sheet.table.totals == (29, 85, 74, -10)
        assert [row.points for row in file.sheet.table.rows] == [
            (3, 17, -4, 0),
            (0, 16, 26, 26),
            (0, 26, 26, 0),
            (),
            (26, 26, 26, -36),
        ]
        file.do(model.Enter(hearts("3 4 6 -", queen=1, jack=0)))
        assert file.sheet.table.totals == (22, 102, 80, -10)
    assert model.read_sheet(path).table.totals == (22, 102, 80, -10)


def fault_of(path: Path) -> str:
    with pytest.raises(model.SheetFault) as caught:
        model.SheetFile.open(path)
    sentence = Words("en").fault(caught.value)
    assert sentence.endswith(".")
    assert "{" not in sentence
    return caught.value.reason


def test_a_sheet_is_found_again_as_it_was(path: Path) -> None:
    with model.SheetFile.open(path) as file:
        assert file.sheet.table.totals == (3, 43, 58, 26)
        assert file.recovered is None
        file.do(model.Enter(TOLD[0]))
        sheet = file.sheet
    assert model.read_sheet(path) == sheet


def test_what_is_refused_is_not_saved(path: Path) -> None:
    before = path.read_bytes()
    with model.SheetFile.open(path) as file, pytest.raises(model.SheetFault):
        file.do(model.Enter(hearts("14 - - -", queen=0)))
    assert path.read_bytes() == before


def test_the_house_goes_on_with_the_lots_it_has_sealed(path: Path) -> None:
    with model.SheetFile.create(path.with_name("b.volte-sheet"), OPEN) as file:
        file.do(model.Seal(1, file.house.commitment(1, ()).digest))
    with model.SheetFile.open(file.path) as again:
        entries = again.draw_lots()
        assert [type(entry).__name__ for entry in entries] == ["Drawn", "Unseal"]
        assert again.draw_lots() == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_a_file_cut_anywhere_is_recovered_to_the_last_complete_entry(
    path: Path, data: st.DataObject
) -> None:
    whole, path = path.read_bytes(), path.with_name("cut.volte-sheet")
    cut = data.draw(st.integers(0, len(whole)))
    garbage = data.draw(st.sampled_from((b"", b"\0" * 40, b'{"number":', b"\xff\n\xfe", b"{}\n")))
    path.write_bytes(whole[:cut] + garbage)
    complete = whole[:cut].count(b"\n")
    if complete < 2:  # the first entry was never saved, and nobody was told that it was
        assert fault_of(path) == "not_a_sheet"
        return
    with model.SheetFile.open(path) as file:
        assert len(file.sheet.entries) == complete - 1
        size = sum(len(line) + 1 for line in whole.split(b"\n")[:complete])
        assert (file.recovered.lost if file.recovered else 0) == cut + len(garbage) - size
        file.do(model.Enter(EXPOSED))
    assert model.read_sheet(path) == file.sheet


def test_a_file_cut_at_every_byte_is_recovered(tmp_path: Path) -> None:
    with model.SheetFile.create(tmp_path / "a.volte-sheet", OPEN) as file:
        opened = file.path.stat().st_size
        file.do(model.Enter(EXPOSED))
        file.do(model.Enter(TOLD[0]))
        path, entries = file.path, file.sheet.entries
    whole = path.read_bytes()
    for cut in range(opened, len(whole) + 1):
        path.write_bytes(whole[:cut])
        assert model.read_sheet(path).entries == entries[: whole[:cut].count(b"\n") - 1]


def test_damage_in_the_middle_names_its_line(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    lines[4] = lines[4].replace(b"1", b"2", 1)
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(model.SheetFault) as caught:
        model.SheetFile.open(path)
    assert caught.value.reason == "sheet_damaged"
    assert caught.value.params["number"] == 5
    assert "line 5" in Words("en").fault(caught.value)
    del lines[4]
    path.write_bytes(b"\n".join(lines))
    assert fault_of(path) == "sheet_damaged"


def test_an_entry_that_nobody_could_have_made_is_damage(path: Path) -> None:
    whole = path.read_bytes()
    forged = _line(whole.count(b"\n") + 1, model.Enter(hearts("14 0 0 0", queen=0)))
    after = _line(whole.count(b"\n") + 2, model.Enter(EXPOSED))
    path.write_bytes(whole + forged + after)
    assert fault_of(path) == "sheet_damaged"


@pytest.mark.parametrize(
    "content",
    [b"", b"hello\n", b"{}\n{}\n", b"\n" * 9, b"\0" * 5000, b"Volte record 1\n", b"[" * 9],
)
def test_what_is_no_sheet_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.volte-sheet"
    path.write_bytes(content)
    assert fault_of(path) in ("not_a_sheet", "sheet_damaged")


def test_a_sheet_of_a_newer_volte_is_told(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    lines[0] = _line(1, model.Header(bytes(32), volte_sheet=2)).rstrip()
    path.write_bytes(b"\n".join(lines))
    assert fault_of(path) == "sheet_newer"


def test_what_cannot_be_opened_is_told(tmp_path: Path) -> None:
    assert fault_of(tmp_path / "none") == "sheet_not_read"
    assert fault_of(tmp_path) == "sheet_not_read"
    assert fault_of(Path("a\0b")) == "sheet_not_read"
    os.mkfifo(tmp_path / "pipe")
    assert fault_of(tmp_path / "pipe") == "sheet_not_read"
    with pytest.raises(model.SheetFault, check=because("sheet_not_saved")):
        model.SheetFile.create(tmp_path / "no" / "folder", OPEN)


def test_two_programs_do_not_write_one_sheet(path: Path) -> None:
    with model.SheetFile.open(path) as file:
        assert fault_of(path) == "sheet_open_elsewhere"
        assert model.read_sheet(path) == file.sheet  # reading needs no lock
        script = (
            "import sys; from pathlib import Path; from volte.scorekeeper.model import SheetFile\n"
            "SheetFile.open(Path(sys.argv[1]))"
        )
        other = subprocess.run(
            [sys.executable, "-c", script, path], capture_output=True, text=True, check=False
        )
        assert "sheet_open_elsewhere" in other.stderr
    model.SheetFile.open(path).close()


def test_a_sheet_that_somebody_deletes_is_missed_at_the_next_entry(path: Path) -> None:
    with model.SheetFile.open(path) as file:
        path.unlink()
        with pytest.raises(model.SheetFault, check=because("sheet_not_saved")):
            file.do(model.Enter(EXPOSED))


def test_a_full_disk_loses_nothing(path: Path) -> None:
    """A limit on the size of files fails with an `OSError`, as a full disk does."""
    before = path.read_bytes()
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    heard = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with model.SheetFile.open(path) as file:
        sheet = file.sheet
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, old[1]))
            with pytest.raises(model.SheetFault) as caught:
                file.do(model.Enter(EXPOSED))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)
            signal.signal(signal.SIGXFSZ, heard)
        assert caught.value.reason == "sheet_not_saved"
        assert "File too large" not in Words("fr").fault(caught.value)
        assert (file.sheet, path.read_bytes()) == (sheet, before)
        file.do(model.Enter(EXPOSED))  # there is room again
    assert model.read_sheet(path) == enter(sheet, EXPOSED)


def test_no_entry_told_as_saved_is_lost_by_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "k.volte-sheet"
    script = (
        "import sys; from pathlib import Path; from volte.scorekeeper.model import *\n"
        "from volte.referee import Misdeal\n"
        "from volte.rules import make_ruleset\n"
        "rules = make_ruleset('coeurs', {'match_end': 'deals:900'})\n"
        "file = SheetFile.create(Path(sys.argv[1]), Open(rules, tuple('ABCD')))\n"
        "for turn in range(900):\n"
        "    file.do(Enter(LostDeal(Misdeal.EXPOSED)))\n"
        "    print(turn + 1, flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, path], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        for _ in range(20):
            program.stdout.readline()
        program.kill()
        told = 20 + len(program.stdout.read().split())
    with model.SheetFile.open(path) as file:
        assert len(file.sheet.lines) >= told


# The shelf


def test_sheets_are_listed_the_latest_first(tmp_path: Path) -> None:
    shelf = model.SheetShelf(tmp_path / "sheets")
    assert shelf.listed() == ()
    with shelf.new(OPEN) as first, shelf.new(OPEN) as second:
        assert first.path != second.path
        os.utime(second.path, (1, 1))
        first.do(model.Enter(TOLD[0]))
    (tmp_path / "sheets" / "broken.volte-sheet").write_bytes(b"nonsense")
    os.utime(tmp_path / "sheets" / "broken.volte-sheet", (0, 0))
    newest, older, broken = shelf.listed()
    assert (newest.path, older.path) == (first.path, second.path)
    found = newest.summary
    assert found is not None
    assert (found.names, found.state, found.deals) == (NAMES[:4], "playing", 1)
    assert broken.summary is None
    assert broken.fault is not None
    with model.SheetFile.open(newest.path) as again:
        again.do(model.Undo())
    assert model.read_sheet(newest.path).lines == ()


def test_a_shelf_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "sheets").write_text("a file in the way")
    with pytest.raises(model.SheetFault, check=because("sheet_not_saved")):
        model.SheetShelf(tmp_path / "sheets").new(OPEN)


def test_entries_and_header_are_kept_as_bytes_and_the_secret_is_in_no_entry(path: Path) -> None:
    header = model.Header(bytes(range(32)))
    assert model.decode_header(encode(header)) == header
    with model.SheetFile.open(path) as file:
        for entry in file.sheet.entries:
            assert model.decode_entry(encode(entry)) == entry
            assert file.house.master.hex().encode() not in encode(entry)


# A whole evening: five deals with a revoke, a misdeal and a moon, settled by the average

MOYENNE = rules_of("coeurs-moyenne")
EVENING = model.Open(MOYENNE, NAMES[:4], "Dimanche chez Anne", "0,25", "EUR", date="2026-11-21")
ACTS: tuple[model.Act, ...] = (
    model.Draw(lots("0 KS, 1 4D, 2 4H, 3 AH / 1 7C, 2 3D")),
    model.Enter(hearts("3 4 6 -", queen=1)),
    model.Enter(EXPOSED),
    model.Enter(hearts("- - - 13", queen=3)),
    model.Enter(revoked(0)),
    model.Enter(points("5 0 8 -")),
    model.Correct(1, hearts("3 5 5 -", queen=1), by="Chloé", why="un cœur mal rangé"),
    model.Enter(hearts("2 5 1 -", queen=2)),
    model.Settle(),
)


@pytest.fixture
def evening(tmp_path: Path) -> model.Sheet:
    """The sheet of the evening, its file closed and opened again after every entry."""
    with model.SheetFile.create(tmp_path / "evening.volte-sheet", EVENING) as file:
        path = file.path
    for entered in ACTS:
        with model.SheetFile.open(path) as file:
            file.do(entered)
    return model.read_sheet(path)


def test_the_evening_is_the_one_that_was_checked_by_hand(evening: model.Sheet) -> None:
    golden = (HERE / "goldens" / "evening.txt").read_text(encoding="utf-8")
    lines = [line for line in golden.split("\n") if not line.startswith(";")]
    assert model.to_record(evening).split("\n") == lines
    document = (HERE.parents[1] / "docs" / "score.md").read_text(encoding="utf-8")
    shown = document.split("```volte-sheet\n")[1].split("```")[0]
    assert model.parse_sheet(golden) == model.parse_sheet(shown) == evening


def test_the_evening_in_money(evening: model.Sheet) -> None:
    assert [row.dealer for row in evening.table.rows] == [2, 3, 0, 1, 2, 3]
    money = [model.worth(evening, stakes) for stakes in evening.table.net or ()]
    assert money == list(map(Decimal, ("-4.00", "-0.75", "-1.75", "6.50")))
    paid = [(each.giver, each.taker, each.stakes) for each in model.who_pays(evening)]
    assert paid == [(0, 3, 16), (2, 3, 7), (1, 3, 3)]
