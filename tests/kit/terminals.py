"""People at a terminal: typing by what was just read, and their places at a table."""

from __future__ import annotations

import asyncio
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO, StringIO
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

import pytest
from kit.evenings import log_of
from kit.sites import Playroom, environment
from msgspec.structs import replace

from volte.cli import volte as whole_command
from volte.console.command import run
from volte.console.files import Shelf
from volte.console.options import words_for
from volte.console.person import TerminalPlayer
from volte.console.terminal import Console, Quit
from volte.console.witness import PlayStyle
from volte.fair import House as DealingHouse
from volte.game import MatchState, Passed, Played, Refusal
from volte.kernel import compiler  # noqa: F401 - finds its cache before there is another home
from volte.notation import load_record
from volte.referee import Event, decide, evolve, visible
from volte.rules import Ruleset, make_ruleset
from volte.say import Words
from volte.scorekeeper.model import NameFirstDealer, Open, Sheet, SheetFile, SheetShelf
from volte.scorekeeper.terminal.sitting import SheetSitting
from volte.store.store import Store
from volte.table import Happening, Setup, Someone
from volte.terminal import playroom as elsewhere
from volte.terminal.connection import Connection
from volte.terminal.live_console import LiveConsole
from volte.terminal.playroom import Address
from volte.terminal.table import LocalMatch, LocalTable, new_match, players_at
from volte.terminal.visitor import TablePlayer
from volte.wire.messages import Prefer

T = TypeVar("T")

PATIENCE: Final = 150
"""Seconds for anything that somebody waits for."""

ROOT: Final = Path(__file__).parents[2]
VOLTE: Final = (sys.executable, "-m", "volte")

# Typing


Answer = Callable[[str], "str | bytes | None"]
"""Text to type, by the text printed since the last answer; None at the end of the input."""


class Keyboard(BytesIO):
    """Standard input that is typed while the output is read."""

    def __init__(self, answer: Answer, screen: StringIO, terminal: bool = False) -> None:
        super().__init__()
        self._answer = answer
        self._screen = screen
        self._terminal = terminal  # for typing at any time
        self._read = 0

    def isatty(self) -> bool:
        return self._terminal

    def readline(self, _: int | None = -1, /) -> bytes:
        text = self._screen.getvalue()
        printed, self._read = text[self._read :], len(text)
        answer = self._answer(printed)
        if answer is None:
            return b""
        return (answer if isinstance(answer, bytes) else answer.encode()) + b"\n"


class Script:
    """Types these lines whatever is printed, and then the answers of `after`, or none."""

    def __init__(self, lines: Iterable[str | bytes], after: Answer | None = None) -> None:
        self.replies: list[str] = []  # text printed before each of the lines, and after all of them
        self._lines = iter(lines)
        self._after = after

    def __call__(self, printed: str) -> str | bytes | None:
        self.replies.append(printed)
        line = next(self._lines, None)
        if line is None and self._after is not None:
            return self._after(printed)
        return line


class Stubborn:
    """Passes the first cards of the hand, tries card after card, takes a moon off its own points,
    and wants no second match.
    """

    def __init__(self) -> None:
        self.choices = 0  # cards that it was asked for; after a refusal it is the same one
        self._place = 0

    def __call__(self, printed: str) -> str:
        question = printed.rstrip().rsplit("\n", 1)[-1]
        passing = re.match(
            r"(?:Which|Your|Vos|Quelles?) ?(\d*) (?:cards?|cartes?),? (?:do|in|dans|passez)",
            question,
        )
        if passing:
            return " ".join(f".{place}" for place in range(1, int(passing[1] or 1) + 1))
        if re.match(r"Your (card|lead)|Votre (carte|entame)", question):
            # Cards are named with every new question, and not after a refusal.
            first = re.search(r"\u00a0\(\.(\d+)[),]", printed)
            self.choices += first is not None
            # After the last place, try the first one again: one may have been missed.
            self._place = int(first[1]) if first else self._place % 20 + 1
            return f".{self._place}"
        if re.match(r"Minus|Moins", question):
            return question.split()[0]
        return "no" if re.search("yes or no|oui ou non", question) else ""


# The command


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home of the command's user, in memory if the system has some: everything is synced."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        for variable in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
            monkeypatch.setenv(variable, name)
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        yield Path(name)


class Finished(NamedTuple):
    """An exit status, and the printed texts."""

    status: int
    out: str
    err: str


class Volte:
    """The `volte` command in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch

    def __call__(self, *args: str, answer: Answer = lambda _: None, piped: bytes = b"") -> Finished:
        """Run the command; `answer` types, and without it the input is at its end after `piped`."""
        out, err = StringIO(), StringIO()
        keyboard = Keyboard(answer, out)
        keyboard.write(piped)
        keyboard.seek(0)
        self._patch.setattr(sys, "stdout", out)
        self._patch.setattr(sys, "stderr", err)
        self._patch.setattr(sys, "stdin", SimpleNamespace(buffer=keyboard, encoding="utf-8"))
        status = run(whole_command, args)
        return Finished(status, out.getvalue(), err.getvalue())

    def refused(self, *args: str, status: int = 2) -> str:
        """The single sentence that a refused command prints."""
        done = self(*args)
        assert (done.status, done.out) == (status, ""), done
        assert done.err.count("\n") == 1, done.err
        return done.err


@pytest.fixture
def volte(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Volte:
    return Volte(monkeypatch)


@pytest.fixture
def environ(folder: Path) -> Iterator[dict[str, str]]:
    """The environment of a command of its own process, which ends with the test at a `Terminal`."""
    yield environment(folder) | {
        "TERM": "xterm",
        "ACCESSIBLE": "",  # else people are asked whether they use a screen reader
        "XDG_DATA_HOME": str(folder),
    }
    while Terminal.begun:
        end_group(Terminal.begun.pop())


def end_group(leader: subprocess.Popen[Any]) -> None:
    """Kill a process that leads a group, with all that it has started, if it still runs."""
    if leader.poll() is None:
        os.killpg(leader.pid, signal.SIGKILL)
        leader.wait()


def killed_at(environ: dict[str, str], *args: str, answer: Callable[[str], str | None]) -> None:
    """Run the command in a process of its own, and kill it at the first question for which `answer`
    has nothing to type.
    """
    process = subprocess.Popen(
        [*VOLTE, *args], env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    printed = ""
    for line in process.stdout:
        printed += line.decode()
        if not printed.endswith("?\n"):
            continue
        typed = answer(printed)
        if typed is None:
            break
        process.stdin.write(f"{typed}\n".encode())
        process.stdin.flush()
        printed = ""
    process.kill()
    process.communicate()


class Terminal:
    """The command in a process of its own, at a pseudo-terminal of a given width."""

    begun: ClassVar[list[subprocess.Popen[bytes]]] = []
    """All that the test has started."""

    def __init__(
        self, environ: dict[str, str], *args: str, columns: int = 80, stderr: int | None = None
    ) -> None:
        self.said = ""
        self._ahead = ""
        self._screen, inside = os.openpty()
        self.process = subprocess.Popen(
            [*VOLTE, *args],
            env={**environ, "COLUMNS": str(columns)},
            stdin=inside,
            stdout=inside,
            stderr=inside if stderr is None else stderr,
            start_new_session=True,
        )
        self.begun.append(self.process)
        os.close(inside)

    def until(self, text: str) -> None:
        """Read on exactly until the text has been printed."""
        while text not in self._ahead and self._read():
            pass
        before, found, self._ahead = self._ahead.partition(text)
        self.said += before + found
        assert found, f"{text!r} was never said: {self.said}"

    def type(self, text: str) -> None:
        os.write(self._screen, text.encode())

    def converse(self, *turns: tuple[str, str]) -> None:
        """Wait for a text and type a line, again and again."""
        for text, line in turns:
            self.until(text)
            self.type(f"{line}\n")

    def close(self) -> None:
        """Close the terminal, as when a window is closed."""
        os.close(self._screen)

    def end(self) -> int:
        """The exit status, once everything is printed."""
        while self._read():
            pass
        self.said += self._ahead
        os.close(self._screen)
        assert "Traceback" not in self.said
        return self.process.wait(PATIENCE)

    def _read(self) -> bool:
        try:
            if select.select([self._screen], [], [], PATIENCE)[0]:
                self._ahead += os.read(self._screen, 65536).decode()
                return True
        except OSError:  # the other side is closed
            return False
        self.process.kill()
        return False


# A match


@dataclass
class Session:
    """The output that somebody had at a terminal."""

    said: str

    @property
    def lines(self) -> list[str]:
        return self.said.splitlines()


@dataclass
class Sitting(Session):
    """A match that somebody has played at a terminal."""

    state: MatchState | None  # at the end; None if the person left before
    match: LocalMatch  # as it began


def sit_down(
    rules: Ruleset,
    answer: Answer,
    folder: Path,
    *,
    lang: str = "en",
    manner: PlayStyle | None = None,
    width: int | None = None,
    seed: str = "1",
    words: Words | None = None,
) -> Sitting:
    """Play that match with `casual` bots, the person answering."""
    screen = StringIO()
    console = Console(Keyboard(answer, screen), screen, width)
    table = LocalTable(words or Words(lang), console, manner or PlayStyle(), Shelf(folder))
    players = players_at(["me"] + ["casual"] * (rules.players - 1), "Zoé")
    match = new_match(rules, players, table.shelf, seed)
    try:
        state = table.play(match)
    except Quit:
        return Sitting(screen.getvalue(), None, match)
    return Sitting(screen.getvalue(), state, match)


def only_log(folder: Path) -> tuple[Event, ...]:
    """The events of the only match in that home, played or just begun."""
    (path,) = folder.rglob("*.volte")
    return load_record(path).log


# A score sheet


FOUR: Final = ("Anne", "Bruno", "Chloé", "David")
SEVEN: Final = ("Anne-Sophie", "Bruno", "Chloé", "David", "Emmanuelle", "Félix", "Guillaume")


@dataclass
class Evening(Session):
    """A score sheet that somebody has kept."""

    sheet: Sheet  # at the end
    replies: list[str]  # text printed after each typed line, up to the next question
    path: Path  # of the sheet; of the last one, if others followed


def opened(
    folder: Path,
    rules: Ruleset | str = "coeurs-moyenne",
    names: Sequence[str] = FOUR,
    dealer: int | None = 0,
    title: str = "",
    stake: str = "",
    currency: str = "",
) -> SheetFile:
    """A new sheet whose lots fall the same way every time."""
    if isinstance(rules, str):
        rules = make_ruleset(rules, {"players": len(names)})
    opening = Open(rules, tuple(names), title, stake, currency)
    file = SheetShelf(folder).new(opening, DealingHouse(bytes(32)))
    if dealer is not None:
        file.do(NameFirstDealer(dealer))
    return file


def keep(
    file: SheetFile,
    typed: Sequence[str | bytes],
    lang: str = "en",
    width: int | None = None,
    plain: bool = False,
    new: bool = False,
) -> Evening:
    """Keep the sheet by those lines, and leave at the end of them."""
    screen = StringIO()
    script = Script(typed)
    console = Console(Keyboard(script, screen), screen, width, plain=plain)
    sitting = SheetSitting(Words(lang), console, SheetShelf(file.path.parent), file)
    with pytest.raises(Quit):
        sitting.run(new)
    return Evening(screen.getvalue(), sitting.sheet, script.replies, sitting.file.path)


# A playroom


def happenings(playroom: Playroom, table: str) -> list[Happening]:
    """The happenings that are stored of a table."""
    return playroom.do(log_of(playroom.site.room.store, table))


def match_log(playroom: Playroom, table: str) -> list[Event]:
    """The events of the matches at a table."""
    return [each for each in happenings(playroom, table) if isinstance(each, Event)]


class Guest:
    """Somebody who comes to a playroom by the terminal, in a thread of their own."""

    def __init__(self, address: str, name: str) -> None:
        self.room = elsewhere.Playroom(address, "en")  # as they see it
        self.who = Someone(self.room.come_in(name).person, name)
        self.gone: BaseException | None = None  # how it ended, once it has
        self._screen = StringIO()
        self._typed = SimpleQueue[str]()
        self._thread: Thread | None = None

    @property
    def said(self) -> str:
        """Everything printed to them so far."""
        return self._screen.getvalue()

    def open(self, *levels: str, password: str = "", **setup: Any) -> str:
        """Open a table with bots of these levels at its other seats; returns its id."""
        rules = make_ruleset("coeurs", {"players": len(levels) + 1})
        wanted = replace(Setup("A table", rules), **setup)
        return self.room.open_table(wanted, levels, password)

    def sit(
        self,
        table: str,
        answer: Answer | None = None,
        *,
        begin: bool = False,
        watch: bool = False,
        at_terminal: bool = False,
        patience: float = PATIENCE,
        manner: PlayStyle | None = None,
    ) -> None:
        """Go to a table, and type the lines of `answer`, or the ones given to `type`."""
        keyboard = Keyboard(answer or (lambda _: self._typed.get()), self._screen, at_terminal)
        console = LiveConsole(keyboard, self._screen)
        address = Address(self.room.site, table)
        connection = Connection(address, self.room.cookie, "en", console.inbox, patience)
        connection.send(lambda mark: Prefer(mark, bot_pace=0, trick_pace=0))
        manner = manner or PlayStyle()
        page = address.page
        visitor = TablePlayer(Words("en"), console, manner, connection, page, begin, watch)

        def stay() -> None:
            try:
                visitor.run()
            except Exception as gone:
                self.gone = gone

        self._thread = Thread(target=stay)
        self._thread.start()

    def hears(self, pattern: str) -> None:
        """Wait until a text has been printed to them."""
        wait_for(lambda: bool(re.search(pattern, self.said, re.M)), lambda: self.said)

    def type(self, after: str, line: str) -> None:
        """Type a line once a text has been printed to them."""
        self.hears(after)
        self._typed.put(line)

    def leaves(self) -> None:
        """Wait until they have gone."""
        assert self._thread is not None
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), self.said


@pytest.fixture
def anne(playroom: Playroom) -> Guest:
    return Guest(playroom.address, "Anne")


@pytest.fixture
def paul(playroom: Playroom) -> Guest:
    return Guest(playroom.address, "Paul")


def wait_for(condition: Callable[[], bool], why: Callable[[], str]) -> None:
    """Wait until the condition holds."""
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end, why()
        sleep(0.01)


def heard_locally(
    log: Sequence[Event], seat: int, answer: Answer, lang: str, manner: PlayStyle
) -> str:
    """The output that the person at that seat would have had in a match on their own machine.

    They are asked before everything that they do in the log.
    """
    screen = StringIO()
    console = Console(Keyboard(answer, screen), screen)
    person = TerminalPlayer(seat, words_for(lang, plain=False), console, manner)
    state: MatchState | None = None
    for event in log:
        if isinstance(event, Passed | Played) and event.seat == seat:
            assert state is not None
            while isinstance(refusal := decide(state, person.ask()), Refusal):
                person.refused(refusal)
        person.tell([visible(event, seat)])
        state = evolve(state, event)
    return screen.getvalue()


@contextmanager
def answering(status: int, body: bytes) -> Iterator[tuple[str, list[str]]]:
    """A server with one answer to everything; yields its address, and the cookies sent to it."""
    cookies: list[str] = []

    class Other(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            cookies.append(self.headers.get("Cookie", ""))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Other) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", cookies
        finally:
            server.shutdown()
            thread.join()


def stored(url: str, work: Callable[[Store], Awaitable[T]]) -> T:
    """The result of some work with a database, done at once."""

    async def do() -> T:
        async with await Store.open(url) as store:
            return await work(store)

    return asyncio.run(do())
