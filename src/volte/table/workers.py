"""Bots in processes of their own: one is begun, asked, and ended.

A worker has a session of its own, so that Ctrl-C at a terminal is for the server alone; it ends
when the pipe to it does, so that it never outlives the server, whatever that dies of.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from typing import Any, Final

import msgspec

from volte.bots.apart import LENGTH, READY, BotAnswer, BotQuestion, pack, unpack_answer
from volte.table.runner import Lost

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

    async def choose(self, question: BotQuestion) -> BotAnswer:
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
