"""Who may see what: the status of every address that is not changed by asking, by who asks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
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

STATUSES: Final = {
    (200, 200, 200, 200): """
        / /accessibility /account /api/tables /clerk /clerk/{situation} /clubs /clubs/new /fair
        /healthz /help /history /learn /learn/{} /lobby /manifest.webmanifest /matches
        /matches/statistics /metrics /offline /puzzle /puzzle/all /puzzle/{} /ratings /readyz
        /recover /rules /rules/{preset} /score /score/new /signin /tables/new /tables/{table}
        /wire.json /worker.js""",
    (401, 200, 200, 200): """
        /account/name /account/passkeys /api/matches /api/me /api/statistics /api/tables/{table}
        /me /me/data /me/data/delete /me/form /me/sessions /me/talk""",
    (401, 403, 403, 403): "/account/codes /account/login /account/password",
    (401, 403, 403, 200): "/moderation /moderation/measures /moderation/trials",
    (401, 403, 403, 404): "/moderation/measures/{}/lift /moderation/reports/{}",
    (401, 403, 200, 403): "/tables/{table}/qr.svg /tables/{table}/rules /tables/{table}/setup"
    " /tables/{table}/talk",
    (401, 403, 404, 403): "/tables/{table}/proof /tables/{table}/record /tables/{table}/replay",
    (200, 403, 303, 403): "/tables/{table}/invited/{}",
    (200, 404, 200, 404): "/score/{sheet}",
    (401, 404, 200, 404): """
        /score/{sheet}/files/{name} /score/{sheet}/head /score/{sheet}/lines/{} /score/{sheet}/print
        /score/{sheet}/qr.svg""",
    (200, 404, 404, 404): """
        /clubs/{} /clubs/{}/evenings/new /clubs/{}/invited/{} /evenings/{} /evenings/{}/rounds/{}
        /ratings/{}""",
    (401, 404, 404, 404): """
        /account/passkeys/{} /api/matches/{} /api/ratings/{} /evenings/{}/deals.csv
        /evenings/{}/edit /evenings/{}/evening.ics /evenings/{}/evening.json
        /evenings/{}/standings.csv /matches/{} /matches/{}/proof /matches/{}/proof.json
        /matches/{}/record /matches/{}/replay /matches/{}/replay/{}""",
    (404, 404, 404, 404): """
        /clubs/{}/edit /puzzle/day/{} /score/{sheet}/seen/{} /static/{name} /static/{}/{name}""",
    (303, 303, 303, 303): """
        /clubs/{}/do /clubs/{}/members /evenings/{}/do /me/device /puzzle/grade/{}
        /score/{sheet}/deal /score/{sheet}/do /tables /tables/{table}/enter""",
    (410, 410, 410, 410): "/device/{} /device/{}/qr.svg",
    (421, 421, 421, 421): "/node/{}",
}
"""Of pages, 200 without a session is the form for a name, or what is open to everybody."""


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
        found[tuple(answer.status_code for answer in answers)].add(named)
    assert found == {statuses: {*paths.split()} for statuses, paths in STATUSES.items()}
