"""News of a playroom at the terminal: what is true for the person now, and friends' invitations."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, Final

import msgspec

from volte.console.terminal import TerminalFault
from volte.say import N_, Words
from volte.say.keys import TypedWord
from volte.terminal.playroom import NewsItem, Playroom

EVERY: Final = 20.0  # seconds between two looks

HOW: Final = N_("COME takes you to that table, DECLINE turns the invitation down.")

DECLINED: Final = N_("You have declined the invitation.")
NOT_INVITED: Final = N_("You have no invitations from friends right now.")


class InvitationWord(TypedWord):
    """Words that answer the latest invitation of a friend."""

    COME = ("come", "venir")
    DECLINE = ("decline", "refuser")


class PlayroomNews(msgspec.Struct, frozen=True):
    """Everything that is true for the person now."""

    items: tuple[NewsItem, ...]


class NewsWatch:
    """Asks a playroom for news in a thread of its own, and puts `PlayroomNews` into an inbox.

    Args:
        playroom: the playroom as the person sees it.
        at: path of the page with the person's table, about which nothing is told.
    """

    def __init__(self, playroom: Playroom, inbox: SimpleQueue[Any], at: str) -> None:
        self._playroom = playroom
        self._inbox = inbox
        self._at = at
        self._closing = Event()
        self._thread = Thread(target=self._run, name="news", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop asking the playroom for news."""
        self._closing.set()

    def answer(self, invitation: NewsItem, yes: bool) -> str:
        """Answer an invitation; return the id of its table. Raises `TerminalFault`."""
        return self._playroom.answer_friend(invitation.about, yes)

    def _run(self) -> None:
        while not self._closing.is_set():
            with suppress(TerminalFault):  # the connection to the table says what is wrong
                news = PlayroomNews(self._playroom.news(self._at))
                if not self._closing.is_set():
                    self._inbox.put(news)
            self._closing.wait(EVERY)


def news_lines(words: Words, items: Sequence[NewsItem]) -> tuple[str, ...]:
    """The lines of news, and how an invitation is answered."""
    how = [words.t(HOW)] if any(each.invites for each in items) else []
    return (*(each.line for each in items), *how)
