"""Outside engines at tables: the server's administrator names them; hosts seat them by name.

Each seat has a process of its own, since one that sat at two seats of a table would see two hands.
It gets its seat's view, has limits of time and memory, and is ended when its seat has not asked for
a while. Where it fails to choose, the caller has another bot choose.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from math import inf
from time import monotonic
from typing import Final, NamedTuple

from volte.bots.apart import BotAnswer
from volte.bots.protocol import Clock
from volte.engine import EngineFault, Outside
from volte.table.workers import CLOSING, BotRequest, NoChoice
from volte.view import View

STARTING: Final = 10.0
"""Seconds in which a program has to introduce itself, and again to be ready for new rules."""

RESTING: Final = 60.0
"""Seconds after its last request until the process of a seat is ended."""

AGAIN: Final = 2.0
"""Seconds until a failed program is started again; twice as long after each further failure."""

LONGEST_PAUSE: Final = 300.0
"""The longest wait until a failed program is started again, in seconds."""

MIB: Final = 2**20

log: Final = logging.getLogger(__name__)


class EngineTerms(NamedTuple):
    """Limits of engines at tables."""

    seconds: float = 1.0  # time for a choice; an answer after half as much again is too late
    memory: int = 1024  # memory of each process, in MiB
    processes: int = 8  # processes at a time, of all engines together


class EnginePool(Mapping[str, str]):
    """The engines that can be seated: their command lines by their names."""

    def __init__(
        self, commands: Mapping[str, str] | None = None, terms: EngineTerms | None = None
    ) -> None:
        self._commands = dict(commands or {})
        self._terms = terms or EngineTerms()
        self._clock = Clock(milliseconds=max(1, int(self._terms.seconds * 1000)))
        self._seated: dict[Hashable, SeatedEngine] = {}
        self._pauses = dict.fromkeys(self._commands, 0.0)
        self._not_before = dict.fromkeys(self._commands, -inf)
        self._full = self._closed = False

    def __getitem__(self, name: str) -> str:
        return self._commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._commands)

    def __len__(self) -> int:
        return len(self._commands)

    @property
    def busy(self) -> int:
        """Number of choices that engines are thinking about."""
        return sum(each.busy for each in self._seated.values())

    @property
    def processes(self) -> tuple[int, ...]:
        """The ids of the running processes."""
        return tuple(each.pid for each in self._seated.values() if each.pid is not None)

    async def choose(self, request: BotRequest) -> BotAnswer:
        """The choice of the engine that the request names as its level. Raises `NoChoice`."""
        if self._closed:
            raise NoChoice("all is over")
        name, seat = request.level, (request.owner, request.view.seat, request.level)
        engine = self._seated.get(seat)
        if (engine is None or engine.pid is None) and monotonic() < self._not_before[name]:
            raise NoChoice("it has failed, and is started again later")
        if engine is None:
            engine = self._seated[seat] = self._begun(name)
        request.begun = monotonic()
        engine.busy += 1
        try:
            answer = await engine.choose(request.view, self._clock)
        except NoChoice as error:
            log.error("engine_failed", extra={"engine": name, "why": str(error)})
            if engine.pid is None:
                pause = min(max(AGAIN, 2 * self._pauses[name]), LONGEST_PAUSE)
                self._pauses[name], self._not_before[name] = pause, monotonic() + pause
            raise
        finally:
            engine.busy -= 1
            engine.rests_at = monotonic() + RESTING
            asyncio.get_running_loop().call_later(RESTING, self._rest, seat)
        self._pauses[name] = 0.0
        return answer

    async def close(self) -> None:
        """Ends all the processes."""
        self._closed = True
        ended = [asyncio.wrap_future(engine.end()) for engine in self._seated.values()]
        self._seated.clear()
        if ended:
            await asyncio.wait(ended, timeout=CLOSING)

    def _rest(self, seat: Hashable) -> None:
        """Ends the process of a seat that has not asked for a while."""
        engine = self._seated.get(seat)
        if engine is not None and not engine.busy and monotonic() >= engine.rests_at:
            del self._seated[seat]
            engine.end()

    def _begun(self, name: str) -> SeatedEngine:
        """An engine for one more seat; its process starts with its first choice."""
        if len(self._seated) >= self._terms.processes:
            if not self._full:
                log.warning("engines_full", extra={"most": self._terms.processes})
            self._full = True
            raise NoChoice("there are as many processes as there may be")
        self._full = False
        return SeatedEngine(name, self._commands[name], self._terms.memory * MIB)


class SeatedEngine:
    """The engine of one seat, and the thread that speaks with its process."""

    def __init__(self, name: str, command: str, memory: int) -> None:
        self.busy = 0  # number of choices under way
        self.rests_at = inf
        self._outside = Outside(command, name=name, hello=STARTING, memory=memory)
        self._thread = ThreadPoolExecutor(1, "engine")

    @property
    def pid(self) -> int | None:
        """The id of the engine's process; None while none runs."""
        return self._outside.pid

    async def choose(self, view: View, clock: Clock) -> BotAnswer:
        """The engine's choice. Raises `NoChoice` with the kind of failure, without its output."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._choose, view, clock)

    def _choose(self, view: View, clock: Clock) -> BotAnswer:
        before = len(self._outside.forfeits)
        try:
            self._outside.start(view.state.rules)
            thought = self._outside.think(view, clock)
        except Exception as error:  # also a fault of Volte: the table goes on in any case
            if len(self._outside.forfeits) == before:
                why = error.reason if isinstance(error, EngineFault) else type(error).__name__
                raise NoChoice(why) from None
        if len(self._outside.forfeits) > before:
            raise NoChoice(self._outside.forfeits[-1].reason)
        return BotAnswer(thought.action)

    def end(self) -> Future[None]:
        """Ends the process, after a choice that is under way."""
        ended = self._thread.submit(self._outside.close)
        self._thread.shutdown(wait=False)
        return ended
