"""A bot made ready before its first choice is asked for: code compiled, tables made."""

from __future__ import annotations

from typing import Final

from volte.bots import Bot, BotOwner, Clock
from volte.game import Driver, MatchStarted, PlainChance, Player
from volte.rules import Ruleset

BRIEF: Final = Clock(milliseconds=1, simulations=1)


def rehearse(bot: Bot, rules: Ruleset) -> None:
    """Lets the bot pass, and play the first trick of a deal, at every seat."""
    players = tuple(Player(f"Seat {seat + 1}") for seat in range(rules.players))
    owners = [BotOwner(bot, seat, BRIEF) for seat in range(rules.players)]
    driver = Driver([MatchStarted(rules, players)], owners, PlainChance(0))
    while driver.state.deal is None or not driver.state.deal.tricks:
        driver.step()
