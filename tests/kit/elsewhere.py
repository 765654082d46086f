"""Deals in which hidden cards lie elsewhere, though an observer has seen just the same."""

from __future__ import annotations

from collections.abc import Sequence

from kit.traffic import Orders, Script

from volte import game, referee
from volte.cards import Card, cards_in, mask_of
from volte.fair import SplitMix64
from volte.game import MatchState, Refusal
from volte.referee import Event, visible
from volte.rules import Ruleset
from volte.view import KITTY, View

TRIES = 2000


class NowhereElse(Exception):
    """Raised if no second way for the cards to lie was found; there may be none."""


def elsewhere(
    log: Sequence[Event], seat: int | None, script: Script, random: SplitMix64
) -> tuple[Orders, Script]:
    """Deal the last deal of the log otherwise; return the orders of the decks, and the script.

    Args:
        log: of the match so far.
        seat: the observer; None for somebody who watches.
        script: the one that was played.

    Raises `NowhereElse`.
    """
    for _ in range(TRIES):
        found = _tried(log, seat, script, random)
        if found is not None:
            return found
    raise NowhereElse


def _tried(
    log: Sequence[Event], seat: int | None, script: Script, random: SplitMix64
) -> tuple[Orders, Script] | None:
    start = max(place for place, event in enumerate(log) if isinstance(event, game.Dealt))
    view = View.of(seat, [visible(event, seat) for event in log])
    hidden = _sampled(view, random)
    if hidden is None:
        return None
    whole = referee.replay(log)
    assert whole.deal is not None
    if all(hidden[other] == whole.deal.hands[other] for other in hidden if other != KITTY):
        return None
    other = Script()
    other.passes, other.plays = dict(script.passes), dict(script.plays)
    dealt, kitty = _dealt(view, log[start:], hidden, other, random)
    deck = _deck(view.state.rules, view.deal.dealer, dealt, kitty)
    if not _told_the_same(log, start, seat, deck, other):
        return None
    places = {card: place for place, card in enumerate(view.state.rules.cards)}
    return {view.deal.number: tuple(places[card] for card in deck)}, other


def _sampled(view: View, random: SplitMix64) -> dict[int, int] | None:
    """Draw masks for every other hand and the kitty; None if the draw got stuck."""
    deal = view.deal
    room = {other: size for other, size in enumerate(deal.hand_sizes()) if other != view.seat}
    if deal.rules.kitty_size and not deal.kitty:
        room[KITTY] = deal.rules.kitty_size
    held = dict.fromkeys(room, 0)
    unseen = cards_in(view.unseen)
    order = [unseen[place] for place in random.permutation(len(unseen))]
    order.sort(key=lambda card: sum(bool(mask & card.bit) for mask in view.possible.values()))
    for card in order:
        could = [
            other
            for other, mask in view.possible.items()
            if mask & card.bit and held[other].bit_count() < room[other]
        ]
        if not could:
            return None
        held[could[random.below(len(could))]] |= card.bit
    return held


def _dealt(
    view: View, events: Sequence[Event], hidden: dict[int, int], script: Script, random: SplitMix64
) -> tuple[list[int], int]:
    """Return hands as dealt, and the kitty, if the hidden cards lie so; write the passes."""
    deal = view.deal
    count = deal.rules.passing.count
    hands = [
        view.hand.mask if seat == view.seat else hidden[seat] for seat in range(deal.rules.players)
    ]
    tricks = ((trick.leader, trick.cards) for trick in deal.tricks)
    for leader, taken in ((deal.leader, deal.trick), *tricks):
        for place, card in enumerate(taken):
            hands[(leader + place) % deal.rules.players] |= card.bit
    kitty = hidden.get(KITTY, deal.kitty)
    before = list(hands)
    for transfer in deal.transfers:
        cards = transfer.cards or _some(hands[transfer.taker], count, random)
        script.passes[deal.number, transfer.giver] = cards
        before[transfer.taker] &= ~mask_of(cards)
    for transfer in deal.transfers:
        before[transfer.giver] |= mask_of(script.passes[deal.number, transfer.giver])
    if not deal.transfers:
        for event in events:
            if isinstance(event, game.Passed) and event.seat != view.seat:
                script.passes[deal.number, event.seat] = _some(hands[event.seat], count, random)
    return before, kitty


def _some(mask: int, count: int, random: SplitMix64) -> tuple[Card, ...]:
    cards = cards_in(mask)
    return tuple(sorted(cards[place] for place in random.permutation(len(cards))[:count]))


def _deck(rules: Ruleset, dealer: int, hands: Sequence[int], kitty: int) -> tuple[Card, ...]:
    """Return the deck that deals those hands, the first card to the dealer's left (D4)."""
    piles = [
        cards_in(hands[(dealer + 1 + place) % rules.players]) for place in range(rules.players)
    ]
    rounds = zip(*piles, strict=True)
    return (*(card for cards in rounds for card in cards), *cards_in(kitty))


def _told_the_same(
    log: Sequence[Event], start: int, seat: int | None, deck: tuple[Card, ...], script: Script
) -> bool:
    """Whether the same acts are lawful with that deck, and look the same to the seat."""
    state: MatchState = referee.replay(log[:start])
    number = len(state.deals) + 1
    happened: list[Event] = []
    acts: list[game.Action] = [game.DealCards(deck)]
    for event in log[start:]:
        match event:
            case game.Passed():
                acts.append(game.Pass(event.seat, script.passes[number, event.seat]))
            case game.PassTakenBack():
                acts.append(game.TakeBackPass(event.seat))
            case game.Played():
                acts.append(game.Play(event.seat, event.card))
            case game.UndoAsked():
                acts.append(game.AskUndo(event.seat))
            case game.UndoAnswered():
                acts.append(game.AnswerUndo(event.seat, event.allow))
    for act in acts:
        outcome = referee.decide(state, act)
        if isinstance(outcome, Refusal):
            return False
        for event in outcome:
            state = referee.evolve(state, event)
        happened += outcome
    return [visible(event, seat) for event in happened] == [
        visible(event, seat) for event in log[start:]
    ]
