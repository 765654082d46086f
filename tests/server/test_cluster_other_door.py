"""What clients do by another door, is judged by the process that has the table.

On one machine it gets their connection; from another one, what they say.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from server.guests import Guest, Lost
from server.harness import run, serving
from server.plain_sockets import nobody_left
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidStatus

from volte.server.metrics import REGISTRY
from volte.wire.messages import LONGEST_MESSAGE, Closing, Question


@pytest.fixture(params=[True, False], ids=["one machine", "two machines"])
def near(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr("volte.server.cluster.handing.HERE", request.param)
    return bool(request.param)


async def says_too_much(guest: Guest) -> int:
    await guest.send("x" * (LONGEST_MESSAGE + 1))
    return await guest.until_closed()


async def says_far_too_much(guest: Guest) -> int:
    await guest.send("x" * (10 * LONGEST_MESSAGE))
    return await guest.until_closed()


async def floods(guest: Guest) -> int:
    for _ in range(200):
        await guest.send('{"say":"ask","id":"1","what":"rules"}')
    return await guest.until_closed()


async def splinters(guest: Guest) -> int:
    say(guest, b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 10_000)
    return await guest.until_closed()


async def pings(guest: Guest) -> int:
    say(guest, (b"\x89\xfd\0\0\0\0" + bytes(125)) * 10_000)
    return await guest.until_closed()


async def says_no_frames(guest: Guest) -> int:
    say(guest, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 10)
    return await guest.until_closed()


async def stays_and_is_served(guest: Guest) -> int:
    async def in_pieces() -> AsyncIterator[str]:
        for sign in '{"say":"ask","id":"pieces","what":"rules"}':
            yield sign

    assert guest._socket is not None
    await guest._socket.send(in_pieces())
    await guest.until(lambda: "pieces" in guest.answers)
    await (await guest._socket.ping())
    await guest.leave()
    assert guest.closed == 1000
    return 4000


def say(guest: Guest, data: bytes) -> None:
    assert guest._socket is not None
    guest._socket.transport.write(data)


@pytest.mark.parametrize(
    "deed",
    [
        says_too_much,
        says_far_too_much,
        floods,
        splinters,
        pings,
        says_no_frames,
        stays_and_is_served,
    ],
)
def test_by_another_door_one_may_do_what_one_may_by_its_own(
    postgres_url: str, tmp_path: Path, near: bool, deed: Callable[[Guest], Awaitable[int]]
) -> None:
    async def story() -> None:
        settings = {"messages_per_second": 6}
        async with (
            serving(tmp_path, postgres_url, **settings) as one,
            serving(tmp_path, postgres_url, **settings) as other,
        ):
            host = await Guest.come(one.address)
            table = await host.open_table()
            codes = []
            for site in (one, other):
                guest = await Guest.come(site.address)
                await guest.join(table)
                assert len(other.room.cluster.passed) == (site is other and not near)
                codes.append(await deed(guest))
                await guest.leave()
            by_its_own, by_another = codes
            # Where the owner does not wait for the rest, its word may not arrive.
            assert by_another in {by_its_own, Closing.MOVED_AWAY if by_its_own < 4000 else 0}
            await nobody_left(one, other)

    run(story())


def test_somebody_who_vanishes_is_gone_at_both(
    postgres_url: str, tmp_path: Path, near: bool
) -> None:
    async def story() -> None:
        async with (
            serving(tmp_path, postgres_url) as one,
            serving(tmp_path, postgres_url) as other,
        ):
            host = await Guest.come(one.address)
            table = await host.open_table()
            guest = await Guest.come(other.address)
            for _ in range(3):
                await guest.join(table)
                assert (len(one.room.live), len(other.room.live)) == (1, not near)
                guest.drop()
                await nobody_left(one, other)
            assert not other.room.cluster.passed

    run(story())


class Distant(Guest):
    """A guest at an address of their own."""

    at = "203.0.113.1"

    async def dial(self, table: str, **headers: str) -> ClientConnection:
        return await super().dial(table, **{"X-Forwarded-For": self.at}, **headers)

    def device(self, address: str) -> Distant:
        """The same person once more, by that door."""
        return Distant(address, self.cookie, self.person, self.name)


def test_connections_by_any_door_are_counted_once(
    postgres_url: str, tmp_path: Path, near: bool
) -> None:
    async def story() -> None:
        settings = {"sockets_per_person": 2, "sockets_per_address": 3}
        async with (
            serving(tmp_path, postgres_url, **settings) as one,
            serving(tmp_path, postgres_url, **settings) as other,
        ):
            host, second, third = [await Distant.come(one.address) for _ in range(3)]
            table = await host.open_table()
            for _ in range(2):  # they count no longer once they have left
                devices = [host.device(other.address) for _ in range(2)]
                for device in devices:
                    await device.join(table)
                too_many = host.device(one.address)
                with pytest.raises(Lost) as lost:
                    await too_many.join(table)
                assert lost.value.code == Closing.TOO_FAST
                await too_many.leave()
                by_another = second.device(other.address)
                await by_another.join(table)
                with pytest.raises(InvalidStatus) as caught:
                    await third.device(other.address).join(table)
                assert caught.value.response.status_code == 429
                by_its_own = third.device(one.address)
                if not near:  # where the other process holds the three connections
                    await by_its_own.join(table)
                for device in (*devices, by_another, by_its_own):
                    await device.leave()
                await nobody_left(one, other)

    run(story())


def test_work_by_another_door_is_charged_once_to_the_address_it_comes_from(
    postgres_url: str, tmp_path: Path, near: bool
) -> None:
    def slowed() -> float:
        return REGISTRY.get_sample_value("volte_slowed_total", {"whose": "address"}) or 0.0

    async def asked_until_slowed(guest: Guest) -> int:
        before = slowed()
        for count in range(1000):
            if slowed() > before:
                return count
            assert (await guest.ask(Question.RULES)).ok
        raise AssertionError("nobody was slowed")

    async def story() -> None:
        async with (
            serving(tmp_path, postgres_url, work_per_address=3) as one,
            serving(tmp_path, postgres_url, work_per_address=3) as other,
        ):
            host = await Distant.come(one.address)
            table = await host.open_table()
            counts = []
            for place, site in enumerate((one, other)):
                busy = host.device(site.address)
                busy.at = f"203.0.113.{place + 2}"
                await busy.join(table)
                counts.append(await asked_until_slowed(busy))
                await busy.leave()
            by_its_own, by_another = counts
            assert by_another > by_its_own / 1.6, counts
            calm, before = host.device(other.address), slowed()
            await calm.join(table)
            for _ in range(5):
                assert (await calm.ask(Question.RULES)).ok
            assert slowed() == before
            await calm.leave()

    run(story())
