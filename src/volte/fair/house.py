"""The house: one machine that deals, and can prove afterwards that it dealt fairly (D3).

Before a deal the house commits to its secret and to the bytes of the seats it speaks for (the
bots'), under a number and over the digest before: no value can be changed, and no deal dropped,
unseen. A person's program commits to its own bytes before any are revealed, so that nobody waits
to see what the others give.
"""

import hashlib
import hmac
import secrets
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from volte.cards import VolteError
from volte.fair.chance import RandomSource, read_seed

SECRET_BYTES = 32
CONTRIBUTION_BYTES = 16  # bytes that a program adds; fewer could be guessed from their digest
LONGEST_CONTRIBUTION = 64  # bytes that a seat may add at most; more would add no chance
DIGEST_BYTES = 32


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
    words of 32 bits, the highest byte first: HMAC in counter mode.

    secret: the key, 32 bytes (see `volte.fair.commit`).
    label: what is drawn; each label has a stream of its own.
    contributions: the bytes that each seat added; a seat left out added none.
    """

    __slots__ = ("_blocks", "_message", "_secret", "_words")

    def __init__(self, secret: bytes, label: str, contributions: Mapping[int, bytes]) -> None:
        """Start the stream; `VolteError` on a secret of another length or a negative seat."""
        if len(secret) != SECRET_BYTES:
            raise VolteError("bytes_wrong", name="secret", due=SECRET_BYTES, given=len(secret))
        self._secret = secret
        self._message = encode(label.encode(), *by_seat(contributions))
        self._blocks = 0
        self._words: list[int] = []  # what is left of the last block, back to front

    def below(self, n: int) -> int:
        """Return a number of `range(n)`, each equally likely, for n from 1 to 2**32.

        Takes words until one lies below the greatest multiple of n, and its remainder by n.
        """
        if not 0 < n <= 2**32:
            raise VolteError("not_in_range", name="n", value=n, least=1, most=2**32)
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
    """Return a number from 0 as a field: its decimal digits; `VolteError` when it is negative."""
    if value < 0:
        raise VolteError("negative_number", value=value)
    return str(value).encode()


def by_seat(contributions: Mapping[int, bytes]) -> Iterator[bytes]:
    """Yield two fields a seat, its number and its bytes, the lowest seat first."""
    for seat in sorted(contributions):
        yield numeral(seat)
        yield contributions[seat]


@dataclass(frozen=True, slots=True)
class Commitment:
    """The number and the digest that the house publishes before a deal."""

    number: int  # 1 for the first deal of the house, then one more each time
    digest: bytes  # SHA-256, 32 bytes


def commit(
    number: int,
    secret: bytes,
    own: Mapping[int, bytes],
    previous: bytes = b"",
    cards: bytes | None = None,
) -> Commitment:
    """Commit to a secret of 32 bytes and to the bytes of the house's own seats.

    The digest is SHA-256 of `encode("volte commitment 1", number, previous, secret, seat,
    bytes, seat, bytes, …)`, where previous is the digest of number - 1, empty for number 1.

    Where the cards are given and not drawn, it is SHA-256 of `encode("volte given cards 1",
    number, previous, cards, secret, seat, bytes, …)`.

    cards: the digest by `digest_of_cards`; the secret hides what it could tell of the cards.

    `VolteError` on a secret of another length, a number below 1, a broken chain.
    """
    if len(secret) != SECRET_BYTES:
        raise VolteError("bytes_wrong", name="secret", due=SECRET_BYTES, given=len(secret))
    if number < 1:
        raise VolteError("commitment_number", number=number)
    if len(previous) != (0 if number == 1 else 32):
        raise VolteError("commitment_chain")
    label = b"volte commitment 1" if cards is None else b"volte given cards 1"
    given = () if cards is None else (cards,)
    return Commitment(
        number, _digest(label, numeral(number), previous, *given, secret, *by_seat(own))
    )


def digest_of_cards(hands: Sequence[Collection[int]], kitty: Collection[int]) -> bytes:
    """Return the digest of the cards of a deal, where they are given and not drawn.

    SHA-256 of `encode("volte cards 1", hand, hand, …, kitty)`, where each is `encode` of the places
    of its cards in the unshuffled deck, rising.

    hands: from the dealer's left on.
    """
    piles = (encode(*map(numeral, sorted(pile))) for pile in (*hands, kitty))
    return _digest(b"volte cards 1", *piles)


def commit_bytes(number: int, seat: int, contribution: bytes) -> bytes:
    """Return the digest by which a person's program promises its bytes for deal `number`.

    SHA-256 of `encode("volte contribution 1", number, seat, bytes)`; the seat is in it so that
    nobody can promise a copy of a neighbour's. It hides only what cannot be guessed: the bytes
    must be random, and `VolteError` says so when there are fewer than 16.
    """
    if len(contribution) < CONTRIBUTION_BYTES:
        raise VolteError("contribution_short", least=CONTRIBUTION_BYTES)
    return _digest(b"volte contribution 1", numeral(number), numeral(seat), contribution)


def verify_bytes(digest: bytes, number: int, seat: int, contribution: bytes) -> bool:
    """Say whether the bytes that a seat revealed are those it promised."""
    try:
        return commit_bytes(number, seat, contribution) == digest
    except ValueError:
        return False


def _digest(*fields: bytes) -> bytes:
    return hashlib.sha256(encode(*fields)).digest()


@dataclass(frozen=True, slots=True)
class House:
    """Everything a house will ever draw, from 32 bytes; it keeps no other state.

    For each number, from 1: publish `commitment`, collect the contributions, draw `order` and
    any `lot`, and when the time has come (the next cut, or the settlement) show
    `secret`. A house rebuilt from the same master goes on with the same values.
    """

    # 32 bytes, never shown to anybody; no revealed secret gives them away
    master: bytes = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse, with `VolteError`, a master of another length."""
        if len(self.master) != SECRET_BYTES:
            raise VolteError("bytes_wrong", name="master", due=SECRET_BYTES, given=len(self.master))

    @classmethod
    def fresh(cls) -> "House":
        """Return a house that nobody can foretell, from the system's own randomness."""
        return cls(secrets.token_bytes(SECRET_BYTES))

    @classmethod
    def from_seed(cls, seed: int | str) -> "House":
        """Return the house of a seed, always the same; 7 and "7" are one seed.

        Any text is one, and any whole number; `VolteError` `not_a_seed` for all else.
        """
        text = str(seed if isinstance(seed, int | str) else read_seed(seed))
        return cls(_digest(b"volte seed 1", text.encode(errors="surrogatepass")))

    def secret(self, number: int) -> bytes:
        """Return the 32 bytes behind commitment `number`, to be revealed after the deal."""
        return self._derive(b"volte secret 1", number)

    def contribution(self, number: int, seat: int) -> bytes:
        """Return the 16 bytes that the house adds for a seat: a bot's, or an absent person's.

        Only for seats that the commitment covers: had the house the choice afterwards whether
        to speak for a seat, it could deal twice and keep what it likes better.
        """
        return self._derive(b"volte share 1", number, seat)[:CONTRIBUTION_BYTES]

    def contributions(self, number: int, seats: Iterable[int]) -> dict[int, bytes]:
        """Return the bytes that the house adds, by seat, for the seats it speaks for."""
        return {seat: self.contribution(number, seat) for seat in seats}

    def commitment(
        self,
        number: int,
        seats: Iterable[int],
        previous: bytes = b"",
        cards: bytes | None = None,
    ) -> Commitment:
        """Commit to the secret and to the bytes of the seats that the house speaks for.

        previous: the digest of commitment number - 1, empty for number 1.
        cards: the digest of the cards, where they are given and not drawn.
        """
        own = self.contributions(number, seats)
        return commit(number, self.secret(number), own, previous, cards)

    def order(self, number: int, contributions: Mapping[int, bytes], cards: int) -> tuple[int, ...]:
        """Shuffle the deal: which card of the full deck, in its canonical order, lies k-th.

        contributions: those of all seats, the house's and the people's; a seat left out added
        none. cards: the number of cards in the deck.
        """
        stream = Stream(self.secret(number), deal_label(number), contributions)
        return stream.permutation(cards)

    def lot(
        self, number: int, draw: int, contributions: Mapping[int, bytes], cards: int
    ) -> tuple[int, ...]:
        """Shuffle a pack to draw lots from (D1, M2, M5); each draw takes the top card left.

        draw: 1, 2, … for the lots under one number; a tie is redrawn from the next pack.
        """
        stream = Stream(self.secret(number), lot_label(number, draw), contributions)
        return stream.permutation(cards)

    def _derive(self, purpose: bytes, *numbers: int) -> bytes:
        return hmac.digest(self.master, encode(purpose, *map(numeral, numbers)), "sha256")
