"""Rule sheets: complete, never idle, well formed, and right in their numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kit.rulesets import TABLES
from kit.strategies import rulesets, wider_rulesets, wider_settings
from words.sheets import ENGLISH, FRENCH, languages, lines_on, numbers, sheet_text

from volte.cards import HEARTS, JACK, QUEENS
from volte.rules import (
    OPTIONS,
    Direction,
    EndKind,
    FirstTrickPoints,
    HeartsLead,
    MoonRule,
    QueenPlay,
    Ruleset,
    RulesetFault,
    SlamRule,
    Ties,
    Value,
    make_ruleset,
    options_of,
    ruleset_of,
)
from volte.say import Words
from volte.say.rulesheet.clauses import CLAUSES
from volte.say.rulesheet.sheet import format_sheet, rule_sheet

FEWER = settings(max_examples=settings().max_examples // 2)
"""For tables of the wider family, which take a while to think of."""


# What is said, and what is not


def what_matters(rules: Ruleset) -> dict[str, object]:
    """What can happen differently at this table, read from the rules and not from the sheet."""
    queens, hearts = (rules.deck_mask & QUEENS).bit_count(), bool(rules.deck_mask & HEARTS)
    play, ending, moon = rules.play, rules.ending, rules.moon
    end, shared = ending.match_end, ending.ties is Ties.SHARE
    deals = end.number if end.kind is EndKind.DEALS and shared else 60
    ways = [_way(rules, deal) for deal in range(1, min(deals, 60) + 1)]
    barred = play.first_trick_points is FirstTrickPoints.BARRED
    only_hearts = not rules.penalty_mask & ~HEARTS
    once_broken = hearts and play.hearts_lead is HeartsLead.ONCE_BROKEN
    waits = bool(queens) and play.queen_play is QueenPlay.ONCE_BROKEN
    bonus = any(points < 0 for points in rules.values.values())
    swings = (moon.moon, moon.slam) != (MoonRule.OFF, SlamRule.OFF)
    return {
        "cards": rules.cards,
        "packs": rules.deck.packs,
        "players": rules.players,
        "partners": rules.sides.partners,
        "kitty": rules.deck.kitty if rules.kitty_size else None,
        "values": rules.values,
        "no tricks": rules.points.no_tricks,
        "ways": ways,
        "passed": rules.passing.count if {*ways} - {"scatter", 0} else 0,
        "opening": play.opening,
        "first trick": barred and not (only_hearts and play.hearts_from_trick > 1),
        "hearts lead": once_broken,
        "queen breaks": play.queen_breaks_hearts
        and ((once_broken and queens > 0) or (waits and queens > 1)),
        "queen waits": waits,
        "hearts from": play.hearts_from_trick if hearts else 1,
        "queen discard": play.queen_discard if queens else None,
        "moon": (moon.moon, moon.slam),
        "moon needs": moon.needs_jack and bonus and moon.moon is not MoonRule.OFF,
        "moon by": moon.by if swings and rules.sides.partners > 1 else None,
        "end": end,
        "at limit": ending.at_limit if end.kind is EndKind.LIMIT else None,
        "ties": ending.ties,
        "stakes": rules.stakes,
        "irregularities": rules.irregularities,
    }


def _way(rules: Ruleset, deal: int) -> str | int:
    """Where that deal is passed; 0 where it is not."""
    direction = rules.direction(deal)
    if direction is Direction.SCATTER:
        return "scatter"
    return direction.target(0, rules.players)


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[Ruleset, Ruleset]:
    """Two tables that differ in one option at most."""
    one, another = draw(wider_settings()), draw(wider_settings())
    name = draw(st.sampled_from(sorted(OPTIONS)))
    try:
        return ruleset_of(one), ruleset_of({**one, name: another[name]})
    except RulesetFault:
        assume(False)
        raise


@given(neighbours())
def test_sheets_differ_exactly_where_the_tables_do(tables: tuple[Ruleset, Ruleset]) -> None:
    one, another = tables
    same = what_matters(one) == what_matters(another)
    for words in (ENGLISH, FRENCH):
        assert (sheet_text(one, words) == sheet_text(another, words)) is same


VALUES: Sequence[tuple[str, Sequence[Value]]] = (
    ("players", (3, 4, 5, 6, 7)),
    ("removed", ([], ["2D", "3D", "4D", "5D"], ["2C", "2D", "2H", "2S"])),
    ("jokers", (0, 2)),
    ("pass_count", (0, 1, 2, 3, 4)),
    ("pass_cycle", (["left"], ["right"], ["across"], ["left", "right"], ["left", "hold"])),
    ("hearts_from_trick", (1, 2, 3, 4)),
    ("queen_breaks_hearts", (False, True)),
    ("queen_points", (0, 1, 12, 13, 25)),
    ("jack_points", (0, -5, -10)),
    ("card_points", ([], ["KS=10"], ["KS=10", "AS=7"], ["TD=-10"], ["AH=5"], ["AH=0"])),
    ("no_tricks", (0, -5, -10)),
    ("partners", (1, 2)),
    ("moon_needs_jack", (False, True)),
    ("pass_cycle", (["scatter"], ["left", "scatter"], ["left", "right", "scatter"])),
    ("match_end", ("deals:1", "deals:2", "deals:5", "limit:50", "limit:100")),
    *(
        (name, OPTIONS[name].values)
        for name in (
            "opening",
            "first_trick_points",
            "hearts_lead",
            "queen_discard",
            "queen_play",
            "heart_points",
            "moon",
            "slam",
            "at_limit",
            "ties",
            "settlement",
            "irregularities",
        )
    ),
)


@languages
@pytest.mark.parametrize(
    ("option", "values"),
    VALUES,
    ids=[f"{name}-{len(values)}" for name, values in VALUES],
)
def test_every_value_has_a_sheet_of_its_own(
    option: str, values: Sequence[Value], words: Words
) -> None:
    salon = options_of(make_ruleset("salon"))
    usual = {**salon, "kitty": "first_trick", "pass_cycle": ["left", "right"], "jack_points": -10}
    sheets = {sheet_text(ruleset_of({**usual, option: value}), words) for value in values}
    assert len(sheets) == len(values)


def test_the_sheet_is_made_from_options_and_not_from_a_name() -> None:
    assert sheet_text(make_ruleset("microsoft")) == sheet_text(make_ruleset("dame-de-pique"))


def test_P3_second_to_the_left_is_opposite_at_a_table_of_four() -> None:
    second = make_ruleset("dame-de-pique", {"pass_cycle": ["second_left"]})
    across = make_ruleset("dame-de-pique", {"pass_cycle": ["across", "across"]})
    assert sheet_text(second) == sheet_text(across)


def test_P3_what_a_short_match_never_comes_to_is_left_out() -> None:
    rules = make_ruleset("dame-de-pique", {"match_end": "deals:2"})
    assert lines_on(rules, "R-PASS") == (
        "The pass changes from deal to deal: to the player on the left, then to the player on the"
        " right."
    )


@pytest.mark.parametrize(
    "settings",
    [{"pass_count": 0}, {"pass_count": 0, "pass_cycle": []}, {"pass_cycle": ["hold", "hold"]}],
)
def test_P1_a_table_without_a_pass_never_speaks_of_one_again(settings: dict[str, Value]) -> None:
    rules = make_ruleset("dame-de-pique", settings)
    assert lines_on(rules, "P1") == "No cards are passed: play begins at once."
    assert "after the pass" not in lines_on(rules, "L2")
    assert "pass" not in lines_on(rules, "C2")


def test_D6_no_kitty_no_word_of_it() -> None:
    assert "kitty" not in sheet_text(make_ruleset("coeurs"))
    assert "kitty" in sheet_text(make_ruleset("coeurs", {"players": 3}))


def test_T8_the_order_is_told_only_where_duties_can_meet() -> None:
    assert "T8" not in sheet_text(make_ruleset("microsoft", {"irregularities": "refereed"}))
    both = make_ruleset("microsoft", {"queen_discard": "forced", "irregularities": "refereed"})
    assert "T8" in sheet_text(both, clauses=True)


def test_T5_the_forced_queen_that_T3_kept_goes_the_next_time() -> None:
    rules = make_ruleset("coeurs", {"first_trick_points": "barred"})
    assert lines_on(rules, "T5").endswith(
        "If it had to be kept on the first trick, it goes the next time."
    )
    worthless = make_ruleset("coeurs", {"first_trick_points": "barred", "queen_points": 0})
    assert lines_on(worthless, "T5").endswith("is always free.")


def test_S2_a_queen_without_points_is_no_penalty_card() -> None:
    rules = make_ruleset("coeurs", {"queen_points": 0})
    assert lines_on(rules, "S2").endswith("The queen of spades counts nothing.")
    assert "all 13 hearts scores nothing" in lines_on(rules, "S3")


def test_S2_a_queen_that_is_left_out_is_not_spoken_of() -> None:
    rules = make_ruleset("coeurs", {"removed": ["QS", "2C", "2D", "2S"]})
    assert sheet_text(rules).count("queen of spades") == 1
    assert "without the 2 of clubs, the 2 of diamonds, the 2 of spades and the queen of spades" in (
        lines_on(rules, "R-DECK")
    )


def test_S3_one_penalty_card_alone_is_the_moon() -> None:
    hearts = [str(card) for card in make_ruleset("coeurs").cards if card.bit & HEARTS]
    rules = make_ruleset("coeurs", {"removed": hearts, "kitty": "first_trick"})
    assert "Take the queen of spades" in sheet_text(rules)
    assert "Ramasser la dame de pique" in sheet_text(rules, FRENCH)


def test_S1_the_only_heart_has_its_name() -> None:
    hearts = [str(card) for card in make_ruleset("coeurs").cards if card.bit & HEARTS]
    rules = make_ruleset("coeurs", {"removed": hearts[:-1]})
    assert "The ace of hearts, the only heart, counts 1 point." in sheet_text(rules)
    assert "L’as de cœur, seul cœur du jeu, compte 1 point." in sheet_text(rules, FRENCH)


# Numbers


@FEWER
@given(wider_rulesets())
def test_D4_D5_everybody_learns_how_many_cards_there_are(rules: Ruleset) -> None:
    for words in (ENGLISH, FRENCH):
        assert rules.hand_size in numbers(lines_on(rules, "D4", words))
        if rules.kitty_size > 1:
            assert numbers(lines_on(rules, "D5", words)) == [rules.kitty_size]


@given(rulesets())
def test_S3_S4_S6_sums_are_those_of_the_deck(rules: Ruleset) -> None:
    total, others = rules.penalty_total, rules.players - 1
    sums = [total]
    sums += [others * total] if rules.moon.moon == "others_plus" else []
    sums += [(others - 1) * total] if rules.moon.slam == "reversal" else []
    sums += [-rules.values[JACK]] if rules.values.get(JACK) else []
    assert numbers(lines_on(rules, "S6")) == sums
    if rules.moon.slam == "reversal":
        assert numbers(lines_on(rules, "S4")) == [total, total]
    if rules.moon.moon == "others_plus":
        assert numbers(lines_on(rules, "S3"))[-1] == total


def test_M3_M6_stakes_are_those_of_the_deck() -> None:
    assert "pays 25 stakes" in lines_on(make_ruleset("coeurs"), "M3")
    assert "paie 25 mises" in lines_on(make_ruleset("coeurs"), "M3", FRENCH)
    assert numbers(lines_on(make_ruleset("coeurs-cagnotte"), "M6")) == [25, 50, 25]


def test_I5_the_penalty_is_that_of_the_deck() -> None:
    rules = make_ruleset("coeurs-table", {"queen_points": 13})
    assert numbers(lines_on(rules, "I5")) == [26]


# Form


@FEWER
@given(wider_rulesets())
def test_sheets_are_whole_sentences_with_clauses_and_french_is_typeset(rules: Ruleset) -> None:
    told = [
        [line for section in rule_sheet(rules, words) for line in section.lines]
        for words in (ENGLISH, FRENCH)
    ]
    for line in (*told[0], *told[1]):
        assert line.text[0].isupper() or line.text[0].isdigit()
        assert line.text.endswith(".")
        assert "  " not in line.text
        assert not re.search(r"[{}]", line.text)
        assert line.clauses
        assert set(line.clauses) <= CLAUSES.keys()
        assert len(set(line.clauses)) == len(line.clauses)
    text = "\n".join(line.text for line in told[1])
    assert not re.search(r"['\"]| [;:!?»]|« |[a-z][;:!?]|oe|\b(de le|de les|à le|à les)\b", text)
    assert not {line.text for line in told[0]} & {line.text for line in told[1]}


@languages
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_sheets_wrap_only_when_a_width_is_given(preset: str, players: int, words: Words) -> None:
    sections = rule_sheet(make_ruleset(preset, {"players": players}), words)
    plain = format_sheet(sections, words)
    assert len(plain.splitlines()) == sum(len(part.lines) + 2 for part in sections) - 1
    narrow = format_sheet(sections, words, width=40)
    assert max(map(len, narrow.splitlines())) <= 40
    assert narrow.split() == plain.split()


def test_lines_end_with_their_clauses_when_asked() -> None:
    text = sheet_text(make_ruleset("coeurs"), clauses=True)
    assert "Each heart counts 1 point. (S1)\n" in text
    assert sheet_text(make_ruleset("coeurs")) == re.sub(r" \([A-Z0-9, -]+\)$", "", text, flags=re.M)
