"""Bots in processes of their own: what they are sent, what they answer, and whatever dies of it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.deals import start
from kit.strategies import rulesets, seeds, wider_rulesets
from table.people import ANNE, Player, done, room, seated, setup, until

from volte.bots import BotOwner, Clock, make_bot
from volte.bots.apart import BotAnswer, BotQuestion, pack, pack_answer, unpack, unpack_answer
from volte.cards import Card
from volte.game import Driver, MatchState, PlainChance, Play, SeatAction
from volte.referee import ENGINE, legal_actions
from volte.rules import Irregularities, Ruleset, make_ruleset
from volte.table import commands as cmd
from volte.table import workers
from volte.table.happenings import Happening, decode_happening, seen_by
from volte.table.state import evolve
from volte.table.thinking import Thinking
from volte.view import View

FEW: Final = Clock(simulations=40)
ENDLESS: Final = Clock(milliseconds=10**8)

PATIENCE: Final = 60.0


class Witness:
    """Plays as `casual`, and keeps what it has seen."""

    def __init__(self, views: list[View]) -> None:
        self.views = views

    def choose(self, view: View, clock: Clock) -> SeatAction:
        self.views.append(view)
        return make_bot("casual").choose(view, clock)


def views_of(rules: Ruleset, seed: int = 1, choices: int = 20) -> list[View]:
    """What bots see when they have to choose, in the first deals of a match."""
    views: list[View] = []
    owners = [BotOwner(Witness(views), seat) for seat in range(rules.players)]
    driver = Driver([start(rules)], owners, PlainChance(seed), engine=ENGINE)
    while len(views) < choices and driver.step():
        pass
    return views


VIEW: Final = views_of(make_ruleset("microsoft"))[8]
"""There is more than one card to choose from."""


# What is sent


@given(rulesets() | wider_rulesets(), st.booleans(), seeds)
def test_a_question_arrives_as_it_was_sent(rules: Ruleset, refereed: bool, seed: int) -> None:
    if refereed:
        rules = replace(rules, irregularities=Irregularities.REFEREED)
    for view in views_of(rules, seed % 1000, 6)[-2:]:
        question = BotQuestion("expert", seed, view, FEW)
        assert unpack(pack(question)) == question


@pytest.mark.parametrize("preset", ["microsoft", "coeurs"])
def test_a_question_is_short(preset: str) -> None:
    """The duties that rules have worked out stay here."""
    views = views_of(make_ruleset(preset), choices=60)
    assert max(len(pack(BotQuestion("expert", 1, view))) for view in views) < 4000


@pytest.mark.parametrize("came", [BotAnswer(Play(2, Card("QS"))), BotAnswer(failed="ValueError")])
def test_an_answer_arrives_as_it_was_sent(came: BotAnswer) -> None:
    assert unpack_answer(pack_answer(came)) == came


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", b'{"action":{"action":"Deal"}}', b"[" * 999])
def test_nothing_else_is_an_answer(data: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        unpack_answer(data)


# Real processes


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def tell(runner: asyncio.Runner) -> Callable[[Coroutine[Any, Any, None]], None]:
    """Tells a story about the bots of this file, to its end."""

    def tell(story: Coroutine[Any, Any, None]) -> None:
        runner.run(asyncio.wait_for(story, PATIENCE))

    return tell


@pytest.fixture(scope="module")
def bots(runner: asyncio.Runner) -> Iterator[Thinking]:
    """They think in one process for all the tests of this file, as each takes a while to come."""
    bots = Thinking(make_bot, 1, hurried=0.5, longest=2 * PATIENCE)
    yield bots
    runner.run(bots.close())


async def ready(bots: Thinking) -> int:
    """The process of a worker that is there."""
    while not bots.workers or bots.busy:
        await bots.choose("strong", 1, VIEW)
        await asyncio.sleep(0.02)
    bots.counts.clear()
    return bots.workers[0]


async def over(process: int) -> None:
    """Returns when there is no such process any more."""
    while Path(f"/proc/{process}").exists():
        await asyncio.sleep(0.01)


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, str]]:
    """All that is logged: what, of which level, and why."""
    told = [record.__dict__ for record in caplog.records]
    return [(each["message"], each["level"], each["why"]) for each in told]


Tell = Callable[[Coroutine[Any, Any, None]], None]


def test_until_a_worker_comes_bots_play_as_casual(tell: Tell, bots: Thinking) -> None:
    async def story() -> None:
        assert not bots.workers
        action = await bots.choose("expert", 1, VIEW)
        assert action == make_bot("casual").choose(VIEW, Clock())
        assert bots.counts == {"casual": 1}
        assert not bots.warm
        await ready(bots)
        assert bots.warm

    tell(story())


def test_a_worker_chooses_what_the_bot_would_here(tell: Tell, bots: Thinking) -> None:
    tables = [("microsoft", 4), ("coeurs", 5), ("salon", 3), ("salon-six-jokers", 6)]

    async def story() -> None:
        await ready(bots)
        for seed, (preset, players) in enumerate(tables):
            for view in views_of(make_ruleset(preset, {"players": players}), seed)[::4]:
                here = make_bot("strong", seed).choose(view, Clock())
                assert await bots.choose("strong", seed, view) == here
        assert set(bots.counts) == {"usual"}

    tell(story())


def test_nothing_is_sent_but_what_the_seat_has_seen(
    tell: Tell, bots: Thinking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every view that was sent is folded from what the log shows to that seat."""
    sent: list[bytes] = []

    def noted(question: BotQuestion) -> bytes:
        sent.append(pack(question))
        return sent[-1]

    async def story() -> None:
        await ready(bots)
        monkeypatch.setattr(workers, "pack", noted)
        async with room(tmp_path) as lobby:
            lobby._services = msgspec.structs.replace(lobby._services, thinking=bots)
            table = await lobby.open(setup(match_end="deals:1"), ANNE)
            anne = Player(table, ANNE)
            await seated(table, anne)
            await done(table, ANNE, *(cmd.SeatBot(seat, "strong") for seat in (1, 2, 3)))
            await done(table, ANNE, cmd.Start())
            await until(lambda: not table.state.under_way)
            await anne.leave()
            entries = await lobby.store.read(table.id)
        log = [decode_happening(entry.data) for entry in entries]
        questions = [unpack(data) for data in sent]
        assert {question.view.seat for question in questions} == {1, 2, 3}
        for seat in (1, 2, 3):
            states = shown(log, seat)
            for question in questions:
                assert question.view.seat != seat or question.view.state in states

    tell(story())


def shown(log: list[Happening], seat: int) -> list[MatchState | None]:
    """The match after every happening, as that seat has seen it."""
    state, states = None, []
    for happening in log:
        state = evolve(state, seen_by(happening, seat))
        states.append(state.match)
    return states


def test_the_more_ask_the_less_each_has_and_nobody_waits_long(tell: Tell, bots: Thinking) -> None:
    """Where there is no time for a search, they play as casual."""

    async def story() -> None:
        await ready(bots)
        views = views_of(make_ruleset("microsoft"), choices=50) * 3
        asking = [bots.choose("expert", seat, view, seat % 30) for seat, view in enumerate(views)]
        actions = await asyncio.gather(*asking)
        for view, action in zip(views, actions, strict=True):
            assert view.seat is not None
            assert action in legal_actions(view.state, view.seat)
        assert bots.counts.total() == len(views)
        assert bots.counts["any"] == 0
        assert bots.counts["casual"] > 0
        assert bots.counts["hurried"] > 0

    tell(story())


def test_what_a_killed_worker_was_thinking_is_chosen_elsewhere(
    tell: Tell, bots: Thinking, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        worker, lost = await ready(bots), bots.lost
        os.kill(worker, signal.SIGSTOP)
        choosing = asyncio.create_task(bots.choose("expert", 1, VIEW))
        await until(lambda: bots.busy)
        os.kill(worker, signal.SIGKILL)
        assert await choosing == make_bot("casual").choose(VIEW, Clock())
        assert bots.lost == lost + 1
        assert await ready(bots) != worker

    tell(story())
    assert logged(caplog) == [("bot_lost", "expert", "it has ended with status -9")]


def test_a_worker_that_hangs_is_not_waited_for(
    tell: Tell, bots: Thinking, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        worker = await ready(bots)
        os.kill(worker, signal.SIGSTOP)
        monkeypatch.setattr(bots._apart, "_longest", 0.05)
        assert await bots.choose("expert", 1, VIEW) == make_bot("casual").choose(VIEW, Clock())
        await over(worker)

    tell(story())
    assert logged(caplog) == [("bot_lost", "expert", "it thinks for too long")]


PROGRAM: Final = """
import asyncio, signal, sys
from volte.bots.apart import unpack
from volte.table.workers import Worker

async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, lambda: print("heard", flush=True))
    worker = await Worker.begin()
    await worker.ready()
    print(worker.pid, flush=True)
    await worker.choose(unpack(bytes.fromhex(sys.argv[1])))

asyncio.run(main())
"""
"""Has a bot think about something. What is printed there, the worker could have printed as well."""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes as Linux has them")
def test_a_worker_hears_no_ctrl_c_and_ends_with_the_server_whatever_it_dies_of() -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, pack(BotQuestion("flat", 1, VIEW, ENDLESS)).hex()],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env=os.environ | {"VOLTE_DATABASE": "postgresql://me:secret@host"},
    )
    assert program.stdout is not None
    worker = int(program.stdout.readline())
    assert b"secret" not in Path(f"/proc/{worker}/environ").read_bytes()
    os.killpg(program.pid, signal.SIGINT)
    assert program.stdout.readline() == "heard\n"
    assert Path(f"/proc/{worker}").exists()
    program.kill()
    asyncio.run(asyncio.wait_for(over(worker), PATIENCE))
    assert program.stdout.read() == ""
    program.wait()
    program.stdout.close()
