"""The cards of a pack as a sheet needs them: which ones count, how many there are, what is missing.

Also turns a count of hearts into a set of cards: any hearts of the deck that count as much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from volte.cards import HEARTS, JACK, QUEEN, Card, in_first_pack, mask_of, twin
from volte.rules import (
    Kitty,
    MoonRule,
    Passing,
    PlayRules,
    Ruleset,
    RulesetFault,
    SlamRule,
    described,
    make_ruleset,
)
from volte.scorekeeper.model.entries import SheetFault


class NeededCard(msgspec.Struct, frozen=True):
    """A card, not a heart above zero, whose taker must be reported."""

    card: Card  # of the first pack
    copies: int  # 2 where both packs have it (W11)
    points: int  # of each copy


class DealNeeds(msgspec.Struct, frozen=True):
    """The parts that a report of a deal must have."""

    hearts: int  # points of all hearts: their number, where each counts one
    queen: bool  # whether exactly one queen of spades counts
    jack: bool  # likewise for the jack of diamonds
    all_tricks: bool  # whether taking every trick counts (S4)
    total: int  # sum of the penalty cards (S6)
    ranked: bool = False  # whether a heart counts more than one, so points are reported (W5)
    # Cards that count, without the hearts above zero: the queen first, then the jack.
    cards: tuple[NeededCard, ...] = ()
    trickless: bool = False  # whether taking no trick counts (W6)
    way: bool = False  # whether the shooter of a moon chooses how it counts (W7)
    sides: tuple[tuple[int, ...], ...] = ()  # seats of each side (W10), or each seat alone

    @property
    def others(self) -> tuple[NeededCard, ...]:
        """The cards for which `Taken` has no field of their own."""
        return tuple(each for each in self.cards if not self.has_field(each.card))

    def has_field(self, card: Card) -> bool:
        """Whether the card is the only queen or the only jack, with a field of its own."""
        return (card is QUEEN and self.queen) or (card is JACK and self.jack)

    @property
    def partners(self) -> bool:
        """Whether the players form sides with partners (W10)."""
        return any(len(side) > 1 for side in self.sides)


def needs_of(rules: Ruleset, missing: Sequence[Card] = ()) -> DealNeeds:
    """The parts that a report needs by those rules, with cards missing (I8).

    Raises `SheetFault` for a missing card that is not in the pack or counts nothing.
    """
    pack = without(rules, missing)
    hearts = hearts_of(pack)
    copies = Counter(in_first_pack(card) for card in pack.values if card not in hearts)
    order = sorted(copies, key=lambda card: (card is not QUEEN, card is not JACK, card))
    return DealNeeds(
        hearts=sum(hearts.values()),
        queen=copies[QUEEN] == 1,
        jack=copies[JACK] == 1,
        all_tricks=pack.moon.slam is not SlamRule.OFF,
        total=pack.penalty_total,
        ranked=any(points > 1 for points in hearts.values()),
        cards=tuple(NeededCard(card, copies[card], pack.points.of(card)) for card in order),
        trickless=bool(pack.points.no_tricks),
        way=pack.moon.moon is MoonRule.SHOOTER_CHOOSES,
        sides=pack.all_sides,
    )


def hearts_of(rules: Ruleset) -> dict[Card, int]:
    """The hearts that count above zero, with their points."""
    return {card: worth for card, worth in rules.values.items() if HEARTS & card.bit and worth > 0}


def countable(rules: Ruleset) -> bool:
    """Whether a sheet can be kept by those rules: whether a preset and options describe them."""
    try:
        return make_ruleset(*described(rules)) == rules
    except RulesetFault:
        return False


def missing_of(rules: Ruleset, missing: Sequence[Card]) -> tuple[Card, ...]:
    """The missing cards in order; one that is named twice is in neither pack (W11).

    Raises `SheetFault`.
    """
    gone: list[Card] = []
    for named in missing:
        copies = copies_of(rules, in_first_pack(named))  # the two packs are not told apart
        if not copies:
            raise SheetFault("missing_counts_nothing", card=named)
        left = [card for card in copies if card not in gone]
        if not left:
            raise SheetFault("missing_twice", card=named)
        gone.append(left[0])
    return tuple(sorted(gone))


def without(rules: Ruleset, missing: Sequence[Card]) -> Ruleset:
    """Rules for counting a pack in which those cards are missing (I8). Raises `SheetFault`.

    They serve for counting only: the rules of dealing, passing and playing are reset.
    """
    gone = missing_of(rules, missing)
    if not gone:
        return rules
    removed = tuple(sorted((*rules.deck.removed, *gone)))
    deck = replace(rules.deck, removed=removed, kitty=Kitty.FIRST_TRICK)
    try:
        return replace(rules, deck=deck, passing=Passing(0), play=PlayRules())
    except RulesetFault:
        raise SheetFault("missing_too_many") from None


# Cards that add up to given points

_MOST_STEPS: Final = 50_000
"""Steps after which the search gives up; what people write down takes a few dozen."""


def shared(cards: dict[Card, int], sums: Sequence[int]) -> tuple[int, ...] | None:
    """Part the cards into sets with those sums of points; None where that is impossible.

    Returns a mask for each sum. All cards count above zero.

    >>> cards = {Card("2H"): 2, Card("3H"): 3, Card("QS"): 25}
    >>> shared(cards, (3, 0, 27)) == (Card("3H").bit, 0, Card("2H").bit | Card("QS").bit)
    True
    >>> shared(cards, (1, 0, 29)) is None
    True
    """
    if min(sums) < 0 or sum(sums) != sum(cards.values()):
        return None
    order = sorted(range(len(sums)), key=lambda place: sums[place])
    worths = sorted(set(cards.values()), reverse=True)
    counts = Counter(cards.values())
    start = tuple(counts[worth] for worth in worths)
    found = _Shares(worths, [sums[place] for place in order]).from_place(0, start)
    if found is None:
        return None
    left = {worth: [card for card in cards if cards[card] == worth] for worth in worths}
    masks = [0] * len(sums)
    for place, parts in zip(order, found, strict=True):
        for worth, count in zip(worths, parts, strict=True):
            masks[place] |= mask_of(left[worth][:count])
            del left[worth][:count]
    return tuple(masks)


Counts = tuple[int, ...]
"""Number of cards of each worth, the highest worth first."""


class _Shares:
    """The search behind `shared`: the smallest sum first, whose cards are the hardest to find."""

    def __init__(self, worths: Sequence[int], sums: Sequence[int]) -> None:
        self.worths = worths
        self.sums = sums
        self.hopeless: set[tuple[int, Counts]] = set()
        self.steps = 0

    def from_place(self, place: int, left: Counts) -> list[Counts] | None:
        """Part the cards left among the sums from `place` on; None where that is impossible."""
        if place == len(self.sums) - 1:
            return [left]  # all sums add up, so this is the rest
        if (place, left) in self.hopeless:
            return None
        for parts in self._parts(self.sums[place], left, 0):
            rest = tuple(have - part for have, part in zip(left, parts, strict=True))
            found = self.from_place(place + 1, rest)
            if found is not None:
                return [parts, *found]
            if self.steps > _MOST_STEPS:
                break
        self.hopeless.add((place, left))
        return None

    def _parts(self, total: int, left: Counts, at: int) -> Iterator[Counts]:
        """Every choice of cards that adds up to `total`, most cards of the highest worth first."""
        self.steps += 1
        if at == len(left):
            if not total:
                yield ()
            return
        if self.steps > _MOST_STEPS:
            return
        most = min(left[at], total // self.worths[at])
        for count in range(most, -1, -1):
            for parts in self._parts(total - count * self.worths[at], left, at + 1):
                yield count, *parts


def copies_of(rules: Ruleset, card: Card) -> tuple[Card, ...]:
    """The card and its twin in the other pack, as far as they are in the deck and count."""
    return tuple(each for each in (card, twin(card)) if each in rules.values)
