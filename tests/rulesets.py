"""Random matches, and positions from short text, for all the tests; see also `strategies`.

A position is dealt, never faked: the deck is made of just the cards that are named, and goes
through `decide` as any other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from strategies import PACK as PACK
from strategies import all_settings as all_settings
from strategies import any_rulesets as any_rulesets
from strategies import few as few
from strategies import recounted as recounted
from strategies import rulesets as rulesets
from strategies import seeds as seeds
from strategies import wider_rulesets as wider_rulesets
from strategies import wider_settings as wider_settings

from volte.cards import CARDS, JOKERS, PACK_SIZE, Card, CardSet, cards_in, mask_of, read_cards
from volte.game import (
    Action,
    AnswerUndo,
    AskUndo,
    Chance,
    ChooseMoon,
    Claim,
    DealCards,
    DealState,
    Event,
    MatchStarted,
    MatchState,
    NameDealer,
    Pass,
    Phase,
    PlainChance,
    Play,
    Player,
    Refusal,
    SeatAction,
    TakeBackPass,
    decide,
    evolve,
    last_play,
    legal_cards,
    replay,
    still_to_consent,
    to_act,
)
from volte.rules import PRESETS, Irregularities, Ruleset, Value, make_ruleset

ALL_TABLES: Final = tuple(
    (name, seats) for name in PRESETS for seats in sorted(PRESETS[name].players)
)
"""Every preset with every number of players that it is made for."""

OF_SEEDS: Final = ("coeurs", "dame-de-pique", "salon", "microsoft")
"""How the names of the presets begin that the seeds tell, and the one that machines play."""

ALIKE: Final = {
    "coeurs-cinq-coups": 3,
    "coeurs-moyenne": 5,
    "coeurs-cagnotte": 6,
    "coeurs-table": 7,
    "salon-valet": 5,
}
"""Presets with the cards and duties of another, and the one table of each that the gate plays."""


def _is_played(name: str, seats: int) -> bool:
    """Every table of the seeds is; of presets that are alike, all only in the full run."""
    if name.startswith(OF_SEEDS):
        return seats == few(ALIKE.get(name, seats), seats)
    return seats == PRESETS[name].players[0]


TABLES: Final = tuple(table for table in ALL_TABLES if _is_played(*table))
"""Every preset: those of the seeds at every number of players, in the gate with those that are
alike only once; each of the wider family as it is usually played."""

# Matches


class Step(NamedTuple):
    """An action that was accepted, the states around it and its events."""

    before: MatchState
    action: Action
    events: tuple[Event, ...]
    after: MatchState


def start(rules: Ruleset, pot: int = 0, people: Collection[int] = ()) -> MatchStarted:
    """The first event of a match among bots, and people at those seats, without a referee."""
    rules = replace(rules, irregularities=Irregularities.ENFORCED)
    players = (Player("NESWXYZABC"[seat], person=seat in people) for seat in range(rules.players))
    return MatchStarted(rules, tuple(players), pot)


def match(
    rules: Ruleset,
    seed: int,
    *,
    pot: int = 0,
    people: Collection[int] = (),
    chance: Chance | None = None,
    restless: bool = False,
) -> Iterator[Step]:
    """A whole match played at random, step by step.

    Args:
        chance: `PlainChance(seed)` where it is left out.
        restless: passes and plays are also taken back now and then, and ends of deals claimed.
    """
    rng, chance = random.Random(seed), chance or PlainChance(seed)
    state, style = replay([start(rules, pot, people)]), STYLES[0]
    while True:
        action: Action | None = restless_action(state, rng) if restless else None
        if action is None and to_act(state):
            action = random_action(state, rng, style)
        elif action is None:
            action, style = chance.act(state), rng.choice(STYLES)
        if action is None:
            return
        step = take(state, action)
        state = step.after
        yield step


def log_of(rules: Ruleset, seed: int, restless: bool = False) -> list[Event]:
    """All events of a match played at random."""
    steps = match(rules, seed, restless=restless)
    return [start(rules), *(event for step in steps for event in step.events)]


def random_action(state: MatchState, rng: random.Random, style: Style) -> SeatAction:
    """A pass, a play or a choice of one of the seats that are to act."""
    deal, seat = deal_of(state), rng.choice(to_act(state))
    if state.phase is Phase.PASSING:
        hand = cards_in(deal.hands[seat])
        return Pass(seat, tuple(rng.sample(hand, deal.pass_size)))
    if state.phase is Phase.CHOOSING:
        return ChooseMoon(seat, minus=rng.random() < 0.5)
    return Play(seat, rng.choice(cards_in(style(deal, legal_cards(deal)))))


def restless_action(state: MatchState, rng: random.Random) -> SeatAction | None:
    """Now and then, and where it is lawful, an act that carries nothing forward (C1, C2)."""
    asking = still_to_consent(state)
    if asking:
        return AnswerUndo(asking[0], rng.random() < 0.7)
    if rng.random() < 0.9:
        return None
    candidates: list[SeatAction] = []
    played = last_play(state)
    if played is not None and state.asked is None:
        candidates.append(AskUndo(played.seat))
    if state.phase is Phase.PASSING:
        passed = [seat for seat, cards in enumerate(deal_of(state).passes) if cards is not None]
        candidates += [TakeBackPass(seat) for seat in passed]
    few = state.phase is Phase.PLAYING and max(deal_of(state).hand_sizes()) <= 3
    if few and not isinstance(decide(state, Claim(0)), Refusal):
        candidates.append(Claim(rng.randrange(state.rules.players)))
    return rng.choice(candidates) if candidates else None


# How a deal is played, so that rare things happen often


def anything(deal: DealState, legal: int) -> int:
    return legal


def keeping_points(deal: DealState, legal: int) -> int:
    """No penalty card as long as another will do, so that hearts stay unbroken."""
    return legal & ~deal.rules.penalty_mask or legal


def helping_the_moon(deal: DealState, legal: int) -> int:
    """The dealer plays high, and gets all the points of the others, who play low."""
    if deal.turn == deal.dealer:
        return 1 << legal.bit_length() - 1
    return legal & deal.rules.penalty_mask or legal & -legal


Style = Callable[[DealState, int], int]
"""Which of the legal cards (a mask) are thought of."""

STYLES: Final[tuple[Style, ...]] = (anything, anything, keeping_points, helping_the_moon)


# Actions


def take(state: MatchState, action: Action) -> Step:
    """The step of a lawful action."""
    outcome = decide(state, action)
    assert not isinstance(outcome, Refusal), (outcome, action)
    following = state
    for event in outcome:
        following = evolve(following, event)
    return Step(state, action, outcome, following)


def after(state: MatchState, *actions: Action) -> MatchState:
    """The state after those lawful actions."""
    for action in actions:
        state = take(state, action).after
    return state


def refused(state: MatchState, action: Action) -> Refusal:
    """Why that action is refused."""
    outcome = decide(state, action)
    assert isinstance(outcome, Refusal), (outcome, action)
    return outcome


def deal_of(state: MatchState) -> DealState:
    """The present deal, where there is one."""
    assert state.deal is not None
    return state.deal


# Positions


def dealt(
    preset: str,
    *hands: str,
    kitty: str = "",
    people: Collection[int] = (),
    pot: int = 0,
    **options: Value,
) -> MatchState:
    """The first deal of a match with just those hands, as `S: AQ2 H: K`, seat by seat.

    The deck is made of the cards that are named; with a card of the second pack, `QS'`, there are
    two. Seat 0 is the eldest hand, and there is no pass unless `pass_count` says so.

    >>> legal(play(dealt("coeurs", "S: A2", "S: K3", "C: 2 H: 2"), "AS KS"))
    CardSet('H: 2 C: 2')
    """
    return first_deal(preset, hands, kitty, options, people, pot)


def first_deal(
    preset: str,
    hands: Sequence[str],
    kitty: str = "",
    options: Mapping[str, Value] | None = None,
    people: Collection[int] = (),
    pot: int = 0,
) -> MatchState:
    """See `dealt`."""
    deck = {card for hand in (*hands, kitty) for card in read_cards(hand)}
    packs = 1 + any(card.pack for card in deck)
    plain = [card for card in CARDS[: packs * PACK_SIZE] if card.joker is None]
    usual: dict[str, Value] = {
        "players": len(hands),
        "packs": packs,
        "removed": [str(card) for card in plain if card not in deck],
        "kitty": "first_trick" if kitty else "none",
        "jokers": 2 if mask_of(deck) & JOKERS else 0,
        "pass_count": 0,
        "pass_cycle": ["left"],
    }
    rules = make_ruleset(preset, {**usual, **(options or {})})
    state = after(replay([start(rules, pot, people)]), NameDealer(rules.players - 1))
    return deal_out(state, *hands, kitty=kitty)


def deal_out(state: MatchState, *hands: str, kitty: str = "") -> MatchState:
    """The next deal of a match, with those hands."""
    first = state.dealer + 1
    clockwise = [read_cards(hands[(first + place) % len(hands)]) for place in range(len(hands))]
    rows = zip(*clockwise, strict=True)
    deck = tuple(card for row in rows for card in row)
    return after(state, DealCards(deck + read_cards(kitty)))


def play(state: MatchState, cards: str) -> MatchState:
    """The state after those cards, `2C KC`, each played by the seat whose turn it is."""
    for card in read_cards(cards):
        state = after(state, Play(deal_of(state).turn, card))
    return state


def legal(state: MatchState) -> CardSet:
    """What the seat whose turn it is may play."""
    return CardSet(legal_cards(deal_of(state)))


def clause(state: MatchState, card: str) -> str:
    """The clause that forbids this card to the seat whose turn it is."""
    refusal = refused(state, Play(deal_of(state).turn, Card(card)))
    assert CardSet(refusal.legal) == legal(state)
    return refusal.clause
