"""A person's settings at a table: their face, their language, a pace for listening."""

from __future__ import annotations

import re

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from kit import Guest, Player, Reply, Site, played, post_json

from volte.bots import NAMES
from volte.forms.fields import Switch
from volte.forms.preferences import PREFERENCES
from volte.game import MatchStarted, Played, replay
from volte.game import Player as Sitting
from volte.history.moments import Eyes, FaceSettings, before, retold
from volte.rules import make_ruleset
from volte.say import Verbosity, Words
from volte.scene.chart import chart_of
from volte.scene.faces import HUES, INITIALS, PICTURES, Face, face_of, face_of_bot, faces_of
from volte.scene.match import PositionBuilder
from volte.scene.table import SharedParts
from volte.sheet import rows_of_match
from volte.table import Seat
from volte.table.commands import Sit
from volte.view import View, project


async def choose(guest: Guest, **chosen: str) -> Reply:
    """Sends the form of the settings, the rest of it as usual."""
    usual = {
        name: "" if each.usual is None else str(each.usual)
        for name, each in PREFERENCES.items()
        if not isinstance(each, Switch) or each.usual
    }
    return await guest.post("/me", {**usual, **chosen, "next": "/me"})


# Faces


def faces(guest: Guest) -> list[tuple[str, int]]:
    return [(seat.face, seat.hue) for seat in guest.scenes[-1].seats]


async def test_everybody_at_the_table_sees_the_face_that_somebody_has_chosen(site: Site) -> None:
    zoé, max_ = [await Player.come(site.address, name) for name in ("Zoé", "Max")]
    assert (await choose(max_, face="fox", hue="7")).status == 303
    table = await zoé.open_table(("", "casual", "casual"))
    for guest in (zoé, max_):
        await guest.join(table, told=True)
    assert (await max_.do(Sit(1))).ok
    assert zoé.state is not None
    people = [Sitting(each.name, bool(each.person), each.level) for each in zoé.state.seats]
    chosen = {1: {"face": "fox", "hue": "7"}}
    met = [tuple(face) for face in faces_of(people, chosen)]
    assert met[1] == ("fox", 7)
    await zoé.until(lambda: zoé.scenes and faces(zoé) == met)
    await max_.until(lambda: max_.scenes and faces(max_) == met)

    assert (await choose(zoé, face="owl")).status == 303  # in the middle of it
    assert (await zoé.prefer(bot_pace=0)).ok  # as the page says once it has been kept
    await max_.leave()
    met[0] = ("owl", met[0][1])
    await zoé.until(lambda: zoé.scenes[-1].seats[1].state == "gone" and faces(zoé) == met)


async def test_a_face_that_there_is_not_is_refused(site: Site) -> None:
    for name, value in (("face", "wolf"), ("hue", "10"), ("hue", "-1")):
        zoé = await Guest.come(site.address)
        assert (await choose(zoé, **{name: value})).status == 422
        person = await site.room.store.person(zoé.person)
        assert person is not None
        assert name not in person.settings


LEVELS = ("alice", "casual", "strong")


def test_a_player_has_one_face_and_one_colour_wherever_a_match_is_shown() -> None:
    """At the table, in a replay, in a review or puzzle, and in the drawing of the totals."""
    begun, *rest = played(make_ruleset("microsoft", {"match_end": "deals:1"}))
    assert isinstance(begun, MatchStarted)
    bots = [Sitting(name, level=level) for name, level in zip(NAMES, LEVELS, strict=False)]
    log = [msgspec.structs.replace(begun, players=(Sitting("Zoé", person=True), *bots)), *rest]
    match, zoé = replay(log), {"face": "fox", "hue": "1"}
    table = SharedParts()
    table.settings["z"] = zoé
    seats = tuple(Seat("z" if each.person else "", each.name, each.level) for each in match.players)
    faces = table.faces(seats)
    assert faces == faces_of(match.players, {0: zoé})
    assert faces[0] == ("fox", 1)
    assert [face.picture for face in faces[1:]] == ["alice", "bruno", "chloe"]
    assert faces[2].hue != 1  # Bruno's, but somebody has chosen it
    words, chosen = Words("en"), FaceSettings(("z", "", "", ""), {"z": zoé})
    steps = retold(words, log, 1, None, Eyes.OPEN, Verbosity.NORMAL, chosen).moments
    state, event = before(log, next(n for n, e in enumerate(log, 1) if isinstance(e, Played)))
    assert isinstance(event, Played)
    view = View(event.seat, project(state, event.seat))
    position = PositionBuilder(words, view, (), {0: zoé}).scene()
    for scene in (steps[0].scene, steps[-1].scene, position):
        assert tuple(Face(seat.face, seat.hue) for seat in scene.seats) == faces
    hues = [face.hue for face in faces]
    chart = chart_of(words, ["", "", "", ""], hues, rows_of_match(match))
    assert re.findall(r'"line hue-(\d)"', chart) == [str(hue) for hue in hues]


@given(st.lists(st.text("abcd", min_size=1), min_size=10, max_size=10), st.data())
def test_no_two_at_a_table_have_one_colour(names: list[str], data: st.DataObject) -> None:
    players = [Sitting(each, person=data.draw(st.booleans())) for each in (*names[:5], *NAMES[:5])]
    chosen = data.draw(st.dictionaries(st.integers(0, 9), st.sampled_from([*HUES, "no"])))
    faces = faces_of(players, {seat: {"hue": hue} for seat, hue in chosen.items()})
    assert sorted(face.hue for face in faces) == [*range(10)]


def test_bots_have_different_pictures_and_people_their_initials() -> None:
    assert len({face_of_bot(name).picture for name in NAMES}) == len(NAMES)
    assert face_of_bot("Alice", "strong") == face_of_bot("Alice") == face_of_bot("Alice 2", "alice")
    assert face_of_bot("Alice 2") == face_of_bot("Alice 2")
    assert face_of_bot("Alice 2").picture in PICTURES
    assert face_of("Zoé", {}) == face_of("Zoé", {"face": "wolf", "hue": [3]})
    assert face_of("Zoé", {}).picture == INITIALS


# Languages: with a region, or in capitals

NAMED = {"fr-CA": "fr-CA", "FR": "fr", "fr_CA.UTF-8": "fr-CA", "fr-ca": "fr-CA", "fr-BE": "fr"}


async def test_a_client_may_ask_for_a_language_with_its_region(site: Site) -> None:
    for named, lang in NAMED.items():
        guest = await Guest.come(site.address, lang=named)
        assert (await guest.get("/api/me")).json["lang"] == lang
    other = await post_json(site.address, "/api/guest", {"name": "Zoé", "lang": "xx"})
    assert other.json["lang"] == "en"


async def test_a_browser_is_answered_in_the_language_that_it_ranks_first(site: Site) -> None:
    nobody = Guest(site.address, "", "", "")
    for accepted, lang in {
        "fr-CA,fr;q=0.9,en": "fr-CA",
        "fr-CH, fr-CA;q=0.9": "fr",
        "en-CA,fr-CA;q=0.9": "en",
        "de-CH, EN;q=0.9, fr;q=0.8": "en",
        "en;q=0, fr;q=0.1": "fr",
        "fro, xx, *": "en",
    }.items():
        page = await nobody.get("/", accept_language=accepted)
        assert f'<html lang="{lang}"' in page.text, accepted
