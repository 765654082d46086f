"""Random rulesets: of the seeds, and of all the wider family, such that they can be played.

Random matches by them end soon: if totals could sink for ever, or never differ, the strategies
choose an end that is sure to come.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from volte.cards import CARDS, CLUBS, HEARTS, JACK, QUEEN, Card, in_first_pack, mask_of
from volte.rules import (
    OPTIONS,
    Ending,
    EndKind,
    MatchEnd,
    MoonRule,
    Points,
    Ruleset,
    SlamRule,
    Value,
    options_of,
    ruleset_of,
)
from volte.rules.validity import MOST_POINTS

PACK: Final = tuple(card for card in CARDS[:54] if card.joker is None)
"""One pack without jokers."""

seeds = st.integers(0, 2**64 - 1)


T = TypeVar("T")


def few(gate: T, full: T) -> T:
    """Number of examples of a slow test: as many as the gate has room for, or all of them."""
    return full if settings.get_current_profile_name() == "full" else gate


def in_full(*cells: object) -> list[pytest.ParameterSet]:
    """Cells of a matrix, for `parametrize`, that are tested in full only."""
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.full)
        for each in cells
    ]


# The seeds


@st.composite
def all_settings(
    draw: st.DrawFn, players: st.SearchStrategy[int] | None = None, most_cards: int = 54
) -> dict[str, Value]:
    """A value for every option of the seeds, such that the whole can be played; short matches.

    Args:
        players: 3 to 7.
        most_cards: in the deck; a small number makes tiny hands.
    """

    def one_of(name: str) -> str:
        return draw(_OF_SEEDS[name])

    seats = draw(st.integers(3, 7) if players is None else players)
    jokers = draw(_JOKERS)
    queen_points = draw(_QUEEN_POINTS)
    jack_points = draw(_JACK_POINTS)
    fewest_out = max(0, 52 + jokers - most_cards)
    most_out = max(fewest_out, 52 + jokers - 2 * seats)
    count = draw(st.integers(fewest_out, most_out) | st.just(fewest_out))
    deck = _random_deck(draw(seeds), count, queen_points)
    cards = len(deck) + jokers
    hand, left = divmod(cards, seats)
    penalties = (mask_of(deck) & HEARTS).bit_count() + queen_points * (QUEEN in deck)
    bonus = jack_points * (JACK in deck)
    clubs = (mask_of(deck) & CLUBS).bit_count()
    passed = draw(st.integers(0, min(4, hand)))
    cycle = _ODD_CYCLE if passed and seats % 2 else _CYCLE
    ends = st.integers(1, 3).map("deals:{}".format)
    if penalties + bonus > 0:
        ends |= st.integers(1, penalties).map("limit:{}".format)
    return {
        **options_of(Ruleset()),
        "players": seats,
        "removed": [str(card) for card in PACK if card not in deck],
        "kitty": "first_trick" if left else one_of("kitty"),
        "jokers": jokers,
        "pass_count": passed,
        "pass_cycle": draw(cycle),
        "opening": one_of("opening") if clubs > left else "eldest",
        "first_trick_points": one_of("first_trick_points"),
        "hearts_lead": one_of("hearts_lead"),
        "queen_breaks_hearts": draw(st.booleans()),
        "hearts_from_trick": draw(st.integers(1, min(4, hand))),
        "queen_discard": one_of("queen_discard"),
        "queen_points": queen_points,
        "jack_points": jack_points,
        "moon": one_of("moon"),
        "slam": one_of("slam"),
        "match_end": draw(ends),
        "settlement": one_of("settlement"),
        "irregularities": one_of("irregularities"),
    }


SEEDS: Final = {
    "kitty": ("none", "first_trick"),
    "pass_cycle": ("left", "right", "second_left", "second_right", "across", "hold"),
    "opening": ("eldest", "lowest_club"),
    "moon": ("off", "others_plus"),
    "slam": ("off", "reversal"),
}
"""The values that the three seeds know, for options that have others in the wider family."""

# Strategies are made once: in a table that is drawn, making them would take half the time

_ANY_OF: Final = {
    name: st.sampled_from(OPTIONS[name].values) for name in OPTIONS if OPTIONS[name].values
}
_OF_SEEDS: Final = _ANY_OF | {name: st.sampled_from(values) for name, values in SEEDS.items()}
_JOKERS: Final = st.sampled_from((0, 0, 2))
_QUEEN_POINTS: Final = st.sampled_from((0, 5, 12, 13, 13, 25))
_JACK_POINTS: Final = st.sampled_from((0, -10))
_CYCLE: Final = st.lists(_OF_SEEDS["pass_cycle"], min_size=1, max_size=6)
_ODD_CYCLE: Final = st.lists(
    st.sampled_from([way for way in SEEDS["pass_cycle"] if way != "across"]),
    min_size=1,
    max_size=6,
)


def _random_deck(seed: int, count: int, queen_points: int) -> frozenset[Card]:
    """The pack without `count` cards; some card still counts."""
    rng = random.Random(seed)
    counts = QUEEN if queen_points else Card("2H")
    out = rng.sample([card for card in PACK if card is not counts], count)
    return frozenset(PACK) - frozenset(out)


def rulesets(
    players: st.SearchStrategy[int] | None = None, most_cards: int = 54
) -> st.SearchStrategy[Ruleset]:
    """Any table of the seeds that can be played; see `all_settings`."""
    return all_settings(players, most_cards).map(ruleset_of)


@st.composite
def recounted(draw: st.DrawFn, tables: st.SearchStrategy[Ruleset]) -> Ruleset:
    """Tables as given, but any cards count any points; a match has one deal."""
    rules = draw(tables)
    few = st.sampled_from((-10, 1, 1, 2, 13))
    worth = draw(st.sampled_from((few, st.integers(-MOST_POINTS, MOST_POINTS))))
    cards = sorted({in_first_pack(card) for card in rules.cards})
    first, *others = draw(st.lists(st.sampled_from(cards), min_size=1, unique=True))
    counted = {first: draw(st.integers(1, 30))} | {card: draw(worth) for card in others}
    table = tuple((card, points) for card, points in sorted(counted.items()) if points)
    ending = Ending(MatchEnd(EndKind.DEALS, 1))
    return replace(rules, points=Points(table), ending=ending)


# The wider family


@st.composite
def wider_settings(
    draw: st.DrawFn, players: st.SearchStrategy[int] | None = None, most_cards: int = 54
) -> dict[str, Value]:
    """A value for every option, each of its values now and then, such that the whole can be played.

    Args:
        players: 3 to 10; there are two packs from 8 on, and often from 6 on.
        most_cards: in each pack.
    """

    def one_of(name: str) -> str:
        return draw(_ANY_OF[name])

    seats = draw(st.integers(3, 10) if players is None else players)
    settings = draw(all_settings(st.just(min(seats, 7)), most_cards))
    if seats > 7 or (seats > 5 and draw(st.booleans())):
        settings = _of_two_packs(draw, settings, seats)
    rules = ruleset_of(settings)
    cycle = [str(way) for way in rules.passing.cycle]
    if seats - 1 <= rules.hand_size and draw(st.booleans()):
        cycle.insert(draw(st.integers(0, len(cycle))), "scatter")
    partners = [1, *(n for n in (2, 2, 3) if seats % n == 0 and seats > n)]
    settings = {
        **settings,
        "pass_cycle": cycle,
        "kitty": settings["kitty"] if settings["kitty"] == "none" else draw(_KITTIES),
        "opening": settings["opening"] if settings["opening"] == "eldest" else draw(_CLUBS),
        "queen_play": one_of("queen_play"),
        "heart_points": one_of("heart_points"),
        "jack_points": draw(_BONUSES),
        "card_points": draw(_COUNTED),
        "no_tricks": draw(_NO_TRICKS),
        "moon": one_of("moon"),
        "moon_needs_jack": draw(st.booleans()),
        "moon_by": one_of("moon_by"),
        "slam": one_of("slam"),
        "match_end": draw(st.integers(1, 3).map("deals:{}".format)),
        "at_limit": one_of("at_limit"),
        "partners": draw(st.sampled_from(partners)),
    }
    rules = ruleset_of(settings)
    if rules.hand_size > 1:  # in deals of one trick everybody may tie for ever
        settings["ties"] = one_of("ties")
    if _rises(rules) and draw(st.booleans()):
        settings["match_end"] = f"limit:{draw(st.integers(2, rules.penalty_total))}"
    return options_of(ruleset_of(settings))


_KITTIES: Final = st.sampled_from(("first_trick", "first_heart", "last_trick"))
_CLUBS: Final = st.sampled_from(("lowest_club", "any_club"))
_BONUSES: Final = st.sampled_from((0, -5, -10))
_NO_TRICKS: Final = st.sampled_from((0, 0, -5))
_COUNTED: Final = st.lists(
    st.sampled_from(("KS=10", "AS=7", "TD=-10", "TD=-5", "2C=1", "AH=0", "AH=3")),
    max_size=3,
    unique_by=lambda word: word[:2],
)


def _rises(rules: Ruleset) -> bool:
    """Whether some total is sure to grow, deal by deal, in any play."""
    bonus = sum(points for points in rules.values.values() if points < 0)
    sure = rules.penalty_total + bonus + rules.points.no_tricks * (rules.players - 1)
    never_minus = rules.moon.moon in (MoonRule.OFF, MoonRule.OTHERS_PLUS)
    balanced = rules.moon.slam is SlamRule.REVERSAL and rules.players == 2 * rules.sides.partners
    return sure > 0 and rules.penalty_total > 1 and never_minus and not balanced


_ODD_CARDS: Final = st.lists(st.sampled_from(PACK).map(str), max_size=3, unique=True)


def _of_two_packs(draw: st.DrawFn, settings: dict[str, Value], seats: int) -> dict[str, Value]:
    """The settings with a second pack, for so many seats: much like the first pack."""
    first = settings["removed"]
    assert isinstance(first, list)
    odd = draw(_ODD_CARDS)
    removed = [*first, *(f"{card}'" for card in sorted({*first} ^ {*odd}))]
    clubs = 26 - sum(card[1] == "C" for card in removed)
    hand, left = divmod(104 + int(str(settings["jokers"])) - len(removed), seats)
    cycle = settings["pass_cycle"]
    assert isinstance(cycle, list)
    ways = [way for way in cycle if way != "across" or seats % 2 == 0]
    return {
        **settings,
        "players": seats,
        "packs": 2,
        "removed": removed,
        "kitty": "first_trick" if left else settings["kitty"],
        "pass_count": min(int(str(settings["pass_count"])), hand),
        "pass_cycle": ways or ["left"],
        "opening": settings["opening"] if clubs > left else "eldest",
        "match_end": "deals:1",
        "hearts_from_trick": min(int(str(settings["hearts_from_trick"])), hand),
    }


def wider_rulesets(
    players: st.SearchStrategy[int] | None = None, most_cards: int = 54
) -> st.SearchStrategy[Ruleset]:
    """Any table of the wider family that can be played; see `wider_settings`."""
    return wider_settings(players, most_cards).map(ruleset_of)


def any_rulesets(most_cards: int = 54) -> st.SearchStrategy[Ruleset]:
    """Tables of the seeds and of the wider family, with hands of any length and with short ones."""
    fewer = wider_rulesets(most_cards=min(20, most_cards))
    return rulesets(most_cards=most_cards) | wider_rulesets(most_cards=most_cards) | fewer
