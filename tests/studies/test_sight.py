"""What a member sees follows from the public events and those of the seats open to them alone."""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit import played
from msgspec.structs import replace

from volte.cards import Card
from volte.game import Dealt, Event, Exchanged, KittyTaken, MatchStarted, Passed, Player, Refusal
from volte.game.codec import encode
from volte.history.moments import Eyes, retold
from volte.rules import make_ruleset
from volte.say import Verbosity, Words
from volte.studies.line import TriedLine, line_from
from volte.studies.retelling import Eye, LineShown, line, steps
from volte.studies.sight import open_seats, shown, sitters
from volte.table import Happening
from volte.table import happenings as hap

SEEDS: Final = st.integers(1, 3)

TABLES: Final = {
    name: make_ruleset(preset, {"match_end": "deals:1", "players": players})
    for name, preset, players in (
        ("four", "microsoft", "4"),
        ("three, with a kitty", "coeurs", "3"),
        ("seven", "coeurs", "7"),
        ("referee", "coeurs-table", "4"),
    )
}


@cache
def people(name: str, seed: int) -> list[Event]:
    """A match in which a person sits at every seat."""
    log = played(TABLES[name], seed)
    started = log[0]
    assert isinstance(started, MatchStarted)
    everybody = tuple(Player(f"P{seat}", person=True) for seat in range(len(started.players)))
    return [replace(started, players=everybody), *log[1:]]


def eye(seats: frozenset[int] | None, lang: str = "en") -> Eye:
    return Eye(Words(lang), Verbosity.NORMAL, seats)


def hidden_dealt_anew(log: list[Event], seats: frozenset[int], name: str) -> list[Event]:
    """The log with other names at closed seats, and their hands before the pass, their passes and
    the kitty replaced by cards that have nothing to do with them."""
    nothing = (Card("2C"),)

    def changed(event: Event) -> Event:
        match event:
            case MatchStarted(players=players):
                named = (
                    each if seat in seats else Player(name, person=each.person)
                    for seat, each in enumerate(players)
                )
                return replace(event, players=tuple(named))
            case Dealt(hands=hands):
                dealt = (hand if seat in seats else nothing for seat, hand in enumerate(hands))
                return replace(event, hands=tuple(dealt), kitty=nothing)
            case Passed(seat=seat) | KittyTaken(seat=seat) if seat not in seats:
                return replace(event, cards=nothing)
            case Exchanged(transfers=transfers):
                return Exchanged(
                    tuple(
                        each if seats & {each.giver, each.taker} else replace(each, cards=nothing)
                        for each in transfers
                    )
                )
        return event

    return [changed(each) for each in log]


@pytest.mark.parametrize("name", TABLES)
@given(data=st.data(), seed=SEEDS)
def test_what_is_shown_follows_from_public_events_and_those_of_open_seats(
    name: str, data: st.DataObject, seed: int
) -> None:
    log = people(name, seed)
    seats = data.draw(st.frozensets(st.integers(0, TABLES[name].players - 1)))
    other = hidden_dealt_anew(log, seats, "Somebody else")
    assert encode(steps(eye(seats), log, 1)) == encode(steps(eye(seats), other, 1))
    if len(seats) < TABLES[name].players:  # the law can fail: whoever sees all sees the difference
        assert encode(steps(eye(None), log, 1)) != encode(steps(eye(None), other, 1))
    assert "P" not in "".join(
        each.name
        for event in shown(log, seats, lambda seat: f"Seat {seat + 1}")
        if isinstance(event, MatchStarted)
        for seat, each in enumerate(event.players)
        if seat not in seats
    )


@given(seed=SEEDS, closed=st.integers(0, 3), data=st.data())
def test_a_line_is_seen_up_to_the_first_card_of_a_closed_seat(
    seed: int, closed: int, data: st.DataObject
) -> None:
    log = people("four", seed)
    seats = frozenset(range(4)) - {closed}
    step = data.draw(st.integers(2, 30))
    cards = list[Card]()
    tried = line_from(log, 1, step, cards)
    while isinstance(tried, TriedLine) and tried.turn is not None and len(cards) < 6:
        before, turn = line(eye(seats), log, 1, step, cards), tried.turn
        assert isinstance(before, LineShown)
        assert (before.turn is None) is (turn == closed or before.more)
        cards.append(data.draw(st.sampled_from(tried.legal)))
        after = line(eye(seats), log, 1, step, cards)
        assert isinstance(after, LineShown)
        assert after.more is (before.more or turn == closed)
        if after.more:
            assert (after.moments, after.turn, after.legal) == (before.moments, None, ())
        tried = line_from(log, 1, step, cards)


@pytest.mark.parametrize("name", TABLES)
def test_a_line_begins_where_a_card_is_due_and_nowhere_else(name: str) -> None:
    log = people(name, 1)
    moments = retold(Words("en"), log, 1, None, Eyes.OPEN, Verbosity.NORMAL).moments
    for step, moment in enumerate(moments):
        tried = line_from(log, 1, step, ())
        if isinstance(tried, TriedLine):
            assert tried.legal
        else:
            assert moment.trick == 0 or not moment.scene.hands
    assert isinstance(line_from(log, 1, 10_000, ()), Refusal)
    assert isinstance(line_from(log, 9, 0, ()), Refusal)


def test_a_seat_is_open_once_all_who_sat_there_agree_and_bots_once_everybody_does() -> None:
    started = people("four", 1)[0]
    assert isinstance(started, MatchStarted)
    bot = Player("Lou", level="casual")
    log: list[Happening] = [
        replace(started, players=(*started.players[:2], bot, bot)),
        hap.Sat(1, "cara", "Cara"),
        hap.Sat(3, "dora", "Dora"),
    ]
    sat = sitters(log, ("anne", "", "", ""))  # whoever began at seat 1 has been forgotten
    assert list(map(set, sat)) == [{"anne"}, {"", "cara"}, set(), {"dora"}]
    assert open_seats(sat, {"anne", "cara", "dora"}) == {0, 3}
    known = (sat[0], frozenset({"cara"}), *sat[2:])
    assert open_seats(known, {"anne", "cara"}) == {0, 1}
    assert open_seats(known, {"anne", "cara", "dora"}) == {0, 1, 2, 3}
    seen = shown(log, frozenset({0}), lambda seat: f"Seat {seat + 1}")
    assert isinstance(seen[0], MatchStarted)
    assert [each.name for each in seen[0].players] == ["P0", "Seat 2", "Lou", "Lou"]
    assert seen[1:] == [hap.Sat(1, "", "Seat 2"), hap.Sat(3, "", "Seat 4")]
