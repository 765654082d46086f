"""Positions from short text, and matches at random, at refereed tables; compare `kit.deals`."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, TypeVar

from kit.deals import deck_of, stacked

from volte.cards import Card, CardSet, cards_in, mask_of, read_cards
from volte.game import (
    MatchStarted,
    MatchState,
    NameDealer,
    PlainChance,
    Play,
    Player,
    Refusal,
)
from volte.referee import (
    Action,
    ClaimRevoke,
    DealByHand,
    Event,
    MixTricks,
    Object,
    RefereedMatch,
    TakeBack,
    TurnDown,
    decide,
    evolve,
    legal_actions,
    replay,
    to_act,
)
from volte.rules import Ruleset, Value, make_ruleset

Kind = TypeVar("Kind")


class Step(NamedTuple):
    """An action that was accepted, the states around it and its events."""

    before: MatchState
    action: Action
    events: tuple[Event, ...]
    after: MatchState


def start(rules: Ruleset, pot: int = 0, people: Collection[int] = ()) -> MatchStarted:
    """The first event of a match."""
    players = (Player("NESWXYZABC"[seat], person=seat in people) for seat in range(rules.players))
    return MatchStarted(rules, tuple(players), pot)


def take(state: MatchState, action: Action) -> Step:
    """The step of an action that is not refused."""
    outcome = decide(state, action)
    assert not isinstance(outcome, Refusal), (outcome, action)
    following = state
    for event in outcome:
        following = evolve(following, event)
    return Step(state, action, outcome, following)


def after(state: MatchState, *actions: Action) -> RefereedMatch:
    """The state after those actions."""
    for action in actions:
        state = take(state, action).after
    assert isinstance(state, RefereedMatch)
    return state


def event(state: MatchState, action: Action, kind: type[Kind]) -> Kind:
    """The event of that kind which the action brings about."""
    return next(each for each in take(state, action).events if isinstance(each, kind))


def refused(state: MatchState, action: Action) -> Refusal:
    """Why that action is refused."""
    outcome = decide(state, action)
    assert isinstance(outcome, Refusal), (outcome, action)
    return outcome


# Positions


def waiting(
    *piles: str,
    preset: str = "coeurs",
    players: int | None = None,
    pot: int = 0,
    options: Mapping[str, Value] | None = None,
) -> RefereedMatch:
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
    return after(replay([start(rules, pot)]), NameDealer(rules.players - 1))


def dealt(
    *hands: str,
    preset: str = "coeurs",
    kitty: str = "",
    pot: int = 0,
    options: Mapping[str, Value] | None = None,
) -> RefereedMatch:
    """The first deal at a refereed table, with just those hands; see `waiting`."""
    options = {"kitty": "first_trick" if kitty else "none", **(options or {})}
    table = waiting(*hands, kitty, preset=preset, players=len(hands), pot=pot, options=options)
    return deal_out(table, *hands, kitty=kitty)


def deal_out(state: MatchState, *hands: str, kitty: str = "") -> RefereedMatch:
    """The next deal of a match, with those hands."""
    return after(state, stacked(state, hands, kitty))


def by_hand(*hands: str, kitty: str = "") -> DealByHand:
    """Real cards dealt so; what is in none of the hands is missing from the pack."""
    return DealByHand(tuple(map(read_cards, hands)), read_cards(kitty))


def play(state: MatchState, cards: str) -> RefereedMatch:
    """The state after those cards, each played by the seat that holds it, in turn or not.

    A trick that lies full is turned down by the lead to the next one.
    """
    for card in read_cards(cards):
        state = after(state, Play(holder(state, card), card))
    assert isinstance(state, RefereedMatch)
    return state


def holder(state: MatchState, card: Card) -> int:
    """Who has that card in hand."""
    assert state.deal is not None
    return next(seat for seat, hand in enumerate(state.deal.hands) if hand & card.bit)


def turned(state: RefereedMatch, cards: str = "") -> RefereedMatch:
    """The state after those cards, when the full trick has been turned down."""
    state = play(state, cards) if cards else state
    return after(state, TurnDown(state.lying.turner))


def hand(state: RefereedMatch, seat: int) -> CardSet:
    return CardSet(state.lying.hands[seat])


def cards(text: str) -> int:
    """The mask of those cards."""
    return mask_of(read_cards(text))


# Matches


def match(rules: Ruleset, seed: int, wild: float = 0.5) -> Iterator[Step]:
    """A whole match in which anybody does anything now and then, step by step.

    Args:
        wild: how often; 0 for a match in which nobody errs.
    """
    rng, chance = random.Random(seed), PlainChance(seed)
    state = replay([start(rules)])
    while True:
        seats = to_act(state)
        wildly = state.deal is not None and rng.random() < wild
        action: Action | None
        if seats:
            action = rng.choice(legal_actions(state, rng.choice(seats)))
        else:
            action, wildly = chance.act(state), False
        if action is None:
            return
        if wildly:
            other = wild_action(state, rng)
            action = action if isinstance(decide(state, other), Refusal) else other
        step = take(state, action)
        state = step.after
        yield step


def wild_action(state: MatchState, rng: random.Random) -> Action:
    """Anything that can be tried at a refereed table, by anybody."""
    assert state.deal is not None
    seats = range(state.rules.players)
    seat, against = rng.choice(seats), rng.choice(seats)
    held = cards_in(state.deal.hands[seat])
    plays: list[Action] = [Play(seat, rng.choice(held))] * 4 if held else []
    trick = rng.randint(1, state.rules.hand_size)
    claims: list[Action] = [ClaimRevoke(seat, against, trick), Object(seat, against)]
    return rng.choice([*plays, *claims, TakeBack(seat), *[MixTricks(seat)] * (rng.random() < 0.05)])
