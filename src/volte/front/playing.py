"""Whole matches of bots: levels, programs, and plain functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias, cast

from volte.bots import NAMES, Bot, BotOwner, Clock, chosen_moon, make_bot, player_named
from volte.cards import Card, WrongType
from volte.cards.fault import shown
from volte.fair import split
from volte.front.error import IllegalMove, unlawful
from volte.front.match import Match, begun, cards_of, chosen_rules, fresh_seed
from volte.game import Driver, Pass, Phase, PlainChance, Play, Player, Refusal, SeatAction
from volte.referee import ENGINE
from volte.rules import EndKind, MatchEnd, Ruleset
from volte.view import View

Choice: TypeAlias = SeatAction | Card | str | Iterable[Card]
"""Answer of a function that plays: an action, a card or cards, or their text."""

Seated: TypeAlias = str | Bot | Callable[[View], Choice]
"""Player in `play`: a level by its name, a bot, or a function."""


def play(
    *bots: Seated,
    rules: Ruleset | str | os.PathLike[str] | None = None,
    seed: int | None = None,
    deals: int | None = None,
) -> Match:
    """Let bots play a whole match, and return it.

    Args:
        bots: the player of each seat: a level (`beginner`, `casual`, `strong`, `expert`), anything
            with a method `choose(view, clock)`, or a function that takes a `View` and answers with
            a card to play or the cards to pass.
        rules: a ruleset, or a preset or TOML file by its name; the usual rules for that many
            players if left out.
        seed: deals the cards, and is handed on to the bots: the same seed, the same match.
        deals: number of deals after which the match ends, whatever the rules say.

    Raises `VolteError` for rules that cannot be played and for an unknown level, and
    `IllegalMove` as soon as a bot makes an illegal move.

    >>> play("casual", "beginner", "casual", "beginner", seed=6, deals=1).totals
    (6, 16, 4, 0)
    """
    bots = tuple(player_named(each) if isinstance(each, str) else each for each in bots)
    chosen = chosen_rules(rules, len(bots))
    if deals is not None:
        ending = replace(chosen.ending, match_end=MatchEnd(EndKind.DEALS, deals))
        chosen = replace(chosen, ending=ending)
    seed = fresh_seed() if seed is None else seed
    people = [
        Player(NAMES[seat % len(NAMES)], level=each if isinstance(each, str) else "")
        for seat, each in enumerate(bots)
    ]
    chance, log = PlainChance(seed), begun(chosen, people)
    owners = [_BotSeat(_bot(each, split(seed, seat)), seat) for seat, each in enumerate(bots)]
    driver = Driver(log, owners, chance, engine=ENGINE)
    driver.run()
    return Match.of(driver.log, chance, seed)


def _bot(seated: Seated, seed: int) -> Bot:
    if isinstance(seated, str):
        return make_bot(seated, seed)
    if hasattr(seated, "choose") and not isinstance(seated, type):
        return cast("Bot", seated)
    if callable(seated) and not isinstance(seated, type):
        return _Function(seated)
    raise WrongType.of("bots", "str | Bot | Callable[[View], Choice]", seated)


class _BotSeat(BotOwner):
    """A seat whose bot raises `IllegalMove` when its action is refused."""

    def refused(self, refusal: Refusal) -> None:
        raise IllegalMove.refused(refusal, self.view)


class _Function:
    """A function as a bot. It chooses how its moon counts as all bots do (W7)."""

    def __init__(self, choose: Callable[[View], Choice]) -> None:
        self._choose = choose

    def choose(self, view: View, clock: Clock) -> SeatAction:
        moon = chosen_moon(view)
        if moon is not None:
            return moon
        choice, seat = self._choose(view), view.seat
        if isinstance(choice, SeatAction):
            return choice
        try:
            with unlawful():
                cards = cards_of([choice] if isinstance(choice, Card) else choice)
        except TypeError:  # neither cards nor texts
            raise IllegalMove("no_choice", seat=seat, text=shown(choice)) from None
        if view.state.phase is Phase.PASSING:
            return Pass(seat, cards)
        if len(cards) != 1:
            raise IllegalMove("no_choice", seat=seat, text=shown(choice))
        return Play(seat, cards[0])
