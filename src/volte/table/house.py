"""What the house does at a table: it deals, plays for bots and the absent, and makes people wait.

Each function answers as `decide` does: with happenings, or with the reason why not.
"""

from __future__ import annotations

from collections.abc import Collection

from volte import referee
from volte.game import HouseAction, Refusal
from volte.referee import SeatAction
from volte.table import happenings as hap
from volte.table.asking import only_play
from volte.table.decide import Outcome, back, playing, stood_in
from volte.table.happenings import Why
from volte.table.seating import asker_sits
from volte.table.state import TableState


def decide_house(state: TableState, action: HouseAction) -> Outcome:
    """Chance: commitments, bytes for those who add none, lots, deals and secrets."""
    match = playing(state)
    return match if isinstance(match, Refusal) else referee.decide(match, action)


def decide_bot(state: TableState, action: SeatAction) -> Outcome:
    """An act of a bot, at its own seat or for somebody."""
    match = playing(state)
    if isinstance(match, Refusal):
        return match
    if not 0 <= action.seat < len(state.seats):
        return Refusal("no_such_seat", params={"seat": action.seat})
    if not state.seats[action.seat].bot:
        return Refusal("not_your_seat")
    return referee.decide(match, action)


def play_forced(state: TableState, seat: int) -> Outcome:
    """The only card that the person at a seat may play, played for them."""
    match = playing(state)
    if isinstance(match, Refusal):
        return match
    only = only_play(match)
    if only is None or only.seat != seat:
        return Refusal("not_forced")
    return referee.decide(match, only)


def stand_in(state: TableState, seat: int, why: Why) -> Outcome:
    """A bot for the person at a seat, whose connection is lost, or whose clock has run out."""
    if state.closed:
        return Refusal("closed")
    if not state.seats[seat].person:
        return Refusal("no_person_there")
    return stood_in(state, seat, why)


def come_back(state: TableState, seat: int) -> Outcome:
    """The person at a seat plays again."""
    if state.closed:
        return Refusal("closed")
    return back(state, seat) or Refusal("not_away")


def hand_on(state: TableState, seat: int) -> Outcome:
    """The table gets another host, as its own does not come back."""
    if state.closed:
        return Refusal("closed")
    heir = state.seats[seat]
    if not heir.person:
        return Refusal("no_person_there")
    return (hap.HandedOver(heir.person, heir.name),)


def settle_asker(state: TableState, seat: int, here: Collection[str]) -> Outcome:
    """Whoever has asked for a bot's seat gets it, as the deal is over, or has gone.

    Args:
        here: ids of those who are connected.
    """
    if state.closed or not state.seats[seat].asker:
        return Refusal("closed" if state.closed else "nobody_asks")
    stays = state.seats[seat].asker in here and not state.hands_are_out
    return asker_sits(state, seat) if stays else (hap.SeatForgone(seat),)


def pause_empty(state: TableState) -> Outcome:
    """The match waits, as nobody is there."""
    match = playing(state)
    return match if isinstance(match, Refusal) else (hap.Paused(""),)


def resume_present(state: TableState) -> Outcome:
    """Somebody is there again; a pause that a person has made stays."""
    if state.closed:
        return Refusal("closed")
    if not state.paused:
        return Refusal("not_paused")
    return Refusal("paused") if state.paused_by else (hap.Unpaused(""),)


def close_table(state: TableState) -> Outcome:
    """The table goes, since nobody has been there for long."""
    return Refusal("closed") if state.closed else (hap.Closed(),)
