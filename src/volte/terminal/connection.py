"""The connection to a table: it is made again when it is lost, and loses no message."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Final

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from volte.game.codec import encode
from volte.table import Command
from volte.terminal.news import PlayroomNews
from volte.terminal.playroom import MOST_LEADS, Address, led
from volte.wire import messages as wire

PATIENCE: Final = 300.0
"""Seconds during which a playroom that does not answer is tried again."""

FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 5.0
LONGEST_MOVE: Final = 0.4
"""Longest random pause in seconds, so that clients of a stopping playroom do not all come back at
once."""

LONGEST_WAIT: Final = 15.0
"""Time limit for opening a connection, in seconds."""

LONGEST_SAYING: Final = 1 << 20
"""Limit on one message of the server, in bytes."""

FINAL: Final = frozenset(
    {
        wire.Closing.MALFORMED,
        wire.Closing.NO_SESSION,
        wire.Closing.NOT_ADMITTED,
        wire.Closing.NO_TABLE,
        wire.Closing.CLOSED,
        wire.Closing.OLD_PROTOCOL,
    }
)
"""Closing codes after which the connection is not made again."""

_OF_OURS: Final = 4000
"""Difference between our closing codes and the HTTP statuses with the same meaning."""


class ConnectionLost(msgspec.Struct, frozen=True):
    """The connection is lost, and is being made again."""


class TurnedAway(msgspec.Struct, frozen=True):
    """The playroom turns the person away; the connection has ended."""

    code: int  # a `Closing`; 0 if the playroom has not answered until patience ran out
    reason: str = ""  # a short name; empty if none was sent
    sentence: str = ""  # the reason in the person's language; empty if none was sent
    at: str = ""  # the live address of another table where its people go on; empty for none


News = wire.Saying | PlayroomNews | ConnectionLost | TurnedAway | Exception
"""Items of the inbox beside typed lines; an exception is a fault of ours, to be raised."""


class Connection:
    """The connection to one table, in a thread of its own.

    Args:
        cookie: cookie by which the playroom knows the person.
        lang: language of the playroom's sentences.
        inbox: queue that gets the `News`.
        patience: seconds for which to try again when the playroom is gone.
    """

    def __init__(
        self,
        address: Address,
        cookie: str,
        lang: str,
        inbox: SimpleQueue[Any],
        patience: float = PATIENCE,
    ) -> None:
        self._address = address
        self._cookie = cookie
        self._lang = lang
        self._inbox = inbox
        self._patience = patience
        self._own, self._sent = secrets.token_hex(8), 0
        self._unanswered: dict[str, str] = {}
        self._seen = self._last_spoken = 0
        self._seat: int | None = None
        self._notice = wire.Notice("", "")
        self._line: ClientConnection | None = None
        self._lock = Lock()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="connection", daemon=True)
        self._thread.start()

    def do(self, command: Command, seen: int) -> str:
        """Send a command, again after each reconnection until it is answered; return its id."""
        return self.send(lambda mark: wire.Do(mark, command, seen))

    def send(
        self,
        make: Callable[[str], wire.Asking],
    ) -> str:
        """Send the message that `make` builds from an id, as `do` does; return the id."""
        with self._lock:
            mark = self._mark()
            self._unanswered[mark] = encode(make(mark)).decode()
            if self._line is not None:
                _write(self._line, self._unanswered[mark])
        return mark

    def close(self) -> None:
        """Close the connection, and wait for its thread."""
        self._closing.set()
        with self._lock:
            line = self._line
        if line is not None:
            line.close()
        self._thread.join(LONGEST_WAIT)

    def _mark(self) -> str:
        """A message id that is unique among all clients of this person."""
        self._sent += 1
        return f"{self._own}-{self._sent}"

    def _run(self) -> None:
        try:
            self._keep_up()
        except Exception as error:
            self._inbox.put(error)

    def _keep_up(self) -> None:
        """Connect, follow redirects and reconnect, until it is closed or turned away."""
        pause, here, here_at = FIRST_PAUSE, False, monotonic()
        lead, leads = "", 0
        while not self._closing.is_set():
            self._notice, code, welcomed = wire.Notice("", ""), 0, False
            try:
                with connect(
                    lead or self._address.live,
                    additional_headers={"Cookie": self._cookie},
                    compression=None,
                    open_timeout=LONGEST_WAIT,
                    close_timeout=1,
                    max_size=LONGEST_SAYING,
                ) as line:
                    welcomed, code = self._hear(line)
            except InvalidStatus as refused:
                if not lead:  # after a redirect, a proxy may answer in place of a node that is gone
                    code = _OF_OURS + refused.response.status_code
            except msgspec.DecodeError:
                code = wire.Closing.OLD_PROTOCOL
            except (OSError, EOFError, WebSocketException):
                pass
            if self._closing.is_set():
                return
            if code in FINAL:
                said = self._notice
                at = led(self._address.live, said.at)
                self._inbox.put(TurnedAway(code, said.reason, said.line, at))
                return
            if welcomed:
                pause, here, here_at, leads = FIRST_PAUSE, True, monotonic(), 0
            lead, leads = led(self._address.live, self._notice.at), leads + 1
            if lead and leads <= MOST_LEADS:
                continue
            lead, leads = "", 0
            if here:
                self._inbox.put(ConnectionLost())
                here = False
            elif monotonic() - here_at > self._patience:
                self._inbox.put(TurnedAway(0))
                return
            moving = code == wire.Closing.STOPPING and pause == FIRST_PAUSE
            self._closing.wait(random.uniform(0, LONGEST_MOVE) if moving else pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _hear(self, line: ClientConnection) -> tuple[bool, int]:
        """Receive until the connection ends: (whether there was a welcome, closing code)."""
        welcomed = False
        try:
            hello = wire.Hello(
                self._mark(), wire.PROTOCOL, self._seen, False, self._lang, self._last_spoken
            )
            with suppress(ConnectionClosed):  # messages received before can still be read
                line.send(encode(hello).decode())
            for frame in line:
                saying = wire.decode_saying(frame)
                if isinstance(saying, wire.Welcome):
                    if saying.protocol != wire.PROTOCOL:
                        return welcomed, wire.Closing.OLD_PROTOCOL
                    if not self._greeted(saying):
                        return welcomed, 0
                    if not welcomed:  # unanswered messages are sent first
                        welcomed = True
                        with self._lock:
                            self._line = line
                            for text in self._unanswered.values():
                                _write(line, text)
                self._pass_on(saying)
        except ConnectionClosed:
            pass
        finally:
            with self._lock:
                self._line = None
        return welcomed, line.close_code or 0

    def _greeted(self, welcome: wire.Welcome) -> bool:
        """Whether the client may go on reading; False to reconnect and get everything anew."""
        moved = welcome.id and self._seen and welcome.seat != self._seat
        self._seat = welcome.seat
        if moved:  # the person has another seat by now, and so another view of the match
            self._seen = 0
            return False
        if not welcome.id or welcome.began > self._seen + 1 or welcome.number < self._seen:
            self._seen = 0
        return True

    def _pass_on(self, saying: wire.Saying) -> None:
        """Put the message into the inbox, unless a terminal has no use for it."""
        match saying:
            case wire.Scene():
                return
            case wire.Notice(
                reason="not_saved"
                | "saved"
                | "measure"
                | "came"
                | "seeking"
                | "luck"
                | "lucky_deal"
            ):
                pass
            case wire.Notice():
                self._notice = saying
                return
            case wire.Happened():
                self._seen = saying.number
            case wire.Spoken():
                self._last_spoken = saying.number
            case wire.Answer():
                with self._lock:
                    self._unanswered.pop(saying.id, None)
        self._inbox.put(saying)


def _write(line: ClientConnection, text: str) -> None:
    with suppress(OSError, WebSocketException):  # the receiving thread notices, and connects again
        line.send(text)
