"""A seat's view, and its conclusions, checked against every deal that fits."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import SOME_TABLES, deal_of, few, match, seeds, start, view_of, wider_rulesets
from kit.clauses import Hand, Moment, lawful

from volte.cards import Card, CardSet, Suit, cards_in
from volte.game import Claim, MatchState, Phase, Refusal, decide, visible
from volte.rules import Ruleset, Value, make_ruleset, options_of
from volte.view import KITTY, View, possible_places, settled

Worlds = list[dict[int, Hand]]
"""Every way in which the unseen cards can lie: a hand for each hidden place."""


@given(wider_rulesets(st.just(3), most_cards=14), seeds)
def test_what_others_can_and_must_hold_is_exact(rules: Ruleset, seed: int) -> None:
    check_some_moments(rules, seed, [0, 1, 2])


@given(wider_rulesets(st.just(6), most_cards=7), seeds)
@settings(max_examples=settings().max_examples // 4)
def test_so_it_is_with_six_seats_and_two_packs(rules: Ruleset, seed: int) -> None:
    check_some_moments(rules, seed, range(6))


@given(wider_rulesets(st.just(3), most_cards=9), seeds)
def test_so_is_what_somebody_knows_who_holds_no_cards(rules: Ruleset, seed: int) -> None:
    check_some_moments(rules, seed, [None])


def check_some_moments(rules: Ruleset, seed: int, seats: Sequence[int | None]) -> None:
    rng = random.Random(seed)
    steps = list(match(rules, seed))
    moments = [step.after for step in steps if few_worlds(step.after)]
    for state in rng.sample(moments, min(len(moments), 4)):
        seat = rng.choice(seats)
        check(view_of(state, seat), worlds(state, seat))


def few_worlds(state: MatchState) -> bool:
    """Whether few enough worlds are possible to try them all."""
    if state.phase is not Phase.PLAYING:
        return False
    return state.rules.players == 3 or sum(deal_of(state).hand_sizes()) <= 6


def check(view: View, fitting: Worlds) -> None:
    assert fitting
    for place in fitting[0]:
        held = [world[place] for world in fitting]
        assert set(cards_in(view.possible[place])) == frozenset().union(*held)
        if place != KITTY:
            assert set(view.could_hold(place)) == frozenset().union(*held)
            assert set(view.must_hold(place)) == frozenset.intersection(*held)


def worlds(state: MatchState, seat: int | None) -> Worlds:
    """Return all worlds that fit the seat's view, each tested from the first card on."""
    deal = deal_of(state)
    own = cards_in(deal.hands[seat]) if seat is not None else ()
    out = {card for trick in deal.tricks for card in trick.cards} | set(deal.trick)
    kitty = cards_in(deal.kitty) if seat is not None and deal.kitty_taker == seat else ()
    unseen = [card for card in state.rules.cards if card not in out | set(own) | set(kitty)]
    room = {place: len(CardSet(hand)) for place, hand in enumerate(deal.hands) if place != seat}
    if deal.kitty and not kitty:
        room[KITTY] = len(CardSet(deal.kitty))
    options = options_of(state.rules)
    fits = {
        place: {
            frozenset(cards)
            for cards in combinations(unseen, size)
            if fits_there(state, options, seat, place, frozenset(cards))
        }
        for place, size in room.items()
    }
    return list(together(fits, frozenset(unseen)))


def together(fits: dict[int, set[Hand]], left: Hand) -> Iterator[dict[int, Hand]]:
    """One hand for each place, such that all cards lie somewhere."""
    if not fits:
        yield {}
        return
    place, *_ = fits
    others = {other: hands for other, hands in fits.items() if other != place}
    if not others:
        if left in fits[place]:
            yield {place: left}
        return
    for hand in fits[place]:
        if hand <= left:
            for rest in together(others, left - hand):
                yield {place: hand, **rest}


def fits_there(
    state: MatchState, options: dict[str, Value], seat: int | None, place: int, cards: Hand
) -> bool:
    """Whether the seat's own pass, L2 and every play allow that the place holds those cards."""
    deal = deal_of(state)
    for transfer in deal.transfers:
        if transfer.giver == seat and seat is not None:
            out = {card for trick in deal.tricks for card in trick.cards} | set(deal.trick)
            still_held = set(transfer.cards or ()) - out
            if (transfer.taker == place and not still_held <= cards) or (
                transfer.taker != place and still_held & cards
            ):
                return False
    if place == KITTY:
        return deal.opening is None or deal.opening not in cards
    return plays_fit(state, options, place, cards)


def plays_fit(state: MatchState, options: dict[str, Value], place: int, cards: Hand) -> bool:
    """Whether every card that the seat has played was lawful, with those still in its hand."""
    deal = deal_of(state)
    tricks = [(trick.leader, trick.cards) for trick in deal.tricks] + [(deal.leader, deal.trick)]
    players = state.rules.players
    played = [
        trick[(place - leader) % players]
        for leader, trick in tricks
        if (place - leader) % players < len(trick)
    ]
    hand = cards | frozenset(played)
    if any(deal.opening is not None and opens_before(card, deal.opening) for card in hand):
        return False
    if deal.opening is not None and (place == tricks[0][0]) != (deal.opening in hand):
        return False
    broken = had_chance = False
    for number, (leader, trick) in enumerate(tricks, start=1):
        at = (place - leader) % players
        now_broken = broken or any(breaks(state.rules, card) for card in trick[:at])
        if at < len(trick):
            led = next((card.suit for card in trick[:at] if card.joker is None), None)
            opening = deal.opening if number == 1 and at == 0 else None
            now = Moment(options, number, led, now_broken, had_chance, opening)
            if trick[at] not in lawful(hand, now):
                return False
            had_chance |= led is not None and trick[at].suit is not led
            hand -= {trick[at]}
        broken |= any(breaks(state.rules, card) for card in trick)
    return True


def breaks(rules: Ruleset, card: Card) -> bool:
    queen = rules.play.queen_breaks_hearts and card.text.startswith("QS")
    return card.suit is Suit.HEARTS or queen


def opens_before(card: Card, opening: Card) -> bool:
    """Whether a card is a club that would have opened the deal instead of `opening`."""
    rank, other = (card.rank or 0, card.pack), (opening.rank or 0, opening.pack)
    return card.suit is Suit.CLUBS and rank < other


# In words


def test_a_full_group_of_places_leaves_room_for_nothing_else() -> None:
    could = {"a": 0b0011, "b": 0b0011, "c": 0b1111}
    room = {"a": 1, "b": 1, "c": 2}
    assert possible_places(could, room) == {"a": 0b0011, "b": 0b0011, "c": 0b1100}


# Claims: a seat knows a deal to be settled only if all cards confirm it (C1)


def known(state: MatchState) -> list[int]:
    """Return the seats that know the deal to be settled."""
    return [seat for seat in range(state.rules.players) if settled(view_of(state, seat))]


def check_match(rules: Ruleset, seed: int) -> int:
    """Check each claim that a seat knows to hold in a random match; return how many."""
    found = 0
    for step in match(rules, seed, restless=True):
        for seat in known(step.after):
            found += 1
            assert not isinstance(decide(step.after, Claim(seat)), Refusal)
    return found


@given(wider_rulesets(st.integers(3, 6), most_cards=26), seeds)
def test_C1_what_a_seat_knows_to_be_settled_is(rules: Ruleset, seed: int) -> None:
    check_match(rules, seed)


@pytest.mark.parametrize(("name", "players"), SOME_TABLES)
def test_C1_so_it_is_with_every_preset(name: str, players: int) -> None:
    rules = make_ruleset(name, {"players": players, "match_end": "deals:1"})
    for seed in range(few(1, 20)):
        check_match(rules, seed)


@pytest.mark.parametrize("name", ["coeurs", "dame-de-pique", "microsoft", "omnibus"])
def test_C1_somebody_knows_it_before_the_last_trick(name: str) -> None:
    rules = make_ruleset(name, {"match_end": "deals:1"})
    assert sum(check_match(rules, seed) for seed in range(3))


@given(wider_rulesets(st.just(4), most_cards=20), seeds)
def test_C1_what_others_hold_says_nothing(rules: Ruleset, seed: int) -> None:
    """A view folded from visible events knows as much as one projected from the whole state."""
    views = [View.of(seat, [start(rules)]) for seat in range(rules.players)]
    for step in match(rules, seed):
        for seat in range(rules.players):
            shown = [visible(event, seat) for event in step.events]
            views[seat] = views[seat].see(*shown)
            assert settled(views[seat]) == settled(view_of(step.after, seat))
