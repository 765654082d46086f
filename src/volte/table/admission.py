"""Admission to a table: taking a seat, the names there, watching, and the bans of rated matches."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from volte import game
from volte.bots import CHARACTERS, NAMES, is_ours
from volte.game import Refusal
from volte.names import distinct_name
from volte.table import commands as cmd
from volte.table.commands import Someone, TableCommand
from volte.table.happenings import BotSat, Sat, SeatWanted, Stood
from volte.table.setup import Access, OpenSeats, Setup, Watching, bots_make_room
from volte.table.state import TableState

USUAL: Final = "casual"  # the level of bots where nobody has chosen one


def looks_full(state: TableState, who: Someone) -> bool:
    """Whether a public table looks full to somebody who comes of their own accord, has no seat and
    asks for none: as people are there who are not brought together with them.

    Those who have begun the match, or have held cards in its deal, come back to it.
    """
    if who.invited or who.id == state.host or state.setup.evening:
        return False
    if state.setup.access is not Access.PUBLIC or who.apart.isdisjoint(state.company):
        return False
    held = state.under_way and any(who.id in saw for saw in (state.began, *state.saw))
    return not held and who.id not in state.company


def sit_down(
    state: TableState, who: Someone, seat: int
) -> tuple[Sat | SeatWanted] | tuple[Stood, Sat] | Refusal:
    """The happenings when somebody takes a seat, or asks for a bot's; or the refusal."""
    there, cards = state.seats[seat], state.hands_are_out
    if state.seat_of(who.id) is not None:
        return Refusal("already_seated")
    if looks_full(state, who):
        return Refusal("table_full")
    if there.person and not (state.setup.evening and who.invited):
        full = all(each.person for each in state.seats)
        return Refusal("table_full" if full else "seat_taken")
    if cards and any(who.id in saw for place, saw in enumerate(state.saw) if place != seat):
        return Refusal("seen_other_hand")
    name = person_name(state, who.id, who.name)
    if there.person:  # the evening has given the seat to somebody else
        return (Stood(seat), Sat(seat, who.id, name))
    began = state.under_way and state.began[seat] == who.id
    held = state.under_way and who.id in state.saw[seat]  # this seat's cards in this deal
    if who.id == state.host or state.setup.evening or began or held:
        return (Sat(seat, who.id, name),)
    lacking = _invitation_lacks(state, who, seat)
    if lacking is not None or _taken_at_once(state, seat):
        return lacking or (Sat(seat, who.id, name),)
    if who.id in state.denied:
        return Refusal("seat_denied")
    if any(each.asker == who.id for each in state.seats):
        return Refusal("seat_asked")
    return Refusal("seat_wanted") if there.asker else (SeatWanted(seat, who.id, name),)


def _taken_at_once(state: TableState, seat: int) -> bool:
    """Whether a seat is free, or a bot leaves it without a word. At a meeting table it does so in a
    deal, too, as long as nobody has passed or played."""
    if not state.seats[seat].level:
        return True
    if state.hands_are_out:
        return state.setup.meeting and not state.touched
    return bots_make_room(state.setup)


def asker_sits(state: TableState, seat: int) -> tuple[Sat]:
    """The happening that the person who has asked for a bot's seat takes it."""
    bot = state.seats[seat]
    return (Sat(seat, bot.asker, person_name(state, bot.asker, bot.asker_name)),)


def _invitation_lacks(state: TableState, who: Someone, seat: int) -> Refusal | None:
    """Refuse a seat for invited people to somebody who has no invitation."""
    setup = state.setup
    given = setup.access is Access.LINK  # people who know the address were given it
    if setup.meeting or who.invited or given:
        return None
    if setup.open_seats is OpenSeats.INVITED or setup.access is Access.PRIVATE:
        return Refusal("by_invitation")
    bots = setup.open_seats is OpenSeats.FREE and state.seats[seat].level
    return Refusal("bots_by_invitation") if bots else None


def person_name(state: TableState, person: str, name: str) -> str:
    """The name at the table of a person who sits down: "Anne 2" where there is an Anne."""
    names = [seat.name for seat in state.seats if seat.person != person]
    if state.host != person:
        names.append(state.host_name)
    return distinct_name(name, names)


def bot_sits(
    state: TableState, place: int, level: str = USUAL, others: Iterable[str] = ()
) -> BotSat:
    """A bot for that seat, with a name that nobody at the table has, nor the last player there.

    A character has its own name, with a number where somebody else has that name.

    Args:
        others: names of further bots that are about to sit down.
    """
    known = (*others, *(seat.name for seat in state.seats), state.host_name)
    if level in CHARACTERS:
        there = state.seats[place].name if state.seats[place].level else ""
        names = [name for name in known if name != there]
        return BotSat(place, distinct_name(CHARACTERS[level].name, names), level)
    free = (name for name in NAMES if distinct_name(name, known) == name)
    return BotSat(place, next(free, None) or distinct_name(NAMES[place], known), level)


def engines_may_sit(setup: Setup) -> bool:
    """Whether outside engines may play there: not in rated matches, in evenings nor on boards."""
    return not (setup.rated or setup.evening or setup.board)


def rated_away(state: TableState, present: Collection[str]) -> bool:
    """Whether a rated match cannot begin, as a person at a seat is away or has a stand-in.

    Args:
        present: ids of the people who are connected.
    """
    if not state.setup.rated or state.under_way:
        return False
    people = [seat for seat in state.seats if seat.person]
    return any(seat.person not in present or seat.stand_in is not None for seat in people)


def rated_refusal(state: TableState, who: Someone, command: TableCommand) -> Refusal | None:
    """The refusal of a command that only unrated tables obey. The people who began a rated match
    finish it or leave it, so that its result shows who plays better, and nothing else."""
    if not state.under_way:
        guests = [seat for seat in state.seats if seat.level and not is_ours(seat.level)]
        if isinstance(command, cmd.Start) and guests:
            return Refusal("rated_own_bots")
        lacking = isinstance(command, cmd.Start) and not _opponents(state)
        return Refusal("rated_needs_people") if lacking else None
    match command:
        case cmd.Act(action=game.AskUndo()):
            return Refusal("rated_no_undo", "C2")
        case cmd.Sit(seat=seat) if seat >= len(state.began) or state.began[seat] != who.id:
            return Refusal("rated_seat")
        case cmd.Remove() | cmd.Replace() if state.seats[command.seat].person not in ("", who.id):
            return Refusal("rated_stays")
        case cmd.Close() if any(seat.person not in ("", who.id) for seat in state.seats):
            return Refusal("rated_goes_on")
    return None


def meeting_refusal(state: TableState, who: Someone, command: TableCommand) -> Refusal | None:
    """The refusal of a command that a meeting table does not obey: its game stays what people have
    come for, and nobody sends others away or asks the host for a seat."""
    others = any(seat.person not in ("", who.id) for seat in state.seats)
    match command:
        case cmd.Change():
            return Refusal("meeting_setup")
        case cmd.Remove() if state.seats[command.seat].person not in ("", who.id):
            return Refusal("meeting_stays")
        case cmd.Close() if others:
            return Refusal("meeting_goes_on")
        case cmd.AnswerSeat():
            return Refusal("nobody_asks")
    return None


def board_refusal(command: TableCommand) -> Refusal | None:
    """The refusal of a command that a table of a board does not obey: everybody who plays its cards
    plays them once from the same seat, against the same bots."""
    match command:
        case cmd.Act(action=game.AskUndo()):
            return Refusal("board_no_undo", "C2")
        case cmd.Start() | cmd.Close() | cmd.Change() | cmd.Invite():
            return Refusal("board_stays")
        case cmd.SeatBot() | cmd.Remove() | cmd.Swap() | cmd.HandOver():
            return Refusal("board_stays")
    return None


def _opponents(state: TableState) -> bool:
    """Whether people play on two sides at least."""
    sides = [{state.seats[seat].person for seat in side} for side in state.setup.rules.all_sides]
    return sum(bool(side - {""}) for side in sides) > 1


def watch_refusal(state: TableState, person: str) -> str:
    """The reason why a person may not watch the table now; empty where they may."""
    inside = state.seat_of(person) is not None or person == state.host
    if state.setup.access is Access.PRIVATE and not inside:
        return "no_table"
    if person in state.barred:
        return "barred"
    shut = state.setup.watching is Watching.NOBODY and state.under_way and not inside
    return "nobody_watches" if shut else ""
