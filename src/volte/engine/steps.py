"""What every step has in common that tells a view something: checks, and the view after it.

All functions that check raise `EngineFault`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from volte.cards import Card, mask_of
from volte.engine.fault import EngineFault
from volte.game import DealState, Event, KittyTaken, MatchState, Phase, Refusal, visible
from volte.view import View

DEALING: Final = (Phase.PASSING, Phase.PLAYING, Phase.CHOOSING)
"""As long as a deal goes on."""


def check_going(state: MatchState) -> None:
    """That the match is not over."""
    if state.phase in (Phase.CLOSING, Phase.SETTLING, Phase.ENDED):
        raise EngineFault("match_is_over")


def check_chosen(state: MatchState) -> None:
    """That nobody has yet to say how their moon counts (W7)."""
    if state.phase is Phase.CHOOSING and state.shooter is not None:
        raise EngineFault("moon_missing", seat=state.shooter + 1)


def present_deal(view: View) -> DealState:
    """The deal; there must be one."""
    if view.state.deal is None:
        raise EngineFault("no_deal")
    return view.state.deal


def whole(state: MatchState, *cards: Card) -> MatchState:
    """The state with its kitty, if nothing else is left once those cards have been played."""
    deal = state.deal
    assert deal is not None
    if sum(deal.hand_sizes()) > len(cards):
        return state
    played = mask_of((*deal.trick, *cards)) | deal.held
    for taken in deal.taken:
        played |= taken
    return replace(state, deal=replace(deal, kitty=deal.rules.deck_mask & ~played))


def acted(view: View, outcome: tuple[Event, ...] | Refusal) -> View:
    """The view after what `decide` says, which must not refuse."""
    if isinstance(outcome, Refusal):
        raise refused(outcome)
    return seen(view, outcome)


def refused(refusal: Refusal) -> EngineFault:
    """A refusal by the rules as what a line is answered by."""
    return EngineFault("against_the_rules", refusal=refusal)


def seen(view: View, events: Sequence[Event]) -> View:
    """The view after those events; a kitty of one's own waits until it is told."""
    told = (visible(event, view.seat) for event in events)
    return view.see(*(event for event in told if not _waits(event, view.seat)))


def _waits(event: Event, seat: int | None) -> bool:
    return isinstance(event, KittyTaken) and event.seat == seat and not event.cards


def changed(view: View, **changes: Any) -> View:
    """The view with what somebody has told, instead of seen."""
    state = replace(view.state, version=view.state.version + 1, **changes)
    return View(view.seat, state)


def agree(what: str, told: object, due: object) -> None:
    """What is told against what the rules give; None where it is not told."""
    if told is not None and told != due:
        raise EngineFault("told_wrong", what=what, told=_text(told), expected=_text(due))


def agree_seat(what: str, told: int | None, due: int | None) -> None:
    """The same for seats."""
    if told is not None and told != due:
        expected = "–" if due is None else due + 1
        raise EngineFault("told_wrong", what=what, told=told + 1, expected=expected)


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def numbers(seats: Sequence[int]) -> tuple[str, ...]:
    """Seats as people count them."""
    return tuple(str(seat + 1) for seat in seats)
