"""Members of a review at one step: who leads, who comes and goes, lines, talk; by real requests."""

from __future__ import annotations

import json

import pytest
from kit import Guest, SiteWith
from kit.studying import Member, begin, sat

from volte.studies.store import StudyStore, talk_of
from volte.talk.store import TalkStore
from volte.wire.messages import Mute, Report, Speak


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever shows no sign of life is gone after a moment."""
    monkeypatch.setattr("volte.studies.study.GONE", 0.8)
    monkeypatch.setattr("volte.studies.service.GONE", 0.8)
    monkeypatch.setattr("volte.studies.following.EVERY", 0.1)


async def test_all_follow_the_leader_in_their_own_languages(site_with: SiteWith) -> None:
    site = await site_with()
    anne, bert = [await Guest.come(site.address, name) for name in ("Anne", "Bert")]
    cara = await Guest.come(site.address, "Cara", "fr")
    study = await begin(anne, (await sat(site, anne, bert)).id)
    first, second, third = [await Member.come(each, study) for each in (anne, bert, cara)]
    assert first.news["leading"] == "You lead: everybody follows your steps."
    assert third.news["leading"].startswith("Anne ") and "leads" not in third.news["leading"]
    assert await first.do("lead", deal=2, step=7) == ""
    for member in (first, second, third):
        await member.until(lambda member=member: member.place == (2, 7))
    assert await second.do("lead", deal=1, step=1) == "409"
    assert await first.do("hand", to=cara.person) == ""
    await third.until(lambda: third.news["leads"])
    assert await third.do("lead", deal=1, step=3) == ""
    await first.until(lambda: first.place == (1, 3))
    assert await third.do("hand", to="nobody") == "409"
