"""Hints at a live table: what `expert` would do, thought of beside everything else there."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Hashable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest
from kit.people import Guest, Player
from kit.sites import Site, serving
from msgspec.structs import replace
from server.test_metrics import grown, scrape

from volte.bots import Hint, hint
from volte.bots.apart import BotQuestion as Thought
from volte.bots.apart import pack
from volte.bots.race import unlike
from volte.fair import House as Dealer
from volte.game import Pass, Phase, Play
from volte.game.codec import encode
from volte.referee import RefereedDeal
from volte.rules import make_ruleset
from volte.say import Words
from volte.table import Setup, thinking, workers
from volte.table import commands as cmd
from volte.view import View
from volte.wire.messages import Answer, Ask, Question

LONG: Final = 60.0


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks waits, however busy the machine is."""
    monkeypatch.setattr(thinking, "PATIENCE", LONG)


class House:
    """One server for all the tests of this file, since its worker takes a while to come.

    It deals the same cards in every story, and its bots wait in the line for as long as they must.

    Attributes:
        hints: what people have been advised in the present story, and what about.
    """

    def __init__(self, runner: asyncio.Runner, site: Site) -> None:
        self.hints: list[tuple[View, Hint]] = []
        self._runner = runner
        self._site = site
        self._bots = site.room.lobby.thinking
        self._bots._apart._patience = LONG
        self._advise = self._bots.advise
        self._seeds = count()
        lobby = site.room.lobby
        at_once = replace(lobby._services.timing, turn_down=0.0, cut=0.0)
        lobby._services = replace(lobby._services, house=self._dealer, timing=at_once)

    def tell(self, story: Callable[[Site], Coroutine[Any, Any, None]]) -> None:
        """Tells it to its end, from when a worker is there."""
        self._runner.run(self._told(story))

    async def _told(self, story: Callable[[Site], Coroutine[Any, Any, None]]) -> None:
        await worker_of(self._site)
        self._seeds = count()
        self.hints.clear()
        self._bots.advised.clear()
        with patch.object(self._bots, "advise", self._noted):
            await asyncio.wait_for(story(self._site), LONG)

    def _dealer(self) -> Dealer:
        return Dealer.from_seed(next(self._seeds))

    async def _noted(self, view: View, owner: Hashable = None) -> Hint:
        advised = await self._advise(view, owner)
        self.hints.append((view, advised))
        return advised

    def line(self) -> str:
        """The sentence of the last hint."""
        view, advised = self.hints[-1]
        return Words("en").hint(advised, view)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with asyncio.Runner() as runner:
        opened = serving(tmp_path_factory.mktemp("house"), thinkers=1)
        yield House(runner, runner.run(opened.__aenter__()))
        runner.run(opened.__aexit__(None, None, None))


async def worker_of(site: Site) -> int:
    """A worker that is there, and has nothing to do."""
    bots = site.room.lobby.thinking
    async with asyncio.timeout(LONG):
        while not bots.workers or bots.busy:
            bots._apart.call()
            await asyncio.sleep(0.02)
    return bots.workers[0]


async def seated(site: Site, preset: str = "microsoft", /, **options: Any) -> Player:
    """Somebody at a table with bots where a match has begun."""
    rules = make_ruleset(preset, {"match_end": "deals:1"} | options)
    player = await Player.come(site.address)
    levels = ("casual",) * (rules.players - 1)
    await player.join(await player.open_table(levels, Setup("Table", rules)), told=True)
    await player.prefer(bot_pace=0, trick_pace=0)
    assert (await player.do(cmd.Start())).ok
    return player


async def at_turn(site: Site, preset: str = "microsoft", /, **options: Any) -> Player:
    """The same, who may play several cards that are not alike."""
    player = await seated(site, preset, **options)
    await player.play(lambda: player.view_is_mine() and len(unlike(player.view)) > 2)
    return player


async def ask(player: Guest, what: Question = Question.HINT) -> str:
    """Asks, and does not wait; the id of the question."""
    asking = player.next_id()
    await player.send(encode(Ask(asking, what)).decode())
    return asking


async def answered(player: Guest, asking: str) -> Answer:
    await player.until(lambda: asking in player.answers)
    return player.answers[asking]


async def thought_of(site: Site, waiting: int = 0) -> None:
    """Returns once a worker is busy, and so many more wait."""
    bots = site.room.lobby.thinking
    async with asyncio.timeout(LONG):
        while (bots.busy, bots.waiting) != (1, waiting):
            await asyncio.sleep(0.002)


# What is advised

TABLES: Final[list[tuple[str, dict[str, Any]]]] = [
    ("microsoft", {}),
    ("cancellation", {"players": 6}),
    ("partnership", {}),
    ("coeurs-table", {}),
]


@pytest.mark.parametrize(("preset", "options"), TABLES)
def test_a_hint_tells_what_expert_would_play_and_what_else_would_cost(
    preset: str, options: dict[str, Any], house: House
) -> None:
    async def story(site: Site) -> None:
        player = await at_turn(site, preset, **options)
        answer = await player.ask(Question.HINT)
        assert answer.ok
        assert answer.number == player.number
        [(view, advice)] = house.hints
        assert view == player.view
        assert isinstance(advice.action, Play)
        assert advice.action.card in view.legal
        assert advice.others
        assert answer.lines == (house.line(),)
        assert site.room.lobby.thinking.advised == {"usual": 1}
        await player.leave()

    house.tell(story)


def test_a_hint_tells_what_expert_would_pass(house: House) -> None:
    async def story(site: Site) -> None:
        player = await seated(site)
        await player.play(lambda: player.match is not None and player.match.phase is Phase.PASSING)
        answer = await player.ask(Question.HINT)
        [(_, advice)] = house.hints
        assert isinstance(advice.action, Pass)
        assert set(advice.action.cards) <= set(player.view.hand)
        assert advice.others
        assert answer.lines == (house.line(),)
        assert (await player.act(advice.action)).ok
        await player.leave()

    house.tell(story)


def test_a_worker_is_told_what_the_person_has_seen_and_nothing_else(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Thought] = []

    def noted(question: Thought) -> bytes:
        sent.append(question)
        return pack(question)

    async def story(site: Site) -> None:
        monkeypatch.setattr(workers, "pack", noted)
        player = await at_turn(site)
        for _ in range(4):
            assert (await player.ask(Question.HINT)).ok
            assert sent.pop().view == player.view, "folded from what the person was told"
            assert not sent
            card = next(iter(player.view.legal))
            assert (await player.act(Play(0, card))).ok
            await player.play(player.view_is_mine)
        await player.leave()

    house.tell(story)


def test_nobody_is_advised_where_nobody_is_to_be(house: House) -> None:
    async def story(site: Site) -> None:
        rules = make_ruleset("microsoft", {"match_end": "deals:1"})
        for reason, hints in (("no_hints", False), ("no_hint_now", True)):
            player, watcher = [await Player.come(site.address) for _ in range(2)]
            table = await player.open_table(setup=Setup("Table", rules, hints=hints))
            await player.join(table)
            await watcher.join(table)
            await player.prefer(bot_pace=0, trick_pace=0)
            assert await refused(player) == reason
            await player.do(cmd.Start())
            await player.play(player.view_is_mine)
            assert await refused(watcher) == reason
            if hints:
                assert (await player.do(cmd.Pause())).ok
            assert await refused(player) == reason
            await player.leave()
            await watcher.leave()
        assert not site.room.lobby.thinking.advised

    house.tell(story)


async def refused(player: Guest) -> str:
    """Why somebody is given no hint."""
    answer = await player.ask(Question.HINT)
    assert answer.refusal is not None
    return answer.refusal.reason


# Whatever becomes of the worker


async def test_before_a_worker_has_come_a_hint_is_of_casual(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        player = await at_turn(site)
        answer = await player.ask(Question.HINT)
        assert answer.lines == (Words("en").hint(hint(player.view), player.view),)
        await player.leave()


def test_a_worker_killed_while_it_thinks_of_a_hint_leaves_one_of_casual(house: House) -> None:
    async def story(site: Site) -> None:
        [worker] = site.room.lobby.thinking.workers
        player = await at_turn(site)
        os.kill(worker, signal.SIGSTOP)
        asked = await ask(player)
        await thought_of(site)
        os.kill(worker, signal.SIGKILL)
        answer = await answered(player, asked)
        assert answer.lines == (Words("en").hint(hint(player.view), player.view),)
        assert await worker_of(site) != worker
        assert (await player.ask(Question.HINT)).ok
        await player.leave()

    house.tell(story)


# Nothing waits for it


def test_what_is_said_after_the_question_is_answered_before_it(house: House) -> None:
    """A card as well: then there is nothing left to advise."""

    async def story(site: Site) -> None:
        [worker] = site.room.lobby.thinking.workers
        player = await at_turn(site)
        os.kill(worker, signal.SIGSTOP)
        asked = await ask(player)
        await thought_of(site)
        assert (await player.ask(Question.SCORES)).ok
        assert (await player.prefer(lang="fr")).ok
        assert asked not in player.answers
        card = next(iter(player.view.legal))
        assert (await player.act(Play(0, card))).ok
        refused = await answered(player, asked)
        assert refused.refusal is not None
        assert refused.refusal.reason == "no_hint_now"
        await player.play(lambda: player.view_is_mine() and len(unlike(player.view)) > 1)
        os.kill(worker, signal.SIGCONT)
        again = await player.ask(Question.HINT)
        assert again.ok
        assert again.lines[0].startswith("Joue")
        await player.leave()

    house.tell(story)


def test_a_hint_comes_as_soon_as_it_is_there_and_in_the_language_that_is_read_then(
    house: House,
) -> None:
    async def story(site: Site) -> None:
        [worker] = site.room.lobby.thinking.workers
        player = await at_turn(site)
        os.kill(worker, signal.SIGSTOP)
        asked = await ask(player)
        await thought_of(site)
        assert (await player.prefer(lang="fr")).ok
        os.kill(worker, signal.SIGCONT)
        answer = await answered(player, asked)
        assert answer.ok
        assert answer.lines[0].startswith("Joue")
        await player.leave()

    house.tell(story)


def test_the_key_pressed_a_hundred_times_asks_once(house: House) -> None:
    async def story(site: Site) -> None:
        [worker] = site.room.lobby.thinking.workers
        player = await at_turn(site)
        os.kill(worker, signal.SIGSTOP)
        asked = [await ask(player) for _ in range(100)]
        assert (await player.ask(Question.SCORES)).ok
        assert not set(asked) & set(player.answers)
        await thought_of(site)
        os.kill(worker, signal.SIGCONT)
        answers = [await answered(player, each) for each in asked]
        assert all(answer.ok for answer in answers)
        assert {answer.lines for answer in answers} == {(house.line(),)}
        assert len(house.hints) == 1
        assert (await player.ask(Question.HINT)).ok
        assert len(house.hints) == 2
        await player.leave()

    house.tell(story)


def test_a_second_device_is_told_at_once_what_casual_would_do(house: House) -> None:
    async def story(site: Site) -> None:
        [worker] = site.room.lobby.thinking.workers
        player = await at_turn(site)
        other = Guest(site.address, player.cookie, player.person, player.name)
        await other.join(player.table)
        os.kill(worker, signal.SIGSTOP)
        asked = await ask(player)
        await thought_of(site)
        answer = await other.ask(Question.HINT)
        assert answer.lines == (Words("en").hint(hint(other.view), other.view),)
        await thought_of(site)
        os.kill(worker, signal.SIGCONT)
        assert (await answered(player, asked)).ok
        await player.leave()
        await other.leave()

    house.tell(story)


def test_whoever_hangs_up_is_not_thought_for_any_more(house: House) -> None:
    async def story(site: Site) -> None:
        [worker] = site.room.lobby.thinking.workers
        first, second = await at_turn(site), await at_turn(site)
        os.kill(worker, signal.SIGSTOP)
        await ask(first)
        await thought_of(site)
        await ask(second)
        await thought_of(site, waiting=1)
        second.drop()
        await thought_of(site)
        await second.join()
        os.kill(worker, signal.SIGCONT)
        assert (await second.ask(Question.HINT)).ok
        await first.leave()
        await second.leave()

    house.tell(story)


def test_ten_people_ask_at_once(house: House) -> None:
    """Each has a part of the time, and an answer about their own cards."""

    async def story(site: Site) -> None:
        people = await asyncio.gather(*(at_turn(site) for _ in range(10)))
        answers = await asyncio.gather(*(player.ask(Question.HINT) for player in people))
        told = {Words("en").hint(advice, view) for view, advice in house.hints}
        assert len(house.hints) == 10
        for player, answer in zip(people, answers, strict=True):
            [advice] = [advice for view, advice in house.hints if view == player.view]
            assert advice.action.seat == 0
            assert isinstance(advice.action, Play)
            assert advice.action.card in player.view.legal
            assert answer.lines[0] in told
        counts = site.room.lobby.thinking.advised
        assert counts.total() == 10
        assert counts["usual"] + counts["hurried"] >= 1
        await asyncio.gather(*(player.leave() for player in people))

    house.tell(story)


def test_a_table_that_moves_on_is_thought_about_anew_as_long_as_one_is_to_choose(
    house: House,
) -> None:
    """At a refereed table somebody else lays a card out of turn meanwhile (I2)."""

    async def story(site: Site) -> None:
        [worker] = site.room.lobby.thinking.workers
        rules = make_ruleset("coeurs-table", {"match_end": "deals:3"})
        one, other = [await Player.come(site.address, name) for name in ("Zoé", "Max")]
        table = await one.open_table(("", "casual", "casual"), Setup("Table", rules))
        for player in (one, other):
            await player.join(table)
            await player.prefer(bot_pace=0, trick_pace=0)
        assert (await other.do(cmd.Sit(1))).ok
        assert (await one.do(cmd.Start())).ok
        playing = asyncio.create_task(other.play())
        await one.play(lambda: one.view_is_mine() and follows_before(1, one.view))
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        os.kill(worker, signal.SIGSTOP)
        asked = await ask(one)
        await thought_of(site)
        before = one.number
        await other.until(lambda: other.number >= before)
        early = await other.act(Play(1, next(iter(other.view.hand))))
        assert early.ok
        await one.until(lambda: one.number > before)
        assert asked not in one.answers
        os.kill(worker, signal.SIGCONT)
        answer = await answered(one, asked)
        assert answer.ok
        assert answer.number == one.number
        [(view, _)] = house.hints
        assert view == one.view
        await one.leave()
        await other.leave()

    house.tell(story)


def follows_before(seat: int, view: View) -> bool:
    """Whether a card has been led, but none laid by that seat."""
    assert isinstance(view.deal, RefereedDeal)
    laid = {each.seat for each in view.deal.laid}
    return bool(laid) and seat not in laid


# What is counted


def test_hints_are_counted_and_are_no_choices_of_bots(house: House) -> None:
    async def story(site: Site) -> None:
        player = await at_turn(site)
        before = await scrape(site.address)
        assert (await player.ask(Question.HINT)).ok
        after = await scrape(site.address)
        assert grown(before, after, "volte_hints_total", how="usual") == 1
        assert grown(before, after, "volte_hint_seconds_count") == 1
        assert grown(before, after, "volte_hint_seconds_sum") > 0
        assert not any(
            grown(before, after, name, **dict(labels))
            for name, labels in after
            if name.startswith("volte_bots_choice")
        )
        await player.leave()

    house.tell(story)
