"""Who may take which seat, and what they are called there: nobody as somebody else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from volte.bots import NAMES
from volte.game import Refusal
from volte.names import distinct_name
from volte.table.commands import Someone
from volte.table.happenings import BotSat, Sat, SeatWanted
from volte.table.setup import Access, OpenSeats
from volte.table.state import TableState

USUAL: Final = "casual"
"""How bots play that nobody has chosen."""


def sit_down(state: TableState, who: Someone, seat: int) -> tuple[Sat | SeatWanted] | Refusal:
    """Somebody takes a seat; or asks the host for a bot's, whose cards they would see."""
    there, cards = state.seats[seat], state.hands_are_out
    if state.seat_of(who.id) is not None:
        return Refusal("already_seated")
    if there.person:
        return Refusal("seat_taken")
    if cards and any(who.id in saw for place, saw in enumerate(state.saw) if place != seat):
        return Refusal("seen_other_hand")
    name = person_name(state, who.id, who.name)
    if who.id == state.host or state.setup.evening or _comes_back(state, who.id, seat):
        return (Sat(seat, who.id, name),)
    lacking = _invitation_lacks(state, who, seat)
    if lacking is not None or not cards:
        return lacking or (Sat(seat, who.id, name),)
    if who.id in state.denied:
        return Refusal("seat_denied")
    if any(each.asker == who.id for each in state.seats):
        return Refusal("seat_asked")
    return Refusal("seat_wanted") if there.asker else (SeatWanted(seat, who.id, name),)


def asker_sits(state: TableState, seat: int) -> tuple[Sat]:
    """Whoever has asked for a bot's seat takes it."""
    bot = state.seats[seat]
    return (Sat(seat, bot.asker, person_name(state, bot.asker, bot.asker_name)),)


def _comes_back(state: TableState, person: str, seat: int) -> bool:
    """Whether that person has held its cards in this deal, or had it when the match began."""
    return state.under_way and (person in state.saw[seat] or state.began[seat] == person)


def _invitation_lacks(state: TableState, who: Someone, seat: int) -> Refusal | None:
    """Why nobody sits down there whom the host has not invited, where who asks is not."""
    setup = state.setup
    if who.invited or setup.access is Access.LINK:  # whoever knows the address was given it
        return None
    if setup.open_seats is OpenSeats.INVITED or setup.access is Access.PRIVATE:
        return Refusal("by_invitation")
    bots = setup.open_seats is OpenSeats.FREE and state.seats[seat].level
    return Refusal("bots_by_invitation") if bots else None


def person_name(state: TableState, person: str, name: str) -> str:
    """The name of somebody who sits down: "Anne 2" where there is an Anne."""
    taken = [seat.name for seat in state.seats if seat.person != person]
    if state.host != person:
        taken.append(state.host_name)
    return distinct_name(name, taken)


def bot_sits(
    state: TableState, place: int, level: str = USUAL, taken: Iterable[str] = ()
) -> BotSat:
    """A bot for that seat, called like nobody at the table, nor like who sat there last.

    Args:
        taken: further names, of bots that are about to sit down.
    """
    known = (*taken, *(seat.name for seat in state.seats), state.host_name)
    free = (name for name in NAMES if distinct_name(name, known) == name)
    return BotSat(place, next(free, None) or distinct_name(NAMES[place], known), level)
