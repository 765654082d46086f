"""A seat's view as somebody tells it, step by step; every step is judged and makes a new view.

What follows by the rules is worked out, and what is told all the same must agree. All functions
raise `EngineFault` for what cannot be; the view that they were given stays as it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from volte.cards import CLUBS, Card, Suit, cards_in, mask_of
from volte.engine.fault import EngineFault
from volte.game import (
    DealerDrawn,
    DealState,
    Dealt,
    Event,
    KittyTaken,
    LotsDrawn,
    MatchStarted,
    MatchState,
    Pass,
    Passed,
    Phase,
    Play,
    Played,
    Player,
    PlayStarted,
    Refusal,
    decide,
    evolve,
    exchange,
    following,
    lots_due,
    play_events,
    start_play,
    visible,
)
from volte.rules import Direction, Irregularities, Opening, Ruleset, Score, match_over
from volte.view import KITTY, View

_DEALING: Final = (Phase.PASSING, Phase.PLAYING)


class DealTold(msgspec.Struct, frozen=True):
    """A deal as one seat is told it.

    Attributes:
        hand: of that seat, before the pass.
        number: from 1; the next one where it is left out.
        dealer: seat; may be left out after a deal that was told.
        direction: of the pass; as the rules say for that number where it is left out.
    """

    hand: tuple[Card, ...]
    number: int | None = None
    dealer: int | None = None
    direction: Direction | None = None


def lawful(rules: Ruleset) -> Ruleset:
    """The same without a referee: what is told is a game that everybody plays honestly."""
    return dataclasses.replace(rules, irregularities=Irregularities.ENFORCED)


def begin(rules: Ruleset, seat: int) -> View:
    """The view of a seat when a match begins."""
    players = tuple(Player(f"Seat {number + 1}") for number in range(rules.players))
    return View.of(seat, [MatchStarted(lawful(rules), players)])


# The score sheet


def tell_score(view: View, told: Score) -> View:
    """An earlier deal, or the end of the present one; a check where that is over by itself."""
    state = view.state
    if state.deal is not None and state.phase not in _DEALING:
        _check_score(state.deals[-1], told)
        return view
    _check_going(state)
    deals = (*state.deals, told)
    over = match_over(state.rules, deals)
    if state.deal is None:
        return _with(view, deals=deals, phase=Phase.ENDED if over else state.phase)
    dealer = (state.dealer + 1) % state.rules.players
    phase = Phase.ENDED if over else Phase.DEALING
    return _with(view, deals=deals, phase=phase, dealer=dealer, before=None)


def _check_score(due: Score, told: Score) -> None:
    _agree("score", told.points, due.points)
    _agree_seat("moon", told.moon, due.moon)
    _agree_seat("slam", told.slam, due.slam)


def _check_going(state: MatchState) -> None:
    if state.phase in (Phase.CLOSING, Phase.SETTLING, Phase.ENDED):
        raise EngineFault("match_is_over")


def tell_stakes(view: View, net: tuple[int, ...], pot: int) -> View:
    """What each seat has won or lost so far, and what lies in the pot (M6)."""
    return _with(view, net=net, pot=pot)


def tell_lots(view: View, order: tuple[int, ...]) -> View:
    """The seats that drew lots for the stakes, the luckiest first (M2, M5)."""
    state = _whole(view.state) if view.state.deal is not None else view.state
    seats, _ = lots_due(state)
    if not seats or state.phase is Phase.DRAWING:
        raise _refused(Refusal("no_lots_due", "M2"))
    _agree("lots", _numbers(sorted(order)), _numbers(seats))
    drawn = LotsDrawn((), order)
    return _seen(view, (drawn, *following(evolve(state, drawn))))


# The deal


def tell_deal(view: View, table: Ruleset, told: DealTold) -> View:
    """A new deal. A direction that is not the one of the rules holds for this deal only."""
    state, table = view.state, lawful(table)
    _check_due(state)
    number = _numbered(state, told.number)
    deals = state.deals + (Score((0,) * table.players),) * (number - 1 - len(state.deals))
    if match_over(table, deals):
        raise EngineFault("match_is_over")
    rules = table if told.direction is None else _passing(table, number, told.direction)
    _check_hand(rules, told.hand)
    state = replace(state, rules=rules, deals=deals)
    if state.phase is Phase.DRAWING:
        if told.dealer is None:
            raise EngineFault("dealer_missing")
        state = evolve(state, DealerDrawn((), told.dealer))
    _agree_seat("dealer", told.dealer, state.dealer)
    hand = tuple(sorted(told.hand))
    hands = tuple(hand if seat == view.seat else None for seat in range(rules.players))
    direction = rules.direction(number)
    view = View(view.seat, evolve(state, Dealt(number, state.dealer, direction, hands, None)))
    return _begun(view) if direction is Direction.HOLD else view


def _check_due(state: MatchState) -> None:
    _check_going(state)
    if state.phase in _DEALING:
        raise EngineFault("deal_not_over")
    if state.phase is Phase.PAYING_POT:
        raise EngineFault("lots_missing", seats=_numbers(lots_due(_whole(state))[0]))


def _numbered(state: MatchState, told: int | None) -> int:
    due = len(state.deals) + 1
    if told is None or (told > due and state.deal is None):
        return told or due
    _agree("number", told, due)
    return due


def _passing(table: Ruleset, number: int, direction: Direction) -> Ruleset:
    """The rules with that direction in the place of the one that they have for this deal."""
    if direction is table.direction(number):
        return table
    if not table.passing.count:
        raise EngineFault("nothing_is_passed")
    cycle = list(table.passing.cycle)
    cycle[(number - 1) % len(cycle)] = direction
    return dataclasses.replace(
        table, passing=dataclasses.replace(table.passing, cycle=tuple(cycle))
    )


def _check_hand(rules: Ruleset, hand: Sequence[Card]) -> None:
    _check_count(hand, rules.hand_size)
    for card in hand:
        _check_deck(rules, card)


def _check_deck(rules: Ruleset, card: Card) -> None:
    if not rules.deck_mask & card.bit:
        raise EngineFault("not_of_the_deck", card=card)


def _check_count(cards: Sequence[Card], due: int) -> None:
    if len(cards) != due:
        raise EngineFault("cards_told", given=len(cards), expected=due)


# The pass


def tell_pass(view: View, cards: tuple[Card, ...]) -> View:
    """What this seat passes."""
    assert view.seat is not None
    if _deal(view).direction is Direction.HOLD:
        raise _refused(Refusal("not_passing_now", "P1"))
    return _acted(view, decide(view.state, Pass(view.seat, cards)))


def tell_received(view: View, cards: tuple[Card, ...]) -> View:
    """What this seat gets, once it has passed."""
    deal, seat = _deal(view), view.seat
    assert seat is not None
    if view.state.phase is not Phase.PASSING or _exchanged(deal):
        raise EngineFault("nothing_to_receive")
    given = deal.passes[seat]
    if given is None:
        raise EngineFault("pass_missing")
    _check_count(cards, deal.pass_size)
    for card in cards:
        _check_deck(deal.rules, card)
        if deal.hands[seat] & card.bit:
            raise EngineFault("card_is_ours", card=card)
    return _begun(_seen(view, _everybody_passes(deal, seat, given, cards)))


def _exchanged(deal: DealState) -> bool:
    """Whether the hands are those that are played with."""
    return deal.direction is Direction.HOLD or bool(deal.transfers)


def _everybody_passes(
    deal: DealState, seat: int, given: tuple[Card, ...], received: tuple[Card, ...]
) -> tuple[Event, ...]:
    seats = range(deal.rules.players)
    giver = next(each for each in seats if deal.direction.target(each, len(seats)) == seat)
    known = {seat: given, giver: tuple(sorted(received))}
    passes = tuple(known.get(each, ()) for each in seats)
    passed = tuple(Passed(each, None) for each in seats if each != seat)
    return (*passed, exchange(replace(deal, passes=passes)))


# The first lead


def _begun(view: View) -> View:
    """The view with the first lead, where that follows from what the seat holds."""
    state, deal = view.state, _deal(view)
    rules = deal.rules
    ours = rules.lowest_club(rules.deck_mask).bit & view.hand.mask if _names_club(rules) else 0
    if _names_club(rules) and not ours:
        return view
    return _seen(view, (start_play(state),))


def _names_club(rules: Ruleset) -> bool:
    return rules.play.opening is Opening.LOWEST_CLUB


def _lead_missing(view: View) -> bool:
    return view.state.phase is Phase.PASSING and _exchanged(view.deal)


def tell_lead(view: View, seat: int, card: Card | None = None) -> View:
    """Who leads to the first trick; and the card, where the rules name one and a kitty hides it."""
    deal = _deal(view)
    if not _lead_missing(view):
        if view.state.phase is not Phase.PLAYING or deal.tricks or deal.trick:
            raise EngineFault("nobody_begins")
        _agree_seat("lead", seat, deal.leader)
        _agree("card", card, deal.opening)
        return view
    opening = card or _opening(view, seat)
    if opening is None:
        raise EngineFault("opening_missing")
    _check_deck(deal.rules, opening)
    if opening.suit is not Suit.CLUBS:
        raise EngineFault("opening_no_club", card=opening)
    if (opening.bit & view.hand.mask != 0) != (seat == view.seat):
        raise EngineFault("opening_elsewhere", card=opening, seat=seat + 1)
    return _agreeing(_seen(view, (PlayStarted(seat, opening),)), opening, seat)


def _opening(view: View, seat: int) -> Card | None:
    """The card that this seat must lead, as far as it follows."""
    rules = view.deal.rules
    if seat == view.seat and view.hand.mask & CLUBS:
        return rules.lowest_club(view.hand.mask)
    return None if rules.kitty_size else rules.lowest_club(rules.deck_mask)


# The tricks


def tell_play(view: View, seat: int | None, card: Card) -> View:
    """A card that is played; by the seat on turn where none is named."""
    _deal(view)
    if _lead_missing(view):
        if seat is None:
            raise EngineFault("leader_missing")
        view = tell_lead(view, seat, card)
    if view.state.phase is Phase.PASSING:
        raise EngineFault("exchange_missing")
    if _kitty_missing(view):
        raise EngineFault("kitty_missing")
    deal, state = view.deal, _whole(view.state, card)
    if view.state.phase is Phase.PLAYING and seat in (None, deal.turn) and deal.turn != view.seat:
        _check_other(view, card)
        return _seen(view, play_events(state, deal.turn, card))
    return _acted(view, decide(state, Play(deal.turn if seat is None else seat, card)))


def _check_other(view: View, card: Card) -> None:
    """Whether the other seat on turn can have played this card lawfully."""
    deal, seat = view.deal, view.deal.turn
    _check_deck(deal.rules, card)
    if view.hand.mask & card.bit:
        raise EngineFault("card_is_ours", card=card)
    if view.seen & card.bit:
        raise EngineFault("card_is_gone", card=card)
    if deal.opening is not None and not deal.tricks and not deal.trick:
        _agree("card", card, deal.opening)
    _check_passed(view, card, seat)
    if deal.excluded[seat] & card.bit:
        raise EngineFault("card_is_excluded", card=card, seat=seat + 1)
    _agreeing(view.see(Played(seat, card)), card, seat)


def _check_passed(view: View, card: Card, seat: int) -> None:
    """Refuses a card that this seat has passed to another one than that."""
    deal = view.deal
    assert view.seat is not None
    taker = deal.direction.target(view.seat, deal.rules.players)
    if taker != seat and deal.transfers and card in (deal.passes[view.seat] or ()):
        raise EngineFault("card_is_passed", card=card, seat=taker + 1)


def _agreeing(view: View, card: Card, seat: int) -> View:
    """The view, if the hidden cards can lie in any way that agrees with it."""
    if not view.consistent:
        raise EngineFault("contradiction", card=card, seat=seat + 1)
    return view


def tell_taken(view: View, seat: int) -> View:
    """Who takes the trick that has just been filled: a check."""
    deal = _deal(view)
    if deal.trick or not deal.tricks:
        raise EngineFault("no_trick_taken")
    _agree_seat("takes", seat, deal.tricks[-1].winner)
    return view


def tell_kitty(view: View, cards: tuple[Card, ...]) -> View:
    """The cards of the kitty, where this seat takes it (D6)."""
    deal = _deal(view)
    if deal.kitty_taker is not None and deal.kitty_taker == view.seat:
        _agree("kitty", cards_in(mask_of(cards)), cards_in(deal.kitty))
        return view
    if not _kitty_missing(view):
        raise EngineFault("no_kitty_for_us")
    _check_count(cards, deal.rules.kitty_size)
    for card in cards:
        _check_deck(deal.rules, card)
        if view.seen & card.bit:
            raise EngineFault("card_is_gone", card=card)
        _check_passed(view, card, KITTY)
    assert view.seat is not None
    taken = view.see(KittyTaken(view.seat, tuple(sorted(cards))))
    return _agreeing(taken, cards[0], view.seat)


def _kitty_missing(view: View) -> bool:
    """Whether this seat has taken the kitty, and has not been told what is in it."""
    deal = view.deal
    taken = bool(deal.rules.kitty_size) and len(deal.tricks) == 1 and deal.kitty_taker is None
    return taken and view.state.phase is Phase.PLAYING


def to_choose(view: View) -> None:
    """Raises `EngineFault` unless this seat has to pass or to play now."""
    _deal(view)
    if _lead_missing(view):
        raise EngineFault("leader_missing")
    if _kitty_missing(view):
        raise EngineFault("kitty_missing")
    if not view.my_turn:
        raise EngineFault("not_our_turn")


# Common steps


def _deal(view: View) -> DealState:
    if view.state.deal is None:
        raise EngineFault("no_deal")
    return view.state.deal


def _whole(state: MatchState, *cards: Card) -> MatchState:
    """The state with its kitty, if nothing else is left once those cards have been played."""
    deal = state.deal
    assert deal is not None
    if sum(deal.hand_sizes()) > len(cards):
        return state
    played = mask_of((*deal.trick, *cards))
    for taken in deal.taken:
        played |= taken
    return replace(state, deal=replace(deal, kitty=deal.rules.deck_mask & ~played))


def _acted(view: View, outcome: tuple[Event, ...] | Refusal) -> View:
    if isinstance(outcome, Refusal):
        raise _refused(outcome)
    return _seen(view, outcome)


def _refused(refusal: Refusal) -> EngineFault:
    return EngineFault("against_the_rules", refusal=refusal)


def _seen(view: View, events: Sequence[Event]) -> View:
    """The view after those events; a kitty of one's own waits until it is told."""
    told = (visible(event, view.seat) for event in events)
    return view.see(*(event for event in told if not _waits(event, view.seat)))


def _waits(event: Event, seat: int | None) -> bool:
    return isinstance(event, KittyTaken) and event.seat == seat and not event.cards


def _with(view: View, **changes: Any) -> View:
    state = replace(view.state, version=view.state.version + 1, **changes)
    return View(view.seat, state)


def _agree(what: str, told: object, due: object) -> None:
    """What is told against what the rules give; None where it is not told."""
    if told is not None and told != due:
        raise EngineFault("told_wrong", what=what, told=_text(told), expected=_text(due))


def _agree_seat(what: str, told: int | None, due: int | None) -> None:
    """The same for seats."""
    if told is not None and told != due:
        expected = "–" if due is None else due + 1
        raise EngineFault("told_wrong", what=what, told=told + 1, expected=expected)


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _numbers(seats: Sequence[int]) -> tuple[str, ...]:
    """Seats as people count them."""
    return tuple(str(seat + 1) for seat in seats)
