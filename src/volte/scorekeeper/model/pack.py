"""What a sheet has to know of the cards: which count, who can have them, and how many there are.

A count of hearts becomes a set of cards: any hearts of the deck that count as much.
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
    Play,
    Ruleset,
    RulesetFault,
    SlamRule,
    described,
    make_ruleset,
)
from volte.scorekeeper.model.entries import SheetFault


class NeededCard(msgspec.Struct, frozen=True):
    """A card besides the hearts whose taker must be told."""

    card: Card  # of the first pack
    copies: int  # 2 where both packs have it (W11)
    points: int  # what each counts


class DealNeeds(msgspec.Struct, frozen=True):
    """What must be told of a deal."""

    hearts: int  # what they count together: how many there are, where each counts one
    queen: bool  # whether there is just one that counts
    jack: bool  # likewise
    all_tricks: bool  # whether taking every trick counts (S4)
    total: int  # what the penalty cards add up to (S6)
    ranked: bool = False  # whether hearts count more than one each, so that points are told (W5)
    # Every card besides the hearts that count above zero: the queen first, then the jack.
    cards: tuple[NeededCard, ...] = ()
    trickless: bool = False  # whether taking no trick counts (W6)
    way: bool = False  # whether the shooter of a moon says how it counts (W7)
    sides: tuple[tuple[int, ...], ...] = ()  # the seats that play together (W10), or each alone

    @property
    def others(self) -> tuple[NeededCard, ...]:
        """The cards for which `Taken` has no field of their own."""
        return tuple(due for due in self.cards if not self.has_field(due.card))

    def has_field(self, card: Card) -> bool:
        """Whether that is the one queen or the one jack."""
        return (card is QUEEN and self.queen) or (card is JACK and self.jack)

    @property
    def partners(self) -> bool:
        """Whether anybody plays together."""
        return any(len(side) > 1 for side in self.sides)


def needs_of(rules: Ruleset, missing: Sequence[Card] = ()) -> DealNeeds:
    """What must be told of a deal by those rules. Raises `SheetFault` for a wrong card missing."""
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
    """The hearts that count above zero, and how much."""
    return {card: worth for card, worth in rules.values.items() if HEARTS & card.bit and worth > 0}


def countable(rules: Ruleset) -> bool:
    """Whether a sheet can be kept by those rules: those that a preset and options describe."""
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
        copies = copies_of(rules, in_first_pack(named))  # nobody tells the two apart
        if not copies:
            raise SheetFault("missing_counts_nothing", card=named)
        left = [card for card in copies if card not in gone]
        if not left:
            raise SheetFault("missing_twice", card=named)
        gone.append(left[0])
    return tuple(sorted(gone))


def without(rules: Ruleset, missing: Sequence[Card]) -> Ruleset:
    """What counts in a pack in which those cards are missing (I8). Raises `SheetFault`.

    How it is dealt, passed and played is not told: only the count is the same.
    """
    gone = missing_of(rules, missing)
    if not gone:
        return rules
    removed = tuple(sorted((*rules.deck.removed, *gone)))
    deck = replace(rules.deck, removed=removed, kitty=Kitty.FIRST_TRICK)
    try:
        return replace(rules, deck=deck, passing=Passing(0), play=Play())
    except RulesetFault:
        raise SheetFault("missing_too_many") from None


# Cards that count as much as was told

_MOST_STEPS: Final = 50_000
"""After so many there is no hope; people's counts take a few dozen."""


def shared(cards: dict[Card, int], sums: Sequence[int]) -> tuple[int, ...] | None:
    """The cards dealt out into sets that count those sums; None where they cannot be.

    Returns masks. All cards count above zero.

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
"""How many cards there are of each worth."""


class _Shares:
    """The search behind `shared`: the smallest sum first, whose cards are the hardest to find."""

    def __init__(self, worths: Sequence[int], sums: Sequence[int]) -> None:
        self.worths = worths
        self.sums = sums
        self.hopeless: set[tuple[int, Counts]] = set()
        self.steps = 0

    def from_place(self, place: int, left: Counts) -> list[Counts] | None:
        """What those from that place on get of the cards that are left; None where it fails."""
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

    def _parts(self, due: int, left: Counts, at: int) -> Iterator[Counts]:
        """Every choice of cards that adds up to `due`, those that count most first."""
        self.steps += 1
        if at == len(left):
            if not due:
                yield ()
            return
        if self.steps > _MOST_STEPS:
            return
        most = min(left[at], due // self.worths[at])
        for count in range(most, -1, -1):
            for parts in self._parts(due - count * self.worths[at], left, at + 1):
                yield count, *parts


def copies_of(rules: Ruleset, card: Card) -> tuple[Card, ...]:
    """The card and its twin, as far as they are in the deck and count."""
    return tuple(each for each in (card, twin(card)) if each in rules.values)
