"""Rows of `volte bench`: the kernel's deals, and the bots' choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from volte.bots import LEVELS, BotOwner, Clock, compiled, make_bot
from volte.game import Driver, MatchStarted, PlainChance, Player, SeatAction
from volte.kernel import Policy, play_deals
from volte.lab.bench.measure import Benchmark, Loop, repeated
from volte.rules import Ruleset, make_ruleset
from volte.view import View

CHOICES: Final = 30
"""Choices that each level makes, over and over."""


def kernel() -> list[Benchmark]:
    """Deals of the kernel, at random and between `casual` players."""
    return [
        Benchmark(f"{name}, {level}", kernel_loop(rules, policies), players * rules.hand_size)
        for name, players in (("microsoft", 4), ("coeurs", 5))
        for rules in (make_ruleset(name, {"players": players}),)
        for level, policies in (("random", ()), ("casual", casual_policies(players)))
    ]


def kernel_loop(rules: Ruleset, policies: Sequence[Policy] = (), threads: int = 1) -> Loop:
    """Loop of deals in the kernel, at random without policies."""

    def loop(deals: int) -> int:
        return len(play_deals(rules, 1, deals, policies, threads=threads))

    return loop


def casual_policies(players: int) -> list[Policy]:
    """Compiled `casual` players for all seats."""
    policy = compiled("casual")
    assert policy
    return [policy] * players


def bots() -> list[Benchmark]:
    """Choices of every level, passes and cards, with its usual time."""
    views = views_of(CHOICES)
    return [Benchmark(level, choices_loop(level, views)) for level in LEVELS]


def choices_loop(level: str, views: Sequence[View]) -> Loop:
    """Loop of a bot's choices in those views, each looked at for the first time."""
    bot, clock = make_bot(level, 1), Clock()

    def all_of_them(_: int) -> int:
        for view in views:
            bot.choose(View(view.seat, view.state), clock)
        return len(views)

    return repeated(all_of_them)


class ViewKeeper:
    """A `casual` player that keeps the views in which there was a choice."""

    def __init__(self, views: list[View]) -> None:
        self.views = views
        self.bot = make_bot("casual")

    def choose(self, view: View, clock: Clock) -> SeatAction:
        if len(view.legal) != 1:
            self.views.append(view)
        return self.bot.choose(view, clock)


def views_of(choices: int) -> list[View]:
    """Views of some deals at some tables, passes included."""
    views: list[View] = []
    tables = [("microsoft", 4), ("coeurs", 5), ("salon", 3)]
    for seed in range(choices):
        preset, players = tables[seed % len(tables)]
        rules = make_ruleset(preset, {"players": players, "match_end": "deals:1"})
        owners = [BotOwner(ViewKeeper(views), seat) for seat in range(players)]
        Driver([started(rules)], owners, PlainChance(seed)).run()
        if len(views) >= 3 * choices:
            break
    order = np.random.default_rng(1).permutation(len(views))
    return [views[number] for number in order[:choices]]


def started(rules: Ruleset) -> MatchStarted:
    """The first event of a match between players without names."""
    return MatchStarted(rules, tuple(Player(str(seat)) for seat in range(rules.players)))
