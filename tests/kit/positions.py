"""Positions with a right play, read from the texts in tests/positions, and proofs of the play."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final, NoReturn

import numpy as np
from kit.oracle import Ends, World, played, within, worlds, worth
from msgspec.structs import asdict
from numpy.typing import NDArray

from volte.bots import Clock
from volte.bots.odds import ABOVE, Weights
from volte.bots.search import CONFIRMING, EXPERT, Search
from volte.cards import Card, CardSet, VolteError, read_cards
from volte.engine import EngineSession, EngineSettings
from volte.game import Pass, Phase, Play, SeatAction
from volte.kernel import Policy, Records, play_on, position
from volte.kernel.deals import solve
from volte.rules import Ruleset, Score, Settlement, make_ruleset
from volte.view import KITTY, View

FOLDER: Final = Path(__file__).resolve().parent.parent / "positions"


class Theme(StrEnum):
    """The theme of a position."""

    START_MOON = "start a moon"
    STOP_MOON = "stop a moon"
    GIVE_UP_MOON = "give up a moon"
    DUCK_QUEEN = "duck the queen"
    FORCE_QUEEN = "force the queen out"
    HOLD_UP = "hold up"
    KEEP_EXIT = "keep an exit card"
    FORCED_QUEEN = "the forced queen"  # T5
    KITTY = "kitty risk"
    JACK = "jack hunt"
    LAST_DEAL = "last deal"
    GUARDED_QUEEN = "guarded queen"
    # Complaints of people about other programs
    LEAVE_QUEEN = "leave the queen"
    STOP_EARLY = "stop an early moon"
    KEEP_JACK = "keep the jack"
    LEADER = "points for the leader"
    QUEEN_OUT = "no high spade while she is out"
    KEEP_STOPPER = "keep the stopper"
    # Follies of `casual` that were read in its deals
    COUNT_SUIT = "count a suit"
    FINISH_MOON = "finish a moon or drop it"
    STOP_LATER = "stop a moon later"
    # Follies of `strong` that were read in its deals
    KEEP_HIGH_SPADE = "keep the high spade"
    LOWEST = "lead the lowest"
    KEEP_ACE = "keep the aces for the moon"


COMPLAINTS: Final = frozenset(
    {
        *(Theme.LEAVE_QUEEN, Theme.STOP_EARLY, Theme.KEEP_JACK),
        *(Theme.LEADER, Theme.QUEEN_OUT, Theme.KEEP_STOPPER),
    }
)
"""Themes that come from complaints about other programs; README.md gives the sources."""

FOLLIES: Final = frozenset({Theme.COUNT_SUIT, Theme.FINISH_MOON, Theme.STOP_LATER})
"""Themes that come from what `casual` did itself; neither it nor `strong` may do it again."""

FOLLIES_OF_STRONG: Final = frozenset({Theme.KEEP_HIGH_SPADE, Theme.LOWEST, Theme.KEEP_ACE})
"""Themes that come from what `strong` did itself; it may not do it again."""


class Proof(StrEnum):
    """The kind of proof of the right play; see `proof_of`."""

    EXACT = "exact"  # only one deal is left that fits
    DOMINANCE = "dominance"  # no other card is better in any deal that fits
    ENUMERATION = "enumeration"  # on the average of all deals that fit
    SEARCH = "search"  # on the average of many drawn deals, as they are too many to list
    PLAYS = "plays"  # the same, each deal weighed by how likely it makes the plays seen
    LOWEST = "lowest"  # a higher card of its suit is as good; any other costs more in drawn deals


class Judge(StrEnum):
    """The measure by which plays are compared."""

    POINTS = "points"  # points of the deal: the seat's own less the mean of the others
    MATCH = "match"  # part of the win, or stakes; the match ends with the deal, unless searched


class PositionFault(VolteError):
    """A text is no position."""


@dataclass(frozen=True)
class Position:
    """A position with its right plays and their proof."""

    name: str  # of its file
    title: str
    theme: Theme
    right: tuple[Card, ...]  # the right cards, any of which will do; of a pass, those to keep
    why: str
    judged_by: Judge
    proved_by: Proof
    deals: int  # number of deals that fit the view; beyond 2**53 to 14 digits
    text: str  # the lines of the position

    @property
    def view(self) -> View:
        """The view of the seat that has to play or to pass."""
        return _told(self.text)

    @property
    def is_pass(self) -> bool:
        """Whether the seat has to pass."""
        return self.view.state.phase is Phase.PASSING

    def solved_by(self, action: SeatAction) -> bool:
        """Whether the action is right: a right card, or a pass that keeps all cards to keep."""
        if isinstance(action, Pass):
            return not set(self.right) & set(action.cards)
        return isinstance(action, Play) and action.card in self.right


_HEAD: Final = ("title", "theme", "hand", "right", "why", "judged by", "proved by", "deals")


def positions(folder: Path = FOLDER) -> tuple[Position, ...]:
    """All positions of a folder, by name."""
    return tuple(
        read_position(file.stem, file.read_text(encoding="utf-8"))
        for file in sorted(folder.glob("*.txt"))
    )


def read_position(name: str, text: str) -> Position:
    """Read a position from text. Raises `PositionFault`."""
    head, _, body = text.partition("\n\n")
    told: dict[str, str] = {}
    for line in head.splitlines():
        key, colon, value = line.partition(":")
        if not colon or key not in (*_HEAD, "deck") or key in told or not value.strip():
            raise PositionFault("head_unreadable", name=name, line=line)
        told[key] = value.strip()
    for key in _HEAD:
        if key not in told:
            raise PositionFault("head_lacks", name=name, key=key)
    try:
        position = Position(
            name,
            told["title"],
            Theme(told["theme"]),
            read_cards(told["right"]),
            told["why"],
            Judge(told["judged by"]),
            Proof(told["proved by"]),
            int(told["deals"]),
            body,
        )
        view = position.view
    except PositionFault as fault:
        raise PositionFault(fault.reason, name=name, **fault.params) from None
    except ValueError as fault:
        raise PositionFault("head_wrong", name=name, why=str(fault)) from None
    seen = {"hand": str(view.hand), "deck": str(CardSet(view.deal.rules.deck_mask))}
    for key, expected in seen.items():
        if told.get(key, expected) != expected:
            raise PositionFault("told_wrong", name=name, key=key, expected=expected)
    choice = view.hand if position.is_pass else view.legal
    wrong = [card for card in position.right if card not in choice]
    if wrong or len(position.right) in (0, len(choice)):
        raise PositionFault("no_choice", name=name, right=told["right"], legal=str(choice))
    return position


@lru_cache(maxsize=256)
def _told(text: str) -> View:
    line = ""

    def stop(fault: VolteError) -> NoReturn:
        raise PositionFault("line_refused", line=line, why=str(fault))

    session = EngineSession(make_ruleset(), EngineSettings(), stop)
    for line in text.splitlines():
        session.hear(line)
    view = session.view
    phases = (Phase.PASSING, Phase.PLAYING)
    if view is None or view.state.phase not in phases or not view.my_turn:
        raise PositionFault("nothing_to_play", line=line)
    return view


def written(position: Position) -> str:
    """The text of a position; `read_position` reads it."""
    view = position.view
    head = {
        "title": position.title,
        "theme": position.theme,
        **(
            {"deck": str(CardSet(view.deal.rules.deck_mask))} if "removed=" in position.text else {}
        ),
        "hand": str(view.hand),
        "right": " ".join(map(str, position.right)),
        "why": position.why,
        "judged by": position.judged_by,
        "proved by": position.proved_by,
        "deals": position.deals,
    }
    lines = (f"{key}: {value}" for key, value in head.items())
    return "\n".join([*lines, "", position.text.rstrip("\n"), ""])


CLEAR: Final = 1.0
"""Least advantage of a right card over any other, in points or stakes."""

CLEAR_WIN: Final = 0.1
"""Least advantage of a right card over any other, as a part of the win."""

SOMETIMES: Final = 0.25
"""Largest share of the deals in which another card may be better."""

Costs = NDArray[np.float64]
"""Cost of each card for its seat in each deal, `float64[deals, cards]`."""


@dataclass(frozen=True)
class Weighed:
    """The costs of the legal cards."""

    cards: tuple[Card, ...]  # in the order of the columns
    # Costs if perfect players play the rest, and if `casual` does.
    perfect: Costs
    casual: Costs

    def behind(self, right: tuple[Card, ...]) -> float:
        """Least amount by which other cards are worse on average, whoever plays the rest."""
        named, others = self._columns(right)
        return min(
            float(costs.mean(axis=0)[others].min() - costs.mean(axis=0)[named].max())
            for costs in (self.perfect, self.casual)
        )

    def sometimes(self, right: tuple[Card, ...]) -> float:
        """Largest share of the deals in which another card is better, if all play perfectly."""
        named, others = self._columns(right)
        worst = self.perfect[:, named].max(axis=1, keepdims=True)
        return float((self.perfect[:, others] < worst - 1e-9).mean(axis=0).max())

    def _columns(self, right: tuple[Card, ...]) -> tuple[list[int], list[int]]:
        named = [place for place, card in enumerate(self.cards) if card in right]
        return named, [place for place in range(len(self.cards)) if place not in named]


def proof_of(weighed: Weighed, right: tuple[Card, ...], clear: float) -> Proof | None:
    """The strongest proof that the cards are right; None if they are not clearly right."""
    if weighed.behind(right) < clear - 1e-9 or weighed.sometimes(right) > SOMETIMES:
        return None
    if len(weighed.perfect) == 1:
        return Proof.EXACT
    return Proof.ENUMERATION if weighed.sometimes(right) else Proof.DOMINANCE


AT_LENGTH: Final = Clock(simulations=20_000)


AS_GOOD: Final = 0.25
"""Most points by which a card that is as good may be better in a long search."""

Found = list[tuple[SeatAction, float]]
"""Actions with their costs."""


def behind_by_search(position: Position) -> float:
    """Least amount by which wrong actions are worse in the mean of two long searches.

    In one the others play as `expert` assumes, in the other as `casual` does. Every right card is
    better by as much, but of right passes the best one only. Where it is right to lead the lowest,
    the higher cards of its suit are left out.
    """
    behind = []
    for costs in _long_searches(position):
        right = [cost for action, cost in costs if position.solved_by(action)]
        wrong = [cost for action, cost in costs if not _is_named(position, action)]
        behind.append(min(wrong) - (min(right) if position.is_pass else max(right)))
    return min(behind)


def better_by_search(position: Position) -> float:
    """Most by which the best action is better than a right card in the same long searches."""
    return max(
        max(cost for action, cost in costs if position.solved_by(action))
        - min(cost for _, cost in costs)
        for costs in _long_searches(position)
    )


def _is_named(position: Position, action: SeatAction) -> bool:
    """Whether an action is right, or the lead of a higher card where the lowest is right."""
    if position.solved_by(action) or position.proved_by is not Proof.LOWEST:
        return position.solved_by(action)
    assert isinstance(action, Play)
    return any(action.card.bit & ABOVE[low.bit] for low in position.right)


@lru_cache(maxsize=256)
def _long_searches(position: Position) -> tuple[Found, Found]:
    """Costs of all actions by two long searches: the others play as `expert`, or as `casual`."""
    view, match = position.view, position.judged_by is Judge.MATCH
    guesses = position.proved_by is Proof.PLAYS
    found: list[Found] = []
    for style in (EXPERT, CONFIRMING):
        style = dataclasses.replace(style, guesses=guesses, matches=match)
        estimates = Search.judge(seed=1, style=style).think(view, AT_LENGTH).estimates
        costs = (each.margin if each.worth is None else -each.worth for each in estimates)
        found.append([(each.action, cost) for each, cost in zip(estimates, costs, strict=True)])
    instinct, casual = found
    return instinct, casual


def clear(rules: Ruleset, judge: Judge) -> float:
    """Least advantage that a right card must have."""
    win = judge is Judge.MATCH and rules.stakes.settlement is Settlement.NONE
    return CLEAR_WIN if win else CLEAR


def weighed(view: View, judge: Judge, deals: list[World] | None = None) -> Weighed:
    """The cost of each legal card in each deal that fits."""
    deals = deals or list(worlds(view))
    cards = tuple(view.legal)
    shape = (len(deals), len(cards), view.deal.rules.players)
    ends, casual = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for place, card in enumerate(cards):
        rows = rows_behind(view, deals, card)
        casual[:, place] = play_on(view.deal.rules, rows, policies(view.deal.rules))["points"][
            :, : shape[2]
        ]
        if judge is Judge.POINTS:
            ends[:, place] = solve(view.deal.rules, rows)
    if judge is Judge.MATCH:
        ends = perfect_for_match(view, deals)
    perfect, usual = (costs_of(each, view, judge) for each in (ends, casual))
    return Weighed(cards, perfect, usual)


def rows_behind(view: View, deals: list[World], card: Card) -> Records:
    """A row of the kernel for each deal, after the card has been played."""
    rows: Records = np.repeat(position(played(within(view.deal, deals[0]), card)), len(deals))
    for place in deals[0]:
        masks = np.array([world[place] for world in deals], np.uint64)
        if place == KITTY:
            rows["kitty"] = masks
        else:
            rows["hands"][:, place] = masks
    return rows


def perfect_for_match(view: View, deals: list[World]) -> NDArray[np.int64]:
    """Points, `int64[deals, cards, seats]`, if seats that know all cards play for the match."""
    found = []
    for world in deals:
        behind = Ends(view.state).behind(within(view.deal, world))
        found.append([behind[card].points for card in view.legal])
    return np.array(found, np.int64)


def costs_of(ends: NDArray[np.int64], view: View, judge: Judge) -> Costs:
    """The cost of ends for the seat: its margin, or its loss of the match or of stakes."""
    seat, rules = view.seat, view.deal.rules
    assert seat is not None
    if judge is Judge.POINTS:
        others: Costs = (ends.sum(axis=2) - ends[:, :, seat]) / (rules.players - 1)
        return ends[:, :, seat] - others
    kinds, places = np.unique(ends.reshape(-1, rules.players), axis=0, return_inverse=True)
    lost = [-worth(view.state, as_scored(rules, tuple(kind.tolist())))[seat] for kind in kinds]
    return np.array(lost)[places].reshape(ends.shape[:2])


@lru_cache(maxsize=100_000)
def as_scored(rules: Ruleset, points: tuple[int, ...]) -> Score:
    """The score of a deal with those points; a moon is seen by all others having the total."""
    full = [seat for seat, each in enumerate(points) if each >= rules.penalty_total]
    alone = [seat for seat in range(rules.players) if seat not in full]
    moon = alone[0] if len(alone) == 1 and rules.players > 2 else None
    return Score(points, moon)


def policies(rules: Ruleset) -> list[Policy]:
    """The policy `casual` for every seat."""
    return [Policy.casual(asdict(Weights()))] * rules.players
