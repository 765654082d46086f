"""Lines out and lines in: what has been said stays where it is, for eyes, ears and fingers."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Mapping
from io import BytesIO
from typing import BinaryIO, Final, TextIO

from volte.cards import Fault, Suit

LONGEST_LINE: Final = 1000
"""Characters of an answer; nothing that a player has to say is longer."""

NARROWEST: Final = 20

_COLOURS: Final = {Suit.CLUBS: 32, Suit.DIAMONDS: 36, Suit.SPADES: 35, Suit.HEARTS: 31}
_SUITED: Final = re.compile(r"(?:10|\b[2-9AKQJRDV])?([♣♦♠♥])")
_COLOUR_OF: Final = {suit.symbol: code for suit, code in _COLOURS.items()}


class Left(Exception):
    """The person has gone.

    Attributes:
        interrupted: by Ctrl-C, and not by the end of the input or by saying so.
    """

    def __init__(self, interrupted: bool = False) -> None:
        super().__init__()
        self.interrupted = interrupted


class TerminalFault(Fault):
    """Something typed, here or on the command line, that cannot be; told by `words.console`."""


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
        self._stdin = stdin
        self._stdout = stdout
        self._width = width
        self._colour = colour
        self._encoding = encoding
        self._answers_show = stdin.isatty()

    @classmethod
    def here(cls, width: int | None = None, plain: bool = False) -> Console:
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
            while rest and not rest.endswith(b"\n"):
                rest = self._stdin.readline(4 * LONGEST_LINE)
        except KeyboardInterrupt:
            self._write("\n")
            raise Left(interrupted=True) from None
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
        self._stdout.write(_SUITED.sub(_coloured, text) if self._colour else text)


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
