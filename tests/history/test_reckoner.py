"""Results and ratings of a rated match, with a real store; also if nobody comes back to it."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from kit.live import QUICK, OpenLobby, Player, done, over, together, until
from kit.tables import ANNE, BERT, CARA, RATED
from msgspec.structs import replace

from volte import game
from volte.history.reckoner import reckon
from volte.history.store import Rating, Results
from volte.store import Person
from volte.store.store import Store
from volte.table import commands as cmd
from volte.table.lobby import Lobby, attended, close_abandoned

HASTY: Final = replace(QUICK, grace=0.02)
LATER: Final = time.time() + 10**6
PEOPLE: Final = (ANNE, BERT, CARA)


class Waiting(Player):
    """A player who never plays a card."""

    plays = False


async def begun(lobby: Lobby, *people: type[Player]) -> tuple[Player, ...]:
    """Begin a rated match of people at the first seats and of bots; return the people."""
    for who in PEOPLE:
        await lobby.store.put_person(Person(who.id, who.name, "en", {}, 1.0))
    return await together(lobby, *people, chosen=RATED)


async def reckoned(guest: Player, *stores: Store) -> str:
    """Wait for the end of the match, let all stores reckon it at once, and return its id."""
    await over(guest.table)
    (row,) = await stores[0].matches_at(guest.table.id)
    await asyncio.gather(*(reckon(store, row) for store in stores * 2))
    await reckon(stores[0], row)
    return row.id


async def ratings_of(store: Store) -> dict[str, Rating]:
    return await store[Results].ratings([who.id for who in PEOPLE], "coeurs")


async def test_people_are_rated_by_their_places_and_bots_are_not(
    database: str, open_lobby: OpenLobby
) -> None:
    lobby = await open_lobby(database)
    async with await Store.open(database) as other:
        guests = await begun(lobby, Player, Player, Player)
        match = await reckoned(guests[0], lobby.store, other)
        results = (await lobby.store[Results].of_matches([match]))[match]
        assert [each.person for each in results] == ["anne", "bert", "cara", ""]
        assert all(each.rated and each.people == 3 for each in results)
        ratings = await ratings_of(lobby.store)
        assert {each.matches for each in ratings.values()} == {1}
        ranked = sorted(results[:3], key=lambda result: result.place)
        points = [ratings[result.person].mu for result in ranked]
        assert points == sorted(points, reverse=True)


async def test_whoever_gets_up_loses_rating_and_the_other_does_not(lobby: Lobby) -> None:
    anne, _ = await begun(lobby, Player, Waiting)
    await until(lambda: anne.state.hands_are_out)
    await done(anne.table, BERT, cmd.Stand())
    match = await reckoned(anne, lobby.store)
    results = (await lobby.store[Results].of_matches([match]))[match]
    assert [each.left for each in results[:2]] == [False, True]
    ratings = await ratings_of(lobby.store)
    assert ratings.keys() == {"bert"}
    assert ratings["bert"].mu < 25


async def test_whoever_is_forgotten_before_a_match_is_reckoned_has_no_name_in_its_results(
    lobby: Lobby,
) -> None:
    anne, _ = await begun(lobby, Player, Player)
    await over(anne.table)
    await lobby.store.forget("bert")
    match = await reckoned(anne, lobby.store)
    results = (await lobby.store[Results].of_matches([match]))[match]
    assert [(each.person, each.name) for each in results[:2]] == [("anne", "Anne"), ("", "")]
    assert (await ratings_of(lobby.store)).keys() == {"anne"}


# A match to which nobody comes back


async def waits(guest: Player) -> str:
    """Wait until the match is paused because nobody is left, and return the id of the table."""
    await until(lambda: guest.table.state.paused)
    return guest.table.id


async def reckoned_ratings(store: Store, table: str) -> dict[str, Rating]:
    """The ratings of the people after the last match of a table, which is reckoned first."""
    *_, row = await store.matches_at(table)
    assert row.ended is not None
    await reckon(store, row)
    return await ratings_of(store)


async def test_whoever_had_gone_while_others_played_on_pays_when_nobody_comes_back(
    sqlite_url: str, open_lobby: OpenLobby
) -> None:
    lobby = await open_lobby(sqlite_url, timing=HASTY)
    async with await Store.open(sqlite_url) as other:
        anne, bert = await begun(lobby, Player, Waiting)
        await until(lambda: anne.state.hands_are_out)
        await bert.leave()
        await until(lambda: len(anne.all_of(game.TrickTaken)) > 1)
        await anne.leave()
        table = await waits(anne)
        assert await lobby.store[Results].lying(LATER) == [table]
        assert not await close_abandoned(other, table, 0.0, rated_match=True)
        assert await close_abandoned(other, table, LATER, rated_match=True)
        assert not await close_abandoned(lobby.store, table, LATER, rated_match=True)
        assert await lobby.store[Results].lying(LATER) == []
        ratings = await reckoned_ratings(lobby.store, table)
        assert ratings.keys() == {"bert"}
        assert ratings["bert"].mu < 25
        (left,) = await other[Results].all_of("bert")
        assert left.left
        assert await other[Results].all_of("anne") == []


async def test_nobody_pays_when_all_are_cut_off_at_once(open_lobby: OpenLobby) -> None:
    anne, _ = await begun(await open_lobby(), Player, Waiting)
    await until(lambda: anne.state.hands_are_out)
    table = anne.table.id
    lobby = await open_lobby()  # and nobody comes to this one
    assert lobby.living(table) is None
    assert await close_abandoned(lobby.store, table, LATER, rated_match=True)
    assert await reckoned_ratings(lobby.store, table) == {}
    assert await lobby.find(table) is None


async def test_a_table_to_which_somebody_comes_back_first_goes_on(open_lobby: OpenLobby) -> None:
    """The first to append wins: a close that comes later does nothing."""
    lobby = await open_lobby(timing=HASTY)
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
    await over(anne.table)
    assert await close_abandoned(lobby.store, table, LATER, rated_match=True) is False


async def test_a_match_of_the_same_people_goes_on_from_their_ratings(lobby: Lobby) -> None:
    anne, _ = await begun(lobby, Player, Player)
    for played in (1, 2, 3):
        await over(anne.table)
        for row in await lobby.store.matches_at(anne.table.id):
            await reckon(lobby.store, row)
        ratings = await ratings_of(lobby.store)
        assert {each.matches for each in ratings.values()} == {played}
        await done(anne.table, ANNE, cmd.Start())
