"""A deal by a link where there is no server: it follows from its address, and so do all hands."""

from __future__ import annotations

import gzip
import re
from base64 import urlsafe_b64encode
from typing import Any

import pytest
from kit.doors import LoneVisitor
from kit.live import Player, over
from kit.matches import keep, played
from kit.presets import TABLES, short
from kit.solo import SOUTH, OpenRoom, SlowKeeper

from volte.alone.file import MatchesFileFault, packed, unpacked
from volte.alone.pages import AlonePages
from volte.alone.room import SitePaths
from volte.boards.board import BoardDeal
from volte.boards.seeds import SeedDeal, address_of, board_of_seed, fresh_seed, read_address
from volte.bots import COMPANY
from volte.game import Dealt, Passed, Played
from volte.rules import described, make_ruleset
from volte.solo.answer import SoloAnswer
from volte.solo.kept import KeptStore
from volte.solo.room import SoloRoom
from volte.table import Happening, decode_happening

SEED = "0123456789abcdef" * 2
PLAIN = f"microsoft.4.0.casual.{SEED}"


def options(text: str) -> str:
    """The part of an address with those changes, a JSON object."""
    return f".{urlsafe_b64encode(text.encode()).decode().rstrip('=')}"


def cards_of(address: str) -> BoardDeal:
    deal = read_address(address)
    assert deal is not None
    return board_of_seed(address, deal).deal


# The address


@pytest.mark.parametrize(("preset", "players"), [*TABLES])
def test_an_address_is_read_as_it_was_written(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players})
    bots = [*COMPANY, "strong"][: players - 1]
    deal = SeedDeal(rules, players - 1, (*bots, ""), fresh_seed())
    address = address_of(deal)
    assert re.fullmatch(r"[\w.-]{1,200}", address)
    assert read_address(address) == deal
    cards = cards_of(address)
    assert sorted(cards.deck) == sorted(rules.cards)
    assert (cards.levels, cards.seat) == (deal.levels, players - 1)
    assert cards == cards_of(address)


def test_an_address_carries_the_options_that_differ_and_one_deal_is_played() -> None:
    rules = make_ruleset("microsoft", {"slam": "reversal", "match_end": "deals:9"})
    address = address_of(SeedDeal(rules, 0, ("", *["casual"] * 3), SEED))
    assert address == PLAIN + options('{"slam":"reversal"}')
    assert cards_of(address).rules.moon.slam == rules.moon.slam
    assert described(cards_of(address).rules)[1]["match_end"] == "deals:1"
    assert cards_of(address).deck == cards_of(PLAIN).deck


def test_another_seed_deals_other_cards() -> None:
    assert cards_of(PLAIN).deck != cards_of(PLAIN.replace("0", "1")).deck


@pytest.mark.parametrize(
    "text",
    [
        "",
        "microsoft",
        PLAIN[:-1],
        PLAIN + "0",
        PLAIN.upper(),
        PLAIN.replace("microsoft", "poker"),
        PLAIN.replace(".4.", ".04."),
        PLAIN.replace(".4.", ".11."),
        PLAIN.replace(".0.", ".4."),
        PLAIN.replace("casual", "casual-casual-casual"),
        PLAIN.replace("casual", "casual-strong"),
        PLAIN.replace("casual", "expert"),
        PLAIN.replace("casual", "os-system"),
        PLAIN + options("{}"),
        PLAIN + options('{"players":4}'),
        PLAIN + options('{"match_end":"deals:3"}'),
        PLAIN + options('{"slam": "reversal"}'),
        PLAIN + options('{"slam":7}'),
        PLAIN + options('{"removed":["2C"]}'),
        PLAIN + options('{"removed":[["2C"]]}'),
        PLAIN + options("[" * 300),
        PLAIN + options('{"slam":"reversal"}') + "A" * 600,
        PLAIN + ".\n",
        "<script>alert(1)</script>",
        "2026-12-01",
        "٤".join(PLAIN.split("4", 1)),
    ],
)
def test_a_text_that_no_site_writes_deals_nothing(text: str) -> None:
    assert read_address(text) is None


@pytest.mark.parametrize("text", [PLAIN[:-1], "%3Cscript%3Ealert(1)", "x" * 9000])
def test_an_address_that_was_changed_is_refused_in_a_sentence(text: str) -> None:
    with LoneVisitor("en") as visitor:
        page = visitor.get(f"/deals/{text}")
        assert (page.status, page.wrong) == (404, [])
        assert "This address is incomplete, or has been changed" in page.text
        assert "<script>alert" not in page.text
        assert visitor.post(f"/deals/{text}/play").status == 404


# Two browsers


class Browser:
    """A browser whose texts are in memory, and its pages."""

    def __init__(self, room: SoloRoom) -> None:
        self.room = room
        self.pages = AlonePages(room, SitePaths("/volte/en", "/static/0-en/", "volte.example"))

    async def ask(self, path: str, **fields: str) -> SoloAnswer:
        """The answer to a request; a form is sent if there are fields."""
        sent = {name: [text] for name, text in fields.items()}
        return await self.pages.respond("POST" if fields else "GET", path, sent)

    async def press(self, board: str) -> str:
        """The id of the table to which the button of a deal leads."""
        answer = await self.ask(f"/deals/{board}/play", csrf="")
        assert answer.status == 303
        return answer.location.removeprefix("/volte/en/tables/")

    async def play(self, table: str) -> list[Happening]:
        """Play a deal to its end, always the first legal card. Returns what happened."""
        live = await self.room.find(table)
        assert live is not None
        Player(live, SOUTH)
        await over(live)
        entries = await self.room.store.read(table)
        return [decode_happening(each.data) for each in entries]


def cards_in(log: list[Happening]) -> list[Any]:
    """The hands, and the cards that all seats have passed and played."""
    return [each for each in log if isinstance(each, Dealt | Passed | Played)]


async def test_two_browsers_play_the_same_deal_against_the_same_bots(
    room_over: OpenRoom,
) -> None:
    one, other = Browser(room_over(SlowKeeper())), Browser(room_over(SlowKeeper()))
    made = await one.ask("/deals", preset="microsoft", players="4", level="characters")
    address = made.location.removeprefix("/volte/en/deals/").partition("?")[0]
    before = await one.ask(f"/deals/{address}?done=made")
    assert f"https://volte.example/volte/en/deals/?at=/deals/{address}" in before.body
    assert "whoever reads it can work out every hand" in before.body
    logs = [await each.play(await each.press(address)) for each in (one, other)]
    assert cards_in(logs[0]) == cards_in(logs[1])
    assert len([each for each in logs[0] if isinstance(each, Played)]) == 52
    page = await other.ask(f"/deals/{address}")
    assert re.search(r"You took [0-9]+ points? in this deal\.", page.body)
    assert "Play it again" in page.body
    assert "others" not in page.body.partition("<main")[2].partition("</main")[0].lower()
    again = await other.play(await other.press(address))
    assert cards_in(again) == cards_in(logs[1])
    assert len(await other.room.tables()) == 2


async def test_a_press_leads_back_to_a_table_that_is_not_over(room_over: OpenRoom) -> None:
    browser = Browser(room_over(SlowKeeper()))
    table = await browser.press(PLAIN)
    assert await browser.press(PLAIN) == table
    assert await browser.press(PLAIN.replace("casual", "strong")) != table


async def test_a_match_leads_to_a_new_deal_by_its_rules(room_over: OpenRoom) -> None:
    room = room_over(SlowKeeper())
    browser = Browser(room)
    await keep(room.store, SOUTH, played(short("coeurs", 5, 1), name="South"))
    (row,) = await room.store.matches()
    page = await browser.ask(f"/matches/{row.id}")
    assert 'action="/volte/en/deals"' in page.body
    made = await browser.ask("/deals", match=row.id)
    address = made.location.removeprefix("/volte/en/deals/").partition("?")[0]
    assert address.startswith("coeurs.5.0.")
    assert cards_of(address).rules.players == 5
    assert (await browser.ask("/deals", match="nothing")).status == 404


def test_the_form_says_what_cannot_be_played() -> None:
    with LoneVisitor("fr") as visitor:
        page = visitor.post("/deals", {"preset": "microsoft", "players": "7", "level": "casual"})
        assert page.status == 422
        assert page.all("div", id="faults")
        assert visitor.post("/deals", {"preset": "poker"}).status == 422


# The file of all matches


async def test_a_table_of_a_deal_is_taken_along(room_over: OpenRoom) -> None:
    browser = Browser(room_over(SlowKeeper()))
    log = await browser.play(await browser.press(PLAIN))
    data, left = await packed(browser.room.store)
    assert left == 0
    taking = Browser(room_over(keeper := SlowKeeper()))
    await KeptStore(keeper).add((await unpacked(data)).streams)
    page = await taking.ask(f"/deals/{PLAIN}")
    assert "You took" in page.body
    assert len(log) > 52
    assert gzip.decompress(data).count(PLAIN.encode()) >= 1
    for forged in (PLAIN[:-1] + "g", PLAIN.replace("microsoft", "coeurs")):
        bad = gzip.compress(gzip.decompress(data).replace(PLAIN.encode(), forged.encode()))
        with pytest.raises(MatchesFileFault):
            await unpacked(bad)
