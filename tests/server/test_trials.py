"""What volunteers find with their screen readers: the form, what is kept, and who reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from kit.browsing import Visitor
from kit.sites import House, open_house

from volte.people.store import Accounts
from volte.say.texts.trials import SCRIPTS
from volte.server.trials import Trial, Trials

FOUND: Final = {
    "browser": "Windows 11, Firefox 140",
    "reader": "NVDA 2025.1",
    "script": "keys",
    "outcome": "failed",
    "remarks": "Nothing was heard\nafter <b>S</b>.",
}


def kept(house: House) -> list[Trial]:
    return house.do(house.site.room.store[Trials].latest())


def test_a_volunteer_without_a_name_sends_what_they_found(house: House, visitor: Visitor) -> None:
    page = visitor.post("/accessibility", FOUND)
    assert page.wrong == []
    assert page.all("p", autofocus="")
    trial = kept(house)[0]
    assert (trial.browser, trial.reader) == (FOUND["browser"], FOUND["reader"])
    assert (trial.script, trial.outcome, trial.lang) == ("keys", "failed", "en")
    assert trial.remarks == "Nothing was heard after <b>S</b>."


def test_moderators_read_what_was_found(house: House, visitor: Visitor) -> None:
    visitor.post("/accessibility", FOUND)
    visitor.come_in("Ana")
    person = visitor.client.get("/api/me").json()["person"]
    house.do(house.site.room.store[Accounts].put_role(person, "moderator"))
    page = visitor.get("/moderation/trials")
    assert (page.status, page.wrong) == (200, [])
    assert "Nothing was heard after <b>S</b>." in page.text  # as a text, and no element
    assert "NVDA 2025.1" in page.text


def test_whoever_sends_too_much_is_told_to_wait_and_keeps_what_they_typed(tmp_path: Path) -> None:
    with open_house(tmp_path, reports_per_hour=2) as house, Visitor(house.address) as volunteer:
        for _ in range(2):
            assert volunteer.post("/accessibility", FOUND).status == 200
        page = volunteer.post("/accessibility", FOUND)
        assert page.status == 429
        assert "That was too often in a short time" in page.text
        assert page.fields("trial")["browser"] == FOUND["browser"]
        assert len(kept(house)) == 2


@pytest.mark.parametrize(("lang", "none"), [("en", "could not be tried"), ("fr", "pas pu être")])
def test_the_page_says_what_was_not_tried_and_has_every_script(
    house: House, lang: str, none: str
) -> None:
    with Visitor(house.address, lang) as visitor:
        page = visitor.get("/accessibility")
    assert page.wrong == []
    assert none in page.text
    for reader in ("NVDA", "JAWS", "VoiceOver", "TalkBack"):
        assert reader in page.text
    for script in SCRIPTS:
        assert page.all("h3", id=f"script-{script}")
