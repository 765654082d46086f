"""Positions from short text, and random matches, at refereed tables; compare `kit.deals`."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, TypeVar

from kit.deals import deck_of, stacked

from volte import game, referee
from volte.cards import Card, cards_in, read_cards
from volte.rules import Ruleset, Value, make_ruleset

Kind = TypeVar("Kind")


class Step(NamedTuple):
    """An accepted action, its events, and the states before and after it."""

    before: game.MatchState
    action: referee.Action
    events: tuple[referee.Event, ...]
    after: game.MatchState


def start(rules: Ruleset, pot: int = 0, people: Collection[int] = ()) -> game.MatchStarted:
    """The first event of a match."""
    players = (
        game.Player("NESWXYZABC"[seat], person=seat in people) for seat in range(rules.players)
    )
    return game.MatchStarted(rules, tuple(players), pot)


def take(state: game.MatchState, action: referee.Action) -> Step:
    """The step of an action, which must be accepted."""
    outcome = referee.decide(state, action)
    assert not isinstance(outcome, game.Refusal), (outcome, action)
    following = state
    for event in outcome:
        following = referee.evolve(following, event)
    return Step(state, action, outcome, following)


def after(state: game.MatchState, *actions: referee.Action) -> referee.RefereedMatch:
    """The state after some actions, which must be accepted."""
    for action in actions:
        state = take(state, action).after
    assert isinstance(state, referee.RefereedMatch)
    return state


def event(state: game.MatchState, action: referee.Action, kind: type[Kind]) -> Kind:
    """The first event of a kind that an action brings about."""
    return next(each for each in take(state, action).events if isinstance(each, kind))


def refused(state: game.MatchState, action: referee.Action) -> game.Refusal:
    """The refusal of an action, which must be refused."""
    outcome = referee.decide(state, action)
    assert isinstance(outcome, game.Refusal), (outcome, action)
    return outcome


# Positions


def waiting(
    *piles: str,
    preset: str = "coeurs",
    players: int | None = None,
    pot: int = 0,
    options: Mapping[str, Value] | None = None,
) -> referee.RefereedMatch:
    """A refereed table before the first deal, with a deck of just those cards.

    Seat 0 is eldest, nothing is passed, and nobody shoots the moon.
    """
    usual: dict[str, Value] = {
        **deck_of(*piles),
        "players": len(piles) if players is None else players,
        "kitty": "none",
        "pass_count": 0,
        "pass_cycle": ["left"],
        "moon": "off",
        "match_end": "deals:2",
        "irregularities": "refereed",
    }
    rules = make_ruleset(preset, {**usual, **(options or {})})
    return after(referee.replay([start(rules, pot)]), game.NameDealer(rules.players - 1))


def dealt(
    *hands: str,
    preset: str = "coeurs",
    kitty: str = "",
    pot: int = 0,
    options: Mapping[str, Value] | None = None,
) -> referee.RefereedMatch:
    """The first deal at a refereed table, with just those hands; see `waiting`."""
    options = {"kitty": "first_trick" if kitty else "none", **(options or {})}
    table = waiting(*hands, kitty, preset=preset, players=len(hands), pot=pot, options=options)
    return after(table, stacked(table, hands, kitty))


def by_hand(*hands: str, kitty: str = "") -> referee.DealByHand:
    """Real cards dealt as given; a card in none of the hands is missing from the pack."""
    return referee.DealByHand(tuple(map(read_cards, hands)), read_cards(kitty))


def play(state: game.MatchState, cards: str) -> referee.RefereedMatch:
    """The state after some cards, each played by the seat that holds it, in turn or not.

    The lead to the next trick turns a full trick down.
    """
    for card in read_cards(cards):
        state = after(state, game.Play(holder(state, card), card))
    assert isinstance(state, referee.RefereedMatch)
    return state


def holder(state: game.MatchState, card: Card) -> int:
    """The seat that has a card in hand."""
    assert state.deal is not None
    return next(seat for seat, hand in enumerate(state.deal.hands) if hand & card.bit)


def turned(state: referee.RefereedMatch, cards: str = "") -> referee.RefereedMatch:
    """The state after some cards, and after the full trick has been turned down."""
    state = play(state, cards) if cards else state
    return after(state, referee.TurnDown(state.lying.turner))


# Matches


def match(rules: Ruleset, seed: int, wild: float = 0.5) -> Iterator[Step]:
    """A random match, step by step, in which seats now and then try anything at all.

    Args:
        wild: how often they do, from 0 to 1; 0 for a match in which nobody errs.
    """
    rng, chance = random.Random(seed), game.PlainChance(seed)
    state = referee.replay([start(rules)])
    while True:
        seats = referee.to_act(state)
        wildly = state.deal is not None and rng.random() < wild
        action: referee.Action | None
        if seats:
            action = rng.choice(referee.legal_actions(state, rng.choice(seats)))
        else:
            action, wildly = chance.act(state), False
        if action is None:
            return
        if wildly:
            other = wild_action(state, rng)
            action = action if isinstance(referee.decide(state, other), game.Refusal) else other
        step = take(state, action)
        state = step.after
        yield step


def wild_action(state: game.MatchState, rng: random.Random) -> referee.Action:
    """A random attempt of any seat at a refereed table, lawful or not."""
    assert state.deal is not None
    seats = range(state.rules.players)
    seat, against = rng.choice(seats), rng.choice(seats)
    held = cards_in(state.deal.hands[seat])
    plays: list[referee.Action] = [game.Play(seat, rng.choice(held))] * 4 if held else []
    trick = rng.randint(1, state.rules.hand_size)
    claims: list[referee.Action] = [
        referee.ClaimRevoke(seat, against, trick),
        referee.Object(seat, against),
    ]
    return rng.choice(
        [
            *plays,
            *claims,
            referee.TakeBack(seat),
            *[referee.MixTricks(seat)] * (rng.random() < 0.05),
        ]
    )
