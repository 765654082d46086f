"""How values become bytes before they are hashed: one way only, so that no two read alike."""

from collections.abc import Iterator, Mapping


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
