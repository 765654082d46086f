"""Every command is done once, however often it is sent, and whatever dies in between."""

from __future__ import annotations

import asyncio
from pathlib import Path

from table.people import ANNE, BERT, Guest, Lingering, Player, done, room, setup, until

from volte import game
from volte.game import Refusal
from volte.store import Entry
from volte.table import commands as cmd
from volte.table.live import LiveTable
from volte.table.stored import MOST_PERSONS, MOST_REPLIES, CommandReply, ReplyCache


async def first_play(table: LiveTable, guest: Guest) -> cmd.Act:
    """Waits until the guest has to pass or to play; what they could do."""
    await until(lambda: guest.state.match and game.legal_actions(guest.match, guest.seat or 0))
    return cmd.Act(game.legal_actions(guest.match, guest.seat or 0)[0])


async def test_a_command_sent_twice_is_done_once_and_answered_alike(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        first, again = await asyncio.gather(
            table.do(ANNE, cmd.Sit(0), 1, "anne:1"), table.do(ANNE, cmd.Sit(0), 1, "anne:1")
        )
        assert first == again == CommandReply(2)
        assert table.state.version == 2
        assert await table.do(ANNE, cmd.Sit(0), 1, "anne:2") == CommandReply(
            2, Refusal("already_seated")
        )


async def test_after_a_restart_a_command_sent_again_has_the_same_answer(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne = Player(table, ANNE)
        anne.plays = False
        await done(table, ANNE, cmd.Sit(2), cmd.Start())
        act = await first_play(table, anne)
        seen = anne.state.version
        reply = await table.do(ANNE, act, seen, "anne:7")
        assert reply.refusal is None
        await anne.leave()
    async with room(tmp_path) as lobby:
        again = await lobby.find(table.id)
        assert again is not None
        assert await again.do(ANNE, act, seen, "anne:7") == reply
        other = await again.do(BERT, cmd.Sit(2), 1, "anne:7")
        assert other.refusal == Refusal("seat_taken")
        entries = await lobby.store.read(table.id)
        assert [entry.cause for entry in entries].count("anne:7") == 1


async def test_whoever_is_ready_for_the_next_deal_still_is_after_a_restart(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:2"), ANNE)
        anne, bert = Lingering(table, ANNE), Lingering(table, BERT)
        await done(table, ANNE, cmd.Sit(0))
        await done(table, BERT, cmd.Sit(1))
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.between_deals)
        seen = table.state.version
        reply = await table.do(ANNE, cmd.Next(), seen, "anne:next")
        assert reply == CommandReply(seen + 1)
        await anne.leave()
        await bert.leave()
    async with room(tmp_path) as lobby:
        again = await lobby.find(table.id)
        assert again is not None
        assert again.state.ready == {0}
        assert await again.do(ANNE, cmd.Next(), seen, "anne:next") == reply
        back = [Lingering(again, who) for who in (ANNE, BERT)]
        await done(again, BERT, cmd.Next())
        await until(lambda: not again.state.between_deals)
        for each in back:
            await each.leave()


async def test_a_refused_command_sent_again_is_refused_again(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        refused = await table.do(BERT, cmd.Stand(), 1, "bert:1")
        await done(table, BERT, cmd.Sit(1))
        assert refused == CommandReply(1, Refusal("not_seated"))
        assert await table.do(BERT, cmd.Stand(), 1, "bert:1") == refused
        assert table.state.seats[1].person == "bert"


async def test_what_has_no_cause_is_never_taken_for_the_same(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        await done(table, ANNE, cmd.Sit(0), cmd.Stand(), cmd.Sit(0), cmd.Stand())
        assert table.state.version == 5


async def test_whoever_does_not_wait_for_the_answer_has_it_done_all_the_same(
    tmp_path: Path,
) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        asking = asyncio.create_task(table.do(ANNE, cmd.Sit(0), 1, "anne:1"))
        await asyncio.sleep(0)
        asking.cancel()
        await until(lambda: table.state.version == 2)
        assert await table.do(ANNE, cmd.Sit(0), 1, "anne:1") == CommandReply(2)


def test_answers_remembered_are_bounded() -> None:
    causes = ReplyCache()
    for number in range(MOST_REPLIES + 1):
        causes.put(f"anne:{number}", CommandReply(number))
    assert causes.get("anne:0") is None
    assert causes.get("anne:1") == CommandReply(1)
    for person in range(MOST_PERSONS):
        causes.put(f"p{person}:1", CommandReply(1))
    assert causes.get("anne:1") is None
    assert causes.get("p0:1") == CommandReply(1)
    causes.put("", CommandReply(1))
    assert causes.get("") is None


async def test_the_answer_names_the_last_happening_of_its_action(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        reply = await table.do(ANNE, cmd.Start(), 1, "anne:1")
        entries = await lobby.store.read(table.id)
        caused: list[Entry] = [entry for entry in entries if entry.cause == "anne:1"]
        assert len(caused) == 5  # four bots and the match
        assert reply == CommandReply(caused[-1].version)
