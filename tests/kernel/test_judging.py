"""What the kernel is given is a position that it can play, or is refused by name."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from kit.deals import after, deal_of, dealt, first_deal, play
from kit.kernels import any_table
from kit.mutants import check_outcomes, mutant, noise, reached, rows_of, some_policies, verdict
from kit.strategies import seeds

from volte import kernel
from volte.cards import mask_of, read_cards
from volte.game import MatchState, Pass
from volte.kernel.batch import Batch
from volte.kernel.compiler import INTERPRETED
from volte.kernel.encoding import FAULTS, MOST_WEIGHT
from volte.rules import Ruleset, make_ruleset

ROOT: Final = Path(__file__).parents[2]
SALON: Final = make_ruleset("salon")

EXAMPLES: Final = 10 if INTERPRETED else 40


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


def run_mutants(rows: int, **environment: str) -> set[str]:
    """The verdicts on that many mutants, in a process of its own."""
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT / "tests")))
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "kit.mutants", str(rows), "1"],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_nothing_is_read_out_of_bounds_in_plain_python() -> None:
    assert {"played", "kernel_excluded"} <= run_mutants(300, NUMBA_DISABLE_JIT="1")


@pytest.mark.full
def test_nothing_is_read_out_of_bounds_in_compiled_code() -> None:
    found = run_mutants(30_000, NUMBA_BOUNDSCHECK="1")
    assert found == {"played", *(fault.reason for fault in FAULTS.values())}


# Each reason

Change = Callable[[np.void], None]


def put(name: str, value: int, seat: int | None = None) -> Change:
    """That number in a field, or in a seat's place of it."""

    def change(row: np.void) -> None:
        if seat is None:
            row[name] = value
        else:
            row[name][seat] = value

    return change


def cards(name: str, seat: int, text: str) -> Change:
    """Those cards in a seat's place."""
    return put(name, mask_of(read_cards(text)), seat)


def both(*changes: Change) -> Change:
    """One after the other."""

    def change(row: np.void) -> None:
        for each in changes:
            each(row)

    return change


def at_the_pass() -> MatchState:
    """Seat 0 is the eldest hand; a card goes to the left."""
    hands = ("S: A3 D: 2", "S: K5 C: 2", "S: 96 H: 4")
    return dealt("coeurs", *hands, kitty="C: 5", pass_count=1)


def in_play() -> MatchState:
    """Seat 1 has the first trick, the kitty, and 2D left; it has led 5S to A4, 6S and 2C."""
    state = at_the_pass()
    for seat, card in enumerate(("2D", "2C", "4H")):
        state = after(state, Pass(seat, read_cards(card)))
    state = play(state, "3S KS 9S 5S")
    assert kernel.position(deal_of(state))["hands"][0].tolist()[:3] == [
        mask_of(read_cards(hand)) for hand in ("AS 4H", "2D", "6S 2C")
    ]
    return state


def first_trick() -> MatchState:
    """Seat 0 has led 3S."""
    hands = ("S: A3", "S: KQ", "S: 96")
    return play(dealt("coeurs", *hands, kitty="C: 5"), "3S")


def low_club() -> MatchState:
    """Seat 1 opens with 2C."""
    return dealt("dame-de-pique", "C: 43", "C: 2 H: 2", "C: 5 H: 3")


def at_the_scatter() -> MatchState:
    """Seat 0 is the eldest hand, and has given AS to the left and 3S to the right."""
    hands = ("S: A3 D: 2", "S: K5 C: 2", "S: 96 H: 4")
    state = dealt("coeurs", *hands, kitty="C: 5", pass_count=1, pass_cycle=["scatter"])
    return after(state, Pass(0, read_cards("AS 3S")))


def scattered() -> MatchState:
    """Seat 0 leads, with 2D, 5S of seat 1, and 4H of seat 2."""
    passes = (Pass(1, read_cards("KS 5S")), Pass(2, read_cards("4H 6S")))
    return after(at_the_scatter(), *passes)


def any_club() -> MatchState:
    """Seat 1 leads 6C, and has kept 2C."""
    hands = ("C: 4 H: 4", "C: 26", "C: 5 H: 3")
    return play(dealt("dame-de-pique", *hands, opening="any_club"), "6C")


def first_trick_of_late_kitty() -> MatchState:
    """Seat 1 has taken a trick without hearts."""
    hands = ("S: 3 H: 3", "S: K H: 4", "S: 6 H: 5")
    state = first_deal("coeurs", hands, "C: 5", {"kitty": "first_heart"})
    return play(state, "3S KS 6S")


def late_kitty() -> MatchState:
    """Seat 2 has taken the kitty with the first trick that had hearts in it."""
    return play(first_trick_of_late_kitty(), "4H 5H 3H")


PLACES: Final = [
    (at_the_pass, put("phase", -1), "kernel_phase"),
    (at_the_pass, put("phase", 4), "kernel_phase"),
    (at_the_pass, put("dealer", -1), "kernel_dealer"),
    (at_the_pass, put("dealer", 3), "kernel_dealer"),
    (at_the_pass, put("number", 0), "kernel_number"),
    (at_the_pass, put("step", 2), "kernel_step"),
    (at_the_pass, put("won", 1, 0), "kernel_played"),
    (at_the_pass, put("kitty_taker", 0), "kernel_played"),
    (at_the_pass, put("turn", 3), "kernel_turn"),
    (at_the_pass, put("turn", -1), "kernel_turn"),
    (at_the_pass, cards("hands", 0, "AS 3S"), "kernel_hands"),
    (at_the_pass, cards("given", 0, "KS"), "kernel_given"),
    (at_the_pass, cards("given", 0, "AS 3S"), "kernel_given"),
    (at_the_pass, put("kitty", 0), "kernel_kitty"),
    (at_the_pass, cards("hands", 0, "AS 3S KS"), "kernel_cards"),
    (in_play, put("turn", 0), "kernel_turn"),
    (in_play, both(put("leader", 7), put("turn", 5)), "kernel_turn"),
    (in_play, both(put("leader", -1), put("turn", 0)), "kernel_turn"),
    (in_play, put("count", 3), "kernel_turn"),
    (in_play, put("count", -1), "kernel_turn"),
    (in_play, put("gathered", 3), "kernel_turn"),
    (in_play, put("phase", 3), "kernel_turn"),
    (in_play, cards("hands", 0, "AS"), "kernel_hands"),
    (in_play, put("trick", 0, 0), "kernel_trick"),
    (in_play, cards("trick", 0, "5S 6S"), "kernel_trick"),
    (in_play, put("led", 0), "kernel_trick"),
    (in_play, put("best", 0), "kernel_trick"),
    (in_play, put("winner", 0), "kernel_trick"),
    (in_play, put("won", 2, 1), "kernel_taken"),
    (in_play, put("won", 2**62 + 1, 1), "kernel_taken"),
    (in_play, both(put("won", 0, 1), put("won", 1, 0)), "kernel_taken"),
    (in_play, both(put("won", 0, 1), put("taken", 0, 1)), "kernel_taken"),
    (in_play, cards("taken", 1, "3S KS"), "kernel_taken"),
    (in_play, cards("taken", 1, "3S KS 9S AS"), "kernel_taken"),
    (in_play, put("kitty_taker", -1), "kernel_kitty"),
    (in_play, put("kitty_taker", 0), "kernel_kitty"),
    (in_play, put("kitty_taker", 9), "kernel_kitty"),
    (in_play, put("kitty_taker", -6), "kernel_kitty"),
    (first_trick, put("kitty_taker", 0), "kernel_kitty"),
    (low_club, put("kitty_taker", 0), "kernel_kitty"),
    (in_play, put("kitty", 0), "kernel_kitty"),
    (in_play, cards("hands", 1, "AS"), "kernel_cards"),
    (in_play, cards("hands", 1, "3D"), "kernel_cards"),
    (in_play, put("hands", 1 << 60, 1), "kernel_cards"),
    (in_play, put("opening", 1), "kernel_opening"),
    (low_club, put("opening", 0), "kernel_opening"),
    (low_club, put("opening", 2), "kernel_opening"),
    (low_club, put("opening", mask_of(read_cards("2H"))), "kernel_opening"),
    (in_play, put("broken", 1), "kernel_broken"),
    (in_play, put("broken", 2), "kernel_broken"),
    (in_play, put("voided", 8), "kernel_voided"),
    (in_play, put("voided", -1), "kernel_voided"),
    (in_play, cards("excluded", 0, "4H"), "kernel_excluded"),
    (in_play, cards("excluded", 0, "7D"), "kernel_excluded"),
    (in_play, cards("given", 0, "AS"), "kernel_given"),
    (in_play, cards("given", 2, "AS 4H"), "kernel_given"),
    (at_the_pass, cards("coming", 1, "AS"), "kernel_given"),
    (in_play, cards("coming", 1, "2D"), "kernel_given"),
    (at_the_scatter, cards("coming", 1, "3S"), "kernel_given"),
    (at_the_scatter, cards("coming", 2, "AS 3S 2D"), "kernel_given"),
    (scattered, cards("coming", 1, "AS KS"), "kernel_given"),
    (scattered, cards("coming", 0, "4H AS"), "kernel_given"),
    (scattered, cards("given", 0, "AS 2D"), "kernel_given"),
    (any_club, both(cards("hands", 0, "2C 4H"), cards("hands", 1, "4C")), "kernel_opening"),
    (late_kitty, put("kitty_taker", -1), "kernel_kitty"),
    (late_kitty, put("kitty_taker", 0), "kernel_kitty"),
    (first_trick_of_late_kitty, put("kitty_taker", 1), "kernel_kitty"),
]


@pytest.mark.parametrize(("place", "change", "reason"), PLACES)
def test_a_row_is_refused_by_name(
    place: Callable[[], MatchState], change: Change, reason: str
) -> None:
    deal = deal_of(place())
    rows = np.repeat(kernel.position(deal), 3)
    kernel.play_on(deal.rules, rows)
    change(rows[1])
    for door in (kernel.play_on, kernel.choices):
        with pytest.raises(kernel.KernelFault) as caught:
            door(deal.rules, rows)
        assert (caught.value.reason, caught.value.params) == (reason, {"row": 1})


def test_W2_whoever_holds_the_lowest_club_may_lead_another() -> None:
    deal = deal_of(any_club())
    assert verdict(deal.rules, kernel.position(deal), []) == "played"


def test_the_opening_card_is_with_whoever_leads() -> None:
    deal = deal_of(low_club())
    row = kernel.position(deal)
    row["leader"] = row["turn"] = row["winner"] = 0
    assert verdict(deal.rules, row, []) == "kernel_opening"


def test_the_eldest_hand_leads_first_and_then_somebody_who_has_a_trick() -> None:
    first = dealt("coeurs", "S: A3", "S: K5", "S: Q6")
    later = play(first, "3S 5S 6S")
    for state, leader in ((first, 1), (later, 0)):
        row = kernel.position(deal_of(state))
        row["leader"] = row["turn"] = row["winner"] = leader
        assert verdict(state.rules, row, []) == "kernel_leader"


def test_every_reason_has_an_example() -> None:
    shown = {reason for _, _, reason in PLACES} | {"kernel_leader"}
    assert shown == {fault.reason for fault in FAULTS.values()}


# Whatever else is given

ROW: Final = np.zeros(1, kernel.DEAL)
CASUAL: Final = kernel.Policy.casual({"lead": 5})


def rows_like(dtype: Any) -> Any:
    return np.zeros(3, dtype)


@pytest.mark.parametrize("door", [kernel.play_on, kernel.choices])
@pytest.mark.parametrize(
    "rows",
    [
        None,
        "rows",
        7,
        [ROW],
        ROW[0],
        np.zeros((1, 1), kernel.DEAL),
        rows_like(np.float64),
        rows_like(np.uint8),
        rows_like(object),
        rows_like(kernel.DEAL.descr[1:]),
        rows_like(kernel.DEAL.newbyteorder()),
    ],
    ids=str,
)
def test_rows_are_an_array_of_deals(door: Callable[..., object], rows: Any) -> None:
    with pytest.raises(kernel.KernelFault, match="kernel_deals"):
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
        with pytest.raises(kernel.KernelFault, match="kernel_type"):
            door()


@pytest.mark.parametrize("number", [None, "1", 1.0, np.float64(1), [1], np.zeros(2, np.int64)])
@pytest.mark.parametrize("name", ["seed", "deals", "first", "threads"])
def test_numbers_are_whole(name: str, number: Any) -> None:
    usual: dict[str, Any] = {"seed": 1, "deals": 1}
    for door in (kernel.play_deals, kernel.play_matches):
        given_numbers = {**usual, name: number}
        if door is kernel.play_matches:
            given_numbers["matches"] = given_numbers.pop("deals")
        with pytest.raises(kernel.KernelFault, match="kernel_type"):
            door(SALON, **given_numbers)


@pytest.mark.parametrize(
    "numbers",
    [
        {"seed": -1},
        {"seed": 2**64},
        {"deals": -1},
        {"first": -1},
        {"first": 2**62 + 1},
        {"threads": 0},
        {"threads": 10**6},
    ],
    ids=str,
)
def test_numbers_are_in_range(numbers: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"seed": 1, "deals": 1}
    with pytest.raises(kernel.KernelFault, match="kernel_range"):
        kernel.play_deals(SALON, **{**usual, **numbers})


@pytest.mark.parametrize("seed", [-1, 2**64, 0.5, None])
def test_a_position_has_a_seed(seed: Any) -> None:
    with pytest.raises(kernel.KernelFault):
        kernel.position(deal_of(in_play()), seed)


def test_numbers_of_NumPy_are_numbers() -> None:
    due = kernel.play_deals(SALON, 200, 300, first=250)
    own = kernel.play_deals(SALON, np.uint8(200), np.int16(300), first=np.uint8(250))  # type: ignore[arg-type]
    assert own.tobytes() == due.tobytes()


@pytest.mark.parametrize(
    ("policies", "reason"),
    [
        (None, "kernel_type"),
        ("four", "kernel_type"),
        (7, "kernel_type"),
        ([kernel.RANDOM_POLICY] * 3, "kernel_policies"),
        ([kernel.RANDOM_POLICY] * 5, "kernel_policies"),
        ([None] * 4, "kernel_policy"),
        (["casual"] * 4, "kernel_policy"),
        ([CASUAL] * 3 + [kernel.Policy(7)], "kernel_policy"),
        ([CASUAL] * 3 + [kernel.Policy(-1)], "kernel_policy"),
        ([CASUAL] * 3 + [kernel.Policy(0.5)], "kernel_policy"),  # type: ignore[arg-type]
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
        with pytest.raises(kernel.KernelFault, match=reason):
            door()


@pytest.mark.parametrize(
    "chosen",
    [
        None,
        "12",
        [1.0, 2.0],
        np.zeros(2),
        np.zeros(3, np.int64),
        np.zeros((2, 1), np.int64),
        np.zeros(2, object),
        np.full(2, np.nan),
        np.full(2, 2**63, np.uint64),
        np.full(2, -1),
        np.full(2, 54),
        np.full(2, 64),
        np.full(2, 2**62),
    ],
    ids=str,
)
def test_a_batch_takes_legal_cards_or_nothing_changes(chosen: Any) -> None:
    batch = Batch(SALON, 2, 1)
    before = batch.deals.tobytes()
    with pytest.raises(kernel.KernelFault):
        batch.step(chosen)
    assert batch.deals.tobytes() == before
