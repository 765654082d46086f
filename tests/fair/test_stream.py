"""The verifiable source: fair, and different as soon as one bit of its inputs is."""

import hashlib
import hmac
import math
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from kit.reasons import because

from volte.cards import VolteError
from volte.fair import Stream, deal_label, lot_label
from volte.fair.house import encode, numeral

secrets = st.binary(min_size=32, max_size=32)
seats = st.dictionaries(st.integers(0, 9), st.binary(max_size=20), max_size=7)
labels = st.one_of(
    st.builds(deal_label, st.integers(1, 40)),
    st.builds(lot_label, st.integers(1, 40), st.integers(1, 40)),
)
SECRET = bytes(range(32))


def decode(data: bytes) -> list[bytes]:
    fields = []
    while data:
        end = 4 + int.from_bytes(data[:4], "big")
        fields.append(data[4:end])
        data = data[end:]
    return fields


@given(st.lists(st.binary(max_size=300)))
def test_encoding_can_be_read_back_so_it_is_injective(fields: list[bytes]) -> None:
    assert decode(encode(*fields)) == fields


def test_a_negative_number_is_no_field() -> None:
    with pytest.raises(VolteError, check=because("negative_number")):
        numeral(-1)
    with pytest.raises(VolteError, check=because("negative_number")):
        Stream(SECRET, "deal 1", {-1: b""})


def test_a_key_of_another_length_is_refused() -> None:
    # HMAC fills short keys up with zeros, so that b"x" and b"x\0" would be one secret.
    with pytest.raises(VolteError, check=because("bytes_wrong")):
        Stream(SECRET[:31], "deal 1", {})


@given(secrets, labels, seats, st.integers(1, 2**32))
def test_below_is_in_range(secret: bytes, label: str, given_: dict[int, bytes], n: int) -> None:
    assert 0 <= Stream(secret, label, given_).below(n) < n


@pytest.mark.parametrize("n", [-1, 0, 2**32 + 1])
def test_below_refuses_what_it_cannot_draw(n: int) -> None:
    with pytest.raises(VolteError, check=because("not_in_range")):
        Stream(SECRET, "deal 1", {}).below(n)


def test_words_are_hmac_blocks_in_counter_mode() -> None:
    stream = Stream(SECRET, "deal 1", {2: b"two", 0: b"zero"})
    fields = (b"deal 1", b"0", b"zero", b"2", b"two")
    expected = b"".join(
        hmac.new(SECRET, encode(*fields, block), hashlib.sha256).digest() for block in (b"0", b"1")
    )
    assert b"".join(stream.below(2**32).to_bytes(4, "big") for _ in range(16)) == expected


def test_below_rejects_words_above_the_greatest_multiple() -> None:
    """With n = 2**31 + 1 nearly half of the words go; the others are the answers as they are."""
    n = 2**31 + 1
    raw = Stream(SECRET, "deal 1", {})
    words = [raw.below(2**32) for _ in range(200)]
    accepted = [word for word in words if word < n]
    assert 60 < len(accepted) < 140
    stream = Stream(SECRET, "deal 1", {})
    assert [stream.below(n) for _ in accepted] == accepted


@given(secrets, labels, seats, st.integers(0, 120))
def test_permutation_is_one(secret: bytes, label: str, given_: dict[int, bytes], n: int) -> None:
    assert sorted(Stream(secret, label, given_).permutation(n)) == list(range(n))


@given(secrets, labels, seats)
def test_the_order_of_the_seats_in_the_mapping_does_not_matter(
    secret: bytes, label: str, given_: dict[int, bytes]
) -> None:
    turned = dict(reversed(given_.items()))
    assert Stream(secret, label, given_).permutation(52) == Stream(
        secret, label, turned
    ).permutation(52)


@given(secrets, labels, st.dictionaries(st.integers(0, 6), st.binary(min_size=1)), st.data())
def test_any_bit_of_any_input_changes_the_order(
    secret: bytes, label: str, given_: dict[int, bytes], data: st.DataObject
) -> None:
    order = Stream(secret, label, given_).permutation(52)
    assert Stream(flipped(secret, data), label, given_).permutation(52) != order
    other = data.draw(labels)
    assume(other != label)
    assert Stream(secret, other, given_).permutation(52) != order
    for seat, share in given_.items():
        changed = given_ | {seat: flipped(share, data)}
        assert Stream(secret, label, changed).permutation(52) != order
        without = {at: given_[at] for at in given_ if at != seat}
        assert Stream(secret, label, without).permutation(52) != order


def flipped(value: bytes, data: st.DataObject) -> bytes:
    """Turn over one bit of the bytes, drawn at random."""
    bit = data.draw(st.integers(0, 8 * len(value) - 1))
    return bytes(byte ^ (1 << bit % 8) * (k == bit // 8) for k, byte in enumerate(value))


def test_bytes_that_move_from_one_seat_to_the_next_change_the_order() -> None:
    orders = {
        Stream(SECRET, "deal 1", given_).permutation(52)
        for given_ in ({0: b"ab", 1: b"c"}, {0: b"a", 1: b"bc"}, {0: b"abc", 1: b""}, {0: b"abc"})
    }
    assert len(orders) == 4


def test_every_card_comes_equally_often_to_the_top_and_the_bottom() -> None:
    trials = 5200
    orders = [Stream(SECRET, deal_label(n), {}).permutation(52) for n in range(1, trials + 1)]
    for place in (0, 51):
        counts = Counter(order[place] for order in orders)
        statistic = sum((counts[card] - 100) ** 2 / 100 for card in range(52))
        # 51 degrees of freedom: mean 51, deviation sqrt(102); four deviations either way.
        assert abs(statistic - 51) < 4 * math.sqrt(102)
