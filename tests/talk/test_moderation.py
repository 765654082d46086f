"""Reports, the evidence beside them, and decisions of moderators."""

from __future__ import annotations

import asyncio
import json

import pytest
from kit import Guest, Page, Site, SiteWith, request
from kit.talking import Talker, reason

from volte.game.codec import encode
from volte.people.store import Accounts
from volte.rules import make_ruleset
from volte.table import Access, Setup
from volte.table.commands import Close, Sit, Start
from volte.talk.reports import thawed
from volte.talk.store import TalkReport, TalkStore

RULES = make_ruleset("coeurs", {"match_end": "deals:1"})


async def moderator(site: Site, name: str = "Mia") -> Talker:
    """A new person with the role of a moderator."""
    guest = await Talker.come(site.address, name)
    await site.room.store[Accounts].put_role(guest.person, "moderator")
    return guest


@pytest.fixture
async def mia(site: Site) -> Talker:
    return await moderator(site)


async def read(guest: Guest, path: str) -> str:
    """The text of a page that a guest may see."""
    reply = await guest.get(path)
    assert reply.status == 200
    return reply.text


async def quarrel(site: Site) -> tuple[Talker, Talker, TalkReport]:
    """Let Ann report a saying of Bob: Ann, Bob, and the report."""
    ann = await Talker.come(site.address, "Ann")
    bob = await Talker.come(site.address, "Bob")
    table = await ann.open_table(("", "casual", "casual"), Setup("Quarrels", RULES))
    for each in (ann, bob):
        await each.join(table)
    assert (await bob.do(Sit(1))).ok
    assert not reason(await ann.speak("Before."))
    assert not reason(await bob.speak("<b>Ugly</b> words."))
    assert not reason(await bob.speak(phrase="hello"))
    await ann.until(lambda: len(ann.spoken) == 3)
    answer = await ann.report(bob, [2], "insult", "Look at this.")
    assert not reason(answer)
    assert answer.lines[0].startswith("Thank you.")
    (report,) = await site.room.store[TalkStore].reports_by(ann.person)
    return ann, bob, report


async def test_a_report_keeps_what_was_said_before_and_after(site: Site, mia: Talker) -> None:
    ann, bob, report = await quarrel(site)
    assert (report.by, report.against, report.why) == (ann.person, bob.person, "insult")
    evidence = thawed(report.evidence)
    assert evidence.reported == (2,)
    assert [each.number for each in evidence.sayings] == [1, 2, 3]
    assert not reason(await bob.speak("After."))
    text = await read(mia, "/moderation")
    assert "&lt;b&gt;Ugly&lt;/b&gt; words." in text
    for shown in ("Before.", "After.", "Hello, everybody!", "Look at this.", "Quarrels"):
        assert shown in text, shown
    again = await ann.report(bob, [2], asking="same")
    assert not reason(again)
    assert not reason(await ann.report(bob, [2], asking="same"))
    assert len(await site.room.store[TalkStore].reports_by(ann.person)) == 2


@pytest.mark.full
async def test_who_cannot_be_reported_is_told(site_with: SiteWith) -> None:
    site = await site_with(reports_per_hour=2)
    ann, bob, _ = await quarrel(site)
    assert reason(await ann.report(ann)) == "own_saying"
    assert reason(await ann.report(bob, why="because")) == "no_such_reason"
    assert reason(await ann.report(bob, note="x" * 501)) == "note_too_long"
    stranger = await Guest.come(site.address)
    assert reason(await ann.report(stranger)) == "not_at_table"
    assert reason(await ann.report(bob, [1, 99])) == ""  # not his sayings: without them
    assert reason(await ann.report(bob)) == "too_many_reports"
    last = (await site.room.store[TalkStore].reports_by(ann.person))[0]
    assert thawed(last.evidence).reported == ()


async def test_only_moderators_see_reports_and_nobody_decides_about_themselves(
    site: Site,
) -> None:
    ann, bob, report = await quarrel(site)
    pages = ("/moderation", f"/moderation/reports/{report.id}", "/moderation/measures")
    for path in pages:
        assert (await ann.get(path)).status == 403
        assert (await request(site.address, "GET", path)).status == 401
    decide = f"/moderation/reports/{report.id}"
    assert (await ann.post(decide, {"decision": "nothing"})).status == 403
    await site.room.store[Accounts].put_role(bob.person, "moderator")
    assert 'id="decide"' not in await read(bob, decide)
    assert (await bob.post(decide, {"decision": "nothing"})).status == 403
    still = await site.room.store[TalkStore].report_of(report.id)
    assert still is not None
    assert still.decided is None


async def test_a_decision_is_kept_once_and_told_to_both(site: Site) -> None:
    ann, bob, report = await quarrel(site)
    mia, max_ = await moderator(site), await moderator(site, "Max")
    path = f"/moderation/reports/{report.id}"
    for wrong in ({}, {"decision": "gallows"}, {"decision": "warning", "note": " "}):
        reply = await mia.post(path, wrong)
        assert reply.status == 422
        assert "aria-invalid" in reply.text
    replies = await asyncio.gather(
        mia.post(path, {"decision": "silence_day", "note": "Be kind."}),
        max_.post(path, {"decision": "warning", "note": "Be kinder."}),
    )
    assert sorted(reply.status for reply in replies) == [303, 409]
    (late,) = (reply for reply in replies if reply.status == 409)
    assert "Somebody else has already decided on this report" in late.text
    (measure,) = await site.room.store[TalkStore].measures_about(bob.person)
    assert measure.person == bob.person
    await bob.until(lambda: bob.notices)
    assert measure.note in bob.notices[0].line
    await ann.until(lambda: ann.notices and ann.notices[-1].reason == "measure")
    assert ann.notices[-1].line.startswith("Thank you for your report")
    decided = await site.room.store[TalkStore].report_of(report.id)
    assert decided is not None
    assert thawed(decided.evidence).whole
    assert measure.note in await read(mia, "/moderation/measures")
    assert "Somebody else" not in await read(mia, path)


async def test_a_measure_is_shown_on_every_page_until_it_has_been_read(
    site: Site, mia: Talker
) -> None:
    _, bob, report = await quarrel(site)
    await bob.leave()
    path = f"/moderation/reports/{report.id}"
    assert (await mia.post(path, {"decision": "warning", "note": "Be kind."})).status == 303
    told = "A moderator has warned you: Be kind."
    for _ in range(2):
        text = await read(bob, "/rules")
        assert told in text
    at = text.split('name="at" value="', 1)[1].split('"', 1)[0]
    assert (await bob.post("/me/talk/read", {"at": "0", "next": "/rules"})).status == 303
    assert told in await read(bob, "/rules")
    reply = await bob.post("/me/talk/read", {"at": at, "next": "/rules"})
    assert (reply.status, reply.header("location")) == (303, "/rules")
    assert told not in await read(bob, "/rules")
    assert told in await read(bob, "/me/talk")


async def test_a_measure_is_lifted_once_and_the_lifting_is_on_record(
    site: Site, mia: Talker
) -> None:
    _, bob, report = await quarrel(site)
    path = f"/moderation/reports/{report.id}"
    sent = await mia.post(path, {"decision": "silence_ever", "note": "Enough."})
    assert sent.status == 303
    assert reason(await bob.speak("Sorry?")) == "silenced_for_good"
    (measure,) = await site.room.store[TalkStore].measures_about(bob.person)
    lift = f"/moderation/measures/{measure.id}/lift"
    assert (await mia.post(lift, {"note": ""})).status == 422
    replies = await asyncio.gather(
        mia.post(lift, {"note": "He has said sorry."}), mia.post(lift, {"note": "Yes."})
    )
    assert sorted(reply.status for reply in replies) == [303, 409]
    assert not reason(await bob.speak("Sorry."))
    await bob.until(lambda: len(bob.notices) == 2)
    assert bob.notices[1].line.startswith("You can chat again")
    assert "lifted by Mia" in await read(mia, "/moderation/measures")
    for gone in ("/moderation/reports/none", "/moderation/measures/none/lift"):
        assert (await mia.get(gone)).status == 404


@pytest.mark.full
async def test_whoever_is_excluded_plays_at_tables_of_friends_alone(
    site: Site, mia: Talker
) -> None:
    _, bob, report = await quarrel(site)
    path = f"/moderation/reports/{report.id}"
    sent = await mia.post(path, {"decision": "exclusion_week", "note": "Cards told."})
    assert sent.status == 303
    cleo = await Talker.come(site.address, "Cléo")
    public = await cleo.open_table(("", "", ""), Setup("Open", RULES))
    friends = await cleo.open_table(("", "", ""), Setup("Friends", RULES, access=Access.LINK))
    await bob.join(public)
    answer = await bob.do(Sit(1))
    assert reason(answer) == "excluded"
    assert "Cards told." in answer.lines[0]
    await bob.join(friends)
    assert (await bob.do(Sit(1))).ok
    setup = json.loads(encode(Setup("Of Bob", RULES)))
    opened = await bob.post("/api/tables", {"setup": setup})
    assert (opened.status, opened.json["reason"]) == (403, "excluded")
    assert (await bob.post("/play")).status == 303  # alone with bots


@pytest.mark.full
async def test_ones_own_page_lists_whom_one_does_not_read(site: Site) -> None:
    ann, bob, _ = await quarrel(site)
    assert not reason(await ann.mute(bob))
    text = await read(ann, "/me/talk")
    assert "Read Bob again" in text
    assert "a moderator will look at it" in text
    await ann.post("/me/talk", {"person": "somebody else"})
    assert (await ann.post("/me/talk", {"person": bob.person})).status == 303
    assert "You have not muted anybody." in await read(ann, "/me/talk")
    assert not reason(await bob.speak("Do you hear me?"))
    await ann.until(lambda: ann.lines[-1] == "Do you hear me?")


async def test_the_pages_are_sound(site: Site, mia: Talker) -> None:
    ann, bob, report = await quarrel(site)
    await mia.post(f"/moderation/reports/{report.id}", {"decision": "warning", "note": "x"})
    assert not reason(await ann.report(bob, [2]))
    (measure,) = await site.room.store[TalkStore].measures_about(bob.person)
    for path in (
        *("/moderation", f"/moderation/reports/{report.id}", "/moderation/measures"),
        *(f"/moderation/measures/{measure.id}/lift", "/me/talk"),
    ):
        page = Page.of(await mia.get(path))
        assert (page.status, page.wrong) == (200, []), path


async def test_a_moderator_who_plays_reads_later_what_watchers_said(
    site: Site, mia: Talker
) -> None:
    """Watchers see cards of which a moderator with a seat there must not read."""
    ann, bob = [await Talker.come(site.address, name) for name in ("Ann", "Bob")]
    table = await mia.open_table(setup=Setup("Open hands", RULES))
    for each in (mia, ann, bob):
        await each.join(table)
    assert (await mia.do(Start())).ok
    assert not reason(await bob.speak("Alice has it.", room="watchers"))
    await ann.until(lambda: ann.spoken)
    said = ann.spoken[0].number
    assert not reason(await ann.report(bob, [said], note="He tells cards."))
    (report,) = await site.room.store[TalkStore].reports_by(ann.person)
    pages = ("/moderation", f"/moderation/reports/{report.id}")
    for path in pages:
        text = await read(mia, path)
        assert "You are playing at that table yourself" in text
        assert "Alice has it." not in text
        assert "He tells cards." not in text
    other = await moderator(site, "Max")
    assert "Alice has it." in await read(other, pages[1])
    assert (await mia.do(Close())).ok
    for path in pages:
        text = await read(mia, path)
        assert "Alice has it." in text
        assert "He tells cards." in text
