"""One machine that deals for itself and can prove it; its commitments bind, and chain."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.reasons import because

from volte.cards import VolteError
from volte.fair import Commitment, House, commit, commit_bytes, verify_bytes

numbers = st.integers(1, 10_000)
HOUSE = House.from_seed("a quiet evening")


def keeps(
    commitment: Commitment, secret: bytes, own: Mapping[int, bytes], previous: bytes = b""
) -> bool:
    """Whether the reveal keeps the commitment; a reveal that is malformed does not."""
    try:
        return commit(commitment.number, secret, own, previous) == commitment
    except ValueError:
        return False


@given(st.binary(min_size=32, max_size=32), numbers)
def test_a_house_rebuilt_from_its_master_goes_on_alike(master: bytes, number: int) -> None:
    one, other = House(master), House(master)
    shares = one.contributions(number, range(4))
    assert one.commitment(1, range(4)) == other.commitment(1, range(4))
    assert one.order(number, shares, 52) == other.order(number, shares, 52)


@given(numbers, st.sets(st.integers(0, 9)))
def test_the_commitment_covers_the_secret_and_the_seats_of_the_house(
    number: int, seats: set[int]
) -> None:
    before = b"" if number == 1 else bytes(32)
    made = HOUSE.commitment(number, seats, before)
    shares = {seat: HOUSE.contribution(number, seat) for seat in seats}
    assert shares == HOUSE.contributions(number, seats)
    assert made == commit(number, HOUSE.secret(number), shares, before)
    assert keeps(made, HOUSE.secret(number), shares, before)


def test_every_value_is_a_value_of_its_own() -> None:
    shares = [HOUSE.contribution(number, seat) for number in range(1, 30) for seat in range(7)]
    secrets = [HOUSE.secret(number) for number in range(1, 30)]
    assert len(set(shares)) == 29 * 7
    assert len(set(secrets)) == 29
    assert not {secret[:16] for secret in secrets} & set(shares)
    assert {len(share) for share in shares} == {16}
    assert {len(secret) for secret in secrets} == {32}


def test_D3_what_a_person_adds_changes_the_order() -> None:
    shares = HOUSE.contributions(1, [1, 2, 3])
    orders = {HOUSE.order(1, shares | {0: cut}, 52) for cut in (b"", b"thin", b"thick")}
    assert len(orders | {HOUSE.order(1, shares, 52)}) == 4


def test_deals_and_lots_are_drawn_apart() -> None:
    shares = HOUSE.contributions(1, range(4))
    lots = {HOUSE.lot(1, draw, shares, 52) for draw in (1, 2, 3)}
    assert len(lots | {HOUSE.order(1, shares, 52), HOUSE.order(2, shares, 52)}) == 5
    assert all(sorted(lot) == list(range(52)) for lot in lots)


def test_seeds() -> None:
    assert House.from_seed(7) == House.from_seed("7") != House.from_seed(8)
    assert House.fresh() != House.fresh()


def test_the_master_does_not_show_in_messages() -> None:
    assert repr(HOUSE) == "House()"


def test_a_master_of_another_length_is_refused() -> None:
    with pytest.raises(VolteError, check=because("bytes_wrong")):
        House(b"abc")


# Commitments

SECRET = bytes(range(32))
OWN = {1: b"b" * 16, 2: b"c" * 16}
FIRST = commit(1, SECRET, OWN)
SECOND = commit(2, SECRET, OWN, FIRST.digest)


def flip(value: bytes, bit: int) -> bytes:
    number = int.from_bytes(value, "big") ^ (1 << bit)
    return number.to_bytes(len(value), "big")


def test_the_true_reveal_keeps_the_commitment() -> None:
    assert keeps(FIRST, SECRET, OWN)
    assert keeps(SECOND, SECRET, OWN, FIRST.digest)


@given(st.integers(0, 255))
def test_any_bit_of_the_secret_or_the_digest_before_breaks_it(bit: int) -> None:
    assert not keeps(SECOND, flip(SECRET, bit), OWN, FIRST.digest)
    assert not keeps(SECOND, SECRET, OWN, flip(FIRST.digest, bit))
    assert not keeps(Commitment(2, flip(SECOND.digest, bit)), SECRET, OWN, FIRST.digest)


@given(st.sampled_from([1, 2]), st.integers(0, 127))
def test_any_bit_of_the_house_s_own_bytes_breaks_it(seat: int, bit: int) -> None:
    assert not keeps(FIRST, SECRET, OWN | {seat: flip(OWN[seat], bit)})


def test_a_seat_more_less_or_exchanged_breaks_it() -> None:
    assert not keeps(FIRST, SECRET, OWN | {3: b""})
    assert not keeps(FIRST, SECRET, {1: OWN[1]})
    assert not keeps(FIRST, SECRET, {1: OWN[2], 2: OWN[1]})
    assert keeps(FIRST, SECRET, {2: OWN[2], 1: OWN[1]})


def test_another_number_breaks_it() -> None:
    assert not keeps(Commitment(3, SECOND.digest), SECRET, OWN, FIRST.digest)


@pytest.mark.parametrize(
    ("number", "secret", "previous", "reason"),
    [
        (1, SECRET[:31], b"", "bytes_wrong"),
        (0, SECRET, b"", "commitment_number"),
        (1, SECRET, FIRST.digest, "commitment_chain"),
        (2, SECRET, b"", "commitment_chain"),
    ],
)
def test_malformed_commitments_are_neither_made_nor_verified(
    number: int, secret: bytes, previous: bytes, reason: str
) -> None:
    with pytest.raises(VolteError, check=because(reason)):
        commit(number, secret, OWN, previous)
    assert not keeps(Commitment(number, FIRST.digest), secret, OWN, previous)


@given(st.binary(min_size=16, max_size=40), st.integers(0, 127))
def test_a_person_s_promise_binds_number_seat_and_bytes(mine: bytes, bit: int) -> None:
    promise = commit_bytes(3, 1, mine)
    assert verify_bytes(promise, 3, 1, mine)
    assert not verify_bytes(promise, 4, 1, mine)
    assert not verify_bytes(promise, 3, 2, mine)
    assert not verify_bytes(promise, 3, 1, flip(mine, bit))


def test_a_promise_that_can_be_guessed_is_none() -> None:
    with pytest.raises(VolteError, check=because("contribution_short")):
        commit_bytes(1, 0, b"hello")
    assert not verify_bytes(b"", 1, 0, b"hello")
