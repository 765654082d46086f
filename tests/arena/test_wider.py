"""Duels at tables of the wider family: partners, moons of two kinds, two packs, odd endings."""

from __future__ import annotations

import pytest

from volte.bots.protocol import takes_off
from volte.cards import Fault
from volte.game import MatchEnded
from volte.lab.arena import WHOLE_WIN, Contestant, Duel, EngineKind, Request, play_deck, record_of
from volte.rules import Ruleset, Score, Value, make_ruleset

CASUAL, BEGINNER = (Contestant.of(level) for level in ("casual", "beginner"))


def rules(preset: str, **options: Value) -> Ruleset:
    return make_ruleset(preset, options)


# Who wins


@pytest.mark.parametrize(
    "options",
    [
        {"match_end": "limit:60", "at_limit": "halves", "ties": "play_on"},
        {"match_end": "deals:1", "ties": "play_on", "moon": "shooter_chooses"},
    ],
)
def test_W9_W10_partners_win_together_by_the_totals_that_have_fallen(
    options: dict[str, Value],
) -> None:
    table = rules("partnership", **options)
    duel = Duel(table, (CASUAL, BEGINNER), seed=5, decks=3, matches=True)
    for number in range(3):
        standing = play_deck(duel, number)
        won = [0, 0]
        for seating in duel.lineup:
            levels = tuple(duel.sides[side].level for side in seating)
            log = record_of(Request(table, levels, 5, matches=3), number)
            [end] = [event for event in log if isinstance(event, MatchEnded)]
            assert {seat % 2 for seat in end.winners} in ({0}, {1})
            won[seating[end.winners[0]]] += WHOLE_WIN
        assert [side.wins for side in standing.sides] == won


def test_a_player_against_itself_is_even_with_partners_and_with_two_packs() -> None:
    for table, seatings in ((rules("partnership"), None), (rules("cancellation", players=6), 2)):
        standing = play_deck(Duel(table, (CASUAL, Contestant.of("casual@1")), 3, 1, seatings), 0)
        assert standing.margin().value == 0
        assert standing.sides[0].points == standing.sides[1].points


def test_W11_ten_seats_are_counted() -> None:
    duel = Duel(rules("cancellation", players=10), (CASUAL, BEGINNER), 3, 1, 2)
    assert duel.served().engine is EngineKind.READABLE
    standing = play_deck(duel, 0)
    assert [side.seats for side in standing.sides] == [10, 10]
    assert sum(side.points for side in standing.sides) == 2 * duel.rules.penalty_total


def test_W11_the_kernel_says_why_it_does_not_play_two_packs() -> None:
    with pytest.raises(Fault) as caught:
        Duel(rules("cancellation"), (CASUAL, BEGINNER), 3, 1, 2, engine=EngineKind.KERNEL).served()
    assert caught.value.reason in ("kernel_packs", "kernel_seats")


def test_where_casual_has_no_twin_the_readable_engine_plays() -> None:
    for table in (rules("partnership"), rules("coeurs", no_tricks=-5)):
        duel = Duel(table, (CASUAL, Contestant.of("random")), 3, 1, 2)
        assert duel.served().engine is EngineKind.READABLE


# A moon that may count in two ways

CHOOSES = rules("microsoft", moon="shooter_chooses", match_end="limit:100")
PLUS, MINUS = Score((0, 26, 26, 26), moon=0), Score((-26, 0, 0, 0), moon=0, minus=True)


@pytest.mark.parametrize(
    ("before", "options", "minus"),
    [
        ((10, 20, 30, 40), {}, False),  # in front: the end comes nearer
        ((90, 60, 60, 60), {}, True),  # far behind: away from the limit
        ((70, 80, 90, 75), {}, False),  # wins at once
        ((95, 30, 80, 60), {}, True),  # plus would end it, and another would win
        ((50, 60, 74, 60), {"at_limit": "halves"}, True),  # plus would halve the total of another
        ((50, 60, 74, 60), {}, False),  # wins at once
        ((90, 60, 60, 60), {"settlement": "pot"}, False),  # a pot is drawn from without points
    ],
)
def test_W7_how_a_moon_is_chosen(
    before: tuple[int, ...], options: dict[str, Value], minus: bool
) -> None:
    table = make_ruleset("microsoft", {"moon": "shooter_chooses", **options})
    assert takes_off(table, [Score(before)], PLUS, MINUS, 0) is minus


def test_W7_random_players_choose_as_all_do() -> None:
    """A hand that takes everything is rare: the deck is small."""
    small = [f"{rank}{suit}" for suit in "CDSH" for rank in "2345678" if rank + suit != "QS"]
    table = rules("microsoft", moon="shooter_chooses", removed=small, match_end="limit:60")
    request = Request(table, ("random",) * 4, 1, matches=20)
    logs = [record_of(request, number) for number in range(20)]
    shot = [event for log in logs for event in log if type(event).__name__ == "MoonShot"]
    assert shot
    assert all(isinstance(log[-1], MatchEnded) for log in logs)
