"""Who may make, open, lead and end a review, and what they are shown; by real requests."""

from __future__ import annotations

import json
import time
from typing import Final

import pytest
from kit import Guest, Page, SiteWith
from kit.requests import post_form, request
from kit.studying import act, begin, sat
from msgspec.structs import replace

from volte.history.match_page import key_of
from volte.store import MatchRow
from volte.studies.store import StudyStore, talk_of
from volte.table import Access, Watching
from volte.talk.store import Said, TalkStore

ROLES: Final = ("maker", "player", "watcher", "stranger", "old key", "nobody")
"""A player who makes the review; another one, who has not agreed to be shown; somebody who was let
in to watch the table; somebody with the address of the review alone; with the old kind of address
of the match as well; and without a session."""

EVERYTHING: Final = "/deals/1 /line /talk /people /changes"

STATUSES: Final = """
              while the match goes on   with a review             once it has ended
make          403 403 403 404 404 401   303 303 303 404 404 401   303 303 303 404 404 401
page          404 404 404 404 404 200   200 200 200 200 200 200   404 404 404 404 404 200
/deals/1      404 404 404 404 404 401   200 200 200 200 200 401   404 404 404 404 404 401
/line         404 404 404 404 404 401   409 409 409 409 409 401   404 404 404 404 404 401
/talk         404 404 404 404 404 401   200 200 200 200 200 401   404 404 404 404 404 401
/people       404 404 404 404 404 401   200 200 200 200 200 401   404 404 404 404 404 401
/changes      404 404 404 404 404 401   406 406 406 406 406 401   404 404 404 404 404 401
lead          404 404 404 404 404 401   303 409 409 409 409 401   404 404 404 404 404 401
end           404 404 404 404 404 401   *   403 403 403 403 401   404 404 404 404 404 401
match         403 403 403 404 403 401   200 200 200 404 200 401   200 200 200 404 200 401
"""
"""What is asked, by the roles in their order: a line each, as docs/security.md tells it. Without a
session the page is a form for a name. Before cards are played there is no line. The star is asked
at the end."""


async def status(who: Guest | None, address: str, asked: str, row: MatchRow, study: str) -> int:
    """The status of what is asked."""
    cookie = who.cookie if who is not None else ""
    sent = {"csrf": who.csrf if who is not None else "", "deal": "1", "step": "0"}
    if asked == "make":
        reply = await post_form(address, "/studies", {**sent, "match": row.id}, cookie)
    elif asked in ("lead", "end"):
        reply = await post_form(address, f"/studies/{study}/do", {**sent, "do": asked}, cookie)
    else:
        key = f"?key={key_of(row)}" if who is not None and who.name == "old key" else ""
        pages = {"page": f"/studies/{study}{key}", "match": f"/matches/{row.id}{key}"}
        path = pages.get(asked, f"/studies/{study}{asked}{key}")
        headers = {"cookie": cookie, "accept": "text/html"}
        reply = await request(address, "GET", path, headers=headers)
    return reply.status


async def test_who_may_do_what_before_with_and_after_a_review(site_with: SiteWith) -> None:
    site = await site_with()
    people: list[Guest | None] = [await Guest.come(site.address, role) for role in ROLES[:-1]]
    anne, bert, cara = [each for each in people[:3] if each is not None]
    locked = {"watching": Watching.HIDDEN, "access": Access.PASSWORD}
    goes_on = await sat(site, anne, bert, over=False, **locked)
    row = await sat(site, anne, bert, **locked)
    for each in (goes_on, row):
        await site.room.store.admit(each.table, cara.person)
    begun = await begin(anne, row.id)
    found = dict[tuple[str, int], list[int]]()
    lines = [line.split() for line in STATUSES.strip().splitlines()[1:]]
    times = [(goes_on, "0" * 32), (row, begun), (row, begun)]
    for stage, (match, study) in enumerate(times):
        if stage == 2:
            assert await act(anne, study, "end") == ""
        for asked, *_ in lines:
            found[asked, stage] = [
                0
                if (asked, stage, who) == ("end", 1, anne)
                else await status(who, site.address, asked, match, study)
                for who in [*people, None]
            ]
    for asked, *expected in lines:
        wanted = [0 if each == "*" else int(each) for each in expected]
        told = [each for stage in range(3) for each in found[asked, stage]]
        assert (asked, told) == (asked, wanted)


async def test_strangers_see_those_who_agreed_and_whoever_may_open_the_match_everything(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    names = ("Anouk", "Bela", "Cyril", "Dagny", "Elif")
    anne, bert, cara, dora, emil = [await Guest.come(site.address, name) for name in names]
    row = await sat(site, anne, bert, cara, dora)
    study = await begin(anne, row.id)

    async def shown(who: Guest) -> tuple[list[str], int]:
        """The names at the seats that somebody is shown, and the hands that lie open."""
        page = await who.get(f"/studies/{study}")
        deal = (await who.get(f"/studies/{study}/deals/1")).json
        scene = deal["moments"][0]["scene"]
        seats = [each["name"] for each in scene["seats"][2]]  # a change: all at once
        assert all(name in seats or name not in page.text for name in names[1:4])
        return seats, len({each["seat"] for each in scene["hands"][2]})

    assert await shown(bert) == (list(names[:4]), 4)
    assert await shown(emil) == (["Anouk", "Seat 2", "Seat 3", "Seat 4"], 1)
    assert await act(cara, study, "show") == ""
    assert await shown(emil) == (["Anouk", "Seat 2", "Cyril", "Seat 4"], 2)
    assert await act(emil, study, "show") == ""  # who has not played shows nothing by that
    assert await shown(emil) == (["Anouk", "Seat 2", "Cyril", "Seat 4"], 2)
    assert await act(cara, study, "hide") == ""
    assert await shown(emil) == (["Anouk", "Seat 2", "Seat 3", "Seat 4"], 1)
    other = await begin(bert, row.id)  # what is agreed to at one review holds there alone
    assert await act(dora, other, "show") == ""
    assert await shown(emil) == (["Anouk", "Seat 2", "Seat 3", "Seat 4"], 1)
    await site.room.store.forget(dora.person)  # nobody agrees in place of somebody who is gone
    assert await shown(emil) == (["Anouk", "Seat 2", "Seat 3", "Seat 4"], 1)


async def test_the_same_form_makes_one_review_and_there_are_limits(
    site_with: SiteWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("volte.studies.service.MOST_MADE", 2)
    site = await site_with()
    anne, bert = [await Guest.come(site.address, name) for name in ("Anne", "Bert")]
    row = await sat(site, anne)
    page = Page.of(await anne.get(f"/matches/{row.id}"))
    [fields] = [fields for action, fields in page.forms() if action.endswith("/studies")]
    first, again = [await anne.post("/studies", fields) for _ in range(2)]
    assert first.header("location") == again.header("location")
    assert len(first.header("location")) == len("/studies/") + 32
    second = await begin(anne, row.id)
    assert (await anne.post("/studies", {"match": row.id})).status == 429
    listed = Page.of(await anne.get("/studies"))
    assert len(listed.all("button", value="end")) == 2
    assert await act(bert, second, "end") == "forbidden"
    assert await act(anne, second, "end") == ""
    assert len(Page.of(await anne.get("/studies")).all("button", value="end")) == 1


async def test_a_review_ends_after_thirty_days_but_not_by_a_clock_that_was_set(
    site_with: SiteWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = await site_with(second_look=3600.0)
    anne = await Guest.come(site.address, "Anne")
    study = await begin(anne, (await sat(site, anne)).id)
    rows, talk = site.room.store[StudyStore], site.room.store[TalkStore]
    said = Said(talk_of(study), 1, "table", anne.person, "Anne", "", "Look", time.time())
    await talk.say(said, "cause")
    month = time.time() + 31 * 24 * 3600.0
    await site.room.store.sweep(time.time() + 29 * 24 * 3600.0)
    assert await talk.last(talk_of(study)) == 1
    monkeypatch.setattr(site.room.store.second_look, "_wall", lambda: month)
    assert (await anne.get(f"/studies/{study}")).status == 200  # the clock has only just jumped
    found = await rows.study(study)
    assert found is not None
    await rows.change(found, replace(found, ends=time.time() - 1, version=found.version + 1))
    assert (await anne.get(f"/studies/{study}")).status == 404
    await site.room.store.sweep(time.time())
    assert await rows.study(study) is None
    assert await talk.last(talk_of(study)) == 0


async def test_a_maker_takes_their_reviews_along_and_they_go_with_their_maker(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    anne, bert = [await Guest.come(site.address, name) for name in ("Anne", "Bert")]
    study = await begin(anne, (await sat(site, anne)).id)
    assert await act(bert, study, "show") == ""
    store = site.room.store
    [made], [there] = (
        (await store.export(anne.person))["reviews_together"],
        (await store.export(bert.person))["at_reviews"],
    )
    assert (made["id"], there["study"], there["shows"]) == (study, study, True)
    assert "leader" not in json.dumps([made, there])
    await store.forget(bert.person)
    assert await store[StudyStore].attendees(study) == []
    await store.forget(anne.person)
    assert await store[StudyStore].study(study) is None
