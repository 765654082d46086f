"""Requirements of OWASP's ASVS that no other test shows, numbered as in version 4.0.3.

docs/security-asvs.md has the whole list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from kit import Page, Playroom, Reply, request
from kit.hostile import Address, Eve

import volte
from volte.server.app import make_app
from volte.web.assets import ROOMS

SOURCE: Final = Path(volte.__file__).parent
ASKED: Final = (
    *("server", "store", "table", "wire", "say", "web", "people", "talk", "evenings", "history"),
)
"""The packages that read what strangers send."""

COOKIE: Final = {"cookie": "volte_zone=UTC"}
"""Header of a browser that has been here, but has no session."""

OPEN: Final = {
    *("/guest", "/play", "/language", "/logout", "/signin", "/recover", "/device/{token}"),
    *("/account/passkeys/challenge", "/account/passkeys/signin", "/api/guest", "/api/signin"),
    *("/learn/deal", "/tables/preview", "/tables/{table}/remind", "/meet"),
}
"""Paths to which people without a session may post: each lets them in, or answers only them."""


@pytest.fixture(scope="module")
def replies(eve: Eve, addresses: list[Address]) -> dict[str, Reply]:
    """Eve's replies at every address; she sends no origin."""
    paths = [path for path, methods in addresses if "GET" in methods and path != "/metrics"]
    return {path: eve.asks(path, origin="null") for path in (*paths, "/nowhere")}


def test_14_4_every_answer_says_what_it_is_and_what_may_be_done_with_it(
    replies: dict[str, Reply],
) -> None:
    assert len(replies) > 50
    for path, reply in replies.items():
        kind = reply.header("content-type")
        assert kind or not reply.body, path
        assert "charset=utf-8" in kind or not kind.startswith("text/"), path
        assert reply.header("x-content-type-options") == "nosniff", path
        assert reply.header("referrer-policy") == "same-origin", path
        assert reply.header("x-frame-options") == "DENY", path
        assert "camera=()" in reply.header("permissions-policy"), path
        assert not reply.header("strict-transport-security"), path  # there is no HTTPS here
        policy = reply.header("content-security-policy")
        assert policy.startswith("default-src 'self';"), path
        assert "frame-ancestors 'none'" in policy, path
        assert "unsafe" not in policy, path
        filed = reply.header("content-disposition").startswith("attachment")
        assert filed or not path.startswith("/api/"), path


def test_14_3_3_no_answer_tells_what_the_server_is_made_of(replies: dict[str, Reply]) -> None:
    for path, reply in replies.items():
        assert not reply.header("server"), path
        assert not reply.header("x-powered-by"), path


def test_14_5_3_no_other_site_may_read_anything(replies: dict[str, Reply]) -> None:
    for path, reply in replies.items():
        assert not [name for name, _ in reply.headers if name.startswith("access-control")], path


def test_3_1_1_no_page_and_no_address_has_the_token_of_the_session(
    eve: Eve, replies: dict[str, Reply]
) -> None:
    token = eve.guest.cookie.partition("=")[2]
    for path, reply in replies.items():
        assert token.encode() not in reply.body, path
        assert token not in reply.header("location"), path


def test_8_2_1_what_was_made_for_somebody_is_kept_by_nobody(replies: dict[str, Reply]) -> None:
    for path in ("/", "/me", "/tables/{table}", "/account/passkeys", "/api/me"):
        assert replies[path].header("cache-control") == "no-store", path


def test_14_2_3_pages_load_nothing_from_elsewhere(replies: dict[str, Reply]) -> None:
    for path, reply in replies.items():
        if not reply.header("content-type").startswith("text/html"):
            continue
        for tag, found in Page.of(reply).elements:
            names = {"link": "href", "form": "action"}.get(tag, "src")
            address = found.get(names, "/")
            assert re.match(r"/(?!/)", address), (path, tag, found)


def test_4_1_who_is_nobody_may_send_something_where_it_lets_them_in_and_nowhere_else(
    playroom: Playroom, addresses: list[Address]
) -> None:
    """A new address to post to must refuse strangers, or be put on the list by hand."""
    for path, methods in addresses:
        if "POST" not in methods or path in OPEN:
            continue
        for kind, body in (
            ("application/x-www-form-urlencoded", b"name=x"),
            ("application/json", b"{}"),
        ):
            said = {"content-type": kind, "origin": playroom.address, "x-volte": "1"} | COOKIE
            asked = re.sub(r"\{\w+\}", "x", path)
            reply = playroom.do(request(playroom.address, "POST", asked, body, said))
            assert reply.status in (400, 401, 403, 404, 410, 415, 422), (path, kind, reply.status)


def test_12_5_1_nothing_is_served_but_what_pages_need(eve: Eve) -> None:
    assert {path.suffix for path in ROOMS.rglob("static/*")} <= {".js", ".css", ".svg", ".png"}
    for path in (
        *("/.git/HEAD", "/pyproject.toml", "/playroom.sqlite", "/static/", "/static/.DS_Store"),
        *(
            "/server/app.py",
            "/docs",
            "/openapi.json",
            "/robots.txt~",
            "/static/web/static/page.js.map",
        ),
    ):
        assert eve.asks(path).status == 404, path


def test_5_1_1_what_stands_in_an_address_is_no_field_of_a_form(eve: Eve) -> None:
    fields = {"csrf": eve.csrf}
    assert eve.posts("/account/passkeys/options?name=Mine", fields).status == 422
    assert eve.posts(f"/me/device?csrf={eve.csrf}", {}).status == 403


def test_14_3_2_the_application_is_never_made_to_show_its_inside(playroom: Playroom) -> None:
    assert not make_app(playroom.site.room).debug


def test_5_2_4_what_strangers_send_is_never_run(playroom: Playroom) -> None:
    """Nor unpacked as objects, nor handed to a shell, nor put together to a query."""
    ways = re.compile(
        r"\b(eval|exec|__import__)\(|\b(pickle|marshal|shelve)\b|os\.system|shell=True|text\(f"
    )
    for part in ASKED:
        for path in (SOURCE / part).rglob("*.py"):
            assert not ways.search(path.read_text(encoding="utf-8")), path


def test_6_3_1_what_nobody_may_guess_comes_from_the_system() -> None:
    """`random` is for pauses and the order of work, and for bots, whose seeds are no secret."""
    using = {
        path.relative_to(SOURCE).as_posix()
        for part in (*ASKED, "fair")
        for path in (SOURCE / part).rglob("*.py")
        if re.search(r"^(import|from) random", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert using <= {
        "server/run/membership.py",
        "evenings/conducting.py",
        "history/luck_reckoner.py",
    }


def test_7_2_1_who_comes_in_is_logged_and_nothing_by_which_they_do(
    playroom: Playroom, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "volte")
    eve = Eve(playroom)
    eve.posts("/signin", {"csrf": eve.csrf, "login": "Eve", "password": "correct horse battery"})
    eve.posts("/account/passkeys/signin", {"csrf": eve.csrf, "proof": "{}"})
    events = [record.getMessage() for record in caplog.records]
    assert events.count("sign_in_failed") == 2
    logged = " ".join(str(vars(record)) for record in caplog.records)
    assert "correct horse battery" not in logged
    assert eve.guest.cookie.partition("=")[2] not in logged


# The list itself

LEVEL_TWO: Final = Path(__file__).with_name("asvs.txt").read_text(encoding="utf-8")

TESTS: Final = Path(__file__).parents[1]
LIST: Final = (TESTS.parent / "docs" / "security-asvs.md").read_text(encoding="utf-8")
ROWS: Final = [line for line in LIST.splitlines() if re.match(r"\| \d", line)]


def numbers(text: str) -> Iterator[str]:
    """Numbers in the first column of a row: 2.1.3, and 2.8.1–2.8.7."""
    for first, last in re.findall(r"(\d+\.\d+\.\d+)(?:–(\d+\.\d+\.\d+))?", text):
        section, _, point = first.rpartition(".")
        end = int((last or first).rpartition(".")[2])
        yield from (f"{section}.{number}" for number in range(int(point), end + 1))


def test_every_point_has_its_row() -> None:
    named = [number for row in ROWS for number in numbers(row.split("|")[1])]
    points = set(numbers(LEVEL_TWO))
    assert len(named) == len(set(named)), sorted(x for x in named if named.count(x) > 1)
    assert points - set(named) == set()
    assert set(named) - points <= {"2.4.6"}, set(named) - points


@pytest.mark.parametrize("name", ["security.md", "security-asvs.md"])
def test_every_test_that_is_named_is_there(name: str) -> None:
    page = (TESTS.parent / "docs" / name).read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")]
    known = set(re.findall(r"def (test_\w+)", "\n".join(sources)))
    files = {path.name for path in TESTS.rglob("test_*.py")}
    for named in re.findall(r"`(?:[\w/]+/)?(test_\w+(?:\.py)?)(?=…|`)", page):
        there = named in files if named.endswith(".py") else any(x.startswith(named) for x in known)
        assert there, named


def test_what_is_not_met_is_said_at_the_head() -> None:
    head = LIST.partition("## V1")[0]
    for row in ROWS:
        if "**not met**" in row.lower():
            assert any(number in head for number in numbers(row.split("|")[1])), row
