"""Positions from short text, and matches at random, at tables without a referee.

A position is dealt, never faked: the deck is made of just the cards that are named, and goes
through `decide` as any other. `kit.refereed` has the same for refereed tables.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from kit.promising import PromisingChance

from volte import game
from volte.cards import CARDS, JOKERS, PACK_SIZE, Card, CardSet, cards_in, mask_of, read_cards
from volte.fair import House, SplitMix64
from volte.referee import RefereedDeal
from volte.rules import Irregularities, Ruleset, Value, make_ruleset
from volte.view import View, project

# Actions


class Step(NamedTuple):
    """An action that was accepted, the states around it and its events."""

    before: game.MatchState
    action: game.Action
    events: tuple[game.Event, ...]
    after: game.MatchState


def take(state: game.MatchState, action: game.Action) -> Step:
    """The step of a lawful action."""
    outcome = game.decide(state, action)
    assert not isinstance(outcome, game.Refusal), (outcome, action)
    following = state
    for event in outcome:
        following = game.evolve(following, event)
    return Step(state, action, outcome, following)


def after(state: game.MatchState, *actions: game.Action) -> game.MatchState:
    """The state after those lawful actions."""
    for action in actions:
        state = take(state, action).after
    return state


def refused(state: game.MatchState, action: game.Action) -> game.Refusal:
    """Return the refusal of an action."""
    outcome = game.decide(state, action)
    assert isinstance(outcome, game.Refusal), (outcome, action)
    return outcome


def play(state: game.MatchState, cards: str) -> game.MatchState:
    """The state after those cards, `2C KC`, each played by the seat whose turn it is."""
    for card in read_cards(cards):
        state = after(state, game.Play(deal_of(state).turn, card))
    return state


def deal_of(state: game.MatchState) -> game.DealState:
    """The present deal, where there is one."""
    assert state.deal is not None
    return state.deal


def view_of(state: game.MatchState, seat: int | None) -> View:
    """Return the view that a seat has of the state."""
    return View(seat, project(state, seat))


def legal(state: game.MatchState) -> CardSet:
    """Return the legal cards of the seat whose turn it is."""
    return CardSet(game.legal_cards(deal_of(state)))


def clause(state: game.MatchState, card: str) -> str:
    """Return the clause that forbids this card to the seat whose turn it is."""
    refusal = refused(state, game.Play(deal_of(state).turn, Card(card)))
    assert CardSet(refusal.legal) == legal(state)
    return refusal.clause


# Positions


SEATS: Final = "NESWXYZABC"
"""Names of the players, by seat."""


def start(rules: Ruleset, pot: int = 0, people: Collection[int] = ()) -> game.MatchStarted:
    """The first event of a match among bots, and people at those seats, without a referee."""
    rules = replace(rules, irregularities=Irregularities.ENFORCED)
    players = (
        game.Player(name, person=seat in people) for seat, name in enumerate(SEATS[: rules.players])
    )
    return game.MatchStarted(rules, tuple(players), pot)


def deck_of(*piles: str) -> dict[str, Value]:
    """Options for a deck of just those cards; one of the second pack, `QS'`, makes it two packs."""
    deck = {card for pile in piles for card in read_cards(pile)}
    packs = 1 + any(card.pack for card in deck)
    plain = [card for card in CARDS[: packs * PACK_SIZE] if card.joker is None]
    return {
        "packs": packs,
        "removed": [str(card) for card in plain if card not in deck],
        "jokers": 2 if mask_of(deck) & JOKERS else 0,
    }


def dealt(
    preset: str,
    *hands: str,
    kitty: str = "",
    people: Collection[int] = (),
    pot: int = 0,
    **options: Value,
) -> game.MatchState:
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
) -> game.MatchState:
    """Deal as `dealt` does, with hands and options as values."""
    usual: dict[str, Value] = {
        **deck_of(*hands, kitty),
        "players": len(hands),
        "kitty": "first_trick" if kitty else "none",
        "pass_count": 0,
        "pass_cycle": ["left"],
    }
    rules = make_ruleset(preset, {**usual, **(options or {})})
    state = after(game.replay([start(rules, pot, people)]), game.NameDealer(rules.players - 1))
    return after(state, stacked(state, hands, kitty))


def stacked(state: game.MatchState, hands: Sequence[str], kitty: str = "") -> game.DealCards:
    """The deck that gives those hands, dealt from the present dealer's left."""
    first = state.dealer + 1
    clockwise = [read_cards(hands[(first + place) % len(hands)]) for place in range(len(hands))]
    rows = zip(*clockwise, strict=True)
    return game.DealCards(tuple(card for row in rows for card in row) + read_cards(kitty))


# Matches


def match(
    rules: Ruleset,
    seed: int,
    *,
    pot: int = 0,
    people: Collection[int] = (),
    chance: game.Chance | None = None,
    restless: bool = False,
) -> Iterator[Step]:
    """A whole match played at random, step by step.

    Args:
        chance: `PlainChance(seed)` where it is left out.
        restless: passes and plays are also taken back now and then, and ends of deals claimed.
    """
    rng, chance = random.Random(seed), chance or game.PlainChance(seed)
    state, style = game.replay([start(rules, pot, people)]), STYLES[0]
    while True:
        action: game.Action | None = restless_action(state, rng) if restless else None
        if action is None and game.to_act(state):
            action = random_action(state, rng, style)
        elif action is None:
            action, style = chance.act(state), rng.choice(STYLES)
        if action is None:
            return
        step = take(state, action)
        state = step.after
        yield step


def log_of(
    rules: Ruleset,
    seed: int,
    *,
    pot: int = 0,
    people: Collection[int] = (),
    chance: game.Chance | None = None,
    restless: bool = False,
) -> list[game.Event]:
    """All events of a match played at random; see `match`."""
    steps = match(rules, seed, pot=pot, people=people, chance=chance, restless=restless)
    return [start(rules, pot, people), *(event for step in steps for event in step.events)]


def random_action(state: game.MatchState, rng: random.Random, style: Style) -> game.SeatAction:
    """A pass, a play or a choice of one of the seats that are to act."""
    deal, seat = deal_of(state), rng.choice(game.to_act(state))
    if state.phase is game.Phase.PASSING:
        hand = cards_in(deal.hands[seat])
        return game.Pass(seat, tuple(rng.sample(hand, deal.pass_size)))
    if state.phase is game.Phase.CHOOSING:
        return game.ChooseMoon(seat, minus=rng.random() < 0.5)
    return game.Play(seat, rng.choice(cards_in(style(deal, game.legal_cards(deal)))))


def restless_action(state: game.MatchState, rng: random.Random) -> game.SeatAction | None:
    """Return a lawful claim, a take-back or an answer to one now and then, else None (C1, C2)."""
    asking = game.still_to_consent(state)
    if asking:
        return game.AnswerUndo(asking[0], rng.random() < 0.7)
    if rng.random() < 0.9:
        return None
    candidates: list[game.SeatAction] = []
    played = game.last_play(state)
    if played is not None and state.asked is None:
        candidates.append(game.AskUndo(played.seat))
    if state.phase is game.Phase.PASSING:
        passed = [seat for seat, cards in enumerate(deal_of(state).passes) if cards is not None]
        candidates += [game.TakeBackPass(seat) for seat in passed]
    few = state.phase is game.Phase.PLAYING and max(deal_of(state).hand_sizes()) <= 3
    if few and not isinstance(game.decide(state, game.Claim(0)), game.Refusal):
        candidates.append(game.Claim(rng.randrange(state.rules.players)))
    return rng.choice(candidates) if candidates else None


# Styles of play that make rare things happen often


def anything(deal: game.DealState, legal: int) -> int:
    return legal


def keeping_points(deal: game.DealState, legal: int) -> int:
    """Avoid penalty cards while another card is legal, so that hearts stay unbroken."""
    return legal & ~deal.rules.penalty_mask or legal


def helping_the_moon(deal: game.DealState, legal: int) -> int:
    """Let the dealer play the highest card, and the others penalty cards, or else the lowest."""
    if deal.turn == deal.dealer:
        return 1 << legal.bit_length() - 1
    return legal & deal.rules.penalty_mask or legal & -legal


Style = Callable[[game.DealState, int], int]
"""Function from a deal and its legal cards (a mask) to the cards to choose from (a mask)."""

STYLES: Final[tuple[Style, ...]] = (anything, anything, keeping_points, helping_the_moon)


# Matches to put on record


class RandomMatch:
    """A match played to its end, in which seats also claim and take back as the rules allow."""

    log: list[game.Event]
    cuts: list[int]  # length of the log after each action

    def __init__(self, rules: Ruleset, seed: int, pot: int = 0, dealer: int | None = None) -> None:
        self.random = SplitMix64(seed)
        self.log = [game.MatchStarted(rules, some_players(rules.players), pot, dealer)]
        self.cuts = [1]
        state, chance = game.replay(self.log), some_chance(seed)
        while (action := self._action(state, chance)) is not None:
            outcome = game.decide(state, action)
            if isinstance(outcome, game.Refusal):
                continue
            for event in outcome:
                state = game.evolve(state, event)
            self.log += outcome
            self.cuts.append(len(self.log))

    def _action(self, state: game.MatchState, chance: game.Chance) -> game.Action | None:
        whim, played = self.random.below(20), game.last_play(state)
        if still := game.still_to_consent(state):
            return game.AnswerUndo(still[0], allow=whim < 10)
        if not (seats := game.to_act(state)):
            return chance.act(state)
        if whim == 0:
            return game.TakeBackPass(self.random.below(len(state.players)))
        if whim == 1 and played is not None:
            return game.AskUndo(played.seat)
        seat = self.random.choice(seats)
        if whim < 5 and state.deal is not None and max(state.deal.hand_sizes()) < 4:
            return game.Claim(seat)
        return self.random.choice(game.legal_actions(state, seat))


def some_players(count: int) -> tuple[game.Player, ...]:
    """Return players: a person, a bot of a known level, and bots without a level."""
    first = (game.Player("Zoé", person=True), game.Player("Jean", level="casual"))
    return (*first, *(game.Player(f"bot {seat}") for seat in range(3, count + 1)))


def some_chance(seed: int) -> game.Chance:
    """Return chance by the seed: proved, with or without promises, or not proved."""
    if seed % 2:
        return game.PlainChance(seed)
    if seed % 4 == 2:
        return PromisingChance(House.from_seed(seed))
    bytes_of = [b"mine", b"", bytes(40)][seed // 4 % 3]
    return game.ProvedChance(House.from_seed(seed), lambda _: bytes_of)


def check_cards(state: game.MatchState) -> None:
    """Check that every card of the deck lies in just one place, with a referee or without."""
    deal = state.deal
    if deal is None:
        return
    laid = [each.card for each in deal.laid] if isinstance(deal, RefereedDeal) else deal.trick
    places = [*deal.hands, mask_of(laid), deal.kitty, deal.held, *deal.taken]
    assert sum(places) == state.rules.deck_mask
    assert sum(mask.bit_count() for mask in places) == len(state.rules.cards)
    assert deal.hand_sizes() == tuple(hand.bit_count() for hand in deal.hands)


def check_views(steps: Sequence[Step], seats: Sequence[int | None]) -> None:
    """Check that views folded from visible events equal projections of the whole state."""
    views = {seat: View(seat, steps[0].before) for seat in seats}
    for step in steps:
        state = step.before
        for event in step.events:
            state = game.evolve(state, event)
            for seat, view in views.items():
                views[seat] = view.see(game.visible(event, seat))
                assert views[seat].state == project(state, seat)
                assert views[seat].my_turn == (seat in game.to_act(state))
