"""Hints at a live table: the choice of `expert`, computed beside everything else there."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from itertools import count
from typing import Any, Final
from unittest.mock import patch

import pytest
from kit.live import OpenLobby, room
from kit.neighbours import Neighbour, Neighbourhood
from kit.people import Guest, part
from kit.sites import until
from kit.talking import reason
from msgspec.structs import replace

from volte.bots import Hint, hint
from volte.bots.apart import BotQuestion, pack
from volte.bots.candidates import unlike
from volte.fair import House as Dealer
from volte.game import Pass, Phase, Play
from volte.game.codec import encode
from volte.referee import RefereedDeal
from volte.rules import make_ruleset
from volte.say import Words
from volte.solo.kept import KeptStore
from volte.table import Setup, thinking, workers
from volte.table import commands as cmd
from volte.table.lobby import Lobby
from volte.table.queues import Path
from volte.view import View
from volte.wire.messages import Answer, Ask, Question

LONG: Final = 60.0


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let requests wait for their hint, however busy the machine is."""
    monkeypatch.setattr(thinking, "PATIENCE", LONG)


class Advising(Neighbourhood):
    """One lobby for all the tests of this file, since its worker takes a while to come.

    It deals the same cards in every test, and its bots wait in the line for as long as they must.
    """

    def __init__(self, lobby: Lobby) -> None:
        super().__init__(lobby)
        self.hints: list[tuple[View, Hint]] = []  # hints given in this test, with their views
        self.bots = lobby.thinking
        self.bots._apart._patience = LONG
        self._advise = self.bots.advise
        self._seeds = count()
        lobby._services = replace(lobby._services, house=self._dealer)

    def begin(self) -> None:
        """Forgets the test before."""
        self._seeds = count()
        self.hints.clear()
        self.bots.advised.clear()

    def _dealer(self) -> Dealer:
        return Dealer.from_seed(next(self._seeds))

    async def advise(self, view: View, owner: Path = (None,)) -> Hint:
        advised = await self._advise(view, owner)
        self.hints.append((view, advised))
        return advised

    def line(self) -> str:
        """The sentence of the last hint."""
        view, advised = self.hints[-1]
        return Words("en").hint(advised, view)

    async def worker(self) -> int:
        """A worker that is there, and has nothing to do."""
        async with asyncio.timeout(4 * LONG):  # where nothing is compiled yet
            while not self.bots.workers or self.bots.busy:
                self.bots._apart.call()
                await asyncio.sleep(0.02)
        return self.bots.workers[0]

    async def thinks(self, waiting: int = 0) -> None:
        """Returns once a worker is busy, and so many more wait."""
        await until(lambda: (self.bots.busy, self.bots.waiting) == (1, waiting))

    async def stops_at(self, player: Guest) -> str:
        """Stop the worker while it computes a hint for somebody; return the id of the question."""
        os.kill(self.bots.workers[0], signal.SIGSTOP)
        asked = await ask(player)
        await self.thinks()
        return asked

    def goes_on(self) -> None:
        """Let the worker go on."""
        os.kill(self.bots.workers[0], signal.SIGCONT)


@pytest.fixture(scope="module")
async def opened() -> AsyncIterator[Advising]:
    async with room(KeptStore(), thinkers=1) as lobby:
        yield Advising(lobby)


@pytest.fixture
async def advising(opened: Advising) -> AsyncIterator[Advising]:
    await opened.worker()
    opened.begin()
    with patch.object(opened.bots, "advise", opened.advise):
        yield opened
    await part()


async def at_turn(near: Neighbourhood, preset: str = "microsoft", /, **options: Any) -> Neighbour:
    """Somebody who may play several cards that are not alike."""
    player = await begun(near, preset, **options)
    await player.play(lambda: player.view_is_mine() and len(unlike(player.view)) > 2)
    return player


async def begun(near: Neighbourhood, preset: str = "microsoft", /, **options: Any) -> Neighbour:
    rules = make_ruleset(preset, {"match_end": "deals:1"} | options)
    levels = ("casual",) * (rules.players - 1)
    return await Neighbour.begun(near, setup=Setup("Table", rules), levels=levels, told=True)


async def ask(player: Guest) -> str:
    """Ask for a hint, and do not wait; return the id of the question."""
    asking = player.next_id()
    await player.send(encode(Ask(asking, Question.HINT)).decode())
    return asking


async def answered(player: Guest, asking: str) -> Answer:
    await player.until(lambda: asking in player.answers)
    return player.answers[asking]


def casual(player: Guest) -> tuple[str]:
    """The hint of a bot that thinks of nothing."""
    return (Words("en").hint(hint(player.view), player.view),)


def card(player: Guest) -> Play:
    """A lawful play."""
    return Play(0, next(iter(player.view.legal)))


# The advice


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("microsoft", {}),
        ("cancellation", {"players": 6}),
        pytest.param("partnership", {}, marks=pytest.mark.full),
        pytest.param("coeurs-table", {}, marks=pytest.mark.full),
    ],
)
async def test_a_hint_tells_what_expert_would_play_and_what_else_would_cost(
    preset: str, options: dict[str, Any], advising: Advising
) -> None:
    player = await at_turn(advising, preset, **options)
    answer = await player.ask(Question.HINT)
    assert answer.ok
    assert answer.number == player.number
    [(view, advice)] = advising.hints
    assert view == player.view
    assert isinstance(advice.action, Play)
    assert advice.action.card in view.legal
    assert advice.others
    assert answer.lines == (advising.line(),)
    assert advising.bots.advised == {"usual": 1}


async def test_a_hint_tells_what_expert_would_pass(advising: Advising) -> None:
    player = await begun(advising)
    await player.play(lambda: player.match is not None and player.match.phase is Phase.PASSING)
    answer = await player.ask(Question.HINT)
    [(_, advice)] = advising.hints
    assert isinstance(advice.action, Pass)
    assert set(advice.action.cards) <= set(player.view.hand)
    assert advice.others
    assert answer.lines == (advising.line(),)
    assert (await player.act(advice.action)).ok


async def test_a_worker_is_told_what_the_person_has_seen_and_nothing_else(
    advising: Advising, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[BotQuestion] = []

    def noted(question: BotQuestion) -> bytes:
        sent.append(question)
        return pack(question)

    monkeypatch.setattr(workers, "pack", noted)
    player = await at_turn(advising)
    for _ in range(4):
        assert (await player.ask(Question.HINT)).ok
        assert sent.pop().view == player.view, "folded from what the person was told"
        assert not sent
        assert (await player.act(card(player))).ok
        await player.play(player.view_is_mine)


async def test_nobody_is_advised_where_nobody_is_to_be(advising: Advising) -> None:
    rules = make_ruleset("microsoft", {"match_end": "deals:1"})
    for why, hints in (("no_hints", False), ("no_hint_now", True)):
        player, watcher = [await Neighbour.come(advising) for _ in range(2)]
        table = await player.open_table(setup=Setup("Table", rules, hints=hints))
        for each in (player, watcher):
            await each.join(table)
        await player.hurry()
        assert reason(await player.ask(Question.HINT)) == why
        await player.do(cmd.Start())
        await player.play(player.view_is_mine)
        assert reason(await watcher.ask(Question.HINT)) == why
        if hints:
            assert (await player.do(cmd.Pause())).ok
        assert reason(await player.ask(Question.HINT)) == why
    assert not advising.bots.advised


# Faults of the worker


async def test_before_a_worker_has_come_a_hint_is_of_casual(open_lobby: OpenLobby) -> None:
    player = await at_turn(Neighbourhood(await open_lobby(thinkers=1)))
    assert (await player.ask(Question.HINT)).lines == casual(player)


@pytest.mark.full
async def test_a_worker_killed_while_it_thinks_of_a_hint_leaves_one_of_casual(
    advising: Advising,
) -> None:
    player = await at_turn(advising)
    asked = await advising.stops_at(player)
    os.kill(worker := advising.bots.workers[0], signal.SIGKILL)
    assert (await answered(player, asked)).lines == casual(player)
    assert await advising.worker() != worker
    assert (await player.ask(Question.HINT)).ok


# Nothing waits for it


async def test_what_is_said_after_the_question_is_answered_before_it(
    advising: Advising,
) -> None:
    """A card as well: then there is nothing left to advise."""
    player = await at_turn(advising)
    asked = await advising.stops_at(player)
    assert (await player.ask(Question.SCORES)).ok
    assert (await player.prefer(lang="fr")).ok
    assert asked not in player.answers
    assert (await player.act(card(player))).ok
    assert reason(await answered(player, asked)) == "no_hint_now"
    await player.play(lambda: player.view_is_mine() and len(unlike(player.view)) > 1)
    advising.goes_on()
    again = await player.ask(Question.HINT)
    assert again.ok
    assert again.lines[0].startswith("Joue")


async def test_a_hint_comes_as_soon_as_it_is_there_and_in_the_language_that_is_read_then(
    advising: Advising,
) -> None:
    player = await at_turn(advising)
    asked = await advising.stops_at(player)
    assert (await player.prefer(lang="fr")).ok
    advising.goes_on()
    answer = await answered(player, asked)
    assert answer.ok
    assert answer.lines[0].startswith("Joue")


async def test_the_key_pressed_a_hundred_times_asks_once(advising: Advising) -> None:
    player = await at_turn(advising)
    asked = [await advising.stops_at(player), *[await ask(player) for _ in range(99)]]
    assert (await player.ask(Question.SCORES)).ok
    assert not set(asked) & set(player.answers)
    advising.goes_on()
    answers = [await answered(player, each) for each in asked]
    assert all(answer.ok for answer in answers)
    assert {answer.lines for answer in answers} == {(advising.line(),)}
    assert len(advising.hints) == 1
    assert (await player.ask(Question.HINT)).ok
    assert len(advising.hints) == 2


async def test_a_second_device_is_told_at_once_what_casual_would_do(advising: Advising) -> None:
    player = await at_turn(advising)
    other = player.device()
    await other.join(player.table)
    asked = await advising.stops_at(player)
    assert (await other.ask(Question.HINT)).lines == casual(other)
    await advising.thinks()
    advising.goes_on()
    assert (await answered(player, asked)).ok


async def test_whoever_hangs_up_is_not_thought_for_any_more(advising: Advising) -> None:
    first, second = await at_turn(advising), await at_turn(advising)
    await advising.stops_at(first)
    await ask(second)
    await advising.thinks(waiting=1)
    second.drop()
    await advising.thinks()
    await second.join()
    advising.goes_on()
    assert (await second.ask(Question.HINT)).ok


async def test_ten_people_ask_at_once(advising: Advising) -> None:
    """Each has a part of the time, and an answer about their own cards."""
    people = await asyncio.gather(*(at_turn(advising) for _ in range(10)))
    answers = await asyncio.gather(*(player.ask(Question.HINT) for player in people))
    lines = {Words("en").hint(advice, view) for view, advice in advising.hints}
    assert len(advising.hints) == 10
    for player, answer in zip(people, answers, strict=True):
        [advice] = [advice for view, advice in advising.hints if view == player.view]
        assert advice.action.seat == 0
        assert isinstance(advice.action, Play)
        assert advice.action.card in player.view.legal
        assert answer.lines[0] in lines
    counts = advising.bots.advised
    assert counts.total() == 10
    assert counts["usual"] + counts["hurried"] >= 1


async def test_a_table_that_moves_on_is_thought_about_anew_as_long_as_one_is_to_choose(
    advising: Advising,
) -> None:
    """At a refereed table somebody else lays a card out of turn meanwhile (I2)."""
    rules = make_ruleset("coeurs-table", {"match_end": "deals:3"})
    one, other = await Neighbour.gathered(advising, "Zoé", "Max", setup=Setup("Table", rules))
    assert (await one.do(cmd.Start())).ok
    playing = asyncio.create_task(other.play())
    await one.play(lambda: one.view_is_mine() and follows_before(1, one.view))
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    asked = await advising.stops_at(one)
    before = one.number
    await other.until(lambda: other.number >= before)
    early = await other.act(Play(1, next(iter(other.view.hand))))
    assert early.ok
    await one.until(lambda: one.number > before)
    assert asked not in one.answers
    advising.goes_on()
    answer = await answered(one, asked)
    assert answer.ok
    assert answer.number == one.number
    [(view, _)] = advising.hints
    assert view == one.view


def follows_before(seat: int, view: View) -> bool:
    """Whether a card has been led, but none laid by that seat."""
    assert isinstance(view.deal, RefereedDeal)
    laid = {each.seat for each in view.deal.laid}
    return bool(laid) and seat not in laid
