"""Functions of Volte that one card passes, from its player's click to the last screen.

    python benchmarks/one_card.py
    PYTHONPATH=/tmp/before/src python benchmarks/one_card.py    # the same for another checkout

`volte serve` runs in this process, on a new SQLite file. Two people with pages sit side by side at
a table of two bots, over real WebSockets. Every function between the frame that brings the first
one's card and the last frame that shows it to either of them is noted, in all tasks and threads. It
is the other person's turn next, so that no bot thinks meanwhile. Of several such cards the one with
the shortest way is shown: then no clock of the server has struck.

Two things are counted; a function is here a function, method or property of the package `volte`,
and lambdas and comprehensions belong to the function that contains them:

- all functions that are entered, each of them once, and their files;
- the way, marked with *: the functions that hand the card on (they have been called, and have not
  returned, when a frame is written or another task or thread is woken), and the functions called
  by them directly. So the sentences that a connection asks for count as a single call.

For its clients it needs only the messages of docs/wire.md, and so it can follow a card through old
versions. asyncio's own loop takes the place of uvloop's, which cannot be watched.
"""

from __future__ import annotations

import io
import json
import os
import runpy
import signal
import socket
import sys
import tempfile
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout, suppress
from itertools import count
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, cast
from urllib.request import Request, urlopen

from websockets.sync.client import connect

import volte
from volte.fair import CONTRIBUTION_BYTES, commit_bytes

SOURCE: Final = str(Path(volte.__file__).parent) + os.sep
CARDS: Final = 6
"""Number of cards that are followed."""

PATIENCE: Final = 60
"""Seconds for any answer."""

QUIET: Final = 0.3
"""Seconds without a message, after which the server is done with earlier work."""

WAKING: Final = {"write", "call_soon", "call_soon_threadsafe"}
"""Functions of asyncio that send something to a client, or let another task go on."""

STEPS: Final = os.path.join("asyncio", "events.py")
"""File in which asyncio begins each step of a task."""

SHARE: Final = bytes(CONTRIBUTION_BYTES)
"""Contribution of both people to every shuffle."""


class Card:
    """Functions that ran while a card was followed."""

    def __init__(self) -> None:
        # every function that began or went on, with its caller
        self.entered: list[tuple[CodeType, CodeType | None]] = []
        # functions at work when a frame was written, or something else was woken
        self.handing: set[CodeType] = set()
        self.shown = 0  # number of entries before the last frame was written

    @property
    def functions(self) -> list[CodeType]:
        """Each function once, in the order in which they were first entered."""
        return list(dict.fromkeys(code for code, _ in self.entered[: self.shown]))

    @property
    def way(self) -> list[CodeType]:
        """Functions that hand the card on, and those they call directly; see above."""
        called = {code for code, by in self.entered if by is None or by in self.handing}
        return [code for code in self.functions if code in self.handing | called]


class Profile:
    """Notes functions entered while a card is followed; see `sys.setprofile`."""

    def __init__(self) -> None:
        self.cards: list[Card] = []
        self._card: Card | None = None

    @contextmanager
    def follow(self) -> Iterator[None]:
        self._card = Card()
        yield
        self.cards.append(self._card)
        self._card = None

    def __call__(self, frame: FrameType, event: str, called: Any) -> None:
        if (card := self._card) is None:
            return
        code = frame.f_code
        if event == "c_call" and called.__name__ == "put":  # into the queue of a thread
            card.handing.update(at_work(frame))
        elif event == "call" and is_named(code):
            card.entered.append((code, next(at_work(frame.f_back), None)))
        elif event == "call" and code.co_name in WAKING and "asyncio" in code.co_filename:
            card.handing.update(at_work(frame))
            if code.co_name == "write":
                card.shown = len(card.entered)


def at_work(frame: FrameType | None) -> Iterator[CodeType]:
    """Yield the functions there and around, the innermost first, up to the step of a task."""
    while frame is not None and not frame.f_code.co_filename.endswith(STEPS):
        if is_named(frame.f_code):
            yield frame.f_code
        frame = frame.f_back


def is_named(code: CodeType) -> bool:
    """Whether it is a function of Volte that has a name."""
    return code.co_name[0] != "<" and code.co_filename.startswith(SOURCE)


class Person:
    """Somebody with a page at the table."""

    def __init__(self, address: str, name: str, open_lines: ExitStack) -> None:
        self.scene: dict[str, Any] = {"number": 0, "may": ()}
        self.answers: dict[str, Any] = {}
        self._address = address
        self._ids = count(1)
        self._open = open_lines
        self._cookie = ""
        self._shuffle = 0
        self.post("guest", {"name": name, "lang": "en"})

    def post(self, path: str, content: Any) -> Any:
        """Send a request to the interface for programs; returns its answer."""
        head = {"Content-Type": "application/json", "X-Volte": "1", "Cookie": self._cookie}
        body = json.dumps(content).encode()
        with urlopen(Request(f"{self._address}/api/{path}", body, head), timeout=PATIENCE) as reply:
            self._cookie = self._cookie or reply.headers["Set-Cookie"].partition(";")[0]
            return json.load(reply)

    def join(self, table: str) -> None:
        head = {"Cookie": self._cookie}
        address = self._address.replace("http", "ws", 1)
        line = connect(f"{address}/live/{table}", additional_headers=head)
        self._line = self._open.enter_context(line)
        self.say("hello", protocol=1, told=True)
        self.say("prefer", bot_pace=0, trick_pace=0)

    def say(self, what: str, **fields: Any) -> str:
        """Send a message; returns its id."""
        name = str(next(self._ids))
        self._line.send(json.dumps({"say": what, "id": name, **fields}))
        return name

    def do(self, command: dict[str, Any]) -> str:
        return self.say("do", command=command, seen=self.scene["number"])

    def hear(self, wait: float) -> bool:
        """Take a message, and do its part of a shuffle; returns False if none comes in time."""
        try:
            message = json.loads(self._line.recv(timeout=wait))
        except TimeoutError:
            return False
        seat: Any = self.scene.get("seat")
        match message:
            case {"say": "answer", "id": name}:
                self.answers[name] = message
            case {"say": "scene"}:
                self.scene = message
            case {"happening": {"event": "Committed", "number": number}}:
                digest = b64encode(commit_bytes(number, seat, SHARE)).decode()
                self.do({"do": "Promise", "number": number, "digest": digest})
                self._shuffle = number
            case {"happening": {"event": "Promised", "seat": other}} if other == seat:
                data = b64encode(SHARE).decode()
                self.do({"do": "Contribute", "number": self._shuffle, "data": data})
        return True

    def command(self) -> dict[str, Any] | None:
        """The first possible command; None if it is the turn of others."""
        scene = self.scene
        legal = [card["card"] for card in scene.get("hand", ()) if card["legal"]]
        if "Pass" in scene["may"]:
            action = {"action": "Pass", "cards": legal[: scene["pass_count"]]}
        elif "Play" in scene["may"]:
            action = {"action": "Play", "card": legal[0]}
        else:
            return {"do": "Next"} if "Next" in scene["may"] else None
        return {"do": "Act", "action": {**action, "seat": scene["seat"]}}


def play(address: str, profile: Profile, open_lines: ExitStack) -> None:
    """Let two people play until enough cards have been followed."""
    people = [Person(address, name, open_lines) for name in ("Zoé", "Ali")]
    one, other = people
    setup = {"name": "One card", "rules": {}}
    table = one.post("tables", {"setup": setup, "levels": ["", "casual", "casual"]})["table"]
    for person in people:
        person.join(table)
    settle(people)
    act(people, other, {"do": "Sit", "seat": 1})
    act(people, one, {"do": "Start"})
    while len(profile.cards) < CARDS:
        settle(people)
        for person in people:
            if command := person.command():
                is_play = "Play" in person.scene["may"]
                other_is_next = person is one and len(person.scene["trick"]) < 3
                with profile.follow() if is_play and other_is_next else nullcontext():
                    act(people, person, command)
                break


def act(people: list[Person], person: Person, command: dict[str, Any]) -> None:
    """Give a command for somebody; returns once everybody has been shown it."""
    end = time.monotonic() + PATIENCE
    before = max(each.scene["number"] for each in people)
    name = person.do(command)
    while name not in person.answers or any(each.scene["number"] <= before for each in people):
        assert time.monotonic() < end, command
        for each in people:
            each.hear(0.01)
    assert person.answers[name]["ok"], person.answers[name]


def settle(people: list[Person]) -> None:
    """Wait until no more messages come."""
    while any(person.hear(QUIET) for person in people):
        pass


def visit(port: int, profile: Profile, failed: list[BaseException]) -> None:
    """Wait for the server, play there, and stop it."""
    address = f"http://127.0.0.1:{port}"
    end = time.monotonic() + PATIENCE
    try:
        while True:
            with suppress(OSError), urlopen(f"{address}/healthz", timeout=PATIENCE):
                break
            assert time.monotonic() < end, "the server does not start"
            time.sleep(0.1)
        with ExitStack() as open_lines:
            play(address, profile, open_lines)
    except BaseException as error:
        failed.append(error)
    finally:
        os.kill(os.getpid(), signal.SIGINT)


def serve(folder: str, port: int, profile: Profile) -> None:
    """Run `volte serve`, in this thread, until it is stopped."""
    sys.modules["uvloop"] = cast(Any, None)  # as if it were not installed
    os.environ |= {"VOLTE_MESSAGES_PER_SECOND": "1000", "VOLTE_WORK_PER_PERSON": "1000000"}
    database = f"sqlite:///{folder}/card.sqlite"
    sys.argv = ["volte", "serve", "--no-open", "--port", str(port), "--database", database]
    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        with redirect_stdout(io.StringIO()), suppress(SystemExit):
            runpy.run_module("volte", run_name="__main__")
    finally:
        sys.setprofile(None)


def tell(cards: list[Card]) -> None:
    card = min(cards, key=lambda card: (len(card.way), len(card.functions)))
    for number, code in enumerate(card.functions, 1):
        mark = "*" if code in card.way else " "
        path = code.co_filename.removeprefix(SOURCE)
        print(f"{number:4} {mark} {path}:{code.co_firstlineno} {code.co_qualname}")
    for name, functions in (("the way", card.way), ("all", card.functions)):
        files = {code.co_filename for code in functions}
        print(f"{name}: {len(functions)} functions in {len(files)} files")
    print(f"entered {card.shown} times, going on after an await included")
    for name, counts in (
        ("the way", [len(each.way) for each in cards]),
        ("all", [len(each.functions) for each in cards]),
    ):
        print(f"{name} of each card that was followed:", *sorted(counts))


def main() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    profile, failed = Profile(), list[BaseException]()
    client = threading.Thread(target=visit, args=(port, profile, failed))  # before any profile
    client.start()
    with tempfile.TemporaryDirectory() as folder:
        serve(folder, port, profile)
    client.join()
    if failed:
        raise failed[0]
    tell(profile.cards)


if __name__ == "__main__":
    main()
