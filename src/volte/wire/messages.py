"""The messages between clients and the server at a table: JSON in text frames of a WebSocket.

A client sends `Hello` first. Every message of a client has an `id` of its own choice and is
answered once, by the `Answer` with that id, even if it is sent twice. Happenings are numbered
without gaps: a client that comes back says the last one it has and is sent the rest.
"""

from __future__ import annotations

from contextlib import suppress
from enum import IntEnum, StrEnum
from typing import Annotated, Final, Literal

import msgspec

from volte.cards import Card, VolteError
from volte.game import Refusal
from volte.game.codec import decoded, read_card
from volte.sheet import Table
from volte.table import Command, Happening, Seat, Setup
from volte.table.commands import Change
from volte.table.happenings import CardsGiven
from volte.wire.reading import read

PROTOCOL: Final = 1  # version of these messages

LONGEST_ID: Final = 40
NO_NULL: Final = r"^[^\x00]+$"
"""Ids are stored with what was done, and databases take no NUL in text."""

LONGEST_MESSAGE: Final = 16_384  # bytes of a client's message
LONGEST_LINE: Final = 200  # characters of a line on which cards are typed

SLOWEST_BOT: Final = 10_000  # the most milliseconds for `Prefer.bot_pace`
SLOWEST_TRICK: Final = 30_000

HappeningNumber = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]  # number of a happening

SayingNumber = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
"""Number of a saying; sayings and happenings are counted separately."""

TalkRoom = Literal["table", "watchers"]
"""Room of a saying: everybody at the table hears it, or only people without a seat."""

PersonId = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=NO_NULL)]
"""The id of a person."""

MOST_REPORTED: Final = 20  # sayings in one report


class Closing(IntEnum):
    """Reasons to close a connection; a `Notice` with the sentence comes before.

    Our own codes are 4000 plus a status of HTTP. After those marked "again" a client reconnects by
    itself, with growing pauses, and tells in its `Hello` what it has `seen`. If the notice has
    `at`, it connects there, and at once.
    """

    STOPPING = 1012  # the server goes down; again
    TOO_BIG = 1009  # a message was longer than `LONGEST_MESSAGE`
    FAILED = 1011  # a fault of the server; again
    MALFORMED = 4400  # the first message was no `Hello`
    NO_SESSION = 4401  # the cookie belongs to no session, or it is over
    NOT_ADMITTED = 4403  # a password is needed, nobody may watch, or the person was sent away
    NO_TABLE = 4404  # there is no such table
    TOO_SLOW = 4408  # the client did not read its messages, or sent no `Hello`; again
    CLOSED = 4410  # the table has been closed
    OLD_PROTOCOL = 4426  # the server has another version of these messages
    TOO_FAST = 4429  # too many connections
    MOVED_AWAY = 4503  # another node has the table now, or the store cannot be read; again


class Question(StrEnum):
    """Questions that can be asked at any time: those of the keys of K1, and some of ours."""

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
    SEAT = "seat"  # the public facts about one seat
    CARDS = "cards"  # the cards of the person's hand that a typed line means
    TRICKS = "tricks"  # the tricks of this deal, a line each
    WHO = "who"  # the seats, a line each
    ROOM = "room"  # the people who are connected, with a seat or without
    SEEKING = "seeking"  # how it stands with the people whom the person looks for
    FRIENDS = "friends"  # the person's friends who are here, and where they can be joined


# From a client


class _Asking(msgspec.Struct, frozen=True, tag_field="say", tag=str.lower):
    """Base of a client's messages: each has an id of the client's choice."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_ID, pattern=NO_NULL)]


class Hello(_Asking, frozen=True):
    """The first message. The server then sends everything after the numbers in it."""

    protocol: int  # the version that the client speaks
    seen: HappeningNumber = 0  # the last happening that it has; 0 for none
    # Whether sentences and scenes are wanted
    sentences: bool = msgspec.field(default=True, name="told")
    lang: str = ""  # of the sentences; empty for the person's own
    heard: SayingNumber = 0  # the last saying that it has; 0 for none


class Do(_Asking, frozen=True):
    """A command, with the number of the last happening that the client had seen."""

    command: Command
    seen: HappeningNumber


class Ask(_Asking, frozen=True):
    """A question, which is answered in lines of text."""

    what: Question
    card: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0  # for `table`: 1 to 10, a card of the trick
    places: bool = True  # for `hand`: whether each card comes with its place to type, such as `.3`
    seat: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0  # for `seat`
    text: Annotated[str, msgspec.Meta(max_length=LONGEST_LINE)] = ""
    """For `cards`: a line such as `qs`, `10h` or `.3`; several cards for the pass."""


class Prefer(_Asking, frozen=True):
    """The person's preferences from now on; None changes nothing. Paces in milliseconds."""

    bot_pace: Annotated[int, msgspec.Meta(ge=0, le=SLOWEST_BOT)] | None = None
    """Pause before each card of a bot."""
    trick_pace: Annotated[int, msgspec.Meta(ge=0, le=SLOWEST_TRICK)] | None = None
    """Time for which a full trick lies."""
    auto_forced: bool | None = None  # whether the only legal card is played automatically
    lang: str | None = None  # of the sentences


class Heard(_Asking, frozen=True):
    """The person has heard enough: bots that wait for this go on."""


class Seeking(_Asking, frozen=True):
    """Looks for people to play with at this meeting table, or stops."""

    on: bool


class Befriend(_Asking, frozen=True):
    """Asks somebody with whom the person has played to be friends, or agrees to it."""

    person: PersonId


class InviteFriend(_Asking, frozen=True):
    """Invites a friend to this table, which becomes open to its address if it was private."""

    friend: Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=NO_NULL)]
    """The id of the friend, or their name, in capitals or not."""


class Speak(_Asking, frozen=True):
    """Says something to the others: a prepared phrase, which each reads in their own language, or
    a text."""

    room: TalkRoom
    """People with a seat talk at the `table`; those without talk to the other `watchers`, and
    between matches at the table as well."""
    phrase: Annotated[str, msgspec.Meta(max_length=LONGEST_ID)] = ""  # a name; empty for a text
    text: str = ""  # one line of at most 300 characters; empty for a phrase


class Mute(_Asking, frozen=True):
    """Hides what a person says, here and at all other tables, or shows it again."""

    person: PersonId
    on: bool = True


class Avoid(_Asking, frozen=True):
    """Would rather not sit with a person at the table again, or takes that back.

    From then on nothing brings the two together, and an open table with one of them looks full to
    the other. Nobody is told.
    """

    person: PersonId
    on: bool = True


class Report(_Asking, frozen=True):
    """Reports to the moderators what a person at the table said or did."""

    person: PersonId
    why: Annotated[str, msgspec.Meta(max_length=LONGEST_ID)]
    """`insult`, `harassment`, `spam`, `name`, `cheating` or `other`."""
    sayings: Annotated[tuple[SayingNumber, ...], msgspec.Meta(max_length=MOST_REPORTED)] = ()
    note: str = ""  # one line of at most 500 characters


Asking = (
    Hello
    | Do
    | Ask
    | Prefer
    | Heard
    | Seeking
    | Befriend
    | InviteFriend
    | Speak
    | Mute
    | Avoid
    | Report
)


# From the server


class _Saying(msgspec.Struct, frozen=True, tag_field="say", tag=str.lower):
    """Base of the server's messages: each names its kind."""


class Welcome(_Saying, frozen=True):
    """The answer to `Hello`: the client's person, and the state of the table without its match.

    The missed happenings follow, up to `number`. A `Welcome` that comes unasked, its `id` empty,
    says that the person's seat has changed in the middle of a match: everything that the client
    knows of the match is void and is sent again, from `began` on.
    """

    id: str
    protocol: int  # the version of the server
    table: str  # its id
    person: str  # id of the client's person
    name: str
    seat: int | None  # None for a person who watches
    number: int  # of the last happening at the table
    first: int  # number of the first happening that follows; past `number` if none does
    began: int  # number of the `MatchStarted` of the present match; 0 before the first
    host: bool  # whether the person is the host
    setup: Setup
    host_id: str
    host_name: str
    seats: tuple[Seat, ...]
    paused: bool
    closed: bool
    moved: int  # see `TableState`
    matches: int  # number of matches begun
    talked: int = 0  # number of the last old saying that follows; later ones are new
    given: CardsGiven | None = None
    """The match whose cards the present one deals again, if it does; without the cards."""
    news: int = 0
    """Number of the first happening that is news to somebody who has only come: `began` where the
    match has begun without them, as nothing has been chosen at their seat yet; else past
    `number`."""


class Answer(_Saying, frozen=True):
    """The answer to any other message."""

    id: str
    ok: bool  # whether it was done
    number: int  # of the last happening at the table
    refusal: Refusal | None = None  # why it was not done; None if it was
    lines: tuple[str, ...] = ()  # the sentence of the refusal, or the answer to a question
    cards: tuple[Card, ...] = ()  # cards that a hint advises, or that a typed line means


class CharacterRemark(msgspec.Struct, frozen=True):
    """A remark of a bot with character about a happening."""

    seat: int
    name: str
    line: str


class Happened(_Saying, frozen=True):
    """One happening, as the person may see it."""

    number: int
    happening: Happening
    told: dict[str, tuple[str, ...]] | None = None
    """Sentences by verbosity (`terse`, `brief`, `normal`, `full`), if the client wants them."""
    remark: CharacterRemark | None = None
    """Remark of a bot with character about it, if talk is allowed at the table and the person
    wants remarks (the setting `remarks`)."""


class SceneSeat(msgspec.Struct, frozen=True):
    """A seat of the table, as a scene shows it."""

    name: str
    level: str
    state: str  # `free`, `bot`, `here`, `gone` (the connection is lost) or `stand_in`
    cards: int  # in the hand
    points: int  # taken in this deal by the tricks that lie open
    total: int
    passed: bool  # whether it has passed its cards
    host: bool
    asker: str = ""  # id of a person who asks for this bot's seat, or waits for it
    asker_name: str = ""
    face: str = "initials"  # face of the player: `initials`, or a drawing such as `fox`
    hue: int = 0  # number of its colour, 0 to 9


class SceneCard(msgspec.Struct, frozen=True):
    """A card in the person's hand."""

    card: Card
    name: str  # in full, in the person's language
    short: str
    legal: bool  # whether it may be played or passed now
    why: str = ""  # the sentence that says why it may not
    passed: bool = False  # whether it is in a pass that can still be taken back
    giver: int | None = None
    """The seat that has passed it to this person, until their first card of the deal is played."""


class LaidCard(msgspec.Struct, frozen=True):
    """A card on the table, or of the last trick."""

    seat: int
    card: Card
    name: str
    short: str
    early: bool = False  # whether it was played out of turn, and may be objected to (I2)
    cancelled: bool = False  # whether its twin cancels it, so that it cannot win (W11)


class Reckoning(msgspec.Struct, frozen=True):
    """A deal at a refereed table that is over, and in which a revoke can still be claimed (I6).

    Its points are those of the last `Reckoned`.
    """

    last: bool  # whether the match ends with it; everybody accepts the sheet then
    cutter: int  # the seat that cuts for the next deal otherwise
    accepted: tuple[int, ...] = ()  # the seats that have accepted


class Wider(msgspec.Struct, frozen=True):
    """Additions to the scene of a table of the wider family."""

    scatter: tuple[int, ...] = ()
    """The seats that get one card each, in the order of the cards of `Pass` (W1)."""
    held: tuple[LaidCard, ...] = ()  # cards that go to the winner of the next trick (W11)
    held_points: int = 0  # points of the held cards
    last_held: bool = False  # whether nobody took the last trick, since its cards cancelled
    sides: tuple[tuple[int, ...], ...] = ()  # seats of each side (W10); empty without partners
    moon: tuple[str, ...] = ()
    """Sentences for a person who has to choose how their moon counts (W7): the effect if it is
    taken off their points, and if it is put on the others."""
    shooter: int | None = None  # seat that has to choose how its moon counts


class SceneBeside(msgspec.Struct, frozen=True):
    """Two matches with the same cards, side by side: who had the cards of a seat, and the total."""

    title: str
    line: str  # a sentence about the person's own cards; empty without a seat
    heads: tuple[str, ...]  # of the columns
    rows: tuple[tuple[str, ...], ...]  # by seat; the first cell of each is its heading


class Scene(_Saying, frozen=True):
    """All there is to show now; sent after the happenings of each action."""

    number: int  # of the last happening that it shows
    phase: str
    """`waiting` (no match yet), `pausing`, `between` deals, `ended`, `closed`, or the phase of the
    match: `choosing` while a player has to choose how a moon counts (W7)."""
    status: str  # one sentence that says what is going on
    seat: int | None
    seats: tuple[SceneSeat, ...]
    hand: tuple[SceneCard, ...] = ()
    trick: tuple[LaidCard, ...] = ()
    last: tuple[LaidCard, ...] = ()  # the last trick
    turn: int | None = None
    leader: int | None = None
    dealer: int | None = None
    deal: int = 0
    pass_to: int | None = None
    pass_count: int = 0
    broken: bool | None = None  # whether hearts are broken; None if no rule depends on that
    next: str = ""  # between deals, the sentence about the next one
    left: str = ""  # after a match, the sentence about those who have left the table
    again: str = ""
    """The label of the button for another match, after one: `Start`, or `Next` to ask for it; at a
    meeting table also of that for the first one, while bots are waited for."""
    may: tuple[str, ...] = ()
    """Names of commands that the person could give now; for `Act`, names of the actions (`Play`,
    `Pass`, `AskUndo`…), and `Hint`. `PlayEarly`: a `Play` out of turn, at a refereed table."""
    open: tuple[int, ...] = ()  # the seats that the person may take, or ask for
    ask: tuple[int, ...] = ()  # of these, bots' seats that the person does not get at once
    filling: int | None = None
    """At a meeting table, seconds until bots take the free seats; None otherwise."""
    anew: int | None = None
    """At a meeting table, seconds in which its people may begin the match anew; None otherwise."""
    clock: int | None = None  # seconds left for the present choice; None without a clock
    answer_within: int = 0  # seconds for a choice at this table; 0 without a clock
    asked: str = ""  # name of the player who waits for this person's consent to an undo
    watching: str = ""  # one sentence that names the people without a seat; empty for nobody
    hands: tuple[LaidCard, ...] = ()  # cards of all hands, for people who watch with open hands
    refereed: bool = False  # whether the table has a referee, and nothing is refused
    full: bool = False  # with a referee: whether a full trick waits for `turn` to turn it down
    reckoning: Reckoning | None = None  # with a referee: a deal that is over
    sheet: Table | None = None
    """The score sheet of the match (S7), with the first scene of a connection and whenever it has
    changed; None otherwise, and without a match."""
    chart: str | None = None
    """Drawing of the totals in SVG, for eyes alone, with the first scene of a connection and
    whenever it has changed; None otherwise. Empty before the first score."""
    wider: Wider | None = None  # None for a game without features of the wider family
    winning: int | None = None
    """The seat that would take the trick as it lies; None if nobody would."""
    settled: bool = False
    """Whether the person can conclude, from their own view, that the rest of the deal changes no
    score, so that a `Claim` holds. A `Claim` may hold otherwise as well."""
    evening: str = ""  # path of the page of the evening to which the table belongs
    next_table: str = ""
    """Path of the table where that evening expects the person next, once it is set."""
    board: str = ""  # path of the page of the deal that the table plays again, by its link
    taken: tuple[LaidCard, ...] = ()
    """Once a deal is over, the cards that count, each with the seat that has taken it."""
    beside: SceneBeside | None = None
    """Once a match is over that has dealt the cards of another one again, both matches."""
    leads: tuple[int, ...] = ()
    """The seats with the lowest total after the deals scored so far, or the winners once the match
    is over; empty before the first score, and if all lead."""


class Spoken(_Saying, frozen=True):
    """Something that a person has said, for those who may read it."""

    number: int  # among the sayings at the table; numbers may be missing
    room: TalkRoom
    person: str  # id of the speaker
    name: str
    at: float  # in seconds since 1970
    line: str  # the text, or the phrase in the language of the sentences
    phrase: str = ""  # a name; empty for a text


class Notice(_Saying, frozen=True):
    """Something about the connection or the server, not about the table."""

    reason: str
    """A short name: `not_saved` (nothing can be stored now, so the table waits), `saved` (it goes
    on), `malformed` (a message had no `id` to answer to), `measure` (a moderator's decision about
    the person), `came` (to the host: somebody without a seat is at the table now), `seeking` (at a
    meeting table: how it stands with the people whom the person looks for; with an empty sentence,
    they look for nobody any more), `luck` (after a match: how much of it was luck for the person),
    `lucky_deal` (in a match: a deal before this one brought the person much luck, good or bad), or
    the reason for which the connection is closed next."""
    line: str  # the sentence
    short: str = ""  # with `seeking`, the same in a few words
    deal: int | None = None  # with `lucky_deal`, the number of that deal
    at: str = ""
    """Address for the next connection: a path at the same origin, such as `/node/a/live/x7`; empty
    for the address that the client has."""


Saying = Welcome | Answer | Happened | Scene | Spoken | Notice


# Both ways

_ASKINGS: Final[msgspec.json.Decoder[Asking]] = msgspec.json.Decoder(Asking, dec_hook=read_card)
_SAYINGS: Final[msgspec.json.Decoder[Saying]] = msgspec.json.Decoder(Saying, dec_hook=read_card)


def decode_asking(data: bytes | str) -> Asking:
    """Read a message of a client. Raises `msgspec.DecodeError`, for a wrong field with the
    `VolteError` that names it as its cause.

    Unknown fields are ignored, except those of a setup: they would mean another game.
    """
    with suppress(msgspec.ValidationError):
        asking = decoded(_ASKINGS, data)
        if not (isinstance(asking, Do) and isinstance(asking.command, Change)):
            return asking
    try:
        judged: Asking = read(Asking, data, lenient=True)
    except VolteError as fault:
        raise msgspec.ValidationError(fault.field) from fault
    return judged


def decode_saying(data: bytes | str) -> Saying:
    """Read a message of the server. Raises `msgspec.DecodeError`."""
    return _SAYINGS.decode(data)
