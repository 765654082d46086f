"""Lines out and lines in: what has been said stays where it is, for eyes, ears and fingers."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Mapping
from io import BytesIO
from signal import SIGINT
from typing import BinaryIO, Final, Self, TextIO

from volte.cards import Fault, Suit
from volte.console.history import History, Kind

LONGEST_LINE: Final = 1000
"""Characters of an answer; nothing that a player has to say is longer."""

NARROWEST: Final = 20

_COLOURS: Final = {Suit.CLUBS: 32, Suit.DIAMONDS: 36, Suit.SPADES: 35, Suit.HEARTS: 31}
_SUITED: Final = re.compile(r"(?:10|\b[2-9AKQJRDV])?([♣♦♠♥])")
_UNSEEN: Final = re.compile(
    r"[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
_COLOUR_OF: Final = {suit.symbol: code for suit, code in _COLOURS.items()}


class Left(Exception):
    """The person has gone.

    Attributes:
        signal: what the system sent, such as SIGINT for Ctrl-C; 0 where the person said so, or
            the input is at its end.
    """

    def __init__(self, signal: int = 0) -> None:
        super().__init__()
        self.signal = signal


class Stopped(KeyboardInterrupt):
    """The system wants the program to end, as when the terminal is closed."""

    def __init__(self, signal: int) -> None:
        super().__init__()
        self.signal = signal


def signal_of(gone: BaseException) -> int:
    """The number of the signal behind it; that of Ctrl-C where it does not say."""
    return gone.signal if isinstance(gone, Left | Stopped) else SIGINT


class TerminalFault(Fault):
    """Something typed, here or on the command line, that cannot be; told by `Words.fault`."""


class Misuse(TerminalFault):
    """A command line that says nothing that could be done."""


class Console:
    """Where lines are said and asked for.

    Args:
        stdin: bytes, so that nothing typed can upset the reading of it.
        stdout: text.
        width: columns to wrap at; None where lines are not wrapped.
        colour: whether suits are coloured.
        plain: whether cards are better told by name, and tables line by line.
        encoding: of what is typed.

    Attributes:
        history: what was told, to be gone through again.
    """

    def __init__(
        self,
        stdin: BinaryIO,
        stdout: TextIO,
        width: int | None = None,
        colour: bool = False,
        plain: bool = False,
        encoding: str = "utf-8",
    ) -> None:
        self.plain = plain
        self.history = History()
        self._stdin = stdin
        self._stdout = stdout
        self._width = width
        self._colour = colour
        self._encoding = encoding
        self._answers_show = stdin.isatty()

    @classmethod
    def here(cls, width: int | None = None, plain: bool = False) -> Self:
        """The console of this process; on a terminal, as wide as it is."""
        screen = sys.stdout.isatty()
        if width is None and screen:
            width = max(shutil.get_terminal_size().columns, NARROWEST)
        plain = plain or bool(os.environ.get("ACCESSIBLE")) or not shows_suits(sys.stdout)
        colour = screen and wants_colour(os.environ, plain)
        if sys.stdin is None:  # closed by whoever started the program
            return cls(BytesIO(), sys.stdout, width, colour, plain)
        return cls(sys.stdin.buffer, sys.stdout, width, colour, plain, sys.stdin.encoding)

    @property
    def table_width(self) -> int | None:
        """Columns for a table; 0 where lines read better, None where any width will do."""
        return 0 if self.plain else self._width

    @property
    def at_terminal(self) -> bool:
        """Whether somebody types, who sees what they type."""
        return self._answers_show

    def tell(self, kind: Kind, *texts: str) -> None:
        """Says what has happened, and keeps it."""
        self.history.keep(kind, texts)
        self.say(*texts)

    def say(self, *texts: str) -> None:
        """Says texts, wrapped at words, each of their lines by itself."""
        for text in texts:
            for line in text.split("\n"):
                self._write("\n".join(self._wrapped(line)) + "\n")

    def ask(self, prompt: str) -> str:
        """The line that is answered. Raises `Left` and `TerminalFault`."""
        lines = self._wrapped(prompt)
        self._write("\n".join(lines) + (" " if self._answers_show else "\n"))
        self._stdout.flush()
        try:
            answer = rest = self._stdin.readline(4 * LONGEST_LINE)
            for _ in range(LONGEST_LINE):  # what never ends a line is no person
                if not rest or rest.endswith(b"\n"):
                    break
                rest = self._stdin.readline(4 * LONGEST_LINE)
            else:
                answer = b""
        except KeyboardInterrupt as interrupt:
            self._write("\n")
            raise Left(signal_of(interrupt)) from None
        except OSError:  # the terminal is closed
            answer = b""
        if not answer:
            if self._answers_show:
                self._write("\n")
            raise Left
        return read_line(answer, self._encoding)

    def _wrapped(self, line: str) -> list[str]:
        if self._width is None or len(line) <= self._width:
            return [line]
        return textwrap.wrap(line, self._width, break_on_hyphens=False) or [""]

    def _write(self, text: str) -> None:
        text = harmless(text)
        self._stdout.write(_SUITED.sub(_coloured, text) if self._colour else text)


def command_line(*words: str) -> str:
    """What to type for a command of Volte, here: by its path where the shell would not find it."""
    typed = sys.argv[0]
    lost = os.path.basename(typed) == "volte" and not shutil.which("volte")
    return shlex.join([os.path.abspath(typed) if lost else "volte", *words])


def harmless(text: str) -> str:
    """The text without what a terminal would obey, or turn round, instead of showing it."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def wants_colour(environ: Mapping[str, str], plain: bool) -> bool:
    """Whether colour is welcome on a terminal (https://no-color.org)."""
    if plain or environ.get("NO_COLOR") or environ.get("ACCESSIBLE"):
        return False
    return environ.get("TERM", "dumb") != "dumb"


def shows_suits(stdout: TextIO) -> bool:
    """Whether the symbols of the suits can be written there at all."""
    try:
        "♣♦♠♥".encode(stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def read_line(answer: bytes, encoding: str) -> str:
    """The text of a typed line. Raises `TerminalFault` where it is none."""
    try:
        text = answer.decode(encoding).strip()
    except UnicodeDecodeError:
        raise TerminalFault("not_text") from None
    if len(text) > LONGEST_LINE:
        raise TerminalFault("line_too_long", most=LONGEST_LINE)
    if any(unicodedata.category(sign) in ("Cc", "Cs", "Co", "Cn") for sign in text if sign != "\t"):
        raise TerminalFault("not_text")
    return text


def _coloured(match: re.Match[str]) -> str:
    return f"\x1b[{_COLOUR_OF[match[1]]}m{match[0]}\x1b[0m"
