"""Candidates of a bot: cards that are not alike, and sets of cards to pass.

The likely cost of a hand after each pass is estimated at a glance, suit by suit: by the number of
cards kept, how low each stands among those that others hold, the guards of a dear card (one of a
quarter of all points), and the hearts given away. The numbers were fitted to deals played out by
instinct, at tables of three to six (`scripts/teach_passes.py`), and say only how sets of one hand
differ. They do not foresee hands kept for the moon. A partner who is passed a card bears its burden
(`volte.bots.odds.Burden`).

The compiled twin of `cards_to_pass` is `volte.kernel.casual_pass`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import comb, nan
from typing import Final, NamedTuple

from msgspec.structs import replace

from volte.bots.odds import (
    ABOVE,
    ABOVE_DEAR,
    BELOW,
    GUARDS,
    HELD_DEAR,
    LENGTHS,
    ONE,
    OTHERS,
    PER_KIND,
    RANKS,
    SUIT_OF,
    TWIN,
    USUAL,
    WITH_DEAR,
    Odds,
    Weights,
    ascending,
    burden_of,
    values_of,
)
from volte.cards import (
    BY_BIT,
    CARDS,
    HEARTS,
    QUEEN,
    QUEENS,
    SUIT_MASKS,
    Card,
    Suit,
    cards_in,
    mask_of,
)
from volte.fair import split
from volte.fair.chance import MASK
from volte.rules import Direction, MoonRule, Ruleset
from volte.view import View

# Cards


def unlike(view: View) -> dict[int, tuple[Card, ...]]:
    """Return the cards that may be played, grouped so that equivalent ones are together.

    Two cards of a suit are alike where every card between them is held or gone, and they count
    the same; the queen has duties of her own (T5, T6), and is like no other.

    Returns the cards by the bit of the lowest.
    """
    groups: list[list[Card]] = []
    # Suit by suit and rank by rank, whatever the pack; jokers last
    order = sorted(
        view.legal,
        key=lambda card: (4 if card.suit is None else card.suit, card.rank or 0, card.index),
    )
    for card in order:
        group = groups[-1] if groups else []
        if group and _alike(view, group[-1], card):
            group.append(card)
        else:
            groups.append([card])
    return {group[0].bit: tuple(group) for group in groups}


def _alike(view: View, low: Card, high: Card) -> bool:
    rules = view.deal.rules
    if low.suit is None or low.suit is not high.suit or QUEENS & (low.bit | high.bit):
        return False
    if rules.values.get(low, 0) != rules.values.get(high, 0):
        return False
    between = ABOVE[low.bit] & BELOW[high.bit] | TWIN[low.bit] | TWIN[high.bit]
    return not between & (view.unseen | mask_of(view.deal.trick))


def queen_eaters(view: View) -> int:
    """Return the mask of legal cards that take the queen of spades if she falls later in the trick.

    There are none unless spades were led, she is unseen and counts, and somebody plays after the
    seat.
    """
    deal = view.deal
    counts = QUEENS & deal.rules.penalty_mask & view.unseen
    if deal.led is not Suit.SPADES or not counts or len(deal.trick) == deal.rules.players - 1:
        return 0
    eaters = view.legal.mask & ABOVE[QUEEN.bit]
    for card in deal.trick:
        eaters &= ~BELOW[card.bit]
    return eaters


def preferred(view: View, bit: int) -> int:
    """Return the mask of legal cards that are preferred to a card if they do as well.

    To a lead these are the lower cards of its suit that count the same; to a card that may take the
    unseen queen, all that cannot. To any other card none is preferred.
    """
    legal = view.legal.mask
    if view.deal.trick:
        eaters = queen_eaters(view)
        return legal & ~eaters if bit & eaters else 0
    values = view.deal.rules.values
    worth = values.get(BY_BIT[bit], 0)
    lower = cards_in(legal & BELOW[bit])
    return mask_of(card for card in lower if values.get(card, 0) == worth)


# Passes

MOST_SETS: Final = 120
"""Most sets that are compared; for more, only cards that are best given away are considered."""

JOKERS: Final = mask_of(card for card in CARDS if card.suit is None)

SUITS: Final = (*SUIT_MASKS, JOKERS)

NO_LIKES: Final[Mapping[int, int]] = {}

_BARRED: Final = 1 << 40
"""Cost of a choice that is made only where there is no other."""


def cards_to_pass(
    view: View, weights: Weights, seed: int = 0, likes: Mapping[int, int] = NO_LIKES
) -> tuple[Card, ...]:
    """Return the pass of `casual` (P1): the set that costs least at a glance; see `cheapest_set`.

    A part of a point is chance, drawn from the seed and the hand, so that nobody can foretell
    which of two sets that cost nearly the same is passed.

    Args:
        seed: of the bot.
        likes: extra worth of keeping a card, by bit, in 1024ths of a point.
    """
    hand = view.hand.mask
    chance = split(seed, hand & MASK)
    prices = {card.bit: likes.get(card.bit, 0) for card in view.hand}
    if helps_partners(view):
        scales = Scales(view, weights)
        for bit in prices:
            prices[bit] += 2 * scales.on_partner(bit)  # counted once, the queen goes to partners
    if weights.whim > 0:
        for card in view.hand:
            prices[card.bit] -= split(chance, card.index) % weights.whim
    return handed_out(view, cheapest_set(view, weights, prices))


def cheapest_set(view: View, weights: Weights, prices: Mapping[int, int]) -> int:
    """Return the mask of the set that costs least to give away; of equals the lowest mask.

    A moon is won with the queen and high hearts together: she is not passed with one of the three
    highest. She stays too where enough lower spades guard her, and the last of the two highest
    hearts, to stop a moon, where the hand has enough hearts to hold it back until then.

    Args:
        prices: extra cost of giving a card away, by bit, in 1024ths of a point.
    """
    rules, hand, count = view.deal.rules, view.hand.mask, view.deal.pass_size
    glance = Glance(view, weights)
    queens = QUEENS & rules.penalty_mask
    stoppers = high = 0
    if rules.moon.moon is not MoonRule.OFF and HEARTS & rules.penalty_mask:
        hearts = ascending(rules.deck_mask & HEARTS)
        packs = rules.deck.packs
        stoppers, high = sum(hearts[-2 * packs :]), sum(hearts[-3 * packs :])

    def cost(suit: int, given: int, barred: int) -> int:
        kept = hand & suit & ~given
        cost = glance.of(suit, kept) + sum(prices[card.bit] for card in cards_in(given))
        if given & queens and (kept & BELOW[QUEEN.bit]).bit_count() >= weights.guards:
            cost += _BARRED
        held = hand & suit
        if held & stoppers and not kept & stoppers and held.bit_count() >= weights.cover:
            cost += _BARRED
        return cost + _BARRED * bool(given & barred)

    chosen = []
    for barred in (queens, high) if hand & queens and hand & high else (0,):
        best = {0: (0, 0)}  # by number of cards, the cheapest set: its cost and its mask
        for suit in SUITS:
            sums: dict[int, list[tuple[int, int]]] = {}
            for given in _subsets(hand & suit, count):
                more = cost(suit, given, barred)
                for number, (before, others) in best.items():
                    number += given.bit_count()
                    sums.setdefault(number, []).append((before + more, others | given))
            best = {number: min(some) for number, some in sums.items() if number <= count}
        chosen.append(best[count])
    return min(chosen)[1]


def _subsets(held: int, most: int) -> Iterator[int]:
    """Yield the sets of at most `most` of the cards, as masks."""
    for number in range(most + 1):
        yield from map(mask_of, combinations(cards_in(held), number))


def burdens(view: View) -> list[Card]:
    """Return the cards of a hand that has to pass, the heaviest first."""
    scales, hand = Scales(view, USUAL), view.hand.mask
    return sorted(view.hand, key=lambda card: (-scales.relief(hand, card.bit), card.index))


def handed_out(view: View, given: int) -> tuple[Card, ...]:
    """Return the cards of a mask in the order in which they are passed.

    The order matters in a scatter only (W1): partners get the lightest cards, and opponents the
    rest as it comes.
    """
    cards = list(cards_in(given))
    deal, seat = view.deal, view.seat
    mates = {(mate - seat) % deal.rules.players - 1 for mate in deal.rules.side(seat)} - {-1}
    if deal.direction is not Direction.SCATTER or not mates:
        return tuple(cards)
    light = [card for card in reversed(burdens(view)) if card.bit & given][: len(mates)]
    others = iter([card for card in cards if card not in light])
    mates_cards = iter(light)
    return tuple(next(mates_cards if place in mates else others) for place in range(len(cards)))


class Scales:
    """Weights of cards in a hand that has to pass, as burdens on the side of its holder."""

    def __init__(self, view: View, weights: Weights) -> None:
        values = values_of(view)
        odds = Odds(view, values)
        deal, seat = view.deal, view.seat
        self._burden = burden_of(view, values, odds, replace(weights, void=0))
        self._to_partner = deal.direction is not Direction.SCATTER and (
            deal.direction.target(seat, deal.rules.players) in deal.rules.side(seat)
        )
        self._unseen, self._others = odds.unseen, deal.rules.players - 1

    def relief(self, hand: int, bit: int) -> int:
        """Burden that the hand loses with the card, less the burden on a partner who gets it."""
        return self._burden.relief(hand, bit) - self.on_partner(bit)

    def on_partner(self, bit: int) -> int:
        """Burden of the card on a partner who gets it; 0 if the pass goes to an opponent."""
        suit = SUIT_OF[bit]
        if not self._to_partner or not suit:
            return 0
        share = sum(ascending(self._unseen & suit)[self._others // 2 :: self._others])
        return self._burden.relief(share | bit, bit)


def passes(view: View, most: int) -> dict[int, float]:
    """Return sets of cards to pass, about `most` of them, as masks, and the hand's cost after each.

    They are the pass of `casual`, the best at a glance (`cheapest`), and sets that leave a hand
    its highest cards, for the moon; the cost of these is not foreseen (nan).
    """
    usual = mask_of(cards_to_pass(view, USUAL))
    chosen = cheapest(view, max(1, most)) | cost_of(view, usual)
    light = sorted(view.hand, key=lambda card: (card.rank or 0, card.index))
    count = view.deal.pass_size
    for cards in combinations(light[: count + 1], count):
        chosen.setdefault(mask_of(cards), nan)
    return dict(sorted(chosen.items()))


def cheapest(view: View, most: int) -> dict[int, float]:
    """Return at most `most` sets of cards to pass, as masks, and the hand's cost after each.

    Costs are in points. Where cards go to partners, costs are not foreseen: the sets are made of
    the heaviest cards, and all cost 0.
    """
    count = view.deal.pass_size
    if helps_partners(view):
        return dict.fromkeys(_sets(burdens(view), count, most), 0.0)
    glance = Glance(view)
    cards = sorted(view.hand, key=lambda card: glance.cost(card.bit))
    costs = {given: glance.cost(given) / ONE for given in _sets(cards, count, MOST_SETS)}
    return {given: costs[given] for given in sorted(costs, key=costs.__getitem__)[:most]}


def cost_of(view: View, given: int) -> dict[int, float]:
    """Return by its mask the expected cost of a hand that passes one set of cards, in points."""
    return {given: 0.0 if helps_partners(view) else Glance(view).cost(given) / ONE}


def _sets(cards: list[Card], count: int, most: int) -> list[int]:
    """Return the sets, as masks, of as many of the first cards as make no more than `most` sets."""
    size = count
    while size < len(cards) and comb(size + 1, count) <= most:
        size += 1
    return [mask_of(some) for some in combinations(cards[:size], count)]


def helps_partners(view: View) -> bool:
    """Whether some of the cards that are passed go to a partner of the seat (W10)."""
    rules, deal = view.deal.rules, view.deal
    if rules.sides.partners == 1:
        return False
    return deal.direction is Direction.SCATTER or deal.direction.target(
        view.seat, rules.players
    ) in rules.side(view.seat)


class Glance:
    """Cost of a hand without some of its cards; each holding of a suit is reckoned once."""

    def __init__(self, view: View, weights: Weights = USUAL) -> None:
        self._rules = view.deal.rules
        self._hand = view.hand.mask
        self._weights = weights
        self._known: dict[tuple[int, int], int] = {}

    def cost(self, given: int) -> int:
        """Cost after giving a mask of cards, relative to other sets, in 1024ths of a point."""
        return sum(self.of(suit, self._hand & suit & ~given) for suit in SUITS)

    def of(self, suit: int, kept: int) -> int:
        """Cost of the cards kept of a suit, or of the jokers, in 1024ths of a point."""
        known = self._known.get((suit, kept))
        if known is None:
            known = self._known[suit, kept] = self._reckon(suit, kept)
        return known

    def _reckon(self, suit: int, kept: int) -> int:
        if suit == JOKERS:
            return -self._weights.joker * kept.bit_count()
        found = places(self._rules, suit, self._hand & suit, kept)
        cost = sum(self._weights.passing[place] * much >> 10 for place, much in found)
        for card, points in self._rules.values.items():
            if points < 0 and card.bit & kept:
                cost += points * self._weights.bonus
        return cost


def places(rules: Ruleset, suit: int, held: int, kept: int) -> Iterator[tuple[int, int]]:
    """Yield the places of a holding in `LEARNED`, and its amount of each, in 1024ths.

    Args:
        suit: mask of the suit.
        held, kept: masks of the cards of it in the hand, before the pass and after it.
    """
    suit &= rules.deck_mask
    unseen = suit & ~held
    penalties = rules.penalty_mask & suit
    dear = dear_in(rules, penalties)
    kind = 1 if dear else 2 if 2 * penalties.bit_count() >= suit.bit_count() else 0
    start = kind * PER_KIND
    yield start + min(kept.bit_count(), LENGTHS - 1), ONE
    for rank, bit in enumerate(ascending(kept)):
        height = height_in(unseen, bit)
        if rank < RANKS:
            yield start + LENGTHS + rank, height
            yield start + LENGTHS + RANKS + rank, height * height >> 10
        else:
            yield start + LENGTHS + 2 * RANKS, height
    if dear:
        guards = min((kept & BELOW[dear]).bit_count(), GUARDS - 1)
        above = (kept & ABOVE[dear]).bit_count() * ONE
        if kept & dear:
            yield HELD_DEAR + guards, ONE
            yield WITH_DEAR + guards, above
        elif held & dear:
            yield OTHERS, ONE
            yield OTHERS + 1, above
        else:
            yield ABOVE_DEAR + guards, above
    elif kind:
        for bit in ascending(held & ~kept):
            yield OTHERS + 2, ONE
            yield OTHERS + 3, height_in(unseen, bit)


def dear_in(rules: Ruleset, penalties: int) -> int:
    """The bit of the dearest penalty card if it counts a quarter of all points; else 0."""
    cards = cards_in(penalties)
    dearest = max(cards, key=lambda card: (rules.values[card], -card.index), default=None)
    if dearest is None or 4 * rules.values[dearest] < rules.penalty_total:
        return 0
    return dearest.bit


def height_in(unseen: int, bit: int) -> int:
    """Height of a card among unseen ones of its suit: from -1024, below all, to 1024, above."""
    return 2 * ONE * (unseen & BELOW[bit]).bit_count() // max(1, unseen.bit_count()) - ONE


# Certainty about the best


class Care(NamedTuple):
    """Certainty that is wanted before a candidate counts as worse."""

    worlds: int  # least number of worlds played before any candidate is ruled out
    errors: float  # standard errors of a difference by which a candidate must be worse


CARE: Final = Care(24, 3.0)
GREAT_CARE: Final = Care(200, 5.0)

ALIKE: Final = 0.05
"""Points of difference within which candidates count as equal."""
