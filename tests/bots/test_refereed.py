"""Bots at refereed tables, among players who break every rule (I1–I9)."""

from __future__ import annotations

import random
from functools import partial
from typing import Final

import pytest

from volte.bots import LEVELS, BotOwner, Clock, make_bot
from volte.cards import cards_in
from volte.game import MatchStarted, PlainChance, Play, Player, Refusal
from volte.game.driver import Driver
from volte.referee import (
    ENGINE,
    Action,
    ClaimRevoke,
    Event,
    Object,
    RefereedMatch,
    RevokeClaimed,
    TakeBack,
)
from volte.rules import Value, make_ruleset

SHORT: Final = Clock(simulations=60)


class Rascal:
    """Plays any card, whatever is due."""

    def __init__(self, seat: int, draws: random.Random) -> None:
        self.inner = BotOwner(make_bot("beginner", 1), seat)
        self.tell = self.inner.tell
        self.draws = draws

    def ask(self) -> object:
        view = self.inner.view
        assert view is not None
        if view.my_turn and isinstance(view.state, RefereedMatch) and self.draws.random() < 0.4:
            if view.hand and view.state.deal is not None and view.deal.turn >= 0:
                return Play(self.inner.seat, self.draws.choice(tuple(view.hand)))
        return self.inner.ask()

    def refused(self, refusal: Refusal) -> None:
        """A seat that has taken a card back has to play lawfully."""


def mischief(match: RefereedMatch, seat: int, draws: random.Random) -> Action:
    """Something that a rascal does when nobody has asked them."""
    players = len(match.players)
    other, hand = draws.randrange(players), cards_in(match.lying.hands[seat])
    acts: list[Action] = [
        Object(seat, other),
        TakeBack(seat),
        ClaimRevoke(seat, other, draws.randrange(1, 6)),
        *(Play(seat, draws.choice(hand)) for _ in range(3) if hand),
    ]
    return draws.choice(acts)


def played(
    preset: str, players: int, levels: tuple[str, ...], seed: int, **options: Value
) -> tuple[RefereedMatch, list[Event]]:
    """A match of bots of those levels against rascals at the other seats."""
    settings: dict[str, Value] = {"irregularities": "refereed", "match_end": "deals:2", **options}
    rules = make_ruleset(preset, {"players": players, **settings})
    draws = random.Random(seed)
    rascals = range(len(levels), players)
    owners = [
        *(BotOwner(make_bot(level, seed), seat, SHORT) for seat, level in enumerate(levels)),
        *(Rascal(seat, draws) for seat in rascals),
    ]
    begun = MatchStarted(rules, tuple(Player(f"P{seat}") for seat in range(players)))
    driver = Driver([begun], owners, PlainChance(seed), engine=ENGINE)  # type: ignore[arg-type]
    while driver.step():
        match = driver.state
        assert isinstance(match, RefereedMatch)
        if match.phase == "playing" and rascals and draws.random() < 0.3:
            driver.submit(mischief(match, draws.choice(rascals), draws))
    assert isinstance(driver.state, RefereedMatch)
    return driver.state, driver.log


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("preset", "players"),
    [("coeurs", 3), ("salon", 4), ("coeurs", 5), ("salon-six-jokers", 6), ("coeurs", 7)],
)
def test_no_bot_is_ever_refused_among_those_who_revoke(
    preset: str, players: int, level: str
) -> None:
    """Whatever they have proved, and have then shown to be untrue."""
    for seed in range(3 if level in ("strong", "expert") else 12):
        match, _ = played(preset, players, (level,), seed)
        assert match.phase == "ended"
