"""D3 at a live table: everybody promises, everybody tells, nobody is waited for in vain."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from table.people import (
    ANNE,
    BERT,
    QUICK,
    Guest,
    Player,
    done,
    kinds,
    room,
    seated,
    setup,
    until,
)

from volte import game
from volte.fair import Verdict, commit_bytes
from volte.game import Event
from volte.notation import Record, prove_record
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.lobby import Lobby


async def whole_log(lobby: Lobby, table: str) -> tuple[Event, ...]:
    """The events of the only match of a table."""
    entries = await lobby.store.read(table)
    told = [hap.decode_happening(entry.data) for entry in entries]
    return tuple(each for each in told if isinstance(each, Event))


async def test_D3_every_shuffle_of_a_match_is_proved(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup("coeurs", match_end="deals:2"), ANNE)
        anne, bert = Player(table, ANNE), Player(table, BERT)
        await seated(table, anne, bert)
        await done(table, ANNE, cmd.Start())
        await until(lambda: not table.state.under_way)
        log = await whole_log(lobby, table.id)
        proofs = prove_record(Record(log, game.replay(log)))
        assert [proof.verdict for proof in proofs] == [Verdict.PROVED] * 2
        assert len([each for each in log if isinstance(each, game.Promised)]) == 4
        await anne.leave()
        await bert.leave()


async def test_D3_bytes_are_told_once_all_have_promised(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        anne, bert = Player(table, ANNE), Guest(table, BERT)
        await seated(table, anne, bert)
        await done(table, ANNE, cmd.Start())
        await until(lambda: kinds(anne, game.Promised))
        early = await table.do(ANNE, cmd.Contribute(1, anne.data), table.state.version)
        assert early.refusal is not None
        assert early.refusal.reason == "promises_missing"
        assert not kinds(anne, game.Contributed)
        data = b"b" * 16
        await done(table, BERT, cmd.Promise(1, commit_bytes(1, 1, data)))
        other = await table.do(BERT, cmd.Contribute(1, b"x" * 16), table.state.version)
        assert other.refusal is not None
        assert other.refusal.reason == "promise_broken"
        await done(table, BERT, cmd.Contribute(1, data))
        await until(lambda: table.state.match and table.state.match.deal)
        await anne.leave()
        await bert.leave()


async def test_D3_whoever_does_not_promise_in_time_is_left_out(tmp_path: Path) -> None:
    async with room(tmp_path, replace(QUICK, promise_within=0.1)) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne = Guest(table, ANNE)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: kinds(anne, game.Dealt))
        assert kinds(anne, game.Promised) == [game.Promised(0, None)]
        assert game.Contributed(0, None) in kinds(anne, game.Contributed)
        late = await table.do(ANNE, cmd.Promise(1, bytes(32)), table.state.version)
        assert late.refusal is not None
        assert late.refusal.reason == "no_promise_due"
        await anne.leave()


async def test_D3_whoever_promises_and_does_not_tell_is_left_out(tmp_path: Path) -> None:
    async with room(tmp_path, replace(QUICK, promise_within=0.2)) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne = Guest(table, ANNE)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: game.still_to_promise(table.state.match or anne.match))
        await table.do(ANNE, cmd.Promise(1, bytes(32)), table.state.version)
        await until(lambda: kinds(anne, game.Dealt))
        assert game.Contributed(0, None) in kinds(anne, game.Contributed)
        await anne.leave()


async def test_D3_the_house_speaks_for_bots_and_for_those_who_are_not_there(tmp_path: Path) -> None:
    """It says so before anybody adds anything, so it has no choice afterwards."""

    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        anne = Player(table, ANNE)
        await done(table, BERT, cmd.Sit(1))
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.match and table.state.match.deal)
        (committed,) = kinds(anne, game.Committed)
        assert isinstance(committed, game.Committed)
        assert committed.house == (1, 2, 3)
        await anne.leave()


async def test_a_match_goes_on_with_the_house_that_began_it(tmp_path: Path) -> None:
    """After a restart its secrets still keep what was committed to."""

    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne = Player(table, ANNE)
        anne.plays = False
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.match and table.state.match.deal)
        await anne.leave()
    async with room(tmp_path) as lobby:
        again = await lobby.find(table.id)
        assert again is not None
        anne = Player(again, ANNE)
        await until(lambda: not again.state.under_way)
        log = await whole_log(lobby, table.id)
        (proof,) = prove_record(Record(log, game.replay(log)))
        assert proof.verdict is Verdict.PROVED
        (row,) = await lobby.store.matches_of("anne")
        assert row.last == again.state.version
        assert row.ended is not None
        await anne.leave()
