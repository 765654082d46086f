"""Deaths, failures and meddling at any moment: tables go on from the card where they were, and none
is ever stuck."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final
from uuid import uuid4

import pytest
from kit.live import (
    QUICK,
    OpenLobby,
    Player,
    dealt,
    done,
    found,
    kill,
    moved_on,
    over,
    refused,
    room,
    until,
)
from kit.postgres import on_both
from kit.strategies import in_full
from kit.tables import ANNE, BERT, CARA, setup
from msgspec.structs import replace

from volte import game, referee
from volte.cards import cards_in
from volte.game.codec import encode
from volte.solo.kept import KeptStore
from volte.store import Unavailable
from volte.store.store import Store
from volte.table import Someone, Watching, fold
from volte.table import commands as cmd
from volte.table.happenings import decode_happening, seen_by
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.table.stored import CommandReply, read_table
from volte.web.logs import formatter


async def dealt_once(lobby: Lobby, table: str) -> None:
    """Check that no deal comes twice, and that the game accepts the log."""
    entries = await lobby.store.read(table)
    happenings = [decode_happening(entry.data) for entry in entries]
    deals = [each for each in happenings if isinstance(each, game.Dealt)]
    assert [each.number for each in deals] == list(range(1, len(deals) + 1))
    assert len(set(map(encode, deals))) == len(deals)
    assert fold(happenings).version == len(entries)


@pytest.mark.parametrize("seed", [0, *in_full(1)])
async def test_a_table_killed_at_any_moment_goes_on_from_the_store(
    seed: int, store: Store, open_lobby: OpenLobby
) -> None:
    draws = random.Random(seed)
    lobby = await open_lobby(store)
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


@on_both
async def test_a_table_killed_at_any_moment_still_deals_the_cards_that_it_was_given(
    store: Store, open_lobby: OpenLobby
) -> None:
    draws = random.Random(3)
    lobby = await open_lobby(store)
    table = await lobby.open(setup(match_end="deals:2"), ANNE)
    await done(table, ANNE, cmd.Sit(1), cmd.Start())
    anne = Player(table, ANNE)
    await over(table)
    before = table.state.dealt
    await done(table, ANNE, cmd.DealAgain())
    await until(lambda: anne.seat == 2)
    while table.state.under_way:
        await kill(table)
        await anne.closed()
        table = await found(lobby, table.id)
        anne = Player(table, ANNE)
        await moved_on(table, draws.randrange(1, 40))
    assert [each.hands for each in table.state.dealt] == [each.hands for each in before]
    first, second = await lobby.store.matches_at(table.id)
    match = table.state.match
    assert match is not None
    assert match.cards == game.CardsOrigin(first.id, 1)
    assert second.players == ("", "", "anne", "")
    assert not second.rated


@on_both
async def test_of_two_owners_of_a_table_exactly_one_goes_on(store: Store, other: Store) -> None:
    async with room(store) as here, room(other) as there:
        table = await here.open(setup(), ANNE)
        await done(table, ANNE, cmd.Sit(0))
        same = await found(there, table.id)
        one, two = Player(table, ANNE), Player(same, BERT)
        await done(table, ANNE, cmd.Start())
        assert await refused(same, BERT, cmd.Sit(1), 2, "bert:1") == "moved_away"
        assert await two.closed() == "moved_away"
        assert there.tables == ()
        assert same.subscribe(BERT).closed == "moved_away"
        assert await refused(same, BERT, cmd.Sit(1), 2) == "moved_away"
        await over(table)
        await dealt_once(here, table.id)
        await one.leave()


class Unsteady(KeptStore):
    """A store that a test can make fail before it has written, or after."""

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


async def test_what_could_not_be_kept_is_refused_and_done_when_it_is_sent_again(
    open_lobby: OpenLobby,
) -> None:
    lobby = await open_lobby(store := Unsteady())
    table = await lobby.open(setup(), ANNE)
    anne = Player(table, ANNE)
    store.before = 1
    assert await refused(table, ANNE, cmd.Sit(0), 1, "anne:1") == "not_saved"
    assert table.state.version == 1
    late = table.subscribe(BERT)
    assert (await anext(late)).notice == "not_saved"
    late.close()
    await until(lambda: anne.notices == ["not_saved", "saved"])
    assert (await table.do(ANNE, cmd.Sit(0), 1, "anne:1")).refusal is None


async def test_what_was_kept_after_all_is_found_out_and_answered(open_lobby: OpenLobby) -> None:
    lobby = await open_lobby(store := Unsteady())
    table = await lobby.open(setup(), ANNE)
    store.after = 1
    reply = await table.do(ANNE, cmd.Sit(0), 1, "anne:1")
    assert reply.refusal is None
    assert reply.number == table.state.version == 2
    assert await table.do(ANNE, cmd.Sit(0), 1, "anne:1") == reply


async def test_what_was_kept_while_nobody_could_look_is_adopted_later(
    open_lobby: OpenLobby,
) -> None:
    lobby = await open_lobby(store := Unsteady())
    table = await lobby.open(setup(), ANNE)
    anne = Player(table, ANNE)
    store.after, store.blind = 1, 3
    assert await refused(table, ANNE, cmd.Start(), 1, "anne:1") == "not_saved"
    await until(lambda: anne.state.match is not None)
    assert (await table.do(ANNE, cmd.Start(), 1, "anne:1")).refusal is None
    await dealt(table)


class Stubborn(Player):
    """A player who sends a command again if it could not be stored."""

    async def do(self, command: cmd.Command, cause: str = "") -> Any:
        cause = f"{self.who.id}:{len(self.replies)}"
        while True:
            reply = await self.table.do(self.who, command, self.state.version, cause)
            if reply.refusal is None or reply.refusal.reason != "not_saved":
                self.replies.append(reply)
                return reply
            await asyncio.sleep(0)


@pytest.mark.parametrize("seed", range(2))
async def test_a_match_over_an_unsteady_store_loses_nothing(
    seed: int, open_lobby: OpenLobby
) -> None:
    draws = random.Random(seed)
    lobby = await open_lobby(store := Unsteady())
    table = await lobby.open(setup(), ANNE)
    Stubborn(table, ANNE)
    await done(table, ANNE, cmd.Sit(3), cmd.Start())
    while table.state.under_way:
        store.before, store.after = draws.choices((0, 0, 1, 2), k=2)
        store.blind = draws.choice((0, 0, 1))
        await moved_on(table, draws.randrange(1, 25))
    store.before = store.after = store.blind = 0
    await dealt_once(lobby, table.id)
    stored = await read_table(store, table.id)
    assert stored is not None
    assert stored.state == table.state
    assert stored.row is not None
    assert stored.row.last == table.state.version


class Faulty(KeptStore):
    """A store with an unexpected error on demand."""

    fails = 0
    by_itself = False  # fail only in the table's own steps

    async def append(self, *args: Any, **kwargs: Any) -> None:
        if self.fails and not (self.by_itself and kwargs["cause"]):
            self.fails -= 1
            entries: Sequence[bytes] = args[2]
            raise ValueError(f"secret {entries!r}")
        await super().append(*args, **kwargs)


class Naming(Player):
    """A player who names every message, to tell it from the table's own steps in the store."""

    async def do(self, command: cmd.Command, cause: str = "") -> CommandReply:
        return await super().do(command, cause or f"{self.who.id}:{uuid4()}")


async def test_a_table_that_fails_is_read_anew_and_goes_on(
    open_lobby: OpenLobby, caplog: pytest.LogCaptureFixture
) -> None:
    """The failure is logged without anything that was in memory."""
    lobby = await open_lobby(store := Faulty())
    table = await lobby.open(setup(), ANNE)
    Naming(table, ANNE)
    store.fails = 1
    assert await refused(table, ANNE, cmd.Sit(0), 1, "anne:1") == "table_failed"
    await done(table, ANNE, cmd.Sit(0), cmd.Start())
    await dealt(table)
    store.fails, store.by_itself = 2, True
    await until(lambda: not store.fails)
    Naming(table, ANNE)
    await over(table)
    logged = "\n".join(map(formatter("text").format, caplog.records))
    assert "table_failed" in logged
    assert "ValueError at " in logged
    assert "secret" not in logged


# People who come, go and meddle at random, over a store that fails


PEOPLE: Final = (ANNE, BERT, CARA)
HASTY: Final = replace(QUICK, grace=0.01, promise_within=0.05, undo_within=0.03)


class Meddler(Player):
    """A player who ignores every refusal."""

    async def do(self, command: cmd.Command, cause: str = "") -> None:  # type: ignore[override]
        await self.table.do(self.who, command, self.state.version, cause)

    async def _once(self, what: object, command: cmd.Command, *forgiven: str) -> None:
        await self.do(command)


def any_cards(draws: random.Random, table: LiveTable, seat: int) -> list[game.Play]:
    """Cards that the seat could play where nothing is refused."""
    deal = table.state.match.deal if table.state.match is not None else None
    hand = cards_in(deal.hands[seat]) if deal is not None and seat < len(deal.hands) else ()
    return [game.Play(seat, card) for card in draws.sample(hand, min(4, len(hand)))]


def meddling(draws: random.Random, table: LiveTable, who: Someone) -> cmd.Command:
    seat, other = draws.randrange(5), draws.randrange(4)
    own = table.state.seat_of(who.id) or 0
    commands: list[cmd.Command] = [
        *(kind() for kind in (cmd.Stand, cmd.Away, cmd.Back, cmd.Pause, cmd.Unpause)),
        *(kind() for kind in (cmd.Next, cmd.MoreTime, cmd.Start)),
        *(kind(other) for kind in (cmd.Sit, cmd.Replace, cmd.Remove, cmd.HandOver)),
        cmd.Sit(seat),
        cmd.SeatBot(other, "beginner"),
        cmd.Swap(seat, other),
        cmd.AcceptClock(draws.random() < 0.5),
        cmd.Act(game.AskUndo(own)),
        cmd.Act(game.AnswerUndo(own, draws.random() < 0.5)),
        cmd.Act(game.Claim(own)),
        cmd.Act(game.TakeBackPass(own)),
        cmd.Act(game.Claim(seat)),
        cmd.Act(referee.Object(own, other)),
        cmd.Act(referee.TakeBack(own)),
        cmd.Act(referee.ClaimRevoke(own, other, draws.randrange(1, 14))),
        *(cmd.Act(play) for play in any_cards(draws, table, own)),
        cmd.Promise(draws.randrange(3), bytes(32)),
        cmd.Contribute(draws.randrange(3), bytes(16)),
    ]
    return draws.choice(commands)


async def readable(lobby: Lobby, table: str) -> LiveTable:
    """The table, loaded as soon as the store can be read."""
    while True:
        with suppress(Unavailable):
            return await found(lobby, table)


def at_its_end(table: LiveTable) -> bool:
    """Whether a table has ended here, or its match has been played."""
    return bool(table.ended) or (table.state.match is not None and not table.state.under_way)


class Chaos:
    """One table, and the random troubles that befall it."""

    def __init__(
        self, lobby: Lobby, store: Unsteady, table: LiveTable, draws: random.Random
    ) -> None:
        self.lobby = lobby
        self.store = store
        self.table = table
        self.draws = draws
        self.guests: dict[str, Meddler] = {}
        self.messages = 0

    async def befall(self) -> None:
        """Make one more random trouble."""
        draws, table = self.draws, self.table
        if table.ended:
            self.table = await readable(self.lobby, table.id)
            for guest in self.guests.values():
                await guest.closed()
            self.guests.clear()
            return
        who = draws.choice(PEOPLE)
        match draws.randrange(12):
            case 0 | 1 | 2 if who.id in self.guests:
                await self.guests.pop(who.id).leave()
            case 0 | 1 | 2 | 3 | 4 if who.id not in self.guests:
                self.guests[who.id] = Meddler(table, who)
            case 5:
                store = self.store
                store.before, store.after, store.blind = draws.choices((0, 0, 0, 1, 2), k=3)
            case 6 if draws.random() < 0.2:
                await kill(table)
            case 7 | 8:
                await asyncio.sleep(0.005)
            case _:
                cause = f"{who.id}:{self.messages - draws.randrange(2)}"
                self.messages += 1
                seen = max(table.state.version - draws.choice((0, 0, 0, 1, 5)), 0)
                await table.do(who, meddling(draws, table, who), seen, cause)

    async def calm(self) -> None:
        """Bring everybody back, so that the match must come to its end."""
        store = self.store
        store.before = store.after = store.blind = 0
        for meddler in self.guests.values():
            await meddler.leave()
        while True:
            table = await readable(self.lobby, self.table.id)
            guests = [Meddler(table, who) for who in PEOPLE]
            host = next(guest.who for guest in guests if guest.who.id == table.state.host)
            back: list[tuple[Someone, cmd.Command]] = [(who, cmd.Back()) for who in PEOPLE]
            for who, command in (*back, (host, cmd.Unpause()), (host, cmd.Start())):
                again = True
                while again:
                    reply = await table.do(who, command, table.state.version)
                    again = reply.refusal is not None and reply.refusal.reason == "not_saved"
                    await asyncio.sleep(0)
            await until(partial(at_its_end, table))
            if not table.ended:
                break
        for guest in guests:
            if guest.watcher.closed != "nobody_watches":
                await guest.up_to_date()
            await guest.leave()
        self.table = table


async def befallen(open_lobby: OpenLobby, seed: int) -> None:
    draws = random.Random(seed)
    lobby = await open_lobby(store := Unsteady(), timing=HASTY)
    chosen = setup(
        match_end="deals:2",
        watching=list(Watching)[seed % 3],
        clock=draws.choice((0, 30)),
        irregularities=draws.choice(("enforced", "refereed")),
    )
    table = await lobby.open(chosen, ANNE)
    await done(table, ANNE, cmd.Sit(0), cmd.Start())
    chaos = Chaos(lobby, store, table, draws)
    for _ in range(150):
        await chaos.befall()
    await chaos.calm()
    entries = await store.read(table.id)
    log = [decode_happening(entry.data) for entry in entries]
    assert fold(log) == chaos.table.state
    for row in await store.matches_at(table.id):
        assert isinstance(log[row.first - 1], game.MatchStarted)
        assert row.ended is not None
    causes: list[str] = []
    for entry in entries:
        if entry.cause and entry.cause != (causes or [""])[-1]:
            causes.append(entry.cause)
    assert len(causes) == len(set(causes)), "something was done twice"
    assert fold(seen_by(each, None) for each in log).version == len(log)


@pytest.mark.parametrize("seed", range(3))
async def test_no_table_is_ever_stuck(seed: int, open_lobby: OpenLobby) -> None:
    await befallen(open_lobby, seed)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3, 203))
async def test_no_table_is_ever_stuck_whatever_befalls_it(seed: int, open_lobby: OpenLobby) -> None:
    await befallen(open_lobby, seed)
