"""The sentences about what happens at a table around a match: people, pauses, clocks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from volte.game import Player
from volte.names import isolated
from volte.say.answers import sitter
from volte.say.beside import Beside, SameCards, by_seats
from volte.say.language import N_, Language
from volte.say.levels import LEVEL_WORDS, STYLES, level_called
from volte.say.telling import Lines
from volte.say.texts import table as sentences
from volte.table import Seat, TableEvent, TableState, Why
from volte.table import happenings as hap
from volte.table.setup import bots_make_room
from volte.view import View

SENTENCES: Final = sentences("tables")


def beside_last(words: Language, state: TableState, person: str) -> Beside | None:
    """A match and the one whose cards it has dealt again, side by side; None unless it is over.

    Args:
        person: id of the listener.
    """
    match, given = state.match, state.given
    if match is None or not match.winners or given is None or not given.sheet:
        return None
    before = SameCards(given.players, given.sheet)
    now = SameCards(match.players, match.deals)
    me = state.ended.index(person) if person and person in state.ended else None
    return by_seats(words, match.rules, before, now, me)


def tell_room(
    words: Language,
    before: TableState | None,
    happening: hap.Happening,
    after: TableState,
    person: str,
) -> Lines:
    """The sentences about a happening for one person (an id); () for the events of a match.

    Args:
        before: None only for `Opened`.
    """
    if not isinstance(happening, TableEvent):
        return ()
    telling = _RoomTelling(words, before or after, after, person)
    return tuple(map(words.sentence, telling.happening(happening)))


def named(view: View, table: TableState) -> View:
    """The view with the names of the present players, some of whom may have come later."""
    seats, players = table.seats, view.state.players
    if len(seats) != len(players):
        return view
    if all(seat.name in ("", player.name) for seat, player in zip(seats, players, strict=True)):
        return view
    both = zip(seats, players, strict=True)
    called = tuple(replace(player, name=seat.name or player.name) for seat, player in both)
    return View(view.seat, replace(view.state, players=called))


def clock_words(words: Language, seconds: int) -> str:
    """The warning that the time for a choice runs out, in seconds left."""
    left = words.n("You have {count} second left.", "You have {count} seconds left.", seconds)
    return left + " " + words.t("You can ask for more time.")


def who_watches(words: Language, names: Sequence[str], others: int) -> str:
    """The people at a table without a seat: names, and the number of `others`; empty for none."""
    listed = ", ".join(map(isolated, names))
    if not others:
        return words.t("Watching: {names}", names=listed) if names else ""
    if not names:
        return words.n("{count} person is watching", "{count} people are watching", others)
    return words.n(
        "Watching: {names} and {count} other",
        "Watching: {names} and {count} others",
        others,
        names=listed,
    )


def seat_lines(words: Language, seats: Sequence[Seat], me: int | None) -> Lines:
    """A sentence for each seat: free, or its player."""
    return tuple(
        sitter(
            words,
            place,
            None if seat.free else Player(seat.name, level=seat.level),
            place == me,
            seat.stand_in is not None,
        )
        for place, seat in enumerate(seats)
    )


def who_is_here(
    words: Language, seats: Sequence[Seat], here: Collection[str], watching: str
) -> Lines:
    """The people in the room: those with a seat, those whose connection is lost, and others.

    Args:
        here: ids of the people who are connected.
        watching: the sentence about people without a seat; empty for nobody.
    """
    people = [seat for seat in seats if seat.person]
    lines = []
    for message, connected in ((N_("At the table: {names}."), True), (LOST, False)):
        names = [isolated(seat.name) for seat in people if (seat.person in here) is connected]
        if names:
            lines.append(words.t(message, names=", ".join(names)))
    return (*lines, *([f"{watching}."] if watching else []))


def bot_there(words: Language, seat: Seat) -> Lines:
    """The sentence that a bot plays at the seat for its person; () if none does."""
    return (words.t("A bot is playing in that seat for now."),) if seat.stand_in is not None else ()


LOST: Final = N_("Connection lost: {names}.")


def who_comes(words: Language, name: str) -> str:
    """The sentence which says that somebody without a seat has come to the table."""
    return words.sentence(words.t("{player} comes to the table.", player=Player(name)))


def who_is_lost(words: Language, name: str) -> str:
    """The sentence which says that the connection of another player is lost."""
    lost = words.t("{player:of} connection is lost.", player=Player(name))
    return words.sentence(lost)


def who_is_back(words: Language, name: str) -> str:
    """The sentence which says that the connection of another player is there again."""
    return words.sentence(words.t("{player} is back.", player=Player(name)))


class _RoomTelling:
    """One happening, in the words for one person."""

    def __init__(self, words: Language, before: TableState, after: TableState, person: str) -> None:
        self.words = words
        self.t = words.t
        self.n = words.n
        self.before = before
        self.after = after
        self.person = person

    @property
    def hosting(self) -> bool:
        return self.person == self.after.host

    def by(self, person: str, name: str, own: str, other: str, **params: object) -> str:
        """A sentence about a person: `own` for that person, `other` with `{player}` for others."""
        if person == self.person:
            return self.t(own, **params)
        return self.t(other, player=Player(name), **params)

    def at(self, seat: int, own: str, other: str, **params: object) -> str:
        """A sentence about the present player at a seat, see `by`."""
        sitting = self.after.seats[seat]
        return self.by(sitting.person or "-", sitting.name, own, other, **params)

    def called(self, name: str, own: str, other: str) -> str:
        """A sentence about a person of whom only the name is known, see `by`."""
        seat = self.after.seat_of(self.person)
        host = self.after.host_name if self.hosting else ""
        mine = host if seat is None else self.after.seats[seat].name
        return self.by(self.person if mine == name else "-", name, own, other)

    def happening(self, event: TableEvent) -> Iterator[str]:
        match event:
            case hap.Opened():
                own, other = N_("You open the table."), N_("{player} opens the table.")
                yield self.by(event.host, event.name, own, other)
            case hap.Changed():
                yield from self.changed()
            case hap.Sat():
                yield from self.sat(event)
            case hap.BotSat():
                yield self.bot_sat(event)
            case hap.SeatWanted() | hap.SeatDenied() | hap.SeatForgone():
                yield self.asking(event)
            case hap.Stood():
                gone = self.before.seats[event.seat]
                own, other = N_("You no longer have a seat."), N_("{player} leaves their seat.")
                yield self.by(gone.person or "-", gone.name, own, other)
            case hap.Swapped():
                yield from self.swapped(event)
            case hap.HandedOver():
                own, other = N_("You are the host now."), N_("{player} is the host now.")
                yield self.by(event.person, event.name, own, other)
            case hap.Barred():
                own = N_("The host has removed you from this table: you cannot come back.")
                other = N_("The host has removed {player} for good.")
                if self.hosting:
                    other = N_("You have removed {player} for good.")
                yield self.by(event.person, event.name, own, other)
            case hap.AnewWanted():
                own = N_("You have asked to start the match again.")
                other = N_("{player} has asked to start the match again.")
                yield self.at(event.seat, own, other)
            case hap.AnewLapsed():
                yield self.t("The match goes on as it stands.")
            case hap.Closed(onward=""):
                yield self.t("The table is closed.")
            case hap.Closed():
                yield self.t("The table is closed: play goes on at another one.")
            case _:
                yield from self.waiting(event)

    def waiting(self, event: TableEvent) -> Iterator[str]:
        """The sentences about pauses, stand-ins and clocks."""
        match event:
            case hap.Paused(name=""):
                yield self.t("Nobody is here: the match is waiting.")
            case hap.Paused():
                own, other = N_("You pause the match."), N_("{player} pauses the match.")
                yield self.called(event.name, own, other)
            case hap.Unpaused(name=""):
                yield self.t("The match goes on.")
            case hap.Unpaused():
                own, other = N_("You resume the match."), N_("{player} resumes the match.")
                yield self.called(event.name, own, other)
            case hap.StoodIn(why=Why.HOST) if self.hosting:
                player = Player(self.after.seats[event.seat].name)
                yield self.t("You let a bot play for {player}.", player=player)
            case hap.StoodIn():
                own = SENTENCES["stands_in"][event.why]
                yield self.at(event.seat, own, SENTENCES["stands_in_there"][event.why])
            case hap.CameBack():
                own, other = N_("You play your own cards again."), N_("{player} is back.")
                yield self.at(event.seat, own, other)
            case hap.Readied() if self.before.between_matches:
                own = N_("You have asked for another match.")
                other = N_("{player} has asked for another match.")
                if self.hosting and not self.after.setup.meeting:
                    other = N_("{player} has asked for another match: you can begin it.")
                yield self.at(event.seat, own, other)
            case hap.ClockAccepted():
                own = N_("You agree to the short clock.")
                other = N_("{player} agrees to the short clock.")
                if not event.accepted:
                    own = N_("You no longer agree to the short clock.")
                    other = N_("{player} no longer agrees to the short clock.")
                yield self.at(event.seat, own, other)
            case hap.TimeGiven():
                yield self.time(event)

    def asking(self, event: hap.SeatWanted | hap.SeatDenied | hap.SeatForgone) -> str:
        """The sentence about a person who asks for a bot's seat, and about the answer."""
        there = self.before.seats[event.seat]
        bot = Player(there.name)
        match event:
            case hap.SeatWanted():
                own, other = self.wanted()
                return self.by(event.person, event.name, own, other, bot=bot)
            case hap.SeatDenied():
                own = N_("The host is not giving you {bot:of} seat for now.")
                other = N_("{player} is not getting {bot:of} seat for now.")
            case hap.SeatForgone():
                own = N_("You are no longer asking for {bot:of} seat.")
                other = N_("{player} is no longer asking for {bot:of} seat.")
        return self.by(there.asker, there.asker_name, own, other, bot=bot)

    def wanted(self) -> tuple[str, str]:
        """The sentences for a person who asks for a bot's seat, and for others."""
        setup = self.after.setup
        if not bots_make_room(setup):
            own = N_("You have asked for {bot:of} seat: the host will decide.")
            if self.hosting:
                return own, N_("{player} has asked for {bot:of} seat: you decide.")
            return own, N_("{player} has asked the host for {bot:of} seat.")
        own = N_("You will get {bot:of} seat when this deal is over.")
        if setup.meeting:
            return own, N_("{player} will get {bot:of} seat when this deal is over.")
        own = N_("You will get {bot:of} seat when this deal is over, or sooner if the host wishes.")
        if self.hosting:
            return own, N_(
                "{player} will get {bot:of} seat when this deal is over, or now if you wish."
            )
        return own, N_("{player} will get {bot:of} seat when this deal is over.")

    def sat(self, event: hap.Sat) -> Iterator[str]:
        yield self.sits_down(event)
        yield from self.meeting(event)
        wanted = self.before.seats[event.seat].asker
        if wanted == self.person and wanted != event.person:
            yield self.t("That was the seat you had asked for.")

    def meeting(self, event: hap.Sat) -> Iterator[str]:
        """The sentence at a meeting table about what follows when somebody sits down."""
        after = self.after
        seat = after.seat_of(self.person)
        if not after.setup.meeting or seat is None:
            return
        if after.anew == frozenset() and seat in after.playing:
            yield self.t("If you all agree, the match will start again now.")
        people = [each.person for each in after.seats if each.person]
        if after.match is None and len(people) < len(after.seats):
            yield self.t("If nobody else comes soon, bots will join; you can also begin at once.")

    def sits_down(self, event: hap.Sat) -> str:
        there = self.before.seats[event.seat]
        if not there.level:
            own, other = N_("You sit down."), N_("{player} sits down.")
            return self.at(event.seat, own, other)
        own, other = N_("You take {bot:of} seat."), N_("{player} takes {bot:of} seat.")
        return self.at(event.seat, own, other, bot=Player(there.name))

    def bot_sat(self, event: hap.BotSat) -> str:
        player = Player(event.name)
        if self.before.under_way:
            return self.t("{player}, a bot, plays on.", player=player)
        if event.level in STYLES:
            style = level_called(self.words, event.level)
            return self.t("{player}, a bot ({style}), sits down.", player=player, style=style)
        known = LEVEL_WORDS.get(event.level)
        sits = known.sits if known is not None else N_("{player}, a bot ({level}), sits down.")
        return self.t(sits, player=player, level=event.level)

    def swapped(self, event: hap.Swapped) -> Iterator[str]:
        one, other = self.after.seats[event.one], self.after.seats[event.other]
        if other.person == self.person:
            one, other = other, one
        if one.free:
            one, other = other, one
        if one.free:
            return
        mine = one.person == self.person
        if not other.free:
            with_you = N_("You change places with {other}.")
            two = N_("{player} and {other} change places.")
            message = with_you if mine else two
            yield self.t(message, player=Player(one.name), other=Player(other.name))
        else:
            moves = N_("You move to another seat."), N_("{player} moves to another seat.")
            yield self.t(moves[not mine], player=Player(one.name))

    def time(self, event: hap.TimeGiven) -> str:
        sitting = self.after.seats[event.seat]
        if sitting.person == self.person:
            return self.n(
                "You have {count} more second.", "You have {count} more seconds.", event.seconds
            )
        return self.n(
            "{player} has {count} more second.",
            "{player} has {count} more seconds.",
            event.seconds,
            player=Player(sitting.name),
        )

    def changed(self) -> Iterator[str]:
        """The sentences about changes in the setup, one for each."""
        old, new = self.before.setup, self.after.setup
        access, open_seats = SENTENCES["access"], SENTENCES["open_seats"]
        if new == old:
            return
        if new == replace(old, access=new.access):
            yield self.t(access[new.access])
            return
        yield self.t("The settings of the table have changed.")
        if new.name != old.name:
            yield self.t("The table is now called “{table}”.", table=new.name)
        if new.rules.players != old.rules.players:
            yield self.t("The table now has {seats} seats.", seats=new.rules.players)
        if new.rules != old.rules:
            yield self.t("The rules have changed: look at them before the match.")
        if new.planned != old.planned:
            now, later = (
                N_("This table no longer has a planned time."),
                N_("This table is now planned for another time."),
            )
            yield self.t(now if new.planned is None else later)
        if new.clock != old.clock and not new.clock:
            yield self.t("There is no time limit any more.")
        elif new.clock != old.clock:
            yield self.n(
                "There is now {count} second per turn.",
                "There are now {count} seconds per turn.",
                new.clock,
            )
        if new.grace != old.grace:
            yield self.grace(new.grace)
        if new.hints != old.hints:
            with_hints, without = N_("Hints are allowed now."), N_("Hints are no longer allowed.")
            yield self.t(with_hints if new.hints else without)
        if new.access != old.access:
            yield self.t(access[new.access])
        if new.open_seats != old.open_seats:
            yield self.t(open_seats[new.open_seats])
        lost = self.before.match is not None and self.after.match is None
        if lost and self.before.match is not None and self.before.match.pot:
            yield self.t("The pot from the last match has been abandoned.")

    def grace(self, seconds: int | None) -> str:
        """The sentence for how long a seat is kept after a lost connection."""
        if seconds is None:
            return self.t("When a connection is lost, the seat is kept for the usual time.")
        if not seconds:
            return self.t("When a connection is lost, a bot takes over at once.")
        return self.n(
            "When a connection is lost, the seat is kept for {count} second.",
            "When a connection is lost, the seat is kept for {count} seconds.",
            seconds,
        )
