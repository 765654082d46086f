"""Every address of the playroom: for everybody, filled; and the pages that need nobody's doing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest
from kit.sites import run, serving
from net.filling import (
    LAWFUL,
    LONG_AGO,
    club,
    evening,
    match,
    sheet,
    turn_of,
    waiting,
)
from net.playroom import GOLDENS, Net, Story, Visitor, check, shape
from starlette.routing import Route

from volte.cards import Card
from volte.lessons.lesson import STEPS
from volte.rules import PRESETS
from volte.scorekeeper.clerk.clerk import SITUATIONS
from volte.scorekeeper.model import Enter, Taken
from volte.server.app import make_app
from volte.server.trials import Trial, Trials
from volte.talk.reports import Evidence, frozen
from volte.talk.store import Measure, Report, Said, TalkStore

WORDS: Final = "lune rousse à midi"

PLACES: Final = (
    *("/healthz", "/readyz", "/metrics", "/wire.json", "/manifest.webmanifest", "/worker.js"),
    *("/offline", "/static/icon.svg", "/static/x/icon.svg", "/static/x/nothing.css"),
    *("/", "/lobby", "/help", "/rules", "/rules/coeurs", "/rules/x", "/history", "/fair"),
    *("/accessibility", "/learn", "/learn/3", "/learn/99", "/puzzle", "/puzzle/all"),
    *("/puzzle/day/2026-01-01", "/puzzle/day/x", "/puzzle/grade/9", "/puzzle/7", "/puzzle/x"),
    *("/clerk", "/clerk/revoke", "/clerk/x", "/ratings", "/ratings/coeurs", "/ratings/x"),
    *("/me", "/me/form", "/me/sessions", "/me/data", "/me/data/delete", "/me/device", "/me/talk"),
    *("/account", "/account/name", "/account/login", "/account/password", "/account/codes"),
    *("/account/passkeys", "/account/passkeys/x", "/signin", "/recover", "/device/x"),
    *("/device/x/qr.svg", "/tables", "/tables/new"),
    *(
        f"/tables/{table}{more}"
        for table in ("table-waiting", "table-running", "table-one", "table-x")
        for more in ("", "/invited/x", "/enter", "/setup", "/rules", "/qr.svg", "/talk")
    ),
    *(f"/tables/table-one/{what}" for what in ("record", "replay", "proof")),
    *("/matches", "/matches/statistics"),
    *(
        f"/matches/{match}{more}"
        for match in ("match-one", "match-running", "x")
        for more in ("", "/record", "/replay", "/replay/1", "/replay/99", "/proof", "/proof.json")
    ),
    *("/score", "/score/new"),
    *(
        f"/score/{sheet}{more}"
        for sheet in ("sheet-one", "x")
        for more in (
            *("", "/lines/1", "/lines/99", "/head", "/print", "/qr.svg", "/seen/x", "/deal", "/do"),
            *("/files/sheet.csv", "/files/sheet.json", "/files/sheet.volte", "/files/x"),
        )
    ),
    *("/clubs", "/clubs/new"),
    *(
        f"/clubs/{club}{more}"
        for club in ("club-one", "club-hidden", "x")
        for more in ("", "/edit", "/invited/key-one", "/do", "/members", "/evenings/new")
    ),
    *(
        f"/evenings/{evening}{more}"
        for evening in ("evening-over", "x")
        for more in (
            *("", "/edit", "/do", "/rounds/1", "/rounds/9", "/standings.csv", "/deals.csv"),
            *("/evening.json", "/evening.ics"),
        )
    ),
    *("/moderation", "/moderation/measures", "/moderation/trials"),
    *("/moderation/reports/report-one", "/moderation/reports/x"),
    *("/moderation/measures/measure-one/lift", "/moderation/measures/x/lift"),
    *("/api/me", "/api/tables", "/api/tables/table-waiting", "/api/tables/x", "/api/matches"),
    *("/api/matches/match-one", "/api/matches/x", "/api/statistics", "/api/ratings/coeurs"),
    *("/api/ratings/x", "/node/other/tables/x", "/nowhere", "/logout"),
)
"""What is asked for by everybody."""

FORMS: Final = (
    *("/guest", "/play", "/language", "/learn/deal", "/accessibility", "/signin", "/recover"),
    *("/me", "/me/helped", "/me/verbosity", "/me/device", "/me/sessions", "/me/talk"),
    *("/me/talk/read", "/me/data/delete", "/me/data", "/device/x", "/account"),
    *("/account/name", "/account/login", "/account/password", "/account/codes"),
    *(f"/account/passkeys/{what}" for what in ("challenge", "signin", "options", "add")),
    *("/account/passkeys/x/name", "/account/passkeys/x/remove"),
    *("/tables", "/tables/preview", "/tables/table-waiting/enter", "/tables/table-waiting/setup"),
    *("/score/new", "/score/sheet-one/deal", "/score/sheet-one/lines/1", "/score/sheet-one/head"),
    *("/score/sheet-one/do", "/clubs/new", "/clubs/club-one/edit", "/clubs/club-one/do"),
    *("/clubs/club-one/members", "/clubs/club-one/invited/x", "/clubs/club-one/evenings/new"),
    *("/evenings/evening-over/edit", "/evenings/evening-over/do"),
    *("/moderation/reports/report-one", "/moderation/measures/measure-one/lift"),
    *("/rules", "/nowhere"),
    *(f"/api/{what}" for what in ("guest", "signin", "tables")),
    *(f"/api/tables/table-waiting/{what}" for what in ("enter", "invited")),
    "/logout",
)
"""What is sent by everybody, with nothing in it."""

UNKEPT: Final = frozenset(
    ("/metrics", "/wire.json", "/puzzle", "/puzzle/7", "/puzzle/day/2026-01-01")
)
"""Figures; the schema, which has a golden of its own; and puzzles: that of today is never the same,
and others are in `puzzles`."""

ONES_OWN: Final = ("/account/", "/me/data")
"""Forms where a wrong password makes the next one wait; `accounts` has them."""


def file_of(method: str, path: str) -> str:
    return f"{method} {path.replace('/', ' ').strip() or 'first'}"


async def everywhere(net: Net) -> None:
    """Every address, asked for by everybody, where there is something of each kind."""
    zoe, max_ = await net.person("Zoé"), await net.person("Max")
    eve = await net.person("Eve")
    mia, ada = await net.person("Mia", "moderator"), await net.person("Ada", "administrator")
    await fill(net, zoe, max_, eve)
    everybody = (net.nobody(), eve, max_, zoe, mia, ada)
    for path in PLACES:
        for visitor in everybody:
            await visitor.get(path, file_of("GET", path), body=path not in UNKEPT)
    for path in FORMS:
        for visitor in (net.nobody(), eve, mia, zoe):
            if visitor is zoe and path.startswith(ONES_OWN):
                continue
            if path.startswith("/api/"):
                await visitor.say(path, {}, file_of("POST", path))
            else:
                await visitor.post(path, {}, file_of("POST", path))


async def fill(net: Net, zoe: Visitor, max_: Visitor, eve: Visitor) -> None:
    """Something of each kind, all of it Zoé's; Max plays with her, and Eve is reported."""
    await zoe.post("/account", {"login": "zoe", "password": WORDS})
    await waiting(net, "waiting", zoe)
    path = LAWFUL / "coeurs-moyenne.volte"
    await match(net, "one", path, {0: zoe, 1: max_})
    await match(net, "running", path, {0: zoe, 1: max_}, cut=turn_of(path, 0, 120))
    await sheet(net, "one", zoe, "coeurs-moyenne", Enter(Taken((4, 5, 2, None), 0)))
    await club(net, "one", zoe, {max_.id: "organiser"})
    await club(net, "hidden", zoe, {max_.id: "member"}, listed=False)
    rounds = [[[(5, 1, 20, 0)], [(4, 2, 18, 2)]]] * 2
    await evening(net, "over", "one", (zoe, max_), rounds=rounds)
    said = Said("table-one", 1, "table", eve.id, "Eve", "", "<b>Ugly</b> words.", LONG_AGO)
    await net.store[TalkStore].say(said, "cause")
    evidence = Evidence("Table of one", "match-one", "Zoé", "Eve", (1,), (said,))
    reports = [
        Report(
            *(f"report-{key}", "table-one", zoe.id, eve.id, "insult", "Look at this."),
            *(frozen(evidence), LONG_AGO + 60),
        )
        for key in ("one", "two")
    ]
    for report in reports:
        await net.store[TalkStore].report(report)
    measure = Measure(
        *("measure-one", max_.id, "silence", "Be kind.", "id-of-mia", "report-three"),
        *(LONG_AGO + 120, None, LONG_AGO + 130),
    )
    decided = Report(
        *("report-three", "table-one", zoe.id, max_.id, "cheating", "", b"", LONG_AGO + 90),
        *("silence_ever", "Be kind.", "id-of-mia", LONG_AGO + 120, LONG_AGO + 130),
    )
    await net.store[TalkStore].report(
        Report(*("report-three", "table-one", zoe.id, max_.id, "cheating", "", b"", LONG_AGO + 90))
    )
    await net.store[TalkStore].decide(decided, measure)
    trial = ("arriving", "worked", "Fine.")
    await net.store[Trials].add(Trial("trial", LONG_AGO, "en", "Firefox", "Orca", *trial))


# Open to all


async def arriving(net: Net) -> None:
    """Nobody yet: the first page, a name, a game at once, and what is refused to whom."""
    nobody = net.nobody()
    await nobody.get("/", "first", "empty")
    zoe = await net.person("Zoé", theme="dark", large=True)
    await zoe.get("/", "first", "empty")
    await waiting(net, "waiting", zoe, name='<"Table" & more>')
    path = LAWFUL / "coeurs-moyenne.volte"
    await match(net, "one", path, {0: zoe})
    await match(net, "running", path, {0: zoe}, cut=turn_of(path, 0, 120), hour=1)
    for visitor in (net.nobody(), await net.person("Eve"), zoe):
        await visitor.get("/", "first", "filled")
    for name in ("", " ", "x" * 50, "a\u202eb", "\u0000"):
        await nobody.post("/guest", {"name": name, "next": "/clubs"}, "guest", ascii(name))
    for following in ("/tables/table-waiting", "/tables/table-running?watch", "/tables/x"):
        fields = {"name": "", "next": following}
        await nobody.post("/guest", fields, "guest at a table", following)
    await net.nobody().post("/guest", {"name": "Léa", "next": "/clubs?x=1"}, "guest", "let in")
    await net.nobody().post("/guest", {"name": "Léa", "next": "//x"}, "guest", "let in elsewhere")
    for fields in (
        {"preset": "microsoft", "players": "7"},
        {"preset": "x"},
        {"players": "99"},
        {"level": "x"},
        {"name": "x" * 50},
        {"preset": "coeurs", "players": "5", "level": "beginner", "name": "Léa"},
    ):
        await net.nobody().post("/play", fields, "play", str(sorted(fields.items())))
    await zoe.post("/play", {"preset": "coeurs", "players": "3"}, "play", "somebody")
    await net.nobody().post("/learn/deal", {}, "play", "after the lesson")
    for lang in ("fr", "en", "de"):
        await net.nobody().post("/language", {"lang": lang, "next": "/help"}, "language", lang)
    await zoe.get("/help", "another language", lang_of(net))
    for wanted in ("en", "fr"):
        await zoe.get(f"/help?lang={wanted}&x=1", "another language", wanted)
    await zoe.post("/logout", {}, "logout")
    await zoe.get("/me", "logout", "afterwards")


def lang_of(net: Net) -> str:
    return f"own: {net.lang}"


async def texts(net: Net) -> None:
    """What explains, for everybody alike."""
    nobody = net.nobody()
    for path in ("/help", "/rules", "/history", "/fair", "/accessibility", "/offline"):
        await nobody.get(path, file_of("GET", path))
    await (await net.person("Zoé", key_table="x")).get("/help", "GET help", "other keys")
    for name, preset in PRESETS.items():
        for players in preset.players:
            path = f"/rules/{name}?players={players}"
            await nobody.get(path, f"rules of {name}", str(players))
    good = {
        "browser": "Firefox, Linux",
        "reader": "Orca",
        "script": "arriving",
        "outcome": "worked",
        "remarks": "Fine.",
    }
    for wrong in (
        {"browser": ""},
        {"reader": " "},
        {"remarks": "x" * 2001},
        {"browser": "x" * 101},
        {"script": "x", "outcome": "x"},
        {},
    ):
        await nobody.post("/accessibility", {**good, **wrong}, "trial", str(wrong)[:60])
    await nobody.get("/accessibility?sent=1", "trial", "thanks")


async def lesson(net: Net) -> None:
    """Every step, every question: right, wrong once and twice, with a hint, nonsense."""
    nobody = net.nobody()
    await nobody.get("/learn", "steps")
    for number, step in enumerate(STEPS, start=1):
        path, file = f"/learn/{number}", f"step {number}"
        await nobody.get(path, file)
        turns = [turn for scene in step.scenes for turn in scene.turns]
        for place, turn in enumerate(turns):
            right = [card.text for card in turn.right_cards]
            asked = f"{path}?turn={place}&tried=1"
            await nobody.get(f"{asked}&hint=1", file, "hint")
            for wrong in ("2C", "AS", "QS", "KH"):
                await nobody.get(f"{asked}&card={wrong}", file, f"{wrong}?")
                await nobody.get(f"{asked}&card={wrong}&astray=1", file, f"{wrong} again?")
            chosen = "".join(f"&card={card}" for card in right)
            await nobody.get(f"{asked}{chosen}", file, "right")
        await nobody.get(f"{path}?turn={len(turns)}", file, "the end")
        await nobody.get(f"{path}?turn=x&card=XX", file, "nonsense")
    await nobody.get("/learn/x", "steps", "none")


async def puzzles(net: Net) -> None:
    """Some puzzles with every card, the days, the list."""
    nobody, zoe = net.nobody(), await net.person("Zoé", symbols=True)
    for number in (1, 2, 50):
        path, file = f"/puzzle/{number}", f"puzzle {number}"
        for visitor in (nobody, zoe):
            for more in ("", "?hint=1", "?show=1"):
                await visitor.get(path + more, file, more)
        for suit in "CDSH":
            for rank in "2TQA":
                await nobody.get(f"{path}?card={Card(rank + suit)}", file, rank + suit)
        await nobody.get(f"{path}?card=XX", file, "no card")
    for day in ("2026-01-01", "2026-02-28", "2025-12-31", "2999-01-01", "x"):
        await nobody.get(f"/puzzle/day/{day}", "days", day)
    for unknown in ("0", "99999", "x"):
        await nobody.get(f"/puzzle/{unknown}", "none", unknown)
    for grade in ("1", "2", "3", "4", "x"):
        reply = await nobody.get(f"/puzzle/grade/{grade}")
        assert (reply.status, reply.header("location")[:8]) in ((303, "/puzzle/"), (404, ""))


async def clerk(net: Net) -> None:
    """Every question at every kind of table."""
    nobody = net.nobody()
    tables = (
        *("", "rules=coeurs&players=5", "rules=coeurs-cagnotte", "rules=coeurs-moyenne"),
        *("rules=salon-valet&set=queen_discard%3Dforced", "rules=scatter", "rules=exact-hundred"),
        *("rules=partnership", "rules=cancellation", "rules=coeurs-table"),
    )
    for asked in tables:
        await nobody.get(f"/clerk?{asked}" if asked else "/clerk", "questions", asked)
        for name in SITUATIONS:
            await nobody.get(f"/clerk/{name}" + f"?{asked}" * bool(asked), name, asked)
    for other in ("1", "9", "99", "renonce", quote("maldonne !"), "pot?rules=coeurs"):
        await nobody.get(f"/clerk/{other}", "by another name", other)
    for wrong in (
        *("rules=x", "set=x%3D1", "set=queen_points%3Dx", "set=x", "rules=coeurs&set=players%3D9"),
        "rules=coeurs&" + "x" * 1000,
    ):
        await nobody.get(f"/clerk?{wrong}", "faults", wrong[:40])


async def errors(net: Net) -> None:
    """What is refused before anything is looked at."""
    nobody, zoe = net.nobody(), await net.person("Zoé")
    asked = {"accept": "application/json"}
    for visitor in (nobody, zoe):
        for path in ("/nowhere", "/me/nowhere", "/logout", "/play", "/matches/x", "/node/a/b"):
            await visitor.get(path, "nothing there")
            await visitor.get(path, "nothing there", "as JSON", headers=asked)
        await visitor.post("/rules", {}, "nothing there", "a form for nothing")
        fields = {"csrf": "x", "name": "Léa"}
        await visitor.post("/account/name", fields, "forms", "another token")
        await visitor.post("/account/name", fields, "forms", "another token, JSON", headers=asked)
        await visitor.post(
            "/account/name", {}, "forms", "another site", headers={"origin": "http://x.test"}
        )
        kind = {"content-type": "text/plain"}
        await visitor.post("/account/name", {}, "forms", "another kind", headers=kind)
        many = {f"field{number}": "x" for number in range(400)}
        await visitor.post("/account/name", many, "forms", "many fields")
        await visitor.post("/account/name", {"name": "x" * 70_000}, "forms", "too long")
        for path in ("/api/guest", "/api/tables", "/api/signin"):
            for body in (b"", b"[]", b"{", b'{"name": 1}', b'{"name": "' + b"x" * 70_000 + b'"}'):
                await visitor.say(path, body, "JSON", str(body[:12]))
            await visitor.post(path, {}, "JSON", "a form")


async def limits(net: Net) -> None:
    """Too often."""
    nobody, zoe = net.nobody(), await net.person("Zoé")
    for number in (1, 2):
        visitor = net.nobody()
        await visitor.post("/guest", {"name": "Léa", "next": "/help"}, "guests", str(number))
        await zoe.post("/play", {"preset": "coeurs"}, "tables", str(number))
        await nobody.say("/api/guest", {"name": "Léa"}, "guests", f"program {number}")
    for number in range(3):
        fields = {"login": "x", "password": "y" * 9, "next": "/me"}
        await nobody.post("/signin", fields, "signing in", str(number))
        fields = {"login": "x", "password": WORDS, "code": "z"}
        await nobody.post("/recover", fields, "recovering", str(number))


async def below(net: Net) -> None:
    """A playroom below a path of a host that has other things too, at a node with a name."""
    nobody, zoe = net.nobody(), await net.person("Zoé")
    await waiting(net, "waiting", zoe)
    await club(net, "one", zoe, {})
    for path in ("/games/volte", "/games/volte/nowhere", "/", "/node/west/help", "/node/east/help"):
        await nobody.get(path, "paths", path)
    for path in (
        *("/", "/help", "/tables/new", "/tables/table-waiting", "/clubs/club-one", "/me"),
        *("/score/new", "/clerk", "/learn", "/rules/coeurs", "/account", "/signin", "/offline"),
        *(
            "/manifest.webmanifest",
            "/node/west/tables/table-waiting",
            "/puzzle/7",
            "/static/x/a.css",
        ),
    ):
        for visitor in (nobody, zoe):
            await visitor.get(f"/games/volte{path}", file_of("GET", path))
    for path in ("/play", "/clubs/new", "/language", "/tables", "/account"):
        await zoe.post(f"/games/volte{path}", {"lang": "fr", "name": "Friday"}, "forms", path)


STORIES: Final = (everywhere, arriving, texts, lesson, puzzles, clerk, errors)


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("story", STORIES, ids=lambda story: str(story.__name__))
def test_pages_are_as_they_were(story: Story, lang: str, tmp_path: Path) -> None:
    check(tmp_path, lang, story)


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_limits_are_told_as_they_were(lang: str, tmp_path: Path) -> None:
    few = {"guests_per_hour": 1, "tables_per_hour": 1, "sign_ins_per_hour": 1}
    check(tmp_path, lang, limits, **few)


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_pages_below_a_path_are_as_they_were(lang: str, tmp_path: Path) -> None:
    check(tmp_path, lang, below, base_path="/games/volte", node="west")


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_address_is_left_out(lang: str, tmp_path: Path) -> None:
    """Every route of the application, by every method, stands in some file."""
    line = re.compile(r"^=== (\S+) (\S+) = ", re.MULTILINE)
    seen = {
        (found[1], found[2])
        for path in (GOLDENS / lang).rglob("*.txt")
        for found in line.finditer(path.read_text(encoding="utf-8"))
    }

    async def there() -> set[tuple[str, str]]:
        async with serving(tmp_path) as site:
            return {
                (method, shape(route.path))
                for route in make_app(site.room).routes
                if isinstance(route, Route)
                for method in (route.methods or set()) - {"HEAD"}
            }

    routes = run(there())
    assert len(routes) > 100
    assert routes - seen == set()
