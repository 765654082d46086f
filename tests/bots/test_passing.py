"""The foreseen cost of a hand after a pass, and the cards passed to shoot the moon."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from kit import dealt, recounted, rulesets, seeds, view_of
from kit.bots import choices, one_deal

from volte.bots import Clock
from volte.bots.candidates import MOST_SETS, cheapest, places
from volte.bots.odds import LEARNED
from volte.bots.race import TRUST, Race
from volte.bots.search import EXPERT, STRONG, Search, Style
from volte.cards import SUIT_MASKS, Card, mask_of, read_cards
from volte.game import Pass, Phase
from volte.rules import Ruleset
from volte.view import View


def shown(*hands: str) -> View:
    return view_of(dealt("dame-de-pique", *hands, pass_count=3), 0)


GUARDED = (
    "S: Q9642 C: AK3 D: 852 H: 32",
    "S: KJ7 C: QJ87 D: J97 H: T75",
    "S: A83 C: 964 D: AT64 H: 864",
    "S: T5 C: T52 D: KQ3 H: AKQJ9",
)
BARE = (
    "S: Q9 C: AK32 D: 8542 H: 432",
    "S: KJ72 C: QJ87 D: J9 H: T75",
    "S: A8643 C: 96 D: AT6 H: 986",
    "S: T5 C: T54 D: KQ73 H: AKQJ",
)
SURE = (
    "S: AKQJT9 C: AKQ D: AK H: A2",
    "S: 87 C: JT9 D: QJT H: KQJ43",
    "S: 65 C: 876 D: 9876 H: T987",
    "S: 432 C: 5432 D: 5432 H: 65",
)
THIN = (
    "S: AK32 C: A32 D: A32 H: 432",
    "S: QJT C: KQJ D: KQJ H: KQJ5",
    "S: 987 C: T98 D: T98 H: AT98",
    "S: 654 C: 7654 D: 7654 H: 76",
)


@given(rulesets() | recounted(rulesets()), seeds)
def test_every_place_is_one_that_is_learned(rules: Ruleset, seed: int) -> None:
    for moment in choices(one_deal(rules), seed, 12):
        if moment.state.phase is Phase.PASSING:
            view = moment.view
            hand, given_away = view.hand.mask, mask_of(list(view.hand)[: view.deal.pass_size])
            for suit in SUIT_MASKS:
                for place, _ in places(rules, suit, hand & suit, hand & suit & ~given_away):
                    assert 0 <= place < len(LEARNED)


@given(rulesets() | recounted(rulesets()), seeds, st.integers(1, 400))
def test_the_cheapest_come_first_and_each_is_of_the_hand(
    rules: Ruleset, seed: int, most: int
) -> None:
    for moment in choices(one_deal(rules), seed, 12):
        if moment.state.phase is Phase.PASSING:
            view = moment.view
            sets = cheapest(view, most)
            assert 1 <= len(sets) <= max(most, MOST_SETS)
            assert list(sets.values()) == sorted(sets.values())
            assert all(each.bit_count() == view.deal.pass_size for each in sets)
            assert all(not each & ~view.hand.mask for each in sets)


def test_a_guarded_queen_stays_and_a_bare_one_goes() -> None:
    (queen,) = read_cards("QS")
    assert not next(iter(cheapest(shown(*GUARDED), 1))) & queen.bit
    assert next(iter(cheapest(shown(*BARE), 1))) & queen.bit


# In a race


def test_what_is_foreseen_counts_as_so_many_worlds() -> None:
    race = Race(2, seat=0, foreseen=[0.0, 4.0])
    points = np.zeros((TRUST, 2, 4))
    points[:, 0, 0] = 2.0  # two points dearer, where four points cheaper were foreseen
    race.add(points)
    assert race.costs[1] - race.costs[0] == 1.0
    race.add(np.concatenate([points] * 3))
    assert race.costs[1] - race.costs[0] < 0.0
    assert race.order == [1, 0]


def test_the_best_of_those_that_are_foreseen_stays_in_the_race() -> None:
    race = Race(4, seat=0, foreseen=[float("nan"), float("nan"), 0.0, 0.0])
    points = np.zeros((10, 4, 4))
    points[:, :, 0] = [1.0, 2.0, 4.0, 3.0]
    race.add(points)
    race.leave(2)
    assert race.running.tolist() == [0, 1, 3]


# For a moon


def test_low_cards_are_passed_where_the_moon_is_nearly_sure() -> None:
    for style in (STRONG, EXPERT):
        assert passed(shown(*SURE), style) <= set(read_cards("2H 9S TS JS AH"))


def test_low_cards_are_not_passed_on_the_off_chance() -> None:
    for style in (STRONG, EXPERT):
        assert not passed(shown(*THIN), style) <= set(read_cards("2S 2C 2D 2H 3S 3C 3D 3H"))


def passed(view: View, style: Style) -> set[Card]:
    action = Search(style, 1).choose(view, Clock())
    assert isinstance(action, Pass)
    return set(action.cards)
