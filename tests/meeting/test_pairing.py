"""Laws of pairing: for any people who wait, at any tables, whomever they would not meet."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from itertools import permutations
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from volte.meeting.pairing import compatible, pairings
from volte.meeting.seeks import MeetingTable, Seek, Tempo, Wish, agree
from volte.meeting.waiting import WaitingList

Apart = Mapping[str, Collection[str]]


class Crowd(NamedTuple):
    """People who wait, and whom they would rather not meet."""

    seeks: tuple[Seek, ...]
    apart: Apart

    def of(self, person: str) -> Seek:
        return next(seek for seek in self.seeks if seek.person == person)

    @property
    def single(self) -> list[Seek]:
        """Those who sit alone, or nowhere yet, and to whom nobody is on the way; eldest first."""
        aimed = {seek.joins for seek in self.seeks}
        free = [seek for seek in self.seeks if not (seek.joins or seek.ends)]
        alone = [
            seek for seek in free if not seek.table or (seek.alone and seek.table not in aimed)
        ]
        return sorted(alone, key=lambda seek: seek.age)


PRESETS = ("spot-hearts", "black-maria", "dame-de-pique")
WISHES = st.builds(
    Wish,
    preset=st.sampled_from(("", *PRESETS, "microsoft")),
    players=st.sampled_from((0, 0, 3, 4)),
    pace=st.sampled_from(Tempo),
    langs=st.sampled_from(((), (), ("en",), ("fr",), ("en", "fr"))),
    near=st.booleans(),
)
TABLES = st.builds(
    MeetingTable,
    preset=st.sampled_from(PRESETS),
    players=st.sampled_from((3, 4)),
    clock=st.sampled_from((0, 30)),
)

SELDOM = st.sampled_from((False, False, False, False, True))


@st.composite
def crowds(draw: st.DrawFn) -> Crowd:
    """Up to ten people: alone, in company, on the way, about to stop, without a table yet; at some
    tables sit people who do not seek."""
    seeks, people = list[Seek](), list[str]()
    for table in range(draw(st.integers(0, 7))):
        size = draw(st.sampled_from((1, 1, 1, 2, 3)))
        company = tuple(f"p{len(people) + each}" for each in range(size))
        people += company
        there = replace(draw(TABLES), company=company, names=company)
        new = size == 1 and draw(SELDOM)
        for person in company[: draw(st.integers(1, size))]:
            rating, since = draw(st.sampled_from((1400, 1500, 1650))), draw(st.integers(0, 3))
            known = MeetingTable() if new or draw(SELDOM) else there  # no node has looked yet
            place = "" if new else f"t{table}"
            seek = Seek(person, draw(WISHES), rating, float(since), place, known)
            seeks.append(replace(seek, ends=draw(SELDOM)))
    some = st.sampled_from(people or ["nobody"])
    apart = draw(st.dictionaries(some, st.sets(some), max_size=4))
    if draw(st.booleans()):  # some are on the way, by a pairing of before
        aims = dict(pairings(seeks[::2], apart))
        seeks = [replace(seek, joins=aims.get(seek.person, "")) for seek in seeks]
    return Crowd(tuple(seeks), apart)


def paired(crowd: Crowd) -> set[str]:
    """Ids of the people who go to a table, or to whose table somebody goes."""
    found = pairings(*crowd)
    targets = {each.table for each in found}
    hosts = (seek.person for seek in crowd.seeks if seek.table in targets)
    return {*hosts, *(each.person for each in found)}


def afterwards(crowd: Crowd) -> dict[str, set[str]]:
    """Ids of the people at each table, once everybody who is on the way has come."""
    people = defaultdict[str, set[str]](set)
    moves = dict(pairings(*crowd))
    for seek in crowd.seeks:
        people[seek.table] |= {*seek.there.company, seek.person}
    for seek in crowd.seeks:
        aim = moves.get(seek.person) or ("" if seek.ends else seek.joins)
        if aim:
            people[seek.table] -= {seek.person}
            people[aim] |= {seek.person}
    return people


@given(crowds())
def test_nobody_goes_to_two_tables_and_nobody_to_a_table_that_its_person_leaves(
    crowd: Crowd,
) -> None:
    found = pairings(*crowd)
    movers = [each.person for each in found]
    assert len(movers) == len(set(movers))
    left = {crowd.of(person).table for person in movers}
    assert left.isdisjoint(each.table for each in found)


@given(crowds())
def test_only_somebody_alone_moves_and_not_while_others_are_on_the_way_to_them(
    crowd: Crowd,
) -> None:
    assert {each.person for each in pairings(*crowd)} <= {seek.person for seek in crowd.single}


@given(crowds())
def test_no_table_gets_more_people_than_it_has_seats(crowd: Crowd) -> None:
    seats = {seek.table: seek.there.players for seek in crowd.seeks if seek.there.players}
    targets = {each.table for each in pairings(*crowd)}
    people = afterwards(crowd)
    assert all(len(people[table]) <= seats[table] for table in targets)


@given(crowds())
def test_whoever_comes_finds_what_they_wish_and_is_what_the_people_there_wish(
    crowd: Crowd,
) -> None:
    people = afterwards(crowd)
    tables = {seek.table: seek.there for seek in crowd.seeks if seek.there.company}
    for person, table in pairings(*crowd):
        mover = crowd.of(person)
        assert mover.wish.suits(tables[table])
        for other in people[table] - {person}:
            seeking = [seek for seek in crowd.seeks if seek.person == other and not seek.ends]
            assert all(agree(mover, seek) for seek in seeking)


@given(crowds())
def test_nobody_comes_to_somebody_whom_they_avoid_or_who_avoids_them(crowd: Crowd) -> None:
    people = afterwards(crowd)
    for person, table in pairings(*crowd):
        others = people[table] - {person}
        assert others.isdisjoint(crowd.apart.get(person, ()))
        assert not any(person in crowd.apart.get(other, ()) for other in others)


@given(crowds())
def test_of_two_alone_who_would_play_together_one_is_paired(crowd: Crowd) -> None:
    having = paired(crowd)
    for one, other in permutations(crowd.single, 2):
        if other.table and compatible(one, other, crowd.apart):
            assert having & {one.person, other.person}


@given(crowds())
def test_the_eldest_who_can_have_company_has_it(crowd: Crowd) -> None:
    having = paired(crowd)
    for seek in crowd.single:
        others = [other for other in crowd.single if other is not seek]
        comes = seek.table and any(compatible(each, seek, crowd.apart) for each in others)
        goes = any(each.table and compatible(seek, each, crowd.apart) for each in others)
        if comes or goes:
            assert seek.person in having
            return


@given(crowds(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_nothing(crowd: Crowd, chance: random.Random) -> None:
    shuffled = [*crowd.seeks]
    chance.shuffle(shuffled)
    assert pairings(shuffled, crowd.apart) == pairings(*crowd)


def seek(person: str, since: float = 0.0, table: str = "", **more: object) -> Seek:
    """Somebody alone at a table of four that bears their name."""
    there = MeetingTable("spot-hearts", 4, 0, (person,), (person,))
    return Seek(person, Wish(), 1500, since, table or f"at-{person}", there, **more)  # type: ignore[arg-type]


def test_two_people_are_enough_and_the_younger_comes_to_the_elder() -> None:
    assert pairings([seek("anne", 1.0), seek("bert", 2.0)], {}) == (("bert", "at-anne"),)


def test_eight_people_fill_two_tables_of_four() -> None:
    found = pairings([seek(f"p{number}", float(number)) for number in range(8)], {})
    assert found == (
        *(("p1", "at-p0"), ("p2", "at-p0"), ("p3", "at-p0")),
        *(("p5", "at-p4"), ("p6", "at-p4"), ("p7", "at-p4")),
    )


def test_somebody_who_has_just_come_to_a_table_that_no_node_has_seen_since_stays_there() -> None:
    anne, cara = seek("anne", 1.0), seek("cara", 3.0)
    bert = Seek("bert", Wish(), 1500, 2.0, "at-anne")
    assert pairings([anne, bert, cara], {}) == (("cara", "at-anne"),)
    assert pairings([anne, bert], {}) == ()


def test_somebody_who_was_refused_at_a_table_does_not_go_there_again() -> None:
    anne, bert = seek("anne", 1.0), seek("bert", 2.0, refused=("at-anne",))
    assert pairings([anne, bert], {}) == (("anne", "at-bert"),)
    both = seek("anne", 1.0, refused=("at-bert",))
    assert pairings([both, bert], {}) == ()


def test_whoever_is_new_and_has_no_table_goes_to_one_and_gets_nobody() -> None:
    new = Seek("anne", Wish(), 1500, 0.0)
    assert pairings([new, seek("bert", 1.0)], {}) == (("anne", "at-bert"),)
    assert pairings([new, Seek("cara", Wish(), 1500, 1.0)], {}) == ()


def test_a_game_that_has_several_names_is_one_game() -> None:
    """Hearts and la Dame de pique, as newcomers of both languages know it."""
    table = MeetingTable("dame-de-pique", 4, 0, ("anne",), ("Anne",))
    anne = Seek("anne", Wish("dame-de-pique"), 1500, 1.0, "at-anne", table)
    bert = Seek("bert", Wish("microsoft"), 1500, 2.0)
    assert pairings([anne, bert], {}) == (("bert", "at-anne"),)


@given(crowds())
def test_each_is_told_how_many_wait_elsewhere_who_could_come_or_be_joined(crowd: Crowd) -> None:
    waiting_list = WaitingList({seek.person: seek for seek in crowd.seeks})
    full = {seek.table for seek in crowd.seeks if 0 < seek.there.players <= len(seek.there.company)}
    for own in crowd.seeks:
        here = {own.table, own.joins} - {""}
        others = [
            seek.wish.game
            for seek in crowd.seeks
            if seek is not own
            and not seek.ends
            and here.isdisjoint((seek.table, seek.joins))
            and seek.table not in full
        ]
        waiting = waiting_list.of(own.person)
        if own.ends:
            assert waiting is None
            continue
        assert waiting is not None
        assert {each.preset: each.count for each in waiting.others} == Counter(others)
