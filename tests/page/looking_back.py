"""Matches that are over, for people who come to look at them again."""

from __future__ import annotations

from collections.abc import Sequence

from page.players import Player
from server.kept import keep
from server.visiting import House

from volte.referee import Event
from volte.table import Someone


def kept_for(player: Player, house: House, log: Sequence[Event]) -> str:
    """Puts a match into the store in which that person had seat 0; its id."""
    cookies = {each["name"]: each["value"] for each in player.context.cookies()}
    person = house.do(house.site.room.sessions.person(cookies["volte"]))
    assert person is not None
    someone = Someone(person.id, person.name)
    return house.do(keep(house.site.room.store, someone, log)).id
