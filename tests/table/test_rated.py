"""Rated tables: what they refuse, and what comes of a match there, with the real store."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from table import acting
from table.acting import BRUNO, CLEO, DENIS, Table
from table.people import (
    ANNE,
    BERT,
    CARA,
    QUICK,
    Guest,
    Player,
    done,
    kinds,
    room,
    setup,
    until,
)

from volte import game
from volte.cards import Fault
from volte.history.reckoner import reckon
from volte.history.store import Results
from volte.rules import make_ruleset
from volte.store import Person, Store
from volte.table import Setup
from volte.table import commands as cmd
from volte.table.lobby import Lobby, attended, close_abandoned
from volte.table.setup import check_setup

RATED = Setup("Chez Anne", make_ruleset("coeurs"), hints=False, rated=True)


def rated_table() -> Table:
    """Anne and Bruno have begun a rated match, with two bots."""
    at = Table(RATED)
    for seat, who in enumerate((acting.ANNE, BRUNO)):
        at.do(who, cmd.Sit(seat))
    at.do(acting.ANNE, cmd.Start())
    return at


# What is refused


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"hints": True}, "rated_with_hints"),
        ({"rules": make_ruleset("coeurs", {"queen_points": 13})}, "rated_with_own_rules"),
    ],
)
def test_a_rated_table_has_no_hints_and_the_rules_of_a_game(
    changes: dict[str, object], reason: str
) -> None:
    values = {name: getattr(RATED, name) for name in RATED.__struct_fields__}
    with pytest.raises(Fault) as caught:
        check_setup(Setup(**values | changes))
    assert caught.value.reason == reason
    at = Table()
    assert at.refused(acting.ANNE, cmd.Change(Setup(**values | changes))) == reason


def test_it_may_have_any_number_of_players_that_its_game_has() -> None:
    for players in (3, 5, 7):
        check_setup(
            Setup("A", make_ruleset("coeurs", {"players": players}), hints=False, rated=True)
        )


def test_a_rated_match_needs_two_people() -> None:
    at = Table(RATED)
    assert at.refused(acting.ANNE, cmd.Start()) == "rated_needs_people"
    at.do(acting.ANNE, cmd.Sit(0))
    assert at.refused(acting.ANNE, cmd.Start()) == "rated_needs_people"
    at.do(BRUNO, cmd.Sit(1))
    at.do(acting.ANNE, cmd.Start())


def test_partners_are_no_opponents() -> None:
    partners = Setup("A", make_ruleset("partnership"), hints=False, rated=True)
    at = Table(partners)
    at.do(acting.ANNE, cmd.Sit(0))
    at.do(BRUNO, cmd.Sit(2))
    assert at.refused(acting.ANNE, cmd.Start()) == "rated_needs_people"
    at.do(CLEO, cmd.Sit(1))
    at.do(acting.ANNE, cmd.Start())


def test_no_card_is_taken_back() -> None:
    at = rated_table()
    at.play_until(game.Phase.PLAYING)
    assert at.refused(acting.ANNE, cmd.Act(game.AskUndo(0))) == "rated_no_undo"


def test_only_who_began_it_sits_down_again() -> None:
    at = rated_table()
    assert at.refused(CLEO, cmd.Sit(2)) == "rated_seat"
    at.do(BRUNO, cmd.Stand())
    assert at.refused(CLEO, cmd.Sit(1)) == "rated_seat"
    assert at.refused(BRUNO, cmd.Sit(2)) == "rated_seat"
    at.do(BRUNO, cmd.Sit(1))
    at.play_on()
    at.do(DENIS, cmd.Sit(3))


def test_no_host_sends_anybody_away_or_breaks_it_off() -> None:
    at = rated_table()
    for command in (cmd.Remove(1), cmd.Remove(1, bar=True), cmd.Replace(1)):
        assert at.refused(acting.ANNE, command) == "rated_stays"
    assert at.refused(acting.ANNE, cmd.Close()) == "rated_goes_on"
    at.do(BRUNO, cmd.Stand())
    at.do(acting.ANNE, cmd.Close())


def test_afterwards_a_host_may_do_what_any_host_may() -> None:
    at = rated_table()
    at.play_on()
    at.do(acting.ANNE, cmd.Remove(1, bar=True))
    at.do(acting.ANNE, cmd.Close())


async def test_it_does_not_begin_without_those_who_have_a_seat(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(RATED, ANNE)
        anne, bert = Player(table, ANNE), Player(table, BERT)
        await done(table, ANNE, cmd.Sit(0))
        await done(table, BERT, cmd.Sit(1))
        await bert.leave()
        for who in (ANNE, CARA):  # also whoever could not begin it anyway
            reply = await table.do(who, cmd.Start(), table.state.version)
            assert reply.refusal is not None
            assert reply.refusal.reason == "rated_away"
        bert = Player(table, BERT)
        await done(table, ANNE, cmd.Start())
        await anne.leave()
        await bert.leave()


# What comes of it


class Waiting(Player):
    """Somebody who has been dealt cards, and never plays one."""

    plays = False


async def begun(lobby: Lobby, *people: type[Guest]) -> tuple[Guest, ...]:
    """A rated match that has begun, of people at the first seats and of bots."""
    for who in (ANNE, BERT, CARA):
        await lobby.store.put_person(Person(who.id, who.name, "en", {}, 1.0))
    table = await lobby.open(setup("coeurs", hints=False, rated=True), ANNE)
    guests = [kind(table, who) for kind, who in zip(people, (ANNE, BERT, CARA), strict=False)]
    for seat, guest in enumerate(guests):
        await done(table, guest.who, cmd.Sit(seat))
    await done(table, ANNE, cmd.Start())
    return tuple(guests)


async def reckoned(guest: Guest, *stores: Store) -> str:
    """The id of the match that is over now, and has been reckoned by each of them at once."""
    await until(lambda: not guest.table.state.under_way)
    (row,) = await stores[0].matches_at(guest.table.id)
    await asyncio.gather(*(reckon(store, row) for store in stores * 2))
    await reckon(stores[0], row)
    return row.id


async def test_people_are_rated_by_their_places_and_bots_are_not(database: str) -> None:
    async with room(database) as lobby, await Store.open(database) as other:
        guests = await begun(lobby, Player, Player, Player)
        match = await reckoned(guests[0], lobby.store, other)
        results = (await lobby.store[Results].of_matches([match]))[match]
        assert [each.person for each in results] == ["anne", "bert", "cara", ""]
        assert all(each.rated and each.people == 3 for each in results)
        ratings = await lobby.store[Results].ratings(["anne", "bert", "cara"], "coeurs")
        assert {each.matches for each in ratings.values()} == {1}
        ranked = sorted(results[:3], key=lambda result: result.place)
        found = [ratings[result.person].mu for result in ranked]
        assert found == sorted(found, reverse=True)
        for guest in guests:
            await guest.leave()


async def test_whoever_gets_up_loses_rating_and_the_other_does_not(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        anne, bert = await begun(lobby, Player, Waiting)
        await until(lambda: anne.state.hands_are_out)
        await done(anne.table, BERT, cmd.Stand())
        match = await reckoned(anne, lobby.store)
        results = (await lobby.store[Results].of_matches([match]))[match]
        assert [each.left for each in results[:2]] == [False, True]
        ratings = await lobby.store[Results].ratings(["anne", "bert"], "coeurs")
        assert ratings.keys() == {"bert"}
        assert ratings["bert"].mu < 25
        await anne.leave()
        await bert.leave()


# A match to which nobody comes back


async def waits(guest: Guest) -> str:
    """The id of the table, once the match waits there because nobody is there any more."""
    await until(lambda: guest.table.state.paused)
    return guest.table.id


async def ratings_of(lobby: Lobby, table: str) -> dict[str, float]:
    """What the last match of a table has made of people's ratings."""
    store = lobby.store
    *_, row = await store.matches_at(table)
    assert row.ended is not None
    await reckon(store, row)
    ratings = await store[Results].ratings(["anne", "bert", "cara"], "coeurs")
    return {person: rating.mu for person, rating in ratings.items()}


HASTY = replace(QUICK, grace=0.02)
LATER = time.time() + 10**6


async def test_whoever_had_gone_while_others_played_on_pays_when_nobody_comes_back(
    sqlite_url: str,
) -> None:
    async with room(sqlite_url, HASTY) as lobby, await Store.open(sqlite_url) as other:
        anne, bert = await begun(lobby, Player, Waiting)
        await until(lambda: anne.state.hands_are_out)
        await bert.leave()
        await until(lambda: len(kinds(anne, game.TrickTaken)) > 1)
        await anne.leave()
        table = await waits(anne)
        assert await lobby.store[Results].lying(LATER) == [table]
        assert not await close_abandoned(other, table, 0.0, rated_match=True)
        assert await close_abandoned(other, table, LATER, rated_match=True)
        assert not await close_abandoned(lobby.store, table, LATER, rated_match=True)
        assert await lobby.store[Results].lying(LATER) == []
        ratings = await ratings_of(lobby, table)
        assert ratings.keys() == {"bert"}
        assert ratings["bert"] < 25
        (left,) = await other[Results].all_of("bert")
        assert left.left
        assert await other[Results].all_of("anne") == []


async def test_nobody_pays_when_all_are_cut_off_at_once(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        anne, _ = await begun(lobby, Player, Waiting)
        await until(lambda: anne.state.hands_are_out)
        table = anne.table.id
    async with room(tmp_path) as lobby:  # and nobody comes to this one
        assert lobby.living(table) is None
        assert await close_abandoned(lobby.store, table, LATER, rated_match=True)
        assert await ratings_of(lobby, table) == {}
        assert await lobby.find(table) is None


async def test_a_table_to_which_somebody_comes_back_first_goes_on(tmp_path: Path) -> None:
    """Whoever appends first: the other one finds it done, and does nothing."""

    async with room(tmp_path, HASTY) as lobby:
        anne, bert = await begun(lobby, Player, Waiting)
        await until(lambda: anne.state.hands_are_out)
        await anne.leave()
        await bert.leave()
        table = await waits(anne)
        waiting = time.time()
        anne = Player(anne.table, ANNE)
        await until(lambda: not anne.table.state.paused)
        assert attended(anne.table)
        assert not await close_abandoned(lobby.store, table, waiting, rated_match=True)
        await until(lambda: not anne.table.state.under_way)
        assert await close_abandoned(lobby.store, table, LATER, rated_match=True) is False
        await anne.leave()


async def test_a_match_of_the_same_people_goes_on_from_their_ratings(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        anne, bert = await begun(lobby, Player, Player)
        store = lobby.store
        for played in (1, 2, 3):
            await until(lambda: not anne.table.state.under_way)
            for row in await store.matches_at(anne.table.id):
                await reckon(store, row)
            ratings = await store[Results].ratings(["anne", "bert"], "coeurs")
            assert {each.matches for each in ratings.values()} == {played}
            await done(anne.table, ANNE, cmd.Start())
        await anne.leave()
        await bert.leave()
