"""A console that tells news while somebody types.

Acts of others are told at once, in lines of their own, also while a question is open: after the
line is entered it would be too late to hear that a clock runs or that no answer is wanted any
more. The question is then asked again, once all is told. Nothing is redrawn. A half-typed line is
not lost: the terminal keeps it until it is entered.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BufferedReader
from queue import Empty, SimpleQueue
from threading import Semaphore, Thread
from time import monotonic
from typing import Any, BinaryIO, Final, TextIO, cast

from volte.console.terminal import Console, Quit, next_line, read_line, signal_of

CALM: Final = 0.2
"""Seconds without news after which a question that was interrupted is asked again."""

LONGEST_CALM: Final = 0.5
"""Seconds without news after which `None` is handled, so that clocks can be looked at."""


class Typed:
    """A line that somebody has typed, with its time."""

    def __init__(self, line: bytes) -> None:
        self.line = line  # its bytes; empty at the end of the input
        self.at = monotonic()  # when it was entered


class Keyboard:
    """Reads lines in a thread of its own, each when it is wanted, and puts them into the inbox.

    A program that ends cannot wait for a line that never comes: so the thread is a daemon, and
    holds nothing that the interpreter needs for ending (the buffer of `sys.stdin`).
    """

    def __init__(self, stdin: BinaryIO, inbox: SimpleQueue[Any]) -> None:
        raw = getattr(stdin, "raw", None)
        self._stdin = stdin if raw is None else cast(BinaryIO, BufferedReader(raw))
        self._inbox = inbox
        self._wanted = Semaphore(0)
        self.reading = self.ended = False  # whether a line is awaited; whether the input has ended
        self._thread = Thread(target=self._run, name="keyboard", daemon=True)

    def want(self) -> None:
        """Let the thread read a line, unless it is reading one already."""
        if not self.reading and not self.ended:
            self.reading = True
            if not self._thread.ident:
                self._thread.start()
            self._wanted.release()

    def took(self, typed: Typed) -> None:
        """Note that a line was taken out of the inbox; to be called for each one."""
        self.reading = False
        self.ended = not typed.line

    def _run(self) -> None:
        line = b"\n"
        while line:
            self._wanted.acquire()
            try:
                line = next_line(self._stdin)
            except (OSError, ValueError):  # the terminal is closed
                line = b""
            self._inbox.put(Typed(line))


class LiveConsole(Console):
    """A console whose questions can be interrupted."""

    def __init__(
        self,
        stdin: BinaryIO,
        stdout: TextIO,
        width: int | None = None,
        colour: bool = False,
        plain: bool = False,
        encoding: str = "utf-8",
    ) -> None:
        super().__init__(stdin, stdout, width, colour, plain, encoding)
        # typed lines and news from elsewhere, in the order in which they come
        self.inbox: SimpleQueue[Any] = SimpleQueue()
        # handles news while a question is open; an exception from it ends the question.
        # None stands for "no news for a while".
        self.meanwhile: Callable[[Any], None] = lambda _: None
        self._keyboard = Keyboard(stdin, self.inbox)
        self._stdin = cast(BinaryIO, self)
        self._question = ""
        self._interrupted = False
        self._pending: Typed | None = None
        self._deaf_until = 0.0

    def say(self, *texts: str) -> None:
        if texts and self._question and not self._interrupted:
            self._interrupted = True
            if self.at_terminal:
                self._write("\n")
        super().say(*texts)
        self._stdout.flush()

    def ask(self, prompt: str) -> str:
        self._question, self._interrupted = prompt, False
        try:
            return super().ask(prompt)
        except KeyboardInterrupt as interrupt:  # between the question and the reading
            self._write("\n")
            raise Quit(signal_of(interrupt)) from None
        finally:
            self._question = ""

    def readline(self, _: int = -1, /) -> bytes:
        """Return the next line typed; handle news that comes before it."""
        while True:
            item, self._pending = self._pending or self._next(), None
            if isinstance(item, Typed):
                return item.line
            if item is None and self._interrupted:
                self._interrupted = False
                self._prompt(self._question)
            try:
                self.meanwhile(item)
            except Exception:
                if self.at_terminal and not self._interrupted:
                    self._write("\n")  # so that the next message begins a line
                raise

    def listen(self, typing: bool = True) -> Any:
        """The next item of the inbox while nothing is asked; None if none comes for a while.

        At a terminal somebody may type at any time. Lines from a pipe or a file wait for the next
        question, as at a console without news.

        Args:
            typing: False if no line is wanted now, not even at a terminal.
        """
        typing = typing and self.at_terminal
        if typing and self._pending is not None:
            item, self._pending = self._pending, None
            return item
        item = self._next(typing)
        if isinstance(item, Typed) and not typing:
            self._pending = item
            return None
        return item

    def text_of(self, typed: Typed) -> str:
        """Decode a typed line. Raises `TerminalFault` for bytes that are no text."""
        return read_line(typed.line, self._encoding)

    @property
    def is_reading(self) -> bool:
        """Whether the keyboard's thread is reading a line already, for an earlier question."""
        return self._keyboard.reading

    def forget_typing(self) -> None:
        """Ignore lines entered before now, which were meant for a question no longer open."""
        if self.at_terminal:
            self._deaf_until = monotonic()

    @property
    def has_ended(self) -> bool:
        """Whether no line can be typed any more."""
        return self._keyboard.ended

    def forget_news(self) -> None:
        """Drop news that came before now, as their connection is closed; typed lines stay."""
        self.meanwhile = lambda _: None
        for _ in range(self.inbox.qsize()):
            item = self.inbox.get()
            if isinstance(item, Typed):
                self.inbox.put(item)

    def _next(self, typing: bool = True) -> Any:
        if typing:
            self._keyboard.want()
        ended = typing and self._keyboard.ended
        calm = CALM if self._interrupted else LONGEST_CALM
        try:
            item = self.inbox.get(timeout=0 if ended else calm)
        except Empty:
            return Typed(b"") if ended else None
        if isinstance(item, Typed):
            self._keyboard.took(item)
            if item.line and item.at <= self._deaf_until:
                return None
        return item
