"""One machine that deals for itself and can prove it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from volte.fair import House, commit, verify_commitment

numbers = st.integers(1, 10_000)
HOUSE = House.from_seed("a quiet evening")


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
    assert verify_commitment(made, HOUSE.secret(number), shares, before)


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
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        House(b"abc")
