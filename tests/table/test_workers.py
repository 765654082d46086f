"""Bots in processes of their own: requests, answers, their order, and deaths of processes; also
advice for people, which waits in the same queues."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit import ANNE, rulesets, seeds, start, wider_rulesets
from kit.live import Player, done, over, together, until
from kit.strategies import few, in_full

from volte.bots import BotOwner, Clock, Hint, Other, Reason, hint, make_bot
from volte.bots.advice import advise
from volte.bots.apart import (
    BotAnswer,
    BotQuestion,
    pack,
    thought_of,
    unpack,
    unpack_answer,
)
from volte.bots.candidates import unlike
from volte.bots.worker import answer
from volte.cards import Card
from volte.game import Driver, MatchState, Pass, PlainChance, Play, SeatAction
from volte.game.codec import encode
from volte.referee import ENGINE, legal_actions
from volte.rules import Irregularities, Ruleset, make_ruleset
from volte.table import commands as cmd
from volte.table import thinking, workers
from volte.table.happenings import Happening, decode_happening, seen_by
from volte.table.lobby import Lobby
from volte.table.queues import FairQueue
from volte.table.state import evolve
from volte.table.thinking import ChoiceMade, Thinking
from volte.table.workers import LONGEST
from volte.view import View

FEW: Final = Clock(simulations=40)
ENDLESS: Final = Clock(milliseconds=10**8)
PATIENCE: Final = 60.0


class Witness:
    """A bot that plays as `casual`, and keeps the views it was given."""

    def __init__(self, views: list[View]) -> None:
        self.views = views

    def choose(self, view: View, clock: Clock) -> SeatAction:
        self.views.append(view)
        return make_bot("casual").choose(view, clock)


def views_of(rules: Ruleset, seed: int = 1, choices: int = 20) -> list[View]:
    """Views of bots that have to choose, in the first deals of a match."""
    views: list[View] = []
    owners = [BotOwner(Witness(views), seat) for seat in range(rules.players)]
    driver = Driver([start(rules)], owners, PlainChance(seed), engine=ENGINE)
    while len(views) < choices and driver.step():
        pass
    return views


VIEW: Final = views_of(make_ruleset("microsoft"))[8]
"""A view with more than one card to choose from."""

SEVERAL: Final = next(
    view for view in reversed(views_of(make_ruleset("microsoft"), 1, 30)) if len(unlike(view)) > 2
)
"""Cards that are not alike may be played."""


# Requests and answers


@given(rulesets() | wider_rulesets(), st.booleans(), seeds, st.booleans())
def test_a_question_arrives_as_it_was_sent(
    rules: Ruleset, refereed: bool, seed: int, advises: bool
) -> None:
    if refereed:
        rules = replace(rules, irregularities=Irregularities.REFEREED)
    for view in views_of(rules, seed % 1000, 6)[-2:]:
        question = BotQuestion("expert", seed, view, FEW, advises)
        assert unpack(pack(question)) == question


@pytest.mark.parametrize("preset", ["microsoft", "coeurs"])
def test_a_question_is_short(preset: str) -> None:
    """The duties that a ruleset has worked out are not sent."""
    views = views_of(make_ruleset(preset), choices=60)
    assert max(len(pack(BotQuestion("expert", 1, view))) for view in views) < 4000


ANSWERS: Final = [
    BotAnswer(Play(2, Card("QS"))),
    BotAnswer(failed="ValueError"),
    BotAnswer(hint=Hint(Play(2, Card("QS")), Reason.DUMP_QUEEN)),
    BotAnswer(
        hint=Hint(
            Pass(9, (Card("QS"), Card("2C'"), Card("RJ"))),
            Reason.PASS_QUEEN,
            (
                Other(Pass(9, (Card("AS"), Card("KS"), Card("2D"))), -0.125, 1.5, 0.25),
                Other(Play(9, Card("AS")), 1e-9, 0.0, None),
            ),
        )
    ),
]


@pytest.mark.parametrize("came", ANSWERS)
def test_an_answer_arrives_as_it_was_sent(came: BotAnswer) -> None:
    assert unpack_answer(encode(came)) == came


QUEEN: Final = '{"action":"Play","seat":1,"card":"QS"}'


@pytest.mark.parametrize(
    "data",
    [
        "",
        b"\xff",
        "[]",
        '{"action":{"action":"Deal"}}',
        "[" * 999,
        '{"hint":{}}',
        '{"hint":{"action":{"action":"Claim","seat":1},"reason":"duck"}}',
        '{"hint":{"action":{"action":"Play","seat":1,"card":"ZZ"},"reason":"duck"}}',
        f'{{"hint":{{"action":{QUEEN},"reason":"because"}}}}',
        f'{{"hint":{{"action":{QUEEN},"reason":"duck","others":[1]}}}}',
        f'{{"hint":{{"action":{QUEEN},"reason":"duck","others":['
        '{"action":{"action":"Play","seat":1,"card":"2C"},"points":"many"}]}}',
    ],
)
def test_nothing_else_is_an_answer(data: str | bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        unpack_answer(data.encode() if isinstance(data, str) else data)


@pytest.mark.parametrize(
    "preset", ["coeurs", *in_full("cancellation", "salon-six-jokers", "scatter")]
)
def test_the_longest_advice_is_short_enough(preset: str) -> None:
    """The advice about a pass has the most bytes."""
    view = views_of(make_ruleset(preset), choices=1)[0]
    sent: list[BotAnswer] = []
    answer(pack(BotQuestion("expert", 0, view, advises=True)), sent.append)
    assert len(encode(sent[0])) < LONGEST // 2


def test_who_does_not_search_advises_what_casual_would() -> None:
    question = BotQuestion("casual", 0, VIEW, advises=True)
    assert thought_of(question, make_bot) == BotAnswer(hint=hint(VIEW))


# Order


waiting = st.lists(st.integers(0, 5), max_size=40)
"""Owners, in the order in which they put items into a queue."""


def line_of(owners: list[int]) -> FairQueue[tuple[int, int]]:
    """A queue with one item for each of `owners`: the owner and its place."""
    line = FairQueue[tuple[int, int]]()
    for place, owner in enumerate(owners):
        line.put((owner,), (owner, place))
    return line


@given(waiting)
def test_everything_is_taken_once_and_in_order_for_each_owner(owners: list[int]) -> None:
    line = line_of(owners)
    taken = [line.take() for _ in range(len(line))]
    assert not line
    for owner in set(owners):
        places = [place for each, place in taken if each == owner]
        assert places == [place for place, each in enumerate(owners) if each == owner]


@given(waiting)
def test_nobody_has_two_turns_more_than_another_who_waits(owners: list[int]) -> None:
    line = line_of(owners)
    left, turns = Counter(owners), Counter[int]()
    while line:
        owner, _ = line.take()
        left[owner] -= 1
        turns[owner] += 1
        assert all(turns[owner] <= turns[other] + 1 for other in +left)


@given(waiting, st.data())
def test_what_is_dropped_is_never_taken(owners: list[int], data: st.DataObject) -> None:
    line = line_of(owners)
    items = [(owner, place) for place, owner in enumerate(owners)]
    dropped = data.draw(st.lists(st.sampled_from(items), unique=True)) if items else []
    for owner, place in dropped:
        assert line.drop((owner,), (owner, place))
        assert not line.drop((owner,), (owner, place))
    assert {line.take() for _ in range(len(line))} == set(items) - set(dropped)


# Real processes


@pytest.fixture(scope="module")
async def bots() -> AsyncIterator[Thinking]:
    """Bots in one process for all the tests of this file, as a process takes a while to start."""
    bots = Thinking(make_bot, 1, hurried=PATIENCE, longest=2 * PATIENCE)
    yield bots
    await bots.close()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let people wait for advice for long, as the machine may be busy."""
    monkeypatch.setattr(thinking, "PATIENCE", PATIENCE)


async def ready(bots: Thinking) -> int:
    """The process id of a worker that is ready."""
    while not bots.workers or bots.busy:
        await bots.advise(VIEW)
        await asyncio.sleep(0.02)
    bots.counts.clear()
    bots.advised.clear()
    bots.on_choice = lambda chosen: None
    return bots.workers[0]


async def stopped(bots: Thinking) -> int:
    """The process id of a worker that was ready, and is stopped."""
    worker = await ready(bots)
    os.kill(worker, signal.SIGSTOP)
    return worker


async def gone(process: int) -> None:
    """Wait until a process has ended."""
    async with asyncio.timeout(PATIENCE):
        while Path(f"/proc/{process}").exists():
            await asyncio.sleep(0.01)


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, str]]:
    """The log records: message, level of the bot, and reason."""
    records = [record.__dict__ for record in caplog.records]
    return [(each["message"], each["level"], each["why"]) for each in records]


async def test_until_a_worker_comes_bots_play_as_casual(bots: Thinking) -> None:
    assert not bots.workers
    action = await bots.choose("expert", 1, VIEW)
    assert action == make_bot("casual").choose(VIEW, Clock())
    assert await bots.advise(VIEW) == hint(VIEW)
    assert bots.counts == bots.advised == {"casual": 1}
    await ready(bots)
    assert (await bots.advise(SEVERAL)).others


async def test_a_worker_chooses_what_the_bot_would_here(bots: Thinking) -> None:
    await ready(bots)
    tables = [("microsoft", 4), ("coeurs", 5), ("salon", 3), ("salon-six-jokers", 6)]
    for seed, (preset, players) in enumerate(tables[: few(2, 4)]):
        for view in views_of(make_ruleset(preset, {"players": players}), seed)[::4]:
            here = make_bot("strong", seed).choose(view, Clock())
            assert await bots.choose("strong", seed, view) == here
    assert set(bots.counts) == {"usual"}


TABLES: Final[list[tuple[str, dict[str, Any]]]] = [
    ("microsoft", {}),
    ("coeurs", {"irregularities": "refereed"}),
    ("partnership", {}),
    ("black-maria", {}),
]


async def test_a_worker_advises_what_expert_would_here(bots: Thinking) -> None:
    await ready(bots)
    (worker,) = bots._apart._idle
    weighed = 0
    for seed, (preset, options) in enumerate(TABLES[: few(2, 4)]):
        for view in views_of(make_ruleset(preset, options), seed, 40)[::5]:
            came = await worker.choose(BotQuestion("expert", 0, view, FEW, advises=True))
            assert came.hint == advise(view, FEW)
            weighed += len(came.hint.others)
    assert weighed


async def test_advice_for_cards_to_pass_says_what_others_would_cost(bots: Thinking) -> None:
    await ready(bots)
    for preset in ("microsoft", "partnership"):
        view = views_of(make_ruleset(preset, {"pass_count": 3}), choices=1)[0]
        advised = await bots.advise(view)
        assert isinstance(advised.action, Pass)
        assert advised.others


async def test_two_packs_are_advised_on(bots: Thinking) -> None:
    await ready(bots)
    for view in views_of(make_ruleset("cancellation"), choices=20)[::6]:
        assert isinstance((await bots.advise(view)).action, Play | Pass)
    assert set(bots.advised) == {"usual"}


async def test_nothing_is_sent_but_what_the_seat_has_seen(
    bots: Thinking, lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every view that was sent is folded from the seat's view of the log."""
    sent: list[bytes] = []

    def noted(question: BotQuestion) -> bytes:
        sent.append(pack(question))
        return sent[-1]

    await ready(bots)
    monkeypatch.setattr(workers, "pack", noted)
    lobby._services = msgspec.structs.replace(lobby._services, thinking=bots)
    (anne,) = await together(lobby, Player, begun=False)
    levels = (cmd.SeatBot(seat, "strong") for seat in (1, 2, 3))
    await done(anne.table, ANNE, *levels, cmd.Start())
    await over(anne.table)
    log = [decode_happening(entry.data) for entry in await lobby.store.read(anne.table.id)]
    unpacked = [unpack(data) for data in sent]
    questions = [each for each in unpacked if isinstance(each, BotQuestion)]
    assert len(questions) == len(unpacked)
    assert {question.view.seat for question in questions} == {1, 2, 3}
    for seat in (1, 2, 3):
        states = shown(log, seat)
        for question in questions:
            assert question.view.seat != seat or question.view.state in states


def shown(log: list[Happening], seat: int) -> list[MatchState | None]:
    """The match after every happening, as that seat has seen it."""
    state, states = None, []
    for happening in log:
        state = evolve(state, seen_by(happening, seat))
        states.append(state.match)
    return states


async def test_the_more_ask_the_less_each_has_and_nobody_waits_long(
    bots: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without time for a search, bots play as casual."""
    await ready(bots)
    for name in ("_hurried", "_patience"):
        monkeypatch.setattr(bots._apart, name, 0.5)
    views = views_of(make_ruleset("microsoft"), choices=50) * 3
    asking = [bots.choose("expert", seat, view, (seat % 30,)) for seat, view in enumerate(views)]
    for view, action in zip(views, await asyncio.gather(*asking), strict=True):
        assert view.seat is not None
        assert action in legal_actions(view.state, view.seat)
    assert bots.counts.total() == len(views)
    assert bots.counts["any"] == 0
    assert bots.counts["casual"] > 0
    assert bots.counts["hurried"] > 0


async def test_what_a_killed_worker_was_thinking_is_chosen_elsewhere(
    bots: Thinking, caplog: pytest.LogCaptureFixture
) -> None:
    lost = bots.lost
    kinds = (False, True)[few(1, 0) :]
    for advises in kinds:
        worker = await stopped(bots)
        asked = bots.advise(SEVERAL) if advises else bots.choose("expert", 1, SEVERAL)
        choosing = asyncio.ensure_future(asked)
        await until(lambda: bots.busy)
        os.kill(worker, signal.SIGKILL)
        here = hint(SEVERAL) if advises else make_bot("casual").choose(SEVERAL, Clock())
        assert await choosing == here
        assert (bots.advised if advises else bots.counts) == {"casual": 1}
        assert await ready(bots) != worker
    assert bots.lost == lost + len(kinds)
    assert logged(caplog) == [("bot_lost", "expert", "it has ended with status -9")] * len(kinds)
    assert "QS" not in caplog.text


async def test_a_worker_that_hangs_is_not_waited_for(
    bots: Thinking, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = await stopped(bots)
    monkeypatch.setattr(bots._apart, "_longest", 0.05)
    assert await bots.choose("expert", 1, VIEW) == make_bot("casual").choose(VIEW, Clock())
    await gone(worker)
    assert logged(caplog) == [("bot_lost", "expert", "it thinks for too long")]


async def test_nobody_waits_for_ever_and_the_worker_goes_on(
    bots: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker, lost = await stopped(bots), bots.lost
    monkeypatch.setattr(thinking, "PATIENCE", 0.05)
    assert await bots.advise(SEVERAL) == hint(SEVERAL)
    os.kill(worker, signal.SIGCONT)
    monkeypatch.setattr(thinking, "PATIENCE", PATIENCE)
    assert await ready(bots) == worker
    assert (await bots.advise(SEVERAL)).others
    assert bots.lost == lost


async def test_advice_that_nobody_waits_for_any_more_leaves_the_line(bots: Thinking) -> None:
    worker = await stopped(bots)
    asked = [asyncio.create_task(bots.advise(SEVERAL, (owner,))) for owner in "abc"]
    await until(lambda: bots.busy == 1 and bots.waiting == 2)
    for each in asked:
        each.cancel()
    await until(lambda: not bots.waiting)
    os.kill(worker, signal.SIGCONT)
    await until(lambda: not bots.busy)
    assert not bots.advised
    assert (await bots.advise(SEVERAL, ("a",))).others


async def test_one_seat_has_one_piece_of_advice_made_at_a_time(bots: Thinking) -> None:
    """Other devices at the seat get the advice of casual at once."""
    worker = await stopped(bots)
    first = asyncio.create_task(bots.advise(SEVERAL, ("table",)))
    await until(lambda: bots.busy)
    for _ in range(100):
        assert await bots.advise(SEVERAL, ("table",)) == hint(SEVERAL)
    assert (bots.busy, bots.waiting) == (1, 0)
    os.kill(worker, signal.SIGCONT)
    assert (await first).others
    assert bots.advised == {"casual": 100, "usual": 1}


@pytest.mark.parametrize(("many", "one"), [("advice", "choice"), *in_full(("choice", "advice"))])
async def test_people_and_bots_take_turns(bots: Thinking, many: str, one: str) -> None:
    """Many requests for advice do not hold up a bot, nor many bots a request for advice."""
    worker = await stopped(bots)
    order: list[str] = []

    async def ask(what: str, owner: str, view: View) -> None:
        if what == "advice":
            await bots.advise(view, (owner,))
        else:
            await bots.choose("strong", 1, view, (owner,))
        order.append(what)

    views = views_of(make_ruleset("cancellation"), choices=5)
    asking = [asyncio.create_task(ask(many, "first table", view)) for view in views]
    await until(lambda: bots.busy + bots.waiting == len(views))
    asking.append(asyncio.create_task(ask(one, "second table", SEVERAL)))
    await until(lambda: bots.waiting == len(views))
    os.kill(worker, signal.SIGCONT)
    await asyncio.gather(*asking)
    assert order.index(one) <= 2
    assert bots.counts.total() + bots.advised.total() == len(views) + 1
    assert not bots.counts["casual"] + bots.advised["casual"]


async def test_advice_is_counted_apart_from_the_choices_of_bots(bots: Thinking) -> None:
    await ready(bots)
    made: list[ChoiceMade] = []
    bots.on_choice = made.append
    await bots.advise(SEVERAL)
    await bots.choose("expert", 1, SEVERAL)
    assert [(each.level, each.how, each.advice) for each in made] == [
        ("expert", "usual", True),
        ("expert", "usual", False),
    ]
    assert all(each.lasted > 0 for each in made)
    assert bots.advised == bots.counts == {"usual": 1}


async def test_a_lobby_that_is_closed_still_advises() -> None:
    closed = Thinking(make_bot, 1, hurried=1.0, longest=1.0)
    worker = await ready(closed)
    await closed.close()
    await gone(worker)
    assert await closed.advise(SEVERAL) == hint(SEVERAL)


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
"""A program that starts a worker, prints its process id, and has it think for long."""


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
    asyncio.run(gone(worker))
    assert program.stdout.read() == ""
    program.wait()
    program.stdout.close()
