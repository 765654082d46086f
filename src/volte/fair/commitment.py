"""Promises made before a deal, which the reveal after it must keep.

The house commits to its secret and to the bytes of the seats it speaks for (the bots'), under
a number and over the digest before: no value can be changed, and no deal dropped, unseen. A
person's program commits to its own bytes before any are revealed, so that nobody waits to see
what the others give.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from volte.fair.encoding import by_seat, encode, numeral
from volte.fair.stream import SECRET_BYTES

CONTRIBUTION_BYTES = 16
"""What a program adds; fewer could be guessed from their promise."""

LONGEST_CONTRIBUTION = 64
"""Bytes that a seat may add at most; more would add no chance."""

DIGEST_BYTES = 32


@dataclass(frozen=True, slots=True)
class Commitment:
    """What the house publishes before a deal.

    number: 1 for the first deal of the house, then one more each time.
    digest: SHA-256, 32 bytes.
    """

    number: int
    digest: bytes


def commit(
    number: int, secret: bytes, own: Mapping[int, bytes], previous: bytes = b""
) -> Commitment:
    """Commit to a secret of 32 bytes and to the bytes of the house's own seats.

    The digest is SHA-256 of `encode("volte commitment 1", number, previous, secret, seat,
    bytes, seat, bytes, …)`, where previous is the digest of number - 1, empty for number 1.

    `ValueError` on a secret of another length, a number below 1, a broken chain.
    """
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    if number < 1:
        raise ValueError(f"commitments are numbered from 1, and {number} is less")
    if len(previous) != (0 if number == 1 else 32):
        raise ValueError("number 1 follows no digest, and every later number one of 32 bytes")
    fields = (numeral(number), previous, secret, *by_seat(own))
    return Commitment(number, _digest(b"volte commitment 1", *fields))


def verify_commitment(
    commitment: Commitment, secret: bytes, own: Mapping[int, bytes], previous: bytes = b""
) -> bool:
    """Say whether the reveal keeps the commitment; a reveal that is malformed does not."""
    try:
        return commit(commitment.number, secret, own, previous) == commitment
    except ValueError:
        return False


def commit_bytes(number: int, seat: int, contribution: bytes) -> bytes:
    """Return the digest by which a person's program promises its bytes for deal `number`.

    SHA-256 of `encode("volte contribution 1", number, seat, bytes)`; the seat is in it so that
    nobody can promise a copy of a neighbour's. It hides only what cannot be guessed: the bytes
    must be random, and `ValueError` says so when there are fewer than 16.
    """
    if len(contribution) < CONTRIBUTION_BYTES:
        raise ValueError(f"a promise needs {CONTRIBUTION_BYTES} random bytes or more")
    return _digest(b"volte contribution 1", numeral(number), numeral(seat), contribution)


def verify_bytes(digest: bytes, number: int, seat: int, contribution: bytes) -> bool:
    """Say whether the bytes that a seat revealed are those it promised."""
    try:
        return commit_bytes(number, seat, contribution) == digest
    except ValueError:
        return False


def _digest(*fields: bytes) -> bytes:
    return hashlib.sha256(encode(*fields)).digest()
