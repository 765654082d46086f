"""`volte rules`, `replay`, `check` and `verify`; see also the transcript `records.en.txt`."""

import json
import re
from pathlib import Path

import pytest
from kit.records import TEXTS
from kit.terminals import Script, Volte

from volte.rules import PRESETS, make_ruleset
from volte.scorekeeper.model import Open, SheetShelf, to_record

BOTS = ("play", "--seats", "casual,casual,casual,casual", "--seed", "9", "--lang", "en")


@pytest.fixture
def record(volte: Volte, folder: Path) -> Path:
    path = folder / "evening.volte"
    assert volte(*BOTS, "--rules", "coeurs-moyenne", "--record", str(path)).status == 0
    return path


def test_every_preset_is_listed_and_has_its_sheet(volte: Volte) -> None:
    done = volte("rules")
    assert [line.split()[0] for line in done.out.splitlines()][:-1] == list(PRESETS)
    for name in PRESETS:
        assert volte("rules", "--rules", name, "--lang", "fr").out.startswith("But du jeu\n")


def test_a_sheet_of_rules_with_a_name_begins_with_it(volte: Volte, folder: Path) -> None:
    path = folder / "mine.toml"
    done = volte("rules", "--rules", "Cœurs", "--set", "Name=Chez Zoé", "--save", str(path))
    assert (done.status, done.err) == (0, "")
    assert volte("rules", "--rules", str(path), "--lang", "fr").out.startswith(
        "Chez Zoé\n\nBut du jeu"
    )


def test_presets_for_programs(volte: Volte) -> None:
    listed = json.loads(volte("rules", "--json").out)
    assert [each["name"] for each in listed] == list(PRESETS)
    assert listed[0]["players"] == [3, 4, 5, 6, 7]


def test_a_sheet_speaks_of_just_that_table(volte: Volte) -> None:
    usual = volte("rules", "--rules", "coeurs").out
    free = volte("rules", "--rules", "Cœurs", "--set", "Queen-Discard=free", "--players", "5").out
    assert usual != free
    assert "5 players" in free
    assert "(T5" in volte("rules", "--rules", "coeurs", "--clauses").out
    assert "(T5" not in usual


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "jack of diamonds as well"), ("fr", "en plus le valet")]
)
def test_W7_a_sheet_of_the_wider_family_names_its_clauses(
    volte: Volte, lang: str, told: str
) -> None:
    sheet = volte("rules", "--rules", "omnibus", "--clauses", "--lang", lang).out
    line = next(line for line in sheet.splitlines() if told in line)
    assert line.endswith("(S3, W7)")


def test_W5_W10_W11_options_of_the_wider_family_are_set(volte: Volte) -> None:
    changes = ("--set", "partners=2", "--set", "card_points=KS=10,TD=-5", "--players", "8")
    sheet = volte("rules", "--rules", "cancellation", *changes, "--lang", "en").out
    assert "8 players, in 4 sides of 2." in sheet
    assert "The king of spades counts 10 points." in sheet
    assert "If you take the 10 of diamonds, you score 5 points less." in sheet


def test_a_record_may_come_from_standard_input(volte: Volte, record: Path) -> None:
    text = record.read_bytes()
    done = volte("check", "-", piped=text)
    assert done == (0, "The text: a whole match, played by the rules.\n", "")
    assert volte("verify", "-", piped=text).out.count(": proved") == 5
    shown = volte("replay", "-", piped=text).out
    assert "Points for deal 5" in shown
    assert "Enter for" not in shown  # there is nobody who could type it
    done = volte("review", "-", "--seat", "9", piped=text)
    assert "Alice" in done.err  # who sits there stands in the record
    assert volte("check", "-").err == "Line 1: the file is empty.\n"


def test_a_sheet_may_come_from_standard_input(volte: Volte) -> None:
    golden = Path(__file__).parents[1] / "scorekeeper/goldens/evening.txt"
    done = volte("check", "-", "--json", piped=golden.read_bytes())
    assert (done.status, json.loads(done.out)) == (0, {"lawful": True, "finished": True})


def test_files_that_are_no_records(volte: Volte, folder: Path) -> None:
    bad = folder / "bad.volte"
    for content in (b"", b"hello\n", b"\xff\xfe\x00", b"Volte record 1\nRules: nothing\n"):
        bad.write_bytes(content)
        for name in ("check", "replay", "verify"):
            volte.refused(name, str(bad), status=1)
    assert volte("check", str(folder)).status == 1


def test_replay_steps_by_trick_or_by_deal_or_not_at_all(volte: Volte, record: Path) -> None:
    whole = volte("replay", str(record), "--by", "all").out
    deals = volte("replay", str(record), "--by", "deal", answer=lambda _: "").out
    tricks = volte("replay", str(record), answer=lambda _: "").out
    assert deals.count("Enter for the next deal") == 4
    assert tricks.count("Enter for the next trick") == 13 * 5 - 1
    for stepped in (deals, tricks):
        lines = [line for line in stepped.splitlines() if not line.startswith("Press Enter for")]
        assert lines == whole.splitlines()


def test_why_somebody_passed_and_played_can_be_asked(volte: Volte, record: Path) -> None:
    asked = ["w alice", "j alice", "why Nobody", "j", "", "J Alice", "w", "q"]
    said = volte("replay", str(record), "--lang", "en", answer=Script(asked)).out
    why = "To find out why somebody played a card, type J and their name.\n"
    prompt = f"Press Enter for the next trick, or type Q to stop. {why}"
    _, moved, first, wrong, nobody, _, second, less, *_ = said.split(prompt)
    assert moved == f"W now changes how much you hear. {why}"
    assert less == "Announcements: few.\n"
    assert re.match(r"Alice passed .*\nThe hint (.|\n)*\nAlice played .*\nThe hint ", first)
    assert wrong == "“Nobody” is not one of the others: choose one of Alice, Bruno, Chloé, David.\n"
    assert nobody.startswith("“” is not one of the others")
    assert re.match(r"Alice played .*\nThe hint ", second)
    deals = volte("replay", str(record), "--by", "deal", answer=Script(["j alice", "q"])).out
    assert "The hint" not in deals


def test_lots_of_a_sheet_are_proved(volte: Volte, folder: Path) -> None:
    with SheetShelf(folder).new(
        Open(make_ruleset("coeurs"), ("Anne", "Jean", "Zoé", "Luc"))
    ) as file:
        file.draw_lots()
        text = to_record(file.sheet)
    path = folder / "sheet.txt"
    path.write_text(text, encoding="utf-8")
    done = volte("verify", str(path), "--json")
    assert (done.status, json.loads(done.out)) == (0, [{"lots": 1, "verdict": "proved"}])
    assert volte("verify", str(path)).out.startswith("Draw 1: proved")


def test_cards_are_held_against_those_of_another_match(volte: Volte, folder: Path) -> None:
    path = folder / "again.volte"
    path.write_text(TEXTS["again"], encoding="utf-8")
    done = volte("verify", str(path), "--of", str(path))
    assert done.status == 0
    assert "Every deal has the cards of the other match, at the same seats." in done.out
    assert "Deal 1 is proved: its cards were sealed before it began." in done.out
    assert "fair" not in done.out  # nobody has shuffled them
    other = folder / "other.volte"
    lines = TEXTS["again"].splitlines(keepends=True)
    lines = [line for line in lines if not line.startswith("Cards: ")]
    other.write_text("".join(lines), encoding="utf-8")
    done = volte("verify", str(other), "--of", str(path))
    assert done.status == 1
    assert "shuffled for it, not taken from another" in done.out
    done = volte("verify", str(path), "--of", str(path), "--json")
    assert json.loads(done.out) == [{"deal": 1, "verdict": "proved"}, {"same": True}]


@pytest.mark.parametrize(
    ("rules", "players", "setting", "shown"),
    [
        ("partnership", 4, "pass_cycle=scatter", "Alice passes the .* to Bruno, the .* to Chloé"),
        ("cancellation", 10, "players=10", r"Jules holds .*\n(.*\n)*.* cancel each other"),
        ("scatter", 4, "moon=plus_unless_lost", "Points for deal 1: "),
    ],
)
def test_records_of_the_wider_family_are_shown_judged_and_proved(
    rules: str, players: int, setting: str, shown: str, volte: Volte, folder: Path
) -> None:
    record = str(folder / "wider.volte")
    seats = ",".join(["beginner"] * players)
    options = ("--set", setting, "--set", "match_end=deals:1", "--seed", "9", "--record", record)
    assert volte("play", "--rules", rules, "--seats", seats, *options).status == 0
    assert "a whole match, played by the rules" in volte("check", record).out
    assert volte("verify", record).status == 0
    printed = volte("replay", record, "--by", "all", "--lang", "en", "--plain").out
    assert re.search(shown, printed)
