"""Talk at a table of a playroom, typed and told in lines."""

from __future__ import annotations

import re
from typing import Final

from volte.terminal.connection import Connection
from volte.terminal.console import Console
from volte.wire.messages import Answer, Spoken, TalkRoom, Welcome
from volte.words import Words
from volte.words.console import console_sentence
from volte.words.talk import PHRASES

EARLIER: Final = 5
"""Sayings from before somebody came that they are told."""

_SAYING: Final = re.compile(r"\s*(?:[;\"](.*)|(?:say|dire)(?:\s+(.*))?)", re.IGNORECASE | re.DOTALL)


def saying_of(line: str) -> str | None:
    """What somebody wants to say with that line; empty for the list of phrases, None for nothing.

    >>> saying_of("; Good evening"), saying_of("DIRE 3"), saying_of("say"), saying_of("qs")
    ('Good evening', '3', '', None)
    """
    found = _SAYING.fullmatch(line)
    return None if found is None else (found[1] or found[2] or "").strip(' "')


class Talker:
    """Somebody's talk: says what they type, and tells what the others say."""

    def __init__(self, words: Words, console: Console, connection: Connection) -> None:
        self._words = words
        self._console = console
        self._connection = connection
        self._person = ""
        self._before: int | None = None
        self._earlier: list[Spoken] = []
        self._unanswered: set[str] = set()

    def greet(self, welcome: Welcome) -> None:
        """Who the person is, and up to where they have missed nothing they need to hear."""
        self._person = welcome.person
        if self._before is None:
            self._before = welcome.talked

    def hear(self, spoken: Spoken) -> None:
        """Tells what somebody has said; of what was said before, the last lines."""
        assert self._before is not None
        if spoken.number > self._before:
            self._tell(spoken)
            return
        self._earlier.append(spoken)
        if spoken.number == self._before:
            for each in self._earlier[-EARLIER:]:
                self._tell(each)
            self._earlier.clear()

    def say(self, saying: str, room: TalkRoom) -> None:
        """Says it: a text, or the phrase of that number; tells the phrases where it is empty."""
        phrases = list(PHRASES)
        if not saying:
            lines = [
                console_sentence(self._words, "phrase", number=number, line=self._words.t(line))
                for number, line in enumerate(PHRASES.values(), 1)
            ]
            self._console.say(*lines, console_sentence(self._words, "phrases_how"))
        elif saying.isdecimal() and 1 <= int(saying[:4]) <= len(phrases):
            mark = self._connection.speak(room, phrases[int(saying[:4]) - 1], "")
            self._unanswered.add(mark)
        else:
            self._unanswered.add(self._connection.speak(room, "", saying))

    def answered(self, answer: Answer) -> bool:
        """Whether that is the answer to a saying; tells why it was not said."""
        if answer.id not in self._unanswered:
            return False
        self._unanswered.discard(answer.id)
        self._console.say(*answer.lines)
        return True

    def _tell(self, spoken: Spoken) -> None:
        own = spoken.person == self._person
        name = "own_saying" if own else "saying"
        if spoken.room == "watchers" and not own:
            name = "saying_to_watchers"
        self._console.say(console_sentence(self._words, name, name=spoken.name, line=spoken.line))
