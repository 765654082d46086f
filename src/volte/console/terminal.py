"""The terminal: lines printed and read. Nothing is redrawn, so that screen readers can follow."""

from __future__ import annotations

import codecs
import os
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from enum import StrEnum
from io import BytesIO
from signal import SIGINT
from typing import TYPE_CHECKING, BinaryIO, Final, Self, TextIO
from unicodedata import category, normalize

from volte.cards import VolteError
from volte.say import N_

if TYPE_CHECKING:
    from volte.say import Words

LONGEST_LINE: Final = 1000
"""The most characters of an answer; no sensible one is longer."""

NARROWEST: Final = 20

_COLOURS: Final = {"♣": 32, "♦": 36, "♠": 35, "♥": 31}
_SUITED: Final = re.compile(r"(?:10|\b[2-9AKQJRDV])?([♣♦♠♥])")
_UNSEEN: Final = re.compile(
    r"[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)


_ISOLATES: Final = re.compile("[\u2068\u2069]")  # around names; not every terminal knows them


class Quit(Exception):
    """The person leaves: they said so, pressed Ctrl-C, or the input is at its end."""

    def __init__(self, signal: int = 0) -> None:
        super().__init__()
        self.signal = signal  # number of a signal, such as SIGINT for Ctrl-C; 0 for none


class Terminated(KeyboardInterrupt):
    """A signal asks the program to end, as when the terminal is closed."""

    def __init__(self, signal: int) -> None:
        super().__init__()
        self.signal = signal


def signal_of(gone: BaseException) -> int:
    """The number of the signal that caused an exit; SIGINT for an exception without one."""
    return gone.signal if isinstance(gone, Quit | Terminated) else SIGINT


class TerminalFault(VolteError):
    """Bad input, typed at a prompt or on the command line."""


class Misuse(TerminalFault):
    """A command line that cannot be run; the exit status is 2."""


class Kind(StrEnum):
    """Kinds of messages about a match, the same as at a table in the browser."""

    EVERYTHING = "everything"
    PLAYS = "plays"
    POINTS = "points"
    TALK = "talk"
    TABLE = "table"


KIND_NAMES: Final = {
    Kind.EVERYTHING: N_("Everything"),
    Kind.PLAYS: N_("Plays"),
    Kind.POINTS: N_("Points"),
    Kind.TALK: N_("Chat"),
    Kind.TABLE: N_("The table"),
}

KINDS: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("Passed", "PassTakenBack", "Played", "UndoAsked", "UndoAnswered"), Kind.PLAYS),
    **dict.fromkeys(("PlayTakenBack", "TrickTaken", "TrickHeld"), Kind.PLAYS),
    **dict.fromkeys(("KittyTaken", "RestTaken"), Kind.PLAYS),
    **dict.fromkeys(("DealScored", "LotsDrawn", "Settled", "Reckoned"), Kind.POINTS),
}
"""Kinds of events by name; others are about the table. As in `CHANNELS` of the pages."""


class History:
    """The messages about a match so far, and a cursor that goes back and forth through a kind."""

    def __init__(self) -> None:
        self.kind = Kind.EVERYTHING  # the cursor stops at messages of this kind
        self.last: tuple[str, ...] = ()  # the last message or answer, to be repeated
        self.muted: set[Kind] = set()  # kinds that are only looked up
        self._messages: list[tuple[Kind, tuple[str, ...]]] = []
        self._place: int | None = None

    def add(self, kind: Kind, lines: Sequence[str]) -> None:
        """Add a message, unless it is empty."""
        if lines:
            self._messages.append((kind, tuple(lines)))
            if kind not in self.muted:
                self.last = tuple(lines)

    def leave(self) -> None:
        """Put the cursor behind the newest message."""
        self._place = None

    def choose(self) -> Kind:
        """Choose the next kind, and return it."""
        kinds = list(Kind)
        self.kind = kinds[(kinds.index(self.kind) + 1) % len(kinds)]
        self.leave()
        return self.kind

    def mute(self) -> bool:
        """Silence the messages of the chosen kind, or tell them again; return whether silent."""
        self.muted ^= {self.kind}
        return self.kind in self.muted

    def step(self, forward: bool, to_end: bool = False) -> tuple[str, ...]:
        """Go to the next or the previous message, and return its lines; () if there is none.

        Args:
            to_end: go to the latest or the oldest instead, where there is any.
        """
        here = len(self._messages) if self._place is None else self._place
        if to_end:
            here = -1 if forward else len(self._messages)
        wanted = {self.kind} if self.kind is not Kind.EVERYTHING else {*Kind}
        places = [at for at, (kind, _) in enumerate(self._messages) if kind in wanted]
        after, before = [at for at in places if at > here], [at for at in places if at < here]
        found = after if forward else before[::-1]
        if not found:
            return ()
        self._place = found[-1 if to_end else 0]
        return self._messages[self._place][1]


class Console:
    """Prints lines, and asks for lines.

    Args:
        stdin: a stream of bytes, so that typing cannot cause a decoding error in it.
            stdout: a stream of text.
            width: columns to wrap at; None for lines that are not wrapped.
            colour: whether suits are coloured.
            plain: whether to tell cards by name, and tables line by line.
            encoding: encoding of typed lines.
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
        self.history = History()  # messages about the match
        self._stdin = stdin
        self._stdout = stdout
        self._width = width
        self._colour = colour
        self._encoding = encoding
        self.at_terminal = stdin.isatty()  # whether typed lines are seen on the screen

    @classmethod
    def here(cls, width: int | None = None, plain: bool = False) -> Self:
        """The console of this process; on a terminal, as wide as it is."""
        from volte.console.habits import uses_reader  # here, as help reads no habits

        screen = sys.stdout.isatty()
        if width is None and screen:
            width = max(shutil.get_terminal_size().columns, NARROWEST)
        plain = plain or bool(uses_reader())
        try:
            "♣♦♠♥".encode(sys.stdout.encoding or "utf-8")
        except UnicodeEncodeError:
            plain = True
        colour = screen and wants_colour(os.environ, plain)
        if sys.stdin is None:  # the program was started with it closed
            return cls(BytesIO(), sys.stdout, width, colour, plain)
        return cls(sys.stdin.buffer, sys.stdout, width, colour, plain, sys.stdin.encoding)

    @property
    def table_width(self) -> int | None:
        """Columns for a table; 0 for lines instead of a table, None for any width."""
        return 0 if self.plain else self._width

    def tell(self, kind: Kind, *texts: str) -> None:
        """Print a message about the match, and add it to the history."""
        self.history.add(kind, texts)
        if kind not in self.history.muted:
            self.say(*texts)

    def say(self, *texts: str) -> None:
        """Print texts, each of their lines wrapped at words."""
        for text in texts:
            for line in text.split("\n"):
                self._write("\n".join(self._wrapped(line)) + "\n")

    def ask(self, prompt: str) -> str:
        """Ask, and return the line that is typed. Raises `Quit` and `TerminalFault`."""
        self._prompt(prompt)
        try:
            answer = next_line(self._stdin)
        except KeyboardInterrupt as interrupt:
            self._write("\n")
            raise Quit(signal_of(interrupt)) from None
        except OSError:  # the terminal is closed
            answer = b""
        if not answer:
            if self.at_terminal:
                self._write("\n")
            raise Quit
        return read_line(answer, self._encoding)

    def _wrapped(self, line: str) -> list[str]:
        if self._width is None or len(line) <= self._width:
            return [line]
        return textwrap.wrap(line, self._width, break_on_hyphens=False) or [""]

    def _prompt(self, text: str) -> None:
        self._write("\n".join(self._wrapped(text)) + (" " if self.at_terminal else "\n"))
        self._stdout.flush()

    def _write(self, text: str) -> None:
        text = harmless(text)
        if self._colour:
            text = _SUITED.sub(lambda card: f"\x1b[{_COLOURS[card[1]]}m{card[0]}\x1b[0m", text)
        self._stdout.write(text)


class Dialogue:
    """Sentences and questions to a person at a terminal, in their language."""

    def __init__(self, words: Words, console: Console) -> None:
        self.words = words
        self.console = console

    def say(self, message: str, /, **params: object) -> None:
        """Say a message in the person's language, the parameters put in."""
        self.console.say(self.words.t(message, **params))

    def complain(self, fault: VolteError) -> None:
        """Say the sentence of a fault."""
        self.console.say(self.words.fault(fault))

    def line(self, prompt: str) -> str:
        """Prompt until the line that is typed is text, and return it. Raises `Quit`."""
        while True:
            try:
                return self.console.ask(prompt)
            except VolteError as fault:
                self.complain(fault)

    def ask_line(self, message: str, /, **params: object) -> str:
        """Ask a question in the person's language, and return the answer. Raises `Quit`."""
        return self.line(self.words.t(message, **params))


def command_line(*words: str) -> str:
    """Shell line for a command of Volte; names its path if the shell would not find it."""
    typed = sys.argv[0]
    lost = os.path.basename(typed) == "volte" and not shutil.which("volte")
    return shlex.join([os.path.abspath(typed) if lost else "volte", *words])


def harmless(text: str) -> str:
    """The text without control characters, which a terminal would obey instead of showing."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", _ISOLATES.sub("", text))


def wants_colour(environ: Mapping[str, str], plain: bool) -> bool:
    """Whether colour is welcome on a terminal (https://no-color.org)."""
    if plain or environ.get("NO_COLOR") or environ.get("ACCESSIBLE"):
        return False
    return environ.get("TERM", "dumb") != "dumb"


def next_line(stdin: BinaryIO) -> bytes:
    """The bytes of a line; empty at the end of the input, and for a line that does not end."""
    line = rest = stdin.readline(4 * LONGEST_LINE)
    for _ in range(LONGEST_LINE):
        if not rest or rest.endswith(b"\n"):
            return line
        rest = stdin.readline(4 * LONGEST_LINE)
    return b""


def read_line(answer: bytes, encoding: str) -> str:
    """Decode a typed line. Raises `TerminalFault` for bytes that are no text."""
    try:
        text = answer.decode(encoding).strip()
    except UnicodeDecodeError:
        raise TerminalFault("not_text") from None
    if len(text) > LONGEST_LINE:
        raise TerminalFault("line_too_long", most=LONGEST_LINE)
    if any(category(sign) in ("Cc", "Cs", "Co", "Cn") for sign in text if sign != "\t"):
        raise TerminalFault("not_text")
    return text


READABLY: Final = "volte_readably"
"""Error handler for the `errors` of a text stream: writes "cœur" as "coeur", not "c?ur"."""

_PAIRS: Final = """
œ=oe Œ=OE æ=ae Æ=AE ß=ss ø=o Ø=O ł=l Ł=L đ=d Đ=D ð=d Ð=D þ=th Þ=Th ı=i
«=<< »=>> ‹=< ›=> …=... •=* ·=- →=-> ←=<- ±=+/- ×=x ÷=/ ⁄=/ \\=/ ≈=~ €=EUR £=GBP µ=u °=deg
"""


# Double quotation marks become single ones: a double one would end the texts of JSON and records.
_SUBSTITUTES: Final = str.maketrans(
    {
        **dict(pair.split("=") for pair in _PAIRS.split()),
        **dict.fromkeys('’‘ʼ‚′“”„″"', "'"),
        **dict.fromkeys("‐‑‒–—―−─━", "-"),
        **dict.fromkeys("▁▂▃▄", "."),
        **dict.fromkeys("▅▆▇█", "#"),
        **dict.fromkeys("♠♤", "S"),
        **dict.fromkeys("♥♡", "H"),
        **dict.fromkeys("♦♢", "D"),
        **dict.fromkeys("♣♧", "C"),
    }
)


def substitute(text: str) -> str:
    """Spell the text in ASCII as readably as possible; "?" for every other character.

    >>> substitute("Le cœur d’Anaïs – «\u00a0déjà\u00a0» 8♥ Ж")
    "Le coeur d'Anais - << deja >> 8H ?"
    """
    return "".join(map(_in_ascii, text))


def _in_ascii(sign: str) -> str:
    decomposed = normalize("NFKD", sign.translate(_SUBSTITUTES)).translate(_SUBSTITUTES)
    joins = category(sign) in ("Mn", "Mc", "Me", "Cf")  # only changes another sign
    return decomposed.encode("ascii", "ignore").decode() or ("" if joins else "?")


def _write(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return substitute(error.object[error.start : error.end]), error.end


codecs.register_error(READABLY, _write)
