"""Keeping a sheet at the terminal: typed lines, answers, and entries on the sheet."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit.spoken import EVERY
from kit.strategies import few
from kit.terminals import FOUR, SEVEN, keep, opened

from volte.cards import QUEEN
from volte.fair import Verdict
from volte.rules import PRESETS, Ruleset, Ties, make_ruleset
from volte.say import Words
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.scorekeeper.clerk.clerk import arising, find, format_answer
from volte.scorekeeper.model import draw, needs_of, prove, read_sheet, seal
from volte.scorekeeper.terminal.keys import ScoreKey

NAMES = (*("Anne", "Bruno", "Chloé", "David", "Emma"), *("Félix", "Gaëlle", "Hugo", "Inès", "Jean"))
GARBAGE = ("", "zz", b"\xff\xfe", b"\x1b[A", "x" * 10_000, "£$%", "-", "#", "fix")


# Every table


@pytest.mark.parametrize("lang", few(["fr"], ["fr", "en"]))
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_kept_to_its_end(preset: str, lang: str, folder: Path) -> None:
    for players in {min(PRESETS[preset].players), max(PRESETS[preset].players)}:
        rules = make_ruleset(preset, {"players": players})
        file = opened(folder, rules, NAMES[:players], dealer=players - 1)
        deals = [deal_of(rules, taker) for taker in (1, 0, *[1] * 10)]
        deals += [f"0q 0 {needs_of(rules).hearts}"] * (rules.ending.ties is Ties.PLAY_ON)
        typed = [*deals, "n", "g", "chart", "f", "e", "?", "lots", "", "accept"]
        evening = keep(file, typed, lang)
        assert evening.sheet.accepted, evening.said
        assert evening.sheet.table.net is not None
        assert sum(evening.sheet.table.net) + evening.sheet.table.pot == 0
        assert not re.search(r"[{}]|None", evening.said)


def deal_of(rules: Ruleset, taker: int) -> str:
    """A deal in which one of two players took two hearts, and the other one everything else."""
    due = needs_of(rules)
    hearts = [0, 0]
    hearts[taker], hearts[1 - taker] = due.hearts - 2, 2
    others = [f"{each.card} {taker + 1}" for each in due.others if each.card is not QUEEN]
    queens = sum(each.copies for each in due.cards if each.card is QUEEN)
    marks = ["q" * queens * (place == taker) for place in (0, 1)]
    cells = [f"{count}{mark}" for count, mark in zip(hearts, marks, strict=True)]
    cells[taker] += "j" * due.jack
    idle = ["no trick nobody"] * due.trickless
    return " ".join((*cells, *others, *idle))


@pytest.mark.parametrize("width", [80, 120])
def test_S7_the_sheet_of_seven_fits_into_the_columns(width: int, folder: Path) -> None:
    file = opened(folder, "coeurs-cinq-coups", SEVEN)
    evening = keep(file, ["m 7"] * 3 + ["f"], width=width)
    assert max(map(len, evening.lines)) <= width
    header, *rows = [line for line in evening.lines if re.match(r"Deal {2}| {3}\d ", line)]
    assert len(header.split()) == 8
    assert [row.split()[1] for row in rows] == ["25", "25", "25"]
    assert "Emmanu" in header


def test_S7_where_no_table_fits_each_deal_is_a_line(folder: Path) -> None:
    file = opened(folder, "coeurs-cinq-coups", SEVEN)
    evening = keep(file, ["m 7"] * 2 + ["f"], width=40)
    assert max(map(len, evening.lines)) <= 40
    assert "Deal 2: Anne-Sophie 25; Bruno 25; Chloé" in evening.lines
    assert not [line for line in evening.lines if line.startswith("Deal  ")]


def test_names_that_are_cut_alike_are_never_shown(folder: Path) -> None:
    names = [f"Jean-Baptiste {letter}" for letter in "ABCDEFG"]
    evening = keep(opened(folder, "coeurs-cinq-coups", names), ["m 7", "f"], width=80)
    assert "Deal 1: Jean-Baptiste A 25;" in evening.said


# Typed lines


def test_every_key_is_answered(folder: Path) -> None:
    words = [
        word for key in ScoreKey if key not in (ScoreKey.QUIT, ScoreKey.UNDO) for word in key.value
    ]
    evening = keep(opened(folder), ["4 6q 3", *words])
    assert len(evening.replies) == len(words) + 2
    question = evening.replies[1].splitlines()[-1]
    for reply in evening.replies[2:]:
        assert len(reply.splitlines()) >= 2
        assert reply.splitlines()[-1] == question
    rules = format_sheet(rule_sheet(evening.sheet.rules, Words("en"), real_cards=True), Words("en"))
    assert evening.replies[words.index("r") + 2].startswith(rules)


@pytest.mark.parametrize("lang", EVERY)
def test_bad_input_is_one_sentence_and_the_question_again(lang: str, folder: Path) -> None:
    file = opened(folder)
    before = file.sheet
    evening = keep(file, GARBAGE, lang)
    question = evening.replies[0].splitlines()[-1]
    for reply in evening.replies[1:]:
        assert len(reply.splitlines()) == 2, reply
        assert reply.splitlines()[1] == question
    assert evening.sheet == before


def test_another_deal_instead_of_the_queen(folder: Path) -> None:
    evening = keep(opened(folder), ["4 6 3"] * 500 + ["zorro", "4 6 3", "5 5q 3"])
    assert evening.sheet.table.totals == (5, 18, 3, 0)
    assert "Nobody here is called “zorro”" in evening.said


@pytest.mark.parametrize("fix", ["fix", "corriger"])
def test_points_for_hearts_in_a_correction_are_told_as_that_is_typed(
    fix: str, folder: Path
) -> None:
    evening = keep(opened(folder), ["4 6q 3", f"{fix} 1 4 19 3", f"{fix} 1 = 4 19 3 0"])
    assert f"if so, type “{fix} 1 = 4 19 3 0”" in evening.said
    assert evening.sheet.table.totals == (4, 19, 3, 0)


def test_undo_takes_back_entry_after_entry(folder: Path) -> None:
    """The sentences are in `transcripts/score-changes.en.txt`."""
    typed = ["4 6q 3", "misdeal count", "fix 1 moon anne", "u", "u", "u", "u", "u"]
    sheet = keep(opened(folder, title="x"), typed).sheet
    assert sheet.lines == ()
    assert len(sheet.entries) == 9  # all of it stays on record


LINES = """
4 6q 3|= 4 19 3|= 26|m 2|moon anne|revoke bruno|mixed 1 2|misdeal exposed|0 0 13 q|4 6 3|bruno
4 6q 2 missing 2h|fix 1 9 4q|fix 2 m 3|fix m1 = 26|fix x1 4 9q|fix|fix 9|strike 1|strike|u|u|s|f|n
t|e|g|r|?|what now|lots|anne x||lots 1 ks, 2 3d|proof|accept|reopen|next|dealer 2|stake 0.1 €
stake none|name 1 Zoé|title x
"""
TYPED = st.sampled_from([line for row in LINES.strip().splitlines() for line in row.split("|")])


@settings(max_examples=few(5, 60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    typed=st.lists(TYPED | st.text(max_size=12), max_size=30),
    preset=st.sampled_from(["coeurs", "coeurs-moyenne", "coeurs-cagnotte", "salon-valet"]),
    lang=st.sampled_from(["fr", "en"]),
)
def test_whatever_is_typed_the_sheet_is_as_it_was_saved(
    typed: list[str], preset: str, lang: str, folder: Path
) -> None:
    file = opened(folder, preset, dealer=None)
    lines: list[str | bytes] = [line.encode(errors="replace") for line in typed]
    evening = keep(file, lines, lang, new=True)
    assert evening.sheet == read_sheet(evening.path)
    assert not re.search(r"\{\w*\}|Traceback", evening.said.replace("{}", ""))


# Lots, stakes and their consequences


def test_D1_lots_for_the_first_dealer_can_be_checked(folder: Path) -> None:
    file = opened(folder, dealer=None)
    evening = keep(file, ["lots", "anne blue sky", "anne", "anne red", "", "proof"], new=True)
    sealed = evening.sheet.seals[0]
    assert sealed.digest.hex() in evening.said
    assert sealed.shares[0] == b"blue sky"
    assert "Draw 1: proved. It is the one that was sealed beforehand." in evening.said
    assert [proof.verdict for proof in prove(evening.sheet)] == [Verdict.PROVED]
    dealer = evening.sheet.first_dealer
    assert dealer is not None
    assert f"{FOUR[dealer]} has the lowest card and deals first." in evening.said


def test_lots_whose_secret_was_not_told_in_time_are_proved_when_the_sheet_goes_on(
    folder: Path,
) -> None:
    file = opened(folder, dealer=None)
    file.do(seal(file.sheet, file.house))
    file.do(draw(file.sheet, file.house))
    evening = keep(file, ["proof"])
    assert "Draw 1: proved. It is the one that was sealed beforehand." in evening.said


def test_lots_that_were_sealed_and_are_no_longer_due_are_not_drawn(folder: Path) -> None:
    file = opened(folder, dealer=None)
    file.do(seal(file.sheet, file.house))
    evening = keep(file, ["dealer anne", "lots", "u", "lots", ""])
    assert evening.replies[2].startswith("There is nothing to draw lots for at the moment.")
    assert "deals first." in evening.replies[-1]
    assert evening.sheet.seals[0].secret


@pytest.mark.parametrize("answer", ["", "?", "zorro", "bruno", "dealer bruno", "q"])
def test_who_deals_first_is_asked_once_and_may_be_left_open(answer: str, folder: Path) -> None:
    typed = [answer, "", "4 6q 3"] if answer in ("?", "zorro") else [answer, "4 6q 3"]
    evening = keep(opened(folder, dealer=None), typed, new=True)
    assert evening.sheet.first_dealer == (1 if "bruno" in answer else None)
    assert len(evening.sheet.lines) == (answer != "q")


def test_M2_stakes_that_cannot_be_shared_wait_for_the_lots(folder: Path) -> None:
    """The losers pay 9 and 16; the winners get 12 each, and one of them the 25th."""
    file = opened(folder, make_ruleset("coeurs"), stake="0,10", currency="CHF")
    evening = keep(file, ["= 0 0 9 16", "accept", "e", "lots", "", "e"])
    assert evening.replies[2].startswith("First draw lots for the stakes")
    assert evening.replies[3].startswith("The stakes do not come out even: Anne and")
    net = evening.sheet.table.net
    assert net is not None
    assert sorted(net) == [-16, -9, 12, 13]
    assert "CHF\u00a00.90" in evening.said


@pytest.mark.parametrize("lang", EVERY)
def test_the_clerk_answers_by_the_rules_of_the_sheet(lang: str, folder: Path) -> None:
    rules = make_ruleset("coeurs-moyenne")
    typed = [
        "what now",
        "que faire\u00a0?",
        "que faire irrégularités",
        "que faire renonce",
        "what now revoke?",
        "what now zz",
    ]
    listed, again, all_of_them, *told, unknown = keep(opened(folder, rules), typed, lang).replies[
        1:
    ]
    assert listed == again == all_of_them
    assert "volte clerk" in listed
    assert all(each.called(Words(lang)) in listed for _, group in arising(rules) for each in group)
    answer = format_answer(find("revoke", Words(lang)), rules, Words(lang))
    assert all(reply.startswith(answer) for reply in told)
    assert len(unknown.splitlines()) == 2
