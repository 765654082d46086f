"""SplitMix64: the published outputs, and fairness, by counts that would show a fault."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.reasons import because

from volte.cards import VolteError
from volte.fair import SplitMix64, split

words = st.integers(0, 2**64 - 1)

# The chi-square value with 23 degrees of freedom that chance passes once in a thousand.
LIMIT_23 = 49.73


def chi_square(counts: Counter[tuple[int, ...]]) -> float:
    """Chi-square distance of the counts of 24 kinds from equal frequency."""
    expected = counts.total() / 24
    return sum((counts[kind] - expected) ** 2 / expected for kind in permutations(range(4)))


class Scripted(SplitMix64):
    """A generator whose outputs are given: their top 32 bits."""

    def __init__(self, *tops: int) -> None:
        super().__init__(0)
        self.tops: Iterator[int] = iter(tops)

    def next(self) -> int:
        return next(self.tops) << 32 | 0xDEADBEEF


def test_reference_outputs() -> None:
    generator = SplitMix64(1234567)
    assert [generator.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(words, st.integers(1, 2**32 - 1))
def test_below_is_in_range(seed: int, n: int) -> None:
    assert 0 <= SplitMix64(seed).below(n) < n


@pytest.mark.parametrize("n", [-1, 0, 2**32])
def test_below_refuses_what_it_cannot_draw(n: int) -> None:
    with pytest.raises(VolteError, check=because("not_in_range")):
        SplitMix64(0).below(n)


def test_below_takes_the_top_bits_and_rejects_the_surplus() -> None:
    assert Scripted(2**32 - 1).below(3) == 2
    # 2**32 is 1 above a multiple of 3: one word, the 0, would favour the answer 0.
    assert Scripted(0, 2**31).below(3) == 1
    # With n = 2**31 + 1 nearly half of the words are surplus.
    n = 2**31 + 1
    rejected = [word for word in range(16) if (word * n) % 2**32 < (2**32 - n) % n]
    assert rejected
    assert Scripted(*rejected, 1).below(n) == n >> 32 == 0


def test_below_answers_equally_often_for_every_word() -> None:
    """All words of a narrow band: the accepted ones give each answer the same number of times."""
    n = 2**20 * 3
    words_of_first_three = range((3 << 32) // n + 1)
    answers: Counter[int] = Counter()
    for word in words_of_first_three:
        try:
            answers[Scripted(word).below(n)] += 1
        except StopIteration:
            answers[-1] += 1
    assert answers[0] == answers[1] == answers[2] == 2**32 // n


@given(words, st.integers(0, 120))
def test_permutation_is_one(seed: int, n: int) -> None:
    assert sorted(SplitMix64(seed).permutation(n)) == list(range(n))


@given(words, st.lists(st.integers()))
def test_shuffle_moves_the_items_as_permutation_says(seed: int, items: list[int]) -> None:
    order = SplitMix64(seed).permutation(len(items))
    shuffled = list(items)
    SplitMix64(seed).shuffle(shuffled)
    assert shuffled == [items[k] for k in order]


@given(words, st.lists(st.integers(), min_size=1))
def test_choice_is_one_of_the_items(seed: int, items: list[int]) -> None:
    assert SplitMix64(seed).choice(items) == items[SplitMix64(seed).below(len(items))]


def test_choice_of_nothing_is_refused() -> None:
    with pytest.raises(VolteError, check=because("nothing_to_choose")):
        SplitMix64(0).choice([])


@given(words, st.integers(0, 40))
def test_split_reaches_the_outputs_without_those_before(seed: int, index: int) -> None:
    generator = SplitMix64(seed)
    outputs = [generator.next() for _ in range(index + 1)]
    assert split(seed, index) == outputs[index]


@given(words, words, words)
def test_streams_of_one_seed_start_apart(seed: int, index: int, other: int) -> None:
    assert (split(seed, index) == split(seed, other)) == (index == other)


@pytest.mark.parametrize("value", [-1, 2**64, 1.5, "1", None])
def test_seeds_and_indices_are_words(value: Any) -> None:
    for make in (SplitMix64, lambda seed: split(seed, 0), lambda index: split(0, index)):
        with pytest.raises(VolteError, check=because("not_a_seed")) as caught:
            make(value)
        assert caught.value.params["given"] == repr(value)


def counted(draw: Callable[[int], tuple[int, ...]]) -> Counter[tuple[int, ...]]:
    return Counter(draw(trial) for trial in range(24_000))


def test_all_orders_of_four_are_equally_frequent() -> None:
    generator = SplitMix64(20250101)
    assert chi_square(counted(lambda _: generator.permutation(4))) < LIMIT_23
    assert chi_square(counted(lambda trial: SplitMix64(split(7, trial)).permutation(4))) < LIMIT_23


def test_the_same_count_finds_a_careless_shuffle() -> None:
    """Swapping with any place instead of one up to it, a classic mistake, is caught."""
    generator = SplitMix64(20250101)

    def careless(_: int) -> tuple[int, ...]:
        items = list(range(4))
        for i in range(4):
            j = generator.below(4)
            items[i], items[j] = items[j], items[i]
        return tuple(items)

    assert chi_square(counted(careless)) > 10 * LIMIT_23
