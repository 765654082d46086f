"""What a client says that cannot be done: each time one clear answer, and others unharmed."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit.people import Guest, Lost, Player
from kit.requests import post_form, post_json, request
from kit.sites import run, serving
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from volte.rules import make_ruleset
from volte.table import Access, Setup, Watching
from volte.table.commands import Close, Remove, Sit, Stand, Start
from volte.wire.messages import LONGEST_MESSAGE, PROTOCOL, Closing, Notice, Saying, decode_saying

RULES = make_ruleset("coeurs", {"match_end": "deals:1"})


def hello(**changes: Any) -> str:
    return json.dumps({"say": "hello", "id": "h", "protocol": PROTOCOL, "told": False} | changes)


async def ending(socket: ClientConnection, *texts: str | bytes) -> tuple[list[Saying], int | None]:
    """What the server says to those messages, and how it hangs up."""
    for text in texts:
        await socket.send(text)
    heard = []
    try:
        while True:
            heard.append(decode_saying(await asyncio.wait_for(socket.recv(), 30)))
    except ConnectionClosed:
        return heard, socket.close_code


async def refused(guest: Guest, table: str, *texts: str | bytes) -> tuple[str, int | None]:
    """The reason of the notice before the connection is closed, and the code."""
    heard, code = await ending(await guest.dial(table), *(texts or (hello(),)))
    last = heard[-1]
    assert isinstance(last, Notice)
    assert last.line.endswith((".", "!"))
    return last.reason, code


# At the door


@pytest.mark.parametrize(
    ("texts", "reason", "code"),
    [
        (["{"], "malformed", Closing.MALFORMED),
        (["[]"], "malformed", Closing.MALFORMED),
        ([b"\x00\xff"], "malformed", Closing.MALFORMED),
        (['{"say":"ask","id":"1","what":"hand"}'], "malformed", Closing.MALFORMED),
        ([hello(seen=-1)], "malformed", Closing.MALFORMED),
        ([hello(id="")], "malformed", Closing.MALFORMED),
        ([hello(id="x" * 41)], "malformed", Closing.MALFORMED),
        ([hello(protocol=PROTOCOL + 1)], "old_protocol", Closing.OLD_PROTOCOL),
        ([hello(protocol=10**400)], "old_protocol", Closing.OLD_PROTOCOL),
        (["x" * (LONGEST_MESSAGE + 1)], "too_big", Closing.TOO_BIG),
    ],
)
async def test_whoever_does_not_say_hello_is_told_so(
    tmp_path: Path, texts: list[str | bytes], reason: str, code: int
) -> None:
    async with serving(tmp_path) as site:
        guest = await Guest.come(site.address)
        table = await guest.open_table()
        assert await refused(guest, table, *texts) == (reason, code)


async def test_who_may_not_come_in(tmp_path: Path) -> None:
    async with serving(tmp_path, patience=0.2) as site:
        host, other = [await Guest.come(site.address, name) for name in ("Host", "Other")]
        locked = Setup("Locked", RULES, Access.PASSWORD, Watching.NOBODY)
        table = await host.open_table(("casual", "casual", "casual"), locked, "sesame")
        stranger = Guest(site.address, "volte=" + "x" * 43, "", "")
        assert await refused(stranger, table) == ("no_session", Closing.NO_SESSION)
        assert await refused(other, "nowhere") == ("no_table", Closing.NO_TABLE)
        assert await refused(other, "é" * 80) == ("no_table", Closing.NO_TABLE)
        assert await refused(other, table) == ("needs_password", Closing.NOT_ADMITTED)
        wrong = await post_json(
            site.address, f"/api/tables/{table}/enter", {"password": "x"}, other.cookie
        )
        assert (wrong.status, wrong.json["reason"]) == (403, "wrong_password")
        right = await post_json(
            site.address, f"/api/tables/{table}/enter", {"password": "sesame"}, other.cookie
        )
        assert right.status == 204
        await other.join(table)
        await host.join(table)
        assert (await host.do(Start())).ok
        assert await other.until_closed() == Closing.NOT_ADMITTED
        assert other.notices[-1].reason == "nobody_watches"
        assert await refused(other, table) == ("nobody_watches", Closing.NOT_ADMITTED)
        heard, code = await ending(await other.dial(table))
        assert [each.reason for each in heard if isinstance(each, Notice)] == ["no_hello"]
        assert code == Closing.TOO_SLOW
        await host.leave()


async def test_somebody_sent_away_stays_away(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        host, other = [await Guest.come(site.address, name) for name in ("Host", "Other")]
        table = await host.open_table(())
        await host.join(table)
        await other.join(table)
        assert (await other.do(Sit(2))).ok
        await host.until(lambda: host.number == other.number)
        assert (await host.do(Remove(2, bar=True))).ok
        assert await other.until_closed() == Closing.NOT_ADMITTED
        assert await refused(other, table) == ("barred", Closing.NOT_ADMITTED)
        assert (await host.do(Close())).ok
        assert await host.until_closed() == Closing.CLOSED
        assert await refused(host, table) == ("closed", Closing.CLOSED)


@pytest.mark.parametrize(
    "origin", ["https://{host}", "http://elsewhere.example", "null", "http://"]
)
async def test_a_page_of_another_site_gets_no_connection(tmp_path: Path, origin: str) -> None:
    async with serving(tmp_path) as site:
        guest = await Guest.come(site.address)
        table = await guest.open_table()
        host = site.address.partition("//")[2]
        with pytest.raises(InvalidStatus) as caught:
            await guest.dial(table, Origin=origin.format(host=host))
        assert caught.value.response.status_code == 403
        assert json.loads(caught.value.response.body or b"")["reason"] == "wrong_origin"
        socket = await guest.dial(table, Origin=site.address)
        await socket.close()


async def test_configured_origins_count_alone(tmp_path: Path) -> None:
    async with serving(tmp_path, origins=("https://volte.example",)) as site:
        guest = await Guest.come(site.address)
        table = await guest.open_table()
        with pytest.raises(InvalidStatus):
            await guest.dial(table, Origin=site.address)
        await (await guest.dial(table, Origin="https://volte.example")).close()


def test_too_many_connections_from_one_address(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, sockets_per_address=3) as site:
            guest = await Guest.come(site.address)
            table = await guest.open_table()
            sockets = [await guest.dial(table) for _ in range(3)]
            with pytest.raises(InvalidStatus) as caught:
                await guest.dial(table)
            assert caught.value.response.status_code == 429
            await sockets.pop().close()
            await dialled(guest, table, sockets)
            for socket in sockets:
                await socket.close()

    async def dialled(guest: Guest, table: str, sockets: list[ClientConnection]) -> None:
        """Dials until the server has noticed that there is room."""
        for _ in range(200):
            try:
                sockets.append(await guest.dial(table))
            except InvalidStatus:
                await asyncio.sleep(0.05)
            else:
                return
        raise AssertionError("no room was made")

    run(story())


# At the table


async def test_what_cannot_be_read_is_answered_and_the_match_goes_on(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        player = await Player.come(site.address)
        await player.join(await player.open_table())
        again = await player.say("2", hello(id="2"))
        assert (again.ok, again.refusal and again.refusal.reason) == (False, "second_hello")
        for text in [
            '{"say":"do","id":"x","seen":0}',
            '{"say":"do","id":"x","seen":0,"command":{"do":"Nothing"}}',
            '{"say":"do","id":"x","seen":1e9,"command":{"do":"Start"}}',
            '{"say":"ask","id":"x","what":"everything"}',
            '{"say":"prefer","id":"x","bot_pace":-1}',
            '{"say":"prefer","id":"x","bot_pace":' + "9" * 4000 + "}",
            '{"say":"sing","id":"x"}',
            '{"id":"x"}',
        ]:
            answer = await player.say("x", text)
            assert not answer.ok, text
            assert answer.refusal is not None
            assert answer.refusal.reason == "malformed", text
            assert answer.lines == ("The server cannot read that.",)
        unread: list[str | bytes] = [
            " ",
            "{",
            "null",
            '{"say":"ask"}',
            '{"id":' + '"x' * 4000,
            "[" * 9000,
            b"\xff",
        ]
        for nothing in unread:
            await player.send(nothing)
        await player.until(lambda: len(player.notices) == len(unread))
        assert {notice.reason for notice in player.notices} == {"malformed"}
        change = '{"do":"Change","setup":{"name":"x","rules":{"deck":{"players":9}}}}'
        text = '{"say":"do","id":"r","seen":0,"command":' + change + "}"
        answer = await player.say("r", text)
        assert answer.refusal is not None
        assert answer.refusal.reason == "players_out_of_range"
        await player.prefer(bot_pace=0, trick_pace=0)
        await player.do(Start())
        await player.play()
        await player.leave()


@pytest.mark.parametrize(
    "command",
    [
        '{"do":"Sit","seat":%s}',
        '{"do":"Swap","one":%s,"other":1}',
        '{"do":"SeatBot","seat":%s,"level":"casual"}',
        '{"do":"Act","action":{"action":"AskUndo","seat":%s}}',
        '{"do":"Promise","number":%s,"digest":"AAAA"}',
        '{"do":"Change","setup":{"name":"x","rules":{},"clock":%s}}',
    ],
)
async def test_numbers_out_of_all_bounds(tmp_path: Path, command: str) -> None:
    async with serving(tmp_path) as site:
        guest = await Guest.come(site.address)
        await guest.join(await guest.open_table())
        for number in ("9" * 30, "9" * 4000, "-1", "1e300", "2147483648"):
            text = '{"say":"do","id":"x","seen":0,"command":' + command % number + "}"
            assert not (await guest.say("x", text)).ok, number
        await guest.leave()


async def test_a_message_too_long_ends_the_connection_and_nothing_else(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        player = await Player.come(site.address)
        await player.join(await player.open_table())
        for size in (LONGEST_MESSAGE // 2 + 1, LONGEST_MESSAGE + 1):
            await player.send("é" * size)
            assert await player.until_closed() == Closing.TOO_BIG
            await player.join()
        assert (await player.do(Start())).ok
        await player.leave()


async def test_a_flood_is_cut_off(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_second=5) as site:
        guest = await Guest.come(site.address)
        await guest.join(await guest.open_table())
        flooding = asyncio.create_task(flood(guest))
        assert await guest.until_closed() == 1006
        with suppress(Lost):
            await flooding
        await guest.join()
        await guest.leave()


async def flood(guest: Guest) -> None:
    """Asks and asks, until the connection is lost."""
    while True:
        await guest.send('{"say":"ask","id":"1","what":"rules"}')
        await asyncio.sleep(0)


async def test_whoever_reads_nothing_is_cut_off_and_can_come_back(tmp_path: Path) -> None:
    async with serving(tmp_path, patience=1) as site:
        host, slow = [await Player.come(site.address, name) for name in ("Host", "Slow")]
        table = await host.open_table(("casual", "casual", ""))
        await host.join(table)
        await slow.join(table, told=True)
        assert (await slow.do(Sit(3))).ok
        slow.stop_reading()
        flooding = asyncio.create_task(flood(slow))  # more than the system holds for them
        async with asyncio.timeout(60):
            while len(site.room.live) == 2:
                await asyncio.sleep(0.05)
        slow.drop()
        with suppress(Lost):
            await flooding
        await slow.until_closed()
        await slow.join()
        assert slow.seat == 3
        await slow.leave()
        await host.leave()


async def test_whoever_answers_no_ping_is_gone(tmp_path: Path) -> None:
    async with serving(tmp_path, patience=0.5) as site:
        guest = await Guest.come(site.address)
        await guest.join(await guest.open_table(()))
        guest.stop_reading()
        async with asyncio.timeout(60):
            while site.room.live:
                await asyncio.sleep(0.05)
        guest.drop()
        await guest.leave()


async def test_a_session_that_ends_hangs_up(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        guest, other = [await Guest.come(site.address, name) for name in ("One", "Other")]
        table = await guest.open_table(())
        await guest.join(table)
        await other.join(table)
        page = await request(site.address, "GET", "/", headers={"cookie": guest.cookie})
        token = page.text.partition('name="csrf" value="')[2].partition('"')[0]
        out = await post_form(site.address, "/logout", {"csrf": token}, guest.cookie)
        assert out.status == 303
        assert await guest.until_closed() == Closing.NO_SESSION
        assert (await other.do(Sit(1))).ok
        assert await refused(guest, table) == ("no_session", Closing.NO_SESSION)
        await other.leave()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.text(), part),
    max_leaves=8,
)
WORDS = st.sampled_from(
    ["hello", "do", "ask", "prefer", "Start", "Act", "Play", "QS", "hand", "casual", "x", ""]
)
COMMANDS = st.fixed_dictionaries(
    {"do": st.sampled_from([kind.__name__ for kind in (Sit, Stand, Start, Remove)] + ["Act"])},
    optional={"seat": JSON, "action": st.dictionaries(WORDS, JSON | WORDS), "bar": JSON},
)
MESSAGES = st.fixed_dictionaries(
    {"say": WORDS, "id": st.just("x") | JSON},
    optional={"seen": JSON, "command": COMMANDS | JSON, "what": WORDS, "card": JSON, "lang": WORDS},
)


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(messages=st.lists(MESSAGES | JSON, min_size=1, max_size=12))
def test_whatever_is_said_the_table_still_answers(tmp_path: Path, messages: list[Any]) -> None:
    async def story() -> None:
        async with serving(tmp_path) as site:
            guest, host = [await Guest.come(site.address, name) for name in ("One", "Host")]
            await guest.join(await host.open_table(()))
            for message in messages:
                await guest.send(json.dumps(message))
            answer = await guest.say("last", '{"say":"ask","id":"last","what":"rules"}')
            assert answer.ok
            await guest.leave()

    run(story())
