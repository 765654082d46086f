"""Results of matches, compared with a second reading of the log by plain lists; and ratings.

Better players rise, a player who leaves pays for it alone, and the order of sides never matters.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.tables import ANNE, BRUNO, CLEO, Table
from msgspec.structs import replace

from volte import game, referee
from volte.game import Phase
from volte.history.ratings import MIDDLE, UNKNOWN, Skill, rated
from volte.history.results import Outcome, Side, outcome_of, suited_level
from volte.history.rows import Result
from volte.rules import MoonBy, Ruleset, make_ruleset
from volte.store import MatchRow
from volte.table import Happening, Setup, Someone, TableEvent
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.happenings import Why
from volte.table.setup import game_of

FEW = settings(max_examples=max(3, settings().max_examples // 8), deadline=None)

RULES = [
    *(make_ruleset("coeurs", {"players": players}) for players in (3, 5, 7)),
    make_ruleset("coeurs-cagnotte", {"match_end": "deals:2"}),
    make_ruleset("microsoft", {"match_end": "deals:2"}),
    make_ruleset("partnership", {"match_end": "deals:2"}),
    make_ruleset("cancellation", {"match_end": "deals:1"}),
    make_ruleset("salon-valet", {"match_end": "deals:1"}),
    make_ruleset("coeurs", {"irregularities": "refereed", "match_end": "deals:2"}),
]


class Played:
    """A random match in which people come and go, with its row and log as in the store."""

    def __init__(self, rules: Ruleset, seed: int, *, rated: bool = False, over: bool = True):
        self.table = Table(Setup("Chez Anne", rules, hints=not rated), seed)
        rng = random.Random(seed)
        for seat, who in zip(rng.sample(range(rules.players), 3), (ANNE, BRUNO, CLEO), strict=True):
            self.table.do(who, cmd.Sit(seat))
        self.table.do(ANNE, cmd.Start())
        self.began = tuple(seat.person for seat in self.table.state.seats)
        self._play(rng, 10**6 if over else rng.randrange(60))
        if not over:
            self.table.do(ANNE, cmd.Close())
        state = self.table.state
        self.log: Sequence[Happening] = self.table.log[state.match_began - 1 :]
        players = tuple(seat.person for seat in state.seats)
        self.row = MatchRow(
            *("m", "t", state.match_began, b"m" * 32, 5.0, players, state.version, 9.0),
            *(self.began, rated),
        )

    def _play(self, rng: random.Random, steps: int) -> None:
        for _ in range(steps):
            if rng.random() < 0.03:
                self._move(rng)
            if not self.table.step(restless=True):
                return

    def _move(self, rng: random.Random) -> None:
        """Let a random person come or go, if they may."""
        at, who = self.table, rng.choice([ANNE, BRUNO, CLEO, Someone("p-dora", "Dora")])
        seat = at.state.seat_of(who.id)
        if seat is None:
            outcome = at.decide(who, cmd.Sit(rng.randrange(len(at.state.seats))))
            if not isinstance(outcome, game.Refusal):
                at.take(outcome)
        elif rng.random() < 0.4:
            at.do(who, cmd.Stand())
        elif at.state.seats[seat].stand_in is None:
            why = rng.choice([Why.CONNECTION, Why.CLOCK, Why.OWN, Why.HOST])
            at.take((hap.StoodIn(seat, why),))

    @property
    def outcome(self) -> Outcome:
        return outcome_of(self.row, self.log)


# The second reading


def read_plainly(played: Played) -> list[Result]:
    """The results, from lists of happenings and the cards in the tricks."""
    events = [each for each in played.log if not isinstance(each, TableEvent)]
    started, match = events[0], referee.replay(events)
    assert isinstance(started, game.MatchStarted)
    rules = started.rules
    found = []
    for seat, player in enumerate(started.players):
        person = played.began[seat]
        here = [each for each in played.log if getattr(each, "seat", None) == seat]
        sitting = [e for e in here if isinstance(e, hap.Sat | hap.Stood | hap.BotSat)]
        last = sitting[-1] if sitting else None
        now = person if last is None else last.person if isinstance(last, hap.Sat) else ""
        better = {
            side
            for side in rules.all_sides
            if seat not in side and worth(match, side[0]) < worth(match, seat)
        }
        result = Result(
            match="m",
            seat=seat,
            person=person,
            name=player.name,
            level="" if person else player.level,
            rules=game_of(rules),
            players=rules.players,
            people=sum(map(bool, played.began)),
            deals=len(match.deals),
            total=match.totals[seat],
            place=1 + len(better),
            stake=match.net[seat] if rules.stakes.settlement != "none" else None,
            moons=moons(match, seat),
            queens=queens(events, seat),
            left=has_left(person, here),
            late=False,
            rated=played.row.rated,
            ended=9.0,
        )
        found.append(result)
        if now not in ("", person):
            assert isinstance(last, hap.Sat)
            late = replace(result, person=now, name=last.name, level="", left=False, late=True)
            found.append(replace(late, rated=False))
    return found


def worth(match: game.MatchState, seat: int) -> tuple[int, int]:
    return (0 if seat in match.winners else 1), match.totals[seat]


def moons(match: game.MatchState, seat: int) -> int:
    side = match.rules.side(seat) if match.rules.moon.by is MoonBy.SIDE else (seat,)
    return sum(deal.moon in side or deal.slam in side for deal in match.deals)


def queens(events: Sequence[referee.Event], seat: int) -> int:
    """Number of queens of spades that a seat took, in the deals that were scored."""
    taken = 0
    for number, event in enumerate(events):
        if isinstance(event, game.DealScored):
            before = referee.replay(events[:number])
            assert before.deal is not None
            tricks, waiting = before.deal.tricks, 0
            for trick in tricks:
                waiting += sum(card.text.startswith("QS") for card in trick.cards)
                if trick.winner is not None:
                    taken += waiting * (trick.winner == seat)
                    waiting = 0
            kitty = [e for e in events[:number] if isinstance(e, game.Dealt)][-1].kitty or ()
            got = before.deal.kitty_taker == seat
            taken += got * sum(card.text.startswith("QS") for card in kitty)
    return taken


def has_left(person: str, here: Sequence[Happening]) -> bool:
    """Whether a person is up at the end, or away after others played most cards of the seat.

    Args:
        here: the happenings at the person's seat.
    """
    if not person:
        return False
    at, away = True, False
    cards = {True: 0, False: 0}
    for each in here:
        match each:
            case hap.Sat():
                at, away = each.person == person, False
            case hap.Stood() | hap.BotSat():
                at, away = False, False
            case hap.StoodIn():
                away = each.why != "host"
            case hap.CameBack():
                away = False
            case game.Played():
                cards[at and not away] += 1
    return not at or (away and cards[False] > cards[True])


def missed(played: Played) -> list[bool]:
    """By seat: whether, since its beginner went, another beginner has played a card, or was there
    when they got up."""
    began, log = played.began, played.log
    up = [bool(person) for person in began]
    there = [list(up)]
    for each in log:
        now, seat = list(there[-1]), getattr(each, "seat", 0)
        match each:
            case hap.Sat():
                up[seat] = now[seat] = bool(began[seat]) and each.person == began[seat]
            case hap.Stood() | hap.BotSat():
                up[seat] = now[seat] = False
            case hap.StoodIn() if each.why != "host":
                now[seat] = False
            case hap.CameBack():
                now[seat] = up[seat]
        there.append(now)
    found = []
    for seat, person in enumerate(began):
        since = max(number for number, each in enumerate(there) if each[seat] or not number)
        later = list(enumerate(log))[since:]
        cards = [n for n, e in later if isinstance(e, game.Played) and there[n][e.seat]]
        ups = [
            n for n, e in later if isinstance(e, hap.Stood) and e.seat == seat and any(there[n + 1])
        ]
        found.append(bool(person and not there[-1][seat] and (cards or ups)))
    return found


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{game_of(rules)}-{rules.players}")
@FEW
@given(seed=st.integers(0, 2**32))
def test_results_are_what_a_plain_reading_finds(rules: Ruleset, seed: int) -> None:
    played = Played(rules, seed)
    assert played.table.match.phase is Phase.ENDED
    assert list(played.outcome.results) == read_plainly(played)


@FEW
@given(rules=st.sampled_from(RULES), seed=st.integers(0, 2**32), counts=st.booleans())
def test_of_a_match_that_is_broken_off_only_leavers_of_a_rated_one_are_told(
    rules: Ruleset, seed: int, counts: bool
) -> None:
    played = Played(rules, seed, rated=counts, over=False)
    if played.table.match.phase is Phase.ENDED:
        return
    assert all(each.left for each in played.outcome.results)
    left = [person for person, gone in zip(played.began, missed(played), strict=True) if gone]
    assert [each.person for each in played.outcome.results] == (left if counts else [])
    assert played.outcome.compared == (not counts)
    assert {person for side in played.outcome.sides for person in side.left} == (
        set(left) if counts else set()
    )


@FEW
@given(rules=st.sampled_from(RULES), seed=st.integers(0, 2**32))
def test_everybody_who_began_a_rated_match_is_on_one_side(rules: Ruleset, seed: int) -> None:
    played = Played(rules, seed, rated=True)
    sides = played.outcome.sides
    assert sorted(p for side in sides for p in side.stayed + side.left) == sorted(
        filter(None, played.began)
    )
    results = {each.person: each for each in played.outcome.results if not each.late}
    stayed = [person for person in filter(None, played.began) if not results[person].left]
    assert played.outcome.compared == bool(stayed)
    last = dict(zip(played.began, missed(played), strict=True))
    for side in sides:
        for person in (*side.stayed, *side.left):
            assert results[person].place == side.place
            left = results[person].left if stayed else last[person]
            assert left == (person in side.left)


def test_a_match_that_is_not_rated_has_no_sides() -> None:
    assert Played(RULES[0], 1).outcome.sides == ()
    assert isinstance(Played(RULES[0], 1, rated=True).outcome.sides[0], Side)


# Ratings

Rated = tuple[list[Side], Mapping[str, Skill]]
"""Sides, and the known skills of their people."""

skills = st.builds(Skill, st.floats(0, 50), st.floats(0.5, 9))


@st.composite
def matches(draw: st.DrawFn) -> Rated:
    """Two to seven sides of one to three people, some of whom have left."""
    count = draw(st.integers(2, 7))
    sides: list[Side] = []
    known: dict[str, Skill] = {}
    for side in range(count):
        people = [f"{side}.{number}" for number in range(draw(st.integers(1, 3)))]
        left = {person for person in people if draw(st.integers(0, 4)) == 0}
        stayed = tuple(person for person in people if person not in left)
        sides.append(Side(draw(st.integers(1, count)), stayed, tuple(sorted(left))))
        known |= {person: draw(skills) for person in people if draw(st.booleans())}
    return sides, known


@given(matches(), st.randoms())
def test_the_order_in_which_sides_are_named_changes_nothing(
    match: Rated, chance: random.Random
) -> None:
    sides, known = match
    shuffled = list(sides)
    chance.shuffle(shuffled)
    assert rated(sides, known) == rated(shuffled, known)


@given(matches())
def test_who_leaves_is_nobody_elses_gain_or_loss(match: Rated) -> None:
    """The others are rated as if the leaver's side had not been at the table."""
    sides, known = match
    after = rated(sides, known)
    whole = [side for side in sides if not side.left]
    without = rated(whole, known)
    leavers = {person for side in sides for person in side.left}
    assert {person: skill for person, skill in after.items() if person not in leavers} == without


@given(matches())
def test_where_nobody_has_won_only_leavers_are_rated_and_alike(match: Rated) -> None:
    sides, known = match
    leavers = {person for side in sides for person in side.left}
    after = rated(sides, known)
    pay = {person: skill for person, skill in after.items() if person in leavers}
    assert rated(sides, known, compared=False) == pay


@given(matches(), st.data())
def test_who_leaves_never_fares_better_than_who_stays_and_is_last(
    match: Rated, data: st.DataObject
) -> None:
    sides, known = match
    sides = [Side(side.place, side.stayed + side.left) for side in sides]
    alone = [place for place, side in enumerate(sides) if len(side.stayed) == 1]
    if not alone:
        return
    place = data.draw(st.sampled_from(alone))
    (person,) = sides[place].stayed
    stays = [*sides[:place], Side(len(sides) + 1, (person,)), *sides[place + 1 :]]
    leaves = [*sides[:place], Side(1, (), (person,)), *sides[place + 1 :]]
    assert rated(leaves, known)[person] == rated(stays, known)[person]
    assert rated(leaves, known)[person].mu <= known.get(person, UNKNOWN).mu


@given(st.lists(skills, min_size=2, max_size=2), st.booleans())
def test_of_two_the_winner_rises_and_the_loser_falls(two: list[Skill], first: bool) -> None:
    known = dict(zip("ab", two, strict=True))
    after = rated([Side(1 if first else 2, ("a",)), Side(2 if first else 1, ("b",))], known)
    winner, loser = ("a", "b") if first else ("b", "a")
    assert after[winner].mu >= known[winner].mu
    assert after[loser].mu <= known[loser].mu


@given(st.integers(2, 7), skills)
def test_equals_who_share_every_place_stay_equal(count: int, skill: Skill) -> None:
    people = [str(number) for number in range(count)]
    after = rated([Side(1, (person,)) for person in people], dict.fromkeys(people, skill))
    assert max(each.mu for each in after.values()) - min(each.mu for each in after.values()) < 1e-9


@given(st.integers(1, 3))
def test_whom_everybody_has_left_is_not_rated(count: int) -> None:
    sides = [Side(1, (), (str(number),)) for number in range(count)]
    assert rated([*sides, Side(1, ("stays",))], {}).keys() == {str(n) for n in range(count)}
    assert rated(sides, {}) == {}
    assert rated([], {}) == {}


def test_partners_rise_together() -> None:
    after = rated([Side(1, ("a", "b")), Side(2, ("c", "d"))], {})
    assert after["a"] == after["b"]
    assert after["c"] == after["d"]
    assert after["a"].mu > after["c"].mu


def test_ratings_are_told_around_1500_and_with_a_margin() -> None:
    assert UNKNOWN.points == MIDDLE
    assert UNKNOWN.margin == 667
    assert Skill(27.5, 1.0).points == 1600
    assert Skill(27.5, 1.0).margin == 80


@pytest.mark.parametrize(
    ("places", "level"),
    [
        ("", "casual"),
        ("1", "strong"),
        ("11", "strong"),
        ("4", "beginner"),
        ("23", "casual"),
        ("41", "casual"),
        ("1444", "beginner"),
    ],
)
def test_the_level_that_suits_somebody_follows_from_matches_alone(places: str, level: str) -> None:
    one = Result(
        *("m", 0, "anne", "Anne", "", "coeurs", 4, 1, 3, 20, 1, None, 0, 0),
        *(False, False, False, 0.0),
    )
    results = [replace(one, place=int(each), ended=float(at)) for at, each in enumerate(places)]
    others = [replace(one, people=2), replace(one, left=True, place=4), replace(one, late=True)]
    assert suited_level([*reversed(results), *others]) == level
