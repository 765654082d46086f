"""Matches of a browser: their pages, their results, and records from elsewhere."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest
from kit import few
from kit.live import Player, dealt, over
from kit.matches import keep, played
from kit.presets import short
from kit.solo import SOUTH, OpenRoom, SlowKeeper, begun
from kit.terminals import Volte

from volte.alone import records
from volte.alone.matches import WorkedOut
from volte.alone.pages import AlonePages
from volte.alone.room import SitePaths
from volte.fair import House
from volte.history.pages import A_PAGE
from volte.notation import format_record, parse_record
from volte.solo.answer import SoloAnswer
from volte.solo.keeper import KeptChange
from volte.solo.room import SoloRoom


def shown(answer: SoloAnswer) -> str:
    """The list of matches on a page."""
    return answer.body.partition('<ul class="tables">')[2].partition('<form method="post"')[0]


KEPT = Path(__file__).parent


class Browser:
    """A browser whose texts are in memory, and its pages."""

    def __init__(self, keeper: SlowKeeper, room: SoloRoom) -> None:
        self.keeper = keeper
        self.room = room
        self.pages = AlonePages(room, SitePaths("", "/static/0-en/"))

    async def get(self, path: str, status: int = 200) -> SoloAnswer:
        answer = await self.pages.respond("GET", path, {})
        assert answer.status == status, (path, answer)
        return answer

    async def open(self, record: str) -> SoloAnswer:
        return await self.pages.respond("POST", "/matches", {"record": [record]})

    def worked_out(self) -> dict[str, WorkedOut]:
        """Kept results, by their keys."""
        kept = {key: text for key, text in self.keeper.all.items() if key.startswith("result/")}
        return {key: msgspec.json.decode(text, type=WorkedOut) for key, text in kept.items()}


@pytest.fixture
def browser(room_over: OpenRoom) -> Browser:
    return Browser(keeper := SlowKeeper(), room_over(keeper))


async def test_a_match_shows_nothing_while_it_goes_on_and_everything_afterwards(
    browser: Browser, volte: Volte
) -> None:
    """Its record is a record for the terminal as for another browser."""
    live = await begun(browser.room)
    await dealt(live)
    (row,) = await browser.room.store.matches_at(live.id)
    for page in ("", "/replay", "/replay/1", "/proof", "/proof.json", "/record", "/why/20"):
        assert "once it is over" in (await browser.get(f"/matches/{row.id}{page}", 403)).body
    assert f'href="/tables/{live.id}"' in (await browser.get("/matches")).body
    await browser.get(f"/tables/{live.id}/replay", 404)
    Player(live, SOUTH)
    await over(live)
    listed = (await browser.get("/matches?rules=coeurs")).body
    assert "South (you)" in listed
    assert "There are no such matches" in (await browser.get("/matches?rules=omnibus")).body
    statistics = (await browser.get("/matches/statistics")).body
    assert "<td>1</td>" in statistics
    assert "only a playroom on a server can" in statistics  # tell what was luck
    led = await browser.get(f"/tables/{live.id}/proof", 303)
    assert led.location == f"/matches/{row.id}/proof"
    result = (await browser.get(f"/matches/{row.id}")).body
    assert "South (you)" in result
    assert all(absent not in result for absent in ("/review", "/ratings", 'id="share"'))
    await browser.get(f"/matches/{row.id}/replay")
    steps = json.loads((await browser.get(f"/matches/{row.id}/replay/1?eyes=own")).body)
    number = next(filter(None, (each.get("played") for each in steps["moments"])))
    assert json.loads((await browser.get(f"/matches/{row.id}/why/{number}")).body)["lines"]
    proof = (await browser.get(f"/matches/{row.id}/proof")).body
    assert "Your browser also dealt them" in proof
    log = json.loads((await browser.get(f"/matches/{row.id}/proof.json")).body)
    assert {"Committed", "Revealed", "Dealt"} <= {each["event"] for each in log}
    record = await browser.get(f"/matches/{row.id}/record")
    assert record.filename == f"volte-{row.id}.volte"
    text = record.body.encode()
    assert volte("check", "-", piped=text).out == "The text: a whole match, played by the rules.\n"
    assert ": proved" in volte("verify", "-", piped=text).out
    assert "South" in volte("replay", "-", piped=text).out


async def test_results_are_worked_out_for_what_is_shown_and_once(browser: Browser) -> None:
    """A version of Volte works them out anew, and whatever is damaged."""
    log = played(short("coeurs", 3, 1), name="South")
    rows = [await keep(browser.room.store, SOUTH, log) for _ in range(A_PAGE + 3)]
    first = shown(await browser.get("/matches"))
    assert len(browser.worked_out()) == A_PAGE
    assert "Earlier matches" in shown(await browser.get("/matches?rules=coeurs"))
    assert len(browser.worked_out()) == A_PAGE + 1  # as there is a next page
    statistics = (await browser.get("/matches/statistics")).body
    kept = browser.keeper.all
    assert len(browser.worked_out()) == A_PAGE + 3
    asked = browser.keeper.asked
    again = Browser(browser.keeper, browser.room)
    assert shown(await again.get("/matches")) == first
    assert (await again.get("/matches/statistics")).body == statistics
    assert browser.keeper.asked == asked
    old, damaged = [*browser.worked_out()][:2]
    older = msgspec.json.encode(WorkedOut("0", browser.worked_out()[old].results[:1])).decode()
    await browser.keeper.keep(KeptChange(kept={old: older, damaged: "{"}))
    third = Browser(browser.keeper, browser.room)
    assert (await third.get("/matches/statistics")).body == statistics
    assert browser.keeper.all == kept
    await browser.room.drop(rows[0].table)
    assert not any(rows[0].table in key for key in browser.keeper.all)


async def test_a_table_that_cannot_be_read_leaves_the_others_in_the_list(browser: Browser) -> None:
    log = played(short("coeurs", 3, 1), name="South")
    damaged, _ = [await keep(browser.room.store, SOUTH, log) for _ in range(2)]
    await browser.keeper.keep(KeptChange(kept={f"entry/{damaged.table}/000009/": "{"}))
    assert "South (you)" in (await browser.get("/matches")).body
    assert damaged.id not in (await browser.get("/matches")).body


async def test_matches_that_the_first_version_has_kept_are_shown(room_over: OpenRoom) -> None:
    keeper = SlowKeeper(json.loads((KEPT / "first_texts.json").read_text()))
    browser = Browser(keeper, room_over(keeper))
    over = [row for row in await browser.room.store.matches() if row.last]
    assert over
    listed = (await browser.get("/matches")).body
    for row in over:
        assert f'href="/matches/{row.id}/replay"' in listed
        assert json.loads((await browser.get(f"/matches/{row.id}/replay/1")).body)["moments"]


RECORDS = {
    "of a playroom": format_record(played(short("coeurs", 3, 1))),
    "with a referee": format_record(played(short("microsoft", 4, 1, refereed=True))),
}


@pytest.mark.parametrize("text", RECORDS.values(), ids=[*RECORDS])
async def test_a_record_from_elsewhere_is_shown_like_a_match_of_ones_own(
    browser: Browser, text: str
) -> None:
    """It counts in no statistics, is there once, and can be deleted."""
    for _ in range(2):
        answer = await browser.open("\ufeff" + text.replace("\n", "\r\n"))
        assert answer.status == 303
    result = (await browser.get(answer.location)).body
    assert "from a file" in result
    log = json.loads((await browser.get(f"{answer.location}/replay/1")).body)
    assert log["moments"]
    assert "Zoé" in (await browser.get(f"{answer.location}/replay")).body
    again = format_record(parse_record(text).log)
    assert (await browser.get(f"{answer.location}/record")).body == again
    listed = (await browser.get("/matches")).body
    assert listed.count("from a file") == 1
    assert "You have not finished any match" in (await browser.get("/matches/statistics")).body
    assert (await browser.pages.respond("POST", f"{answer.location}/forget", {})).status == 303
    assert not any("record" in key for key in browser.keeper.all)


async def test_ones_own_match_cannot_be_deleted_as_a_record(browser: Browser) -> None:
    row = await keep(browser.room.store, SOUTH, played(short("coeurs", 3, 1), name="South"))
    answer = await browser.pages.respond("POST", f"/matches/{row.id}/forget", {})
    assert (answer.status, await browser.room.store.match(row.id)) == (404, row)


def forged(text: str, chance: random.Random) -> str:
    """A record cut, or with lines or signs changed, doubled, moved or left out."""
    lines = text.splitlines(keepends=True)
    one, other = sorted(chance.sample(range(len(lines)), 2))
    at = chance.randrange(len(text))
    return chance.choice(
        (
            text[:at],
            text[:at] + chance.choice("♥0Q{;\"\\\0\n<'") * chance.choice((1, 9, 3000)) + text[at:],
            text[:at] + chance.choice("0123456789ABCDEFQKJ") + text[at + 1 :],
            "".join([*lines[:one], *lines[one + 1 :]]),
            "".join([*lines[:one], lines[other], *lines[one:other], *lines[other + 1 :]]),
            "".join([*lines[:other], lines[one], *lines[other:]]),
        )
    )


async def test_whatever_is_opened_is_a_lawful_record_or_changes_nothing(browser: Browser) -> None:
    chance = random.Random(few(1, None))
    texts = ["", "x", "{" * 5000, '"' * 9000, "Volte record 1\n" * 999, "Volte record 2\n"]
    texts += [f"Volte record 1\nRules: coeurs\n{'Seat 1: ' * 5000}", "a" * (records.MOST_BYTES + 1)]
    texts += [forged(chance.choice([*RECORDS.values()]), chance) for _ in range(few(20, 3000))]
    lawful = 0
    for text in texts:
        await browser.get("/matches")  # whose results are kept
        before = browser.keeper.all
        answer = await browser.open(text)
        if answer.status == 303:
            lawful += 1
            await browser.get(answer.location)
            (row,) = [
                each for each in await browser.room.store.matches() if each.id in answer.location
            ]
            entries = await browser.room.store.read(row.table)
            assert len(entries) == len(parse_record(text).log) == row.last
        else:
            assert (answer.status, browser.keeper.all) == (422, before)
            assert 'data-reason="' in answer.body
    assert lawful < len(texts) / 2


UNFINISHED = format_record(played(short("coeurs", 3, 1))[:-9], House.from_seed(1).master)
LONG = RECORDS["of a playroom"] + "; a remark\n" * 40_000


@pytest.mark.parametrize(("text", "said"), [(UNFINISHED, "is not over"), (LONG, "is too long")])
async def test_a_match_that_is_not_over_or_too_long_is_not_opened(
    browser: Browser, text: str, said: str
) -> None:
    assert parse_record(text)
    answer = await browser.open(text)
    assert answer.status == 422
    assert said in answer.body
    assert await browser.room.store.matches() == []


async def test_names_of_a_record_are_shown_as_texts(browser: Browser) -> None:
    name = "</script>\u202e<b onclick='x'>&quot;"
    log = played(short("coeurs", 3, 1), name=name)
    answer = await browser.open(format_record(log))
    assert answer.status == 303
    pages = [(await browser.get(f"{answer.location}{each}")).body for each in ("", "/replay")]
    never = ("<b onclick", "</script><b", "\u202e")
    assert [each for each in never for body in pages if each in body] == []
    assert "&lt;b onclick" in pages[0]
