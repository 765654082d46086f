"""The faces of those at a table, as everybody there is shown them."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.people import Guest, Player
from kit.requests import Reply, post_form
from kit.sites import Site, serving

from volte.bots import NAMES
from volte.table.commands import Sit
from volte.web.faces import INITIALS, PICTURES, face_of, face_of_bot
from volte.web.preferences import PREFERENCES, Switch
from volte.web.security import csrf_of


async def choose(site: Site, guest: Guest, **chosen: str) -> Reply:
    """Sends the form of the settings, the rest of it as usual."""
    fields = {
        name: str(each.usual)
        for name, each in PREFERENCES.items()
        if not isinstance(each, Switch) or each.usual
    }
    token = guest.cookie.partition("=")[2]
    fields |= chosen | {"csrf": csrf_of(token), "next": "/me"}
    return await post_form(site.address, "/me", fields, guest.cookie)


def faces(guest: Guest) -> list[tuple[str, int]]:
    return [(seat.face, seat.hue) for seat in guest.scenes[-1].seats]


async def test_everybody_at_the_table_sees_the_face_that_somebody_has_chosen(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as site:
        zoé, max_ = [await Player.come(site.address, name) for name in ("Zoé", "Max")]
        assert (await choose(site, max_, face="fox", hue="7")).status == 303
        table = await zoé.open_table(("", "casual", "casual"))
        for guest in (zoé, max_):
            await guest.join(table, told=True)
        assert (await max_.do(Sit(1))).ok
        assert zoé.state is not None
        bots = [tuple(face_of_bot(seat.name)) for seat in zoé.state.seats[2:]]
        met = [tuple(face_of("Zoé", {})), ("fox", 7), *bots]
        await zoé.until(lambda: zoé.scenes and faces(zoé) == met)
        await max_.until(lambda: max_.scenes and faces(max_) == met)

        assert (await choose(site, zoé, face="owl")).status == 303  # in the middle of it
        assert (await zoé.prefer(bot_pace=0)).ok  # as the page says once it has been kept
        await max_.leave()
        met[0] = ("owl", face_of("Zoé", {}).hue)
        await zoé.until(lambda: zoé.scenes[-1].seats[1].state == "gone" and faces(zoé) == met)
        await zoé.leave()


@pytest.mark.parametrize(("name", "value"), [("face", "wolf"), ("hue", "10"), ("hue", "-1")])
async def test_a_face_that_there_is_not_is_refused(tmp_path: Path, name: str, value: str) -> None:
    async with serving(tmp_path) as site:
        zoé = await Guest.come(site.address)
        assert (await choose(site, zoé, **{name: value})).status == 422
        person = await site.room.store.person(zoé.person)
        assert person is not None
        assert name not in person.settings


def test_bots_have_different_pictures_and_people_their_initials() -> None:
    assert len({face_of_bot(name).picture for name in NAMES}) == len(NAMES)
    assert face_of_bot("Alice 2") == face_of_bot("Alice 2")
    assert face_of_bot("Alice 2").picture in PICTURES
    assert face_of("Zoé", {}) == face_of("Zoé", {"face": "wolf", "hue": [3]})
    assert face_of("Zoé", {}).picture == INITIALS
