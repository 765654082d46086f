"""A seat's view, built line by line; every line is checked and makes a new view.

Consequences of the rules are worked out; a line that states one all the same must agree. All
functions raise `EngineFault` for what is impossible, and leave the given view as it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from volte import game
from volte.cards import CLUBS, Card, Suit, cards_in, mask_of, twin
from volte.engine.language import EngineFault
from volte.engine.standing import (
    DEALING,
    acted,
    agree,
    agree_seat,
    check_chosen,
    check_going,
    numbers,
    present_deal,
    refused,
    seen,
    whole,
)
from volte.rules import Direction, Irregularities, Opening, Ruleset, Score, match_over
from volte.view import KITTY, View


class DealLine(msgspec.Struct, frozen=True):
    """A deal as a line describes it to one seat."""

    hand: tuple[Card, ...]  # of that seat, before the pass
    number: int | None = None  # from 1; by default the next one
    dealer: int | None = None  # seat; may be left out after another deal
    # of the pass; by default as the rules say for that number
    direction: Direction | None = None


def lawful(rules: Ruleset) -> Ruleset:
    """The ruleset without a referee: in this protocol everybody plays honestly."""
    return dataclasses.replace(rules, irregularities=Irregularities.ENFORCED)


def begin(rules: Ruleset, seat: int) -> View:
    players = tuple(game.Player(f"Seat {number + 1}") for number in range(rules.players))
    return View.of(seat, [game.MatchStarted(lawful(rules), players)])


# The deal


def tell_deal(view: View, table: Ruleset, line: DealLine) -> View:
    """A new deal. A direction other than that of the rules holds for this deal only."""
    state, table = view.state, lawful(table)
    _check_dealing(state)
    number = _numbered(state, line.number)
    deals = state.deals + (Score((0,) * table.players),) * (number - 1 - len(state.deals))
    if match_over(table, deals):
        raise EngineFault("match_is_over")
    rules = table if line.direction is None else _passing(table, number, line.direction)
    _check_count(line.hand, rules.hand_size)
    for card in line.hand:
        _check_deck(rules, card)
    state = replace(state, rules=rules, deals=deals)
    if state.phase is game.Phase.DRAWING:
        if line.dealer is None:
            raise EngineFault("dealer_missing")
        state = game.evolve(state, game.DealerDrawn((), line.dealer))
    agree_seat("dealer", line.dealer, state.dealer)
    hand = tuple(sorted(line.hand))
    hands = tuple(hand if seat == view.seat else None for seat in range(rules.players))
    direction = rules.direction(number)
    view = View(
        view.seat, game.evolve(state, game.Dealt(number, state.dealer, direction, hands, None))
    )
    return _begun(view) if direction is Direction.HOLD else view


def _check_dealing(state: game.MatchState) -> None:
    check_going(state)
    check_chosen(state)
    if state.phase in DEALING:
        raise EngineFault("deal_not_over")
    if state.phase is game.Phase.PAYING_POT:
        raise EngineFault("lots_missing", seats=numbers(game.lots_due(whole(state))[0]))


def _numbered(state: game.MatchState, given: int | None) -> int:
    following = len(state.deals) + 1
    if given is None or (given > following and state.deal is None):
        return given or following
    agree("number", given, following)
    return following


def _passing(table: Ruleset, number: int, direction: Direction) -> Ruleset:
    """The rules with that direction in place of their own one for this deal."""
    if direction is table.direction(number):
        return table
    if not table.passing.count:
        raise EngineFault("nothing_is_passed")
    cycle = list(table.passing.cycle)
    cycle[(number - 1) % len(cycle)] = direction
    return dataclasses.replace(
        table, passing=dataclasses.replace(table.passing, cycle=tuple(cycle))
    )


def _check_deck(rules: Ruleset, card: Card) -> None:
    if not rules.deck_mask & card.bit:
        raise EngineFault("not_of_the_deck", card=card)


def _check_count(cards: Sequence[Card], expected: int) -> None:
    if len(cards) != expected:
        raise EngineFault("cards_told", given=len(cards), expected=expected)


# The pass


def tell_pass(view: View, cards: tuple[Card, ...]) -> View:
    """The view once this seat has passed those cards."""
    if present_deal(view).direction is Direction.HOLD:
        raise refused(game.Refusal("not_passing_now", "P1"))
    return acted(view, game.decide(view.state, game.Pass(view.seat, cards)))


def tell_received(view: View, cards: tuple[Card, ...]) -> View:
    """The view once this seat has passed and gets these cards; scattered, from its left on (W1)."""
    deal, seat = present_deal(view), view.seat
    if view.state.phase is not game.Phase.PASSING or _exchanged(deal):
        raise EngineFault("nothing_to_receive")
    given = deal.passes[seat]
    if given is None:
        raise EngineFault("pass_missing")
    _check_count(cards, deal.pass_size)
    for card in cards:
        _check_deck(deal.rules, card)
        if deal.hands[seat] & card.bit:
            raise EngineFault("card_is_ours", card=card)
    return _begun(seen(view, _everybody_passes(deal, seat, given, cards)))


def _exchanged(deal: game.DealState) -> bool:
    """Whether the hands are final: exchanged, or without a pass."""
    return deal.direction is Direction.HOLD or bool(deal.transfers)


def _everybody_passes(
    deal: game.DealState, seat: int, given: tuple[Card, ...], received: tuple[Card, ...]
) -> tuple[game.Event, ...]:
    seats = range(deal.rules.players)
    passed = tuple(game.Passed(each, None) for each in seats if each != seat)
    passes = tuple(given if each == seat else () for each in seats)
    exchanged = game.exchange(replace(deal, passes=passes))
    givers = [each.giver for each in exchanged.transfers if each.taker == seat]
    clockwise = sorted(givers, key=lambda giver: (giver - seat) % len(seats))
    size = len(received) // len(givers)
    parts = {
        giver: tuple(sorted(received[place * size : (place + 1) * size]))
        for place, giver in enumerate(clockwise)
    }
    transfers = tuple(
        replace(each, cards=parts[each.giver]) if each.taker == seat else each
        for each in exchanged.transfers
    )
    return (*passed, game.Exchanged(transfers))


# The first lead


def _begun(view: View) -> View:
    """The view with the first lead, if that follows from the seat's own hand."""
    state, deal = view.state, present_deal(view)
    rules = deal.rules
    ours = rules.lowest_club(rules.deck_mask).bit & view.hand.mask if _names_club(rules) else 0
    if _names_club(rules) and not ours:
        return view
    return seen(view, (game.start_play(state),))


def _names_club(rules: Ruleset) -> bool:
    """Whether the holder of the lowest club leads, be it that club (L2) or another (W2)."""
    return rules.play.opening is not Opening.ELDEST


def _lead_missing(view: View) -> bool:
    return view.state.phase is game.Phase.PASSING and _exchanged(view.deal)


def tell_lead(view: View, seat: int, card: Card | None = None) -> View:
    """The first lead: the seat; and the card, where the rules name one and a kitty hides it."""
    deal = present_deal(view)
    if not _lead_missing(view):
        if view.state.phase is not game.Phase.PLAYING or deal.tricks or deal.trick:
            raise EngineFault("nobody_begins")
        agree_seat("lead", seat, deal.leader)
        agree("card", card, deal.opening)
        return view
    opening = card or _opening(view, seat)
    if opening is None:
        raise EngineFault("opening_missing")
    _check_deck(deal.rules, opening)
    if opening.suit is not Suit.CLUBS:
        raise EngineFault("opening_no_club", card=opening)
    if (opening.bit & view.hand.mask != 0) != (seat == view.seat):
        raise EngineFault("opening_elsewhere", card=opening, seat=seat + 1)
    return _agreeing(seen(view, (game.PlayStarted(seat, opening),)), opening, seat)


def _opening(view: View, seat: int) -> Card | None:
    """The card that this seat must lead, as far as the view tells."""
    rules = view.deal.rules
    if seat == view.seat and view.hand.mask & CLUBS:
        return rules.lowest_club(view.hand.mask)
    return None if rules.kitty_size else rules.lowest_club(rules.deck_mask)


# The tricks


def tell_play(view: View, seat: int | None, card: Card) -> View:
    """The view after a card is played; by the seat on turn where none is named."""
    deal = present_deal(view)
    check_chosen(view.state)
    if _lead_missing(view):
        if seat is None:
            raise EngineFault("leader_missing")
        named = deal.rules.play.opening is Opening.LOWEST_CLUB
        view = tell_lead(view, seat, card if named else None)
    if view.state.phase is game.Phase.PASSING:
        raise EngineFault("exchange_missing")
    if _kitty_missing(view):
        raise EngineFault("kitty_missing")
    deal, state = view.deal, whole(view.state, card)
    if (
        view.state.phase is game.Phase.PLAYING
        and seat in (None, deal.turn)
        and deal.turn != view.seat
    ):
        _check_other(view, card)
        return seen(view, game.play_events(state, deal.turn, card))
    return acted(view, game.decide(state, game.Play(deal.turn if seat is None else seat, card)))


def _check_other(view: View, card: Card) -> None:
    """Whether the other seat on turn can have played this card lawfully."""
    deal, seat = view.deal, view.deal.turn
    _check_deck(deal.rules, card)
    if view.hand.mask & card.bit:
        raise EngineFault("card_is_ours", card=card)
    if view.seen & card.bit:
        raise EngineFault("card_is_gone", card=card)
    if deal.opening is not None and not deal.tricks and not deal.trick:
        if deal.rules.play.opening is Opening.LOWEST_CLUB:
            if card is not twin(deal.opening):  # the twin may be led in its place (L2)
                agree("card", card, deal.opening)
        elif card.suit is not Suit.CLUBS:  # a joker too: as a lead it proves nothing (D7)
            raise EngineFault("contradiction", card=card, seat=seat + 1)
    _check_opener(view, card, seat)
    _check_passed(view, card, seat)
    if deal.excluded[seat] & card.bit:
        raise EngineFault("card_is_excluded", card=card, seat=seat + 1)
    _agreeing(view.see(game.Played(seat, card)), card, seat)


def _check_opener(view: View, card: Card, place: int) -> None:
    """Refuse the lowest club away from the first leader, who may have led another club (W2)."""
    deal = view.deal
    opener = deal.tricks[0].leader if deal.tricks else deal.leader
    if card is deal.opening and place != opener:
        seat = view.seat if place == KITTY else place
        raise EngineFault("contradiction", card=card, seat=seat + 1)


def _check_passed(view: View, card: Card, seat: int) -> None:
    """Refuse a card that this seat has passed to somebody else."""
    for transfer in view.deal.transfers:
        ours = transfer.giver == view.seat and card in (transfer.cards or ())
        if ours and transfer.taker != seat:
            raise EngineFault("card_is_passed", card=card, seat=transfer.taker + 1)


def _agreeing(view: View, card: Card, seat: int) -> View:
    """The view. Raises `EngineFault` if no lie of the hidden cards agrees with it."""
    if not view.consistent:
        raise EngineFault("contradiction", card=card, seat=seat + 1)
    return view


def tell_taken(view: View, seat: int) -> View:
    """Check the taker of the trick that has just been filled."""
    agree_seat("takes", seat, _filled(view).winner)
    return view


def tell_held(view: View) -> View:
    """Check that nobody takes the trick that has just been filled, as its cards cancel (W11)."""
    winner = _filled(view).winner
    if winner is not None:
        raise EngineFault("told_wrong", what="held", told="–", expected=winner + 1)
    return view


def _filled(view: View) -> game.Trick:
    deal = present_deal(view)
    if deal.trick or not deal.tricks:
        raise EngineFault("no_trick_taken")
    return deal.tricks[-1]


def tell_kitty(view: View, cards: tuple[Card, ...]) -> View:
    """The view with the cards of the kitty, which this seat takes (D6)."""
    deal = present_deal(view)
    if deal.kitty_taker is not None and deal.kitty_taker == view.seat:
        agree("kitty", cards_in(mask_of(cards)), cards_in(deal.kitty))
        return view
    if not _kitty_missing(view):
        raise EngineFault("no_kitty_for_us")
    _check_count(cards, deal.rules.kitty_size)
    for card in cards:
        _check_deck(deal.rules, card)
        if view.seen & card.bit:
            raise EngineFault("card_is_gone", card=card)
        _check_opener(view, card, KITTY)
        _check_passed(view, card, KITTY)
    taken = view.see(game.KittyTaken(view.seat, tuple(sorted(cards))))
    return _agreeing(taken, cards[0], view.seat)


def _kitty_missing(view: View) -> bool:
    """Whether this seat has taken the kitty and no line has named its cards yet."""
    deal = view.deal
    between = view.state.phase is game.Phase.PLAYING and not deal.trick and bool(deal.tricks)
    return between and game.kitty_taker(deal) == view.seat


def to_choose(view: View) -> None:
    """Raise `EngineFault` unless this seat has to pass, to play, or to choose now."""
    present_deal(view)
    if _lead_missing(view):
        raise EngineFault("leader_missing")
    if _kitty_missing(view):
        raise EngineFault("kitty_missing")
    if not view.my_turn:
        raise EngineFault("not_our_turn")
