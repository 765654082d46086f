"""Proving a record: every shuffle and every lot against what the house had committed to (D3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from volte.cards import Card
from volte.fair import Verdict, verify_deal
from volte.game import events as ev
from volte.notation.record import Record
from volte.rules import LOTS, Draw, Ruleset


@dataclass(frozen=True)
class DealProof:
    """Proof of one deal: the verdict, and the lots proved along with it."""

    number: int  # of the deal and of its commitment, from 1
    verdict: Verdict | None  # None where the secret is not due yet, in a match that goes on
    lots: int  # rounds of lots proved along with it


def prove_record(record: Record) -> tuple[DealProof, ...]:
    """One result for each commitment; none in a match that was dealt without any.

    A record holds each hand as a set, not the order of the deck, and that is enough: secret and
    contributions fix the order, and the hands that it deals must be the hands on record.
    """
    rules, previous, proofs = record.state.rules, (0, b""), []
    given = record.state.cards is not None
    for chance in _chances(record):
        waits = chance.secret is None and not record.finished  # shown by the next deal at latest
        verdict = None if waits else _verdict(chance, rules, previous, given=given)
        previous = chance.number, chance.digest
        proofs.append(DealProof(chance.number, verdict, len(chance.rounds)))
    return tuple(proofs)


@dataclass
class _Chance:
    """Everything that a record holds about the chance of one deal."""

    number: int
    digest: bytes
    house: tuple[int, ...]
    promises: dict[int, bytes] | None = None
    contributions: dict[int, bytes] = field(default_factory=dict)
    secret: bytes | None = None
    hands: tuple[tuple[Card, ...], ...] = ()
    kitty: tuple[Card, ...] = ()
    rounds: list[Draw] = field(default_factory=list)


def _verdict(
    chance: _Chance, rules: Ruleset, previous: tuple[int, bytes], *, given: bool
) -> Verdict:
    place = {card: place for place, card in enumerate(rules.cards)}
    return verify_deal(
        chance.number,
        chance.digest,
        secret=chance.secret,
        contributions=chance.contributions,
        house_seats=chance.house,
        hands=[[place[card] for card in hand] for hand in chance.hands],
        kitty=[place[card] for card in chance.kitty],
        promises=chance.promises,
        lots=[(len(LOTS), [LOTS.index(card) for _, card in drawn]) for drawn in chance.rounds],
        given=given,
        previous=previous,
    )


def _chances(record: Record) -> list[_Chance]:
    chances: list[_Chance] = []
    for event in record.log:
        match event:
            case ev.Committed():
                chances.append(_Chance(event.number, event.digest, event.house))
            case ev.Revealed():
                chances[event.number - 1].secret = event.secret
            case ev.Promised():
                promised = {} if event.digest is None else {event.seat: event.digest}
                chances[-1].promises = (chances[-1].promises or {}) | promised
            case ev.Contributed(data=bytes(data)):
                chances[-1].contributions[event.seat] = data
            case ev.DealerDrawn() | ev.LotsDrawn() if chances:
                chances[-1].rounds += event.rounds
            case ev.Dealt() if chances:
                first = event.dealer + 1  # the cards go round from the dealer's left (D4)
                hands = [hand or () for hand in event.hands]
                chances[-1].hands = tuple(hands[first % len(hands) :] + hands[: first % len(hands)])
                chances[-1].kitty = event.kitty or ()
    return chances
