"""Talk at a table of a playroom, typed and told in lines: sayings, mutes and reports."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from volte.console.keys import called
from volte.console.terminal import Console, Dialogue, Kind, TerminalFault
from volte.say import N_, Words
from volte.say.keys import TypedWord
from volte.say.texts.talk import PHRASES, REASONS
from volte.table import TableState
from volte.terminal.connection import Connection
from volte.wire.messages import (
    Answer,
    Avoid,
    Befriend,
    InviteFriend,
    Mute,
    Report,
    Speak,
    Spoken,
    TalkRoom,
    Welcome,
)

EARLIER: Final = 5
"""Number of earlier sayings that a newcomer is told."""

REPORTED: Final = 5
"""Number of a person's latest sayings that go into a report."""


class TalkKey(TypedWord):
    """The words that begin a line of talk."""

    SAY = ("say", "dire")
    MUTE = ("mute", "ignore", "ignorer")
    UNMUTE = ("unmute", "read", "lire")
    AVOID = ("avoid", "eviter")
    REJOIN = ("rejoin", "rejouer")
    BEFRIEND = ("befriend", "ami")
    INVITE = ("invite", "inviter")
    REPORT = ("report", "signaler")


TALK_KEY_LINES: Final = (
    N_(
        "SAY or a semicolon, followed by your words, says them to the others. SAY alone lists "
        "the ready-made phrases."
    ),
    N_(
        "MUTE with a name or a number (MUTE Alice, MUTE 2): hides what they write, here and "
        "elsewhere. UNMUTE shows it again. MUTE alone shows who has which number."
    ),
    N_(
        "AVOID with a name or a number: you and that person will not be seated together again, "
        "and an open table where one of you sits will look full to the other. Nobody is told. "
        "REJOIN undoes this."
    ),
    N_(
        "BEFRIEND with a name or a number: asks somebody to be your friend, or accepts their "
        "request."
    ),
    N_(
        "INVITE and a name: invites a friend to this table. COME and DECLINE answer a friend’s"
        " invitation."
    ),
    N_("REPORT with a name or a number: reports somebody to the moderators."),
)
"""Help on the words and keys of talk, a line each."""


_HOW: Final[dict[type[Mute | Avoid], str]] = {
    Mute: N_("MUTE with a name or a number mutes one of these people; UNMUTE undoes it."),
    Avoid: N_("AVOID with a name or a number keeps one of these people away; REJOIN undoes it."),
}
"""The sentence on how to name somebody, by decision about them."""


def talk_of(line: str) -> tuple[TalkKey | None, str]:
    """Split a line of talk into the key that it begins with and the rest.

    >>> talk_of("; Good evening")
    (<TalkKey.SAY: ('say', 'dire')>, 'Good evening')
    >>> talk_of("UNMUTE Anne"), talk_of("qs")
    ((<TalkKey.UNMUTE: ('unmute', 'read', 'lire')>, 'Anne'), (None, ''))
    """
    line = line.strip()
    if line.startswith((";", '"')):
        return TalkKey.SAY, line[1:].strip(' "')
    word, about = (*line.split(maxsplit=1), "", "")[:2]
    key = TalkKey.of(word)
    if key is None:
        return None, ""
    return key, about.strip(' "') if key is TalkKey.SAY else about


@dataclass(frozen=True)
class Companion:
    """Another person at the table, who can be muted or reported."""

    number: int  # of their seat; past all seats for somebody who has talked and has none
    person: str
    name: str
    seated: bool


class Talker(Dialogue):
    """A person's talk: carries out their lines about it, and tells the sayings of others."""

    def __init__(self, words: Words, console: Console, connection: Connection) -> None:
        super().__init__(words, console)
        self._connection = connection
        self._person = ""
        self._before: int | None = None
        self._earlier: list[Spoken] = []
        self._sayings: dict[str, deque[Spoken]] = {}
        self._unanswered: set[str] = set()

    def greet(self, welcome: Welcome) -> None:
        """Note the person, and the number up to which sayings are old."""
        self._person = welcome.person
        if self._before is None:
            self._before = welcome.talked

    def hear(self, spoken: Spoken) -> None:
        """Tell a saying; of the old ones only the last `EARLIER`."""
        assert self._before is not None
        if spoken.person != self._person:
            self._sayings.setdefault(spoken.person, deque(maxlen=REPORTED)).append(spoken)
        if spoken.number > self._before:
            self._tell(spoken)
            return
        self._earlier.append(spoken)
        if spoken.number == self._before:
            for each in self._earlier[-EARLIER:]:
                self._tell(each)
            self._earlier.clear()

    def does(self, line: str, table: TableState) -> bool:
        """Carry out a line of talk; False for any other line. Raises `TerminalFault`."""
        key, about = talk_of(line)
        match key:
            case None:
                return False
            case TalkKey.SAY:
                self._speak(about, table)
            case TalkKey.INVITE if not about:  # the key of that name
                return False
            case TalkKey.INVITE:
                self._send(lambda mark: InviteFriend(mark, about))
            case TalkKey.BEFRIEND:
                self._befriend(about, table)
            case TalkKey.REPORT:
                self._report(about, table)
            case TalkKey.MUTE | TalkKey.UNMUTE:
                self._decide(Mute, about, table, on=key is TalkKey.MUTE)
            case TalkKey.AVOID | TalkKey.REJOIN:
                self._decide(Avoid, about, table, on=key is TalkKey.AVOID)
        return True

    def answered(self, answer: Answer) -> bool:
        """Whether the answer is to a line of talk; if so, tell its lines."""
        if answer.id not in self._unanswered:
            return False
        self._unanswered.discard(answer.id)
        self.console.say(*answer.lines)
        return True

    # Sayings

    def _speak(self, saying: str, table: TableState) -> None:
        """Say a text, or the phrase of that number; list the phrases if it is empty."""
        if not saying:
            self._offer(list(PHRASES.values()))
            self.say(
                N_(
                    "SAY with a number says one of these phrases; everybody reads it in their "
                    "own language."
                )
            )
            return
        watches = table.seat_of(self._person) is None and table.under_way
        room: TalkRoom = "watchers" if watches else "table"
        phrase = _numbered(saying, list(PHRASES))
        text = "" if phrase else saying
        mark = self._connection.send(lambda mark: Speak(mark, room, phrase, text))
        self._unanswered.add(mark)

    def _tell(self, spoken: Spoken) -> None:
        own = spoken.person == self._person
        message = N_("You say: {line}") if own else N_("{name} says: {line}")
        if spoken.room == "watchers" and not own:
            message = N_("{name} says to the spectators: {line}")
        line = self.words.t(message, name=spoken.name, line=spoken.line)
        self.console.tell(Kind.TALK, line)

    # Mutes and reports

    def _decide(self, kind: type[Mute | Avoid], name: str, table: TableState, on: bool) -> None:
        """Mute or avoid somebody, or no longer; list the others if nobody is named."""
        others = self._others(table)
        if not name:
            self._tell_others(others)
            self.say(_HOW[kind])
            return
        other = _somebody(name, others)
        mark = self._connection.send(lambda mark: kind(mark, other.person, on))
        self._unanswered.add(mark)

    def _report(self, about: str, table: TableState) -> None:
        """Report somebody for the reason of that number; list the reasons if none is given."""
        others = self._others(table)
        if not about:
            self._tell_others(others)
            self.say(N_("REPORT with a name or a number lists the reasons to choose from."))
            return
        who, number, note = _read_report(about, others)
        other = _somebody(who, others)
        why = _numbered(number, list(REASONS))
        if not why:
            self.say(
                N_(
                    "Moderators read what was said around that time, then decide what to do. "
                    "{name} will not know who sent the report."
                ),
                name=other.name,
            )
            self._offer(list(REASONS.values()))
            self.say(
                N_(
                    "REPORT {who}, followed by the number of a reason, sends the report; you can "
                    "add a note."
                ),
                who=who,
            )
            return
        sayings = tuple(each.number for each in self._sayings.get(other.person, ()))
        mark = self._connection.send(lambda mark: Report(mark, other.person, why, sayings, note))
        self._unanswered.add(mark)

    def _befriend(self, name: str, table: TableState) -> None:
        """Ask somebody to be friends, or tell whom one can ask."""
        others = self._others(table)
        if not name:
            self._tell_others(others)
            self.say(
                N_("BEFRIEND with a name or a number asks one of these people to be your friend.")
            )
            return
        other = _somebody(name, others)
        self._send(lambda mark: Befriend(mark, other.person))

    def _send(self, make: Callable[[str], InviteFriend | Befriend]) -> None:
        self._unanswered.add(self._connection.send(make))

    def _others(self, table: TableState) -> list[Companion]:
        """The other people with a seat, then those who have talked without one.

        Raises `TerminalFault` if there is nobody.
        """
        seats = enumerate(table.seats, 1)
        others = [Companion(place, seat.person, seat.name, True) for place, seat in seats]
        others = [each for each in others if each.person not in ("", self._person)]
        seated = {each.person for each in others}
        for number, (person, sayings) in enumerate(self._sayings.items(), len(table.seats) + 1):
            if person not in seated:
                others.append(Companion(number, person, sayings[-1].name, False))
        if not others:
            raise TerminalFault("nobody_else")
        return others

    def _tell_others(self, others: Sequence[Companion]) -> None:
        for each in others:
            message = (
                N_("{number}: {name}") if each.seated else N_("{number}: {name}, without a seat")
            )
            self.say(message, number=each.number, name=each.name)

    # Lines

    def _offer(self, lines: Sequence[str]) -> None:
        """List the lines to choose from, by number."""
        for number, line in enumerate(lines, 1):
            self.say(N_("{number}: {line}"), number=number, line=self.words.t(line))


def _numbered(typed: str, choices: Sequence[str]) -> str:
    """The choice of a typed number; empty if there is none."""
    number = int(typed) if typed.isdecimal() else 0
    return choices[number - 1] if 1 <= number <= len(choices) else ""


def _read_report(about: str, others: Sequence[Companion]) -> tuple[str, str, str]:
    """Split a report into the person's name or number, the number of the reason, and the note.

    Names may have numbers in them, and so may notes: longer names go first.
    """
    words = about.split()
    ends = [at for at in range(1, len(words)) if words[at].isdecimal()] + [len(words)]
    for end in reversed(ends):
        who = " ".join(words[:end])
        if _found(who, others):
            return who, "".join(words[end : end + 1]), " ".join(words[end + 1 :])
    return " ".join(words[: ends[0]]), "", ""


def _somebody(name: str, others: Sequence[Companion]) -> Companion:
    """The person with that name or number. Raises `TerminalFault` for none or several."""
    found = _found(name, others)
    if len(found) > 1:
        raise TerminalFault("called_alike", name=name)
    if not found:
        players = tuple(each.name for each in others)
        raise TerminalFault("nobody_called", name=name, players=players)
    return found[0]


def _found(name: str, others: Sequence[Companion]) -> list[Companion]:
    """People with that number, or else with that name, or else with a name that begins so."""
    found = [each for each in others if str(each.number) == name.strip()]
    names = {place: each.name for place, each in enumerate(others)}
    return found or [others[place] for place in called(name, names)]
