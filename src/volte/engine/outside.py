"""An outside program as a bot: started, asked, timed, and stood in for where it fails."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from time import monotonic, perf_counter
from types import TracebackType
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.bots import Bot, Clock, Estimate, Thought, think
from volte.bots.casual import Casual
from volte.cards import CopiedWhole
from volte.engine.language import (
    PROTOCOL,
    EngineFault,
    go_line,
    moon_is_open,
    position_lines,
    rules_line,
)
from volte.engine.program import Flood, Gone, Late, Program
from volte.engine.reading import Choice, LineWords, Malformed, read_choice, read_estimate, read_info
from volte.game import ChooseMoon, Phase, Play, SeatAction
from volte.rules import Ruleset
from volte.view import View

HELLO_SECONDS: Final = 60.0
"""To say who it is, and again to be ready for new rules; compiling may take long."""

PATIENCE: Final = 60.0
"""Seconds for a choice where the clock names no time."""

TOLERANCE: Final = 1.3
"""Times the time of the clock that a choice may take."""

GRACE: Final = 0.5
"""Seconds on top of that, for pipes and busy machines."""

MOST_IN_A_ROW: Final = 5
"""Forfeits, one after the other, before nothing more is expected of the program."""

MOST_NOISE: Final = 1_000
"""Lines of one answer that mean nothing."""

LONGEST_SAID: Final = 200
"""Characters of what it said that a forfeit keeps."""


class Forfeit(msgspec.Struct, frozen=True):
    """A choice that an outside program did not make."""

    reason: str  # `died`, `late`, `garbled`, `illegal` or `refused`
    deal: int  # number of the deal, from 1
    said: str = ""  # the line that was wrong, or the end of its standard error


class Failure(Exception):
    """What becomes a `Forfeit`; where all is lost, the program is to be started again."""

    def __init__(self, reason: str, said: str = "", lost: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.said = said[-LONGEST_SAID:]
        self.lost = lost


class Outside(CopiedWhole):
    """A bot that is an outside program. It is started when it is first needed.

    A choice that it fails to make is a forfeit: the stand-in makes it, and the program is started
    again unless it only chose what it may not. A copy starts a program of its own.

    Args:
        command: see `Program`.
        name: what it is called in faults; what it calls itself where it is left out.
        stand_in: `casual` where it is left out.
        hello: seconds to say who it is, and to be ready.
        patience: seconds for a choice without a time.
        tolerance: times its time that a choice may take.
        grace: seconds on top of that.
        most_in_a_row: forfeits after which `EngineFault` `program_gives_up` is raised.
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
        """The number of its process; None while none runs."""
        return self._program.pid if self._program is not None else None

    def choose(self, view: View, clock: Clock) -> SeatAction:
        """See `think`."""
        return self.think(view, clock).action

    def think(self, view: View, clock: Clock) -> Thought:
        """What the program chooses, with its estimates, or else what the stand-in does.

        Raises `EngineFault` where the program cannot be started, where the rules cannot be told,
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
        """Gets the program ready for those rules, so that its first choice comes in time.

        Raises `EngineFault` where that fails.
        """
        try:
            self._ready(rules)
        except Failure as failure:
            said = self._lose(failure) or "–"
            raise EngineFault(
                "program_not_ready", name=self.name, kind=failure.reason, said=said
            ) from None

    def close(self) -> None:
        """Ends the program; it starts again when it is asked again."""
        if self._program is not None:
            self._program.end()
        self._program, self._rules, self._sent = None, None, []

    def __enter__(self) -> Outside:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Forfeits

    def _forfeit(self, failure: Failure, view: View) -> None:
        said = self._lose(failure)
        self.forfeits.append(Forfeit(failure.reason, view.deal.number, said))
        self._in_a_row += 1
        if self._in_a_row >= self._most_in_a_row:
            raise EngineFault(
                "program_gives_up",
                name=self.name,
                count=self._in_a_row,
                kind=failure.reason,
                said=said or "–",
            ) from None

    def _lose(self, failure: Failure) -> str:
        """What the program has said last, once it is dead where nothing more can be expected."""
        program = self._program
        if program is None or not failure.lost:
            return failure.said
        self._program, self._rules, self._sent = None, None, []
        program.end(grace=0)
        return failure.said or program.complaints[-LONGEST_SAID:]

    # The conversation

    def _request(self, view: View, clock: Clock) -> Thought:
        program = self._ready(view.state.rules)
        lines = position_lines(view)
        known = len(self._sent)
        news = lines[known:] if lines[:known] == self._sent else lines
        program.say(["isready", *news, go_line(view, clock)])
        self._sent = lines
        deadline = monotonic() + self._seconds(clock)
        # What comes before "readyok" answers an earlier question, or none.
        for line in _lines(program, deadline):
            if line == "readyok":
                break
        return self._answer(program, view, deadline)

    def _seconds(self, clock: Clock) -> float:
        if clock.milliseconds is None:
            return self._patience
        return clock.milliseconds / 1000 * self._tolerance + self._grace

    def _ready(self, rules: Ruleset) -> Program:
        """The running program, told the rules. Raises `Failure` and `EngineFault`."""
        if self._program is None:
            self._program = Program(self.command)
            self._say_hello(self._program)
        if rules != self._rules:
            self._program.say([rules_line(rules), "isready"])
            for line in self._answers(self._program, monotonic() + self._hello):
                if line == "readyok":
                    break
            self._rules, self._sent = rules, []
        return self._program

    def _say_hello(self, program: Program) -> None:
        program.say([f"volte {PROTOCOL}"])
        for line in self._answers(program, monotonic() + self._hello):
            word, _, rest = line.partition(" ")
            if word == "id":
                name, _, value = rest.partition(" ")
                self.identity[name] = value
            elif word == "ready":
                return

    def _answer(self, program: Program, view: View, deadline: float) -> Thought:
        assert view.seat is not None
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
                    action = _lawful(read_choice(words, view.seat), view, line)
                    return Thought(action, tuple(estimates), worlds, simulations)
            except Malformed:
                raise Failure("garbled", line) from None
        raise AssertionError  # the lines end with a failure

    def _answers(self, program: Program, deadline: float) -> Iterator[str]:
        """The lines of its answer; the caller stops. Raises `Failure` for errors and noise."""
        line = ""
        for line in islice(_lines(program, deadline), MOST_NOISE):
            if line.split()[:1] == ["error"]:
                raise Failure("refused", line)
            yield line
        raise Failure("garbled", line)


def _lines(program: Program, deadline: float) -> Iterator[str]:
    """Its lines. Raises `Failure` where nothing comes, and where far too much does."""
    line = ""
    while True:
        try:
            line = program.hear(deadline)
        except Late:
            raise Failure("late") from None
        except Gone:
            raise Failure("died") from None
        except Flood:
            raise Failure("garbled", line) from None
        yield line


def _lawful(action: Choice, view: View, line: str) -> Choice:
    """The action, if the seat may take it. Raises `Failure`."""
    if isinstance(action, Play):
        lawful = action.card in view.legal
    elif isinstance(action, ChooseMoon):
        lawful = moon_is_open(view)
    else:
        cards, count = set(action.cards), view.deal.pass_size
        passing = view.state.phase is Phase.PASSING
        lawful = passing and len(cards) == len(action.cards) == count and cards <= set(view.hand)
    if not lawful:
        raise Failure("illegal", line, lost=False)
    return action
