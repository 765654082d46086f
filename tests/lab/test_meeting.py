"""Several contestants: pairs, one table, and ratings."""

from __future__ import annotations

from itertools import combinations

import pytest
from kit.reasons import because

from volte.cards import VolteError
from volte.lab import arena
from volte.lab.arena.meeting import Meeting, duels_of
from volte.rules import make_ruleset

PLAYERS = tuple(arena.Contestant.of(level) for level in ("random", "casual", "beginner"))
RANDOM, CASUAL, BEGINNER = PLAYERS
THREE = make_ruleset("salon", {"players": 3})


def meeting(table: bool, decks: int = 8) -> Meeting:
    duels = duels_of(PLAYERS, THREE, 5, decks, table=table)
    return Meeting(PLAYERS, arena.Contest(duels).play(processes=1))


def test_all_pairs_play_the_same_decks() -> None:
    duels = duels_of(PLAYERS, THREE, 5, 8, seatings=2)
    assert [duel.sides for duel in duels] == list(combinations(PLAYERS, 2))
    assert {(duel.seed, duel.decks, duel.seatings, duel.matches) for duel in duels} == {
        (5, 8, 2, False)
    }


@pytest.mark.parametrize("table", [pytest.param(False, marks=pytest.mark.full), True])
def test_the_better_player_has_the_margin_and_the_rating(table: bool) -> None:
    found = meeting(table)
    assert found.margin(CASUAL, RANDOM).value > 0
    assert found.margin(RANDOM, CASUAL).value == -found.margin(CASUAL, RANDOM).value
    random, casual, beginner = found.ratings()
    assert casual.mu > beginner.mu > random.mu
    assert found.ratings() == found.ratings()


@pytest.mark.parametrize("table", [False, pytest.param(True, marks=pytest.mark.full)])
def test_what_came_to_a_player_is_the_sum_over_its_duels(table: bool) -> None:
    found = meeting(table)
    games = 8 * 6 if table else 2 * 8 * 6
    for player in PLAYERS:
        assert found.deals(player) == games
        assert found.side(player).seats == (games if table else games * 3 // 2)


def rated(*games: tuple[int, int]) -> list[float]:
    """The ratings of two players after games with those points."""
    duel = arena.Duel(THREE, (CASUAL, RANDOM), 1, 10)
    scores = {number: arena.DeckScore(6, 6, points) for number, points in enumerate(games)}
    result = arena.DuelResult(
        duel,
        arena.DuelStanding(6, (arena.SideTotals(), arena.SideTotals()), scores),
        None,
        arena.Stop(),
    )
    return [rating.mu for rating in Meeting((CASUAL, RANDOM), (result,)).ratings()]


def test_ratings_begin_at_25_and_go_apart() -> None:
    assert rated() == [25, 25]
    better, worse = rated((10, 20))
    assert better > 25 > worse
    best, worst = rated((10, 20), (10, 20))
    assert best > better
    assert worst < worse


def test_equal_points_leave_equal_ratings() -> None:
    assert rated((10, 10)) == [25, 25]


@pytest.mark.parametrize(
    ("players", "table", "reason"),
    [
        ((CASUAL,), False, "contestants_few"),
        ((), False, "contestants_few"),
        ((CASUAL, RANDOM, CASUAL), False, "contestant_twice"),
        ((CASUAL, RANDOM, BEGINNER, arena.Contestant.of("casual@1")), True, "sides_differ"),
    ],
)
def test_a_meeting_that_cannot_be_is_refused(
    players: tuple[arena.Contestant, ...], table: bool, reason: str
) -> None:
    with pytest.raises(VolteError, check=because(reason)):
        duels_of(players, THREE, 5, 8, table=table)
