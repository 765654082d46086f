"""Results and ratings of a rated match, with a real store; also if nobody comes back to it."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from kit.live import QUICK, OpenLobby, Player, done, over, together, until
from kit.postgres import on_sqlite
from kit.tables import ANNE, BERT, CARA, RATED
from msgspec.structs import replace

from volte import game
from volte.history.reckoner import reckon
from volte.history.rows import Rating
from volte.history.store import Results
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


async def begun(store: Store, lobby: Lobby, *people: type[Player]) -> tuple[Player, ...]:
    """Begin a rated match of people at the first seats and of bots; return the people."""
    for who in PEOPLE:
        await store.put_person(Person(who.id, who.name, "en", {}, 1.0))
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
    store: Store, other: Store, open_lobby: OpenLobby
) -> None:
    guests = await begun(store, await open_lobby(store), Player, Player, Player)
    match = await reckoned(guests[0], store, other)
    results = (await store[Results].of_matches([match]))[match]
    assert [each.person for each in results] == ["anne", "bert", "cara", ""]
    assert all(each.rated and each.people == 3 for each in results)
    ratings = await ratings_of(store)
    assert {each.matches for each in ratings.values()} == {1}
    ranked = sorted(results[:3], key=lambda result: result.place)
    points = [ratings[result.person].mu for result in ranked]
    assert points == sorted(points, reverse=True)


@on_sqlite
async def test_whoever_gets_up_loses_rating_and_the_other_does_not(
    store: Store, open_lobby: OpenLobby
) -> None:
    anne, _ = await begun(store, await open_lobby(store), Player, Waiting)
    await until(lambda: anne.state.hands_are_out)
    await done(anne.table, BERT, cmd.Stand())
    match = await reckoned(anne, store)
    results = (await store[Results].of_matches([match]))[match]
    assert [each.left for each in results[:2]] == [False, True]
    ratings = await ratings_of(store)
    assert ratings.keys() == {"bert"}
    assert ratings["bert"].mu < 25


@on_sqlite
async def test_whoever_is_forgotten_before_a_match_is_reckoned_has_no_name_in_its_results(
    store: Store, open_lobby: OpenLobby
) -> None:
    anne, _ = await begun(store, await open_lobby(store), Player, Player)
    await over(anne.table)
    await store.forget("bert")
    match = await reckoned(anne, store)
    results = (await store[Results].of_matches([match]))[match]
    assert [(each.person, each.name) for each in results[:2]] == [("anne", "Anne"), ("", "")]
    assert (await ratings_of(store)).keys() == {"anne"}


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


@on_sqlite
async def test_whoever_had_gone_while_others_played_on_pays_when_nobody_comes_back(
    store: Store, other: Store, open_lobby: OpenLobby
) -> None:
    anne, bert = await begun(store, await open_lobby(store, timing=HASTY), Player, Waiting)
    await until(lambda: anne.state.hands_are_out)
    await bert.leave()
    await until(lambda: len(anne.all_of(game.TrickTaken)) > 1)
    await anne.leave()
    table = await waits(anne)
    assert await store[Results].lying(LATER) == [table]
    assert not await close_abandoned(other, table, 0.0, lambda state: state.under_way)
    assert await close_abandoned(other, table, LATER, lambda state: state.under_way)
    assert not await close_abandoned(store, table, LATER, lambda state: state.under_way)
    assert await store[Results].lying(LATER) == []
    ratings = await reckoned_ratings(store, table)
    assert ratings.keys() == {"bert"}
    assert ratings["bert"].mu < 25
    (left,) = await other[Results].all_of("bert")
    assert left.left
    assert await other[Results].all_of("anne") == []


@on_sqlite
async def test_nobody_pays_when_all_are_cut_off_at_once(
    store: Store, open_lobby: OpenLobby
) -> None:
    anne, _ = await begun(store, await open_lobby(store), Player, Waiting)
    await until(lambda: anne.state.hands_are_out)
    table = anne.table.id
    lobby = await open_lobby(store)  # and nobody comes to this one
    assert lobby.living(table) is None
    assert await close_abandoned(store, table, LATER, lambda state: state.under_way)
    assert await reckoned_ratings(store, table) == {}
    assert await lobby.find(table) is None


@on_sqlite
async def test_a_table_to_which_somebody_comes_back_first_goes_on(
    store: Store, open_lobby: OpenLobby
) -> None:
    """The first to append wins: a close that comes later does nothing."""
    anne, bert = await begun(store, await open_lobby(store, timing=HASTY), Player, Waiting)
    await until(lambda: anne.state.hands_are_out)
    await anne.leave()
    await bert.leave()
    table = await waits(anne)
    waiting = time.time()
    anne = Player(anne.table, ANNE)
    await until(lambda: not anne.table.state.paused)
    assert attended(anne.table)
    assert not await close_abandoned(store, table, waiting, lambda state: state.under_way)
    await over(anne.table)
    assert await close_abandoned(store, table, LATER, lambda state: state.under_way) is False


@on_sqlite
async def test_a_match_of_the_same_people_goes_on_from_their_ratings(
    store: Store, open_lobby: OpenLobby
) -> None:
    anne, _ = await begun(store, await open_lobby(store), Player, Player)
    for played in (1, 2, 3):
        await over(anne.table)
        for row in await store.matches_at(anne.table.id):
            await reckon(store, row)
        ratings = await ratings_of(store)
        assert {each.matches for each in ratings.values()} == {played}
        await done(anne.table, ANNE, cmd.Start())
