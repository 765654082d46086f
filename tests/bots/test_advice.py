"""Laws of hints, whatever a search says: what is told is true, and fits what it found."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Final

import numpy as np
from hypothesis import event, given
from kit import any_rulesets, deal_of, seeds, view_of
from kit.bots import Moment, choices, drawn_estimates
from kit.deals import dealt
from kit.kernels import first_deal
from kit.sentences import ENGLISH

from volte.bots import Hint, Reason, hint
from volte.bots.advice import hint_from
from volte.bots.candidates import unlike
from volte.bots.hints import FOR_MOON, OF_MOON, OFTEN, SELDOM, Other, said_of
from volte.bots.odds import BELOW
from volte.bots.protocol import Clock, Estimate, opponents_of
from volte.bots.queen import AS_MUCH, HeldBack, kept_queen, queens_to_discard
from volte.bots.race import points_tell, takes_all
from volte.bots.search import Search
from volte.cards import QUEEN, QUEENS, SPADES, SUIT_MASKS, cards_in
from volte.game import Phase, Play
from volte.rules import Ruleset, make_ruleset
from volte.rules.scoring import score

ALL_AS_GOOD: Final = "Any other card you may play is just as good."


def advised(rules: Ruleset, seed: int) -> Iterator[tuple[Moment, Hint, Estimate]]:
    """Yield moments of a deal with the hint that follows from drawn estimates, and the best."""
    draws = random.Random(seed)
    for moment in choices(rules, seed, 12):
        found = drawn_estimates(moment, draws)
        if len(found) > 1:
            usual = hint(moment.view)
            yield moment, hint_from(moment.view, found, usual.action), found[0]


@given(any_rulesets(), seeds)
def test_no_reason_is_told_where_any_other_card_is_as_good(rules: Ruleset, seed: int) -> None:
    for moment, told, _ in advised(rules, seed):
        said = said_of(told.others, moment.view)
        if isinstance(told.action, Play) and all(each.as_good(told.wins) for each in said):
            assert told.reason is Reason.ALIKE
        sentence = ENGLISH.hint(told, moment.view)
        event(ENGLISH.hint(Hint(told.action, told.reason), None) if told.others else "none")
        assert ALL_AS_GOOD not in sentence
        if told.reason is Reason.ALIKE:
            assert (told.also, told.queen) == (None, None)
            assert sentence == ENGLISH.hint(Hint(told.action, told.reason), moment.view)


@given(any_rulesets(), seeds)
def test_a_hand_that_goes_for_a_moon_is_told_so(rules: Ruleset, seed: int) -> None:
    for _, told, best in advised(rules, seed):
        reasons = {told.reason, told.also} - {None}
        if best.moon is None or told.reason in (Reason.ALIKE, Reason.FORCED):
            continue
        if best.moon >= OFTEN:
            event("goes for a moon")
            assert reasons <= FOR_MOON
            assert reasons & OF_MOON
        elif best.moon < SELDOM:
            assert not reasons & OF_MOON


@given(any_rulesets(), seeds)
def test_casual_gives_no_reason_of_a_hand_that_ducks_while_it_shoots(
    rules: Ruleset, seed: int
) -> None:
    for moment in choices(rules, seed, 40):
        if moment.state.phase is Phase.PLAYING:
            told = hint(moment.view)
            assert isinstance(told.action, Play)
            if HeldBack(moment.view, told.action.card.bit).shooting:
                event(told.reason)
                assert {told.reason, told.also} - {None} <= FOR_MOON


@given(seeds)
def test_a_queen_held_back_at_a_void_is_spoken_of(seed: int) -> None:
    """Her discard is as good, and named; or it costs more, and a reason is told if there is one."""
    draws = random.Random(seed)
    for moment in [each for rules in TABLES for each in with_queen(rules, seed)]:
        found = [each for each in drawn_estimates(moment, draws) if not is_queen(each)]
        queens = [Play(moment.seat, each) for each in cards_in(queens_to_discard(moment.view))]
        margin = found[0].margin + draws.choice([0, 3])
        discards = [Estimate(each, margin, margin, 0.1, found[0].worth, 0.0) for each in queens]
        usual = hint(moment.view).action
        told = hint_from(moment.view, [found[0], *discards, *found[1:]], usual)
        if told.reason is Reason.ALIKE:
            continue
        assert re.search(r"queen(,? (or )?the \w+)* of spades", ENGLISH.hint(told, moment.view))
        as_good = said_of(told.others, moment.view)[0].as_good(told.wins)
        event("as good" if as_good else told.queen or "nothing")
        if as_good:
            assert told.queen is None
        elif told.queen is None:
            assert isinstance(told.action, Play)
            reasons = {told.reason, told.also}
            said_already = any(reasons & as_much for as_much in AS_MUCH.values())
            assert said_already or not HeldBack(moment.view, told.action.card.bit).later_suit


def is_queen(estimate: Estimate) -> bool:
    return isinstance(estimate.action, Play) and bool(estimate.action.card.bit & QUEENS)


TABLES: Final = (
    make_ruleset("microsoft"),
    make_ruleset("dame-de-pique"),
    make_ruleset("coeurs", {"queen_discard": "free", "players": 3}),
    make_ruleset("coeurs", {"queen_discard": "free", "partners": 2}),
    make_ruleset("salon", {"players": 6}),
)
"""Tables where a void seat may hold the queen back: one with partners, one with two packs."""


def with_queen(rules: Ruleset, seed: int) -> list[Moment]:
    """Moments of a random deal in which a void seat may discard the queen, or another card."""
    return [
        moment
        for moment in choices(rules, seed, 400)
        if moment.state.phase is Phase.PLAYING
        and moment.seat == deal_of(moment.state).turn
        and queens_to_discard(moment.view)
        and len(unlike(moment.view)) > 1
    ]


@given(seeds)
def test_a_reason_for_holding_the_queen_back_states_a_fact(seed: int) -> None:
    draws = random.Random(seed)
    for moment in [each for rules in TABLES for each in with_queen(rules, seed)]:
        for card in moment.view.legal:
            play = Play(moment.seat, card)
            for_match = Other(play, -1.0, 0.1, 0.1)  # her discard costs nothing but the match
            reason = kept_queen(moment.view, play, (), draws.choice([None, for_match]))
            event(reason or "nothing")
            assert reason is None or holds(moment, play, reason), (card, reason)


def holds(moment: Moment, play: Play, reason: Reason) -> bool:
    """Whether what the reason says of the queen is so, by all hands."""
    deal = deal_of(moment.state)
    rest = deal.hands[moment.seat] & ~play.card.bit
    others = [hand for seat, hand in enumerate(deal.hands) if seat != moment.seat]
    if play.card.bit & QUEENS:
        return False
    back = HeldBack(moment.view, play.card.bit)
    points = [deal.rules.points_in(taken) for taken in deal.taken]
    match reason:
        case Reason.QUEEN_FREE:
            return not any(hand & SPADES for hand in others)
        case Reason.QUEEN_GUARDED:
            guards = (rest & SPADES & BELOW[QUEEN.bit]).bit_count()
            return all((hand & SPADES).bit_count() <= guards for hand in others)
        case Reason.QUEEN_LATER:
            out = sum((hand & back.later_suit).bit_count() for hand in (*others, deal.kitty))
            return back.later_suit in SUIT_MASKS and not rest & back.later_suit and out > 1
        case Reason.QUEEN_MATE:
            return not back.takers.isdisjoint(deal.rules.side(moment.seat))
        case Reason.QUEEN_FEARED:
            have = {seat for seat, each in enumerate(deal.taken) if each & deal.rules.penalty_mask}
            return have <= set(back.shooter.seats) and moment.seat not in have
        case Reason.QUEEN_BEHIND:
            foes = opponents_of(deal.rules, moment.seat)
            return all(min(points[foe] for foe in foes) < points[seat] for seat in back.takers)
    return False


@given(any_rulesets(), seeds)
def test_a_trick_goes_to_a_seat_that_might_take_it(rules: Ruleset, seed: int) -> None:
    takers: set[int] | None = None  # as the first void seat of the trick sees them
    for step in first_deal(rules, seed):
        if not isinstance(step.action, Play):
            continue
        view, after = view_of(step.before, step.action.seat), step.after.deal
        led = view.deal.led
        if takers is None and led is not None and not view.legal.mask & SUIT_MASKS[led]:
            takers = HeldBack(view, step.action.card.bit).takers
        if after is not None and len(after.tricks) > len(view.deal.tricks):
            assert takers is None or after.leader in takers
            takers = None


@given(any_rulesets(), seeds)
def test_taking_all_is_seen_in_the_points(rules: Ruleset, seed: int) -> None:
    """A search counts moons by the points of all seats, which say so for certain."""
    draws = random.Random(seed)
    doer, tricks = draws.randrange(rules.players), [0] * rules.players
    taken = [0] * rules.players
    most = draws.choice([0, 0.5, 1])
    for card in rules.cards:
        taken[doer if draws.random() < most else draws.randrange(rules.players)] |= card.bit
    for _ in range(rules.hand_size):
        tricks[doer if draws.random() < most else draws.randrange(rules.players)] += 1
    scored = score(rules, taken, tricks)
    plain = rules.counting_mask == rules.penalty_mask and not rules.points.no_tricks
    total = points_tell(rules)
    if total is None:
        assert rules.sides.partners > 1 or not plain
        return
    for seat, points in enumerate(scored.points):
        told = takes_all(total, np.array([points], float), np.array([sum(scored.points)], float))
        doer = seat in (scored.moon, scored.slam)
        assert bool(told) == doer if plain else doer or not told


def test_a_search_tells_how_often_the_hand_takes_everything() -> None:
    hands = "H: AKQ S: AK", "H: 234 S: Q5", "H: 567 S: 64", "H: 89T S: 73"
    for options, moon in ({}, 1), ({"partners": 2}, None), ({"moon": "off", "slam": "off"}, 0):
        state = dealt("coeurs", *hands, **options)
        thought = Search().think(view_of(state, 0), Clock(simulations=60))
        assert [each.moon for each in thought.estimates] == [moon] * 5
