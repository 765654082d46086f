"""`visible`: an event as one seat may know it. All secrecy is here."""

from __future__ import annotations

from msgspec.structs import replace

from volte.game import events as ev


def visible(event: ev.Event, seat: int | None) -> ev.Event:
    """Return the event as the seat may see it; None is the public, which holds no cards.

    No event is dropped, only secrets within it: so the numbers of events in a seat's log are those
    of the whole log.
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
    """Return a transfer as the seat may see it: with cards only if it gave or got them."""
    if seat is not None and seat in (transfer.giver, transfer.taker):
        return transfer
    return replace(transfer, cards=None)
