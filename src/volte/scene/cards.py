"""Cards as a scene shows them, and features of the wider family: scatters, packs and sides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from volte.cards import Card, in_first_pack
from volte.game import DealState, Phase
from volte.rules import Direction
from volte.say import Words, words_of
from volte.say.outcome import moon_choices
from volte.view import View
from volte.wire.messages import LaidCard, SceneCard, Wider

_NOTHING: Final = Wider()


def wider(words: Words, view: View, deal: DealState | None) -> Wider | None:
    """The wider family's part of a scene; None for a game that has no such feature.

    Args:
        deal: as it lies on the table; None where none does.
    """
    rules, match = view.state.rules, view.state
    last = match.deal.tricks[-1:] if match.deal is not None else ()
    held = waiting(deal) if deal is not None else ()
    chooses = view.seat is not None and match.shooter == view.seat  # how a moon counts (W7)
    shown = Wider(
        scatter=scatter(view),
        held=tuple(card_laid(words.lang, seat, card) for seat, card in held),
        held_points=rules.points_in(deal.held) if deal is not None and deal.held else 0,
        sides=rules.all_sides if rules.sides.partners > 1 else (),
        moon=moon_choices(words, view) if chooses else (),
        shooter=match.shooter,
        last_held=bool(last) and last[0].winner is None,
    )
    return None if shown == _NOTHING and rules.deck.packs == 1 else shown


def scatter(view: View) -> tuple[int, ...]:
    """The seats that get a card each, in the order of the cards of a pass (W1)."""
    seat, deal, players = view.seat, view.state.deal, len(view.state.players)
    scattered = deal is not None and deal.direction is Direction.SCATTER
    if seat is None or not scattered or view.state.phase is not Phase.PASSING:
        return ()
    return tuple((seat + place) % players for place in range(1, players))


def waiting(deal: DealState) -> list[tuple[int, Card]]:
    """The cards that go to the winner of the next trick, with the seats that played them (W11)."""
    cards: list[tuple[int, Card]] = []
    if not deal.held:
        return cards
    for trick in reversed(deal.tricks):
        if trick.winner is not None:
            break
        seats = ((trick.leader + place) % len(trick.cards) for place in range(len(trick.cards)))
        cards = [*zip(seats, trick.cards, strict=True), *cards]
    return cards


def cancelled(cards: Sequence[Card]) -> frozenset[Card]:
    """The cards of the suit led that lie twice in a trick and so cancel each other (W11)."""
    if not any(card.pack for card in cards):
        return frozenset()
    led = next((card.suit for card in cards if card.suit is not None), None)
    followed = [card for card in cards if card.suit is led]
    faces = [in_first_pack(card) for card in followed]
    return frozenset(card for card in followed if faces.count(in_first_pack(card)) > 1)


@lru_cache(4096)
def card_in_hand(
    lang: str, card: Card, legal: bool, why: str, passed: bool, giver: int | None = None
) -> SceneCard:
    """A card of one's own hand; see `SceneCard`."""
    words = words_of(lang)
    return SceneCard(card, words.card(card), words.short(card), legal, why, passed, giver)


@cache
def card_laid(
    lang: str, seat: int, card: Card, early: bool = False, gone: bool = False
) -> LaidCard:
    """A card played by a seat. `gone`: whether its twin cancels it."""
    words = words_of(lang)
    return LaidCard(seat, card, words.card(card), words.short(card), early, gone)
