"""What volunteers find with their screen readers: the form, what is kept, and who reads it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from kit.browsing import Page, Visitor
from kit.sites import House, open_house

from volte.people.store import Accounts
from volte.say.texts.accessibility import SCRIPTS
from volte.server.trials import Trial, Trials

FOUND: Final = {
    "browser": "Windows 11, Firefox 140",
    "reader": "NVDA 2025.1",
    "script": "keys",
    "outcome": "failed",
    "remarks": "Nothing was heard\nafter <b>S</b>.",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as open_one:
        yield open_one


@pytest.fixture
def volunteer(house: House) -> Iterator[Visitor]:
    """Somebody who has not said their name."""
    with Visitor(house.address, "en") as somebody:
        yield somebody


def kept(house: House) -> list[Trial]:
    return house.do(house.site.room.store[Trials].latest())


def typed(page: Page) -> dict[str, str]:
    """What the form holds, but for the remarks."""
    fields = page.fields("trial")
    chosen = {"script": "".join(fields["script"]), "outcome": fields.get("outcome", "")}
    return {"browser": fields["browser"], "reader": fields["reader"]} | chosen


def test_a_volunteer_without_a_name_sends_what_they_found(house: House, volunteer: Visitor) -> None:
    page = volunteer.post("/accessibility", FOUND)
    assert page.wrong == []
    assert page.all("p", autofocus="")
    trial = kept(house)[0]
    assert (trial.browser, trial.reader) == (FOUND["browser"], FOUND["reader"])
    assert (trial.script, trial.outcome, trial.lang) == ("keys", "failed", "en")
    assert trial.remarks == "Nothing was heard after <b>S</b>."


def test_moderators_alone_read_what_was_found(house: House, volunteer: Visitor) -> None:
    volunteer.post("/accessibility", FOUND)
    assert volunteer.get("/moderation/trials").status == 401
    volunteer.come_in("Ana")
    assert volunteer.get("/moderation/trials").status == 403
    person = volunteer.client.get("/api/me").json()["person"]
    house.do(house.site.room.store[Accounts].put_role(person, "moderator"))
    page = volunteer.get("/moderation/trials")
    assert (page.status, page.wrong) == (200, [])
    assert "Nothing was heard after <b>S</b>." in page.text  # as a text, and no element
    assert "NVDA 2025.1" in page.text


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("browser", " ", "Please say which system and browser you used."),
        ("reader", "", "Please say which screen reader you used, or what else."),
        ("reader", "x" * 101, "That note was too long: 100 characters at most."),
        ("remarks", "x" * 2001, "That note was too long: 2,000 characters at most."),
        ("remarks", "\u202e", "Something in that cannot be shown: write it in one line of text."),
        ("script", "sorcery", "Please choose one of the answers offered."),
        ("outcome", "", "Please choose one of the answers offered."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence_and_what_was_typed_stays(
    house: House, volunteer: Visitor, name: str, value: str, line: str
) -> None:
    sent = FOUND | {name: value}
    before = len(kept(house))
    page = volunteer.post("/accessibility", sent)
    assert (page.status, page.wrong) == (422, [])
    assert page.text.count(line) == 2  # at the head of the form, and beside the field
    assert typed(page) | {name: value} == {each: sent[each] for each in typed(page)} | {name: value}
    assert " ".join(sent["remarks"].split()) in page.text
    assert len(kept(house)) == before


def test_whoever_sends_too_much_is_told_to_wait_and_keeps_what_they_typed(tmp_path: Path) -> None:
    with open_house(tmp_path, reports_per_hour=2) as house, Visitor(house.address) as volunteer:
        for _ in range(2):
            assert volunteer.post("/accessibility", FOUND).status == 200
        page = volunteer.post("/accessibility", FOUND)
        assert page.status == 429
        assert "That was too often in a short time" in page.text
        assert typed(page)["browser"] == FOUND["browser"]
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
