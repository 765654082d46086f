"""Ratings: who plays better rises, who leaves pays for it alone, and nobody's order matters."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st
from volte.history.ratings import MIDDLE, UNKNOWN, Side, Skill, rated

skills = st.builds(Skill, st.floats(0, 50), st.floats(0.5, 9))


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[Side], dict[str, Skill]]:
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
    match: tuple[list[Side], Mapping[str, Skill]], random: st.DataObject
) -> None:
    sides, known = match
    shuffled = list(sides)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert rated(sides, known) == rated(shuffled, known)


@given(matches())
def test_who_leaves_is_nobody_elses_gain_or_loss(
    match: tuple[list[Side], Mapping[str, Skill]],
) -> None:
    """The others come out as if that side had not been at the table."""
    sides, known = match
    after = rated(sides, known)
    whole = [side for side in sides if not side.left]
    without = rated(whole, known)
    leavers = {person for side in sides for person in side.left}
    assert {person: skill for person, skill in after.items() if person not in leavers} == without


@given(matches())
def test_where_nobody_has_won_only_leavers_are_rated_and_alike(
    match: tuple[list[Side], Mapping[str, Skill]],
) -> None:
    sides, known = match
    leavers = {person for side in sides for person in side.left}
    after = rated(sides, known)
    pay = {person: skill for person, skill in after.items() if person in leavers}
    assert rated(sides, known, compared=False) == pay


@given(matches(), st.data())
def test_who_leaves_never_fares_better_than_who_stays_and_is_last(
    match: tuple[list[Side], Mapping[str, Skill]], data: st.DataObject
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
