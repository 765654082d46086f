"""Penalties for irregularities, and revokes that the cards prove.

Used by refereed tables, by bots and by the score-keeper.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import msgspec

from volte.cards import Card, mask_of
from volte.game import DealState
from volte.game.evolve import duties_now, fold_held, fold_play, fold_trick
from volte.referee.state import Breach, RefereedDeal
from volte.rules import Ruleset, Score, breach


def stopped(rules: Ruleset, offenders: Collection[int]) -> Score:
    """The score of a deal that revokes or mixed tricks have stopped (I5, I7).

    Each offender scores the penalty total, once a deal, and the other seats nothing; S6 does not
    hold. Partners score for each other (W10).
    """
    return Score(
        tuple(
            rules.penalty_total * len({*rules.side(seat)} & {*offenders})
            for seat in range(rules.players)
        )
    )


def without(rules: Ruleset, missing: Collection[Card]) -> Ruleset:
    """Return the rules for scoring a pack that lacks the given cards (I8).

    Raises `RulesetFault` when no card that counts is left.
    """
    if not rules.counting_mask & mask_of(missing):
        return rules
    twins = {card: 0 for card in missing if card.pack}  # what is not told counts as its twin does
    table = twins | {card: points for card, points in rules.values.items() if card not in missing}
    return replace(rules, points=replace(rules.points, table=tuple(sorted(table.items()))))


def shown_revokes(deal: RefereedDeal) -> Iterator[Breach]:
    """Yield the revokes in gathered tricks that are proved by the deal as one seat sees it.

    A hand held every card that it has played since, and those known to have been passed to it. If
    one of these is of the suit led, it could have followed (T1). If the queen is among them, a
    discard before her was a revoke, whether or not the hand could have followed, unless she was
    barred from that trick (T5, T3, W3).

    Args:
        deal: as one seat sees it, or the whole one.
    """
    held = _shown_hands(deal)
    now = _from_the_start(deal)
    for trick in deal.tricks:
        now = msgspec.structs.replace(now, leader=trick.leader, turn=trick.leader)
        for card in trick.cards:
            seat = now.turn
            clause = _proved(now, held[seat], card)
            if clause:
                yield Breach(seat, now.trick_number, clause)
            held[seat] &= ~card.bit
            now = fold_play(now, seat, card)
        now = fold_held(now) if trick.winner is None else fold_trick(now, trick.winner)


def _shown_hands(deal: RefereedDeal) -> list[int]:
    """Masks, by seat, of the cards that each hand is known to have held at the first lead."""
    held = list(deal.hands)
    for transfer in deal.transfers:
        held[transfer.taker] |= mask_of(transfer.cards or ())
    for trick in deal.tricks:
        for place, card in enumerate(trick.cards):
            held[(trick.leader + place) % len(held)] |= card.bit
    for laid in deal.laid:
        held[laid.seat] |= laid.card.bit
    return held


def _from_the_start(deal: RefereedDeal) -> DealState:
    nothing = (0,) * len(deal.hands)
    head = deal.rules, deal.number, deal.dealer, deal.direction, deal.hands, deal.kitty, deal.passes
    return DealState(*head, opening=deal.opening, taken=nothing, won=nothing, excluded=nothing)


def _proved(deal: DealState, held: int, card: Card) -> str:
    duties = duties_now(deal)
    clause = breach(held, card, duties)
    barred = any(duty.clause in ("T3", "W3") for duty in duties)
    return clause if clause == "T1" or (clause == "T5" and not barred) else ""
