"""The languages that clients and browsers ask for, with a region or in capitals."""

from __future__ import annotations

import json
from pathlib import Path

from kit.browsing import Visitor
from kit.people import Guest
from kit.requests import post_json, request
from kit.sites import open_house, serving

from volte.game.codec import encode
from volte.wire.messages import PROTOCOL, Ask, Hello, Question

NAMED = ("fr-CA", "FR", "fr_CA.UTF-8")


async def test_a_client_may_ask_for_a_language_with_its_region(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        for lang in NAMED:
            reply = await post_json(site.address, "/api/guest", {"name": "Zoé", "lang": lang})
            assert reply.json["lang"] == "fr"
            me = await request(site.address, "GET", "/api/me", headers={"cookie": reply.cookie})
            assert me.json["lang"] == "fr"
        other = await post_json(site.address, "/api/guest", {"name": "Zoé", "lang": "xx"})
        assert other.json["lang"] == "en"


async def said(guest: Guest, table: str, lang: str) -> str:
    """What is answered to somebody who says hello in that language."""
    socket = await guest.dial(table)
    await socket.send(encode(Hello("a", PROTOCOL, lang=lang)).decode())
    await socket.send(encode(Ask("b", Question.TURN)).decode())
    async for text in socket:
        told = json.loads(text)
        if told["say"] == "answer" and told["id"] == "b":
            await socket.close()
            return str(told["lines"])
    raise AssertionError("not answered")


async def test_hello_and_prefer_name_a_language_with_its_region(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        guest = await Guest.come(site.address)
        table = await guest.open_table()
        english, french = await said(guest, table, "en"), await said(guest, table, "fr")
        assert english != french
        for lang in NAMED:
            assert await said(guest, table, lang) == french
        assert await said(guest, table, "xx") == english
        await guest.join(table)
        await guest.prefer(lang="fr-CA")
        me = await request(site.address, "GET", "/api/me", headers={"cookie": guest.cookie})
        assert me.json["lang"] == "fr"
        await guest.leave()


def test_a_browser_is_answered_in_the_language_that_it_ranks_first(tmp_path: Path) -> None:
    ranked = {
        "fr-CA,fr;q=0.8,en;q=0.5": "fr",
        "de-CH, EN;q=0.9, fr;q=0.8": "en",
        "en;q=0, fr;q=0.1": "fr",
        "fro, xx, *": "en",
    }
    with open_house(tmp_path) as house:
        for accepted, lang in ranked.items():
            with Visitor(house.address, accepted) as visitor:
                assert visitor.get("/").all("html")[0]["lang"] == lang, accepted
