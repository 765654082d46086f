"""The lines of the protocol as they are written: positions, questions and answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from volte.bots import Clock, Estimate, Thought
from volte.cards import Card, cards_in, mask_of
from volte.engine.fault import EngineFault
from volte.game import DealState, Pass, Phase, Play, SeatAction
from volte.game.record_write import written_value
from volte.rules import Direction, Ruleset, options_of, ruleset_of
from volte.view import View

PROTOCOL: Final = 1
"""The version of the protocol that this program speaks."""

LONGEST_LINE: Final = 8192
"""Bytes of a line; nothing that there is to tell is longer."""


def rules_line(rules: Ruleset) -> str:
    """Every option of a ruleset, so that nobody needs to know a preset. Raises `EngineFault`."""
    options = options_of(rules)
    if ruleset_of(options) != rules:
        raise EngineFault("rules_have_no_name")
    pairs = (f"{name}={written_value(value)}" for name, value in options.items())
    return f"rules {' '.join(pairs)}"


# Positions


def position_lines(view: View) -> list[str]:
    """A whole position, from `match` on. While a deal goes on, its lines are only added to."""
    return list(_position(view))


def _position(view: View) -> Iterator[str]:
    state, seat = view.state, view.seat
    assert seat is not None
    yield f"match seat {_seat(seat)}"
    if state.pot or any(state.net):
        pot = f" pot {state.pot}" if state.pot else ""
        yield f"stakes {_words(state.net)}{pot}"
    for scored in state.deals:
        moon = f" moon {_seat(scored.moon)}" if scored.moon is not None else ""
        slam = f" slam {_seat(scored.slam)}" if scored.slam is not None else ""
        yield f"score {_words(scored.points)}{moon}{slam}"
    if state.phase in (Phase.PASSING, Phase.PLAYING):
        yield from _deal(view, seat)


def _deal(view: View, seat: int) -> Iterator[str]:
    deal = view.deal
    passed = "" if deal.direction is Direction.HOLD else "pass "
    yield (
        f"deal number {deal.number} dealer {_seat(deal.dealer)} {passed}{deal.direction}"
        f" hand {_words(cards_in(_dealt(view, seat)))}"
    )
    if deal.passes[seat]:
        yield f"pass {_words(deal.passes[seat] or ())}"
    if deal.transfers:
        yield f"receive {_words(view.got())}"
    if view.state.phase is Phase.PLAYING:
        opening = f" {deal.opening}" if deal.opening is not None else ""
        yield f"lead {_seat(deal.leader if not deal.tricks else deal.tricks[0].leader)}{opening}"
    yield from _plays(deal, seat)


def _dealt(view: View, seat: int) -> int:
    """Mask of the hand as it was dealt."""
    deal = view.deal
    hand = view.hand.mask
    for _, player, card in _played(deal):
        if player == seat:
            hand |= card.bit
    if deal.transfers:
        hand = hand & ~view.got().mask | mask_of(deal.passes[seat] or ())
    return hand


def _plays(deal: DealState, seat: int) -> Iterator[str]:
    players = deal.rules.players
    for place, player, card in _played(deal):
        yield f"play {_seat(player)} {card}"
        if place + 1 == players and deal.kitty_taker == seat:
            yield f"kitty {_words(cards_in(deal.kitty))}"


def _played(deal: DealState) -> Iterator[tuple[int, int, Card]]:
    """Place from the first lead on, seat and card of every play of the deal."""
    piles = [(trick.leader, trick.cards) for trick in deal.tricks]
    place = 0
    for leader, cards in (*piles, (deal.leader, deal.trick)):
        for order, card in enumerate(cards):
            yield place, (leader + order) % deal.rules.players, card
            place += 1


# Questions and answers


def go_line(view: View, clock: Clock) -> str:
    """Asks for a choice, and says what may be chosen."""
    words = ["go"]
    if clock.milliseconds is not None:
        words.append(f"movetime {clock.milliseconds}")
    if clock.simulations is not None:
        words.append(f"simulations {clock.simulations}")
    words.append(f"event {view.state.version}")
    return " ".join([*words, legal_words(view)])


def legal_words(view: View) -> str:
    """What may be chosen: `play` and cards, or `pass`, a count and the hand."""
    if view.state.phase is Phase.PASSING:
        return f"pass {view.deal.pass_size} {_words(view.hand)}"
    return f"play {_words(view.legal)}"


def choice_line(action: SeatAction) -> str:
    """The last line of an answer."""
    return f"choose {_action(action)}"


def thought_lines(thought: Thought) -> list[str]:
    """A whole answer: estimates, what was looked at, and the choice."""
    info = (
        f"info worlds {thought.worlds} simulations {thought.simulations}"
        f" milliseconds {thought.milliseconds:.0f}"
    )
    return [*map(_estimate, thought.estimates), info, choice_line(thought.action)]


def _estimate(estimate: Estimate) -> str:
    said = f"points {estimate.points:.3f} margin {estimate.margin:.3f}"
    error = f" error {estimate.error:.3f}" if estimate.error is not None else ""
    return f"estimate {_action(estimate.action)} {said}{error}"


def _action(action: SeatAction) -> str:
    match action:
        case Play():
            return f"play {action.card}"
        case Pass():
            return f"pass {_words(action.cards)}"
    raise TypeError(f"no bot chooses {action}")


def _seat(seat: int) -> str:
    """Seats are counted from 1, as in records."""
    return str(seat + 1)


def _words(items: Iterable[object]) -> str:
    return " ".join(map(str, items))
