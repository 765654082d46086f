"""Figures that `casual` reckons with; compiled in `volte.kernel.casual_odds` and `casual_moons`.

**Ranks**: higher and lower cards as masks, of one pack or two, where equal cards are neither (W11).

**Odds**: chances that a seat holds a card. An unseen card is in each place that can still hold it
with a chance in proportion to the room there; two cards are treated as independent. Exact for one
card in a fresh deal, and near enough for the rest. One thing is read from plays: whoever has led
spades to the trick is taken not to hold the queen, as people do not lead towards their own.

**Burden**: points that a hand is likely to cost its holder, suit by suit. A card is a burden as far
as it will have to be played (few cards of the suit below it), will then take the trick (many unseen
cards below it), and that trick will cost something. A dear card is guarded by the cards above it as
well: a king beside the queen may take a trick that costs little. Playing or discarding a card is
worth the burden before less the burden after; so guards of the queen, voids and low hearts need no
rules of their own. Cards to pass are weighed by numbers that were learned.

**Moon**: the seats that may be shooting it, and whether one's own hand can (S3, S4, W10).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec

from volte.cards import (
    BY_BIT,
    CARDS,
    PACK_SIZE,
    QUEENS,
    SUIT_MASKS,
    Card,
    Suit,
    mask_of,
    twin,
)
from volte.game import DealState
from volte.rules import MoonBy, MoonRule, Ruleset, SlamRule
from volte.rules.scoring import all_doers
from volte.view import View

ONE: Final = 1024
"""The whole, in 1024ths: the unit of chances, and of points multiplied by chances."""

# Ranks

_ONE_PACK: Final = 1 << PACK_SIZE

SUIT_OF: Final = {card.bit: 0 if card.suit is None else SUIT_MASKS[card.suit] for card in CARDS}
"""By bit, the mask of the card's whole suit; 0 for a joker."""

BELOW: Final = {
    card.bit: mask_of(
        other
        for other in CARDS
        if card.rank and other.suit is card.suit and other.rank and other.rank < card.rank
    )
    for card in CARDS
}
"""By bit, the mask of the lower cards of its suit; 0 for a joker."""

TWIN: Final = {card.bit: twin(card).bit for card in CARDS}
"""By bit, the equal card of the other pack."""

ABOVE: Final = {
    bit: suit and suit & ~(BELOW[bit] | bit | TWIN[bit]) for bit, suit in SUIT_OF.items()
}
"""By bit, the mask of the higher cards of its suit; 0 for a joker."""


def ascending(mask: int) -> list[int]:
    """Return the bits of a mask of one suit, the lowest rank first."""
    bits = []
    held = mask
    while held:
        bit = held & -held
        held ^= bit
        bits.append(bit)
    if mask >= _ONE_PACK:
        bits.sort(key=height)
    return bits


def highest(mask: int) -> int:
    """Return the bit of the highest card in a mask of one suit; 0 of an empty mask."""
    if mask < _ONE_PACK:
        return mask and 1 << mask.bit_length() - 1
    return ascending(mask)[-1]


def height(bit: int) -> int:
    """Return the rank of a card; 0 of a joker."""
    return BY_BIT[bit].rank or 0


def winning_place(cards: Sequence[Card], led: Suit | None) -> int:
    """Return the place of the card that wins a trick as it stands; -1 for none (T2, W11)."""
    found = -1
    best = 0
    for place, card in enumerate(cards):
        rank = card.rank or 0
        if led is not None and card.suit is led and rank > best and twin(card) not in cards:
            best, found = rank, place
    return found


# Odds


def values_of(view: View) -> dict[int, int]:
    """Return points by bit of every card that counts."""
    return {card.bit: points for card, points in view.deal.rules.values.items()}


class Odds:
    """Chances of cards in hidden hands, as a view shows them."""

    def __init__(self, view: View, values: dict[int, int], guesses: bool = False) -> None:
        """
        Args:
            guesses: whether whoever has led spades is taken not to hold the unseen queen.
        """
        deal = view.deal
        self.unseen = unseen = view.unseen  # mask of the cards that the seat has not seen
        # (points, bit) of the unseen penalty cards, the dearest first, then the lowest
        self.costs = sorted(
            ((points, bit) for bit, points in values.items() if points > 0 and bit & unseen),
            key=lambda cost: (-cost[0], cost[1]),
        )
        given, known = 0, {}
        for transfer in deal.transfers:
            if transfer.giver == view.seat and transfer.cards is not None:
                known[transfer.taker] = mask_of(transfer.cards) & unseen
                given |= known[transfer.taker]
        self._room = deal.hand_sizes()
        self._could = [
            unseen & ~given & ~excluded | known.get(seat, 0)
            for seat, excluded in enumerate(deal.excluded)
        ]
        if guesses and deal.trick and deal.led is Suit.SPADES:
            self._guess_queen(view.seat, deal.leader, QUEENS & deal.rules.penalty_mask & ~given)
        places = [
            (self._room[seat], could) for seat, could in enumerate(self._could) if seat != view.seat
        ]
        if deal.rules.kitty_size and not deal.kitty:
            places.append((deal.rules.kitty_size, unseen & ~given))
        self._places = places
        self._all_room: dict[int, int] = {}

    def _guess_queen(self, seat: int, leader: int, queen: int) -> None:
        """Take the leader not to hold the queen, unless nobody else can."""
        if any(
            size and other not in (seat, leader) and self._could[other] & queen
            for other, size in enumerate(self._room)
        ):
            self._could[leader] &= ~queen

    def could(self, seat: int) -> int:
        """Mask of the unseen cards that the seat may hold."""
        return self._could[seat]

    def holds(self, seat: int, bit: int) -> int:
        """The chance that the seat holds the unseen card."""
        if not self._could[seat] & bit:
            return 0
        room = self._all_room.get(bit)
        if room is None:
            room = 0
            for size, could in self._places:
                if could & bit:
                    room += size
            self._all_room[bit] = room
        return self._room[seat] * ONE // room if room else 0

    def none_of(self, seat: int, mask: int) -> int:
        """The chance that the seat holds no card of the mask."""
        mask &= self._could[seat]
        chance = ONE
        while mask:
            bit = mask & -mask
            chance = chance * (ONE - self.holds(seat, bit)) >> 10
            mask ^= bit
        return chance

    def dearest(self, seat: int, mask: int) -> int:
        """Expected points of the mask's dearest penalty card in the seat's hand, in 1024ths."""
        mask &= self._could[seat]
        left, cost = ONE, 0
        for points, bit in self.costs:
            if bit & mask:
                chance = left * self.holds(seat, bit) >> 10
                cost += points * chance
                left -= chance
        return cost


# The cost of a hand after a pass

KINDS: Final = 3
"""Kinds of suit: plain; with a dear card; half of its cards penalties or more."""

LENGTHS: Final = 6
"""Lengths of a suit with a weight each, from none on; the last stands for five or more."""
RANKS: Final = 4
"""Lowest cards of a suit with weights of their own."""
GUARDS: Final = 5
"""Numbers of guards below a dear card, from none on; the last stands for four or more."""

PER_KIND: Final = LENGTHS + 2 * RANKS + 1
HELD_DEAR: Final = KINDS * PER_KIND
ABOVE_DEAR: Final = HELD_DEAR + GUARDS
WITH_DEAR: Final = ABOVE_DEAR + GUARDS
OTHERS: Final = WITH_DEAR + GUARDS

LEARNED: Final = (
    # Plain suits: by length; height of the lowest four cards; its square; heights of all others
    *(-2964, -1372, 148, 1064, 1486, 1644),
    *(660, 814, 834, 616, -246, -436, -342, -215, 0),
    # The suit of a dear card
    *(444, 516, 270, -100, -458, -672),
    *(1040, 800, 278, 50, 810, 494, 254, -210, -758),
    # Hearts
    *(-2907, -436, 552, 846, 858, 1086),
    *(1392, 1378, 192, -379, -1132, -638, -283, -692, -1924),
    # By number of guards: a dear card kept; each card kept above one that others hold; each card
    # kept above one's own
    *(3064, 2100, 386, -996, -2043),
    *(1590, 1634, 1530, 1445, 1058),
    *(-1410, -1415, -1006, -562, 52),
    # A dear card given away, and each card kept above it; each heart given away, and its height
    *(-2512, 1600, -218, -658),
)
"""Weights by place (`volte.bots.candidates.places`), in 1024ths of a point: the mean of two fits,
to 1,200 and to 4,200 hands. By the second alone `casual` loses less to its like (0.6 points a deal
by its pass, where the first lost 1.1), but more to a `strong` that shoots the moon."""

# Burden


class Weights(msgspec.Struct, frozen=True):
    """Numbers by which `casual` is tuned; points and chances are in 1024ths.

    `relief`, `lead`, `least`, `void` and `give` were found by the points that `casual` loses in
    5,658 choices of its own, each card judged by 10,000 simulations, and by 20,000 deals in
    duplicate: 0.1 to 0.3 points better than 600, 256, 100, 300 and 512 with three or four players,
    and no worse with six. Others lie on a plateau; `bonus` and `joker` are reasoned, not tried.
    With a `lead` of 0 `strong` shot the moon among three `casual` in 6.8 of 100 deals, with 128 in
    5.8 (600 deals). `guards`, `whim` and the fear of a moon are a compromise between opponents like
    that and `beginner`, who hardly ever shoots it. From `exit` on they were found by the points
    that three judges say `casual` gives away, in 11,000 choices of 300 deals, from `caught` to
    `press` in 15,000 leads of 1,600 deals; `decisive` by the matches that one `casual` wins among
    three without it.
    """

    relief: int = 700  # worth of a point of burden to come, beside one on the table
    lead: int = 128  # points that having the lead costs
    eager: int = 200  # chance that a seat beats a clean trick without having to
    greedy: int = 60  # chance that it beats a trick with penalty cards without having to
    falls: int = 600  # chance that a dear card falls on a higher one of its suit
    least: int = 50  # chance that a card is played to its suit, however well guarded
    # Points that a void is worth, for each round its suit may still be led; not in the pass
    void: int = 500
    bonus: int = 400  # chance of catching a card below zero by keeping it
    joker: int = 1500  # points that a joker in hand is worth
    flush: int = 100  # part of a card's points won by leading below it
    gift: int = 128  # part of a card's points won by giving them to an opponent
    give: int = 256  # part of the stake lost with a penalty card given to a shooter
    whim: int = 256  # points of difference within which the seed decides which card is passed
    guards: int = 4  # lower spades in hand with which the queen is not passed
    cover: int = 4  # hearts in hand with which the last of the two highest is not passed
    exit: int = 850  # points that a suit is worth whose lowest card is sure to lose the lead
    stuck: int = 800  # part of the points still out that a hand without an exit costs
    back: int = 800  # chance that the lead comes to a hand in whose suits all unseen cards are
    caught: int = 3600  # points that a lead costs which takes its trick and leaves no sure exit
    safe: int = 2000  # points that a card is worth to a leader in a suit that nobody else has
    keep: int = 3000  # points that the lead of a dear card costs a hand which may shoot the moon
    press: int = 12  # more points of full hope for a card that takes the trick to which it is led
    moon: int = 10  # points that a hand is worth which may shoot the moon, with full hope
    decisive: int = 24  # more such points where the moon would win the match for a seat behind
    passing: tuple[int, ...] = LEARNED  # weights for the cost of a hand after a pass


USUAL: Final = Weights()


@dataclass
class Burden:
    """Burden of holdings, given the cards that are unseen."""

    values: dict[int, int]  # points by bit of every card that counts
    unseen: int  # mask
    others: int  # number of other seats
    dump: int  # points that a seat which cannot follow throws on a trick, in 1024ths
    dear: int  # mask of the cards that count a quarter of all points or more
    weights: Weights

    def __post_init__(self) -> None:
        self._dear: dict[int, int] = {}
        for bit, points in self.values.items():
            if points > 0:
                self._dear[points] = self._dear.get(points, 0) | bit
        self._known: dict[tuple[int, int], int] = {}

    def relief(self, hand: int, bit: int) -> int:
        """Burden that the hand loses with the card, in 1024ths of a point."""
        suit = SUIT_OF[bit]
        if not suit:
            return -self.weights.joker
        return self.of(hand & suit, suit) - self.of(hand & suit & ~bit, suit)

    def of(self, held: int, suit: int) -> int:
        """Burden of the cards held in one suit, in 1024ths of a point."""
        known = self._known.get((held, suit))
        if known is None:
            known = self._known[held, suit] = self._reckon(held, suit)
        return known

    def _reckon(self, held: int, suit: int) -> int:
        weights, others = self.weights, self.others
        unseen = self.unseen & suit
        count = unseen.bit_count()
        if not held:
            return -weights.void * count // others
        burden = 0
        for lowest, bit in enumerate(ascending(held)):
            guards = held.bit_count() - 1 if bit & self.dear else lowest
            below = unseen & BELOW[bit]
            lower = below.bit_count()
            own = self.values.get(bit, 0)
            if count:
                live = count - guards * others * 3 // 4
                forced = max(live * ONE // count, weights.least)
                wins = lower * lower * ONE // (count * count)
                voids = min(ONE, ONE * others * (guards + 1) // (2 * count))
            else:
                forced, wins, voids = ONE // 4, ONE, ONE
            cost = own * ONE + self._falling(below) + (self.dump * voids >> 10)
            burden += (forced * wins >> 10) * cost >> 10
            if own < 0:
                burden += own * weights.bonus
        return burden

    def _falling(self, below: int) -> int:
        """Points that unseen penalty cards below a card may add to its trick, in 1024ths."""
        total = count = 0
        for points, cards in self._dear.items():
            found = (below & cards).bit_count()
            total += points * found
            count += found
        return total * min(count, self.others) * self.weights.falls // count if count else 0


def burden_of(view: View, values: dict[int, int], odds: Odds, weights: Weights) -> Burden:
    """Return the burden of holdings as the seat of the view sees them."""
    rules = view.deal.rules
    others = rules.players - 1
    foes = [seat for seat in range(rules.players) if seat not in rules.side(view.seat)]
    dump = sum(odds.dearest(seat, odds.unseen) for seat in foes) // others
    dear = sum(bit for bit, points in values.items() if 4 * points >= rules.penalty_total > 0)
    return Burden(values, odds.unseen, others, dump, dear, weights)


# Moon


class Shooter(NamedTuple):
    """A seat, or a side, that may be on the way to taking everything."""

    seats: tuple[int, ...] = ()  # one, or a whole side where partners may do it together (W10)
    share: int = 0  # how far it is to be feared, in 1024ths
    ours: bool = False  # whether the side that gains is the seat's own


NOBODY: Final = Shooter()


def feared(deal: DealState, seat: int) -> Shooter:
    """Return the seat or side, other than this seat alone, that may take everything.

    The first penalty card (or trick) of anybody else ends the threat. Its share is twice the
    product of two shares: of the penalty cards, or of tricks where only the slam counts, and of all
    tricks. In 3,025 positions that product told better whether a moon came than the shares of cards
    and points did (area under the curve 0.89 and 0.78).
    """
    rules = deal.rules
    if rules.moon.moon is not MoonRule.OFF:
        whole = rules.penalty_mask.bit_count()
        have = [(taken & rules.penalty_mask).bit_count() for taken in deal.taken]
    elif rules.moon.slam is not SlamRule.OFF:
        whole, have = rules.hand_size, list(deal.won)
    else:
        return NOBODY
    together = [sum(have[member] for member in who) for who in all_doers(rules)]
    most = max(together)
    who = all_doers(rules)[together.index(most)]
    if who == (seat,) or not 0 < most == sum(have) or _lacks_jack(deal, who):
        return NOBODY
    tricks = sum(deal.won[member] for member in who)
    share = 2 * most * tricks * ONE // (whole * rules.hand_size)
    return Shooter(who, min(ONE, share), seat in rules.side(who[0]))


def _lacks_jack(deal: DealState, who: tuple[int, ...]) -> bool:
    """Whether another seat has taken a card below zero that the moon needs as well (W7)."""
    rules = deal.rules
    bonus = rules.counting_mask & ~rules.penalty_mask
    return rules.moon.needs_jack and any(
        taken & bonus for seat, taken in enumerate(deal.taken) if seat not in who
    )


def shoots(deal: DealState, seat: int, unseen: int) -> bool:
    """Whether the hand goes for the moon: all its cards but one are likely to take their tricks.

    That one goes last, so it must be full of hope.
    """
    if not may_shoot(deal, seat):
        return False
    few = sum(1 for _ in losers(deal, seat, unseen)) <= 1
    return few and hope(deal.rules, deal.hands[seat], unseen) == ONE


def hope(rules: Ruleset, hand: int, unseen: int) -> int:
    """Return the hope for a moon of a hand that may still shoot it, in 1024ths.

    A card that is not likely to take its trick goes last, and fails if one that beats it has been
    kept so long. So the hope is full where such beaters are no more than a third of the cards in
    the hand; with more of them it shrinks. Points that the seat has taken count for nothing: they
    stay with it either way.
    """
    beaters = sum(number for _, number in beaten(rules, hand, unseen))
    return min(ONE, hand.bit_count() * ONE // (3 * beaters)) if beaters else ONE


def may_shoot(deal: DealState, seat: int) -> bool:
    """Whether no other side has taken a card that the seat's moon needs."""
    rules = deal.rules
    who = rules.side(seat) if rules.moon.by is MoonBy.SIDE else (seat,)
    if rules.moon.moon is MoonRule.OFF or deal.kitty_taker not in (None, *who):
        return False
    others = (taken for other, taken in enumerate(deal.taken) if other not in who)
    return not any(taken & rules.penalty_mask for taken in others) and not _lacks_jack(deal, who)


def losers(deal: DealState, seat: int, unseen: int) -> Iterator[int]:
    """Yield the bits of cards in a hand that are not likely to take their tricks (`beaten`)."""
    for bit, _ in beaten(deal.rules, deal.hands[seat], unseen):
        yield bit


def beaten(rules: Ruleset, hand: int, unseen: int) -> Iterator[tuple[int, int]]:
    """Yield the bit of each card that is not likely to take its trick, and how many cards beat it.

    A card will take its trick where no unseen card of its suit is higher, or where the ones above
    it in the hand have drawn the suit out, each of them two thirds of a round. Each of these also
    draws one of the cards that beat it, but for the last one. Once no card that the moon needs is
    unseen, only those in the hand still have to take their tricks.
    """
    needed = hand if rules.moon_mask & unseen else hand & rules.moon_mask
    others = rules.players - 1
    left = hand
    for suit in SUIT_MASKS:
        held, hidden = left & suit, unseen & suit
        left ^= held
        drawn = 0
        while held:
            bit = highest(held)
            held ^= bit
            above = (hidden & (ABOVE[bit] | TWIN[bit])).bit_count()
            if bit & needed and above and drawn * others * 2 // 3 < hidden.bit_count():
                yield bit, max(1, above - drawn)
            drawn += 1
    for bit in ascending(left & needed):
        yield bit, PACK_SIZE


def draws(rules: Ruleset, hand: int, unseen: int) -> bool:
    """Whether the hand's cards, if they all take their tricks, draw every card its moon needs.

    Each draws two thirds of a round of its suit.
    """
    needed = rules.moon_mask & unseen
    for suit in SUIT_MASKS:
        rounds = (hand & suit).bit_count() * (rules.players - 1) * 2 // 3
        if needed & suit and rounds < (unseen & suit).bit_count():
            return False
        needed &= ~suit
    return not needed
