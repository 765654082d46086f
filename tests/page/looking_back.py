"""Matches that are over, for people who come to look at them again."""

from __future__ import annotations

import time
from collections.abc import Sequence

from kit.matches import keep
from kit.sites import House
from page.players import Player

from volte import game
from volte.history.reckoner import reckon
from volte.history.store import Rating, Results
from volte.people.sessions import Sessions
from volte.referee import Event
from volte.rules import make_ruleset
from volte.table import Someone


def kept_for(player: Player, house: House, log: Sequence[Event]) -> str:
    """Puts a match into the store in which that person had seat 0; its id."""
    return house.do(keep(house.site.room.store, someone(player, house), log)).id


def rated_for(player: Player, house: House, match: str, ladder: str) -> None:
    """Has the match reckoned, and gives the person a rating where they have none yet."""
    store, who = house.site.room.store, someone(player, house)

    async def story() -> None:
        row = await store.match(match)
        assert row is not None
        await reckon(store, row)
        if await store[Results].rating(who.id, ladder) is None:
            another = await keep(store, who, [started], over=False)
            rating = Rating(who.id, ladder, 27.0, 1.5, 14, time.time())
            await store[Results].keep(another.id, (), [rating])

    started = game.MatchStarted(make_ruleset(ladder), (game.Player("Zoé", person=True),) * 4)
    house.do(story())


def someone(player: Player, house: House) -> Someone:
    """Who sits at that browser."""
    cookies = {each["name"]: each["value"] for each in player.context.cookies()}
    person = house.do(house.site.room[Sessions].person(cookies["volte"]))
    assert person is not None
    return Someone(person.id, person.name)
