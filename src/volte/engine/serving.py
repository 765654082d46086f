"""A session between two pipes: one thread reads, the other thinks and answers."""

from __future__ import annotations

from collections.abc import Callable
from queue import Queue
from threading import Lock, Thread
from time import monotonic
from typing import BinaryIO, Final

from volte.engine.language import read_lines
from volte.engine.session import EngineSession

QUIT_GRACE: Final = 0.5
"""Seconds that `quit` leaves for choices already asked for."""

MOST_WAITING: Final = 10_000
"""Most lines that wait while the engine thinks; then reading stops."""

END_GRACE: Final = 5.0
"""Seconds of thinking after the end of the input; then the choices come at once."""


def serve(session: EngineSession, source: BinaryIO, write: Callable[[str], None]) -> None:
    """Answer every line of the source, until `quit` or its end.

    While the engine thinks, `isready` is answered, `stop` asks for the choice now, `quit` ends.
    Questions asked before the end of the source are answered. Raises what `write` raises.
    """
    output = _Output(write)
    worker = _Worker(session, output)
    session.stopped = worker.is_stopped
    worker.start()
    for line in read_lines(source):
        words = (line or "").split()
        if worker.thinking and words == ["isready"]:
            output.write(["readyok"])
        elif worker.thinking and words == ["stop"]:
            worker.stop()
        else:
            worker.give(line)
        if words == ["quit"] or output.failure is not None:
            worker.end()
            worker.join(QUIT_GRACE)
            break
    else:
        worker.end()
        worker.join()
    output.close()


class _End:
    """The end of the input, as an item of the inbox."""


class _Worker(Thread):
    """The thread that obeys line after line. It ends with the program, even in mid-thought."""

    def __init__(self, session: EngineSession, output: _Output) -> None:
        super().__init__(daemon=True)
        self._session = session
        self._output = output
        self._inbox: Queue[str | _End | None] = Queue(MOST_WAITING)
        self._requested = self._answered = self._stopped = 0
        self._ended = False
        self._deadline: float | None = None

    @property
    def thinking(self) -> bool:
        """Whether a requested choice is still to come."""
        return self._requested > self._answered

    def give(self, line: str | None) -> None:
        """Queue a line; called by the reading thread."""
        self._requested += _asks(line)
        self._inbox.put(line)

    def end(self) -> None:
        """Mark the end of the input; called by the reading thread."""
        self._ended = True
        self._inbox.put(_End())

    def stop(self) -> None:
        """Ask for the requested choices now; called by the reading thread."""
        self._stopped = self._requested

    def is_stopped(self) -> bool:
        """Whether the choice under way is wanted now.

        A bot asks this while it thinks, and not while code is compiled. So the time that the end of
        the input leaves begins when the bot can think at all.
        """
        if self._ended and self._deadline is None:
            self._deadline = monotonic() + END_GRACE
        late = self._deadline is not None and monotonic() >= self._deadline
        return late or self._stopped > self._answered

    def run(self) -> None:
        while not self._session.over:
            line = self._inbox.get()
            if isinstance(line, _End):
                return
            self._output.write(self._session.hear(line))
            self._answered += _asks(line)


def _asks(line: str | None) -> bool:
    return line is not None and line.split()[:1] == ["go"]


class _Output:
    """Output that both threads write to, each answer whole."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self.failure: OSError | None = None  # why nothing more can be written
        self._write = write
        self._lock = Lock()
        self._closed = False

    def write(self, lines: list[str]) -> None:
        with self._lock:
            if self._closed or self.failure is not None:
                return
            try:
                for line in lines:
                    self._write(line)
            except OSError as error:
                self.failure = error

    def close(self) -> None:
        """Stop all writing, so that no thread writes while the program ends.

        Raises the failure, if there was one.
        """
        if self._lock.acquire(timeout=QUIT_GRACE):  # else the other side is not reading
            self._closed = True
            self._lock.release()
        if self.failure is not None:
            raise self.failure
