"""A program of somebody else's, spoken to by lines; whatever it does, nobody waits for ever."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from queue import Empty, Full, Queue, SimpleQueue
from threading import Thread
from time import monotonic
from typing import BinaryIO, Final

from volte.engine.language import EngineFault, read_lines

MOST_LINES: Final = 10_000
"""Lines of a program that wait to be read; one that writes more is not listened to."""

KEPT_COMPLAINTS: Final = 20
"""Lines of its standard error that are kept."""

END_GRACE: Final = 1.0
"""Seconds to end after `quit`, before it is killed."""


class Gone(Exception):
    """The program has ended, or has closed its output."""


class Late(Exception):
    """No line has come in time."""


class Flood(Exception):
    """The program has written far more than anybody asked for."""


class Program:
    """A running program. Raises `EngineFault` where it cannot be started.

    Three threads keep its pipes moving: it can neither block whoever speaks to it nor be blocked.

    Args:
        command: split as a POSIX shell would, and started without one; on Windows as it stands.
    """

    def __init__(self, command: str) -> None:
        self._process = _started(command)
        self._pipes = _Pipes(self._process)
        self._end = weakref.finalize(self, _end, self._process, self._pipes, os.getpid())

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def complaints(self) -> str:
        """The end of what it has written to its standard error."""
        return "\n".join(self._pipes.complaints)

    def say(self, lines: Iterable[str]) -> None:
        """Sends lines; never waits for them to be read."""
        self._pipes.to_say.put("".join(f"{line}\n" for line in lines).encode())

    def hear(self, deadline: float) -> str:
        """Its next line, before that moment of `monotonic`. Raises `Late`, `Gone` and `Flood`."""
        pipes = self._pipes
        while True:
            if pipes.flooded:
                raise Flood
            if pipes.gone and pipes.lines.empty():
                raise Gone
            try:
                line = pipes.lines.get(timeout=max(0.0, deadline - monotonic()))
            except Empty:
                raise Late from None
            if line is not None:
                return line

    def end(self, grace: float = END_GRACE) -> None:
        """Kills it and what it has started; with some grace, asks it to quit before."""
        if grace:
            self.say(["quit"])
            self._pipes.to_say.put(None)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
        self._end()


class _Pipes:
    """The lines in both directions, and the threads that carry them."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.lines: Queue[str | None] = Queue(MOST_LINES)
        self.to_say: SimpleQueue[bytes | None] = SimpleQueue()
        self.complaints: deque[str] = deque(maxlen=KEPT_COMPLAINTS)
        self.gone = self.flooded = False
        self._threads = [
            self._carry(self._listen, process.stdout),
            self._carry(self._keep_complaints, process.stderr),
            self._carry(self._speak, process.stdin),
        ]

    def close(self) -> None:
        """Lets the threads end, once the program has."""
        self.to_say.put(None)
        for thread in self._threads:
            thread.join(END_GRACE)

    def _carry(self, along: Callable[[BinaryIO], None], pipe: object) -> Thread:
        thread = Thread(target=along, args=(pipe,), daemon=True)
        thread.start()
        return thread

    def _listen(self, pipe: BinaryIO) -> None:
        with suppress(OSError), pipe:
            for line in read_lines(pipe):
                try:
                    self.lines.put_nowait(line or "")
                except Full:
                    self.flooded = True
        self.gone = True
        with suppress(Full):
            self.lines.put_nowait(None)  # wakes whoever waits

    def _keep_complaints(self, pipe: BinaryIO) -> None:
        with suppress(OSError), pipe:
            for line in read_lines(pipe):
                if line:
                    self.complaints.append(line)

    def _speak(self, pipe: BinaryIO) -> None:
        with suppress(OSError), pipe:
            while (text := self.to_say.get()) is not None:
                pipe.write(text)
                pipe.flush()


def _started(command: str) -> subprocess.Popen[bytes]:
    try:
        words = command if sys.platform == "win32" else shlex.split(command)
    except ValueError:
        words = ""
    if not words:
        raise EngineFault("command_unreadable", text=command)
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is ours alone, and its children can be killed with it
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise EngineFault("program_not_started", text=command, why=why) from None


def _end(process: subprocess.Popen[bytes], pipes: _Pipes, owner: int) -> None:
    if os.getpid() != owner:  # a copy of the owner's memory, after a fork
        return
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(END_GRACE)
    pipes.close()
