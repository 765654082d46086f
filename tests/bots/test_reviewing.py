"""Reviews of matches: the costliest choices, and the worth of the cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.bots import table
from kit.deals import RandomMatch
from kit.presets import short
from kit.strategies import few
from msgspec.structs import replace

from volte import game
from volte.bots import Casual, Clock, chosen_moon, make_bot
from volte.bots.judged import MOST_TOLD, DealLuck, Judged, Parts, Review, together
from volte.bots.odds import ABOVE, BELOW, winning_place
from volte.bots.reviewing import CLOSER, review
from volte.bots.search import CONFIRMING, Search
from volte.cards import Card, mask_of
from volte.notation import load_record
from volte.referee import Event, evolve, replay
from volte.rules import make_ruleset
from volte.view import View

BRIEF = Clock(simulations=400)
REFEREED = sorted((Path(__file__).parents[1] / "referee" / "goldens").glob("*.volte"))


@cache
def played(preset: str = "microsoft", players: int = 4) -> tuple[Event, ...]:
    """A match of two deals, in which the first seat plays as badly as a bot can."""
    rules = make_ruleset(preset, {"players": players, "match_end": "deals:2"})
    match = table(rules, [make_bot("random", 1), *[Casual()] * (players - 1)], 7)
    match.run()
    return tuple(match.log)


@cache
def reviewed(seats: tuple[int, ...] = (0, 1)) -> Review:
    return review(played(), seats, BRIEF)


def done_by(judged: Judged) -> game.Play | game.Pass:
    event = played()[judged.number - 1]
    if isinstance(event, game.Played):
        return game.Play(event.seat, event.card)
    assert isinstance(event, game.Passed)
    assert event.cards is not None
    return game.Pass(event.seat, event.cards)


def test_what_is_judged_is_what_was_done() -> None:
    for each in reviewed().judged:
        assert each.seat == each.view.seat == each.done.action.seat
        if isinstance(each.done.action, game.Play):
            assert each.done.action == done_by(each)
            assert each.done.action.card in each.view.hand


def test_only_choices_are_judged() -> None:
    for each in reviewed().judged:
        assert each.trick == 0 or len(each.view.legal) > 1
    assert {each.seat for each in reviewed().judged} == {0, 1}


def test_nothing_costs_less_than_nothing_and_the_best_costs_nothing() -> None:
    for each in reviewed().judged:
        assert each.points >= 0
        if each.done.action == each.best.action:
            assert each.points == 0


def test_the_costliest_come_first_with_one_pass_at_most() -> None:
    worst = reviewed().costliest(0)
    assert 2 <= len(worst) <= MOST_TOLD
    assert [each.cost for each in worst] == sorted((each.cost for each in worst), reverse=True)
    assert all(each.confirmed and each.felt for each in worst)
    passes = [each for each in reviewed().judged if not each.trick and each.seat == 0]
    both = tuple(replace(each, confirmed=True) for each in passes)
    assert len(both) == 2
    assert len(replace(reviewed(), judged=both).costliest(0)) == 1


def test_what_is_told_costs_something_against_other_opponents_too() -> None:
    other = Search.judge(2, CONFIRMING)
    judged = [each for each in reviewed().judged if each.seat == 0]
    for each in judged:
        if each.confirmed:
            closer = Clock(simulations=CLOSER * 400)
            found = {
                e.action: e for e in other.think(each.view, closer, each.done.action).estimates
            }
            same = replace(each, done=found[each.done.action], best=found[each.best.action])
            assert same.felt
    assert any(each.felt and not each.confirmed for each in judged)


def test_what_somebody_else_has_done_in_that_seat_is_not_judged() -> None:
    whole = [each.number for each in reviewed().judged if each.seat == 0]
    found = review(played(), (0,), Clock(simulations=20), but=whole[1:])
    assert [each.number for each in found.judged] == whole[:1]


def test_the_second_look_is_closer() -> None:
    for each in reviewed().costliest(0):
        first = Search.judge().think(each.view, BRIEF, each.done.action)
        before = {estimate.action: estimate.error or 0.0 for estimate in first.estimates}
        assert (each.done.error or 0.0) < before[each.done.action] * 2 / CLOSER**0.5


def test_the_second_look_is_in_other_worlds() -> None:
    each = reviewed().costliest(0)[0]
    closer = Clock(simulations=CLOSER * 400)
    same = Search.judge().think(each.view, closer, each.done.action).estimates
    assert each.done not in same


def test_what_is_not_confirmed_is_not_told() -> None:
    found = reviewed()
    worst = found.costliest(0)[0]
    once = replace(worst, confirmed=False)
    judged = tuple(once if each.number == worst.number else each for each in found.judged)
    assert once not in replace(found, judged=judged).costliest(0)


def test_what_a_choice_costs_is_what_the_match_loses_by_it() -> None:
    for each in reviewed().judged:
        assert each.wins
        assert each.lost is not None
        assert 0 <= each.lost <= 1
        assert each.cost >= each.lost
        assert not (each.costs_points and each.saves_points)


def test_who_plays_at_random_loses_more_by_it() -> None:
    cost = [sum(each.points for each in reviewed().judged if each.seat == seat) for seat in (0, 1)]
    assert cost[0] > cost[1]


def test_the_points_are_those_of_the_match_and_the_cards_share_them() -> None:
    deals = reviewed().deals
    assert [each.number for each in deals] == [1, 2]
    assert deals[-1].totals == replay(played()).totals
    for each in deals:
        assert sum(each.points) in (26, 78)
        assert each.cards is not None
        assert sum(each.cards) == pytest.approx(26, abs=26)  # some of them are moons


@pytest.mark.parametrize(
    ("preset", "players"), few([("coeurs", 3)], [("coeurs", 3), ("salon", 5), ("coeurs-table", 4)])
)
def test_every_table_can_be_looked_back_on(preset: str, players: int) -> None:
    found = review(played(preset, players), range(players), Clock(simulations=40))
    assert len(found.deals) == 2
    assert len(found.judged) > 10


def test_it_is_the_same_again() -> None:
    again = [each.points for each in review(played(), (1,), BRIEF).judged]
    assert again == [each.points for each in reviewed().judged if each.seat == 1]
    assert any(again)


# The luck of the cards


@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(-26, 52), min_size=4, max_size=4),
            st.none() | st.lists(st.floats(-26, 52), min_size=4, max_size=4),
        ),
        max_size=8,
    )
)
def test_share_luck_and_play_come_to_the_points(
    told: list[tuple[list[int], list[float] | None]],
) -> None:
    deals = [
        DealLuck(number, tuple(points), tuple(points), None if cards is None else tuple(cards))
        for number, (points, cards) in enumerate(told, start=1)
    ]
    known = [deal for deal in deals if deal.cards is not None]
    parts = [together(deals, seat) for seat in range(4)]
    if not known:
        assert parts == [None] * 4
        return
    found = [each for each in parts if each is not None]
    for seat, each in enumerate(found):
        assert each.points == sum(deal.points[seat] for deal in known)
        assert each.share + each.luck + each.play == pytest.approx(each.points, abs=1e-6)
        assert each.share == pytest.approx(found[0].share)
    assert sum(each.luck for each in found) == pytest.approx(0, abs=1e-6)


def test_the_same_holds_of_a_match() -> None:
    for seat in range(4):
        parts = reviewed().parts(seat)
        assert isinstance(parts, Parts)
        assert parts.points == sum(deal.points[seat] for deal in reviewed().deals)
        assert parts.share + parts.luck + parts.play == pytest.approx(parts.points)
        assert parts.cards == pytest.approx(parts.points - parts.play)


# A blunder


class Blunderer:
    """Plays as `casual` does, but once takes a trick with the queen in it without need."""

    blundered: game.Play | None = None

    def choose(self, view: View, clock: Clock) -> game.SeatAction:
        playing = view.state.phase is game.Phase.PLAYING and not chosen_moon(view)
        if self.blundered is None and playing:
            self.blundered = blunder(view)
            return self.blundered or Casual().choose(view, clock)
        return Casual().choose(view, clock)


def blunder(view: View) -> game.Play | None:
    """Return a play, last to a trick, that takes the queen though a lower card would not."""
    deal = view.deal
    if Card("QS") not in deal.trick or len(deal.trick) < deal.rules.players - 1:
        return None
    best = deal.trick[winning_place(deal.trick, deal.led)].bit
    above, below = view.legal.mask & ABOVE[best], view.legal.mask & BELOW[best]
    if not above or not below:
        return None
    assert view.seat is not None
    return game.Play(view.seat, next(card for card in view.legal if card.bit & above))


def test_a_blunder_is_found_first() -> None:
    rules = make_ruleset("microsoft", {"match_end": "deals:1"})
    bot = Blunderer()
    match = table(rules, [bot, *[Casual()] * 3], 8)
    match.run()
    assert bot.blundered is not None
    first = review(match.log, (0,), BRIEF).costliest(0)[0]
    assert first.done.action == bot.blundered
    assert first.points > 10
    assert isinstance(first.best.action, game.Play)
    assert first.best.action.card.bit & first.view.legal.mask


# Acts that did not stand, or were no choice


def tricks_of(log: Sequence[Event]) -> dict[tuple[int, int], int]:
    """Return masks of the tricks as they finally stood, by number of deal and trick."""
    found, state = dict[tuple[int, int], int](), replay(log[:1])
    for event in (*log[1:], None):
        if (event is None or isinstance(event, game.DealScored)) and (deal := state.deal):
            for place, trick in enumerate(deal.tricks, start=1):
                found[deal.number, place] = mask_of(trick.cards)
            found[deal.number, deal.trick_number] = mask_of(deal.trick)
        state = state if event is None else evolve(state, event)
    return found


def assert_stands(log: Sequence[Event], found: Review) -> None:
    """Check that every play judged lies in its trick, and that no choice is judged twice."""
    tricks = tricks_of(log)
    plays = [each for each in found.judged if each.trick]
    for each in plays:
        assert isinstance(each.done.action, game.Play)
        assert each.done.action.card.bit & tricks[each.deal, each.trick]
    assert len({(each.deal, each.trick, each.seat) for each in found.judged}) == len(found.judged)


@pytest.mark.parametrize("seed", few([3], [3, 5]))
def test_what_is_taken_back_or_follows_a_claim_is_not_judged(seed: int) -> None:
    log = RandomMatch(short("microsoft", 4), seed).log
    assert any(isinstance(event, game.PlayTakenBack) for event in log)
    assert any(isinstance(event, game.Claimed) for event in log)
    found = review(log, range(4), Clock(simulations=30))
    assert_stands(log, found)
    claims = [number for number, event in enumerate(log, 1) if isinstance(event, game.Claimed)]
    for number in claims:
        end = next(at for at in range(number, len(log)) if isinstance(log[at], game.DealScored))
        assert not any(number < each.number <= end for each in found.judged)


@pytest.mark.parametrize("path", REFEREED[:: few(3, 1)], ids=lambda path: path.stem)
def test_at_a_refereed_table_what_stands_is_judged(path: Path) -> None:
    log = list(load_record(path).log)
    state = replay(log)
    found = review(log, range(len(state.players)), Clock(simulations=30))
    assert_stands(log, found)
    short_hand = path.stem == "short-hand"
    assert all((deal.cards is None) is short_hand for deal in found.deals)
    assert bool(found.judged) is not short_hand
    assert bool(found.left_out) or not short_hand


def test_an_unfinished_match_is_looked_at_as_far_as_it_went() -> None:
    log = played()
    first = next(n for n, event in enumerate(log, 1) if isinstance(event, game.DealScored))
    found = review(log[: first + 20], (0, 1), BRIEF)
    whole = reviewed()
    assert found.deals == whole.deals[:1]
    numbers = [each.number for each in whole.judged if each.number <= first + 20]
    assert [each.number for each in found.judged] == numbers


def test_with_two_packs_plays_are_judged_and_the_cards_are_not() -> None:
    log = RandomMatch(short("cancellation", 6, 1), 1).log
    found = review(log, (0,), Clock(simulations=20))
    assert [deal.cards for deal in found.deals] == [None]
    assert found.parts(0) is None
    assert all(each.lost is None and each.cost == each.points for each in found.judged)


def test_it_says_how_far_it_has_come() -> None:
    heard: list[tuple[int, int]] = []
    review(played(), (1,), Clock(simulations=20), lambda *told: heard.append(told))
    done = [each for each, _ in heard]
    assert done == sorted(done)
    assert len({whole for _, whole in heard}) == 1
    assert done[-1] == heard[-1][1]
