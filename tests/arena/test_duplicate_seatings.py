"""Who sits where: all seatings, each once, and every start of them fair."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import pytest

from volte.cards import Fault
from volte.lab.arena import few, seatings
from volte.lab.arena.duel import unit

TABLES = range(3, 8)


@pytest.mark.parametrize("players", TABLES)
def test_two_sides_sit_in_every_mixed_way(players: int) -> None:
    mixed = {each for each in product((0, 1), repeat=players) if len(set(each)) == 2}
    lineup = seatings(players)
    assert len(lineup) == 2**players - 2
    assert set(lineup) == mixed


@pytest.mark.parametrize("players", range(3, 6))
def test_many_sides_sit_in_every_order(players: int) -> None:
    lineup = seatings(players, players)
    assert set(lineup) == set(permutations(range(players)))
    assert len(lineup) == len(set(lineup))


@pytest.mark.parametrize("players", TABLES)
@pytest.mark.parametrize("many", [False, True])
def test_every_start_gives_every_side_every_hand_alike(players: int, many: bool) -> None:
    sides = players if many else 2
    step = unit(players, sides)
    for count in range(step, min(10 * step, 2**players - 2) + 1, step):
        lineup = seatings(players, sides, count)
        assert len(lineup) == count
        sat = Counter((seat, side) for seating in lineup for seat, side in enumerate(seating))
        assert set(sat.values()) == {count // sides}
        assert len(sat) == players * sides


@pytest.mark.parametrize("players", TABLES)
def test_a_few_seatings_are_the_rotations_of_alternating_sides(players: int) -> None:
    alternating = [seat % 2 for seat in range(players)]
    rotations = {tuple(alternating[turn:] + alternating[:turn]) for turn in range(players)}
    exchanged = {tuple(1 - side for side in seating) for seating in rotations}
    assert set(seatings(players, 2, few(players))) == rotations | exchanged


def test_the_first_six_of_four_seats_are_two_against_two() -> None:
    assert seatings(4, 2, 6) == (
        (0, 1, 0, 1),
        (1, 0, 1, 0),
        (0, 0, 1, 1),
        (1, 1, 0, 0),
        (0, 1, 1, 0),
        (1, 0, 0, 1),
    )


@pytest.mark.parametrize("count", [0, 1, 3, 15, 16])
def test_a_count_that_is_not_balanced_is_refused(count: int) -> None:
    with pytest.raises(Fault) as caught:
        seatings(4, 2, count)
    assert caught.value.reason == "no_such_seatings"


def test_two_sides_play_or_one_for_each_seat() -> None:
    with pytest.raises(Fault) as caught:
        seatings(5, 3)
    assert caught.value.reason == "sides_differ"


@pytest.mark.parametrize(("players", "partners", "ways"), [(4, 2, 2), (6, 2, 6), (6, 3, 2)])
def test_W10_partners_are_the_same_player(players: int, partners: int, ways: int) -> None:
    lineup = seatings(players, partners=partners)
    assert len(set(lineup)) == len(lineup) == ways
    sides = players // partners
    assert all(
        seating[seat] == seating[seat % sides] for seating in lineup for seat in range(players)
    )
    assert set(lineup) == {tuple(1 - side for side in seating) for seating in lineup}
    assert set(seatings(players, 2, few(players, 2, partners), partners)) <= set(lineup)


def test_W10_at_one_table_there_is_a_player_for_each_side() -> None:
    assert len(seatings(6, 3, partners=2)) == 6
    with pytest.raises(Fault) as caught:
        seatings(6, 6, partners=2)
    assert caught.value.reason == "sides_of_partners"
