"""One deal or one match, played card by card from outside, on the readable engine, and its spaces.

A learner sees a `View`, folded from the events that its seat may see, and nothing else.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from operator import index
from types import MappingProxyType
from typing import Any, Final, TypeVar

import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray

from volte import game
from volte.bots import Bot, BotOwner, Clock, chosen_moon, make_bot, player_named
from volte.cards import CARDS, PACK_SIZE, Card, CardSet, VolteError, WrongType, mask_of
from volte.cards.fault import shown
from volte.fair import read_seed
from volte.game.legal import to_act
from volte.lab.env.observation import (
    card_planes,
    observe,
    situation_fields,
    state_fields,
    state_planes,
)
from volte.lab.seeded import table_of
from volte.rules import Rules, Ruleset, Score, Value, ruleset_named
from volte.view import View

Seen = dict[str, Any]
"""An observation: `observation`, `int16[planes * 54 + fields]`; `action_mask`, `int8[54]`."""


class Learner:
    """A bot whose cards are put down from outside.

    If the rules ask how its moon counts (W7), it answers as every bot does.
    """

    def __init__(self) -> None:
        self._picked: tuple[Card, ...] = ()
        self._action: game.SeatAction | None = None

    @property
    def picked(self) -> int:
        """Mask of the cards picked so far for a pass."""
        return mask_of(self._picked)

    def choices(self, view: View) -> CardSet:
        """The cards that a seat which has to act may put down."""
        if view.state.phase is game.Phase.PASSING:
            return CardSet(view.hand.mask & ~self.picked)
        return view.legal

    def put(self, view: View, card: Card) -> bool:
        """Take one of them; returns whether an action is complete, as by the last of a pass."""
        if view.state.phase is game.Phase.PLAYING:
            self._action = game.Play(view.seat, card)
            return True
        self._picked = (*self._picked, card)
        if len(self._picked) < view.deal.pass_size:
            return False
        self._action = game.Pass(view.seat, self._picked)
        self._picked = ()
        return True

    def choose(self, view: View, clock: Clock) -> game.SeatAction:
        action = chosen_moon(view) or self._action
        assert action is not None
        return action


class Episode:
    """A match among learners and bots, which waits whenever a learner has to act.

    Args:
        bots: by seat; every other seat is a learner's.
    """

    def __init__(self, rules: Ruleset, chance: game.Chance, bots: Mapping[int, Bot]) -> None:
        seats = range(rules.players)
        self._learners = {seat: Learner() for seat in seats if seat not in bots}
        self._owners = [BotOwner({**bots, **self._learners}[seat], seat) for seat in seats]
        players = tuple(game.Player(f"seat {seat}") for seat in seats)
        self._driver = game.Driver([game.MatchStarted(rules, players)], self._owners, chance)
        self._go_on()

    @property
    def state(self) -> game.MatchState:
        """The match with nothing hidden: for scores and onlookers, never for a learner."""
        return self._driver.state

    @property
    def turn(self) -> int:
        """The seat that has to put down a card; -1 once the match is over."""
        seats = to_act(self.state) if self.state.phase is not game.Phase.CHOOSING else ()
        return seats[0] if seats else -1

    @property
    def picked(self) -> int:
        """Mask of the cards that the seat on turn has picked so far for a pass."""
        return self._learners[self.turn].picked if self.turn >= 0 else 0

    def view(self, seat: int) -> View:
        view = self._owners[seat].view
        assert view is not None
        return view

    def observe(self, seat: int) -> Seen:
        """An observation as one row: its cards, plane after plane, and then its situation."""
        cards, situation, mask = observe(self.view(seat), self._learners[seat].picked)
        row = np.concatenate([cards.ravel(), situation], dtype=np.int16)
        return {"observation": row, "action_mask": mask}

    def allows(self, action: object) -> bool:
        """Whether the seat on turn may put down the card of that index."""
        return self._choice(action) is not None

    def put(self, action: object) -> tuple[Score, ...]:
        """Put down that card for the seat on turn; then bots and house go on.

        Returns the scores of the deals that this has ended: one, or none. Raises `EnvFault`
        `env_reset_first` once the match is over, and `env_not_legal`.
        """
        card = self._choice(action)
        learner, view = self._learners[self.turn], self.view(self.turn)
        if card is None:
            raise EnvFault("env_not_legal", action=str(action), legal=str(learner.choices(view)))
        before = len(self.state.deals)
        if learner.put(view, card):
            self._driver.step()
            self._go_on()
        return self.state.deals[before:]

    def _choice(self, action: object) -> Card | None:
        if self.turn < 0:
            raise EnvFault("env_reset_first")
        choices = self._learners[self.turn].choices(self.view(self.turn))
        number = whole(action)
        if number is None:
            raise EnvFault("env_action", text=shown(action))
        return {card.index: card for card in choices}.get(number)

    def _go_on(self) -> None:
        while self.turn not in self._learners and self._driver.step():
            pass


class EnvFault(VolteError):
    """An impossible request of a learner's program; nothing has changed."""


Reward = Callable[[NDArray[Any]], NDArray[Any]]
"""Function from the points of deals, `[n, players]`, to the rewards of the seats."""


def points(deals: NDArray[Any]) -> NDArray[Any]:
    """Minus the points of each seat, as its reward."""
    rewards: NDArray[Any] = -deals
    return rewards


def difference(deals: NDArray[Any]) -> NDArray[Any]:
    """The mean of the others' points less a seat's own; the rewards of a deal add up to 0."""
    others = deals.sum(1, keepdims=True) - deals
    rewards: NDArray[Any] = others / (deals.shape[1] - 1) - deals
    return rewards


REWARDS: Final[Mapping[str, Reward]] = MappingProxyType(
    {"points": points, "difference": difference}
)


def reward_named(name: str) -> Reward:
    """The reward of that name. Raises `EnvFault` `env_reward`."""
    if not isinstance(name, str):
        raise WrongType.of("reward", str, name)
    if name not in REWARDS:
        raise EnvFault("env_reward", reward=name, rewards=tuple(REWARDS))
    return REWARDS[name]


Seated = TypeVar("Seated")


def opponents(
    bots: str | Seated | Sequence[str | Seated], seat: int, players: int
) -> dict[int, str | Seated]:
    """The opponents by seat, from the left on. Raises `EnvFault` `env_seat` and `env_bots`.

    Args:
        bots: one for all other seats, or one for each.
    """
    if whole(seat) not in range(players):
        raise EnvFault("env_seat", seat=shown(seat), most=players - 1)
    others = [(seat + place) % players for place in range(1, players)]
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        return dict.fromkeys(others, bots)
    if len(bots) != len(others):
        raise EnvFault("env_bots", given=len(bots), due=len(others))
    return dict(zip(others, bots, strict=True))


class Series:
    """The episodes of a table, one after the other.

    Deal number `i` of a seed, from 0, is that of `volte.kernel.play_deals`: dealt by seat
    `i % players`, and passed as deal `i + 1` of a match would be. Match number `m` is that of
    `play_matches`.

    Args:
        match: whether an episode is a whole match, rather than one deal.
        reward: a name of `REWARDS`. Raises `EnvFault` `env_reward`.
        bots: a level, or a bot, by seat. Raises `VolteError` `no_such_level`.
    """

    def __init__(
        self, rules: Ruleset, match: bool, reward: str, bots: Mapping[int, str | Bot]
    ) -> None:
        self._rules = rules
        self._match = match
        self._reward = reward_named(reward)
        self._bots = bots
        self._episode: Episode | None = None
        for bot in bots.values():
            made(bot, 0)
        self._seed = secrets.randbits(64)
        self._index = -1

    @property
    def episode(self) -> Episode:
        """The episode that has begun. Raises `EnvFault` `env_reset_first` without one."""
        if self._episode is None:
            raise EnvFault("env_reset_first")
        return self._episode

    def begin(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Begin the next episode; the first of the seed, if one is given.

        Args:
            seed: 0 to 2**64 - 1.
            options: `deck`, the indices of the cards of the first deal in the order in which they
                are dealt.

        Raises `EnvFault` `env_deck`, and `VolteError` `not_a_seed`.
        """
        cards = self._deck(option(options, "deck"))
        seed, number = (self._seed, self._index + 1) if seed is None else (read_seed(seed), 0)
        table = table_of(self._rules, seed, number, self._match, cards)
        bots = {seat: made(bot, table.seed_of(seat)) for seat, bot in self._bots.items()}
        self._seed, self._index = seed, number
        self._episode = Episode(table.rules, table.house, bots)

    def _deck(self, indices: Any) -> tuple[Card, ...]:
        """The cards of those indices; none if no deck is given."""
        if indices is None:
            return ()
        try:
            numbers = [*map(whole, indices)]
        except TypeError:  # such as an array without dimensions
            numbers = []
        known = {card.index: card for card in self._rules.cards}
        if len(numbers) != len(known) or {*numbers} != {*known}:
            raise EnvFault("env_deck", count=len(known))
        return tuple(CARDS[number] for number in numbers if number is not None)

    def rewards(self, score: Score) -> list[float]:
        """The reward of each seat for a deal that is over."""
        rewards: list[float] = self._reward(np.array([score.points], np.float64))[0].tolist()
        return rewards


def whole(number: object) -> int | None:
    """Any whole number as an `int`; None for other values."""
    try:
        return index(number)  # type: ignore[arg-type]
    except TypeError:
        return None


def option(options: Mapping[str, Any] | None, name: str) -> Any:
    """The option of that name of a `reset`; None if it is not given. Unknown ones are ignored.

    Raises `EnvFault` `env_options`.
    """
    if options is not None and not isinstance(options, Mapping):
        raise EnvFault("env_options", given=type(options).__name__)
    return None if options is None else options.get(name)


def made(bot: str | Bot, seed: int) -> Bot:
    """The bot itself, or one of that level. Raises `EnvFault` `env_bot`, and `no_such_level`."""
    if not isinstance(bot, str):
        if not callable(getattr(bot, "choose", None)):
            raise EnvFault("env_bot", text=shown(bot))
        return bot
    return make_bot(player_named(bot), seed)


# Tables in Gymnasium's terms

_RANGE: Final = np.iinfo(np.int16)


def rules_with_room(rules: Rules | None, settings: Mapping[str, Value] | None) -> Ruleset:
    """The ruleset as environments take it (`ruleset_named`).

    Raises `RulesetFault`, and `EnvFault` `env_option` for two packs: actions and observations have
    a place for each card of one pack (W11).
    """
    chosen = ruleset_named(rules, settings)
    if chosen.deck.packs > 1:
        raise EnvFault("env_option", option="packs", value=chosen.deck.packs)
    return chosen


def observation_space(players: int) -> spaces.Dict:
    """The space of a `Seen` at a table of that many seats."""
    return spaces.Dict(
        {
            "observation": _row(len(card_planes(players)), len(situation_fields(players))),
            "action_mask": spaces.Box(0, 1, (PACK_SIZE,), np.int8),
        }
    )


def state_space(players: int) -> spaces.Box:
    """The space of a whole position as one row, its cards plane after plane first."""
    return _row(len(state_planes(players)), len(state_fields(players)))


def _row(planes: int, fields: int) -> spaces.Box:
    low = np.array([0] * planes * PACK_SIZE + [_RANGE.min] * fields, np.int16)
    high = np.array([1] * planes * PACK_SIZE + [_RANGE.max] * fields, np.int16)
    return spaces.Box(low, high, dtype=np.int16)


MODES: Final = ("ansi", "human")
"""Ways to render: `ansi` returns the lines, `human` prints them at the start and each step."""


class Onlooker:
    """Shows a table in one of the modes, or not at all.

    Raises `EnvFault` `env_render_mode`.
    """

    def __init__(self, mode: str | None) -> None:
        if not isinstance(mode, str | None):
            raise WrongType.of("render_mode", str, mode)
        if mode is not None and mode not in MODES:
            raise EnvFault("env_render_mode", mode=mode, modes=MODES)
        self._mode = mode

    def look(self, state: game.MatchState) -> None:
        """Print the table, if the mode is "human"."""
        if self._mode == "human":
            print(table_text(state))

    def render(self, state: game.MatchState) -> str | None:
        """The table, if the mode is "ansi"."""
        if self._mode is None:
            logger.warn("Nothing is rendered: make the environment with a render_mode.")
        return table_text(state) if self._mode == "ansi" else None


def table_text(state: game.MatchState) -> str:
    """The table in plain lines: the whole deal, or the part that a view's state knows.

    One line for the deal, one for each seat, and one for the present moment.
    """
    deal = state.deal
    assert deal is not None
    seats = (_seat(deal, seat) for seat in range(deal.rules.players))
    gathered = f"{len(deal.tricks)} of {deal.rules.hand_size} tricks gathered"
    heading = f"deal {deal.number}: {gathered}{', hearts broken' if deal.broken else ''}"
    return "\n".join([heading, *seats, _moment(state, deal)])


def _seat(deal: game.DealState, seat: int) -> str:
    held = str(CardSet(deal.hands[seat])) or f"{deal.hand_sizes()[seat]} cards"
    points = deal.rules.points_in(deal.captured(seat))
    return f"seat_{seat}: {held}; points taken: {points}"


def _moment(state: game.MatchState, deal: game.DealState) -> str:
    if state.phase is game.Phase.PASSING:
        passing = f"passing {deal.pass_size} {deal.direction}"
        return f"{passing}: seat_{to_act(state)[0]} is to pick"
    if state.phase is game.Phase.PLAYING:
        trick = " ".join(card.text for card in deal.trick) or "nothing"
        return f"on the table, from seat_{deal.leader}: {trick}; seat_{deal.turn} is to play"
    return f"over; totals: {' '.join(map(str, state.totals))}"
