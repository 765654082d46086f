"""Queues for the choices of bots, and their runners: a thread, or worker processes.

A worker is in an OS session of its own, so that Ctrl-C at a terminal is for the server alone; it
ends when the pipe to it does, so that it never outlives the server, however the server ends.
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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

import msgspec

from volte.bots.apart import (
    LENGTH,
    READY,
    BotAnswer,
    BotQuestion,
    Findings,
    LuckQuestion,
    Question,
    ReviewQuestion,
    pack,
    repeatable,
    thought_of,
    unpack_answer,
)
from volte.bots.judged import DealLuck
from volte.bots.protocol import Bot, Clock
from volte.table.queues import FairQueue, Path
from volte.view import View

LONGEST: Final = 2**20  # bytes of a worker's answer: more than any proper answer has

STARTING: Final = 900.0
"""Seconds in which a worker has to be ready: the very first one compiles its code."""

WAITING: Final = 900.0
"""Seconds after which even a choice that must be alike is given up."""

LEAVING: Final = 1.0  # seconds in which a worker has to end by itself
FLOOR: Final = 0.005  # seconds below which no search is worth starting: some 200 playouts
CLOSING: Final = 5.0  # seconds for which closing waits for bots of this process
AGAIN: Final = 2.0  # seconds at least between the starts of two workers, once one was lost
MakeBot = Callable[[str, int], Bot]  # makes a bot of a level from a seed

WORKER: Final = (sys.executable, "-P", "-m", "volte.bots.worker")

log: Final = logging.getLogger(__name__)


def usual_number() -> int:
    """The number of workers for which this machine has room; one core is left for the tables."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(cores - 1, 1)


class NoChoice(Exception):
    """A choice has failed; the message says why, without cards."""


def _reason(error: Exception) -> str:
    """The reason why a choice has failed, without texts of other errors, which may name cards."""
    if isinstance(error, TimeoutError):
        return "it thinks for too long"
    return str(error) if isinstance(error, NoChoice) else type(error).__name__


# Runners


class ThreadRunner:
    """A thread of this process, for bots that think for less time than sending a view takes."""

    def __init__(self, bots: MakeBot) -> None:
        self._bots = bots
        self._thread = ThreadPoolExecutor(1, "bots")

    async def choose(self, question: BotQuestion) -> BotAnswer:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, thought_of, question, self._bots)

    async def end(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class Worker:
    """A process that makes one choice at a time."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.pid = process.pid
        self._process = process
        self._questions, self._answers = process.stdin, process.stdout

    @classmethod
    async def begin(cls) -> Worker:
        """Starts a worker, which is not `ready` yet. Not to be cancelled. Raises `NoChoice`."""
        try:
            process = await asyncio.create_subprocess_exec(
                *WORKER,
                stdin=PIPE,
                stdout=PIPE,
                env=_environment(),
                **_apart(),
            )
        except Exception as error:  # any failure of the system, or of this event loop
            raise NoChoice(f"it cannot be begun: {type(error).__name__}") from None
        return cls(process)

    async def ready(self) -> None:
        """Waits until the worker can be used. Raises `NoChoice`; then it has to be ended."""
        try:
            async with asyncio.timeout(STARTING):
                if await self._read() != READY:
                    raise NoChoice("it has said something else than that it is ready")
        except TimeoutError:
            raise NoChoice("it does not get ready") from None

    async def choose(self, question: BotQuestion) -> BotAnswer:
        """The choice. Raises `NoChoice`; then, or when cancelled, the worker must be ended."""
        await self._ask(question)
        return await self._answer()

    async def look_back(self, question: ReviewQuestion, listen: Callable[[int], None]) -> Findings:
        """The findings of a review. Raises `NoChoice`; then, and when it is cancelled, the worker
        has to be ended.

        Args:
            listen: called with the progress, in percent.
        """
        await self._ask(question)
        while (came := await self._answer()).percent is not None:
            listen(came.percent)
        if came.found is None:
            raise NoChoice(came.failed)
        return came.found

    async def luck_of(self, question: LuckQuestion) -> tuple[DealLuck, ...]:
        """The deals of a match that were scored, with what their cards were worth. Raises
        `NoChoice`; then, and when it is cancelled, the worker has to be ended."""
        await self._ask(question)
        came = await self._answer()
        if came.deals is None:
            raise NoChoice(came.failed)
        return came.deals

    async def _ask(self, question: Question) -> None:
        packed = pack(question)
        try:
            self._questions.write(LENGTH.pack(len(packed)) + packed)
            await self._questions.drain()
        except OSError:
            raise NoChoice(await self._why()) from None

    async def _answer(self) -> BotAnswer:
        try:
            return unpack_answer(await self._read())
        except msgspec.ValidationError:
            raise NoChoice("it has said something that is no choice") from None

    async def end(self) -> None:
        """Ends the process, whatever it is doing."""
        self._questions.close()
        try:
            await asyncio.wait_for(self._process.wait(), LEAVING)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _read(self) -> bytes:
        try:
            [length] = LENGTH.unpack(await self._answers.readexactly(LENGTH.size))
            if length > LONGEST:
                raise NoChoice("it has said too much")
            return await self._answers.readexactly(length)
        except (asyncio.IncompleteReadError, OSError):
            raise NoChoice(await self._why()) from None

    async def _why(self) -> str:
        """Ends the process, which has closed its pipe, and tells its exit status."""
        await self.end()
        return f"it has ended with status {self._process.returncode}"


def _environment() -> dict[str, str]:
    """The environment of a worker: the path of modules, and no settings but the kernel's."""
    known = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("VOLTE_") or name == "VOLTE_KERNEL"
    }
    return known | {"PYTHONPATH": os.pathsep.join(path or os.curdir for path in sys.path)}


def _apart() -> dict[str, Any]:
    """Options, by operating system, for a process that gets no keys of a terminal."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS
        return {"creationflags": flags}
    return {"start_new_session": True}


Runner = ThreadRunner | Worker  # makes one choice at a time, until it is ended


# Requests and pools


@dataclass(eq=False)
class BotRequest:
    """A request for a bot's choice, or for its advice."""

    owner: Path  # path in the queue, whose owners take turns: the table, or address and person
    level: str
    seed: int
    view: View
    advises: bool = False
    alike: bool = False  # whether the choice must be the same however busy the machine is
    result: Future[BotAnswer] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    requested: float = field(default_factory=monotonic)
    begun: float | None = None  # time when a bot began to think about it; None while it waits
    clock: Clock = Clock()  # time for which the bot may think, once it has begun

    @property
    def how(self) -> str:
        """`usual` for unlimited time, `hurried` for less; see `ChoiceMade.how`."""
        return "usual" if self.alike or self.clock == Clock() else "hurried"

    def answer(self, came: BotAnswer) -> None:
        if not self.result.done():
            self.result.set_result(came)

    def fail(self, why: str) -> None:
        if not self.result.done():
            self.result.set_exception(NoChoice(why))


class BotPool(ABC):
    """A queue, and runners that take requests from it.

    A request with none behind it has as much time as its level usually takes; else it has its share
    of the rest of its `hurried` time, and never less than `FLOOR`: so requests that come at once
    have equal shares. Requests whose choice must be alike on a busy machine and an idle one come
    after all others, are not hurried, and wait for as long as it takes.

    Args:
        hurried: seconds in which all waiting requests are to be answered.
        longest: seconds that a runner may think.
        patience: seconds that a request may wait.
    """

    closing = 0.0  # seconds for which `close` waits for runners that think

    def __init__(self, hurried: float, longest: float, patience: float) -> None:
        self._hurried = hurried
        self._longest = longest
        self._patience = patience
        self._queue = FairQueue[BotRequest]()
        self._unhurried = FairQueue[BotRequest]()  # requests for choices that must be alike
        self._idle: list[Runner] = []
        self._tasks: dict[Task[bool], Runner] = {}
        self._closed = False

    @property
    def waiting(self) -> int:
        """Number of requests in the queues."""
        return len(self._queue) + len(self._unhurried)

    @property
    def busy(self) -> int:
        """Number of requests that runners think about."""
        return len(self._tasks)

    @property
    def runners(self) -> int:
        return len(self._idle) + len(self._tasks)

    @property
    def share(self) -> float:
        """Seconds for each waiting request if one more came and all were shared out now."""
        return self._hurried * self.runners / (len(self._queue) + 1)

    async def choose(self, request: BotRequest) -> BotAnswer:
        """The bot's choice, or its advice. Raises `NoChoice`."""
        if self._closed:
            raise NoChoice("all is over")
        loop = asyncio.get_running_loop()
        queue = self._unhurried if request.alike else self._queue
        queue.put(request.owner, request)
        loop.call_soon(self._assign)  # later, so that requests made at once share the time
        patience = WAITING if request.alike else self._patience
        timer = loop.call_later(patience, self._turn_away, request)
        try:
            return await request.result
        finally:
            timer.cancel()
            queue.drop(request.owner, request)

    async def close(self) -> None:
        """Ends all runners, except lost ones."""
        self._closed = True
        runners = [*self._idle, *self._tasks.values()]
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self.closing)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(runner.end() for runner in runners))

    def _turn_away(self, request: BotRequest) -> None:
        queue = self._unhurried if request.alike else self._queue
        if queue.drop(request.owner, request):
            request.fail("it waits for too long")

    def _assign(self) -> None:
        """Gives the next requests to idle runners."""
        while self._idle and self.waiting and not self._closed:
            request = (self._queue or self._unhurried).take()
            request.begun = monotonic()
            if request.alike:
                request.clock = repeatable(request.level)
            elif self._queue:
                left = self._hurried - (request.begun - request.requested)
                share = left * self.runners / (len(self._queue) + 1)
                request.clock = Clock(milliseconds=int(max(share, FLOOR) * 1000))
            runner = self._idle.pop()
            task = asyncio.create_task(self._run(runner, request))
            self._tasks[task] = runner
            task.add_done_callback(self._done)

    async def _run(self, runner: Runner, request: BotRequest) -> bool:
        """Lets a runner choose. True if it is good for another choice, False if it was replaced."""
        level, advises = request.level, request.advises
        question = BotQuestion(level, request.seed, request.view, request.clock, advises)
        try:
            async with asyncio.timeout(WAITING if request.alike else self._longest):
                came = await runner.choose(question)
        except Exception as error:
            why = _reason(error)
            if not self._closed:
                log.error("bot_lost", extra={"level": level, "why": why})
            request.fail(why)
            await self._replace(runner)
            return False
        if (came.hint if advises else came.action) is None:
            log.error("bot_failed", extra={"level": level, "why": came.failed})
            request.fail(came.failed)
        else:
            request.answer(came)
        return True

    def _done(self, task: Task[bool]) -> None:
        runner = self._tasks.pop(task)
        if not task.cancelled() and task.result():
            self._idle.append(runner)
        self._assign()

    @abstractmethod
    async def _replace(self, runner: Runner) -> None:
        """Ends a broken runner, and puts another in its place if that is needed."""


class ThreadPool(BotPool):
    """One thread of this process, for bots that take less than it costs to send them a view."""

    closing = CLOSING

    def __init__(self, bots: MakeBot, hurried: float, longest: float) -> None:
        super().__init__(hurried, longest, patience=longest)
        self._bots = bots
        self._idle.append(ThreadRunner(bots))

    async def _replace(self, runner: Runner) -> None:
        await runner.end()
        self._idle.append(ThreadRunner(self._bots))


class WorkerPool(BotPool):
    """Worker processes, started one after the other when the running ones are all busy.

    A request that has not begun within the hurried time has no time left for a search.
    """

    def __init__(self, most: int, hurried: float, longest: float) -> None:
        super().__init__(hurried, longest, patience=hurried)
        self.lost = 0  # number of workers that were killed, failed, or had to be given up
        self.most = most  # limit of their number; with 0 there is never any
        self._starting: Task[None] | None = None
        self._new: Worker | None = None
        self._started_at = -AGAIN
        self._not_before = 0.0

    @property
    def has_room(self) -> bool:
        """Whether there would be enough time for one more request."""
        return self.share >= FLOOR

    @property
    def workers(self) -> tuple[int, ...]:
        """The ids of the worker processes."""
        runners = (*self._idle, *self._tasks.values())
        return tuple(runner.pid for runner in runners if isinstance(runner, Worker))

    def call(self) -> None:
        """Starts one more worker, where all others are busy and the limit allows it."""
        enough = self._idle or self.runners >= self.most or self._closed
        if not enough and self._starting is None and monotonic() >= self._not_before:
            self._started_at = monotonic()
            self._starting = asyncio.create_task(self._start())

    async def close(self) -> None:
        self._closed = True
        if self._new is not None:
            await self._new.end()
        if self._starting is not None:
            await asyncio.wait({self._starting})
        await super().close()

    async def _start(self) -> None:
        try:
            self._new = await Worker.begin()
            if not self._closed:
                await self._new.ready()
                self._idle.append(self._new)
                self._new = None
        except NoChoice as error:
            if not self._closed:
                log.error("bots_process_not_begun", extra={"why": str(error)})
            self._lose()
        if self._new is not None:
            await self._new.end()
        self._new = self._starting = None
        self._assign()

    def _assign(self) -> None:
        super()._assign()
        if self.waiting:
            self.call()
        while self._queue and not self.runners:
            self._queue.take().fail("nobody is there")
        while self._unhurried and not self.runners and self._starting is None:
            self._unhurried.take().fail("nobody is there")

    async def _replace(self, runner: Runner) -> None:
        self._lose()
        await runner.end()

    def _lose(self) -> None:
        """Counts a worker as lost; the next one starts after a pause, as it may fail likewise."""
        self.lost += 1
        self._not_before = self._started_at + AGAIN
