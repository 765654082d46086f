"""The match beside its cards, as lines tell it: scores, stakes, lots, and how a moon counts.

As in `volte.engine.position`: every step is checked and makes a new view. Helpers that both modules
need come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from volte import game
from volte.cards import Card, mask_of
from volte.engine.language import EngineFault
from volte.rules import Score, match_over
from volte.view import View

DEALING: Final = (game.Phase.PASSING, game.Phase.PLAYING, game.Phase.CHOOSING)
"""Phases in which a deal goes on."""


def check_going(state: game.MatchState) -> None:
    if state.phase in (game.Phase.CLOSING, game.Phase.SETTLING, game.Phase.ENDED):
        raise EngineFault("match_is_over")


def check_chosen(state: game.MatchState) -> None:
    """Raise `EngineFault` if somebody has yet to say how their moon counts (W7)."""
    if state.phase is game.Phase.CHOOSING and state.shooter is not None:
        raise EngineFault("moon_missing", seat=state.shooter + 1)


def present_deal(view: View) -> game.DealState:
    """The deal. Raises `EngineFault` if there is none."""
    if view.state.deal is None:
        raise EngineFault("no_deal")
    return view.state.deal


def whole(state: game.MatchState, *cards: Card) -> game.MatchState:
    """The state with its kitty, if no other card is hidden once those cards have been played."""
    deal = state.deal
    assert deal is not None
    if sum(deal.hand_sizes()) > len(cards):
        return state
    played = mask_of((*deal.trick, *cards)) | deal.held
    for taken in deal.taken:
        played |= taken
    return replace(state, deal=replace(deal, kitty=deal.rules.deck_mask & ~played))


def acted(view: View, outcome: tuple[game.Event, ...] | game.Refusal) -> View:
    """The view after the events of `decide`. Raises `EngineFault` for a refusal."""
    if isinstance(outcome, game.Refusal):
        raise refused(outcome)
    return seen(view, outcome)


def refused(refusal: game.Refusal) -> EngineFault:
    """A refusal by the rules as the fault of a line."""
    return EngineFault("against_the_rules", refusal=refusal)


def seen(view: View, events: Sequence[game.Event]) -> View:
    """The view after those events; the seat's own kitty waits for the line that names its cards."""
    for event in events:
        shown = game.visible(event, view.seat)
        kitty = shown if isinstance(shown, game.KittyTaken) else None
        if kitty is None or kitty.seat != view.seat or kitty.cards:
            view = view.see(shown)
    return view


def changed(view: View, **changes: Any) -> View:
    """The view with changes that no event describes."""
    state = replace(view.state, version=view.state.version + 1, **changes)
    return View(view.seat, state)


def agree(what: str, given: object, expected: object) -> None:
    """Raise `EngineFault` if a line contradicts the rules; `given` is None where it is silent."""
    if given is not None and given != expected:
        raise EngineFault("told_wrong", what=what, told=_text(given), expected=_text(expected))


def agree_seat(what: str, given: int | None, expected: int | None) -> None:
    """Do as `agree` for seats, which the message counts from 1."""
    if given is not None and given != expected:
        number = "–" if expected is None else expected + 1
        raise EngineFault("told_wrong", what=what, told=given + 1, expected=number)


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def numbers(seats: Sequence[int]) -> tuple[str, ...]:
    """Seats as words of a line, counted from 1."""
    return tuple(str(seat + 1) for seat in seats)


# Scores, stakes and lots


def tell_score(view: View, given: Score) -> View:
    """The view with an earlier deal's score, or with this deal ended; a check if it is over."""
    state = view.state
    if state.deal is not None and state.phase not in DEALING:
        _check_score(state.deals[-1], given)
        return view
    check_going(state)
    if state.phase is game.Phase.CHOOSING:
        return _tell_chosen(view, given)
    deals = (*state.deals, given)
    over = match_over(state.rules, deals)
    if state.deal is None:
        return changed(view, deals=deals, phase=game.Phase.ENDED if over else state.phase)
    dealer = (state.dealer + 1) % state.rules.players
    phase = game.Phase.ENDED if over else game.Phase.DEALING
    return changed(view, deals=deals, phase=phase, dealer=dealer, before=None)


def _tell_chosen(view: View, given: Score) -> View:
    """The view once the score has also told how the moon counts, if only by its points."""
    ways = (True,) if given.minus else (False, True)
    ends = [tell_moon(view, None, minus) for minus in ways]
    alike = (each for each in ends if each.state.deals[-1].points == given.points)
    chosen = next(alike, ends[0])
    _check_score(chosen.state.deals[-1], given)
    return chosen


def _check_score(expected: Score, given: Score) -> None:
    agree("score", given.points, expected.points)
    agree_seat("moon", given.moon, expected.moon)
    agree_seat("slam", given.slam, expected.slam)
    if given.minus != expected.minus and given.minus:
        raise EngineFault("told_wrong", what="score", told="minus", expected="plus")
    if given.trickless:
        agree("trickless", numbers(given.trickless), numbers(expected.trickless))


def tell_lots(view: View, order: tuple[int, ...]) -> View:
    """The view with lots drawn for the stakes, the luckiest seat first (M2, M5)."""
    state = whole(view.state) if view.state.deal is not None else view.state
    seats, _ = game.lots_due(state)
    if not seats or state.phase is game.Phase.DRAWING:
        raise refused(game.Refusal("no_lots_due", "M2"))
    agree("lots", numbers(sorted(order)), numbers(seats))
    drawn = game.LotsDrawn((), order)
    return seen(view, (drawn, *game.following(game.evolve(state, drawn))))


# The moon


def tell_moon(view: View, seat: int | None, minus: bool | None) -> View:
    """The view once a seat is named that must say how its moon counts, or has said it (W7)."""
    state = view.state
    if state.shooter is None:
        if state.deals and state.phase not in (game.Phase.PASSING, game.Phase.PLAYING):
            return _check_moon(view, seat, minus)
        raise refused(game.Refusal("no_moon_to_choose", "W7"))
    agree_seat("moon", seat, state.shooter)
    if minus is None:
        return view
    return acted(view, game.decide(whole(state), game.ChooseMoon(state.shooter, minus)))


def _check_moon(view: View, seat: int | None, minus: bool | None) -> View:
    """Check a line about a moon that has been counted already."""
    scored = view.state.deals[-1]
    shooter = scored.moon if scored.slam is None else scored.slam
    if shooter is None:
        raise refused(game.Refusal("no_moon_to_choose", "W7"))
    agree_seat("moon", seat, shooter)
    if minus is not None and minus != scored.minus:
        given, expected = ("minus" if each else "plus" for each in (minus, scored.minus))
        raise EngineFault("told_wrong", what="moon", told=given, expected=expected)
    return view
