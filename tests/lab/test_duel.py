"""Decks played in many seatings: the same everywhere, and fair to both sides."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import combinations, permutations, product
from operator import add
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kit import because, rulesets, seeds
from kit.lab import by_hand, engine
from kit.strategies import few as examples
from msgspec.structs import replace as changed

from volte.bots import LEVELS, Bot, Casual, Clock, Thought
from volte.bots.protocol import takes_off
from volte.cards import VolteError
from volte.game import MatchEnded, SeatAction
from volte.lab.arena import (
    WHOLE_WIN,
    Choices,
    Contest,
    Contestant,
    Duel,
    EngineKind,
    Piece,
    Request,
    few,
    play_deck,
    play_duel,
    play_piece,
    record_of,
    seatings,
)
from volte.lab.arena.contestant import COMPANY
from volte.lab.arena.duel import HASTE, unit
from volte.rules import Ruleset, Score, Value, make_ruleset
from volte.view import View

BEGINNER, CASUAL, RANDOM = (Contestant.of(level) for level in ("beginner", "casual", "random"))
SALON = make_ruleset("salon", {})
DUEL = Duel(SALON, (CASUAL, BEGINNER), seed=7, decks=10)
contestants = st.sampled_from([BEGINNER, CASUAL, RANDOM])


# The game


@pytest.mark.parametrize("matches", [False, pytest.param(True, marks=pytest.mark.full)])
@pytest.mark.parametrize(
    "sides", [(CASUAL, BEGINNER), pytest.param((RANDOM, CASUAL), marks=pytest.mark.full)]
)
def test_each_seating_is_the_deal_or_match_that_simulate_plays(
    sides: tuple[Contestant, Contestant], matches: bool
) -> None:
    """Points, queens, moons and wins are counted again from the records."""
    rules = make_ruleset("salon", {"match_end": "limit:30"})
    duel = Duel(rules, sides, seed=3, decks=3, matches=matches, seatings=8)
    standing = play_piece(duel, Piece(0, 3))
    margin, deals = Fraction(0), 0
    counted: list[list[tuple[int, ...]]] = [[], []]
    for seating in duel.lineup:
        levels = tuple(sides[side].level for side in seating)
        length = (None, 3) if matches else (3, None)
        told = by_hand(Request(rules, levels, 3, *length))
        deals += told.deals
        for side, sign in ((0, -1), (1, 1)):
            seats = [told.seats[seat] for seat, who in enumerate(seating) if who == side]
            margin += sign * Fraction(sum(seat.points.sum for seat in seats), len(seats))
            counted[side] += [
                (seat.points.sum, seat.queens, seat.moons, seat.slams, seat.wins.sum)
                for seat in seats
            ]
    assert standing.deals == deals
    assert standing.margin().value == pytest.approx(float(margin / deals))
    for came, seats_of_side in zip(standing.sides, counted, strict=True):
        sums = tuple(map(sum, zip(*seats_of_side, strict=True)))
        assert (came.points, came.queens, came.moons, came.slams, came.wins) == sums


@settings(max_examples=examples(8, 15))
@given(rulesets(), seeds, st.booleans(), st.data())
def test_the_kernel_finds_the_same(
    rules: Ruleset, seed: int, matches: bool, data: st.DataObject
) -> None:
    sides = tuple(data.draw(st.sampled_from([CASUAL, RANDOM])) for _ in range(2))
    duel = Duel(rules, sides, seed, 2, 4, matches)
    number = data.draw(st.integers(0, 2**20))
    assume(duel.served().engine is EngineKind.KERNEL)  # it has no room for some rules
    compiled = play_deck(replace(duel, engine=EngineKind.KERNEL), number)
    readable = play_deck(replace(duel, engine=EngineKind.READABLE), number)
    assert all(side.choices == Choices() for side in compiled.sides)
    unmeasured = tuple(changed(side, choices=Choices()) for side in readable.sides)
    assert changed(readable, sides=unmeasured) == compiled


def test_an_engine_that_cannot_play_is_refused() -> None:
    with pytest.raises(VolteError, check=because("no_compiled_twin")):
        replace(DUEL, engine=EngineKind.KERNEL).served()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_table_of_many_sides_counts_each(players: int) -> None:
    sides = (CASUAL, BEGINNER, RANDOM, *map(Contestant.of, ("casual@1", "casual@2")))[:players]
    duel = Duel(make_ruleset("salon", {"players": players}), sides, 3, 2, players)
    standing = play_deck(duel, 1)
    assert [side.seats for side in standing.sides] == [players] * players
    assert [side.points for side in standing.sides] == [
        score // standing.whole for score in standing.scores[1].points
    ]
    for first, second in combinations(range(players), 2):
        difference = standing.points(second).value - standing.points(first).value
        assert standing.margin(first, second).value == pytest.approx(difference)


# Laws


@settings(max_examples=8)
@given(rulesets(), seeds, contestants, contestants, st.booleans())
def test_sides_that_change_places_change_the_sign(
    rules: Ruleset, seed: int, one: Contestant, other: Contestant, matches: bool
) -> None:
    forth = play_deck(Duel(rules, (one, other), seed, 1, 4, matches), 0)
    back = play_deck(Duel(rules, (other, one), seed, 1, 4, matches), 0)
    assert back.untimed().sides == forth.untimed().sides[::-1]
    for number, score in back.scores.items():
        assert score.points[::-1] == forth.scores[number].points
        assert score.wins[::-1] == forth.scores[number].wins
    assert back.margin().value == -forth.margin().value


@settings(max_examples=examples(4, 8))
@given(rulesets(), seeds, contestants, st.booleans())
def test_a_player_against_itself_is_even(
    rules: Ruleset, seed: int, player: Contestant, matches: bool
) -> None:
    standing = play_deck(Duel(rules, (player, player), seed, 1, None, matches), 0)
    one, other = standing.untimed().sides
    assert one == other
    assert standing.margin().value == 0
    if matches:
        assert standing.lead().value == 0


@settings(max_examples=examples(8, 20))
@given(st.randoms(use_true_random=False), st.booleans())
def test_parts_add_up_in_any_order(random: Random, matches: bool) -> None:
    duel = Duel(SALON, (RANDOM, CASUAL), 7, 6, 6, matches)
    whole = play_piece(duel, Piece(0, 6))
    pieces = [Piece(0, 2), Piece(5, 6), *(Piece(2, 5, seating) for seating in range(6))]
    random.shuffle(pieces)
    parts = [play_piece(duel, piece) for piece in pieces]
    assert reduce(add, parts) == whole
    assert whole.decks == 6
    assert whole.games == 36


def test_a_deck_does_not_depend_on_those_before() -> None:
    both = play_piece(DUEL, Piece(3, 5)).untimed()
    assert (play_deck(DUEL, 4) + play_deck(DUEL, 3)).untimed() == both


# Costs


def test_choices_count_those_with_a_choice_and_the_others_apart() -> None:
    standing = play_deck(Duel(make_ruleset("microsoft"), (CASUAL, BEGINNER), 7, 10), 1)
    for side in standing.sides:
        choices = side.choices
        assert choices.number + choices.forced == 14 * side.seats  # 13 cards and a pass
        assert 0 < choices.forced < choices.number
        assert sum(choices.times.values()) == choices.number
        assert 0 < choices.mean <= choices.longest / 1000
        assert choices.slowest_but(0.5) <= choices.slowest_but(0.99) <= choices.longest / 1000


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"seed": -1}, "kernel_range"),
        ({"decks": 0}, "kernel_range"),
        ({"seatings": 5}, "no_such_seatings"),
        ({"sides": (CASUAL,) * 3}, "sides_differ"),
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(VolteError, check=because(reason)):
        replace(DUEL, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("players", range(3, 8))
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


@pytest.mark.parametrize("players", range(3, 8))
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


@pytest.mark.parametrize("players", range(3, 8))
def test_a_few_seatings_are_the_rotations_of_alternating_sides(players: int) -> None:
    alternating = [seat % 2 for seat in range(players)]
    rotations = {tuple(alternating[turn:] + alternating[:turn]) for turn in range(players)}
    exchanged = {tuple(1 - side for side in seating) for seating in rotations}
    assert set(seatings(players, 2, few(players))) == rotations | exchanged


def test_the_first_six_of_four_seats_are_two_against_two() -> None:
    lineup = [" ".join("AB"[side] for side in seating) for seating in seatings(4, 2, 6)]
    assert lineup == ["A B A B", "B A B A", "A A B B", "B B A A", "A B B A", "B A A B"]


@pytest.mark.parametrize("count", [0, 1, 3, 15, 16])
def test_a_count_that_is_not_balanced_is_refused(count: int) -> None:
    with pytest.raises(VolteError, check=because("no_such_seatings")):
        seatings(4, 2, count)


def test_two_sides_play_or_one_for_each_seat() -> None:
    with pytest.raises(VolteError, check=because("sides_differ")):
        seatings(5, 3)


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
    with pytest.raises(VolteError, check=because("sides_of_partners")):
        seatings(6, 6, partners=2)


def rules(preset: str, **options: Value) -> Ruleset:
    return make_ruleset(preset, options)


# Winners


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
    for table, count in ((rules("partnership"), None), (rules("cancellation", players=6), 2)):
        standing = play_deck(Duel(table, (CASUAL, Contestant.of("casual@1")), 3, 1, count), 0)
        assert standing.margin().value == 0
        assert standing.sides[0].points == standing.sides[1].points


def test_W11_ten_seats_are_counted() -> None:
    duel = Duel(rules("cancellation", players=10), (CASUAL, BEGINNER), 3, 1, 2)
    assert duel.served().engine is EngineKind.READABLE
    standing = play_deck(duel, 0)
    assert [side.seats for side in standing.sides] == [10, 10]
    assert sum(side.points for side in standing.sides) == 2 * duel.rules.penalty_total


def test_W11_the_kernel_says_why_it_does_not_play_two_packs() -> None:
    with pytest.raises(VolteError) as caught:
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
    """The deck is small, since a hand that takes everything is rare."""
    small = [f"{rank}{suit}" for suit in "CDSH" for rank in "2345678" if rank + suit != "QS"]
    table = rules("microsoft", moon="shooter_chooses", removed=small, match_end="limit:60")
    request = Request(table, ("random",) * 4, 1, matches=20)
    logs = [record_of(request, number) for number in range(20)]
    shot = [event for log in logs for event in log if type(event).__name__ == "MoonShot"]
    assert shot
    assert all(isinstance(log[-1], MatchEnded) for log in logs)


class Thinking:
    """A `casual` player that claims to have searched much."""

    clocks: list[Clock]

    def __init__(self, seed: int) -> None:
        self._bot = Casual()

    def choose(self, view: View, clock: Clock) -> SeatAction:
        return self.think(view, clock).action

    def think(self, view: View, clock: Clock) -> Thought:
        self.clocks.append(clock)
        return Thought(self._bot.choose(view, clock), worlds=3, simulations=clock.simulations or 0)


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> Contestant:
    """A level of its own, with a budget of 70 simulations."""
    monkeypatch.setattr("volte.lab.arena.duel._WARM", set())
    Thinking.clocks = []
    make: type[Bot] = Thinking
    monkeypatch.setitem(LEVELS, "thinker", make)
    return Contestant.of("thinker@70")


def test_what_it_looked_at_is_told_for_each_choice(thinker: Contestant) -> None:
    duel = Duel(SALON, (thinker, Contestant.of("casual")), 3, 2, 2)
    side, other = play_duel(duel, processes=1).standing.sides
    assert side.choices.worlds_per_choice == 3
    assert side.choices.simulations_per_choice == 70
    assert other.choices.worlds == other.choices.simulations == 0


def test_a_first_deal_counts_for_nothing(thinker: Contestant) -> None:
    """Compiling at the first choice would be taken for thinking."""
    duel = Duel(SALON, (thinker, Contestant.of("casual")), 3, 2, 2)
    side, _ = play_duel(duel, processes=1).standing.sides
    warming = [clock for clock in Thinking.clocks if clock == HASTE]
    assert len(warming) == 4 * 14
    assert Thinking.clocks[: len(warming)] == warming
    assert len(Thinking.clocks) - len(warming) == side.choices.number + side.choices.forced


def test_who_thinks_is_kept_seating_by_seating(thinker: Contestant) -> None:
    duel = Duel(SALON, (thinker, Contestant.of("casual")), 3, 2, 4)
    contest = Contest([duel])
    done: list[int] = []
    contest.play(processes=1, progress=lambda games, _: done.append(games))
    assert done == list(range(9))


def test_who_plays_as_casual_does_is_even_with_it(thinker: Contestant) -> None:
    result = play_duel(Duel(SALON, (thinker, Contestant.of("casual")), 3, 2), processes=1)
    assert result.margin().value == 0


@pytest.mark.full
def test_an_engine_plays_the_same_however_it_is_shared(tmp_path: Path) -> None:
    duel = Duel(SALON, (engine(tmp_path), BEGINNER), 3, 4, 2)
    alone, shared = (play_duel(duel, processes=processes) for processes in (1, 2))
    assert alone.standing.untimed() == shared.standing.untimed()
    side, _ = alone.standing.sides
    assert side.choices.forfeits == {}
    held = 4  # the fourth deal, by four seats: no pass
    assert side.choices.number + side.choices.forced == 14 * side.seats - held


@pytest.mark.parametrize(
    ("mischief", "reason"),
    [("print('choose play XX', flush=True); continue", "garbled"), ("sys.exit()", "died")],
)
def test_forfeits_are_recorded_by_their_reason(mischief: str, reason: str, tmp_path: Path) -> None:
    wrong = engine(tmp_path, "wrong", 10, mischief)
    result = play_duel(Duel(SALON, (wrong, BEGINNER), 3, 1, 2), processes=1)
    side, other = result.standing.sides
    # Each of two seats a seating, 13 plays and a pass in one deal, so ten of them once at least.
    assert list(side.choices.forfeits) == [reason]
    assert 2 <= side.choices.forfeits[reason] <= 5
    assert other.choices.forfeits == {}


def test_an_engine_that_cannot_be_started_ends_the_duel() -> None:
    nobody = Contestant.outside("/nowhere/engine")
    for processes in (1, 2):
        with pytest.raises(VolteError, check=because("program_not_started")):
            play_duel(Duel(SALON, (nobody, BEGINNER), 3, 4, 2), processes=processes)


def test_engines_end_with_the_duel(tmp_path: Path) -> None:
    done = tmp_path / "done"
    leaving = engine(tmp_path, "leaving")
    script = tmp_path / "leaving.py"
    script.write_text(script.read_text() + f"\nopen({str(done)!r}, 'a').write('x')\n")
    play_duel(Duel(SALON, (leaving, BEGINNER), 3, 2, 2), processes=1)
    assert done.read_text() == "xxxx"  # one for each seat, for both decks
    COMPANY.close()  # there is nobody left
    assert done.read_text() == "xxxx"
