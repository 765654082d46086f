"""Who may see what: the status of every address that is not changed by asking, by who asks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from kit.browsing import Visitor
from kit.hostile import Address
from kit.sheet_pages import begin, press, write
from kit.sites import House

from volte.people.store import Accounts

ROLES: Final = ("nobody", "stranger", "owner", "moderator")
"""Somebody without a session; and guests, of whom one has opened the table and the sheet."""

FILLED: Final = {"preset": "coeurs", "situation": "revoke", "name": "sheet.csv"}
"""What stands in addresses; 1 for the rest, such as matches, clubs and reports that are not."""

STATUSES: Final = Path(__file__).with_name("permissions.txt").read_text(encoding="utf-8")
"""Stanzas of the statuses by role, and the addresses where they are answered."""


@pytest.fixture
def visitors(house: House) -> Iterator[dict[str, Visitor]]:
    with ExitStack() as stack:
        found = {each: stack.enter_context(Visitor(house.address)) for each in ROLES}
        for name in ROLES[1:]:
            found[name].come_in(name)
        person = found["moderator"].client.get("/api/me").json()["person"]
        house.do(house.site.room.store[Accounts].put_role(person, "moderator"))
        yield found


def test_every_address_is_for_those_who_may_see_it(
    visitors: dict[str, Visitor], addresses: list[Address]
) -> None:
    owner = visitors["owner"]
    sheet = begin(owner)
    write(owner, sheet, 4, 9, 0, 0, queen="0")
    press(owner, sheet, "share")
    table = owner.open_table(access="password", password="sesame").table
    filled = FILLED | {"sheet": sheet[7:], "table": table}
    found = defaultdict(set)
    for path in (path for path, methods in addresses if "GET" in methods):
        named = re.sub(r"\{(\w+)(:\w+)?\}", lambda m: m[0] if m[1] in filled else "{}", path)
        asked = named.replace("{}", "1").format_map(filled)
        answers = [each.client.get(asked, follow_redirects=False) for each in visitors.values()]
        found[" ".join(str(answer.status_code) for answer in answers)].add(named)
    expected = (stanza.partition("\n") for stanza in STATUSES.strip().split("\n\n")[1:])
    assert found == {statuses: {*paths.split()} for statuses, _, paths in expected}
