"""The pages about people: accounts, passkeys, settings, talk and moderation, clubs and evenings."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from kit.authenticator import Authenticator
from net.filling import LAWFUL, club, evening, match, sheet
from net.playroom import Net, Story, Visitor, check, fields_of

from volte.evenings.evening import Cancelled, Invited, Withdrew
from volte.table import Access
from volte.talk.reports import Evidence, frozen
from volte.talk.store import Said, TalkReport, TalkStore

WORDS: Final = "lune rousse à midi"
OTHER: Final = "neuf pommes vertes"
CODE: Final = re.compile(r"<code>([\w-]{16,})</code>")
SESSION: Final = re.compile(r'name="session" value="(\w+)"')
DEVICE: Final = re.compile(r"/device/[\w-]{43}")
PASSKEY: Final = re.compile(r"/account/passkeys/[0-9a-f]{32}")
INVITATION: Final = re.compile(r"/clubs/[\w-]+/invited/[\w-]+")


async def tried(
    visitor: Visitor, path: str, good: Mapping[str, Any], wrong: Mapping[str, Mapping[str, Any]]
) -> None:
    """A form sent with each of those changes, all answers in one file."""
    for name, changes in wrong.items():
        await visitor.post(
            path, {**good, **changes}, f"faults of {path[1:].replace('/', ' ')}", name
        )


# Accounts


async def accounts(net: Net) -> None:
    """An account made, changed, left and come back to."""
    zoe = await net.person("Zoé")
    await zoe.get("/account", "account", "none yet")
    await zoe.get("/me", "settings", "guest")
    new = {"login": "zoe", "password": WORDS}
    await tried(
        zoe,
        "/account",
        new,
        {
            "no login": {"login": ""},
            "short login": {"login": "x"},
            "long login": {"login": "x" * 65},
            "odd login": {"login": "a\u0007b"},
            "short": {"password": "1234567"},
            "long": {"password": "ab c" * 60},
            "the login": {"login": "zoelogin", "password": "zoelogin"},
            "common": {"password": "password"},
            "few signs": {"password": "abababab"},
        },
    )
    made = await zoe.post("/account", new, "codes", "made")
    codes = CODE.findall(made.text)
    assert len(codes) == 10
    await zoe.post("/account", new, "codes", "loaded again")
    max_ = await net.person("Max")
    await max_.post("/account", new, "faults of account", "taken")
    for done in (
        "",
        "?done=name_changed",
        "?done=login_changed",
        "?done=password_changed",
        "?done=x",
    ):
        await zoe.get(f"/account{done}", "account", done)
    await zoe.get("/me", "settings", "account")
    for what in ("name", "login", "password", "codes"):
        await zoe.get(f"/account/{what}", f"account {what}")
    await zoe.post("/account/name", {"name": ""}, "account name", "none")
    await zoe.post("/account/name", {"name": "x" * 41}, "account name", "long")
    await zoe.post("/account/name", {"name": "Zoë"}, "account name", "good")
    wrong = {"present": "wrong"}
    await zoe.post("/account/login", {"login": "zoe2", **wrong}, "account login", "wrong password")
    right = {"present": WORDS}
    await zoe.post("/account/login", {"login": "x", **right}, "account login", "short")
    await zoe.post("/account/login", {"login": "zoë 2", **right}, "account login", "good")
    await zoe.post("/account/password", {"password": "short", **right}, "account password", "short")
    again = {"password": OTHER, **wrong}
    await zoe.post("/account/password", again, "account password", "wrong password")
    await zoe.post("/account/password", {"password": OTHER, **right}, "account password", "good")
    await zoe.post("/account/codes", wrong, "account codes", "wrong password")
    reply = await zoe.post("/account/codes", {"present": OTHER}, "account codes", "good")
    codes = CODE.findall(reply.text)
    await signing_in(net, codes)
    await sessions(net)


async def signing_in(net: Net, codes: list[str]) -> None:
    """By a password and by a code, as nobody and as a guest."""
    nobody, guest = net.nobody(), await net.person("Gast")
    for visitor in (nobody, guest):
        for path in ("/signin", "/signin?next=/clubs", "/recover", "/recover?login=zoe"):
            await visitor.get(path, path.partition("?")[0][1:], path)
    for wrong in ({}, {"login": "nobody here"}, {"login": "zoë 2", "password": "wrong words"}):
        fields = {"login": "", "password": "", "next": "/clubs", **wrong}
        await nobody.post("/signin", fields, "signin", str(wrong))
    await guest.post("/signin", {"login": "x", "password": "y"}, "signin", "guest")
    good = {"login": "zoë 2", "password": OTHER}
    await nobody.post("/signin", {**good, "next": "/clubs"}, "signin", "good")
    await nobody.get("/account", "account", "signed in")
    await net.nobody().say("/api/signin", good, "api signin", "good")
    await net.nobody().say("/api/signin", {**good, "password": "x"}, "api signin", "wrong")
    other = net.nobody()
    for wrong in ({"code": "x"}, {"password": "short"}, {"login": "x"}):
        fields = {"login": "zoë 2", "code": codes[0], "password": WORDS, **wrong}
        await other.post("/recover", fields, "recover", str(wrong))
    fields = {"login": "zoë 2", "code": codes[0], "password": WORDS}
    await other.post("/recover", fields, "recover", "good")
    await other.get("/account", "account", "recovered")
    await net.nobody().post("/recover", fields, "recover", "used up")


async def sessions(net: Net) -> None:
    """Where somebody is signed in, a link for another device, and all that is kept of them."""
    zoe = await net.person("Léa")
    await zoe.get("/me/sessions", "sessions", "one")
    link = await zoe.post("/me/device", {}, "device", "handed out")
    found = DEVICE.search(link.text)
    assert found is not None
    phone, late = net.nobody(), net.nobody()
    await phone.get(found[0], "device", "asked")
    await phone.get(f"{found[0]}/qr.svg", "device", "picture")
    await phone.post(found[0], {}, "device", "taken")
    await late.get(found[0], "device", "used up")
    await late.post(found[0], {}, "device", "used up")
    listed = await zoe.get("/me/sessions", "sessions", "two")
    for done in ("session_ended", "sessions_ended"):
        await zoe.get(f"/me/sessions?done={done}", "sessions", done)
    await zoe.post("/me/sessions", {"session": "x"}, "sessions", "unknown")
    await zoe.post("/me/sessions", {"others": "1"}, "sessions", "others")
    await phone.get("/me/sessions", "sessions", "ended")
    own = SESSION.findall(listed.text)[0]
    await zoe.get("/me/data", "data")
    await match(net, "one", LAWFUL / "salon-valet.volte", {0: zoe})
    await sheet(net, "one", zoe, "coeurs")
    await zoe.post("/me/data", {}, "data", "taken along")
    await zoe.get("/me/data/delete", "data", "sure?")
    await zoe.post("/me/data/delete", {"confirm": "Max"}, "data", "not sure")
    max_ = await net.person("Mona")
    await max_.post("/account", {"login": "mona", "password": WORDS})
    await max_.get("/me/data/delete", "data", "sure? With a password")
    await max_.post("/me/data/delete", {"present": "x"}, "data", "not sure, with a password")
    await max_.post("/me/data/delete", {"present": WORDS}, "data", "gone, with a password")
    other = await net.person("Nora")
    await other.post("/me/data/delete", {"confirm": "nora"}, "data", "gone")
    await other.get("/me", "data", "afterwards")
    await zoe.post("/me/sessions", {"session": own}, "sessions", "own")
    await zoe.get("/me/sessions", "sessions", "gone")


async def passkeys(net: Net) -> None:
    """Made, signed with, renamed, removed."""
    zoe, max_ = await net.person("Zoé"), await net.person("Max")
    page = "/account/passkeys"
    quiet = {"accept": "application/json", "x-volte": "1"}
    await zoe.post(f"{page}/options", {"name": "Phone"}, "making", "by a number", headers=quiet)
    for visitor in (zoe, max_):
        visitor.host = "localhost"
    await zoe.get(page, "passkeys", "none")
    await zoe.post(f"{page}/options", {"name": ""}, "making", "no name", headers=quiet)
    await zoe.post(f"{page}/options", {"name": "x" * 41}, "making", "long name", headers=quiet)
    key = Authenticator()
    asked = await zoe.post(f"{page}/options", {"name": "Phone"}, "making", "options", headers=quiet)
    made = {"name": "Phone", "credential": key.make(asked.json["options"], zoe.address)}
    await zoe.post(f"{page}/add", {**made, "credential": "x"}, "making", "nonsense", headers=quiet)
    await zoe.post(f"{page}/add", made, "making", "good", headers=quiet)
    await zoe.post(f"{page}/add", made, "making", "again", headers=quiet)
    await zoe.get(f"{page}?done=added", "passkeys", "one")
    await zoe.post(f"{page}/options", {"name": "Other"}, "making", "unconfirmed", headers=quiet)
    await max_.post(f"{page}/challenge", {"purpose": "confirm"}, "signing", "none", headers=quiet)
    for purpose in ("signin", "confirm"):
        await zoe.post(f"{page}/challenge", {"purpose": purpose}, "signing", purpose, headers=quiet)
    nobody = net.nobody()
    nobody.host = "localhost"
    asked = await nobody.post(f"{page}/challenge", {"purpose": "signin"}, headers=quiet)
    proof = key.sign(asked.json["options"], nobody.address)
    await nobody.post(f"{page}/signin", {"proof": "x"}, "signing", "nonsense", headers=quiet)
    signed = {"proof": proof, "next": "/clubs"}
    await nobody.post(f"{page}/signin", signed, "signing", "good", headers=quiet)
    await nobody.post(f"{page}/signin", signed, "signing", "again", headers=quiet)
    found = PASSKEY.search((await zoe.get(page, "passkeys", "used")).text)
    assert found is not None
    await zoe.get(found[0], "passkey")
    await max_.get(found[0], "passkey", "somebody else's")
    await zoe.post(f"{found[0]}/name", {"name": ""}, "passkey", "no name")
    await zoe.post(f"{found[0]}/name", {"name": "x" * 41}, "passkey", "long name")
    await zoe.post(f"{found[0]}/name", {"name": "My key"}, "passkey", "renamed")
    await zoe.get(f"{page}?done=renamed", "passkeys", "renamed")
    await zoe.post(f"{found[0]}/remove", {}, "passkey", "not sure")
    await zoe.post(f"{found[0]}/remove", {}, "passkey", "not sure, JSON", headers=quiet)
    await zoe.post("/account", {"login": "zoe", "password": WORDS})
    await zoe.get(found[0], "passkey", "with a password")
    await zoe.get(page, "passkeys", "with a password")
    await zoe.post(f"{found[0]}/remove", {"password": "x"}, "passkey", "wrong password")
    await zoe.post(f"{found[0]}/remove", {"password": WORDS}, "passkey", "removed")
    await zoe.get(f"{page}?done=removed", "passkeys", "removed")


async def settings(net: Net) -> None:
    """Shown, changed, refused."""
    zoe = await net.person("Zoé")
    page = await zoe.get("/me", "settings")
    await zoe.get("/me/form", "settings at a table")
    await zoe.get("/me?kept=1", "settings", "kept")
    good = fields_of(page, "settings-form")
    await tried(
        zoe,
        "/me",
        good,
        {
            "paces": {"bot_pace": "x", "trick_pace": "-1"},
            "rate": {"reader_rate": "9999"},
            "choice": {"verbosity": "x", "tap": "x"},
            "letter": {"key_table": "5"},
            "twice": {"key_table": "x", "key_scores": "x"},
            "language": {"lang": "de"},
        },
    )
    quiet = {"x-volte": "1"}
    await zoe.post("/me", {**good, "bot_pace": "x"}, "in the background", "fault", headers=quiet)
    await zoe.post("/me", {**good, "theme": "dark"}, "in the background", "good", headers=quiet)
    changed = {**good, "theme": "dark", "large": "on", "key_table": "x", "order": "rank"}
    await zoe.post("/me", changed, "settings", "changed")
    await zoe.post("/me", {**changed, "next": "/clubs"}, "settings", "changed, and on")
    await zoe.get("/me", "settings", "as changed")
    await zoe.post("/me/helped", {}, "alone", "helped")
    for verbosity in ("terse", "full", "x"):
        await zoe.post("/me/verbosity", {"verbosity": verbosity}, "alone", verbosity)
    await zoe.get("/me", "settings", "in the end")


# Talk and moderation


async def moderation(net: Net) -> None:
    """Reports with evidence, decisions of every kind, and what those are told whom they concern."""
    ann, bob = await net.person("Ann"), await net.person("Bob")
    mia, max_ = await net.person("Mia", "moderator"), await net.person("Max", "administrator")
    for path in ("/moderation", "/moderation/measures", "/moderation/trials"):
        await mia.get(path, path[1:].replace("/", " "), "empty")
    await ann.get("/me/talk", "own", "empty")
    await mia.get("/me/talk", "own", "moderator")
    await match(net, "one", LAWFUL / "coeurs-moyenne.volte", {0: ann, 1: bob})
    said = [
        Said("table-one", 1, "table", ann.id, "Ann", "", "Before.", time.time()),
        Said("table-one", 2, "table", bob.id, "Bob", "", "<b>Ugly</b> words.", time.time()),
        Said("table-one", 3, "watchers", bob.id, "Bob", "hello", "", time.time()),
    ]
    for each in said:
        await net.store[TalkStore].say(each, f"cause {each.number}")
    whys = ("insult", "cheating", "spam", "other", "harassment", "name", "insult", "insult")
    for number, why in enumerate(whys):
        evidence = Evidence(
            "Table of one", "match-one", "Ann", "Bob", (2,), tuple(said[: number % 4])
        )
        note = "Look at <this>." if number % 2 else ""
        await net.store[TalkStore].report(
            TalkReport(
                *(f"report-{number}", "table-one", ann.id, bob.id, why, note),
                *(frozen(evidence), time.time() - 600 + number),
            )
        )
    await net.store[TalkStore].report(
        TalkReport(*("report-mia", "table-one", ann.id, mia.id, "other", "", b"", time.time()))
    )
    await net.store[TalkStore].mute(ann.id, bob.id, "Bob")
    for visitor in (mia, max_, ann):
        await visitor.get("/moderation", "moderation", "open")
    await mia.get("/moderation/reports/report-1", "report", "open")
    await mia.get("/moderation/reports/report-mia", "report", "about herself")
    await ann.get("/me/talk", "own", "reported, and one muted")
    await tried(
        mia,
        "/moderation/reports/report-1",
        {"decision": "warning", "note": "Be kind."},
        {
            "nothing chosen": {"decision": ""},
            "no reason": {"note": " "},
            "long": {"note": "x" * 501},
            "both": {"decision": "gallows", "note": "x" * 501},
        },
    )
    await mia.post("/moderation/reports/report-mia", {"decision": "nothing"}, "report", "own")
    decisions = ("warning", "nothing", "silence_hour", "silence_ever", "exclusion_day")
    for number, decision in enumerate((*decisions, "exclusion_ever"), start=1):
        fields = {"decision": decision, "note": f"Be kind, {number}."}
        await mia.post(f"/moderation/reports/report-{number}", fields, "report", decision)
    await mia.post("/moderation/reports/report-1", fields, "report", "decided already")
    await mia.get("/moderation/reports/report-1", "report", "decided")
    await mia.get("/moderation?done=1", "moderation", "decided")
    await bob.get("/", "told", "Bob")
    await ann.get("/rules/coeurs?x=1", "told", "Ann")
    await bob.get("/me/talk", "own", "decided about")
    await ann.get("/me/talk", "own", "decided")
    excluded = await bob.get("/tables/new")
    opened = {**fields_of(excluded, "table-form"), "do": "open"}
    await bob.post("/tables", opened, "excluded")
    await ann.post("/me/talk/read", {"at": f"{time.time()}", "next": "/help"}, "told", "read")
    await ann.get("/help", "told", "nothing more")
    await ann.post("/me/talk", {"person": bob.id}, "own", "heard again")
    await ann.get("/me/talk", "own", "nobody muted")
    page = await mia.get("/moderation/measures", "moderation measures", "five")
    first = re.findall(r"/moderation/measures/([0-9a-f]+)/lift", page.text)[-1]
    lift = f"/moderation/measures/{first}/lift"
    await mia.get(lift, "lift")
    await mia.post(lift, {"note": ""}, "lift", "no reason")
    await mia.post(lift, {"note": "x" * 501}, "lift", "long")
    await max_.post(lift, {"note": "Enough."}, "lift", "good")
    await mia.post(lift, {"note": "Enough."}, "lift", "already")
    await mia.get(lift, "lift", "lifted")
    await mia.get("/moderation/measures?done=1", "moderation measures", "one lifted")
    await bob.get("/me/talk", "own", "lifted")


# Clubs and evenings


async def clubs(net: Net) -> None:
    """Founded, led, joined, left, dissolved."""
    zoe, max_, eve = [await net.person(name) for name in ("Zoé", "Max", "Eve")]
    await zoe.get("/clubs", "clubs", "empty")
    await zoe.get("/clubs/new", "new")
    good = {"name": "Friday <club>", "about": "Every Friday.\r\nAt eight.", "listed": "on"}
    await tried(
        zoe,
        "/clubs/new",
        good,
        {
            "no name": {"name": ""},
            "long name": {"name": "x" * 41},
            "long": {"about": "x" * 1001},
            "odd": {"about": "a\u202eb", "listed": ""},
        },
    )
    made = await zoe.post("/clubs/new", good, "new", "good")
    path = made.header("location").partition("?")[0]
    own = await zoe.get(f"{path}?done=made", "club", "made")
    invitation = INVITATION.search(own.text)
    assert invitation is not None
    for visitor in (net.nobody(), eve, zoe):
        await visitor.get(path, "club", "one member")
        await visitor.get(invitation[0], "invited")
        await visitor.get("/clubs", "clubs", "one")
    await max_.post(invitation[0], {}, "invited", "accepted")
    await max_.get(f"{path}?done=joined", "club", "joined")
    await eve.post(f"{path}/do", {"do": "join"}, "do", "join")
    await eve.post(f"{path}/do", {"do": "join"}, "do", "join again")
    await max_.get(f"{path}/edit", "edit", "member")
    await zoe.get(f"{path}/edit", "edit")
    await zoe.post(f"{path}/edit", {**good, "name": ""}, "edit", "no name")
    await zoe.post(f"{path}/edit", {**good, "name": "Sunday", "listed": ""}, "edit", "good")
    await zoe.get(f"{path}?done=saved", "club", "three members")
    for who, role in (
        *((max_.id, "organiser"), (max_.id, "x"), ("nobody", "member"), (zoe.id, "out")),
        (eve.id, "out"),
    ):
        await zoe.post(f"{path}/members", {"person": who, "role": role}, "members", f"{who} {role}")
    await max_.post(
        f"{path}/members", {"person": zoe.id, "role": "out"}, "members", "not the owner"
    )
    for visitor in (zoe, max_, eve):
        await visitor.get(path, "club", "an organiser")
    await max_.post(f"{path}/do", {"do": "key"}, "do", "another key")
    await max_.get(f"{path}?done=key", "club", "another key")
    await eve.get(invitation[0], "invited", "out of date")
    await zoe.post(f"{path}/do", {"do": "leave"}, "do", "the owner leaves")
    await zoe.post(f"{path}/do", {"do": "x"}, "do", "nonsense")
    await zoe.post(
        f"{path}/members", {"person": max_.id, "role": "owner"}, "members", "handed over"
    )
    await zoe.post(f"{path}/do", {"do": "leave"}, "do", "leave")
    await zoe.get("/clubs?done=left", "clubs", "left")
    await zoe.post(f"{path}/do", {"do": "dissolve"}, "do", "dissolve as nobody there")
    await club(net, "one", max_, {})
    await evening(net, "planned", "one", (max_,))
    await max_.post("/clubs/club-one/do", {"do": "dissolve"}, "do", "dissolve with evenings")
    await max_.post(f"{path}/do", {"do": "dissolve"}, "do", "dissolve")
    await max_.get("/clubs?done=dissolved", "clubs", "dissolved")


POINTS: Final = [[(5, 1, 20, 0), (0, 26, 0, 0)], [(4, 2, 18, 2), (13, 13, 0, 0)]]


async def evenings(net: Net) -> None:
    """Planned, running, between rounds, over, cancelled: for those who lead, come, and look."""
    names = ("Zoé", "Max", "Ana", "Bea", "Cid", "Dan", "Eve")
    zoe, max_, ana, bea, _, dan, eve = people = [await net.person(name) for name in names]
    await club(net, "one", zoe, {each.id: "member" for each in people[1:6]})
    await zoe.get("/clubs/club-one", "club", "no evenings")
    form = await zoe.get("/clubs/club-one/evenings/new", "new")
    good = {**fields_of(form, "evening-form"), "by_itself": ""}
    await tried(
        zoe,
        "/clubs/club-one/evenings/new",
        good,
        {
            "no name": {"name": ""},
            "long name": {"name": "x" * 41},
            "date": {"date": "x"},
            "no such date": {"date": "2027-02-30"},
            "past": {"date": "2020-01-01"},
            "time": {"time": "25:00"},
            "no time": {"time": ""},
            "zone": {"zone": "x"},
            "preset": {"preset": "x"},
            "players": {"players": "7"},
            "rounds": {"rounds": "13"},
            "deals": {"deals": "0"},
            "pause": {"pause": "x"},
            "clock": {"clock": "3"},
            "level": {"level": "x"},
            "refereed": {"preset": "coeurs-table"},
        },
    )
    planned = await zoe.post("/clubs/club-one/evenings/new", good, "new", "good")
    path = planned.header("location").partition("?")[0]
    digest = re.search(r"<code>([0-9a-f]{64})</code>", (await zoe.get(path)).text)
    assert digest is not None
    net.call(digest[1], "digest")
    for done in ("planned", "saved", "come", "stay", "begun", "ended", "invited", "x"):
        await zoe.get(f"{path}?done={done}", "own", done)
    asked = (Invited(bea.id, "Bea"), Withdrew(dan.id))
    await evening(net, "planned", "one", (zoe, max_, ana), more=asked)
    await evening(net, "alone", "one", (zoe, max_), rounds=[POINTS], going=True, alone=True)
    begun = [[POINTS[0], POINTS[1][:1]]]
    running = await evening(net, "running", "one", people[:6], rounds=begun, going=True, pause=0)
    await evening(net, "between", "one", people[:6], rounds=[POINTS])
    over = await evening(net, "over", "one", people[:6], rounds=[POINTS, POINTS])
    await evening(net, "off", "one", (zoe,), more=(Cancelled(),))
    for place, sitting in enumerate(over.rounds[0].tables):
        known = {each.id: each for each in people}
        seats = {seat: known[who] for seat, who in enumerate(sitting.seats) if who}
        told: dict[str, Any] = {"table": sitting.table, "evening": "evening-over"}
        told |= {"hints": False, "access": Access.LINK}
        await match(net, f"over-{place}", LAWFUL / "moon.volte", seats, **told)
    for key in ("planned", "alone", "running", "between", "over", "off"):
        for visitor in (net.nobody(), eve, bea, dan, max_, zoe):
            await visitor.get(f"/evenings/evening-{key}", key)
        for number in (1, 2):
            await max_.get(f"/evenings/evening-{key}/rounds/{number}", f"{key} round {number}")
            await eve.get(f"/evenings/evening-{key}/rounds/{number}", f"{key} round {number}")
        for name in ("standings.csv", "deals.csv", "evening.json", "evening.ics"):
            await max_.get(f"/evenings/evening-{key}/{name}", f"{key} {name}")
    for sitting in running.rounds[0].tables:
        for visitor in (net.nobody(), eve, zoe, max_, bea):
            await visitor.get(f"/tables/{sitting.table}", "table")
    for visitor in (zoe, max_, bea, eve):
        await visitor.get("/clubs/club-one", "club", "evenings")
        await visitor.get("/clubs", "clubs")
    await led(net, zoe, max_, bea, eve, good)


async def led(
    net: Net, zoe: Visitor, max_: Visitor, bea: Visitor, eve: Visitor, good: dict[str, Any]
) -> None:
    """All the buttons of an evening, and what they are refused."""
    planned = "/evenings/evening-planned"
    await max_.get(f"{planned}/edit", "edit", "not an organiser")
    await zoe.get(f"{planned}/edit", "edit")
    await zoe.post(f"{planned}/edit", {**good, "rounds": "x"}, "edit", "fault")
    await zoe.get("/evenings/evening-running/edit", "edit", "begun")
    await zoe.post("/evenings/evening-running/edit", good, "edit", "begun")
    await zoe.post(f"{planned}/edit", {**good, "name": "Later"}, "edit", "good")
    steps: list[tuple[Visitor, str, dict[str, Any]]] = [
        *((bea, "come", {}), (bea, "come", {}), (bea, "stay", {}), (eve, "come", {})),
        *((max_, "late", {}), (max_, "begin", {"rounds": "0"}), (zoe, "x", {})),
        *((zoe, "invite", {"person": ["id-of-dan", "id-of-cid", "x"]}), (zoe, "end", {})),
        *((zoe, "end_round", {"rounds": "0"}), (zoe, "begin", {"rounds": "7"})),
    ]
    for visitor, asked, more in steps:
        fields = {"do": asked, **more}
        await visitor.post(f"{planned}/do", fields, "do", f"{asked} {more}")
    await zoe.get(planned, "planned", "afterwards")
    for key in ("over", "off", "between"):
        path = f"/evenings/evening-{key}"
        for asked in ("come", "stay", "late", "invite"):
            fields = {"do": asked, "person": ["id-of-eve"]}
            await max_.post(f"{path}/do", fields, f"do {key}", asked)
        for asked in ("begin", "end_round"):
            number = {"over": "2", "off": "0", "between": "1"}[key]
            await zoe.post(f"{path}/do", {"do": asked, "rounds": number}, f"do {key}", asked)
    running = "/evenings/evening-running/do"
    await eve.post(running, {"do": "late"}, "do", "late, running")
    await zoe.post(running, {"do": "begin", "rounds": "1"}, "do", "begin, running")
    await zoe.post(running, {"do": "end_round", "rounds": "1"}, "do", "end of a round")
    await zoe.get("/evenings/evening-running?done=ended", "running", "round ended")
    await zoe.post(running, {"do": "end", "rounds": "1"}, "do", "end")
    await zoe.get("/evenings/evening-running?done=ended", "running", "ended")


STORIES: Final = (accounts, passkeys, settings, moderation, clubs, evenings)


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("story", STORIES, ids=lambda story: str(story.__name__))
def test_pages_are_as_they_were(story: Story, lang: str, tmp_path: Path) -> None:
    check(tmp_path, lang, story)
