"""Rule sheets: complete, never idle, well formed, and right in their numbers (rulesheet.txt)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kit.presets import ALL_TABLES, TABLES
from kit.sentences import ENGLISH, FRENCH, languages, lines_on, numbers, plain, sheet_text
from kit.strategies import recounted, rulesets, wider_rulesets, wider_settings

from volte.cards import HEARTS, QUEENS
from volte.rules import (
    OPTIONS,
    Direction,
    EndKind,
    FirstTrickPoints,
    HeartsLead,
    LotsNeeded,
    MoonRule,
    Payment,
    QueenPlay,
    Ruleset,
    RulesetFault,
    Score,
    Settlement,
    SlamRule,
    Stakes,
    Ties,
    Value,
    expected_sum,
    make_ruleset,
    options_of,
    read_setting,
    ruleset_of,
    score,
    settle_pot,
)
from volte.rules.options import parse_setting
from volte.say import Words
from volte.say.rulesheet import sheet
from volte.say.rulesheet.clauses import CLAUSES
from volte.say.rulesheet.facts import FACTS
from volte.say.rulesheet.phrases import PHRASES
from volte.say.rulesheet.sheet import format_sheet, rule_sheet

FEWER = settings(max_examples=settings().max_examples // 2)
"""Half as many examples, for tables of the wider family, which take a while to draw."""

TEXT = Path(__file__).with_name("rulesheet.txt").read_text(encoding="utf-8")
CASES = [part.strip().splitlines() for part in re.split(r"^# ", TEXT, flags=re.MULTILINE)[1:]]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_what_the_sheet_says(case: list[str]) -> None:
    rules = make_ruleset()
    for line in case[1:]:
        claim = re.fullmatch(r"(\*|[A-Z]\S*)( fr)? ([=+-]) ?(.*)", line)
        if claim is None:
            preset, *options = line.split()
            rules = make_ruleset(preset, dict(map(read_setting, options)))
            continue
        words = FRENCH if claim[2] else ENGLISH
        text = sheet_text(rules, words) if claim[1] == "*" else lines_on(rules, claim[1], words)
        if claim[3] == "=":
            assert text == claim[4], line
        else:
            assert (claim[4] in text) == (claim[3] == "+"), (line, text)


# Rules that the sheet tells, and rules that it does not


def what_matters(rules: Ruleset) -> dict[str, object]:
    """Rules that make a difference at this table, read from the ruleset and not from the sheet."""
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
    """Direction of the pass in a deal: `scatter`, or a seat counted from seat 0; 0 for no pass."""
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


def test_S2_a_queen_that_is_left_out_is_not_spoken_of_again() -> None:
    rules = make_ruleset("coeurs", {"removed": ["QS", "2C", "2D", "2S"]})
    assert sheet_text(rules).count("queen of spades") == 1


def test_the_sheet_is_made_from_options_and_not_from_a_name() -> None:
    assert sheet_text(make_ruleset("microsoft")) == sheet_text(make_ruleset("dame-de-pique"))


def test_P3_second_to_the_left_is_opposite_at_a_table_of_four() -> None:
    second = make_ruleset("dame-de-pique", {"pass_cycle": ["second_left"]})
    across = make_ruleset("dame-de-pique", {"pass_cycle": ["across", "across"]})
    assert sheet_text(second) == sheet_text(across)


# Numbers


@FEWER
@given(wider_rulesets())
def test_D4_D5_everybody_learns_how_many_cards_there_are(rules: Ruleset) -> None:
    for words in (ENGLISH, FRENCH):
        assert rules.hand_size in numbers(lines_on(rules, "D4", words))
        if rules.kitty_size > 1:
            assert numbers(lines_on(rules, "D5", words)) == [rules.kitty_size]


@given(rulesets())
def test_S3_S4_points_after_a_moon_and_a_slam_are_those_of_the_deck(rules: Ruleset) -> None:
    total = rules.penalty_total
    if rules.moon.slam == "reversal":
        assert numbers(lines_on(rules, "S4")) == [total, total]
    if rules.moon.moon == "others_plus":
        assert numbers(lines_on(rules, "S3"))[-1] == total


@FEWER
@given(wider_rulesets().filter(lambda rules: rules.moon.moon is not MoonRule.OFF), st.booleans())
def test_M6_W7_W10_what_a_moon_does_to_the_pot_is_what_is_paid(rules: Ruleset, asked: bool) -> None:
    """Compared with `settle_pot`: seat 0 has every card, and another seat has a trick."""
    rules = replace(rules, stakes=Stakes(Settlement.POT))
    taken = (rules.deck_mask, *(0,) * (rules.players - 1))
    tricks = (rules.hand_size, 1, *(0,) * (rules.players - 2))
    scored = score(rules, taken, tricks, minus=asked)
    assume(scored.slam is None)
    payment = settle_pot(rules, scored, taken, pot=1)
    if isinstance(payment, LotsNeeded):
        payment = settle_pot(rules, scored, taken, pot=1, lots=payment.seats)
    assert isinstance(payment, Payment)
    text = lines_on(rules, "M6")
    if scored.minus:
        assert not any(payment.paid)
        assert "nobody pays, and the others, who have no points, take the pot" in text
        assert all(payment.drawn[seat] == 0 for seat in rules.side(0))
    else:
        paid = {payment.paid[seat] for seat in range(rules.players) if seat not in rules.side(0)}
        assert paid == {rules.penalty_total}
        assert sum(payment.drawn[seat] for seat in rules.side(0)) == sum(payment.paid) + 1
        assert re.search(
            f"shoots the moon, each [a-z ]+ pays {ENGLISH.stakes(*paid)}, and that", text
        )


@FEWER
@given(wider_rulesets() | recounted(rulesets()))
def test_S6_W7_W8_W10_the_sums_told_are_those_of_the_books(rules: Ruleset) -> None:
    """Compared with `expected_sum`, which knows nothing of the sheet; a side counts once."""
    shown = numbers(lines_on(rules, "S6"))
    each = rules.sides.partners
    extra = sum(points for points in rules.values.values() if points < 0)
    sums = [expected_sum(rules, Score(()))]
    for minus in (False, True):
        if minus_may_be(rules, minus):
            if rules.moon.moon is not MoonRule.OFF:
                sums.append(expected_sum(rules, Score((), moon=0, minus=minus)))
            if rules.moon.slam is SlamRule.DOUBLE:
                sums.append(expected_sum(rules, Score((), slam=0, minus=minus)))
    if rules.moon.slam is SlamRule.REVERSAL:
        sums.append(expected_sum(rules, Score((), slam=0)))
    expected = {books // each - extra for books in sums}
    beside = {-extra} if extra else set()
    beside |= {-rules.points.no_tricks} if rules.points.no_tricks else set()
    assert expected <= {*shown}
    assert {*shown} == expected | beside


def minus_may_be(rules: Ruleset, minus: bool) -> bool:
    """Whether a moon, or a slam that counts twice, may be counted that way."""
    if rules.moon.moon in (MoonRule.SHOOTER_CHOOSES, MoonRule.PLUS_UNLESS_LOST):
        return True
    return (rules.moon.moon is MoonRule.SHOOTER_MINUS) is minus


@FEWER
@given(wider_rulesets() | recounted(rulesets()))
def test_S1_S2_S5_W5_what_each_card_counts_can_be_read_off(rules: Ruleset) -> None:
    """Every card that the sheet names counts what it says; the others as their suit does."""
    counting = " ".join(
        line for line in sheet_text(rules).splitlines() if "count" in line or "less" in line
    )
    for card in rules.cards:
        name = re.escape(ENGLISH.card(card))
        found = re.search(
            f"(?:T|t)he {name}(?:, the only heart,)? counts (nothing|−?[0-9,]+)", counting
        )
        lowered = re.search(f"If you take the {name}, you score ([0-9,]+) points? less", counting)
        worth = rules.points.of(card)
        if lowered:
            assert -int(lowered[1].replace(",", "")) == worth
        elif found:
            number = found[1].replace(",", "").replace("−", "-")
            assert (0 if number == "nothing" else int(number)) == worth
        elif card.bit & HEARTS and "Each heart counts 1 point" in counting:
            assert worth == 1
        elif card.bit & HEARTS and "Each heart counts its rank" in counting:
            assert worth == card.rank
        else:
            assert worth == 0


# Order of play, and real cards

IN_TURN = {
    "en": "Each player in turn plays one card, clockwise.",
    "fr": "Chacun joue une carte à son tour, dans le sens des aiguilles d’une montre.",
}
BY_HAND = {
    "en": "Anyone may shuffle, the dealer last; the dealer’s right-hand neighbour",
    "fr": "Tout le monde peut battre les cartes, le donneur en dernier ; son voisin",
}
OF_THE_PLAYROOM = {
    "en": "Volte|program|refused|verif|afterwards|Every player adds|taken back until|by itself",
    "fr": "ans Volte|programme|refusée|peut vérifier|grain|reprendre|tout seul|vraies cartes",
}


@languages
def test_every_sheet_says_how_people_take_turns_and_real_cards_are_ruled_by_people(
    words: Words,
) -> None:
    for preset, players in ALL_TABLES:
        rules = make_ruleset(preset, {"players": players})
        of_playroom, of_people = (
            [line for section in rule_sheet(rules, words, real) for line in section.lines]
            for real in (False, True)
        )
        for lines in (of_playroom, of_people):
            texts = [plain(line.text) for line in lines]
            in_turn, clauses = texts.index(IN_TURN[words.lang]), [line.clauses for line in lines]
            assert in_turn < clauses.index(("T1",))
        told = [plain(line.text) for line in of_people]
        assert any(text.startswith(BY_HAND[words.lang]) for text in told)
        assert [text for text in told if re.search(OF_THE_PLAYROOM[words.lang], text)] == []
        behind = {clause for line in of_people for clause in line.clauses}
        assert {f"I{number}" for number in range(1, 9)} <= behind
        assert not {"C1", "C2"} & behind
        ruled = re.compile(r"D3|[IC]\d|T8")
        assert [line for line in of_people if not any(map(ruled.match, line.clauses))] == [
            line for line in of_playroom if not any(map(ruled.match, line.clauses))
        ]


# Form


@FEWER
@given(wider_rulesets(), st.booleans())
def test_sheets_are_whole_sentences_with_clauses_and_french_is_typeset(
    rules: Ruleset, real_cards: bool
) -> None:
    lines = [
        [line for section in rule_sheet(rules, words, real_cards) for line in section.lines]
        for words in (ENGLISH, FRENCH)
    ]
    for line in (*lines[0], *lines[1]):
        assert line.text[0].isupper() or line.text[0].isdigit()
        assert line.text.endswith(".")
        assert "  " not in line.text
        assert not re.search(r"[{}]", line.text)
        assert line.clauses
        assert set(line.clauses) <= CLAUSES.keys()
        assert len(set(line.clauses)) == len(line.clauses)
    text = "\n".join(line.text for line in lines[1])
    assert not re.search(r"['\"]| [;:!?»]|« |[a-z][;:!?]|oe|\b(de le|de les|à le|à les)\b", text)
    assert not {line.text for line in lines[0]} & {line.text for line in lines[1]}


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


def test_the_text_asks_for_every_fact_and_for_options_that_there_are() -> None:
    text = Path(sheet.__file__).with_suffix(".md").read_text(encoding="utf-8").partition("## ")[2]
    guards = {name for guard in re.findall(r"\[(.*?)\]", text) for name in guard.split(", ")}
    names = {name.removeprefix("not ").removeprefix("each ") for name in guards} - {"", "else"}
    options = {name for name in names if "=" in name}
    for option in options:
        assert parse_setting(*option.split("=")) is not None
    places = {place.partition(":")[0] for place in re.findall(r"\{(.*?)\}", text)}
    of_lines = {"card", "worth", "less", "jack", "points"}
    of_moons = {"outcome", "outcome_of_moon", "outcome_of_double_slam"}
    of_others = of_lines | of_moons | {"real_cards"}
    assert (names - options | places) - of_others == FACTS.keys() | PHRASES.keys()
