"""`visible`: what one seat may know of an event. All secrecy is here."""

from __future__ import annotations

from msgspec.structs import replace

from volte.game import events as ev


def visible(event: ev.Event, seat: int | None) -> ev.Event:
    """The event as that seat may see it; None is somebody who holds no cards.

    Every event is told, in its place, with what the seat may not know left out, so a seat's log
    has the same numbers as the whole one.
    """
    match event:
        case ev.Dealt():
            hands = tuple(hand if owner == seat else None for owner, hand in enumerate(event.hands))
            return replace(event, hands=hands, kitty=None)
        case ev.Passed() if event.seat != seat:
            return replace(event, cards=None)
        case ev.Exchanged():
            return ev.Exchanged(tuple(visible_transfer(each, seat) for each in event.transfers))
        case ev.KittyTaken() if event.seat != seat:
            return replace(event, cards=None)
        case _:
            return event


def visible_transfer(transfer: ev.Transfer, seat: int | None) -> ev.Transfer:
    """A transfer as that seat may see it: its own cards given and got."""
    if seat is not None and seat in (transfer.giver, transfer.taker):
        return transfer
    return replace(transfer, cards=None)
