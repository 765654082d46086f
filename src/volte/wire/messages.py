"""What clients and the server say to each other at a table: JSON in text frames of a WebSocket.

A client says `Hello` first. Every message of a client has an `id` of its own choice and is
answered once, by the `Answer` with that id, even if it is sent twice. Every happening has its
number, without gaps: a client that comes back says the last one it has and is told the rest.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Annotated, Final, Literal

import msgspec

from volte.cards import Card
from volte.game import Refusal
from volte.game.codec import read_card
from volte.referee.scores import Table
from volte.table import Command, Happening, Seat, Setup

PROTOCOL: Final = 1
"""Version of these messages."""

LONGEST_ID: Final = 40
NO_NULL: Final = r"^[^\x00]+$"
"""Ids are kept with what was done, and no database keeps that sign in text."""

LONGEST_MESSAGE: Final = 16_384
"""Bytes of one message of a client."""

LONGEST_LINE: Final = 200
"""Characters of a line on which cards are typed."""

SLOWEST_BOT: Final = 10_000
SLOWEST_TRICK: Final = 30_000
"""Milliseconds that can be asked for in `Prefer`."""

HappeningNumber = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
"""Of a happening."""

SayingNumber = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
"""Of a saying; they are numbered for themselves."""

TalkRoom = Literal["table", "watchers"]
"""Where something is said: to everybody at the table, or among those who have no seat."""

PersonId = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=NO_NULL)]
"""The id of a person."""

MOST_REPORTED: Final = 20
"""Sayings of one report."""


class Closing(IntEnum):
    """Why the server closes a connection; a `Notice` with the sentence comes before.

    Those of our own are 4000 and a status of HTTP. After the ones marked "again" a client comes
    back by itself, with growing pauses, and says in its `Hello` what it has `seen`. Where the
    notice says `at`, the client calls there, and at once.
    """

    STOPPING = 1012  # the server goes down; again
    TOO_BIG = 1009  # a message was longer than `LONGEST_MESSAGE`
    FAILED = 1011  # a fault of the server; again
    MALFORMED = 4400  # the first message was no `Hello`
    NO_SESSION = 4401  # nobody is known by that cookie, or no longer
    NOT_ADMITTED = 4403  # the password is wanted first, or nobody may watch, or one was sent away
    NO_TABLE = 4404  # there is no such table
    TOO_SLOW = 4408  # messages were not taken, or `Hello` did not come; again
    CLOSED = 4410  # the table has been closed
    OLD_PROTOCOL = 4426  # another version of these messages is spoken here
    TOO_FAST = 4429  # too many connections
    MOVED_AWAY = 4503  # the table is looked after elsewhere now, or nothing can be read; again


class Question(StrEnum):
    """What can be asked at any time: the keys of K1, and ours beside them."""

    TABLE = "table"
    SCORES = "scores"
    TURN = "turn"
    HAND = "hand"
    LAST = "last"
    POINTS = "points"
    SHEET = "sheet"
    RULES = "rules"
    HINT = "hint"
    SITUATION = "situation"  # turn, trick and hand in one answer
    SEAT = "seat"  # what everybody can know of one seat
    CARDS = "cards"  # which cards of one's hand a typed line means
    TRICKS = "tricks"  # those turned down in this deal, a line each: for whoever claims a revoke


# From a client


class _Asking(msgspec.Struct, frozen=True, tag_field="say", tag=str.lower):
    """What a client says."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_ID, pattern=NO_NULL)]


class Hello(_Asking, frozen=True):
    """The first message.

    Attributes:
        protocol: the version that the client speaks.
        seen: the number of the last happening it has; 0 for none. It is told what came after,
            from the beginning of the match that is played.
        told: whether happenings shall come with their sentences, and scenes be sent.
        lang: of the sentences; empty for the person's own.
        heard: the number of the last saying it has; 0 for none. It is told the last ones after it.
    """

    protocol: int
    seen: HappeningNumber = 0
    told: bool = True
    lang: str = ""
    heard: SayingNumber = 0


class Do(_Asking, frozen=True):
    """A command, and the number of the last happening that the client had seen when giving it."""

    command: Command
    seen: HappeningNumber


class Ask(_Asking, frozen=True):
    """A question.

    Attributes:
        card: for `table` alone: 1 to 10 for one card of the trick.
        places: for `hand` alone: whether each card comes with its place, such as `.3`, by which it
            can be typed.
        seat: for `seat` alone: which, from 0.
        text: for `cards` alone: a line such as `qs`, `10h` or `.3`; several cards for the pass.
    """

    what: Question
    card: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    places: bool = True
    seat: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    text: Annotated[str, msgspec.Meta(max_length=LONGEST_LINE)] = ""


class Prefer(_Asking, frozen=True):
    """How the person likes to play, kept for good; None leaves it as it is.

    Attributes:
        bot_pace: milliseconds before each card of a bot.
        trick_pace: milliseconds that a full trick lies.
        auto_forced: whether a card that is the only legal one is played by itself.
        lang: of the sentences.
    """

    bot_pace: Annotated[int, msgspec.Meta(ge=0, le=SLOWEST_BOT)] | None = None
    trick_pace: Annotated[int, msgspec.Meta(ge=0, le=SLOWEST_TRICK)] | None = None
    auto_forced: bool | None = None
    lang: str | None = None


class Heard(_Asking, frozen=True):
    """The person has heard enough: bots that wait for that go on."""


class Speak(_Asking, frozen=True):
    """Says something to the others: a prepared phrase, which each reads in their own language, or
    a text.

    Attributes:
        room: whoever has a seat talks at the `table`; whoever has none talks to the other
            `watchers`, and between matches at the table as well.
        phrase: its name; empty for a text.
        text: one line of at most 300 characters; empty for a phrase.
    """

    room: TalkRoom
    phrase: Annotated[str, msgspec.Meta(max_length=LONGEST_ID)] = ""
    text: str = ""


class Mute(_Asking, frozen=True):
    """Does not want to hear what somebody says, here and at any other table; or does again."""

    person: PersonId
    on: bool = True


class Report(_Asking, frozen=True):
    """Asks the moderators to look at what somebody at the table said or did.

    Attributes:
        sayings: the numbers of those that it is about.
        why: `insult`, `harassment`, `spam`, `name`, `cheating` or `other`.
        note: one line of at most 500 characters.
    """

    person: PersonId
    why: Annotated[str, msgspec.Meta(max_length=LONGEST_ID)]
    sayings: Annotated[tuple[SayingNumber, ...], msgspec.Meta(max_length=MOST_REPORTED)] = ()
    note: str = ""


Asking = Hello | Do | Ask | Prefer | Heard | Speak | Mute | Report


# From the server


class _Saying(msgspec.Struct, frozen=True, tag_field="say", tag=str.lower):
    """What the server says."""


class Welcome(_Saying, frozen=True):
    """The answer to `Hello`: who the client is here, and how the table stands, but for its match.

    What the client has missed follows, up to `number`. One that comes unasked, its `id` empty,
    says that the person's seat has changed in the middle of a match: what the client knows of the
    match is void, and it is told anew, from `began` on.

    Attributes:
        protocol: as the server speaks it.
        table: its id.
        person: id of whose connection it is.
        name: theirs.
        seat: theirs; None for somebody who watches.
        number: of the last happening at the table.
        first: number of the first happening that is told next; past `number` where none is.
        began: number of the `MatchStarted` of the present match, 0 before the first.
        host: whether the person is the host.
        host_id: id of who is.
        moved: see `TableState`.
        matches: how many have been begun.
        talked: number of the last saying that is told right after this; those that follow are new.
    """

    id: str
    protocol: int
    table: str
    person: str
    name: str
    seat: int | None
    number: int
    first: int
    began: int
    host: bool
    setup: Setup
    host_id: str
    host_name: str
    seats: tuple[Seat, ...]
    paused: bool
    closed: bool
    moved: int
    matches: int
    talked: int = 0


class Answer(_Saying, frozen=True):
    """The answer to any other message.

    Attributes:
        ok: whether it was done.
        number: of the last happening at the table.
        refusal: why it was not done; None where it was.
        lines: the sentence of the refusal, or the answer to a question.
        cards: those that a hint advises to play, or to pass, or that a typed line means; empty
            for any other answer.
    """

    id: str
    ok: bool
    number: int
    refusal: Refusal | None = None
    lines: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()


class Happened(_Saying, frozen=True):
    """One happening, as the person may see it.

    Attributes:
        told: its sentences by verbosity (`terse`, `brief`, `normal`, `full`), where they were asked
            for.
    """

    number: int
    happening: Happening
    told: dict[str, tuple[str, ...]] | None = None


class SceneSeat(msgspec.Struct, frozen=True):
    """A seat as it is shown.

    Attributes:
        state: `free`, `bot`, `here`, `gone` (the connection is lost) or `stand_in`.
        cards: in the hand.
        points: taken in this deal by the tricks that lie open.
        passed: whether its pass is in.
        asker: id of who asks for this bot's seat, and waits for the host; empty for nobody.
        asker_name: theirs.
        face: the picture that stands for whoever sits there: `initials`, or the name of a drawing,
            such as `fox`.
        hue: number of its colour, 0 to 9.
    """

    name: str
    level: str
    state: str
    cards: int
    points: int
    total: int
    passed: bool
    host: bool
    asker: str = ""
    asker_name: str = ""
    face: str = "initials"
    hue: int = 0


class SceneCard(msgspec.Struct, frozen=True):
    """A card in the own hand.

    Attributes:
        name: in full, in the person's language.
        legal: whether it may be played or passed now.
        why: the sentence that says why not.
        passed: whether it is in the own pass, which can still be taken back.
        giver: the seat that has passed it to this person, until they have played their first card
            of the deal; None otherwise.
    """

    card: Card
    name: str
    short: str
    legal: bool
    why: str = ""
    passed: bool = False
    giver: int | None = None


class LaidCard(msgspec.Struct, frozen=True):
    """A card on the table, or of the last trick.

    Attributes:
        early: whether it was played out of turn, and may be asked back (I2).
        cancelled: whether its equal cancels it, so that it cannot win (W11).
    """

    seat: int
    card: Card
    name: str
    short: str
    early: bool = False
    cancelled: bool = False


class Reckoning(msgspec.Struct, frozen=True):
    """A deal at a refereed table that is over, and in which a revoke can still be claimed (I6).

    Its points are those of the last `Reckoned`.

    Attributes:
        last: whether the match ends with it; everybody accepts the sheet then.
        cutter: who cuts for the next deal otherwise.
        accepted: the seats that have accepted.
    """

    last: bool
    cutter: int
    accepted: tuple[int, ...] = ()


class Wider(msgspec.Struct, frozen=True):
    """What a scene shows besides at a table of the wider family.

    Attributes:
        scatter: the seats that get one card each, in the order of the cards of `Pass` (W1); empty
            where the pass is no scatter.
        held: the cards that wait for whoever takes the next trick (W11).
        held_points: what they count.
        last_held: whether nobody took the last trick, since its cards cancelled.
        sides: the seats of each side (W10); empty where everybody plays alone.
        moon: where the person has to say how their moon counts (W7), two sentences: what it does
            if it is taken off their points, and if it is put on the others; empty otherwise.
        shooter: who has to say so; None where nobody does.
    """

    scatter: tuple[int, ...] = ()
    held: tuple[LaidCard, ...] = ()
    held_points: int = 0
    last_held: bool = False
    sides: tuple[tuple[int, ...], ...] = ()
    moon: tuple[str, ...] = ()
    shooter: int | None = None


class Scene(_Saying, frozen=True):
    """All there is to show now; sent after the happenings of each action.

    Attributes:
        number: of the last happening it shows.
        phase: `waiting` (no match yet), `pausing`, `between` deals, `ended`, `closed`, or the
            phase of the match: `choosing` where somebody has to say how a moon counts (W7).
        status: one sentence that says what is going on.
        may: what the person could do now, by the names of commands; `Act` is told as the actions
            (`Play`, `Pass`, `AskUndo`…), and `Hint` stands beside them. At a refereed table
            `PlayEarly` is a `Play` out of turn.
        broken: whether hearts are; None where nothing depends on that.
        next: between deals, the sentence about the next one.
        watching: one sentence that says who is here without a seat; empty where nobody is. Of a
            crowd it names some, and says how many the others are.
        hands: what everybody holds, for those who watch with all hands open.
        clock: seconds left for the present choice; None without a clock.
        asked: name of whoever asks to take a play back and waits for this person; empty otherwise.
        open: the seats that the person may take, or ask the host for.
        answer_within: seconds for a choice at this table; 0 without a clock.
        refereed: whether a referee rules at this table, and nothing is refused.
        full: whether the trick is full there, and waits for `turn` to turn it down.
        reckoning: a deal there that is over; None otherwise.
        sheet: the score sheet of the match (S7), with the first scene of a connection and whenever
            it has changed; None where it is as it was, or there is no match.
        wider: what is of the wider family; None where nothing of it is played.
        settled: whether the person can know, by what they have seen alone, that the rest of the
            deal changes no score, so that a `Claim` holds. It may hold otherwise as well.
        winning: the seat that would take the trick as it lies; None where it lies empty, or where
            its cards cancel each other.
        leads: the seats that lead the match: those with the lowest total after the deals scored so
            far, and who has won it once it is over; empty before, and where everybody leads.
    """

    number: int
    phase: str
    status: str
    seat: int | None
    seats: tuple[SceneSeat, ...]
    hand: tuple[SceneCard, ...] = ()
    trick: tuple[LaidCard, ...] = ()
    last: tuple[LaidCard, ...] = ()
    turn: int | None = None
    leader: int | None = None
    dealer: int | None = None
    deal: int = 0
    pass_to: int | None = None
    pass_count: int = 0
    broken: bool | None = None
    next: str = ""
    may: tuple[str, ...] = ()
    open: tuple[int, ...] = ()
    clock: int | None = None
    answer_within: int = 0
    asked: str = ""
    watching: str = ""
    hands: tuple[LaidCard, ...] = ()
    refereed: bool = False
    full: bool = False
    reckoning: Reckoning | None = None
    sheet: Table | None = None
    wider: Wider | None = None
    winning: int | None = None
    settled: bool = False
    leads: tuple[int, ...] = ()


class Spoken(_Saying, frozen=True):
    """Something that somebody has said, for whoever may read it.

    Attributes:
        number: among all that was said at the table; numbers may be missing here.
        person: id of whoever said it.
        at: in seconds since 1970.
        line: the text, or the phrase in the language of the sentences.
        phrase: its name; empty where it is a text.
    """

    number: int
    room: TalkRoom
    person: str
    name: str
    at: float
    line: str
    phrase: str = ""


class Notice(_Saying, frozen=True):
    """Something about the connection or the server, not about the table.

    Attributes:
        reason: a short name: `not_saved` (nothing can be kept now, so the table waits), `saved`
            (it goes on), `malformed` (what came has no `id` to answer to), `measure` (what a
            moderator has decided about the person), or why the connection is closed next.
        line: the sentence.
        at: where to call next: a path at the same origin, such as `/node/a/live/x7`; empty for the
            address that the client has.
    """

    reason: str
    line: str
    at: str = ""


Saying = Welcome | Answer | Happened | Scene | Spoken | Notice


# Both ways

_ASKINGS: Final[msgspec.json.Decoder[Asking]] = msgspec.json.Decoder(Asking, dec_hook=read_card)
_SAYINGS: Final[msgspec.json.Decoder[Saying]] = msgspec.json.Decoder(Saying, dec_hook=read_card)


def decode_asking(data: bytes | str) -> Asking:
    """What a client says. Raises `msgspec.DecodeError`, and nothing else."""
    try:
        return _ASKINGS.decode(data)
    except (ValueError, RecursionError) as error:
        if isinstance(error, msgspec.DecodeError):
            raise
        raise msgspec.DecodeError(str(error)) from error


def decode_saying(data: bytes | str) -> Saying:
    """What the server says. Raises `msgspec.DecodeError`."""
    return _SAYINGS.decode(data)
