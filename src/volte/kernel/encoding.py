"""Rulesets, positions and policies as rows of the kernel, or the reason why it cannot play them.

All arguments are checked here, since compiled code trusts them. Anything that could make it loop,
read or write outside of its rows, or give points that do not add up (S6) is refused, and so is a
position that contradicts itself. The merely unlikely may pass: whether play could have led to a
position is not checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from operator import index
from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.cards import CLUBS, HEARTS, PACK_SIZE, SUIT_MASKS, Suit, mask_of
from volte.game import DealState
from volte.kernel import layout
from volte.kernel.startup import code
from volte.rules import Direction, Duty, Kitty, MoonBy, MoonRule, Opening, Ruleset, SlamRule

_PACK: Final = (1 << PACK_SIZE) - 1
"""Mask of one pack: a 64-bit word has no room for two."""


def check_range(name: str, value: int, least: int, most: int) -> int:
    """Any whole number as an `int`. Raises `KernelFault` for other types, or out of range."""
    try:
        number = index(value)
    except TypeError:
        raise layout.KernelFault(
            "wrong_type", name=name, wanted="int", type=type(value).__name__
        ) from None
    if not least <= number <= most:
        raise layout.KernelFault("kernel_range", name=name, value=number, least=least, most=most)
    return number


@lru_cache(maxsize=256)
def encode(rules: Ruleset) -> layout.Records:
    """The ruleset as one read-only row of `RULES`. Raises `KernelFault` where it does not fit.

    The readable engine plays the refused ones.
    """
    _check_size(rules)
    table = np.zeros(1, layout.RULES)
    row = table[0]
    row["players"] = rules.players
    row["cards"] = len(rules.cards)
    row["hand_size"] = rules.hand_size
    row["kitty_size"] = rules.kitty_size
    row["pass_count"] = rules.passing.count
    row["opens_low"] = rules.play.opening is not Opening.ELDEST
    row["openers"] = CLUBS & _PACK if rules.play.opening is Opening.ANY_CLUB else 0
    row["kitty_for"] = _KITTY_FOR[rules.deck.kitty]
    row["sides"] = len(rules.all_sides)
    row["no_tricks"] = rules.points.no_tricks
    row["adds_up"] = rules.sides.partners == 1 and not rules.points.no_tricks
    row["total"] = rules.penalty_total
    row["deck"] = rules.deck_mask
    row["penalties"] = rules.penalty_mask
    row["breaking"] = rules.breaking_mask & _PACK
    row["order"][: len(rules.cards)] = [card.bit for card in rules.cards]
    for card, points in rules.values.items():
        row["values"][card.index] = points
    row["suits"][:52] = np.repeat([mask & _PACK for mask in SUIT_MASKS], 13)
    _put_moon(row, rules)
    _put_cycle(row, rules)
    _put_kinds(row, rules)
    _put_dear(row, rules)
    _put_duties(row, rules)
    table.flags.writeable = False
    return table


def step(direction: Direction, players: int) -> int:
    """Seats to the left that a pass goes; 0 where nothing is passed, or `SCATTERED` (W1)."""
    return layout.SCATTERED if direction is Direction.SCATTER else direction.target(0, players)


def _check_size(rules: Ruleset) -> None:
    if rules.players > layout.MOST_SEATS:
        raise layout.KernelFault("kernel_seats", players=rules.players, most=layout.MOST_SEATS)
    if rules.deck_mask & ~_PACK:
        raise layout.KernelFault("kernel_packs")
    if rules.passing.count and len(rules.passing.cycle) > layout.MOST_STEPS:
        raise layout.KernelFault("kernel_cycle", most=layout.MOST_STEPS)


_KITTY_FOR: Final = {
    Kitty.NONE: _PACK,
    Kitty.FIRST_TRICK: _PACK,
    Kitty.FIRST_HEART: HEARTS & _PACK,
    Kitty.LAST_TRICK: 0,
}
"""Mask of the cards that bring the kitty; the last trick brings it anyhow."""


def _put_moon(row: np.void, rules: Ruleset) -> None:
    """Write the moon and the slam, put on the others where the rules leave it open (W7)."""
    moon, total = rules.moon, rules.penalty_total
    up = 0 if moon.moon is MoonRule.SHOOTER_MINUS else total
    row["moon"] = moon.moon is not MoonRule.OFF
    row["moon_up"] = up
    row["slam"] = moon.slam is not SlamRule.OFF
    row["slam_up"] = 2 * up if moon.slam is SlamRule.DOUBLE else total
    row["needed"] = rules.moon_mask
    row["by_side"] = moon.by is MoonBy.SIDE and rules.sides.partners > 1


def _put_cycle(row: np.void, rules: Ruleset) -> None:
    cycle = rules.passing.cycle if rules.passing.count else (Direction.HOLD,)
    row["cycle_length"] = len(cycle)
    row["steps"][: len(cycle)] = [step(direction, rules.players) for direction in cycle]


def _put_kinds(row: np.void, rules: Ruleset) -> None:
    """Group cards that count the same: points are then a few counts of bits."""
    kinds: dict[int, int] = {}
    for card, points in rules.values.items():
        kinds[points] = kinds.get(points, 0) | card.bit
    row["kinds"] = len(kinds)
    row["kind_values"][: len(kinds)] = list(kinds)
    row["kind_masks"][: len(kinds)] = list(kinds.values())


def _put_dear(row: np.void, rules: Ruleset) -> None:
    """Write the penalty cards by value and suit, in the order in which they are feared."""
    kinds: dict[tuple[int, int], int] = {}
    for card, points in rules.values.items():
        if points > 0:
            kind = -points, card.index // 13
            kinds[kind] = kinds.get(kind, 0) | card.bit
    row["dear"] = len(kinds)
    for place, (points, suit) in enumerate(sorted(kinds)):
        row["dear_masks"][place] = kinds[points, suit]
        row["dear_values"][place] = -points
        row["dear_suits"][place] = suit


def _put_duties(row: np.void, rules: Ruleset) -> None:
    row["leader"] = row["discard"] = _PACK
    row["plain"] = 1
    for gathered in range(rules.hand_size):
        for broken in (0, 1):
            _put(row["leader"][gathered, broken], _telling(rules.leader_duties[gathered][broken]))
        for led, broken, had_chance in product(Suit, (0, 1), (0, 1)):
            follow, *others = rules.follower_duties[gathered][led][broken][had_chance]
            if follow.prefer != SUIT_MASKS[led]:
                raise layout.KernelFault("kernel_duties", clause=follow.clause)
            duties = _telling(others, led)
            _put(row["discard"][gathered, led, broken, had_chance], duties)
            row["allowed"][gathered, led, broken, had_chance] = _allowed(others)
            if duties:
                row["plain"][gathered] = 0
    discard = row["discard"]
    if (discard[:, :, :, 0] != discard[:, :, :, 1]).any():
        row["plain"] = 0  # voids matter in later tricks, and so must be kept
    scatters = (row["steps"] == layout.SCATTERED).any()
    row["number_by_number"] = scatters or (discard[:, :, 0] != discard[:, :, 1]).any()


def _telling(duties: Sequence[Duty], led: Suit | None = None) -> list[Duty]:
    """The duties without those that never change anything.

    A duty leaves cards of one kind, the preferred ones or all others. A later duty that divides the
    cards in the same way, in a hand void in the suit led, has no effect.
    """
    cards = _PACK if led is None else _PACK & ~SUIT_MASKS[led]
    telling: list[Duty] = []
    parted = {cards, 0}
    for duty in duties:
        preferred = duty.prefer & cards
        if preferred not in parted:
            telling.append(duty)
            parted |= {preferred, cards & ~preferred}
    return telling


def _allowed(duties: Sequence[Duty]) -> int:
    """Mask of the cards that the bars among those duties leave; T5 bars nothing."""
    allowed = _PACK
    for clause, prefer in duties:
        if clause in ("T3", "W3", "T6", "T7"):
            allowed &= prefer
    return allowed


def _put(place: NDArray[np.uint64], duties: Sequence[Duty]) -> None:
    """Write the duties of one moment; unused places bind to nothing."""
    if len(duties) > len(place):
        raise layout.KernelFault("kernel_duties", clause=duties[-1].clause)
    place[: len(duties)] = [duty.prefer & _PACK for duty in duties]


Weight = int | tuple[int, ...]


@dataclass(frozen=True)
class Policy:
    """A compiled player of a seat."""

    code: int  # `RANDOM`, `CASUAL`, or `INSTINCT` for the bots that search
    weights: tuple[tuple[str, Weight], ...] = ()  # for `casual`, by name
    seed: int = 0  # for `casual`, 64 bits

    @classmethod
    def casual(cls, weights: Mapping[str, Weight], seed: int = 0) -> Policy:
        """The twin of `volte.bots.Casual` with those weights and that seed.

        Args:
            weights: by name, the fields of `volte.bots.Weights`: `msgspec.structs.asdict` of one.
        """
        return cls(layout.CASUAL, tuple(weights.items()), seed)


RANDOM_POLICY: Final = Policy(layout.RANDOM)
"""Policy by which every legal card, and every pass, is equally likely."""


def seated(policies: Sequence[Policy]) -> layout.Records:
    """One row of `SEAT` for each policy."""
    seats = np.zeros(len(policies), layout.SEAT)
    for row, policy in zip(seats, policies, strict=True):
        row["policy"] = policy.code
        row["seed"] = policy.seed
        for name, weight in policy.weights:
            row[name] = weight
    return seats


def position(deal: DealState, seed: int = 0, totals: tuple[int, ...] = ()) -> layout.Records:
    """One row of `DEAL`: the same cards in the same places, everything known.

    Args:
        deal: from the deal to the last card; the whole state, not a view.
        seed: of the generator that random policies draw from.
        totals: of the match before the deal, by seat; none where it stands alone.

    Raises `KernelFault` where the kernel cannot play the ruleset.
    """
    encode(deal.rules)
    rows = np.zeros(1, layout.DEAL)
    row = rows[0]
    players = deal.rules.players
    row["chance"] = check_range("seed", seed, 0, 2**64 - 1)
    row["number"] = deal.number
    row["dealer"] = deal.dealer
    row["step"] = step(deal.direction, players)
    row["kitty"] = deal.kitty
    row["kitty_taker"] = -1 if deal.kitty_taker is None else deal.kitty_taker
    if totals and len(totals) != players:
        raise layout.KernelFault("kernel_totals_given", given=len(totals), players=players)
    row["totals"][: len(totals)] = totals
    row["ending_total"] = deal.rules.ending_total if totals else 0
    row["hands"][:players] = deal.hands
    row["given"][:players] = [mask_of(cards or ()) for cards in deal.passes]
    if deal.direction is Direction.SCATTER:
        for seat, cards in enumerate(deal.passes):
            for place, card in enumerate(cards or (), start=1):
                row["coming"][(seat + place) % players] |= card.bit
    row["excluded"][:players] = deal.excluded
    if deal.turn < 0:
        row["phase"] = layout.PASSING
        row["turn"] = deal.passes.index(None)
    else:
        _put_play(row, deal)
    return rows


def _put_play(row: np.void, deal: DealState) -> None:
    """Write the fields of a deal in which the first leader is known."""
    players = deal.rules.players
    over = len(deal.tricks) == deal.rules.hand_size
    row["phase"] = layout.OVER if over else layout.PLAYING
    row["turn"] = deal.turn
    row["leader"] = row["winner"] = deal.leader
    row["count"] = len(deal.trick)
    row["gathered"] = len(deal.tricks)
    row["broken"] = deal.broken
    row["voided"] = deal.voided
    row["opening"] = deal.opening.bit if deal.opening else 0
    row["taken"][:players] = deal.taken
    row["won"][:players] = deal.won
    row["trick"][: len(deal.trick)] = [card.bit for card in deal.trick]
    if deal.led is None:
        return
    row["led"] = SUIT_MASKS[deal.led] & _PACK
    for place, card in enumerate(deal.trick):
        if card.suit is deal.led and card.bit > row["best"]:
            row["best"] = card.bit
            row["winner"] = (deal.leader + place) % players


WEIGHTS: Final = frozenset(layout.SEAT.names or ()) - {"policy", "seed"}


MOST_WEIGHT: Final = 2**13
"""Largest weight of `casual`: its sums stay far from the limits of a word."""


def check_rules(rules: Ruleset) -> layout.Records:
    """The encoded ruleset. Raises `KernelFault` for any other object."""
    if not isinstance(rules, Ruleset):
        raise layout.KernelFault(
            "wrong_type", name="rules", wanted="Ruleset", type=type(rules).__name__
        )
    return encode(rules)


def check_policies(rules: Ruleset, policies: Sequence[Policy]) -> None:
    """Raise `KernelFault` unless there is a known policy for each seat, or none at all."""
    check_rules(rules)
    if not isinstance(policies, list | tuple):
        raise layout.KernelFault(
            "wrong_type", name="policies", wanted="Sequence of Policy", type=type(policies).__name__
        )
    if policies and len(policies) != rules.players:
        raise layout.KernelFault("kernel_policies", given=len(policies), players=rules.players)
    for seat, policy in enumerate(policies, start=1):
        if not _is_known(policy):
            raise layout.KernelFault("kernel_policy", seat=seat)


def _is_known(policy: Policy) -> bool:
    if not isinstance(policy, Policy) or policy.code not in (layout.RANDOM, layout.CASUAL):
        return False
    if type(policy.seed) is not int or not 0 <= policy.seed < 2**64:
        return False
    return all(_is_weight(name, weight) for name, weight in policy.weights)


def _is_weight(name: str, weight: Weight) -> bool:
    if name not in WEIGHTS:
        return False
    several = layout.SEAT[name].shape
    numbers = weight if several and isinstance(weight, tuple) else (weight,)
    if len(numbers) != (several[0] if several else 1):
        return False
    return all(type(number) is int and abs(number) <= MOST_WEIGHT for number in numbers)


def check_deals(rules: Ruleset, deals: layout.Records) -> layout.Records:
    """A copy of the rows, after each has been checked as a position of this ruleset.

    The cards of the deck lie in hands of the right size, the trick, the tricks taken and the kitty;
    derived fields agree with them; `excluded` has no card that the seat holds; and the cards of
    `given` are where they should be. Raises `KernelFault` for the first row that is no position.
    """
    table = check_rules(rules)
    if not isinstance(deals, np.ndarray) or deals.dtype != layout.DEAL or deals.ndim != 1:
        raise layout.KernelFault("kernel_deals", type=_kind_of(deals))
    rows = np.array(deals, layout.DEAL, order="C", subok=False)
    verdict = np.zeros(1, np.int64)
    row = code("judging.first_unlawful")(table, rows, verdict)
    if row >= 0:
        raise layout.KernelFault(FAULTS[int(verdict[0])].reason, row=int(row))
    return rows


def _kind_of(value: object) -> str:
    """Element type and dimensions of an array, or the type of anything else."""
    if not isinstance(value, np.ndarray):
        return type(value).__name__
    kind = "records" if value.dtype.names else str(value.dtype)
    return f"ndarray[{kind}, {value.ndim}d]"


# Faults of a row of `DEAL`, in the order in which `judging` looks for them
LAWFUL, PHASE, DEALER, NUMBER, STEP, PLAYED, TURN, HANDS, TRICK = range(9)
TAKEN, KITTY, CARDS, OPENING, LEADER, BROKEN, VOIDED, EXCLUDED, GIVEN, TOTALS = range(9, 19)

MOST_TOTAL: Final = 10**9 - 1
"""Largest total of a match, above or below zero."""

FAULTS: Final = {
    PHASE: layout.KernelFault("kernel_phase", row=0),
    DEALER: layout.KernelFault("kernel_dealer", row=0),
    NUMBER: layout.KernelFault("kernel_number", row=0),
    STEP: layout.KernelFault("kernel_step", row=0),
    PLAYED: layout.KernelFault("kernel_played", row=0),
    TURN: layout.KernelFault("kernel_turn", row=0),
    HANDS: layout.KernelFault("kernel_hands", row=0),
    TRICK: layout.KernelFault("kernel_trick", row=0),
    TAKEN: layout.KernelFault("kernel_taken", row=0),
    KITTY: layout.KernelFault("kernel_kitty", row=0),
    CARDS: layout.KernelFault("kernel_cards", row=0),
    OPENING: layout.KernelFault("kernel_opening", row=0),
    LEADER: layout.KernelFault("kernel_leader", row=0),
    BROKEN: layout.KernelFault("kernel_broken", row=0),
    VOIDED: layout.KernelFault("kernel_voided", row=0),
    EXCLUDED: layout.KernelFault("kernel_excluded", row=0),
    GIVEN: layout.KernelFault("kernel_given", row=0),
    TOTALS: layout.KernelFault("kernel_totals", row=0),
}
"""Error for each fault; the number of the row is put in when it is raised."""
