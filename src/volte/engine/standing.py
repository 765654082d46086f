"""What somebody tells of a match beside its cards: scores, stakes, lots, and how a moon counts.

As in `volte.engine.position`: every step is judged and makes a new view.
"""

from __future__ import annotations

from volte.engine.fault import EngineFault
from volte.engine.steps import (
    DEALING,
    acted,
    agree,
    agree_seat,
    changed,
    check_going,
    numbers,
    refused,
    seen,
    whole,
)
from volte.game import (
    ChooseMoon,
    LotsDrawn,
    Phase,
    Refusal,
    decide,
    evolve,
    following,
    lots_due,
)
from volte.rules import Score, match_over
from volte.view import View


def tell_score(view: View, told: Score) -> View:
    """An earlier deal, or the end of the present one; a check where that is over by itself."""
    state = view.state
    if state.deal is not None and state.phase not in DEALING:
        _check_score(state.deals[-1], told)
        return view
    check_going(state)
    if state.phase is Phase.CHOOSING:
        return _tell_chosen(view, told)
    deals = (*state.deals, told)
    over = match_over(state.rules, deals)
    if state.deal is None:
        return changed(view, deals=deals, phase=Phase.ENDED if over else state.phase)
    dealer = (state.dealer + 1) % state.rules.players
    phase = Phase.ENDED if over else Phase.DEALING
    return changed(view, deals=deals, phase=phase, dealer=dealer, before=None)


def _tell_chosen(view: View, told: Score) -> View:
    """The score tells how the moon counts as well, be it by its points alone."""
    ways = (True,) if told.minus else (False, True)
    ends = [tell_moon(view, None, minus) for minus in ways]
    alike = (each for each in ends if each.state.deals[-1].points == told.points)
    chosen = next(alike, ends[0])
    _check_score(chosen.state.deals[-1], told)
    return chosen


def _check_score(due: Score, told: Score) -> None:
    agree("score", told.points, due.points)
    agree_seat("moon", told.moon, due.moon)
    agree_seat("slam", told.slam, due.slam)
    if told.minus != due.minus and told.minus:
        raise EngineFault("told_wrong", what="score", told="minus", expected="plus")
    if told.trickless:
        agree("trickless", numbers(told.trickless), numbers(due.trickless))


def tell_stakes(view: View, net: tuple[int, ...], pot: int) -> View:
    """What each seat has won or lost so far, and what lies in the pot (M6)."""
    return changed(view, net=net, pot=pot)


def tell_lots(view: View, order: tuple[int, ...]) -> View:
    """The seats that drew lots for the stakes, the luckiest first (M2, M5)."""
    state = whole(view.state) if view.state.deal is not None else view.state
    seats, _ = lots_due(state)
    if not seats or state.phase is Phase.DRAWING:
        raise refused(Refusal("no_lots_due", "M2"))
    agree("lots", numbers(sorted(order)), numbers(seats))
    drawn = LotsDrawn((), order)
    return seen(view, (drawn, *following(evolve(state, drawn))))


# The moon


def tell_moon(view: View, seat: int | None, minus: bool | None) -> View:
    """Who has to say how their moon counts, and what they say (W7)."""
    state = view.state
    if state.shooter is None:
        if state.deals and state.phase not in (Phase.PASSING, Phase.PLAYING):
            return _check_moon(view, seat, minus)
        raise refused(Refusal("no_moon_to_choose", "W7"))
    agree_seat("moon", seat, state.shooter)
    if minus is None:
        return view
    return acted(view, decide(whole(state), ChooseMoon(state.shooter, minus)))


def _check_moon(view: View, seat: int | None, minus: bool | None) -> View:
    """What is told of a moon that counts already."""
    scored = view.state.deals[-1]
    shooter = scored.moon if scored.slam is None else scored.slam
    if shooter is None:
        raise refused(Refusal("no_moon_to_choose", "W7"))
    agree_seat("moon", seat, shooter)
    if minus is not None and minus != scored.minus:
        told, due = ("minus" if each else "plus" for each in (minus, scored.minus))
        raise EngineFault("told_wrong", what="moon", told=told, expected=due)
    return view
