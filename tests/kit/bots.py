"""Moments of random matches, in the true world or another; bots with small budgets."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace as with_option
from typing import Final, NamedTuple

import numpy as np
from kit.deals import deal_of, start, view_of
from kit.kernels import first_deal
from msgspec.structs import replace

from volte import game
from volte.bots import Bot, BotOwner, Clock, Estimate, Thought
from volte.bots.candidates import unlike
from volte.bots.learned import weighted
from volte.bots.search import Search, Style
from volte.bots.worlds import Dealer, Worlds
from volte.cards import Card, cards_in, mask_of
from volte.kernel import Records
from volte.kernel.features import PLACES
from volte.kernel.instinct import WIDTH
from volte.rules import Ending, EndKind, MatchEnd, Ruleset
from volte.view import View


def where_all_lie(deal: game.DealState) -> list[int]:
    """Return the true world: masks of the hands, and of the kitty."""
    return [*deal.hands, deal.kitty]


def worlds(view: View, count: int, seed: int, first: int = 0) -> Worlds:
    """Draw worlds that the view allows, from number `first` (from 0) of the seed on."""
    dealer = Dealer(view, seed)
    dealer.dealt = first
    return dealer.draw(count)


class Moment(NamedTuple):
    """A state of a first deal, the actions that led to it from `undealt` on, and an observer."""

    undealt: game.MatchState
    actions: tuple[game.Action, ...]
    state: game.MatchState
    seat: int

    @property
    def view(self) -> View:
        """The view of the observing seat."""
        return view_of(self.state, self.seat)


def moments(rules: Ruleset, seed: int, most: int) -> list[Moment]:
    """Draw moments of a first deal in which somebody has to pass or to play."""
    rng = random.Random(seed)
    steps = list(first_deal(rules, seed))
    [undealt] = [step.before for step in steps if isinstance(step.action, game.DealCards)]
    actions = [step.action for step in steps if step.after.deal is not None]
    states = [step.after for step in steps if step.after.deal is not None]
    whole = [
        Moment(undealt, tuple(actions[: number + 1]), state, rng.randrange(rules.players))
        for number, state in enumerate(states)
        if state.phase in (game.Phase.PASSING, game.Phase.PLAYING)
    ]
    return rng.sample(whole, min(most, len(whole)))


def choices(rules: Ruleset, seed: int, most: int) -> list[Moment]:
    """Draw `moments`, each of them observed by a seat that has to act."""
    rng = random.Random(seed)
    return [
        moment._replace(seat=rng.choice(game.to_act(moment.state)))
        for moment in moments(rules, seed, most)
    ]


# Moments in other worlds


def told_anew(moment: Moment, world: Sequence[int], rng: random.Random) -> list[game.Action]:
    """Return the moment's actions with the cards of a world; hidden passes are any that fit."""
    deal = deal_of(moment.state)
    players = range(deal.rules.players)
    hands = [world[seat] | played_by(deal, seat) for seat in players]
    passes = [passed_by(moment, seat, hands, rng) for seat in players]
    for transfer in deal.transfers:
        hands[transfer.taker] &= ~mask_of(passes[transfer.giver])
    for transfer in deal.transfers:
        hands[transfer.giver] |= mask_of(passes[transfer.giver])
    return [
        game.DealCards(deck_of(deal, hands, world[-1])),
        *(
            game.Pass(action.seat, passes[action.seat]) if isinstance(action, game.Pass) else action
            for action in moment.actions[1:]
        ),
    ]


def played_by(deal: game.DealState, seat: int) -> int:
    """Mask of the cards that a seat has played."""
    tricks = [*((trick.leader, trick.cards) for trick in deal.tricks), (deal.leader, deal.trick)]
    at = ((cards, (seat - leader) % deal.rules.players) for leader, cards in tricks)
    return mask_of(cards[place] for cards, place in at if place < len(cards))


def passed_by(
    moment: Moment, seat: int, hands: Sequence[int], rng: random.Random
) -> tuple[Card, ...]:
    """Return the pass of a seat: the true one if the observer knows it, else any that fits."""
    deal = deal_of(moment.state)
    for transfer in deal.transfers:
        if transfer.giver == seat:
            if moment.seat in (transfer.giver, transfer.taker):
                return transfer.cards or ()
            return tuple(rng.sample(cards_in(hands[transfer.taker]), deal.rules.passing.count))
    if seat == moment.seat or deal.passes[seat] is None:
        return deal.passes[seat] or ()
    return tuple(rng.sample(cards_in(hands[seat]), deal.rules.passing.count))


def deck_of(deal: game.DealState, hands: Sequence[int], kitty: int) -> tuple[Card, ...]:
    """Return the deck that deals those hands (D4)."""
    players = deal.rules.players
    around = [(deal.dealer + 1 + place) % players for place in range(players)]
    rows = zip(*(cards_in(hands[seat]) for seat in around), strict=True)
    return (*(card for row in rows for card in row), *cards_in(kitty))


FEW: Final = Clock(simulations=50)


def of_deals(rules: Ruleset, number: int) -> Ruleset:
    """Return the ruleset with a match of so many deals."""
    return with_option(rules, ending=Ending(MatchEnd(EndKind.DEALS, number)))


def one_deal(rules: Ruleset) -> Ruleset:
    """Return the ruleset with a match of a single deal."""
    return of_deals(rules, 1)


def table(
    rules: Ruleset,
    bots: Sequence[Bot],
    seed: int,
    clock: Clock = FEW,
    log: Sequence[game.Event] = (),
) -> game.Driver:
    """Return a driver with those bots, seat by seat, from the start of a match or from a log."""
    owners = [BotOwner(bot, seat, clock) for seat, bot in enumerate(bots)]
    return game.Driver(log or [start(rules)], owners, game.PlainChance(seed))


def thought(style: Style, view: View, clock: Clock = FEW, seed: int = 0) -> Thought:
    """Return the thought of a fresh bot, without the time that it takes."""
    return untimed(Search(style, seed).think(view, clock))


def untimed(thought: Thought) -> Thought:
    return replace(thought, milliseconds=0.0)


def wild_weights(seed: int) -> Records:
    """Return random weights, so that no test depends on the learned ones."""
    draws = np.random.default_rng(seed)
    return weighted(draws.normal(0, 0.3, (PLACES, WIDTH)))


def drawn_estimates(moment: Moment, draws: random.Random) -> list[Estimate]:
    """Draw what a search might say of the actions, the best first; equivalent cards alike."""
    if moment.state.phase is game.Phase.PASSING:
        legal = game.legal_actions(moment.state, moment.seat)[:5]
        groups: list[list[game.Play | game.Pass]] = [
            [each] for each in legal if isinstance(each, game.Pass)
        ]
    else:
        groups = [
            [game.Play(moment.seat, card) for card in cards]
            for cards in unlike(moment.view).values()
        ]
    spread = draws.choice([0, 0.3, 1, 8])
    moons = draws.choice([None, 0, 0.2, 0.6, 1])
    found: list[Estimate] = []
    for group in groups:
        margin, error = draws.gauss(0, spread), draws.choice([0, 0.1, 1])
        worth = draws.choice([None, draws.uniform(0, 0.1)]) if not found else found[0].worth
        if worth is not None and found:
            worth -= draws.choice([0, 0.002, 0.05])
        moon = None if moons is None else moons * draws.random()
        found += [Estimate(each, margin, margin, error, worth, moon) for each in group]
    return sorted(found, key=lambda each: (each.margin, -(each.worth or 0)))
