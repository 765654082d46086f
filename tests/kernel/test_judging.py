"""Rows given to the kernel are positions that it can play, or are refused by name."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from kit import because, deal_of, seeds
from kit.kernels import any_table, run_python
from kit.mutants import check_outcomes, mutant, noise, reached, rows_of, some_policies, verdict
from kit.stanzas import read_stanza, stanzas
from kit.strategies import few

from volte import kernel
from volte.cards import mask_of, read_cards
from volte.kernel.batch import Batch
from volte.kernel.compiler import INTERPRETED
from volte.kernel.encoding import FAULTS, MOST_WEIGHT
from volte.rules import Ruleset, make_ruleset

SALON: Final = make_ruleset("salon")

EXAMPLES: Final = 10 if INTERPRETED else few(15, 40)


# Positions


@settings(max_examples=EXAMPLES)
@given(any_table(), seeds)
def test_every_position_of_a_match_is_played_to_lawful_points(rules: Ruleset, seed: int) -> None:
    rows = rows_of(reached(rules, seed))[:: 17 if INTERPRETED else 1]
    before = rows.tobytes()
    policies = some_policies(rules, random.Random(seed))
    assert len(kernel.choices(rules, rows, policies)) == len(rows)
    check_outcomes(rules, kernel.play_on(rules, rows, policies))
    assert rows.tobytes() == before


@settings(max_examples=EXAMPLES)
@given(any_table(), seeds)
def test_what_is_no_position_is_refused_or_played_to_lawful_points(
    rules: Ruleset, seed: int
) -> None:
    rows, rng = rows_of(reached(rules, seed)), random.Random(seed)
    for _ in range(50):
        row = noise(rng) if rng.random() < 0.1 else mutant(rows, rng)
        assert verdict(rules, row, some_policies(rules, rng)).startswith(("kernel_", "played"))


MUTANTS: Final = ("-X", "faulthandler", "-m", "kit.mutants")
"""Command of a process that prints the verdicts on so many mutants of a seed."""


def test_nothing_is_read_out_of_bounds_in_plain_python() -> None:
    found = {*run_python(*MUTANTS, few("120", "300"), "2", NUMBA_DISABLE_JIT="1").split()}
    refused = {fault.reason for fault in FAULTS.values()}
    assert "played" in found
    assert found & refused
    assert found <= {"played", *refused}


@pytest.mark.full
def test_nothing_is_read_out_of_bounds_in_compiled_code() -> None:
    found = {*run_python(*MUTANTS, "30000", "1", NUMBA_BOUNDSCHECK="1").split()}
    assert found == {"played", *(fault.reason for fault in FAULTS.values())}


# Each reason


def put(row: np.void, place: str, value: str) -> None:
    """Put a number, or cards, into a field or into a seat's place of it."""
    name, _, seat = place.partition(" ")
    number = int(value) if value.lstrip("-").isdigit() else mask_of(read_cards(value))
    if seat:
        row[name][int(seat)] = number
    else:
        row[name] = number


@pytest.mark.parametrize("text", stanzas(__file__, "rows.txt"))
def test_a_row_is_refused_by_name(text: str) -> None:
    stanza = read_stanza(text)
    deal = deal_of(stanza.state)
    for line in stanza.lines:
        changes, _, reason = line.partition(" ! ")
        rows = np.repeat(kernel.position(deal), 3)
        kernel.play_on(deal.rules, rows)
        for change in changes.split(", "):
            put(rows[1], *change.split(" = "))
        for door in (kernel.play_on, kernel.choices):
            with pytest.raises(kernel.KernelFault) as caught:
                door(deal.rules, rows)
            assert (caught.value.reason, caught.value.params) == (reason, {"row": 1}), line


def test_every_reason_has_an_example() -> None:
    shown = set(re.findall(" ! (.*)", Path(__file__).with_name("rows.txt").read_text("utf-8")))
    assert shown == {fault.reason for fault in FAULTS.values()}


# Other invalid arguments

ROW: Final = np.zeros(1, kernel.DEAL)
CASUAL: Final = kernel.Policy.casual({"lead": 5})


@pytest.mark.parametrize("door", [kernel.play_on, kernel.choices])
@pytest.mark.parametrize(
    "rows",
    [
        *(None, "rows", 7, [ROW], ROW[0], np.zeros((1, 1), kernel.DEAL)),
        *(np.zeros(3, kind) for kind in (np.float64, np.uint8, object)),
        *(np.zeros(3, kind) for kind in (kernel.DEAL.descr[1:], kernel.DEAL.newbyteorder())),
    ],
    ids=str,
)
def test_rows_are_an_array_of_deals(door: Callable[..., object], rows: Any) -> None:
    with pytest.raises(kernel.KernelFault, check=because("kernel_deals")):
        door(SALON, rows)


def test_rows_may_lie_anyhow_in_memory() -> None:
    rows = rows_of(reached(SALON, 1)[:9])
    due = kernel.play_on(SALON, rows[::2].copy())
    records, reading = rows.view(np.recarray), rows.copy()
    reading.flags.writeable = False
    for lying in (rows[::2], records[::2], reading[::2], rows[::-2][::-1]):
        assert kernel.play_on(SALON, lying).tobytes() == due.tobytes()


@pytest.mark.parametrize("rules", [None, "salon", {"players": 4}, [], 4])
def test_rules_are_a_ruleset(rules: Any) -> None:
    for door in (
        lambda: kernel.play_deals(rules, 1, 1),
        lambda: kernel.play_matches(rules, 1, 1),
        lambda: kernel.play_on(rules, ROW),
        lambda: kernel.choices(rules, ROW),
        lambda: Batch(rules, 1),
    ):
        with pytest.raises(kernel.KernelFault, check=because("wrong_type")):
            door()


@pytest.mark.parametrize("number", [None, "1", 1.0, np.float64(1), [1], np.zeros(2, np.int64)])
@pytest.mark.parametrize("name", ["seed", "deals", "first", "threads"])
def test_numbers_are_whole(name: str, number: Any) -> None:
    usual: dict[str, Any] = {"seed": 1, "deals": 1}
    for door in (kernel.play_deals, kernel.play_matches):
        given_numbers = {**usual, name: number}
        if door is kernel.play_matches:
            given_numbers["matches"] = given_numbers.pop("deals")
        with pytest.raises(kernel.KernelFault, check=because("wrong_type")):
            door(SALON, **given_numbers)


@pytest.mark.parametrize(
    "numbers",
    [
        *({"seed": -1}, {"seed": 2**64}, {"deals": -1}, {"first": -1}, {"first": 2**62 + 1}),
        *({"threads": 0}, {"threads": 10**6}),
    ],
    ids=str,
)
def test_numbers_are_in_range(numbers: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"seed": 1, "deals": 1}
    with pytest.raises(kernel.KernelFault, check=because("kernel_range")):
        kernel.play_deals(SALON, **{**usual, **numbers})


@pytest.mark.parametrize("seed", [-1, 2**64, 0.5, None])
def test_a_position_has_a_seed(seed: Any) -> None:
    with pytest.raises(kernel.KernelFault):
        kernel.position(reached(SALON, 1)[0], seed)


def test_numbers_of_NumPy_are_numbers() -> None:
    due = kernel.play_deals(SALON, 200, 300, first=250)
    own = kernel.play_deals(SALON, np.uint8(200), np.int16(300), first=np.uint8(250))  # type: ignore[arg-type]
    assert own.tobytes() == due.tobytes()


@pytest.mark.parametrize(
    ("policies", "reason"),
    [
        (None, "wrong_type"),
        ("four", "wrong_type"),
        (7, "wrong_type"),
        ([kernel.RANDOM_POLICY] * 3, "kernel_policies"),
        ([kernel.RANDOM_POLICY] * 5, "kernel_policies"),
        ([None] * 4, "kernel_policy"),
        (["casual"] * 4, "kernel_policy"),
        ([CASUAL] * 3 + [kernel.Policy(7)], "kernel_policy"),
        ([CASUAL] * 3 + [kernel.Policy(-1)], "kernel_policy"),
        ([CASUAL] * 3 + [kernel.Policy.casual({"policy": 5})], "kernel_policy"),
        ([CASUAL] * 3 + [kernel.Policy.casual({"lead": MOST_WEIGHT + 1})], "kernel_policy"),
        ([CASUAL] * 3 + [kernel.Policy.casual({"lead": 0.5})], "kernel_policy"),  # type: ignore[dict-item]
    ],
    ids=str,
)
def test_policies_are_known_and_one_for_each_seat(policies: Any, reason: str) -> None:
    for door in (
        lambda: kernel.play_deals(SALON, 1, 1, policies),
        lambda: kernel.play_matches(SALON, 1, 1, policies),
        lambda: kernel.play_on(SALON, ROW, policies),
        lambda: kernel.choices(SALON, ROW, policies),
    ):
        with pytest.raises(kernel.KernelFault, check=because(reason)):
            door()


@pytest.mark.parametrize(
    "chosen",
    [
        *(None, "12", [1.0, 2.0], np.zeros(2), np.zeros(3, np.int64), np.zeros((2, 1), np.int64)),
        *(np.zeros(2, object), np.full(2, np.nan), np.full(2, 2**63, np.uint64)),
        *(np.full(2, number) for number in (-1, 54, 64, 2**62)),
    ],
    ids=str,
)
def test_a_batch_takes_legal_cards_or_nothing_changes(chosen: Any) -> None:
    batch = Batch(SALON, 2, 1)
    before = batch.deals.tobytes()
    with pytest.raises(kernel.KernelFault):
        batch.step(chosen)
    assert batch.deals.tobytes() == before
