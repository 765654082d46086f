"""Deals side by side, a card at a time: players, refusals, and settings that change nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit import because, rulesets, seeds
from kit.kernels import Table, any_table
from numpy.typing import NDArray

from volte.bots import compiled
from volte.cards import CARDS, cards_in
from volte.kernel import DEAL, RANDOM_POLICY, KernelFault, Records
from volte.kernel.batch import Batch, Observations
from volte.rules import Ruleset, Value, make_ruleset

PRESET = make_ruleset("dame-de-pique")
TINY_DECK: Final[dict[str, Value]] = {
    "removed": [str(card) for card in CARDS[:44]],
    "pass_count": 1,
}
TINY = make_ruleset("coeurs", TINY_DECK)
"""Rules with two cards in each hand, one of them passed."""

CASUAL = compiled("casual")

randoms = st.randoms(use_true_random=False)


def choose(batch: Batch, rng: random.Random) -> NDArray[np.int64]:
    """A legal card in every row; any number if the deal is over."""
    hands = [cards_in(int(mask)) for mask in batch.legal]
    return np.array([rng.choice(hand).index if hand else rng.randrange(-9, 99) for hand in hands])


def lowest(batch: Batch) -> NDArray[np.int64]:
    """The lowest legal card in every row; -1 if the deal is over."""
    return np.array([(int(mask) & -int(mask)).bit_length() - 1 for mask in batch.legal])


def told(deals: Records) -> dict[str, list[Any]]:
    """The fields of all rows, without `trick`, which may hold old cards without meaning."""
    return {name: deals[name].tolist() for name in DEAL.names or () if name != "trick"}


def all_of(batch: Batch) -> list[Any]:
    """All arrays of a batch."""
    arrays: list[NDArray[Any]] = [batch.legal, batch.finished, batch.outcomes, *batch.observe()]
    return [told(batch.deals), *(array.tobytes() for array in arrays)]


# Deals and their ends


@given(any_table(), seeds, randoms)
def test_the_deals_end_as_in_the_readable_engine(
    rules: Ruleset, seed: int, rng: random.Random
) -> None:
    batch, tables = Batch(rules, 3, seed), [Table(rules, seed, row) for row in range(3)]
    while batch.legal.any():
        cards = choose(batch, rng)
        going = [row for row in range(3) if not tables[row].is_over]
        for row in going:
            assert tables[row].turn == batch.turn[row]
            assert tables[row].legal.mask == batch.legal[row]
            tables[row].play(CARDS[cards[row]])
        batch.step(cards)
        ended = [row for row in going if tables[row].is_over]
        assert np.flatnonzero(batch.finished).tolist() == ended
        for row in ended:
            points = batch.outcomes["points"][row, : rules.players]
            assert tuple(points.tolist()) == tables[row].points
    assert all(table.is_over for table in tables)


def test_a_deal_that_is_over_stays_as_it_is() -> None:
    batch = Batch(TINY, 2, seed=1)
    while batch.legal.any():
        batch.step(lowest(batch))
    assert batch.finished.all()
    before = told(batch.deals), batch.outcomes.tobytes()
    batch.step(np.array([0, 99]))
    assert not batch.finished.any()
    assert (told(batch.deals), batch.outcomes.tobytes()) == before


def test_again_deal_i_is_followed_by_deal_i_plus_size() -> None:
    """Each row in its own time: one row passes a card, and the other one never does."""
    rules = make_ruleset("coeurs", {**TINY_DECK, "pass_cycle": ["left", "hold"]})
    batch, deals = Batch(rules, 2, seed=7, again=True), Batch(rules, 8, seed=7).deals
    ends = [0, 0]
    for _ in range(24):
        batch.step(lowest(batch))
        for row in np.flatnonzero(batch.finished):
            assert batch.outcomes["dealer"][row] == deals["dealer"][row + 2 * ends[row]]
            ends[row] += 1
            following = row + 2 * ends[row]
            assert told(batch.deals[[row]]) == told(deals[[following]])
    assert ends == [2, 3]


@pytest.mark.parametrize("threads", [1, 2])
def test_some_rows_go_on_while_the_others_wait(threads: int) -> None:
    """Cards of waiting rows do not matter; each deal ends as if all had gone on together."""
    policies = [None, CASUAL, None, RANDOM_POLICY]
    batch, other = (Batch(PRESET, 5, 3, policies=policies, threads=threads) for _ in range(2))
    while other.legal.any():
        other.step(lowest(other))
    rng = np.random.default_rng(3)
    while batch.legal.any():
        rows, before = rng.random(5) < 0.5, (batch.deals.copy(), batch.legal.copy())
        batch.step(np.where(rows, lowest(batch), -9), rows)
        assert told(batch.deals[~rows]) == told(before[0][~rows])
        assert (batch.legal[~rows] == before[1][~rows]).all()
        assert not batch.finished[~rows].any()
    assert batch.outcomes.tobytes() == other.outcomes.tobytes()


def test_rows_can_be_dealt_anew_by_hand() -> None:
    batch, deals = Batch(TINY, 3, seed=7), Batch(TINY, 6, seed=7).deals
    batch.renew(np.array([False, True, False]))
    assert told(batch.deals) == told(deals[[0, 4, 2]])
    assert batch.legal.tolist() == [int(deal["hands"][0]) for deal in batch.deals]


def test_reset_deals_as_a_new_batch_does() -> None:
    batch = Batch(PRESET, 3, seed=1)
    batch.step(lowest(batch))
    batch.reset(2)
    assert all_of(batch) == all_of(Batch(PRESET, 3, seed=2))


# Players


@given(rulesets(), seeds, randoms, st.booleans())
def test_seats_with_a_policy_play_by_themselves(
    rules: Ruleset, seed: int, rng: random.Random, rotate: bool
) -> None:
    """Their cards are the ones they would play if they were asked."""
    outside = rng.sample(range(rules.players), rng.randint(1, rules.players))
    policies = [None if seat in outside else RANDOM_POLICY for seat in range(rules.players)]
    batch = Batch(rules, rules.players + 1, seed, policies=policies, rotate=rotate)
    tables = {row: Table(rules, seed, row) for row in (rules.players - 1, rules.players)}
    going = True
    while going:
        for row, table in tables.items():
            assert batch.moved[row] == (1 if rotate and row == rules.players else 0)
            play_until(table, [(seat + batch.moved[row]) % rules.players for seat in outside])
            assert batch.legal[row] == (0 if table.is_over else table.legal.mask)
            assert seen(batch, row) == [part.tolist() for part in table.observe(0)]
        cards = choose(batch, rng)
        for row, table in tables.items():
            if not table.is_over:
                table.play(CARDS[cards[row]])
        going = bool(batch.legal.any())
        batch.step(cards)


def play_until(table: Table, outside: list[int]) -> None:
    """Let all other seats play at random, until one of those seats is on turn."""
    while not table.is_over and table.turn not in outside:
        table.play_at_random()


def seen(batch: Batch, row: int) -> list[Any]:
    """The observation of seat 0 in that row."""
    arrays: list[NDArray[Any]] = [*batch.observe(np.zeros(batch.size, np.int64))]
    return [array[row].tolist() for array in arrays]


def test_a_deal_that_policies_end_is_followed_by_another() -> None:
    policies = [None, RANDOM_POLICY, RANDOM_POLICY, RANDOM_POLICY]
    batch = Batch(TINY, 4, seed=3, again=True, policies=policies)
    ends = np.zeros(4, np.int64)
    for _ in range(30):
        assert (batch.turn == 0).all()
        assert batch.legal.all()
        batch.step(lowest(batch))
        ends += batch.finished
        assert batch.deals["number"].tolist() == (1 + np.arange(4) + 4 * ends).tolist()
        assert (batch.outcomes["points"].sum(axis=1)[batch.finished] > 0).all()
    assert ends.min() == 10  # a card to pass and two to play


@pytest.mark.parametrize("policies", [[CASUAL, None], [CASUAL] * 4, [None, None, None, "casual"]])
def test_policies_that_fit_no_table_are_refused(policies: list[Any]) -> None:
    with pytest.raises(KernelFault):
        Batch(PRESET, 1, policies=policies)


# Threads


@pytest.mark.parametrize("threads", [2, 3, 16])
def test_the_number_of_threads_does_not_matter(threads: int) -> None:
    assert CASUAL is not None
    policies = [RANDOM_POLICY, None, CASUAL, None]
    one = Batch(PRESET, 10, 5, again=True, policies=policies)
    many = Batch(PRESET, 10, 5, again=True, policies=policies, threads=threads)
    for step in range(40):
        assert all_of(many) == all_of(one)
        cards = lowest(one)
        one.step(cards)
        many.step(cards)
        if step % 20 == 7:
            rows = np.arange(10) % 3 == 0
            one.renew(rows)
            many.renew(rows)


@pytest.mark.parametrize("threads", [1, 2])
def test_one_card_that_is_not_legal_changes_nothing_anywhere(threads: int) -> None:
    batch = Batch(PRESET, 4, seed=2, threads=threads)
    batch.step(lowest(batch))
    before = all_of(batch)
    for card in (-1, 54, 2**40, next(c for c in range(54) if not int(batch.legal[3]) >> c & 1)):
        cards = lowest(batch)
        cards[3] = card
        with pytest.raises(KernelFault) as refusal:
            batch.step(cards)
        assert refusal.value.reason == "kernel_not_legal"
        assert refusal.value.params == {"row": 3, "card": card}
        assert all_of(batch) == before


# What is given and what is told


@pytest.mark.parametrize(
    "cards", [np.zeros(3, int), np.zeros((1, 4), int), np.zeros(4), [0, 0, 0, 0], None]
)
def test_cards_of_the_wrong_shape_or_kind_are_refused(cards: Any) -> None:
    batch = Batch(PRESET, 4)
    with pytest.raises(KernelFault, check=because("kernel_array")):
        batch.step(cards)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64])
def test_any_whole_numbers_will_do(kind: type[Any]) -> None:
    batch, usual = Batch(PRESET, 4), Batch(PRESET, 4)
    batch.step(np.repeat(lowest(batch).astype(kind), 2)[::2])
    usual.step(lowest(usual))
    assert all_of(batch) == all_of(usual)


@pytest.mark.parametrize("name", ["deals", "legal", "finished", "outcomes", "turn"])
def test_what_a_batch_shows_cannot_be_changed(name: str) -> None:
    shown = getattr(Batch(PRESET, 2), name)
    with pytest.raises(ValueError, match="read-only"):
        shown[:] = 0


def test_observations_are_written_where_there_is_room_for_them() -> None:
    batch = Batch(PRESET, 4, seed=1)
    room = Observations.room(players=4, rows=4)
    assert batch.observe(out=room) is room
    for name, due in batch.observe()._asdict().items():
        assert getattr(room, name).tolist() == due.tolist()


def _strided(room: Observations) -> Observations:
    return room._replace(cards=np.repeat(room.cards, 2, axis=2)[:, :, ::2])


def _locked(room: Observations) -> Observations:
    room.mask.flags.writeable = False
    return room


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: Observations.room(players=4, rows=3),
        lambda _: Observations.room(players=3, rows=4),
        lambda room: room._replace(situation=room.situation.astype(np.int32)),
        lambda room: room._replace(mask=None),
        _strided,
        _locked,
    ],
)
def test_other_room_is_refused(spoil: Callable[[Observations], Observations]) -> None:
    room = spoil(Observations.room(players=4, rows=4))
    with pytest.raises(KernelFault, check=because("kernel_array")):
        Batch(PRESET, 4).observe(out=room)


@pytest.mark.parametrize("seat", [-1, 4])
def test_nobody_looks_from_where_no_seat_is(seat: int) -> None:
    with pytest.raises(KernelFault, check=because("kernel_seat")):
        Batch(PRESET, 2).observe(np.array([0, seat]))


@pytest.mark.parametrize(
    "arguments", [{"size": 0}, {"size": 1, "seed": -1}, {"size": 1, "threads": 0}]
)
def test_numbers_out_of_range_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(KernelFault, check=because("kernel_range")):
        Batch(PRESET, **arguments)
