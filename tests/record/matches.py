"""Matches to put on record: everybody plays at random, claims and takes back as the rules allow."""

from __future__ import annotations

from game.promising import PromisingChance

from volte.fair import House, SplitMix64
from volte.game import (
    Action,
    AnswerUndo,
    AskUndo,
    Chance,
    Claim,
    Event,
    MatchStarted,
    MatchState,
    PlainChance,
    Player,
    ProvedChance,
    Refusal,
    TakeBackPass,
    decide,
    evolve,
    last_play,
    legal_actions,
    replay,
    still_to_consent,
    to_act,
)
from volte.rules import Ruleset, make_ruleset


def table(name: str, players: int, deals: int = 2) -> Ruleset:
    """That preset, for a short match without a referee."""
    changed = {"match_end": f"deals:{deals}", "irregularities": "enforced"}
    return make_ruleset(name, {"players": players, **changed})


def some_players(count: int) -> tuple[Player, ...]:
    """A person, a bot of a known level, and bots of none."""
    first = (Player("Zoé", person=True), Player("Jean", level="casual"))
    return (*first, *(Player(f"bot {seat}") for seat in range(3, count + 1)))


def some_chance(seed: int) -> Chance:
    """A house that proves what it deals, with promises or without, or one that does not."""
    if seed % 2:
        return PlainChance(seed)
    if seed % 4 == 2:
        return PromisingChance(House.from_seed(seed))
    bytes_of = [b"mine", b"", bytes(40)][seed // 4 % 3]
    return ProvedChance(House.from_seed(seed), lambda _: bytes_of)


class RandomMatch:
    """A match played to its end.

    Attributes:
        log: all of it.
        cuts: how long the log was after each action.
    """

    def __init__(self, rules: Ruleset, seed: int, pot: int = 0, dealer: int | None = None) -> None:
        self.random = SplitMix64(seed)
        self.log: list[Event] = [MatchStarted(rules, some_players(rules.players), pot, dealer)]
        self.cuts = [1]
        state, chance = replay(self.log), some_chance(seed)
        while (action := self._action(state, chance)) is not None:
            outcome = decide(state, action)
            if isinstance(outcome, Refusal):
                continue
            for event in outcome:
                state = evolve(state, event)
            self.log += outcome
            self.cuts.append(len(self.log))

    def _action(self, state: MatchState, chance: Chance) -> Action | None:
        whim, played = self.random.below(20), last_play(state)
        if still := still_to_consent(state):
            return AnswerUndo(still[0], allow=whim < 10)
        if not (seats := to_act(state)):
            return chance.act(state)
        if whim == 0:
            return TakeBackPass(self.random.below(len(state.players)))
        if whim == 1 and played is not None:
            return AskUndo(played.seat)
        seat = self.random.choice(seats)
        if whim < 5 and state.deal is not None and max(state.deal.hand_sizes()) < 4:
            return Claim(seat)
        return self.random.choice(legal_actions(state, seat))
