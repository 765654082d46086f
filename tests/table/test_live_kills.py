"""Whatever dies, or fails, at whatever moment: tables go on from the card where they were."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from table.people import (
    ANNE,
    BERT,
    Player,
    done,
    found,
    kill,
    moved_on,
    room,
    run,
    setup,
    until,
)

from volte import game
from volte.game.codec import encode
from volte.store import Store, Unavailable
from volte.table import commands as cmd
from volte.table import fold
from volte.table.happenings import decode_happening
from volte.table.lobby import Lobby
from volte.table.stored import read_table


async def dealt_once(lobby: Lobby, table: str) -> None:
    """No deal comes twice, and the log is one that the game accepts."""
    entries = await lobby.store.read(table)
    happenings = [decode_happening(entry.data) for entry in entries]
    numbers = [each.number for each in happenings if isinstance(each, game.Dealt)]
    assert numbers == list(range(1, len(numbers) + 1))
    hands = [encode(each) for each in happenings if isinstance(each, game.Dealt)]
    assert len(set(hands)) == len(hands)
    assert fold(happenings).version == len(entries)


@pytest.mark.parametrize("seed", range(2))
async def test_a_table_killed_at_any_moment_goes_on_from_the_store(
    seed: int, database: str
) -> None:
    draws = random.Random(seed)

    async with room(database) as lobby:
        table = await lobby.open(setup(match_end="deals:2"), ANNE)
        await done(table, ANNE, cmd.Sit(1), cmd.Start())
        acknowledged = kills = 0
        while table.state.under_way:
            anne = Player(table, ANNE)
            await moved_on(table, draws.randrange(1, 40))
            for _ in range(draws.randrange(6)):
                await asyncio.sleep(0)
            await kill(table)
            kills += 1
            # What the last owner was still writing may have come after the table was read.
            assert await anne.closed() in ("stopping", "moved_away")
            numbers = [reply.number for reply in anne.replies if reply.refusal is None]
            acknowledged = max(numbers, default=acknowledged)
            table = await found(lobby, table.id)
            assert table.state.version >= max(acknowledged, anne.state.version)
        assert kills > 2
        await dealt_once(lobby, table.id)


async def test_of_two_owners_of_a_table_exactly_one_goes_on(database: str) -> None:
    async with room(database) as here, room(database) as there:
        table = await here.open(setup(match_end="deals:1"), ANNE)
        await done(table, ANNE, cmd.Sit(0))
        other = await there.find(table.id)
        assert other is not None
        one, two = Player(table, ANNE), Player(other, BERT)
        await done(table, ANNE, cmd.Start())
        reply = await other.do(BERT, cmd.Sit(1), 2, "bert:1")
        assert reply.refusal is not None
        assert reply.refusal.reason == "moved_away"
        assert await two.closed() == "moved_away"
        assert there.tables == ()
        assert other.subscribe(BERT).closed == "moved_away"
        late = await other.do(BERT, cmd.Sit(1), 2)
        assert late.refusal == reply.refusal
        await until(lambda: not table.state.under_way)
        await dealt_once(here, table.id)
        await one.leave()


class Unsteady(Store):
    """The real store, out of reach when it is told to be: before it has written, or after."""

    before = 0
    after = 0
    blind = 0

    async def append(self, *args: Any, **kwargs: Any) -> None:
        if self.before:
            self.before -= 1
            raise Unavailable("before")
        await super().append(*args, **kwargs)
        if self.after:
            self.after -= 1
            raise Unavailable("after")

    async def read(self, *args: Any, **kwargs: Any) -> Any:
        if self.blind:
            self.blind -= 1
            raise Unavailable("blind")
        return await super().read(*args, **kwargs)


def unsteady(lobby: Lobby) -> Unsteady:
    assert isinstance(lobby.store, Unsteady)
    return lobby.store


async def test_what_could_not_be_kept_is_refused_and_done_when_it_is_sent_again(
    tmp_path: Path,
) -> None:
    async with room(tmp_path, store=Unsteady) as lobby:
        table = await lobby.open(setup(), ANNE)
        anne = Player(table, ANNE)
        unsteady(lobby).before = 1
        refused = await table.do(ANNE, cmd.Sit(0), 1, "anne:1")
        assert refused.refusal is not None
        assert refused.refusal.reason == "not_saved"
        assert table.state.version == 1
        late = table.subscribe(BERT)
        assert (await anext(late)).notice == "not_saved"
        late.close()
        await until(lambda: anne.notices == ["not_saved", "saved"])
        assert (await table.do(ANNE, cmd.Sit(0), 1, "anne:1")).refusal is None
        await anne.leave()


async def test_what_was_kept_after_all_is_found_out_and_answered(tmp_path: Path) -> None:
    async with room(tmp_path, store=Unsteady) as lobby:
        table = await lobby.open(setup(), ANNE)
        unsteady(lobby).after = 1
        reply = await table.do(ANNE, cmd.Sit(0), 1, "anne:1")
        assert reply.refusal is None
        assert reply.number == table.state.version == 2
        assert await table.do(ANNE, cmd.Sit(0), 1, "anne:1") == reply


async def test_what_was_kept_while_nobody_could_look_is_adopted_later(tmp_path: Path) -> None:
    async with room(tmp_path, store=Unsteady) as lobby:
        table = await lobby.open(setup(), ANNE)
        anne = Player(table, ANNE)
        unsteady(lobby).after, unsteady(lobby).blind = 1, 3
        reply = await table.do(ANNE, cmd.Start(), 1, "anne:1")
        assert reply.refusal is not None
        assert reply.refusal.reason == "not_saved"
        await until(lambda: anne.state.match is not None)
        assert (await table.do(ANNE, cmd.Start(), 1, "anne:1")).refusal is None
        await until(lambda: table.state.match and table.state.match.deal)
        await anne.leave()


@pytest.mark.parametrize("seed", range(2))
async def test_a_match_over_an_unsteady_store_loses_nothing(seed: int, tmp_path: Path) -> None:
    draws = random.Random(seed)

    async with room(tmp_path, store=Unsteady) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne = Stubborn(table, ANNE)
        store = unsteady(lobby)
        await done(table, ANNE, cmd.Sit(3), cmd.Start())
        while table.state.under_way:
            store.before, store.after = draws.choices((0, 0, 1, 2), k=2)
            store.blind = draws.choice((0, 0, 1))
            await moved_on(table, draws.randrange(1, 25))
        store.before = store.after = store.blind = 0
        await dealt_once(lobby, table.id)
        kept = await read_table(lobby.store, table.id)
        assert kept is not None
        assert kept.state == table.state
        assert kept.row is not None
        assert kept.row.last == table.state.version
        await anne.leave()


class Stubborn(Player):
    """Sends again what could not be kept."""

    async def do(self, command: cmd.Command, cause: str = "") -> Any:
        cause = f"{self.who.id}:{len(self.replies)}"
        while True:
            reply = await self.table.do(self.who, command, self.state.version, cause)
            if reply.refusal is None or reply.refusal.reason != "not_saved":
                self.replies.append(reply)
                return reply
            await asyncio.sleep(0)


def test_a_table_that_fails_is_read_anew_and_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The failure is logged without anything that was in memory."""

    class Faulty(Store):
        fails = 0
        by_itself = False  # only what the table does

        async def append(self, *args: Any, **kwargs: Any) -> None:
            if self.fails and not (self.by_itself and kwargs["cause"]):
                self.fails -= 1
                entries: Sequence[bytes] = args[2]
                raise ValueError(f"secret {entries!r}")
            await super().append(*args, **kwargs)

    async def story() -> None:
        async with room(tmp_path, store=Faulty) as lobby:
            store = lobby.store
            assert isinstance(store, Faulty)
            table = await lobby.open(setup(match_end="deals:1"), ANNE)
            anne = Player(table, ANNE)
            store.fails = 1
            reply = await table.do(ANNE, cmd.Sit(0), 1, "anne:1")
            assert reply.refusal is not None
            assert reply.refusal.reason == "table_failed"
            await done(table, ANNE, cmd.Sit(0), cmd.Start())
            await until(lambda: table.state.match and table.state.match.deal)
            store.fails, store.by_itself = 2, True
            await until(lambda: not store.fails)
            anne2 = Player(table, ANNE)
            await until(lambda: not table.state.under_way)
            await anne.leave()
            await anne2.leave()

    run(story())
    told = [record.__dict__.get("where", "") for record in caplog.records]
    assert any("ValueError" in where for where in told)
    assert "secret" not in caplog.text + "".join(told)
