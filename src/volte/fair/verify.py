"""The whole check of one verifiable deal, for a sceptic to read.

This file stands alone on purpose: it needs nothing but Python's standard library and shares no
line with the code that deals, so a fault there cannot hide here. The tests hold the two equal.

Before a deal the house publishes a digest over its number, the digest before, a secret, and
the bytes of the seats it speaks for. Then the other seats add bytes of their own (if their
programs promised them first, by digests). Secret and bytes together fix the order of the cards.
Where cards are given and not drawn, such as those of another match, the digest covers them, too.
After the deal the secret is shown, and everybody can run this.
"""

import hashlib
import hmac
from collections.abc import Collection, Mapping, Sequence
from enum import Enum


class Verdict(Enum):
    """Result of a check: the proof holds, or the first fault."""

    PROVED = "proved"
    NUMBER_SKIPPED = "number-skipped"
    REVEAL_MISSING = "reveal-missing"
    COMMITMENT_BROKEN = "commitment-broken"
    PROMISE_BROKEN = "promise-broken"
    ORDER_WRONG = "order-wrong"
    LOT_WRONG = "lot-wrong"


def verify_deal(
    number: int,
    digest: bytes,
    *,
    secret: bytes | None,
    contributions: Mapping[int, bytes],
    house_seats: Collection[int],
    hands: Sequence[Collection[int]],
    kitty: Collection[int] = (),
    lots: Sequence[tuple[int, Sequence[int]]] = (),
    promises: Mapping[int, bytes] | None = None,
    given: bool = False,
    previous: tuple[int, bytes] = (0, b""),
) -> Verdict:
    """Check one deal and the lots drawn with it, and say the first fault.

    Args:
        number, digest: those that the house published before the deal.
        secret: the bytes that it revealed after the deal; None where it did not.
        contributions: the bytes of every seat that gave some.
        house_seats: the seats that the house speaks for.
        hands: the cards of each seat, from the dealer's left on, in any order, as places in the
            unshuffled deck.
        kitty: the cards left over (that they are all the cards of that deck is for the caller to
            see).
        lots: for each draw, the size of its pack and the cards drawn, the top one first.
        promises: the digests that people's programs gave before any bytes were shown; then nobody
            but the house may give bytes without one. None at a table without promises.
        given: whether the cards are given; then the digest before the deal is over them as well.
        previous: number and digest of the deal before; (0, b"") where there is none.
    """
    if number != previous[0] + 1:
        return Verdict.NUMBER_SKIPPED
    if secret is None or any(seat not in contributions for seat in house_seats):
        return Verdict.REVEAL_MISSING
    own = {seat: contributions[seat] for seat in house_seats}
    before: list[int | bytes] = [number, previous[1]]
    if given:
        before += [_hash("volte cards 1", *(_encode(*sorted(p)) for p in (*hands, kitty)))]
    label = "volte given cards 1" if given else "volte commitment 1"
    promise = _hash(label, *before, secret, *_by_seat(own))
    if len(secret) != 32 or digest != promise:
        return Verdict.COMMITMENT_BROKEN
    if promises is not None:
        for seat in contributions.keys() - own.keys():
            shown = _hash("volte contribution 1", number, seat, contributions[seat])
            if len(contributions[seat]) < 16 or promises.get(seat) != shown:
                return Verdict.PROMISE_BROKEN
    dealt = sum(len(hand) for hand in hands)
    order = _shuffle(dealt + len(kitty), secret, f"deal {number}", contributions)
    piles = [order[seat : dealt : len(hands)] for seat in range(len(hands))]  # one by one
    drawn_so = [set(pile) for pile in (*piles, order[dealt:])]
    if not given and [set(hand) for hand in (*hands, kitty)] != drawn_so:
        return Verdict.ORDER_WRONG
    for draw, (pack, drawn) in enumerate(lots, start=1):
        cards = _shuffle(pack, secret, f"lot {number}.{draw}", contributions)
        if list(drawn) != cards[: len(drawn)]:
            return Verdict.LOT_WRONG
    return Verdict.PROVED


def _shuffle(n: int, secret: bytes, label: str, contributions: Mapping[int, bytes]) -> list[int]:
    """Fisher-Yates: swap each card, from the last, with one of those up to it, itself included."""
    cards, words, block = list(range(n)), b"", 0
    for i in range(n - 1, 0, -1):
        word = limit = 2**32 - 2**32 % (i + 1)
        while word >= limit:  # so that each of the i + 1 places is equally likely
            if not words:
                message = _encode(label, *_by_seat(contributions), block)
                words, block = hmac.digest(secret, message, "sha256"), block + 1
            word, words = int.from_bytes(words[:4], "big"), words[4:]
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _by_seat(contributions: Mapping[int, bytes]) -> list[int | bytes]:
    return [field for seat in sorted(contributions) for field in (seat, contributions[seat])]


def _hash(*fields: int | str | bytes) -> bytes:
    return hashlib.sha256(_encode(*fields)).digest()


def _encode(*fields: int | str | bytes) -> bytes:
    """Join the fields, each after its length in four bytes; numbers as decimal digits."""
    parts = [field if isinstance(field, bytes) else str(field).encode() for field in fields]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
