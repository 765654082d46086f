"""The pages about playing: tables, matches that are over, score sheets."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from net.filling import LAWFUL, LONG_AGO, NAMES, REFEREED, match, sheet, turn_of
from net.playroom import Net, Story, Visitor, check, fields_of

from volte.game.codec import encode
from volte.history.match_page import key_of
from volte.history.store import Rating, Results
from volte.referee.actions import Misdeal
from volte.rules import PRESETS, make_ruleset
from volte.scorekeeper.model import Counted, Enter, LostDeal, StoppedDeal, Taken
from volte.table import Access, Setup, Watching
from volte.table.setup import Talk

MOYENNE: Final = LAWFUL / "coeurs-moyenne.volte"

# Tables

WRONG: Final[Mapping[str, Mapping[str, Any]]] = {
    "no name": {"name": ""},
    "long name": {"name": "x" * 41},
    "odd name": {"name": "a\u202eb"},
    "preset": {"preset": "x"},
    "players": {"players": "99"},
    "level": {"seat1": "x"},
    "access": {"access": "x"},
    "password": {"access": "password", "password": "abc"},
    "watching": {"watching": "x"},
    "talk": {"talk": "x"},
    "open": {"open_seats": "x"},
    "clock": {"clock": "3"},
    "no clock": {"clock": "x"},
    "grace": {"grace": "999"},
    "removed": {"removed": "XX"},
    "removed twice": {"removed": "2D, 2D"},
    "too few": {"removed": "2C 3C 4C 5C 6C"},
    "jokers": {"jokers": "9"},
    "packs": {"packs": "3"},
    "pass count": {"pass_count": "9"},
    "pass cycle": {"pass_cycle": ["x"]},
    "no cycle": {"pass_cycle": []},
    "opening": {"opening": "x"},
    "hearts from": {"hearts_from_trick": "99"},
    "queen": {"queen_points": "x"},
    "cards": {"card_points": "K"},
    "card twice": {"card_points": "KS=1, KS=2"},
    "no such card": {"card_points": "ZZ=4"},
    "no tricks": {"no_tricks": "5"},
    "end": {"match_end": "x"},
    "never": {"match_end_number": "0"},
    "partners": {"partners": "3"},
    "rated": {"rated": "on", "queen_points": "40"},
    "two packs": {"packs": "2"},
    "across": {"players": "5", "filled": "", "pass_cycle": ["across"]},
    "no penalties": {"heart_points": "one", "queen_points": "0", "kitty": "x"},
}


async def tables(net: Net) -> None:
    """Set up, opened, entered, changed, waiting, running and over."""
    zoe, max_, eve = [await net.person(name) for name in ("Zoé", "Max", "Eve")]
    for path in ("/tables/new", "/tables/new?preset=coeurs", "/tables/new?preset=x"):
        await net.nobody().get(path, "new")
        await zoe.get(path, "new")
    form = await zoe.get("/tables/new")
    good = fields_of(form, "table-form")
    for name, preset in PRESETS.items():
        players = str(preset.players[0])
        chosen = {**good, "preset": name, "players": players, "do": "preset"}
        await zoe.post("/tables", chosen, "presets", name)
    for name, changes in WRONG.items():
        await zoe.post("/tables", {**good, **changes, "do": "open"}, "faults", name)
        await zoe.post("/tables/preview", {**good, **changes}, "previews", name)
    for access in Access:
        fields = {**good, "access": str(access), "password": "sesame", "do": "open"}
        opened = await zoe.post("/tables", fields, "opened", str(access))
        path = opened.header("location")
        for visitor in (zoe, eve, net.nobody()):
            await visitor.get(path, f"table {access}", "waiting")
            await visitor.get(f"{path}?sit", f"table {access}", "sit")
        await eve.post(f"{path}/enter", {"password": "x", "sit": "1"}, "enter", f"{access}, wrong")
        await max_.post(f"{path}/enter", {"password": "sesame"}, "enter", f"{access}, right")
        await max_.get(path, f"table {access}", "entered")
        if access in (Access.PUBLIC, Access.PASSWORD):
            await host(net, zoe, max_, path, str(access))
    await at_tables(net, zoe, max_, eve)


async def host(net: Net, zoe: Visitor, max_: Visitor, path: str, access: str) -> None:
    """What the host of a table can do with its pages."""
    form = await zoe.get(f"{path}/setup", "set up", access)
    await max_.get(f"{path}/setup", "set up", f"{access}, not the host")
    fields = fields_of(form, "table-form")
    await zoe.post(f"{path}/setup", {**fields, "clock": "3", "do": "open"}, "set up", "fault")
    chosen = {**fields, "preset": "coeurs", "do": "preset"}
    await zoe.post(f"{path}/setup", chosen, "set up", f"{access}, preset")
    await zoe.post(f"{path}/setup", {**fields, "do": "show"}, "set up", f"{access}, rules")
    three = {**fields, "players": "3", "preset": "coeurs", "filled": "", "removed": "2D"}
    await zoe.post(f"{path}/setup", {**three, "do": "open"}, "set up", f"{access}, seats taken")
    changed = {**fields, "name": "Another name", "do": "open"}
    await zoe.post(f"{path}/setup", changed, "set up", f"{access}, changed")
    for more in ("rules", "talk", "qr.svg", "enter", "record", "replay", "proof"):
        await zoe.get(f"{path}/{more}", f"beside a table, {more}", access)
    invitation = re.search(rf"{path}/invited/[0-9a-f]+", (await zoe.get(path)).text)
    if invitation is not None:
        leo = await net.person("Leo")
        for visitor in (net.nobody(), leo):
            await visitor.get(invitation[0], "invited")
            await visitor.get(f"{invitation[0]}?sit", "invited", "sit")
        await leo.get(path, f"table {access}", "invited")
    await max_.get(f"{path}/invited/0", "invited", f"{access}, wrong")


async def at_tables(net: Net, zoe: Visitor, max_: Visitor, eve: Visitor) -> None:
    """Tables where a match goes on or is over, for those who sit there and those who do not."""
    plain = {0: zoe, 1: max_}
    count = turn_of(MOYENNE, 0, 120)
    several: list[tuple[str, int | None, dict[str, Any]]] = [
        *(("running", count, {}), ("over", None, {})),
        ("shut", count, {"watching": Watching.NOBODY}),
        ("late", count, {"watching": Watching.AFTERWARDS, "talk": Talk.PHRASES, "clock": 60}),
        ("silent", None, {"talk": Talk.NOBODY, "hints": False}),
        ("secret", count, {"access": Access.PRIVATE}),
    ]
    for key, cut, more in several:
        await match(net, key, MOYENNE, plain, cut=cut, **more)
        for visitor in (net.nobody(), eve, max_, zoe):
            for path in ("", "?sit", "?watch", "?begin"):
                await visitor.get(f"/tables/table-{key}{path}", f"table {key}", path)
            await visitor.get(f"/tables/table-{key}/talk", f"table {key}, talk")
        for more_path in ("record", "replay", "proof", "rules"):
            await zoe.get(f"/tables/table-{key}/{more_path}", f"beside a table, {more_path}", key)
    for name in ("cancelled", "coeurs-five-with-kitty", "salon-six-jokers"):
        record = LAWFUL / f"{name}.volte"
        await match(net, name, record, {0: zoe}, cut=turn_of(record, 0, 20))
        await zoe.get(f"/tables/table-{name}", "many seats", name)
    for visitor in (net.nobody(), eve, zoe):
        await visitor.get("/", "first", "with tables")
        await visitor.get("/api/tables", "api tables")


async def programs(net: Net) -> None:
    """What programs are told of people and tables."""
    zoe, eve = await net.person("Zoé"), await net.person("Eve")
    plain = Setup("Table", make_ruleset("coeurs", {"players": 5}))
    setups = {
        "plain": (plain, ("casual", "", "beginner"), ""),
        "password": (Setup("Locked", plain.rules, Access.PASSWORD), (), "sesame"),
        "private": (Setup("Private", plain.rules, Access.PRIVATE), (), ""),
        "no name": (Setup("", plain.rules), (), ""),
        "level": (plain, ("x",), ""),
        "no password": (Setup("Locked", plain.rules, Access.PASSWORD), (), ""),
        "evening": (Setup("Table", plain.rules, evening="x"), (), ""),
    }
    for name, (setup, levels, password) in setups.items():
        content = {"setup": json.loads(encode(setup)), "levels": levels, "password": password}
        reply = await zoe.say("/api/tables", content)
        if reply.status == 201:
            net.call(reply.json["table"], "table")
            path = f"/api/tables/{reply.json['table']}"
            net.write("open", "POST", "/api/tables", reply, zoe.name, name, True)
            for visitor in (zoe, eve, net.nobody()):
                await visitor.get(path, "table", name)
                for word in ("x", "sesame"):
                    await visitor.say(
                        f"{path}/enter", {"password": word}, "enter", f"{name}, {word}"
                    )
                await visitor.say(f"{path}/invited", {"invitation": "x"}, "invited", name)
                await visitor.get(path, "table", f"{name}, afterwards")
            told = (await zoe.get(path)).json.get("invitation", "")
            await eve.say(f"{path}/invited", {"invitation": told}, "invited", f"{name}, right")
            await eve.get(path, "table", f"{name}, invited")
        else:
            net.write("open", "POST", "/api/tables", reply, zoe.name, name, True)
    for visitor in (zoe, eve, net.nobody()):
        await visitor.get("/api/tables", "tables")
        await visitor.get("/api/me", "me")
    await net.nobody().say("/api/guest", {"name": "Léa", "lang": "fr"}, "guest", "body not kept")
    for name in ("", "x" * 41):
        await net.nobody().say("/api/guest", {"name": name}, "guest", name[:3])


# Matches that are over

TOLD_AGAIN: Final = frozenset(
    ("cancelled", "coeurs-five-with-kitty", "coeurs-moyenne", "moon-chosen", "claimed", "put-right")
)
"""The matches whose first deal is looked at step by step."""


async def matches(net: Net) -> None:
    """The list, each match with its result, replay, proof and record, statistics, ratings."""
    zoe, max_, eve = [await net.person(name) for name in ("Zoé", "Max", "Eve")]
    for path in ("/matches", "/matches/statistics", "/ratings", "/api/matches", "/api/statistics"):
        await zoe.get(path, path[1:].replace("/", " "), "empty")
    logs = sorted((*LAWFUL.glob("*.volte"), *REFEREED.glob("*.volte")))
    rows = [
        await match(net, path.stem, path, {0: zoe, 2: max_}, hour=hour)
        for hour, path in enumerate(logs)
    ]
    await match(net, "unseen", MOYENNE, {1: max_}, watching=Watching.NOBODY, hour=50)
    await match(net, "rated", MOYENNE, {0: zoe, 1: max_}, hour=52, rated=True, hints=False)
    await match(net, "broken", MOYENNE, {0: zoe}, cut=turn_of(MOYENNE, 0), hour=51)
    for row in rows:
        path = f"/matches/{row.id}"
        await zoe.get(path, row.id)
        await zoe.get(f"{path}/replay", f"{row.id} replay")
        if row.id[6:] in TOLD_AGAIN:
            for eyes in ("open", "own"):
                await zoe.get(f"{path}/replay/1?eyes={eyes}", f"{row.id} deal")
        await zoe.get(f"{path}/record", f"{row.id} record")
        await zoe.get(f"{path}/proof", "proof", row.id)
        await zoe.get(f"{path}/proof.json", f"{row.id} proof")
        await zoe.get(f"/api{path}", "api match", row.id)
    shown = next(row for row in rows if row.id == "match-coeurs-moyenne")
    for carried in ("", f"?key={key_of(shown)}", "?key=x"):
        for visitor in (net.nobody(), eve, max_):
            for more in ("", "/replay", "/replay/1", "/proof", "/record"):
                path = f"/matches/{shown.id}{more}{carried}"
                await visitor.get(path, f"shown{more.replace('/', ' ')}", carried[:5])
    for key in ("unseen", "broken", "rated"):
        for visitor in (net.nobody(), eve, zoe, max_):
            await visitor.get(f"/matches/match-{key}", key)
    for asked in (
        *("", "?page=2", "?page=9", "?rules=coeurs", "?rules=other&company=bots"),
        *("?company=people", "?rules=x&company=x&page=x"),
    ):
        for visitor in (zoe, max_, eve):
            await visitor.get(f"/matches{asked}", "matches", asked)
            await visitor.get(f"/api/matches{asked}", "api matches", asked)
    for visitor in (zoe, max_):
        await visitor.get("/matches/statistics", "matches statistics")
        await visitor.get("/api/statistics", "api statistics")
        await visitor.get("/", "first")
    await ratings(net, zoe, eve)


async def ratings(net: Net, zoe: Visitor, eve: Visitor) -> None:
    """Ladders with many people."""
    given = [Rating(zoe.id, "coeurs", 30.0, 2.0, 20, LONG_AGO)]
    for number in range(60):
        person = await net.person(f"P{number:02}")
        played = 30 if number % 7 else 3
        given.append(Rating(person.id, "coeurs", 20 + number / 7, 1.5, played, LONG_AGO))
    given.append(Rating(eve.id, "microsoft", 25.0, 8.0, 1, LONG_AGO))
    await net.store[Results].keep("match-broken", (), given)
    for visitor in (net.nobody(), zoe, eve):
        for path in ("/ratings", "/ratings/coeurs", "/ratings/coeurs?page=2", "/ratings/microsoft"):
            await visitor.get(path, path[1:].partition("?")[0].replace("/", " "), path)
        for path in ("/ratings/x", "/ratings/partnership"):
            await visitor.get(path, "ratings", path)
        for path in ("coeurs", "coeurs?page=2", "microsoft", "x"):
            await visitor.get(f"/api/ratings/{path}", "api ratings", path)


# Score sheets


class Keeper:
    """Somebody who writes on a sheet by its forms.

    Attributes:
        path: of the sheet.
        file: where the answers are written down.
    """

    def __init__(self, visitor: Visitor, path: str) -> None:
        self.visitor = visitor
        self.path = path
        self.file = path.rpartition("/")[2]

    async def form(self, path: str = "") -> dict[str, str]:
        """What every form of a fresh page carries."""
        text = (await self.visitor.get(self.path + path)).text
        found = (
            re.search(rf'name="{name}" value="([^"]*)"', text) for name in ("version", "nonce")
        )
        version, nonce = (each[1] if each else "" for each in found)
        return {"version": version, "nonce": nonce}

    async def write(
        self, *counts: object, note: str = "", path: str = "/deal", **more: Any
    ) -> None:
        """Enters a line, and looks at what has become of it."""
        typed = {f"count-{seat}": str(count) for seat, count in enumerate(counts)}
        own = path if path != "/deal" else ""
        fields = {**await self.form(own), "by": "cards", "do": "write", **typed, **more}
        await self._sent(path, fields, note or f"{counts} {sorted(more.items())}")

    async def press(self, do: str, **more: Any) -> None:
        """One of the buttons."""
        await self._sent("/do", {**await self.form(), "do": do, **more}, do)

    async def _sent(self, path: str, fields: dict[str, Any], note: str) -> None:
        reply = await self.visitor.post(self.path + path, fields, self.file, note)
        if reply.status == 303:
            await self.visitor.get(reply.header("location"), self.file, f"after {note}")

    async def look(self, note: str) -> None:
        """The pages and files of the sheet as it is."""
        for more in ("/print", "/head", "/lines/1", "/lines/1?by=points"):
            await self.visitor.get(self.path + more, self.file, note)
        for name in ("sheet.csv", "sheet.json", "sheet.volte"):
            await self.visitor.get(f"{self.path}/files/{name}", f"{self.file} {name}", note)


async def sheets(net: Net) -> None:
    """Sheets for real cards: new, written, corrected, played for stakes, ended, watched."""
    zoe, eve = await net.person("Zoé"), await net.person("Eve")
    await zoe.get("/score", "list", "empty")
    form = await zoe.get("/score/new", "new")
    seats = {f"seat{seat}": name for seat, name in enumerate(NAMES)}
    good = {**fields_of(form, "table-form"), **seats, "dealer": "0", "do": "open"}
    for name, changes in {
        "no name": {"seat2": ""},
        "twice": {"seat2": "anne"},
        "five": {"seat5": "Eve"},
        "stake": {"stake": "much"},
        "dealer": {"dealer": "9"},
        "long": {"seat1": "x" * 99},
        "date": {"date": "x"},
        "preset": {"preset": "x"},
        "queen": {"queen_points": "x"},
        "refereed": {"preset": "coeurs-table", "filled": ""},
        "title": {"title": "x" * 199},
        "preset filled": {"preset": "salon", "do": "preset"},
        "rules": {"do": "show"},
        "currency": {"currency": "x" * 99, "stake": "1"},
    }.items():
        await zoe.post("/score/new", {**good, **changes}, "new", name)
    opened = await zoe.post("/score/new", {**good, "date": "2026-01-31"}, "new", "good")
    await zoe.get(opened.header("location"), "new", "opened")
    await zoe.get("/score/new", "new", "another one")
    for name in PRESETS:
        players = PRESETS[name].players[0]
        names = [f"N{seat}" for seat in range(players)]
        if name != "coeurs-table":
            key = Keeper(zoe, await sheet(net, f"of-{name}", zoe, name, names=names))
            await zoe.get(key.path, "fresh", name)
            if name in ("coeurs-moyenne", "omnibus", "spot-hearts", "partnership"):
                await zoe.get(f"{key.path}?by=points", "fresh", f"{name}, points")
    await written(net, zoe, eve)
    await wider(net, zoe)
    await lots(net, zoe)
    await zoe.get("/score", "list", "full")


async def written(net: Net, zoe: Visitor, eve: Visitor) -> None:
    """A whole evening, with all that goes wrong."""
    path = await sheet(
        *(net, "long", zoe, "coeurs-moyenne"), stake="0.25", currency="EUR", title="Friday"
    )
    keeper = Keeper(zoe, path)
    await keeper.look("fresh")
    await keeper.write(4, 9, 0, 0, queen="0")
    await keeper.write(4, 5, 4, "", queen="1")
    wrong: list[tuple[str, tuple[object, ...], dict[str, Any]]] = [
        *(("too many", (9, 9, 9, 9), {"queen": "0"}), ("no queen", (4, 9, 0, 0), {})),
        *(("no number", ("x", 9, 0, 0), {"queen": "0"}), ("who?", (4, 9, 0, 0), {"queen": "9"})),
        *(("missing", (4, 8, 0, 0), {"queen": "0", "missing": "XX"}), ("none", (), {})),
        *(("twice", (4, 8, 0, 0), {"queen": "0", "missing": "2H, 2H"}),),
        *(("points", (17, 5, 2, 9), {"by": "points"}), ("nobody", (), {"do": "stopped"})),
        *(
            ("moon of nobody", (), {"do": "moon-9"}),
            ("both", (), {"do": "stopped", "revoked": "9"}),
        ),
        ("no version", (4, 9, 0, 0), {"queen": "0", "version": "x"}),
        ("late", (4, 9, 0, 0), {"queen": "0", "version": "1"}),
    ]
    for note, counts, more in wrong:
        await keeper.write(*counts, note=note, **more)
    await keeper.look("two deals")
    await keeper.write(do="moon-2")
    await keeper.write(do="exposed")
    await keeper.write(do="stopped", revoked=["3", "1"], mixed="0")
    await keeper.write(4, 8, 0, 0, queen="0", missing="2H")
    await keeper.press("undo")
    line = "/lines/1"
    await keeper.write(5, 9, 0, 0, path=line, queen="0", note="wrong correction")
    await keeper.write(5, 8, 0, 0, path=line, queen="0", reason="miscounted")
    await keeper.write(path="/lines/4", do="strike", note="struck out")
    await keeper.write(4, 9, 0, 0, path=line, queen="0", version="1", note="late correction")
    await keeper.look("corrected")
    await keeper.press("accept")
    await keeper.write(17, 5, 2, 2, by="points")
    await keeper.press("share")
    await watched(net, zoe, eve, path)
    head = fields_of(await zoe.get(f"{path}/head"), "head-form")
    heads: list[tuple[str, dict[str, str]]] = [
        *(("stake", {"stake": "x"}), ("date", {"date": "x"}), ("no name", {"seat1": ""})),
        *(("late", {"version": "1"}), ("nothing", {}), ("good", {"seat1": "Jeanne", "stake": "1"})),
    ]
    for note, changes in heads:
        await zoe.post(f"{path}/head", {**head, **changes}, "head", note)
    await keeper.look("over")
    await keeper.press("accept")
    await keeper.look("accepted")
    await keeper.write(4, 9, 0, 0, queen="0", note="too late")
    await keeper.press("reopen")
    await keeper.press("unshare")
    for do in ("draw", "dealer-1", "dealer-9", "x", "next"):
        await keeper.press(do)
    for page in ("", "/print", "/head", "/lines/1", "/qr.svg", "/files/sheet.csv"):
        await eve.get(path + page, "somebody else's", page)


async def watched(net: Net, zoe: Visitor, eve: Visitor, path: str) -> None:
    """The address for those who watch."""
    found = re.search(rf"{path}/seen/[\w-]+", (await zoe.get(path)).text)
    assert found is not None
    for visitor in (net.nobody(), eve, zoe):
        await visitor.get(found[0], "watched")
    await zoe.get(f"{path}/qr.svg", "watched", "picture")
    await eve.get(f"{path}/seen/x", "watched", "wrong key")


async def wider(net: Net, zoe: Visitor) -> None:
    """Partners, other cards, two queens, a pot, points from the beginning."""
    partners = Keeper(zoe, await sheet(net, "partners", zoe, "partnership", moon_by="side"))
    await partners.write(5, "", queen="1")
    await partners.write(do="moon-1")
    await partners.look("two deals")
    rules = {"moon": "shooter_chooses", "no_tricks": -5, "card_points": "KS=10"}
    cards = Keeper(zoe, await sheet(net, "cards", zoe, "dame-de-pique", **rules))
    fields: dict[str, Any] = {"queen": "0", "card-KS-0": "0"}
    await cards.write(13, 0, 0, 0, **fields)
    await cards.write(13, 0, 0, 0, **fields, trickless="nobody")
    await cards.write(13, 0, 0, 0, **fields, trickless=["nobody", "1"], note="both")
    await cards.write(13, 0, 0, 0, **fields, trickless="nobody", way="minus")
    await cards.write(3, 4, 6, "", queen="3", note="no king")
    await cards.look("a moon")
    names = list("ABCDEFGH")
    both = Keeper(zoe, await sheet(net, "two-packs", zoe, "cancellation", names=names))
    await both.write(4, 4, 4, 4, 4, 4, 2, "", **{"card-QS-0": "1", "card-QS-1": "7"})
    await both.look("one deal")
    pot = Keeper(zoe, await sheet(net, "pot", zoe, "coeurs-cagnotte", stake="1", currency="CHF"))
    await pot.write(4, 9, 0, 0, queen="0")
    await pot.look("over")
    await pot.press("accept")
    await pot.press("next")
    salon = Keeper(zoe, await sheet(net, "salon", zoe, "salon-valet"))
    await salon.write(4, 9, 0, 0, queen="0", jack="2")
    await salon.write(4, 9, 0, 0, queen="0", jack="", note="no jack")
    await salon.write(do="count")
    await salon.look("one deal")
    done = (
        Enter(Counted((5, 1, 19, 0))),
        *(
            Enter(Taken((4, 9, 0, 0), 0)),
            Enter(LostDeal(Misdeal.EXPOSED)),
            Enter(StoppedDeal((1,))),
        ),
    )
    told = Keeper(zoe, await sheet(net, "told", zoe, "coeurs-cinq-coups", *done, date="2026-01-31"))
    await told.look("four lines")


async def lots(net: Net, zoe: Visitor) -> None:
    """The first dealer by lot, and a tie."""
    first = Keeper(zoe, await sheet(net, "lots", zoe, "coeurs-cagnotte", dealer=None))
    await first.look("due")
    await first.press("dealer-9")
    await first.press("draw", **{"share-1": "ça compte !"})
    await first.look("drawn")
    await first.write(7, 6, 0, 0, queen="2")
    named = Keeper(zoe, await sheet(net, "named", zoe, "coeurs", dealer=None))
    await named.press("dealer-2")
    tie = Keeper(zoe, await sheet(net, "tie", zoe, "coeurs", Enter(Taken((6, 7, 0, 0), 0))))
    await tie.look("tied")
    await tie.press("draw")
    await tie.look("drawn")


STORIES: Final = (tables, programs, matches, sheets)


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("story", STORIES, ids=lambda story: str(story.__name__))
def test_pages_are_as_they_were(story: Story, lang: str, tmp_path: Path) -> None:
    check(tmp_path, lang, story)
