"""A club with an evening in the middle, for people who come to look at its pages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from kit.sites import House
from page.looking_back import someone
from page.players import Player

from volte.evenings.conducting import Declined, Evenings
from volte.evenings.decide import begin_round, end_round, invite, join, played
from volte.evenings.evening import DealResult, Plan
from volte.evenings.store import Club, Clubs
from volte.rules import make_ruleset
from volte.store import Person
from volte.table import Someone
from volte.web.room import Room

OTHERS = ("Anne", "Barnabé", "Célestine", "Désirée", "Edmond", "Fanny")


async def club_of(room: Room, who: Someone) -> Club:
    """That person's club, listed, with six members more."""
    club = Club("cercle", "Cercle du vendredi", who.id, "Tous les vendredis.", True, 1.0, "key")
    await room.store[Clubs].put(club)
    for name in OTHERS:
        await room.store.put_person(Person(name, name, "fr", {}, 1.0))
        await room.store[Clubs].admit(club.id, name)
    return club


async def evening_of(room: Room, who: Someone, club: Club) -> str:
    """An evening of two rounds: one is over, and the other is played; its id."""
    evenings = room[Evenings]
    rules = make_ruleset("coeurs", {"match_end": "deals:2"})
    plan = Plan("Soirée d’hiver", club.id, time.time(), "Europe/Paris", rules, 3, by_itself=False)
    key = await evenings.plan(plan, who)
    await evenings.do(key, partial(invite, people=[Someone(OTHERS[-1], OTHERS[-1])]))
    for each in (who, *(Someone(name, name) for name in OTHERS[:-1])):
        await evenings.do(key, partial(join, who=each))
    for deals in (2, 1):
        evening = await evenings.do(key, partial(begin_round, now=time.time()))
        for deal in range(deals):
            for table, sitting in enumerate(evening.rounds[-1].tables):
                points = (13, 8 * table, 5 + deal, 8 - 8 * table - deal)
                result = DealResult(points, sitting.seats)
                await evenings.do(key, partial(played, table=table, result=result))
        if deals == 2:
            with suppress(Declined):  # it has ended by itself meanwhile
                await evenings.do(key, partial(end_round, now=time.time()))
    return key


def at_club(path: str) -> Callable[[Player], None]:
    """A page of that club; `{evening}` is the id of its evening."""

    def visit(player: Player) -> None:
        house = player.house
        assert isinstance(house, House)
        who, room = someone(player, house), house.site.room
        club = house.do(club_of(room, who))
        evening = house.do(evening_of(room, who, club)) if "{evening}" in path else ""
        player.go_to(path.format(club=club.id, evening=evening))
        player.page.evaluate(
            "document.querySelectorAll('main details').forEach((each) => each.open = true)"
        )

    return visit


def evening_wrong(player: Player) -> None:
    """The form for an evening, with something wrong in it."""
    at_club("/clubs/{club}/evenings/new")(player)
    player.page.fill("#deals", "40")
    player.page.click("#evening-form button.first")
    player.page.wait_for_selector(".fault")


def club_pages(player: Player) -> Iterator[str]:
    """The pages of clubs that are not among all the others: their names."""
    for path in (
        "/clubs",
        "/clubs/new",
        "/clubs/{club}/invited/key",
        "/clubs/{club}/edit",
        "/evenings/{evening}/edit",
        "/evenings/{evening}/rounds/1",
    ):
        at_club(path)(player)
        yield path
