"""The choices of `casual` in positions small enough to judge by eye, alone and for its side."""

from __future__ import annotations

from dataclasses import replace as with_option
from functools import cache, partial

import pytest
from kit.deals import deal_of, dealt, first_deal, play, view_of
from kit.stanzas import rest_of_pack
from msgspec.structs import replace

from volte.bots import Bot, BotOwner, Clock, hint
from volte.bots.casual import Casual
from volte.bots.odds import NOBODY, USUAL, feared
from volte.cards import QUEEN, Card, CardSet
from volte.game import Pass, Play, SeatAction
from volte.lab.arena import seatings
from volte.lab.arena.readable import outcomes_of, run_at
from volte.lab.seeded import table_of
from volte.rules import Ruleset, Score, Sides, Value, make_ruleset
from volte.view import View


def test_W10_what_a_side_has_taken_together_is_feared_where_it_may_shoot_together() -> None:
    hands = "H: A2 C: 3", "H: 43 C: 4", "H: K7 C: 5", "H: 65 C: 6"
    tricks = "AH 4H 7H 5H 2H 3H KH 6H"
    alone, together = (
        deal_of(play(dealt("coeurs", *hands, partners=2, moon_by=by), tricks))
        for by in ("player", "side")
    )
    assert feared(alone, 1) == NOBODY
    assert feared(together, 1)[::2] == ((0, 2), False)
    assert feared(together, 0)[::2] == ((0, 2), True)


def test_W7_a_moon_that_wants_the_jack_is_not_feared_without_it() -> None:
    hands = "H: A2 D: 2", "H: 43 D: J", "H: K7 D: A"
    for needs, who in ((True, ()), (False, (0,))):
        state = dealt("coeurs", *hands, jack_points=-10, moon_needs_jack=needs)
        deal = deal_of(play(state, "AH 3H 7H"))
        assert feared(deal, 1).seats == (0,)
        lost = replace(deal, taken=(deal.taken[0], 0, Card("JD").bit))
        assert feared(lost, 1).seats == who


def discarded(
    *totals: int,
    match_end: str = "limit:100",
    at_limit: str = "ends",
    settlement: str = "none",
    partners: int = 1,
) -> str:
    """Return seat 1's discard on seat 0's ace of clubs: the king of hearts, or a diamond."""
    hands = "C: A H: 2", "H: K D: 3", "C: 3 H: 5", "C: 4 H: 6"
    state = dealt(
        "coeurs",
        *hands,
        match_end=match_end,
        at_limit=at_limit,
        settlement=settlement,
        partners=partners,
    )
    state = replace(play(state, "AC"), deals=(Score(totals),))
    action = Casual().choose(view_of(state, 1), Clock())
    assert isinstance(action, Play)
    return str(action.card)


def test_E2_points_end_no_match_that_another_is_winning() -> None:
    assert discarded(98, 40, 30, 35) == "KH"
    assert discarded(99, 40, 30, 35) == "3D"
    assert discarded(99, 30, 30, 35) == "KH"  # in front, or tied
    assert discarded(35, 40, 30, 99) == "KH"  # taken by the leader, who is far from the limit


def test_W9_a_total_that_falls_back_ends_nothing() -> None:
    assert discarded(99, 40, 30, 35, at_limit="halves") == "KH"
    assert make_ruleset("exact-hundred").ending_total == 101


def test_E1_the_end_comes_by_itself_after_so_many_deals_and_stakes_do_not_wait_for_it() -> None:
    assert discarded(99, 40, 30, 35, match_end="deals:2") == "KH"
    assert discarded(99, 40, 30, 35, settlement="difference") == "KH"


def test_W10_the_points_of_a_side_bring_the_end() -> None:
    assert discarded(99, 40, 99, 40, partners=2) == "KH"  # in front
    assert discarded(99, 30, 99, 30, partners=2, match_end="limit:200") == "KH"


def passed(hand: str, **options: Value) -> tuple[Card, ...]:
    """Return the pass advised to the eldest hand, without a whim; four seats, a whole pack."""
    state = first_deal("coeurs", (hand, *rest_of_pack(hand)), options=options)
    action = hint(view_of(state, 0), replace(USUAL, whim=0)).action
    assert isinstance(action, Pass)
    return action.cards


def test_P1_the_queen_goes_to_an_opponent_and_not_to_a_partner() -> None:
    hand = "S: Q5 H: 642 D: 8753 C: A642"
    left, across = (
        CardSet(passed(hand, pass_count=3, pass_cycle=[way], partners=2))
        for way in ("left", "across")
    )
    assert QUEEN in left
    assert across != left


def test_W1_a_scatter_gives_the_partner_what_weighs_least() -> None:
    hand = "S: AKQ H: 642 D: 8753 C: 642"
    left, across, right = passed(hand, pass_count=1, pass_cycle=["scatter"], partners=2)
    alone = passed(hand, pass_count=1, pass_cycle=["scatter"])
    assert alone == tuple(sorted(alone))
    assert CardSet((left, across, right)) == CardSet(alone)
    assert QUEEN in (left, right)


# Against players who ignore their side


@cache
def alone(rules: Ruleset) -> Ruleset:
    return with_option(rules, sides=Sides())


class Unaware:
    """`casual` as if each played alone."""

    def choose(self, view: View, clock: Clock) -> SeatAction:
        rules = alone(view.state.rules)
        deal = replace(view.deal, rules=rules)
        return Casual().choose(View(view.seat, replace(view.state, rules=rules, deal=deal)), clock)


@pytest.mark.parametrize(
    ("decks", "share"), [(96, 0.9), pytest.param(400, 0.95, marks=pytest.mark.full)]
)
def test_W10_playing_for_the_side_takes_fewer_points(decks: int, share: float) -> None:
    """Each deck is played with the sides exchanged as well; the seeds are fixed."""
    rules = make_ruleset("partnership", {"pass_cycle": ["across"]})
    points = [0, 0]
    for number in range(decks):
        for seating in seatings(4, partners=2):
            table = table_of(rules, 1, number, whole_matches=False)
            bots: list[Bot] = [Unaware() if who else Casual() for who in seating]
            owners = [BotOwner(bot, seat) for seat, bot in enumerate(bots)]
            [row] = outcomes_of(partial(run_at, table, [""] * 4, owners))
            for seat, who in enumerate(seating):
                points[who] += int(row["points"][seat])
    assert points[0] < share * points[1]
