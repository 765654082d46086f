"""Forms with faults: `wrong_forms.txt` lists the fault, its field, and the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

import pytest
from kit import Playroom, Visitor
from kit.requests import FOUND
from kit.sheet_pages import begin, entry, filled_form

from volte.people.store import Accounts

ROWS: Final = [
    line.split(" | ")
    for line in Path(__file__).with_name("wrong_forms.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
TYPED: Final = ("text", "number")  # types of fields that keep whatever is typed


@pytest.fixture(scope="module")
def visitor(playroom: Playroom) -> Iterator[Visitor]:
    """Somebody who may see what all have sent."""
    with Visitor(playroom.address) as visitor:
        visitor.come_in()
        person = visitor.client.get("/api/me").json()["person"]
        playroom.do(playroom.site.room.store[Accounts].put_role(person, "moderator"))
        yield visitor


@pytest.fixture(scope="module")
def sheet(visitor: Visitor) -> str:
    return begin(visitor)


def good(visitor: Visitor, form: str, sheet: str) -> tuple[str, dict[str, Any], str]:
    """The address of a form, good values for its fields, and a page that shows the result."""
    match form:
        case "table":
            fields = visitor.get("/tables/new").fields("table-form")
            return "/tables", fields | {"do": "open", "queen_points": "17"}, "/lobby"
        case "play":
            return "/play", {"preset": "coeurs", "players": "4", "level": "casual"}, "/"
        case "meet":
            return "/meet", {"rules": "", "pace": "calm", "langs": ["fr", "en"], "near": "on"}, "/"
        case "sheet":
            return "/score/new", filled_form(visitor, "coeurs"), "/score"
        case "deal":
            return f"{sheet}/deal", entry(visitor.get(sheet), 4, 9, 0, 0, queen="0"), sheet
        case "trial":
            return "/accessibility", FOUND, "/moderation/trials"
        case _:
            return "/guest", {"next": "/"}, "/"


@pytest.mark.parametrize(
    ("form", "changes", "field", "told"),
    [
        pytest.param(*row, marks=pytest.mark.full if number % 2 else (), id=" ".join(row[:2])[:60])
        for number, row in enumerate(ROWS)
    ],
)
def test_what_is_wrong_is_told_above_and_at_its_field_and_nothing_is_lost(
    visitor: Visitor, sheet: str, form: str, changes: str, field: str, told: str
) -> None:
    path, fields, fruits = good(visitor, form, sheet)
    changes = re.sub(r"x\*(\d+)", lambda times: "x" * int(times[1]), changes)
    typed = parse_qs(changes, keep_blank_values=True)
    sent = fields | {name: each if each[1:] else each[0] for name, each in typed.items()}
    before = visitor.get(fruits).text
    page = visitor.post(path, sent)
    assert (page.status, page.wrong) == (422, [])
    alone = form == "guest"  # its one field needs no list of faults
    assert alone or page.all("a", href=f"#{field}")
    assert page.text.count(told) >= 2 - alone
    assert page.all("p", id=f"{field}-fault")
    (described,) = [each for _, each in page.elements if each.get("id") == field]
    assert f"{field}-fault" in described["aria-describedby"].split()
    kept = [each for each in page.all("input") if each.get("type", "text") in TYPED]
    assert [each for each in kept if each["value"] != sent.get(each["name"], "")] == []
    assert {each["value"] for each in page.all("input", type="password")} <= {""}
    if form == "trial":
        assert " ".join(sent["remarks"].split()) in page.text
        chosen = page.fields("trial") | {field: sent[field]}
        assert ("".join(chosen["script"]), chosen["outcome"]) == (sent["script"], sent["outcome"])
    assert visitor.get(fruits).text == before
