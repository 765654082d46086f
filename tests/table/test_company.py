"""People who are not brought together: to each of them, an open table with the other looks full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from kit import ENGLISH
from kit.tables import Table, setup
from msgspec.structs import replace

from volte.evenings.disclosure import Outline, as_seen
from volte.game import Refusal
from volte.server.tables.open_tables import shut_to
from volte.server.tables.rows import row_of
from volte.table import Access, Setup, Someone, decide
from volte.table import commands as cmd
from volte.table.admission import looks_full
from volte.table.decide import TableOutcome
from volte.table.setup import OpenSeats
from volte.table.state import Seat, TableState
from volte.table.stored import WayIn, listing_of, read_summary, ways_in

PEOPLE: Final = ("anne", "bert", "cara", "dora", "eve")  # Anne is the host
NOBODY: Final = frozenset[str]()


class Room(NamedTuple):
    """A table with people at it, and the wishes of everybody."""

    state: TableState
    apart: Mapping[str, frozenset[str]]  # by the person's id, in both directions
    invited: frozenset[str]

    def sits(self, person: str, seat: int, apart: frozenset[str]) -> TableOutcome:
        who = Someone(person, person.title(), person in self.invited, apart)
        return decide(self.state, who, cmd.Sit(seat), self.state.version)


STRANGERS: Final = tuple(Seat(f"stranger {seat}", f"S{seat}") for seat in range(4))

SEATS: Final = st.one_of(
    st.just(Seat()),
    st.just(Seat(name="Alice", level="casual")),
    st.sampled_from(PEOPLE).map(lambda who: Seat(name="Alice", level="casual", asker=who)),
    *(st.just(Seat(who, who.title())) for who in PEOPLE),
)


@st.composite
def rooms(draw: st.DrawFn) -> Room:
    meeting = draw(st.booleans())
    setting: Setup = replace(
        setup("coeurs"),
        access=Access.PUBLIC if meeting else draw(st.sampled_from(Access)),
        open_seats=draw(st.sampled_from(OpenSeats)),
        meeting=meeting,
    )
    table = Table(setting, seat=0)
    if draw(st.booleans()):
        table.do(Someone("anne", "Anne"), cmd.Start())
    seats, there = list[Seat](), set[str]()
    for seat in draw(st.lists(SEATS, min_size=4, max_size=4)):
        person = seat.person or seat.asker
        seats.append(Seat() if person in there else seat)
        there |= {person} - {""}
    wishes = draw(st.sets(st.tuples(*[st.sampled_from(PEOPLE)] * 2)))
    both = wishes | {(other, one) for one, other in wishes}
    apart = {
        each: frozenset(other for one, other in both if one == each != other) for each in PEOPLE
    }
    invited = draw(st.frozensets(st.sampled_from(PEOPLE)))
    return Room(replace(table.state, seats=tuple(seats)), apart, invited)


@given(rooms())
def test_a_wish_changes_no_answer_but_that_an_open_table_looks_full(room: Room) -> None:
    """Not for hosts, the invited, people at the table, nor where nobody is there from whom one is
    apart."""
    state = room.state
    for person in PEOPLE:
        apart = room.apart[person]
        free_to_come = (
            state.setup.access is not Access.PUBLIC
            or person in {state.host, *room.invited}
            or person in state.company
            or apart.isdisjoint(state.company)
        )
        for seat in range(4):
            plain, asked = room.sits(person, seat, NOBODY), room.sits(person, seat, apart)
            assert asked == (plain if free_to_come else Refusal("table_full"))


@given(rooms())
def test_a_table_that_only_looks_full_refuses_as_one_with_people_at_every_seat(room: Room) -> None:
    full = room._replace(state=replace(room.state, seats=STRANGERS))
    for person in PEOPLE:
        for seat in range(4):
            if room.sits(person, seat, room.apart[person]) != room.sits(person, seat, NOBODY):
                refused = room.sits(person, seat, room.apart[person])
                assert refused == full.sits(person, seat, NOBODY)


@given(rooms())
def test_the_list_offers_nothing_at_such_a_table_but_to_watch_it(room: Room) -> None:
    listing = listing_of("t", room.state, "")
    summary = read_summary(listing)
    open_to_all = room.state.setup.access is Access.PUBLIC
    assert set(summary.company) == (set(room.state.company) if open_to_all else set())
    ways, seen = ways_in(listing, summary), ways_in(listing, summary, full=True)
    assert seen == tuple(each for each in ways if each is WayIn.WATCH)
    if not seen:  # then nobody is named, as where people have all seats
        full = listing_of("t", replace(room.state, seats=STRANGERS), "")
        outlines = (
            Outline(listing, False, False, summary, True),
            Outline(full, False, False, read_summary(full)),
        )
        one, other = (row_of(ENGLISH, each) for each in outlines)
        assert one == other


def test_who_has_begun_a_match_comes_back_to_it() -> None:
    """Who sits together already goes on."""
    table = Table(setup("coeurs"))
    anne, bert = Someone("anne", "Anne"), Someone("bert", "Bert")
    table.do(anne, cmd.Sit(0))
    table.do(bert, cmd.Sit(1))
    table.do(anne, cmd.Start())
    table.do(bert, cmd.Stand())
    for who, refusal in (("bert", False), ("cara", True)):
        apart = Someone(who, who.title(), apart=frozenset({"anne"}))
        assert (table.decide(apart, cmd.Sit(1)) == Refusal("table_full")) is refusal


@given(rooms())
def test_list_page_and_table_agree_to_whom_it_looks_full(room: Room) -> None:
    """And it looks full to nobody but people who are apart from somebody there."""
    listing, state = listing_of("t", room.state, ""), room.state
    summary = read_summary(listing)
    shut = shut_to(listing.host, summary.company, room.apart)
    for person in PEOPLE:
        outline = Outline(listing, False, person == listing.host, summary)
        full = as_seen(outline, person, room.apart[person]).full
        assert full == (person in shut)
        assert full == looks_full(state, Someone(person, "Name", apart=room.apart[person]))
        assert not full or not room.apart[person].isdisjoint(state.company)
