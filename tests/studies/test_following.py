"""Attendees of a review at one step: who leads, who comes and goes, lines, talk; by requests."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from kit import Guest, SiteWith, keep
from kit.sites import Process, Site
from kit.studying import Attendee, begin, match_of, sat

from volte.game.codec import encode
from volte.people.store import Accounts
from volte.store.store import Store
from volte.store.writer import insert
from volte.studies.service import Judge, Studies
from volte.studies.store import StudyStore, talk_of
from volte.studies.study import GONE, SKEW, Study, is_here
from volte.studies.study import Attendee as Row
from volte.table import Someone
from volte.talk.store import MEASURES, Measure, TalkStore
from volte.wire.messages import Mute, Report, Speak


async def gone(site: Site, attendee: Attendee) -> None:
    """Close the line of somebody without a word, and let much time go by for them."""
    await attendee.leave()
    rows, study = site.room.store[StudyStore], attendee.study
    await rows.attend(study, attendee.guest.person, since=1.0, seen=1.0)
    await site.room[Studies].changed(study)


async def people(address: str, *names: str, lang: str = "en") -> list[Guest]:
    return [await Guest.come(address, name, lang) for name in names]


async def test_all_are_where_the_leader_is_and_only_the_leader_moves_them(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    anne, bert = await people(site.address, "Anne", "Bert")
    [cara] = await people(site.address, "Cara", lang="fr")
    study = await begin(anne, (await sat(site, anne, bert)).id)
    first, second, third = [await Attendee.come(each, study) for each in (anne, bert, cara)]
    assert first.news["leading"] == "You lead: everybody follows your steps."
    assert third.news["leading"] == "Anne mène."
    assert await first.do("lead", deal=2, step=7) == ""
    await asyncio.gather(*(each.at(2, 7) for each in (first, second, third)))
    assert await second.do("lead", deal=1, step=1) == "not_leader"
    last = len(json.loads(await first.deal(2))["moments"]) - 1
    for deal, step in ((0, 1), (3, 0), (2, last + 1), (99, 0)):
        assert await first.do("lead", deal=deal, step=step) == "no_such_step"
    assert await first.do("lead", deal=2, step=last) == ""
    assert await first.do("hand", to="nobody") == "not_in_study"
    assert await first.do("hand", to=cara.person) == ""
    await third.until(lambda: third.news["leads"])
    assert await third.do("lead", deal=1, step=3) == ""
    await first.at(1, 3)


async def test_when_the_leader_is_gone_whoever_has_been_there_longest_leads(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    anne, bert, cara = await people(site.address, "Anne", "Bert", "Cara")
    study = await begin(anne, (await sat(site, anne)).id)
    first, second, third = [await Attendee.come(each, study) for each in (anne, bert, cara)]
    assert await second.do("try", deal=1, step=0) == "no_line_here"  # cards are passed first
    assert await first.do("lead", deal=1, step=1) == ""
    assert await second.do("try", deal=1, step=1) == ""
    await third.until(lambda: third.news["tried"])
    await gone(site, second)
    await third.until(lambda: third.here == ["Anne", "Cara"])
    assert third.news["tried"] is None  # a line ends when its person is gone
    await second.back()
    await third.until(lambda: third.here == ["Anne", "Cara", "Bert"])
    await gone(site, first)
    await third.until(lambda: third.news["leads"])
    assert third.here == ["Cara", "Bert"]
    await second.until(lambda: second.news["leading"] == "Cara leads.")


async def test_a_line_is_tried_by_one_and_seen_by_all_as_far_as_they_may(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    anne, bert, cara = await people(site.address, "Anne", "Bert", "Cara")
    study = await begin(anne, (await sat(site, anne, bert)).id)
    first, second, third = [await Attendee.come(each, study) for each in (anne, bert, cara)]
    await first.do("lead", deal=1, step=1)
    assert await second.do("try", deal=1, step=1) == ""
    assert await second.do("try", deal=1, step=1) == ""  # pressed twice
    assert await first.do("try", deal=1, step=1) == "line_tried"
    assert await second.do("card", card="XX", place=0) == "line_not_legal"
    line = await second.line()
    for place in range(4):
        card = line["legal"][0]["card"]
        assert await second.do("card", card=card, place=place) == ""
        assert await second.do("card", card=card, place=place) == ""  # sent again
        line = await second.line()
    assert line["first"] + 5 == line["first"] + len(line["moments"])  # four cards, and their taker
    await third.until(lambda: third.news["tried"]["count"] == 4)
    assert third.news["tried"]["told"].startswith("Bert is trying a line")
    seen = await third.line()
    assert seen["more"]
    assert len(seen["moments"]) < 5
    assert await third.do("card", card=line["legal"][0]["card"], place=4) == "line_closed"
    assert await second.do("take", place=3) == ""
    assert len((await second.line())["moments"]) == 3
    assert await third.do("back") == "not_leader"
    assert await first.do("back") == ""
    await third.until(lambda: third.news["tried"] is None)
    assert await second.do("card", card="2C", place=0) == "line_over"


async def test_a_card_goes_into_no_other_line_than_the_one_in_which_it_was_found_lawful(
    site_with: SiteWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another tab the trier changes the line while the card is on its way."""
    site = await site_with()
    [anne] = await people(site.address, "Anne")
    study = await begin(anne, (await sat(site, anne)).id)
    here, there = [await Attendee.come(anne, study) for _ in range(2)]
    await here.do("lead", deal=1, step=1)
    await here.do("try", deal=1, step=1)
    opening = (await here.line())["legal"][0]["card"]
    await here.do("card", card=opening, place=0)
    first, other, *_ = [each["card"] for each in (await here.line())["legal"]]
    await here.do("card", card=first, place=1)
    late = (await here.line())["legal"][0]["card"]
    do = Studies.do

    async def later(studies: Studies, id: str, judge: Judge) -> Study:
        monkeypatch.setattr(Studies, "do", do)
        assert await there.do("take", place=1) == ""
        assert await there.do("card", card=other, place=1) == ""
        return await do(studies, id, judge)

    monkeypatch.setattr(Studies, "do", later)
    assert await here.do("card", card=late, place=2) == "study_moved_on"
    found = await site.room[Studies].find(study)
    assert found.line == (opening, other)
    await here.until(lambda: here.news["version"] == found.version)


async def test_talk_beside_a_review_is_read_muted_reported_and_gone_with_it(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    anne, bert = await people(site.address, "Anne", "Bert")
    study = await begin(anne, (await sat(site, anne)).id)
    first, second = [await Attendee.come(each, study) for each in (anne, bert)]

    async def ask(member: Attendee, asking: Any) -> Any:
        message = encode(asking).decode()
        reply = await member.guest.post(f"/studies/{study}/talk", {"message": message})
        return reply.json

    for _ in range(2):  # sent again after a crash
        assert (await ask(second, Speak("1", "table", text="Why the queen?")))["ok"]
    assert (await ask(second, Speak("2", "table", phrase="thank_you")))["ok"]
    await first.until(lambda: len(first.heard) == 2)
    assert [each["line"] for each in first.heard] == ["Why the queen?", "Thank you!"]
    assert not (await ask(second, Speak("3", "table", text="x" * 301)))["ok"]
    told = await ask(first, Report("4", bert.person, "insult", (1,)))
    assert told["ok"]
    assert told["lines"][0].startswith("Thank you.")
    [report] = await site.room.store[TalkStore].open_reports()
    assert b"Why the queen?" in report.evidence
    await site.room.store[Accounts].put_role(anne.person, "moderator")
    moderation = (await anne.get("/moderation")).text
    assert "Why the queen?" in moderation
    assert "/tables/study" not in moderation
    assert (await ask(first, Mute("5", bert.person)))["ok"]
    assert (await ask(second, Speak("6", "table", text="Hello?")))["ok"]
    [bert_there] = (await anne.get(f"/studies/{study}/people")).json
    assert bert_there == {"person": bert.person, "name": "Bert", "muted": True}
    again = await Attendee.come(anne, study)
    await again.until(lambda: again.news)
    assert again.heard == []
    await first.do("end")
    await second.until(lambda: second.over)
    assert second.over.startswith("There is no review together at this address")
    assert await site.room.store[TalkStore].last(talk_of(study)) == 0


async def test_members_at_two_nodes_are_at_one_step_and_go_on_when_one_stops(
    site_with: SiteWith, postgres_url: str
) -> None:
    near, far = [await site_with(postgres_url, node=node) for node in "ab"]
    anne, bert = await people(near.address, "Anne", "Bert")
    study = await begin(anne, (await sat(near, anne)).id)
    bert.address = far.address
    first, second = [await Attendee.come(each, study) for each in (anne, bert)]
    assert await first.do("lead", deal=1, step=9) == ""
    await second.at(1, 9)
    await near.stop()
    await far.room.store.sweep(time.time())  # nothing of it is over
    anne.address = far.address
    await first.back()
    assert await first.do("lead", deal=2, step=2) == ""
    await asyncio.gather(first.at(2, 2), second.at(2, 2))


async def test_fifty_come_and_the_next_one_waits_until_somebody_has_gone(
    site_with: SiteWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("volte.studies.service.MOST_HERE", 2)
    site = await site_with()
    anne, bert, cara = await people(site.address, "Anne", "Bert", "Cara")
    study = await begin(anne, (await sat(site, anne)).id)
    await Attendee.come(anne, study)
    second = await Attendee.come(bert, study)
    third = await Attendee.come(cara, study)
    assert third.over == "This review already has 2 people: try again once somebody has gone."
    await gone(site, second)
    await third.back()
    await third.until(lambda: third.news)


@pytest.mark.full
async def test_a_review_survives_the_kill_of_its_server(tmp_path: Path) -> None:
    with Process(f"sqlite:///{tmp_path / 'playroom.sqlite'}", tmp_path) as server:
        [anne] = await people(server.address, "Anne")
        async with await Store.open(server.database) as store:
            someone = Someone(anne.person, anne.name)
            row = await keep(store, someone, match_of("Anne"))
        study = await begin(anne, row.id)
        first = await Attendee.come(anne, study)
        for step in range(1, 6):
            assert await first.do("lead", deal=1, step=step) == ""
            server.kill()
            server.restart()
            await first.back()
            await first.at(1, step)
        assert server.faults == []


def test_whoever_shows_no_sign_of_life_is_gone_by_a_clock_that_nobody_sets() -> None:
    sign = Row("anne", "Anne", since=0.0, seen=1000.0, shows=False)
    assert is_here(sign, 1000.0, silent=0.0)
    assert not is_here(sign, 1000.0, silent=GONE)
    assert is_here(sign, 1000.0 + SKEW, silent=0.0)  # by the clock of another node
    assert is_here(sign, 1000.0 - SKEW, silent=0.0)
    assert not is_here(sign, 1000.0 + SKEW + GONE, silent=0.0)  # long gone when this node began


async def test_whoever_is_signed_out_or_silenced_does_not_go_on(
    site_with: SiteWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("volte.studies.following.EVERY", 0.05)
    site = await site_with()
    anne, bert = await people(site.address, "Anne", "Bert")
    study = await begin(anne, (await sat(site, anne)).id)
    first, second = [await Attendee.come(each, study) for each in (anne, bert)]
    store = site.room.store[TalkStore]
    measure = Measure("1", bert.person, "silence", "insults", anne.person, "", time.time())
    await store._write(insert(MEASURES, measure))
    said = encode(Speak("1", "table", text="Hello")).decode()
    answer = (await bert.post(f"/studies/{study}/talk", {"message": said})).json
    assert not answer["ok"]
    assert "insults" in answer["lines"][0]
    assert (await bert.post("/logout")).status == 303
    await second.until(lambda: second.over)
    assert first.over == ""
