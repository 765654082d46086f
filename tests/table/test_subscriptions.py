"""A bell wakes its waiter, whenever it is rung."""

from __future__ import annotations

import asyncio

import pytest

from volte.table.subscriptions import Bell


async def test_a_bell_rung_before_lets_pass_once() -> None:
    bell = Bell()
    bell.ring()
    bell.ring()
    await bell.wait()
    waiting = asyncio.create_task(bell.wait())
    await asyncio.sleep(0)
    assert not waiting.done()
    bell.ring()
    await waiting


async def test_whoever_stops_waiting_hears_it_the_next_time() -> None:
    bell = Bell()
    waiting = asyncio.create_task(bell.wait())
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    bell.ring()
    await bell.wait()
