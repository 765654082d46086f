"""The positions in `tests/positions` have one right play, and the bots find it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest
from kit.oracle import Ends, margin, within, worlds, worth
from kit.positions import (
    AS_GOOD,
    AT_LENGTH,
    COMPLAINTS,
    FOLDER,
    FOLLIES,
    FOLLIES_OF_STRONG,
    SOMETIMES,
    Judge,
    Position,
    PositionFault,
    Proof,
    Theme,
    behind_by_search,
    better_by_search,
    clear,
    positions,
    proof_of,
    read_position,
    weighed,
    written,
)

from volte import kernel
from volte.bots import Casual, Clock, compiled, make_bot
from volte.bots.search import EXPERT, Search
from volte.bots.worlds import Dealer
from volte.cards import CARDS, CLUBS, mask_of
from volte.kernel.compiler import INTERPRETED

SUITE: Final = positions()

BY_SEARCH: Final = {Proof.SEARCH, Proof.PLAYS, Proof.LOWEST}

LISTED: Final = [each for each in SUITE if each.proved_by not in BY_SEARCH]
SEARCHED: Final = [each for each in SUITE if each.proved_by in BY_SEARCH]
LOWEST: Final = [each for each in SUITE if each.proved_by is Proof.LOWEST]
BLAMED: Final = [each for each in SUITE if each.theme in COMPLAINTS | FOLLIES]
OF_STRONG: Final = [each for each in SUITE if each.theme in FOLLIES_OF_STRONG]

QUICK: Final = 500
"""Most deals of a position that the gate enumerates; positions with more wait for the full run."""

FEW: Final = 12
"""Most cards left in all hands for which the gate tries every play by the plain search."""

ENOUGH: Final = 0.95
"""Share of the positions that `expert` has to solve."""


def named(position: Position, *, quick: bool) -> pytest.ParameterSet:
    marks = [] if quick else [pytest.mark.full]
    return pytest.param(position, marks=marks, id=position.name)


def is_quick(position: Position) -> bool:
    return position.deals <= (QUICK if position.judged_by is Judge.POINTS else QUICK / 40)


def cards_left(position: Position) -> int:
    return sum(position.view.deal.hand_sizes())


@pytest.mark.parametrize("position", [named(each, quick=is_quick(each)) for each in LISTED])
def test_the_named_cards_are_right_and_no_others(position: Position) -> None:
    view = position.view
    found = weighed(view, position.judged_by)
    limit = clear(view.state.rules, position.judged_by)
    assert len(found.perfect) == position.deals
    assert found.behind(position.right) >= limit
    assert found.sometimes(position.right) <= SOMETIMES
    assert proof_of(found, position.right, limit) is position.proved_by
    wrong = tuple(card for card in found.cards if card not in position.right)
    assert proof_of(found, wrong, limit) is None


@pytest.mark.full
@pytest.mark.skipif(INTERPRETED, reason="too slow without compiled code")
@pytest.mark.parametrize("position", SEARCHED, ids=lambda position: position.name)
def test_the_named_cards_are_right_by_long_searches(position: Position) -> None:
    assert behind_by_search(position) >= clear(position.view.state.rules, position.judged_by)


@pytest.mark.full
@pytest.mark.skipif(INTERPRETED, reason="too slow without compiled code")
@pytest.mark.parametrize("position", LOWEST, ids=lambda position: position.name)
def test_the_lowest_is_as_good_as_any(position: Position) -> None:
    assert better_by_search(position) <= AS_GOOD


@pytest.mark.parametrize("position", SEARCHED, ids=lambda position: position.name)
def test_the_deals_that_nobody_lists_are_counted(position: Position) -> None:
    assert Dealer(position.view, 0).plan.ways == pytest.approx(position.deals, rel=1e-13)


@pytest.mark.parametrize(
    "position",
    [
        named(each, quick=cards_left(each) <= FEW)
        for each in LISTED
        if each.judged_by is Judge.POINTS and cards_left(each) <= 16
    ],
)
def test_compiled_code_and_the_plain_search_agree(position: Position) -> None:
    """In one deal drawn at random; only the plain search judges positions by the match."""
    view = position.view
    assert view.seat is not None
    world = Random(position.name).choice(list(worlds(view)))
    found = weighed(view, position.judged_by, [world])
    behind = Ends().behind(within(view.deal, world))
    assert found.perfect[0].tolist() == pytest.approx(
        [margin(behind[card].points, view.seat) for card in found.cards]
    )


def test_there_are_enough_of_every_theme() -> None:
    themes = Counter(position.theme for position in SUITE)
    assert min(themes[theme] for theme in Theme) >= 4, themes
    assert len(SUITE) >= 60


def test_there_are_three_to_six_seats_and_many_presets() -> None:
    assert {position.view.deal.rules.players for position in SUITE} >= {3, 4, 5, 6}
    presets = {position.text.split()[1] for position in SUITE}
    assert presets >= {"microsoft", "coeurs-cinq-coups", "salon", "salon-valet", "coeurs-cagnotte"}


def test_no_position_stands_there_twice() -> None:
    assert len({position.text for position in SUITE}) == len(SUITE)
    assert len({position.title for position in SUITE}) == len(SUITE)


@pytest.mark.parametrize("position", SUITE, ids=lambda position: position.name)
def test_a_position_is_written_as_it_is_read(position: Position) -> None:
    text = (FOLDER / f"{position.name}.txt").read_text(encoding="utf-8")
    assert written(position) == text


# What people say that other programs get wrong, and what was read in deals of `casual`


def test_complaints_are_heard_early_and_late_and_at_every_seat() -> None:
    tricks = [len(each.view.deal.tricks) for each in BLAMED]
    assert sum(gone < 5 for gone in tricks) >= 6
    assert sum(5 <= gone < 9 for gone in tricks) >= 6
    assert sum(gone >= 9 for gone in tricks) >= 6
    assert {each.view.seat for each in BLAMED} == {0, 1, 2, 3}


@pytest.mark.parametrize("position", BLAMED, ids=lambda position: position.name)
def test_casual_does_nothing_that_others_are_blamed_for(position: Position) -> None:
    view = position.view
    for seed in range(1, 21):
        assert position.solved_by(Casual(seed=seed).choose(view, Clock()))
    twin = compiled("casual", view.deal.rules)
    if twin is not None:
        world = dict(enumerate(Dealer(view, 0).draw(1)[0].tolist()[: view.deal.rules.players]))
        row = kernel.position(within(view.deal, world), totals=view.state.totals)
        [chosen] = kernel.choices(view.deal.rules, row, [twin] * len(world)).tolist()
        assert chosen & mask_of(position.right)


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(2, 21))]
)
@pytest.mark.skipif(INTERPRETED, reason="too slow without compiled code")
def test_strong_does_nothing_that_others_are_blamed_for(seed: int) -> None:
    bot = make_bot("strong", seed)
    suite = BLAMED + OF_STRONG
    missed = [each.name for each in suite if not each.solved_by(bot.choose(each.view, Clock()))]
    assert not missed


@pytest.mark.full
@pytest.mark.skipif(INTERPRETED, reason="too slow without compiled code")
def test_expert_solves_nearly_all() -> None:
    bot = Search(EXPERT, seed=1)
    suite = [each for each in SUITE if each not in LOWEST]  # where others are as good to `expert`
    missed = [each.name for each in suite if not each.solved_by(bot.choose(each.view, AT_LENGTH))]
    assert len(missed) <= (1 - ENOUGH) * len(suite), missed


# The plain search

DECK: Final = "2C 5C 9C 3D QS KS 8H TH JH"

GONE: Final = ",".join(str(card) for card in CARDS[:52] if str(card) not in DECK.split())


def three(plays: str = "", **changed: str) -> str:
    """Text of a position with three cards each at a table of three; some header lines changed."""
    head = {
        "title": "Three cards each",
        "theme": "hold up",
        "deck": "S: KQ H: JT8 D: 3 C: 952",
        "hand": "S: K C: 92" if not plays else "S: K C: 2",
        "right": "2C",
        "why": "Nothing at all.",
        "judged by": "points",
        "proved by": "enumeration",
        "deals": "20",
        **{key.replace("_", " "): value for key, value in changed.items()},
    }
    lines = [f"{key}: {value}" for key, value in head.items() if value]
    rules = f"rules black-lady players=3 pass_count=0 removed=[{GONE}]"
    deal = "deal number 1 dealer 3 hold hand 2C 9C KS"
    return "\n".join([*lines, "", rules, "match seat 1", deal, *plays.splitlines(), ""])


def test_a_deal_is_listed_once_for_every_way_to_share_the_hidden_cards() -> None:
    """Six hidden cards, three to each of two hands, nothing known of them: 6! / (3! · 3!)."""
    listed = list(worlds(read_position("three", three()).view))
    assert len(listed) == 20
    assert len({tuple(sorted(world.items())) for world in listed}) == 20
    assert {world[1].bit_count() for world in listed} == {3}


def test_who_is_void_holds_none_in_any_deal() -> None:
    """One club is shown and one led: four cards are left for two hands of two, 4! / (2! · 2!)."""
    view = read_position("void", three("play 1 9C 3D 5C")).view
    assert len(list(worlds(view))) == 6
    assert not any(world[1] & CLUBS for world in worlds(view))


def test_an_end_is_worth_something_only_where_the_match_ends_with_it() -> None:
    view = read_position("three", three()).view
    ends = Ends().behind(within(view.deal, next(worlds(view))))
    with pytest.raises(ValueError, match="goes on"):
        worth(view.state, next(iter(ends.values())))


# Texts that are wrong


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (three(why=""), "head_lacks"),
        (three(colour="red"), "head_unreadable"),
        (three(theme="luck"), "head_wrong"),
        (three(right="2X"), "head_wrong"),
        (three(deals="many"), "head_wrong"),
        (three(right="5C"), "no_choice"),
        (three(right="2C 9C KS"), "no_choice"),
        (three(hand="S: K"), "told_wrong"),
        (three(deck="S: K"), "told_wrong"),
        (three("play 1 4C"), "line_refused"),
        (three("play 1 9C"), "nothing_to_play"),
    ],
)
def test_a_text_that_is_wrong_is_refused_and_says_which(text: str, reason: str) -> None:
    with pytest.raises(PositionFault) as refused:
        read_position("three", text)
    assert refused.value.reason == reason
    assert refused.value.params["name"] == "three"
