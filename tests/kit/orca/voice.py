"""A silent synthesiser: it records the texts that a screen reader sends to be spoken.

Orca speaks through Speech Dispatcher, whose protocol (SSIP) is lines over a socket: a command, or
`SPEAK` and then a text that ends with a line of one full stop. This one answers any other command
with OK. Each text takes as long as a voice of the chosen speed would take, since the reader cancels
the rest of a text, and all texts waiting behind it, when a key is pressed.
"""

from __future__ import annotations

import html
import re
import socket
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

BREATH: Final = 0.05
"""Time between the beginning of a text and its first letter, in seconds."""


@dataclass
class Utterance:
    """One text for the synthesiser.

    Attributes:
        heard: the part spoken before it was cancelled; the whole text if it was not.
    """

    number: int
    text: str
    heard: str = ""
    over: bool = False

    @property
    def cut(self) -> bool:
        """Whether a listener would have missed a part of it."""
        return self.over and self.heard != self.text


class Voice:
    """Listens at a socket, as Speech Dispatcher does, while the context lasts.

    Args:
        letters: number of letters spoken in a second.

    Attributes:
        address: for `SPEECHD_ADDRESS`.
        said: every text, in order.
        speaking: the text that is being spoken; None in silence.
        stirred: time at which a text last began, ended or was cancelled (`monotonic`).
    """

    def __init__(self, folder: Path, letters: float) -> None:
        self.letters = letters
        self.said: list[Utterance] = []
        self.speaking: Utterance | None = None
        self.stirred = monotonic()
        self.address = f"unix_socket:{folder / 'voice'}"
        self._waiting: deque[tuple[Utterance, socket.socket]] = deque()
        self._changed = threading.Condition()
        self._cancelled = 0
        self._over = False
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(folder / "voice"))
        self._door.listen()
        self._threads = [threading.Thread(target=run) for run in (self._admit, self._speak)]

    def __enter__(self) -> Voice:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._over = True
            self._changed.notify_all()
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        for thread in self._threads:
            thread.join()

    @property
    def silent(self) -> bool:
        """Whether every text has been spoken or cancelled."""
        with self._changed:
            return all(each.over for each in self.said)

    # Incoming commands

    def _admit(self) -> None:
        while True:
            try:
                client, _ = self._door.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            with client, client.makefile("r", encoding="utf-8", newline="\r\n") as file:
                lines = (line.removesuffix("\r\n") for line in file)
                for line in lines:
                    for answer in self._answers(line, lines, client):
                        _send(client, answer)
        except OSError:
            return  # the client is gone

    def _answers(self, line: str, lines: Iterator[str], client: socket.socket) -> Iterator[str]:
        command, _, rest = line.partition(" ")
        match command.upper():
            case "SPEAK":
                yield "230 OK"
                yield from self._take(_plain(_block(lines)), client)
            case "CHAR" | "KEY":
                yield from self._take(rest, client)
            case "CANCEL" | "STOP":
                self._cancel()
                yield "210 OK"
            case "HISTORY":
                yield "245-1\r\n245 OK"  # the number of this client
            case "LIST":
                yield "249-none\tnone\tnone\r\n249 OK"
            case "GET":
                yield "251-0\r\n251 OK"
            case _:
                yield "200 OK"

    def _take(self, text: str, client: socket.socket) -> Iterator[str]:
        with self._changed:
            utterance = Utterance(len(self.said) + 1, text)
            self.said.append(utterance)
        yield f"225-{utterance.number}\r\n225 OK"
        with self._changed:
            self._waiting.append((utterance, client))
            self._changed.notify_all()

    def _cancel(self) -> None:
        with self._changed:
            self._cancelled += 1
            self._changed.notify_all()
            waiting, self._waiting = self._waiting, deque()
        for utterance, client in waiting:
            self._end(utterance, client)

    # Speaking

    def _speak(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._over)
                if self._over:
                    return
                utterance, client = self._waiting.popleft()
                before = self._cancelled
            self._tell(utterance, client, "701", "BEGIN")
            began = monotonic()
            self.speaking = utterance
            needed = BREATH + len(utterance.text) / self.letters
            with self._changed:
                stopped = self._changed.wait_for(
                    lambda: self._over or self._cancelled != before,  # noqa: B023
                    needed,
                )
            self.speaking = None
            spoken = int((monotonic() - began - BREATH) * self.letters) if stopped else None
            utterance.heard = utterance.text[: spoken and max(spoken, 0)]
            self._end(utterance, client)

    def _end(self, utterance: Utterance, client: socket.socket) -> None:
        utterance.over = True
        if utterance.cut:
            self._tell(utterance, client, "703", "CANCELED")
        else:
            self._tell(utterance, client, "702", "END")

    def _tell(self, utterance: Utterance, client: socket.socket, code: str, what: str) -> None:
        self.stirred = monotonic()
        try:
            _send(client, f"{code}-{utterance.number}\r\n{code}-1\r\n{code} {what}")
        except OSError:
            return


def _send(client: socket.socket, lines: str) -> None:
    client.sendall(f"{lines}\r\n".encode())


def _block(lines: Iterator[str]) -> str:
    """The text after a command, up to the line with a full stop."""
    block = []
    for line in lines:
        if line == ".":
            break
        block.append(line.removeprefix(".") if line.startswith("..") else line)
    return "\n".join(block)


def _plain(text: str) -> str:
    """A text without its markup."""
    return " ".join(html.unescape(re.sub("<[^>]+>", "", text)).split())
