"""An outside program as a bot: started, asked, timed, and replaced by a stand-in where it fails."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from queue import Empty, Full, Queue, SimpleQueue
from threading import Thread
from time import monotonic, perf_counter
from typing import BinaryIO, Final

import msgspec
from msgspec.structs import replace

from volte.bots import Bot, Clock, Estimate, Thought, think
from volte.bots.casual import Casual
from volte.cards import CopiedWhole
from volte.engine.language import (
    PROTOCOL,
    EngineFault,
    LineWords,
    Malformed,
    go_line,
    moon_is_open,
    position_lines,
    read_choice,
    read_estimate,
    read_info,
    read_lines,
    rules_line,
)
from volte.game import ChooseMoon, Pass, Phase, Play, SeatAction
from volte.rules import Ruleset
from volte.view import View

HELLO_SECONDS: Final = 60.0
"""Seconds for the program to introduce itself, and again to get ready for new rules; compiling may
take long."""

PATIENCE: Final = 60.0
"""Seconds for a choice where the clock names no time."""

TOLERANCE: Final = 1.3
"""Time that a choice may take, in multiples of the clock's."""

GRACE: Final = 0.5
"""Seconds allowed on top of that, for pipes and busy machines."""

MOST_IN_A_ROW: Final = 5
"""Forfeits in a row after which the program is given up."""

MOST_NOISE: Final = 1_000
"""Most lines of one answer; a longer one is garbled."""

LONGEST_SAID: Final = 200
"""Characters of the program's words that a forfeit keeps."""


class Forfeit(msgspec.Struct, frozen=True):
    """A choice that an outside program did not make."""

    reason: str  # `died`, `late`, `garbled`, `illegal` or `refused`
    deal: int  # number of the deal, from 1
    said: str = ""  # the line that was wrong, or the end of its standard error


class Failure(Exception):
    """A failure of the program, to become a `Forfeit`; if `lost`, the program is started again."""

    def __init__(self, reason: str, line: str = "", lost: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line[-LONGEST_SAID:]
        self.lost = lost


class Outside(CopiedWhole):
    """A bot that is an outside program. It is started when it is first needed.

    Where it fails to make a choice, that is a forfeit: the stand-in chooses, and the program is
    started again unless its choice was merely illegal. A copy starts a program of its own.

    Args:
        command: see `Program`.
        name: its name in faults; by default the name that the program gives itself.
        stand_in: the bot that chooses after a failure; `casual` by default.
        hello: seconds to introduce itself, and to be ready.
        patience: seconds for a choice without a time.
        tolerance: time that a choice may take, in multiples of the clock's.
        grace: seconds on top of that.
        most_in_a_row: forfeits after which `EngineFault` `program_gives_up` is raised.
        memory: see `Program`.
    """

    def __init__(
        self,
        command: str,
        *,
        name: str = "",
        stand_in: Bot | None = None,
        hello: float = HELLO_SECONDS,
        patience: float = PATIENCE,
        tolerance: float = TOLERANCE,
        grace: float = GRACE,
        most_in_a_row: int = MOST_IN_A_ROW,
        memory: int | None = None,
    ) -> None:
        self.command = command
        self.forfeits: list[Forfeit] = []
        self.identity: dict[str, str] = {}  # from its `id` lines: `name`, `version` …
        self._name = name
        self._stand_in = stand_in or Casual()
        self._hello = hello
        self._patience = patience
        self._tolerance = tolerance
        self._grace = grace
        self._most_in_a_row = most_in_a_row
        self._memory = memory
        self._in_a_row = 0
        self._program: Program | None = None
        self._rules: Ruleset | None = None
        self._sent: list[str] = []

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_program": None, "_rules": None, "_sent": []}

    @property
    def name(self) -> str:
        return self._name or self.identity.get("name", self.command)

    @property
    def pid(self) -> int | None:
        """Process number; None while no program runs."""
        return self._program.pid if self._program is not None else None

    def choose(self, view: View, clock: Clock) -> SeatAction:
        return self.think(view, clock).action

    def think(self, view: View, clock: Clock) -> Thought:
        """The program's choice with its estimates, or else the stand-in's choice.

        Raises `EngineFault` where the program cannot be started, where the rules cannot be written,
        and after too many forfeits in a row.
        """
        begun = perf_counter()
        try:
            thought = self._request(view, clock)
            self._in_a_row = 0
        except Failure as failure:
            self._forfeit(failure, view)
            thought = think(self._stand_in, view, clock)
        return replace(thought, milliseconds=(perf_counter() - begun) * 1000)

    def start(self, rules: Ruleset) -> None:
        """Get the program ready for those rules, so that its first choice comes in time.

        Raises `EngineFault` where that fails: `program_late`, `program_ended` with its exit status,
        or `program_not_ready`, each with the program's last line.
        """
        try:
            self._ready(rules)
        except Failure as failure:
            raise self._not_ready(failure) from None

    def _not_ready(self, failure: Failure) -> EngineFault:
        """The fault that says why the program, which is ended, did not get ready."""
        program, ended = self._program, failure.reason == "died"
        status = program.status() if program is not None and ended else None
        said = (self._lose(failure).splitlines() or ["–"])[-1]
        if failure.reason == "late":
            seconds = f"{self._hello:g}"
            return EngineFault("program_late", name=self.name, seconds=seconds, said=said)
        if ended:
            shown = "–" if status is None else str(status)
            return EngineFault("program_ended", name=self.name, status=shown, said=said)
        return EngineFault("program_not_ready", name=self.name, said=said)

    def close(self) -> None:
        """End the program; the next request starts it again."""
        if self._program is not None:
            self._program.end()
        self._program, self._rules, self._sent = None, None, []

    def __enter__(self) -> Outside:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Forfeits

    def _forfeit(self, failure: Failure, view: View) -> None:
        line = self._lose(failure)
        self.forfeits.append(Forfeit(failure.reason, view.deal.number, line))
        self._in_a_row += 1
        if self._in_a_row >= self._most_in_a_row:
            raise EngineFault(
                "program_gives_up",
                name=self.name,
                count=self._in_a_row,
                kind=failure.reason,
                said=line or "–",
            ) from None

    def _lose(self, failure: Failure) -> str:
        """The program's last words; if nothing more can be expected of it, it is killed first."""
        program = self._program
        if program is None or not failure.lost:
            return failure.line
        self._program, self._rules, self._sent = None, None, []
        program.end(grace=0)
        return failure.line or program.complaints[-LONGEST_SAID:]

    # The conversation

    def _request(self, view: View, clock: Clock) -> Thought:
        program = self._ready(view.state.rules)
        lines = position_lines(view)
        known = len(self._sent)
        news = lines[known:] if lines[:known] == self._sent else lines
        program.say(["isready", *news, go_line(view, clock)])
        self._sent = lines
        deadline = monotonic() + self._seconds(clock)
        # Lines before "readyok" answer an earlier question, or none.
        for line in program.lines(deadline):
            if line == "readyok":
                break
        return self._answer(program, view, deadline)

    def _seconds(self, clock: Clock) -> float:
        if clock.milliseconds is None:
            return self._patience
        return clock.milliseconds / 1000 * self._tolerance + self._grace

    def _ready(self, rules: Ruleset) -> Program:
        """The running program, with the rules sent. Raises `Failure` and `EngineFault`."""
        if self._program is None:
            self._program = Program(self.command, self._memory)
            self._program.say([f"volte {PROTOCOL}"])
            for line in self._answers(self._program, monotonic() + self._hello):
                word, _, rest = line.partition(" ")
                if word == "id":
                    name, _, value = rest.partition(" ")
                    self.identity[name] = value
                elif word == "ready":
                    break
        if rules != self._rules:
            self._program.say([rules_line(rules), "isready"])
            for line in self._answers(self._program, monotonic() + self._hello):
                if line == "readyok":
                    break
            self._rules, self._sent = rules, []
        return self._program

    def _answer(self, program: Program, view: View, deadline: float) -> Thought:
        estimates: list[Estimate] = []
        worlds = simulations = 0
        for line in self._answers(program, deadline):
            word, *rest = line.split() or [""]
            words = LineWords(rest)
            try:
                if word == "estimate":
                    estimates.append(read_estimate(words, view.seat))
                elif word == "info":
                    worlds, simulations = read_info(words)
                elif word == "choose":
                    action = read_choice(words, view.seat)
                    if not is_lawful(action, view):
                        raise Failure("illegal", line, lost=False)
                    return Thought(action, tuple(estimates), worlds, simulations)
            except Malformed:
                raise Failure("garbled", line) from None
        raise AssertionError  # the lines end with a failure

    def _answers(self, program: Program, deadline: float) -> Iterator[str]:
        """Yield the lines of an answer; the caller stops. Raises `Failure` for errors and noise."""
        line = ""
        for line in islice(program.lines(deadline), MOST_NOISE):
            if line.split()[:1] == ["error"]:
                raise Failure("refused", line)
            yield line
        raise Failure("garbled", line)


def is_lawful(action: SeatAction, view: View) -> bool:
    """Whether the action is legal for the seat of the view, whose turn it is."""
    if action.seat != view.seat:
        return False
    if isinstance(action, Play):
        return action.card in view.legal
    if isinstance(action, Pass):
        cards, count = set(action.cards), view.deal.pass_size
        passing = view.state.phase is Phase.PASSING
        return passing and len(cards) == len(action.cards) == count and cards <= set(view.hand)
    return isinstance(action, ChooseMoon) and moon_is_open(view)


MOST_LINES: Final = 10_000
"""Most unread lines of a program; one that writes more is not listened to."""

KEPT_COMPLAINTS: Final = 20
"""Lines of standard error that are kept."""

END_GRACE: Final = 1.0
"""Seconds to end after `quit`, before the program is killed."""


class Program:
    """A running program. Raises `EngineFault` where it cannot be started.

    Three threads keep its pipes moving: neither the program nor its caller can block the other.

    Args:
        command: split as a POSIX shell would, and started without one; on Windows as it stands.
        memory: bytes that each of its processes may have, but on Windows; it is then started with
            `CARRIED` of our environment and nothing else. None for a program without limits.
    """

    def __init__(self, command: str, memory: int | None = None) -> None:
        self._process = _started(command, memory)
        self._pipes = _Pipes(self._process)
        self._end = weakref.finalize(self, _end, self._process, self._pipes, os.getpid())

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def complaints(self) -> str:
        """The last lines of its standard error."""
        return "\n".join(self._pipes.complaints)

    def status(self) -> int | None:
        """Exit status, or minus the signal that killed it; None if the program does not end."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(END_GRACE)
        return None

    def say(self, lines: Iterable[str]) -> None:
        """Send lines, without waiting for them to be read."""
        self._pipes.to_say.put("".join(f"{line}\n" for line in lines).encode())

    def lines(self, deadline: float) -> Iterator[str]:
        """Yield the next lines, each before the deadline (of `monotonic`); the caller stops.

        Raises `Failure` if no line comes in time, and if far too many come.
        """
        pipes, line = self._pipes, ""
        while True:
            if pipes.flooded:
                raise Failure("garbled", line)
            if pipes.gone and pipes.lines.empty():
                raise Failure("died")
            try:
                found = pipes.lines.get(timeout=max(0.0, deadline - monotonic()))
            except Empty:
                raise Failure("late") from None
            if found is not None:
                line = found
                yield line

    def end(self, grace: float = END_GRACE) -> None:
        """Kill the program and its children; with some grace, ask it to quit before."""
        if grace:
            self.say(["quit"])
            self._pipes.to_say.put(None)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
        self._end()


class _Pipes:
    """Lines in both directions, and the threads that carry them."""

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
        """Let the threads end, once the program has ended."""
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
            self.lines.put_nowait(None)  # wakes a waiting reader

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


CARRIED: Final = (
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
    *("COMSPEC", "PATHEXT", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE"),
)
"""Environment variables that a program with limits gets: no others, which may be secrets."""

CONFINED: Final = (sys.executable, "-I", "-S", str(Path(__file__).with_name("confined.py")))


def _started(command: str, memory: int | None) -> subprocess.Popen[bytes]:
    words: str | list[str]
    try:
        words = command if sys.platform == "win32" else shlex.split(command)
    except ValueError:
        words = ""
    if not words:
        raise EngineFault("command_unreadable", text=command)
    environment = None
    if memory is not None:
        environment = {name: os.environ[name] for name in CARRIED if name in os.environ}
        if isinstance(words, list):
            words = [*CONFINED, str(memory), *words]
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
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
