"""A person's share of the shuffle: promised, then told, without being asked (D3)."""

from __future__ import annotations

import secrets

from volte.fair import CONTRIBUTION_BYTES, commit_bytes
from volte.game import still_to_contribute, still_to_promise
from volte.table import TableState
from volte.table.commands import Contribute, Promise
from volte.terminal.connection import Connection
from volte.wire.messages import Answer


class Cut:
    """Adds to every shuffle of a table, for whoever sits at this end of the connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._shuffle = (0, 0)
        self._share = b""
        self._told = False
        self._open: set[str] = set()

    def see(self, table: TableState, seat: int | None, seen: int) -> None:
        """Does what is due: a promise, and, once everybody has promised, the bytes."""
        match = table.match
        if match is None or match.proof is None or seat is None:
            return
        number = match.proof.number
        promise_due = seat in still_to_promise(match)
        if promise_due and self._shuffle != (table.match_began, number):
            self._shuffle, self._told = (table.match_began, number), False
            self._share = secrets.token_bytes(CONTRIBUTION_BYTES)
            digest = commit_bytes(number, seat, self._share)
            self._open.add(self._connection.do(Promise(number, digest), seen))
        if self._told or self._shuffle != (table.match_began, number) or still_to_promise(match):
            return
        if seat not in still_to_contribute(match):
            return
        # Another program of the same person may have promised first.
        if match.proof.promises[seat] == commit_bytes(number, seat, self._share):
            self._told = True
            self._open.add(self._connection.do(Contribute(number, self._share), seen))

    def answered(self, answer: Answer) -> bool:
        """Whether that was an answer to one of its own messages, which nobody needs to hear."""
        if answer.id not in self._open:
            return False
        self._open.discard(answer.id)
        return True
