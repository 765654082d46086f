"""Hostile clients on the WebSocket: whatever they say, the table answers the next good message."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit import hostile
from kit.people import Guest, Lost
from kit.playing import Player, play_on
from kit.sites import Site, until
from kit.talking import reason

from volte import game
from volte.cards import Card
from volte.fair import SplitMix64
from volte.game import DealState, Phase, Play, claims
from volte.game.codec import encode
from volte.history import match_page
from volte.rules import Score, make_ruleset
from volte.table import commands as cmd
from volte.table.stored import MOST_REPLIES
from volte.wire.messages import LONGEST_MESSAGE, Closing, Question

FEW = settings(
    max_examples=settings().max_examples // 2,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


class Scene:
    """A table under fire, its host the attacker, and another one, where others play."""

    def __init__(self, attacker: Guest, bystander: Player) -> None:
        self.attacker = attacker
        self.bystander = bystander

    async def fresh(self, started: bool = True) -> Guest:
        """Another table for the attacker, where they are to pass or to play."""
        await self.attacker.join(await self.attacker.open_table())
        if started:
            assert (await self.attacker.do(cmd.Start())).ok
        return self.attacker

    async def stands(self) -> None:
        """Both tables answer, and do what they are asked to."""
        attacker = self.attacker
        with suppress(Lost):
            await attacker.ask(Question.RULES)
        if attacker.closed:
            await attacker.join()
        assert (await attacker.ask(Question.RULES)).ok
        for command in (cmd.Pause(), cmd.Unpause()):
            assert reason(await attacker.do(command)) in {
                *("", "no_match", "not_seated", "not_paused", "paused", "closed", "barred")
            }
        for command in (cmd.Pause(), cmd.Unpause()):
            assert (await self.bystander.do(command)).ok


@pytest.fixture
async def scene(site: Site, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Scene]:
    """A scene for a test; at its end, no fault of the server may have been logged."""
    attacker, bystander = await Guest.come(site.address, "Eve"), await Player.begun(site.address)
    yield Scene(attacker, bystander)
    assert hostile.failures(caplog) == []


def test_there_is_a_command_of_every_kind() -> None:
    assert {type(each) for each in hostile.COMMANDS} == set(get_args(cmd.Command))


@FEW
@given(
    messages=st.lists(hostile.MUTATED | hostile.GARBLED, min_size=1, max_size=25),
    started=st.booleans(),
)
async def test_messages_with_something_else_in_them(
    scene: Scene, caplog: pytest.LogCaptureFixture, messages: list[str], started: bool
) -> None:
    attacker = await scene.fresh(started)
    for message in messages:
        with suppress(Lost):
            await attacker.send(message)
    with suppress(Lost):
        await attacker.ask(Question.RULES)
    stood = False
    with suppress(Lost):
        await scene.stands()
        stood = True
    assert stood or attacker.closed == Closing.CLOSED  # what they have asked for
    assert hostile.failures(caplog) == []


GOOD: dict[str, Any] = {"say": "do", "seen": 0, "command": {"do": "Sit", "seat": 1}}
OPEN: list[dict[str, Any]] = [
    {"seen": hostile.HOLE},
    {"command": hostile.HOLE},
    {"command": {"do": "Sit", "seat": hostile.HOLE}},
    {"command": {"do": "Swap", "one": hostile.HOLE, "other": 1}},
    {"command": {"do": "SeatBot", "seat": hostile.HOLE, "level": "casual"}},
    {"command": {"do": "Promise", "number": hostile.HOLE, "digest": "AAAA"}},
    {"command": {"do": "Change", "setup": {"name": "x", "rules": {}, "clock": hostile.HOLE}}},
    {"command": {"do": "Act", "action": hostile.HOLE}},
    {"command": {"do": "Act", "action": {"action": "AskUndo", "seat": hostile.HOLE}}},
    {"say": "ask", "what": hostile.HOLE},
    {"say": "prefer", "bot_pace": hostile.HOLE},
    {"say": hostile.HOLE},
    {"id": hostile.HOLE},
]
FIELDS = [json.dumps({**GOOD, "id": f"{place}", **more}) for place, more in enumerate(OPEN)]


def has_heard(guest: Guest, count: int) -> bool:
    return len(guest.notices) + len(guest.answers) == count


async def test_every_hostile_value_for_every_field(scene: Scene) -> None:
    """Each is answered by a notice, or by the answer of its id, and the connection stays."""
    attacker = await scene.fresh()
    for value in hostile.HOSTILE:
        attacker.answers.clear()
        attacker.notices.clear()
        sent = [hostile.filled(text, value) for text in FIELDS]
        sent = [text for text in sent if len(text.encode()) <= LONGEST_MESSAGE]
        for text in sent:
            await attacker.send(text)
        await attacker.until(partial(has_heard, attacker, len(sent)))
        assert {notice.reason for notice in attacker.notices} <= {"malformed"}
        done = [each.id for each in attacker.answers.values() if each.ok]
        assert not done or value not in hostile.NUMBERS[4:], (value, done)
    await scene.stands()


@pytest.mark.parametrize(
    "said",
    ["x" * (LONGEST_MESSAGE - 100), "é" * (LONGEST_MESSAGE // 2 + 1), "x" * 2**16, "x" * 2**20],
    ids=len,
)
@pytest.mark.parametrize("binary", [False, True])
async def test_messages_of_any_size(scene: Scene, said: str, binary: bool) -> None:
    attacker = await scene.fresh()
    text = f'{{"say":"ask","id":"x","what":"{said}"}}'
    with suppress(Lost):
        await attacker.send(text.encode() if binary else text)
        await attacker.until(lambda: attacker.answers.get("x") or attacker.notices)
    if len(text.encode()) > LONGEST_MESSAGE:
        assert await attacker.until_closed() == Closing.TOO_BIG
    await scene.stands()


async def test_half_messages_and_splinters(site: Site, scene: Scene) -> None:
    """A message in a thousand pieces is one message; one that never ends is none."""
    attacker = await scene.fresh()
    text = '{"say":"ask","id":"pieces","what":"rules"}'

    async def pieces() -> Any:
        for sign in text:
            yield sign

    await attacker.line.send(pieces())
    await attacker.until(lambda: "pieces" in attacker.answers)
    host, port = site.address[7:].split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /live/x HTTP/1.1\r\nHost: x\r\n")
    writer.close()
    await scene.stands()


# Permissions


def host_commands() -> list[cmd.Command]:
    places = cmd.SeatBot | cmd.Remove | cmd.Replace | cmd.Swap | cmd.HandOver
    rest = cmd.Start | cmd.Change | cmd.Close
    return [each for each in hostile.COMMANDS if isinstance(each, places | rest)]


async def test_anothers_seat_and_anothers_table(site: Site) -> None:
    host, guest, watcher = [await Player.come(site.address, name) for name in "ABC"]
    table = await host.open_table(("", "casual", "casual"))
    for person in (host, guest, watcher):
        await person.join(table)
    assert (await guest.do(cmd.Sit(1))).ok
    for command in host_commands():
        for person in (guest, watcher):
            assert reason(await person.do(command)) == "not_host"
    for seat in (0, 1):
        assert reason(await watcher.do(cmd.Sit(seat))) == "seat_taken"
    assert (await host.do(cmd.Start())).ok
    await asyncio.gather(*(each.play(partial(has_cards, each)) for each in (host, guest)))
    await watcher.until(lambda: watcher.number == host.number)
    for seat in (0, 2, 3, 9):
        for action in acts_of(seat):
            assert reason(await guest.act(action)) == "not_your_seat"
            assert reason(await watcher.act(action)) == "not_seated"
    for seated in (cmd.Next(), cmd.Away(), cmd.Back(), cmd.MoreTime(), cmd.Stand()):
        assert reason(await watcher.do(seated)) == "not_seated"
    proof = host.match.proof if host.match is not None else None
    assert proof is not None
    late = cmd.Contribute(proof.number, bytes(16))
    assert reason(await guest.do(late)) == "no_contribution_due"


def has_cards(guest: Guest) -> bool:
    return guest.state is not None and guest.state.hands_are_out


def acts_of(seat: int) -> list[game.SeatAction]:
    card = Card("QS")
    return [
        *(Play(seat, card), game.Pass(seat, (card,)), game.TakeBackPass(seat), game.Claim(seat)),
        *(game.AskUndo(seat), game.AnswerUndo(seat, True)),
    ]


# Rules that no option can say


def unspeakable() -> list[dict[str, Any]]:
    """Rulesets as JSON that could be played, but that no options give."""
    plain = json.loads(encode(make_ruleset("coeurs")))
    table = plain["points"]["table"]
    return [
        {**plain, "points": {"table": [["JD", 7], *table]}},
        {**plain, "points": {"table": [["QS", -1], *table[1:]]}},
        {**plain, "points": {"table": table[::-1]}},
        {**plain, "points": {"table": [*table[:1], ["2H", 0], *table[2:]]}},
        {**plain, "deck": {**plain["deck"], "players": 5, "removed": ["2S", "2D"]}},
    ]


async def test_a_table_plays_what_options_can_say(scene: Scene) -> None:
    """Else no record could tell its matches."""
    for rules in unspeakable():
        setup = {**json.loads(encode(hostile.SETUP)), "rules": rules}
        attacker = await scene.fresh(started=False)
        change = {"say": "do", "id": "x", "seen": 0, "command": {"do": "Change", "setup": setup}}
        answer = await attacker.say("x", json.dumps(change))
        assert reason(answer) == "rules_without_options"
        assert answer.lines[0].endswith(".")
        await scene.stands()


# Memory


@pytest.mark.full
async def test_what_is_refused_takes_no_room(scene: Scene) -> None:
    attacker = await scene.fresh()

    async def bother(times: int) -> None:
        for number in range(times):
            await attacker.send(json.dumps({"say": "do", "id": f"n{number}", "seen": 0}))
            await attacker.do(cmd.Sit(1), asking=f"{times}-{number}")
        attacker.answers.clear()
        attacker.notices.clear()
        attacker.told.clear()

    await bother(MOST_REPLIES + 20)
    tracemalloc.start()
    try:
        await bother(100)
        before = tracemalloc.get_traced_memory()[0]
        await bother(300)
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert after - before < 200_000
    await scene.stands()


async def test_a_crowd_of_idle_sockets_leaves_nothing_behind(site: Site, scene: Scene) -> None:
    attacker = await scene.fresh()
    sockets = [await attacker.dial(attacker.table) for _ in range(60)]
    await scene.stands()
    for socket in sockets:
        await socket.close()
    await scene.stands()
    await until(lambda: len(site.room.live) <= 2)


# Claims take long to judge


async def test_claims_are_searched_once_and_beside_everything_else(
    site: Site, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Claims repeated at the same moment cost no more than one claim."""
    threads: list[str] = []
    playouts: list[DealState] = []
    decide = sys.modules["volte.game.decide"]  # in its room the function has that name
    judge, playout = claims.claim_holds, claims._playout

    def judging(deal: DealState) -> bool:
        threads.append(threading.current_thread().name)
        return judge(deal)

    def playing(deal: DealState, random: SplitMix64) -> Score:
        playouts.append(deal)
        return playout(deal, random)

    monkeypatch.setattr(decide, "claim_holds", judging)
    monkeypatch.setattr(claims, "_playout", playing)
    player = await Player.at_table(site.address, setup=hostile.SETUP)
    assert (await player.do(cmd.Start())).ok
    await player.play(lambda: has_cards(player) and player.view.my_turn)
    if player.view.state.phase is Phase.PASSING:
        assert (await player.do(player.next_command() or cmd.Next())).ok
    await player.play(lambda: player.view.my_turn)
    for _ in range(50):
        assert reason(await player.act(game.Claim(0))) == "claim_not_proved"
    await scene.fresh()
    await scene.stands()
    assert len(threads) == 50
    assert set(threads) == {"claims_0"}
    assert 1 < len(playouts) <= claims.PLAYOUTS + 1


async def test_records_are_written_one_at_a_time_and_beside_everything_else(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    at_work: list[int] = []
    most: list[int] = []
    write = match_page.written

    def writing(entries: Any) -> str:
        at_work.append(1)
        most.append(len(at_work))
        threads.append(threading.current_thread())
        try:
            return write(entries)
        finally:
            at_work.pop()

    monkeypatch.setattr(match_page, "written", writing)
    player = await Player.begun(site.address)
    await play_on(player)
    match = (await site.room.store.matches_at(player.table))[0].id
    replies = await asyncio.gather(*(player.get(f"/matches/{match}/record") for _ in range(10)))
    assert {reply.status for reply in replies} == {200}
    assert len(threads) == 10
    assert threading.current_thread() not in threads
    assert max(most) == 1
