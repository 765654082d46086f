"""Advice for people: who thinks of it, in what order, and what becomes of it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.strategies import rulesets, seeds
from table.people import until
from table.test_workers import FEW, PATIENCE, VIEW, over, views_of

from volte.bots import Hint, Other, Reason, hint, make_bot
from volte.bots.apart import (
    BotAnswer,
    BotQuestion,
    pack,
    pack_answer,
    thought_of,
    unpack,
    unpack_answer,
)
from volte.bots.race import unlike
from volte.bots.search import advise
from volte.bots.worker import answer
from volte.cards import Card
from volte.game import Pass, Play
from volte.rules import Irregularities, Ruleset, make_ruleset
from volte.table import thinking
from volte.table.thinking import ChoiceMade, Thinking
from volte.table.workers import LONGEST, Worker
from volte.view import View

SEVERAL: Final = next(
    view for view in reversed(views_of(make_ruleset("microsoft"), 1, 30)) if len(unlike(view)) > 2
)
"""Cards that are not alike may be played."""


# What is sent


@given(rulesets(), st.booleans(), seeds)
def test_a_question_for_advice_arrives_as_it_was_sent(
    rules: Ruleset, refereed: bool, seed: int
) -> None:
    if refereed:
        rules = replace(rules, irregularities=Irregularities.REFEREED)
    for view in views_of(rules, seed % 1000, 6)[-2:]:
        question = BotQuestion("expert", 0, view, advises=True)
        assert unpack(pack(question)) == question


HINTS: Final = [
    Hint(Play(2, Card("QS")), Reason.DUMP_QUEEN),
    Hint(
        Pass(9, (Card("QS"), Card("2C'"), Card("RJ"))),
        Reason.PASS_QUEEN,
        (
            Other(Pass(9, (Card("AS"), Card("KS"), Card("2D"))), -0.125, 1.5, 0.25),
            Other(Play(9, Card("AS")), 1e-9, 0.0, None),
        ),
    ),
]


@pytest.mark.parametrize("told", HINTS)
def test_advice_arrives_as_it_was_sent(told: Hint) -> None:
    assert unpack_answer(pack_answer(BotAnswer(hint=told))) == BotAnswer(hint=told)


@pytest.mark.parametrize(
    "data",
    [
        '{"hint":{}}',
        '{"hint":{"action":{"action":"Claim","seat":1},"reason":"duck"}}',
        '{"hint":{"action":{"action":"Play","seat":1,"card":"ZZ"},"reason":"duck"}}',
        '{"hint":{"action":{"action":"Play","seat":1,"card":"QS"},"reason":"because"}}',
        '{"hint":{"action":{"action":"Play","seat":1,"card":"QS"},"reason":"duck","others":[1]}}',
        '{"hint":{"action":{"action":"Play","seat":1,"card":"QS"},"reason":"duck","others":['
        '{"action":{"action":"Play","seat":1,"card":"2C"},"points":"many"}]}}',
    ],
)
def test_nothing_else_is_advice(data: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        unpack_answer(data.encode())


@pytest.mark.parametrize("preset", ["coeurs", "cancellation", "salon-six-jokers", "scatter"])
def test_the_longest_advice_is_short_enough(preset: str) -> None:
    """That which cards to pass weighs the most."""
    view = views_of(make_ruleset(preset), choices=1)[0]
    assert len(answer(pack(BotQuestion("expert", 0, view, advises=True)))) < LONGEST // 2


def test_who_does_not_search_advises_what_casual_would() -> None:
    question = BotQuestion("casual", 0, VIEW, advises=True)
    assert thought_of(question, make_bot) == BotAnswer(hint=hint(VIEW))


# Real processes


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


Tell = Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(scope="module")
def tell(runner: asyncio.Runner) -> Tell:
    """Tells a story about the bots of this file, to its end."""

    def tell(story: Coroutine[Any, Any, None]) -> None:
        runner.run(asyncio.wait_for(story, PATIENCE))

    return tell


@pytest.fixture(scope="module")
def bots(runner: asyncio.Runner) -> Iterator[Thinking]:
    """They think in one process for all the tests of this file, as each takes a while to come."""
    bots = Thinking(make_bot, 1, hurried=PATIENCE, longest=2 * PATIENCE)
    yield bots
    runner.run(bots.close())


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks waits, however busy the machine is."""
    monkeypatch.setattr(thinking, "PATIENCE", PATIENCE)


async def ready(bots: Thinking) -> int:
    """The process of a worker that is there."""
    while not bots.workers or bots.busy:
        await bots.advise(VIEW)
        await asyncio.sleep(0.02)
    bots.counts.clear()
    bots.advised.clear()
    bots.on_choice = lambda chosen: None
    return bots.workers[0]


def test_until_a_worker_comes_advice_is_of_casual(tell: Tell, bots: Thinking) -> None:
    async def story() -> None:
        assert not bots.workers
        assert await bots.advise(VIEW) == hint(VIEW)
        assert bots.advised == {"casual": 1}
        assert not bots.counts
        await ready(bots)
        assert (await bots.advise(SEVERAL)).others

    tell(story())


TABLES: Final[list[tuple[str, dict[str, Any]]]] = [
    ("microsoft", {}),
    ("coeurs", {"irregularities": "refereed"}),
    ("partnership", {}),
    ("black-maria", {}),
]


def test_a_worker_advises_what_expert_would_do_here(tell: Tell) -> None:
    async def story() -> None:
        worker = await Worker.begin()
        await worker.ready()
        weighed = 0
        for seed, (preset, options) in enumerate(TABLES):
            for view in views_of(make_ruleset(preset, options), seed, 40)[::5]:
                came = await worker.choose(BotQuestion("expert", 0, view, FEW, advises=True))
                assert came.hint == advise(view, FEW)
                weighed += len(came.hint.others)
        assert weighed
        await worker.end()

    tell(story())


def test_advice_for_cards_to_pass_says_what_others_would_cost(tell: Tell, bots: Thinking) -> None:
    async def story() -> None:
        await ready(bots)
        for preset in ("microsoft", "partnership"):
            view = views_of(make_ruleset(preset, {"pass_count": 3}), choices=1)[0]
            advised = await bots.advise(view)
            assert isinstance(advised.action, Pass)
            assert advised.others

    tell(story())


def test_two_packs_are_advised_on(tell: Tell, bots: Thinking) -> None:
    async def story() -> None:
        await ready(bots)
        for view in views_of(make_ruleset("cancellation"), choices=20)[::6]:
            assert isinstance((await bots.advise(view)).action, Play | Pass)
        assert set(bots.advised) == {"usual"}

    tell(story())


def test_advice_for_which_a_worker_was_killed_is_of_casual(
    tell: Tell, bots: Thinking, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        worker = await ready(bots)
        os.kill(worker, signal.SIGSTOP)
        asked = asyncio.create_task(bots.advise(SEVERAL))
        await until(lambda: bots.busy)
        os.kill(worker, signal.SIGKILL)
        assert await asked == hint(SEVERAL)
        assert bots.advised == {"casual": 1}
        assert await ready(bots) != worker

    tell(story())
    assert [record.message for record in caplog.records] == ["bot_lost"]
    assert "QS" not in caplog.text


def test_nobody_waits_for_ever_and_the_worker_goes_on(
    tell: Tell, bots: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        worker, lost = await ready(bots), bots.lost
        os.kill(worker, signal.SIGSTOP)
        monkeypatch.setattr(thinking, "PATIENCE", 0.05)
        assert await bots.advise(SEVERAL) == hint(SEVERAL)
        os.kill(worker, signal.SIGCONT)
        monkeypatch.setattr(thinking, "PATIENCE", PATIENCE)
        assert await ready(bots) == worker
        assert (await bots.advise(SEVERAL)).others
        assert bots.lost == lost

    tell(story())


def test_advice_that_is_asked_for_no_more_leaves_the_line(tell: Tell, bots: Thinking) -> None:
    async def story() -> None:
        worker = await ready(bots)
        os.kill(worker, signal.SIGSTOP)
        asked = [asyncio.create_task(bots.advise(SEVERAL, owner)) for owner in "abc"]
        await until(lambda: bots.busy == 1 and bots.waiting == 2)
        for each in asked:
            each.cancel()
        await until(lambda: not bots.waiting)
        os.kill(worker, signal.SIGCONT)
        await until(lambda: not bots.busy)
        assert not bots.advised
        assert (await bots.advise(SEVERAL, "a")).others

    tell(story())


def test_one_seat_has_one_piece_of_advice_made_at_a_time(tell: Tell, bots: Thinking) -> None:
    """Its other devices are told at once what casual would do."""

    async def story() -> None:
        worker = await ready(bots)
        os.kill(worker, signal.SIGSTOP)
        first = asyncio.create_task(bots.advise(SEVERAL, "table"))
        await until(lambda: bots.busy)
        for _ in range(100):
            assert await bots.advise(SEVERAL, "table") == hint(SEVERAL)
        assert (bots.busy, bots.waiting) == (1, 0)
        os.kill(worker, signal.SIGCONT)
        assert (await first).others
        assert bots.advised == {"casual": 100, "usual": 1}

    tell(story())


def test_people_and_bots_take_turns(tell: Tell, bots: Thinking) -> None:
    """Neither many who want advice hold up a bot, nor many bots one of them."""

    async def story(many: str, one: str) -> None:
        worker = await ready(bots)
        os.kill(worker, signal.SIGSTOP)
        order: list[str] = []

        async def ask(what: str, owner: str, view: View) -> None:
            if what == "advice":
                await bots.advise(view, owner)
            else:
                await bots.choose("strong", 1, view, owner)
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

    tell(story("advice", "choice"))
    tell(story("choice", "advice"))


def test_what_is_told_of_it_is_kept_apart_from_the_choices_of_bots(
    tell: Tell, bots: Thinking
) -> None:
    told: list[ChoiceMade] = []

    async def story() -> None:
        await ready(bots)
        bots.on_choice = told.append
        await bots.advise(SEVERAL)
        await bots.choose("expert", 1, SEVERAL)
        assert [(each.level, each.how, each.advice) for each in told] == [
            ("expert", "usual", True),
            ("expert", "usual", False),
        ]
        assert all(each.lasted > 0 for each in told)
        assert bots.advised == bots.counts == {"usual": 1}

    tell(story())


def test_a_lobby_that_is_closed_still_answers(runner: asyncio.Runner) -> None:
    async def story() -> None:
        closed = Thinking(make_bot, 1, hurried=1.0, longest=1.0)
        worker = await ready(closed)
        await closed.close()
        await over(worker)
        assert await closed.advise(SEVERAL) == hint(SEVERAL)

    runner.run(asyncio.wait_for(story(), PATIENCE))
