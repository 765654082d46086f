"""Bots in processes of their own: one is begun, asked, and ended.

A worker has a session of its own, so that Ctrl-C at a terminal is for the server alone; it ends
when the pipe to it does, so that it never outlives the server, whatever that dies of.
"""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from abc import ABC, abstractmethod
from asyncio import Future, Task
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from volte.bots.apart import LENGTH, READY, Came, Question, pack, thought_of, unpack_answer
from volte.bots.protocol import Bot, Clock
from volte.view import View

LONGEST: Final = 2**16
"""Bytes of an answer: more than any has."""

COMING: Final = 900.0
"""Seconds in which a worker has to be ready: the first of all compiles its code."""

LEAVING: Final = 1.0
"""Seconds in which a worker has to end by itself."""


def usual_number() -> int:
    """How many workers this machine has room for: a core is left for the tables."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(cores - 1, 1)


class Worker:
    """A process that chooses, one choice at a time.

    Attributes:
        pid: of the process.
    """

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.pid = process.pid
        self._process = process
        self._questions, self._answers = process.stdin, process.stdout

    @classmethod
    async def begin(cls) -> Worker:
        """A worker that has to get ready. Not to be cancelled. Raises `Lost`."""
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "volte.bots.worker"),
                stdin=PIPE,
                stdout=PIPE,
                env=_environment(),
                **_apart(),
            )
        except Exception as error:  # whatever the system, or this loop, cannot do
            raise Lost(f"it cannot be begun: {type(error).__name__}") from None
        return cls(process)

    async def ready(self) -> None:
        """Returns once it can be asked. Raises `Lost`; then it has to be ended."""
        try:
            async with asyncio.timeout(COMING):
                if await self._hear() != READY:
                    raise Lost("it has said something else than that it is ready")
        except TimeoutError:
            raise Lost("it does not get ready") from None

    async def choose(self, question: Question) -> Came:
        """What it chooses. Raises `Lost`; then, or if it is not waited for, it has to be ended."""
        packed = pack(question)
        try:
            self._questions.write(LENGTH.pack(len(packed)) + packed)
            await self._questions.drain()
        except OSError:
            raise Lost(await self._why()) from None
        try:
            return unpack_answer(await self._hear())
        except msgspec.ValidationError:
            raise Lost("it has said something that is no choice") from None

    async def end(self) -> None:
        """Ends the process, whatever it is doing."""
        self._questions.close()
        try:
            await asyncio.wait_for(self._process.wait(), LEAVING)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _hear(self) -> bytes:
        try:
            [length] = LENGTH.unpack(await self._answers.readexactly(LENGTH.size))
            if length > LONGEST:
                raise Lost("it has said too much")
            return await self._answers.readexactly(length)
        except (asyncio.IncompleteReadError, OSError):
            raise Lost(await self._why()) from None

    async def _why(self) -> str:
        """How the process has ended, that says no more."""
        await self.end()
        return f"it has ended with status {self._process.returncode}"


def _environment() -> dict[str, str]:
    """What a worker has to know: where modules lie, and nothing of the server's settings."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("VOLTE_") or name == "VOLTE_KERNEL"
    }
    return kept | {"PYTHONPATH": os.pathsep.join(path or os.curdir for path in sys.path)}


def _apart() -> dict[str, Any]:
    """What keeps the keys of a terminal from it, by system."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS
        return {"creationflags": flags}
    return {"start_new_session": True}


FLOOR: Final = 0.005
"""Seconds below which no search is worth its beginning: some 200 deals in the head."""


CLOSING: Final = 5.0
"""Seconds that an end waits for bots that think here."""


AGAIN: Final = 2.0
"""Seconds, at least, between the beginnings of two workers, once one was lost."""


log: Final = logging.getLogger(__name__)


@dataclass(eq=False)
class Choice:
    """One choice of a bot, or a piece of its advice.

    Attributes:
        owner: the table that it is for: owners take turns.
        came: what comes of it.
        advises: whether it is a piece of advice.
        asked: when, in seconds of `time.monotonic`.
        begun: since when somebody thinks about it; None while it waits.
        clock: what may be spent on it, once it has begun.
    """

    owner: Hashable
    level: str
    seed: int
    view: View
    came: Future[Came]
    advises: bool = False
    asked: float = field(default_factory=monotonic)
    begun: float | None = None
    clock: Clock = Clock()

    @property
    def question(self) -> Question:
        """What a runner is asked."""
        return Question(self.level, self.seed, self.view, self.clock, self.advises)

    def answer(self, came: Came) -> None:
        if not self.came.done():
            self.came.set_result(came)

    def fail(self, why: str) -> None:
        """Nothing comes of it here."""
        if not self.came.done():
            self.came.set_exception(Lost(why))


class Lane(ABC):
    """One line, and those who take from it.

    A choice that nobody waits behind has what its level usually takes; else it has its part of
    what is left of its time, and never less than `FLOOR`: so many that are asked at once have all
    the same.

    Args:
        hurried: seconds in which whatever has to wait shall be chosen.
        longest: seconds that a runner may think.
        patience: seconds that a choice may wait.

    Attributes:
        waiting: choices that nobody thinks about yet.
        busy: choices that are thought about.
        number: how many there can be of those at the same time, now.
        part: seconds for each that waits and one more, if all were asked now.
    """

    closing = 0.0
    """Seconds that an end waits for those who think."""

    def __init__(self, hurried: float, longest: float, patience: float) -> None:
        self._hurried = hurried
        self._longest = longest
        self._patience = patience
        self._line = Line[Choice]()
        self._idle: list[Runner] = []
        self._tasks: dict[Task[bool], Runner] = {}
        self._closed = False

    @property
    def waiting(self) -> int:
        return len(self._line)

    @property
    def busy(self) -> int:
        return len(self._tasks)

    @property
    def number(self) -> int:
        return len(self._idle) + len(self._tasks)

    @property
    def part(self) -> float:
        return self._hurried * self.number / (self.waiting + 1)

    async def choose(self, choice: Choice) -> Came:
        """What comes of it, which is what was asked for, as long as somebody waits for it.

        Raises `Lost`.
        """
        if self._closed:
            raise Lost("all is over")
        loop = asyncio.get_running_loop()
        self._line.put(choice.owner, choice)
        loop.call_soon(self._go_on)  # so that those who ask at the same time know of each other
        late = loop.call_later(self._patience, self._turn_away, choice)
        try:
            return await choice.came
        finally:
            late.cancel()
            self._line.drop(choice.owner, choice)

    async def close(self) -> None:
        """Nobody thinks any more, but for bots that are lost."""
        self._closed = True
        runners = [*self._idle, *self._tasks.values()]
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self.closing)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(runner.end() for runner in runners))

    def _turn_away(self, choice: Choice) -> None:
        if self._line.drop(choice.owner, choice):
            choice.fail("it waits for too long")

    def _go_on(self) -> None:
        """Whoever has nothing to do takes what is next."""
        while self._idle and self._line and not self._closed:
            choice = self._line.take()
            choice.begun = monotonic()
            if self._line:
                left = self._hurried - (choice.begun - choice.asked)
                part = left * self.number / (self.waiting + 1)
                choice.clock = Clock(milliseconds=int(max(part, FLOOR) * 1000))
            runner = self._idle.pop()
            task = asyncio.create_task(self._think(runner, choice))
            self._tasks[task] = runner
            task.add_done_callback(self._done)

    async def _think(self, runner: Runner, choice: Choice) -> bool:
        """One choice; whether the runner is up to another, or has been replaced."""
        try:
            async with asyncio.timeout(self._longest):
                came = await runner.choose(choice.question)
        except Exception as error:
            why = _why(error)
            if not self._closed:
                log.error("bot_lost", extra={"level": choice.level, "why": why})
            choice.fail(why)
            await self._replace(runner)
            return False
        if (came.hint if choice.advises else came.action) is None:
            log.error("bot_failed", extra={"level": choice.level, "why": came.failed})
            choice.fail(came.failed)
        else:
            choice.answer(came)
        return True

    def _done(self, task: Task[bool]) -> None:
        runner = self._tasks.pop(task)
        if not task.cancelled() and task.result():
            self._idle.append(runner)
        self._go_on()

    @abstractmethod
    async def _replace(self, runner: Runner) -> None:
        """Ends a runner that is of no use any more; another one takes its place, if it must."""


class Here(Lane):
    """One thread of this process, for bots that take less than it costs to send them a view."""

    closing = CLOSING

    def __init__(self, bots: MakeBot, hurried: float, longest: float) -> None:
        super().__init__(hurried, longest, patience=longest)
        self._bots = bots
        self._idle.append(InThread(bots))

    async def _replace(self, runner: Runner) -> None:
        await runner.end()
        self._idle.append(InThread(self._bots))


class Apart(Lane):
    """Worker processes, begun one after the other when there is more to think than they can.

    Whoever has not begun in the hurried time has none left for a search.

    Attributes:
        most: of them; with 0 there is never any.
        lost: workers that were killed, failed, or had to be given up.
        coming: whether the first is on its way.
        room: whether one choice more would have its time.
    """

    def __init__(self, most: int, hurried: float, longest: float) -> None:
        super().__init__(hurried, longest, patience=hurried)
        self.lost = 0
        self.most = most
        self._coming: Task[None] | None = None
        self._new: Worker | None = None
        self._called = -AGAIN
        self._not_before = 0.0

    @property
    def coming(self) -> bool:
        return self._coming is not None and not self.number

    @property
    def room(self) -> bool:
        return self.part >= FLOOR

    @property
    def workers(self) -> tuple[int, ...]:
        """The processes, by number."""
        runners = (*self._idle, *self._tasks.values())
        return tuple(runner.pid for runner in runners if isinstance(runner, Worker))

    def call(self) -> None:
        """Has one more worker come, where those there are have enough to do."""
        enough = self._idle or self.number >= self.most or self._closed
        if not enough and self._coming is None and monotonic() >= self._not_before:
            self._called = monotonic()
            self._coming = asyncio.create_task(self._begin())

    async def close(self) -> None:
        self._closed = True
        if self._new is not None:
            await self._new.end()
        if self._coming is not None:
            await asyncio.wait({self._coming})
        await super().close()

    async def _begin(self) -> None:
        try:
            self._new = await Worker.begin()
            if not self._closed:
                await self._new.ready()
                self._idle.append(self._new)
                self._new = None
        except Lost as error:
            if not self._closed:
                log.error("bots_process_not_begun", extra={"why": str(error)})
            self._lose()
        if self._new is not None:
            await self._new.end()
        self._new = self._coming = None
        self._go_on()

    def _go_on(self) -> None:
        super()._go_on()
        if self._line:
            self.call()
        while self._line and not self.number:
            self._line.take().fail("nobody is there")

    async def _replace(self, runner: Runner) -> None:
        self._lose()
        await runner.end()

    def _lose(self) -> None:
        """What is lost as soon as it has come, is not begun anew without a pause."""
        self.lost += 1
        self._not_before = self._called + AGAIN


def _why(error: Exception) -> str:
    """What has gone wrong, without what it may tell of cards."""
    if isinstance(error, TimeoutError):
        return "it thinks for too long"
    return str(error) if isinstance(error, Lost) else type(error).__name__


Item = TypeVar("Item")


class Line(Generic[Item]):
    """What waits, by whom it belongs to; owners take turns, and each one's own come in order.

    >>> line = Line[str]()
    >>> for owner, item in ("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"):
    ...     line.put(owner, item)
    >>> [line.take() for _ in range(len(line))]
    ['a1', 'b1', 'a2', 'a3']
    """

    def __init__(self) -> None:
        self._waiting: dict[Hashable, deque[Item]] = {}
        self._count = 0

    def put(self, owner: Hashable, item: Item) -> None:
        """One more, behind all others of that owner."""
        self._waiting.setdefault(owner, deque()).append(item)
        self._count += 1

    def take(self) -> Item:
        """The next one. Only where there is one."""
        owner = next(iter(self._waiting))
        items = self._waiting.pop(owner)
        if len(items) > 1:
            self._waiting[owner] = items  # behind everybody else
        self._count -= 1
        return items.popleft()

    def drop(self, owner: Hashable, item: Item) -> bool:
        """Takes one out of its turn; whether it was there."""
        items = self._waiting.get(owner)
        if items is None or item not in items:
            return False
        items.remove(item)
        if not items:
            del self._waiting[owner]
        self._count -= 1
        return True

    def __len__(self) -> int:
        return self._count


MakeBot = Callable[[str, int], Bot]
"""Makes a bot of a level from a seed."""


class Lost(Exception):
    """No choice comes of it; the words say why, without cards."""


class Runner(Protocol):
    """Makes one choice at a time."""

    async def choose(self, question: Question) -> Came:
        """What came of it. Raises `Lost` where the runner cannot go on."""
        ...

    async def end(self) -> None:
        """It is not needed any more, or has to be given up."""
        ...


class InThread:
    """A thread of this process, for bots that think so little that to send it would cost more."""

    def __init__(self, bots: MakeBot) -> None:
        self._bots = bots
        self._thread = ThreadPoolExecutor(1, "bots")

    async def choose(self, question: Question) -> Came:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, thought_of, question, self._bots)

    async def end(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
