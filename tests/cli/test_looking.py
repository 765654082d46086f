"""`volte rules`, `replay`, `check` and `verify`."""

import json
import re
from pathlib import Path

import pytest
from kit.terminals import Script, Volte

from volte.rules import PRESETS, load_ruleset, make_ruleset
from volte.scorekeeper.model import Open, SheetShelf, to_record

BOTS = ("play", "--seats", "casual,casual,casual,casual", "--seed", "9", "--lang", "en")


@pytest.fixture
def record(volte: Volte, folder: Path) -> Path:
    path = folder / "evening.volte"
    assert volte(*BOTS, "--rules", "coeurs-moyenne", "--record", str(path)).status == 0
    return path


def test_every_preset_is_listed_and_has_its_sheet(volte: Volte) -> None:
    told = volte("rules")
    assert [line.split()[0] for line in told.out.splitlines()][:-1] == list(PRESETS)
    for name in PRESETS:
        assert volte("rules", "--rules", name, "--lang", "fr").out.startswith("But du jeu\n")


def test_presets_for_programs(volte: Volte) -> None:
    listed = json.loads(volte("rules", "--json").out)
    assert [each["name"] for each in listed] == list(PRESETS)
    assert listed[0]["players"] == [3, 4, 5, 6, 7]


def test_a_sheet_speaks_of_just_that_table(volte: Volte) -> None:
    usual = volte("rules", "--rules", "coeurs").out
    free = volte("rules", "--rules", "coeurs", "--set", "queen_discard=free", "--players", "5").out
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
    assert "Whoever takes the 10 of diamonds scores 5 points less." in sheet


def test_rules_go_to_a_file_and_come_back(volte: Volte, folder: Path) -> None:
    changes = ("--set", "queen_discard=free", "--players", "5")
    path = folder / "table.toml"
    told = volte("rules", "--rules", "coeurs", *changes, "--save", str(path))
    assert told == (0, "", "")
    assert load_ruleset(path) == make_ruleset("coeurs", {"queen_discard": "free", "players": 5})
    toml = volte("rules", "--rules", str(path), "--toml").out
    assert toml == path.read_text(encoding="utf-8")
    options = json.loads(volte("rules", "--rules", str(path), "--set", "moon=off", "--json").out)
    assert (options["queen_discard"], options["players"], options["moon"]) == ("free", 5, "off")


def test_a_record_that_nobody_can_fault(volte: Volte, record: Path) -> None:
    assert volte("check", str(record)) == (0, f"{record}: a lawful record of a whole match.\n", "")
    assert json.loads(volte("check", str(record), "--json").out) == {
        "lawful": True,
        "finished": True,
    }
    proved = volte("verify", str(record))
    assert proved.status == 0
    assert proved.out.count(": proved") == 5
    assert [each["verdict"] for each in json.loads(volte("verify", str(record), "--json").out)] == [
        "proved"
    ] * 5


def test_a_record_may_come_from_standard_input(volte: Volte, record: Path) -> None:
    text = record.read_bytes()
    told = volte("check", "-", piped=text)
    assert told == (0, "The text: a lawful record of a whole match.\n", "")
    assert volte("verify", "-", piped=text).out.count(": proved") == 5
    shown = volte("replay", "-", piped=text).out
    assert "Points of deal 5" in shown
    assert "Enter for" not in shown  # there is nobody who could type it
    told = volte("review", "-", "--seat", "9", piped=text)
    assert "Alice" in told.err  # who sits there stands in the record
    assert volte("check", "-").err == "Line 1: the record is empty.\n"


def test_a_sheet_may_come_from_standard_input(volte: Volte) -> None:
    golden = Path(__file__).parents[1] / "scorekeeper/goldens/evening.txt"
    told = volte("check", "-", "--json", piped=golden.read_bytes())
    assert (told.status, json.loads(told.out)) == (0, {"lawful": True, "finished": True})


def test_files_that_are_no_records(volte: Volte, folder: Path) -> None:
    bad = folder / "bad.volte"
    for content in (b"", b"hello\n", b"\xff\xfe\x00", b"Volte record 1\nRules: nothing\n"):
        bad.write_bytes(content)
        for name in ("check", "replay", "verify"):
            volte.refused(name, str(bad), status=1)
    assert volte("check", str(folder)).status == 1


def test_a_changed_card_is_found(volte: Volte, record: Path) -> None:
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if line.startswith("Secret 1"))
    lines[place] = "Secret 1: " + "00" * 32 + "\n"
    record.write_text("".join(lines), encoding="utf-8")
    assert volte("check", str(record)).status == 0
    told = volte("verify", str(record))
    assert told.status == 1
    assert "Deal 1: false!" in told.out


def test_a_record_cut_in_half_says_where(volte: Volte, record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    record.write_text(text[: len(text) // 2], encoding="utf-8")
    sentence = volte.refused("check", str(record), status=1)
    answer = json.loads(volte("check", str(record), "--json").out)
    assert answer["lawful"] is False
    assert sentence.startswith(f"Line {answer['line']}:")


def test_replay_steps_by_trick_or_by_deal_or_not_at_all(volte: Volte, record: Path) -> None:
    whole = volte("replay", str(record), "--by", "all").out
    deals = volte("replay", str(record), "--by", "deal", answer=lambda _: "").out
    tricks = volte("replay", str(record), answer=lambda _: "").out
    assert deals.count("Enter for the next deal") == 4
    assert tricks.count("Enter for the next trick") == 13 * 5 - 1
    for stepped in (deals, tricks):
        told = [line for line in stepped.splitlines() if not line.startswith("Enter for")]
        assert told == whole.splitlines()


def test_replay_stops_when_told(volte: Volte, record: Path) -> None:
    told = volte("replay", str(record), answer=Script(["", "q"]))
    assert told.status == 0
    assert told.out.count("takes the trick") == 2


def test_replay_shows_every_hand_and_every_pass(volte: Volte, record: Path) -> None:
    told = volte("replay", str(record), "--by", "all").out
    assert told.count(" holds ") >= 4 * 5
    assert told.count(" passes ") == 4 * 5


def test_replay_of_a_match_that_is_not_over_says_so(volte: Volte, folder: Path) -> None:
    path = folder / "half.volte"
    volte("play", "--record", str(path))
    told = volte("replay", str(path), "--by", "all")
    assert told.out.splitlines()[-1] == "Here the record stops; the match is not over."
    assert "not over" in volte("check", str(path)).out


def test_a_score_sheet_is_checked_and_its_lots_are_proved(volte: Volte, folder: Path) -> None:
    golden = Path(__file__).parents[1] / "scorekeeper/goldens/evening.txt"
    told = volte("check", str(golden), "--json")
    assert (told.status, json.loads(told.out)) == (0, {"lawful": True, "finished": True})
    wrong = folder / "wrong.txt"
    text = golden.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("Deal 1: hearts "))
    wrong.write_text(text.replace(line, "Deal 1: hearts 9 9 9 9"), encoding="utf-8")
    faulty = volte("check", str(wrong), "--json")
    assert faulty.status == 1
    assert json.loads(faulty.out)["line"] == text.splitlines().index(line) + 1
    assert volte("verify", str(golden)).out.startswith("No lots have been drawn by a seal")


def test_lots_of_a_sheet_are_proved(volte: Volte, folder: Path) -> None:
    with SheetShelf(folder).new(
        Open(make_ruleset("coeurs"), ("Anne", "Jean", "Zoé", "Luc"))
    ) as file:
        file.draw_lots()
        text = to_record(file.sheet)
    path = folder / "sheet.txt"
    path.write_text(text, encoding="utf-8")
    told = volte("verify", str(path), "--json")
    assert (told.status, json.loads(told.out)) == (0, [{"lots": 1, "verdict": "proved"}])
    assert volte("verify", str(path)).out.startswith("Lots 1: proved")


@pytest.mark.parametrize(
    ("rules", "settings", "told"),
    [
        (
            "partnership",
            ["pass_cycle=scatter"],
            "Alice passes the .* to Bruno, the .* to Chloé",
        ),
        ("cancellation", ["players=10"], r"Jules holds .*\n(.*\n)*.* cancel each other"),
        ("scatter", ["moon=plus_unless_lost"], "Points of deal 1: "),
    ],
)
def test_records_of_the_wider_family_are_shown_judged_and_proved(
    rules: str, settings: list[str], told: str, volte: Volte, folder: Path
) -> None:
    path = folder / "wider.volte"
    options = [word for each in [*settings, "match_end=deals:1"] for word in ("--set", each)]
    players = int(dict(each.split("=") for each in settings).get("players", "4"))
    seats = ",".join(["beginner"] * players)
    play = ("play", "--seed", "9", "--seats", seats, "--rules", rules, *options)
    assert volte(*play, "--record", str(path)).status == 0
    assert "a lawful record of a whole match" in volte("check", str(path)).out
    assert volte("verify", str(path)).status == 0
    shown = volte("replay", str(path), "--by", "all", "--lang", "en", "--plain").out
    assert re.search(told, shown)
