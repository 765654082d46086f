"""The verifiable source of chance: HMAC-SHA256 in counter mode (D3)."""

import hmac
import struct
from collections.abc import Iterator, Mapping

from volte.fair.chance import RandomSource

SECRET_BYTES = 32


def deal_label(number: int) -> str:
    """Return the label of deal `number`: "deal 3"."""
    return f"deal {number}"


def lot_label(number: int, draw: int) -> str:
    """Return the label of the draw-th lot, from 1, under commitment `number`: "lot 3.1"."""
    return f"lot {number}.{draw}"


class Stream(RandomSource):
    """Random words that nobody can foretell without the secret, and everybody can check with it.

    Block k, from 0, is HMAC-SHA256 with the secret as the key over `encode(label, seat, bytes,
    seat, bytes, …, k)`: seats in rising order, numbers in decimal digits. It is read as eight
    words of 32 bits, the highest byte first.

    secret: the key, 32 bytes (see `volte.fair.commit`).
    label: what is drawn; each label has a stream of its own.
    contributions: the bytes that each seat added; a seat left out added none.
    """

    __slots__ = ("_blocks", "_message", "_secret", "_words")

    def __init__(self, secret: bytes, label: str, contributions: Mapping[int, bytes]) -> None:
        """Start the stream; `ValueError` on a secret of another length or a negative seat."""
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
        self._secret = secret
        self._message = encode(label.encode(), *by_seat(contributions))
        self._blocks = 0
        self._words: list[int] = []  # what is left of the last block, back to front

    def below(self, n: int) -> int:
        """Return a number of `range(n)`, each equally likely, for n from 1 to 2**32.

        Takes words until one lies below the greatest multiple of n, and its remainder by n.
        """
        if not 0 < n <= 2**32:
            raise ValueError(f"can draw below 1 to 4294967296, not below {n}")
        limit = 2**32 - 2**32 % n
        while True:
            word = self._word()
            if word < limit:
                return word % n

    def _word(self) -> int:
        if not self._words:
            message = self._message + encode(numeral(self._blocks))
            block = hmac.digest(self._secret, message, "sha256")
            self._words = [*reversed(struct.unpack(">8I", block))]
            self._blocks += 1
        return self._words.pop()


def encode(*fields: bytes) -> bytes:
    r"""Join the fields, each after its length in four bytes, the highest first.

    Injective: different lists of fields never give the same bytes.

    >>> encode(b"cut", b"")
    b'\x00\x00\x00\x03cut\x00\x00\x00\x00'
    """
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def numeral(value: int) -> bytes:
    """Return a number from 0 as a field: its decimal digits; `ValueError` when it is negative."""
    if value < 0:
        raise ValueError(f"numbers of deals, draws and seats are not negative, as {value} is")
    return str(value).encode()


def by_seat(contributions: Mapping[int, bytes]) -> Iterator[bytes]:
    """Yield two fields a seat, its number and its bytes, the lowest seat first."""
    for seat in sorted(contributions):
        yield numeral(seat)
        yield contributions[seat]
