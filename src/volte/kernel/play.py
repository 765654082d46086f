"""The rules in compiled code: a deal is dealt, passed, played card by card, and scored.

The rules of `volte.rules` and `volte.game` are here in masks, with duties and points from the same
ruleset (`volte.kernel.encoding`). Every function changes the deal it is given, and trusts it:
`volte.kernel.encoding` has judged it.
"""

from __future__ import annotations

from typing import Final

from volte.cards import CLUBS, PACK_SIZE
from volte.cards import QUEEN as QUEEN_CARD
from volte.kernel.compiler import (
    NONE,
    ONE,
    STEP,
    U,
    apart,
    below,
    count,
    either,
    index_of,
    inlined,
    lowest,
    lowest_index,
    nth,
    size,
)
from volte.kernel.layout import (
    DISCARD_DUTIES,
    LEADER_DUTIES,
    OVER,
    PASSING,
    PLAYING,
    SCATTERED,
    Record,
)

CLUB_MASK: Final = U(CLUBS & (1 << PACK_SIZE) - 1)
QUEEN: Final = U(QUEEN_CARD.bit)
SUIT_SIZE: Final = U(13)


@inlined
def seat_after(rules: Record, seat: int, steps: int) -> int:
    """The seat so many steps to the left, at most as many as there are seats."""
    place = seat + steps
    return place if place < rules.players else place - rules.players


@inlined
def on_table(deal: Record) -> U:
    """Mask of the cards of the present trick."""
    table = NONE
    for place in range(deal.count):
        table |= deal.trick[place]
    return table


@inlined
def played(rules: Record, deal: Record) -> U:
    """Mask of all cards that have been played."""
    cards = on_table(deal)
    for seat in range(rules.players):
        cards |= deal.taken[seat]
    return cards


@inlined
def deal_cards(rules: Record, deal: Record, order: Record) -> None:
    """Shuffle and deal (D4, D5), as `PlainChance` does with the same generator.

    Args:
        order: `uint64[54]`, for scratch.
    """
    chance = deal.chance
    players = rules.players
    for place in range(rules.cards):
        order[place] = rules.order[place]
    for seat in range(players):
        deal.hands[seat] = NONE
    kitty = NONE
    dealt = players * rules.hand_size
    place = rules.cards - 1
    while place >= dealt:
        chance, other = below(chance, U(place + 1))
        kitty |= order[other]
        order[other] = order[place]
        place -= 1
    while place >= 0:
        seat = deal.dealer
        for _ in range(players):
            chance, other = below(chance, U(place + 1))
            deal.hands[seat] |= order[other]
            order[other] = order[place]
            place -= 1
            seat = seat - 1 if seat else players - 1
    deal.kitty = kitty
    deal.chance = chance - STEP  # the last card is left over: a shuffle draws nothing for it


@inlined
def begin_deal(rules: Record, deal: Record, number: int, dealer: int, chance: U) -> None:
    """Begin a deal, before its cards are dealt.

    Args:
        number: from 1; it decides where the pass goes.
        chance: the seed of the deal's generator.
    """
    deal.chance = chance
    deal.number = number
    deal.dealer = dealer
    deal.step = rules.steps[(number - 1) % rules.cycle_length]
    deal.phase = PASSING
    deal.turn = 0
    deal.leader = 0
    deal.count = 0
    deal.gathered = 0
    deal.winner = 0
    deal.broken = 0
    deal.voided = 0
    deal.kitty_taker = -1
    deal.led = NONE
    deal.best = NONE
    deal.opening = NONE
    for seat in range(rules.players):
        deal.given[seat] = NONE
        deal.taken[seat] = NONE
        deal.excluded[seat] = NONE
        deal.won[seat] = 0
    if rules.number_by_number:  # unless cards can be scattered, `coming` stays empty
        for seat in range(rules.players):
            deal.coming[seat] = NONE


@inlined
def pass_size(rules: Record, deal: Record) -> int:
    """Number of cards that each seat passes in this deal (P2, W1)."""
    if deal.step == SCATTERED:
        return rules.players - 1  # type: ignore[no-any-return]
    return rules.pass_count if deal.step else 0


@inlined
def give(rules: Record, deal: Record, seat: int, bit: U) -> None:
    """Pass one more card; in a scatter, it goes to the next seat to the left (W1)."""
    if deal.step == SCATTERED:
        deal.coming[seat_after(rules, seat, 1 + size(deal.given[seat]))] |= bit
    deal.given[seat] |= bit


@inlined
def give_all(rules: Record, deal: Record, seat: int, cards: U) -> None:
    """Pass several cards of a seat, from the lowest up."""
    while cards != NONE:
        bit = lowest(cards)
        cards ^= bit
        give(rules, deal, seat, bit)


@inlined
def exchange(rules: Record, deal: Record) -> None:
    """Move all passed cards to their takers (P1, W1)."""
    for seat in range(rules.players):
        deal.hands[seat] &= ~deal.given[seat]
    if deal.step == SCATTERED:
        for seat in range(rules.players):
            deal.hands[seat] |= deal.coming[seat]
        return
    for seat in range(rules.players):
        deal.hands[seat_after(rules, seat, deal.step)] |= deal.given[seat]


@inlined
def start_play(rules: Record, deal: Record) -> None:
    """Put the first leader on turn (L1, L2, W2)."""
    deal.phase = PLAYING
    leader = seat_after(rules, deal.dealer, 1)
    if rules.opens_low:
        opening = lowest(rules.deck & CLUB_MASK & ~deal.kitty)
        for seat in range(rules.players):
            if deal.hands[seat] & opening:
                leader = seat
            deal.excluded[seat] = rules.deck & CLUB_MASK & (opening - ONE)
        deal.opening = opening
    deal.turn = leader
    deal.leader = leader
    deal.winner = leader


@inlined
def prefer(hand: U, mask: U) -> U:
    """The cards of a hand that are in the mask, or the whole hand if none is: a duty obeyed."""
    found = hand & mask
    return either(found != NONE, found, hand)


@inlined
def may_lead(rules: Record, hand: U, gathered: U, broken: U) -> U:
    """Mask of the cards of a hand that may set the suit, except at the opening."""
    for duty in range(LEADER_DUTIES):
        hand = prefer(hand, rules.leader[gathered, broken, duty])
    return hand


@inlined
def may_discard(rules: Record, hand: U, gathered: U, suit: U, broken: U, had_chance: U) -> U:
    """Mask of the cards that a hand void in the suit may discard."""
    for duty in range(DISCARD_DUTIES):
        hand = prefer(hand, rules.discard[gathered, suit, broken, had_chance, duty])
    return hand


@inlined
def suit_of(led: U) -> U:
    """The number of a suit given as a mask."""
    return lowest_index(led) // SUIT_SIZE


@inlined
def legal_cards(rules: Record, deal: Record) -> U:
    """Mask of the legal cards of the seat on turn (T1–T8, L1, L2, W2, W3)."""
    hand = deal.hands[deal.turn]
    led = deal.led
    gathered = deal.gathered
    if led == NONE:
        if deal.opening != NONE and gathered == 0 and deal.count == 0:
            return hand & (deal.opening | rules.openers)  # type: ignore[no-any-return]
        return may_lead(rules, hand, gathered, deal.broken)
    if rules.plain[gathered]:
        return prefer(hand, led)
    found = hand & led
    if found != NONE:
        return found  # type: ignore[no-any-return]
    had_chance = deal.voided >> deal.turn & 1
    return may_discard(rules, hand, gathered, suit_of(led), deal.broken, had_chance)


@inlined
def proved(rules: Record, deal: Record, bit: U) -> U:
    """Mask of the cards that the play proves absent from the hand: `excluded_beside`."""
    led = deal.led
    together = rules.deck & ~bit
    excluded = NONE
    if led == NONE:
        if deal.opening == NONE or deal.gathered or deal.count:
            for duty in range(LEADER_DUTIES):
                prefer = rules.leader[deal.gathered, deal.broken, duty]
                if bit & prefer:
                    together &= prefer
                else:
                    excluded |= together & prefer
                    together &= ~prefer
        return excluded
    if bit & led:
        return excluded
    excluded |= together & led
    together &= ~led
    suit = suit_of(led)
    had_chance = deal.voided >> deal.turn & 1
    for duty in range(DISCARD_DUTIES):
        prefer = rules.discard[deal.gathered, suit, deal.broken, had_chance, duty]
        if bit & prefer:
            together &= prefer
        else:
            excluded |= together & prefer
            together &= ~prefer
    return excluded  # type: ignore[no-any-return]


@inlined
def play_card(rules: Record, deal: Record, bit: U) -> None:
    """Put a card on the table, and gather the trick when it is full; `excluded` stays as it is."""
    seat = deal.turn
    deal.hands[seat] ^= bit
    deal.trick[deal.count] = bit
    deal.count += 1
    led = deal.led
    if led == NONE:
        led = rules.suits[index_of(bit)]
        deal.led = led
    elif bit & led == NONE:
        deal.voided |= 1 << seat
    if bit & led > deal.best:
        deal.best = bit
        deal.winner = seat
    if bit & rules.breaking:
        deal.broken = 1
    seat += 1
    deal.turn = seat if seat < rules.players else 0
    if deal.count == rules.players:
        gather(rules, deal)


@inlined
def gather(rules: Record, deal: Record) -> None:
    """Give the full trick to its winner (T2), and the kitty once its time has come (D6, W4)."""
    winner = deal.winner
    table = NONE
    for place in range(rules.players):
        table |= deal.trick[place]
    deal.taken[winner] |= table
    deal.won[winner] += 1
    deal.gathered += 1
    if brings_kitty(rules, deal, table, deal.gathered == rules.hand_size):
        deal.kitty_taker = winner
    deal.turn = winner
    deal.leader = winner
    deal.count = 0
    deal.led = NONE
    deal.best = NONE
    if deal.gathered == rules.hand_size:
        deal.phase = OVER


@inlined
def brings_kitty(rules: Record, deal: Record, table: U, last: bool) -> bool:
    """Whether a full trick, or the last one, brings the kitty to its winner (D6, W4)."""
    if rules.kitty_size == 0 or deal.kitty_taker >= 0:
        return False
    return last or table & rules.kitty_for != NONE


@inlined
def points_in(rules: Record, mask: U) -> int:
    """Points of the cards of a mask."""
    points = 0
    for kind in range(rules.kinds):
        points += rules.kind_values[kind] * size(mask & rules.kind_masks[kind])
    return points


@inlined
def captured(deal: Record, seat: int) -> U:
    """Mask of all cards won by a seat, with the kitty if the seat has taken it (D6)."""
    kitty = deal.kitty if deal.kitty_taker == seat else NONE
    return deal.taken[seat] | kitty  # type: ignore[no-any-return]


@inlined
def score(rules: Record, deal: Record, outcome: Record) -> None:
    """Write the points of a finished deal (S1–S5, W5–W8, W10)."""
    outcome.moon = -1
    outcome.slam = -1
    outcome.queen = -1
    outcome.dealer = deal.dealer
    outcome.step = deal.step
    outcome.minus = 0
    outcome.trickless = 0
    for seat in range(rules.players):
        taken = captured(deal, seat)
        if taken & QUEEN:
            outcome.queen = seat
        if rules.slam and deal.won[seat] == rules.hand_size:
            outcome.slam = seat
        if rules.moon and taken & rules.needed == rules.needed:
            outcome.moon = seat
        outcome.points[seat] = points_in(rules, taken)
    if rules.adds_up and outcome.slam < 0 and outcome.moon < 0:
        return
    score_on(rules, deal, outcome)


@apart
def score_on(rules: Record, deal: Record, outcome: Record) -> None:
    """Correct the points where they are not simply those of the cards that a seat has won."""
    if rules.by_side:
        find_doers(rules, deal, outcome)
    if outcome.slam >= 0:
        outcome.moon = -1
    if outcome.slam >= 0 or outcome.moon >= 0:
        leave_extras(rules, deal, outcome)
    if rules.no_tricks:
        add_no_tricks(rules, deal, outcome)
    if rules.sides < rules.players:
        share_points(rules, outcome)
    if outcome.slam >= 0:
        swing(rules, outcome, outcome.slam, rules.slam_up, 2 * rules.total)
        outcome.minus = rules.slam_up == 0
    elif outcome.moon >= 0:
        swing(rules, outcome, outcome.moon, rules.moon_up, rules.total)
        outcome.minus = rules.moon_up == 0


@inlined
def find_doers(rules: Record, deal: Record, outcome: Record) -> None:
    """Find the maker of a moon or slam, where a side may: the seat that took most (W10)."""
    for side in range(rules.sides):
        whole, won = NONE, 0
        for seat in range(side, rules.players, rules.sides):
            whole |= captured(deal, seat)
            won += deal.won[seat]
        if rules.slam and won == rules.hand_size:
            outcome.slam = side
            for seat in range(side, rules.players, rules.sides):
                if deal.won[seat] > deal.won[outcome.slam]:
                    outcome.slam = seat
        if rules.moon and whole & rules.needed == rules.needed:
            outcome.moon = side
            for seat in range(side, rules.players, rules.sides):
                if penalties_of(rules, deal, seat) > penalties_of(rules, deal, outcome.moon):
                    outcome.moon = seat


@inlined
def penalties_of(rules: Record, deal: Record, seat: int) -> int:
    """Points of the penalty cards won by a seat."""
    return points_in(rules, captured(deal, seat) & rules.penalties)


@inlined
def leave_extras(rules: Record, deal: Record, outcome: Record) -> None:
    """Keep only the points beside the penalty cards, behind a moon or a slam (S5)."""
    for seat in range(rules.players):
        outcome.points[seat] = points_in(rules, captured(deal, seat) & ~rules.penalties)


@inlined
def add_no_tricks(rules: Record, deal: Record, outcome: Record) -> None:
    """Add the points for taking no trick (W6)."""
    for seat in range(rules.players):
        if deal.won[seat] == 0:
            outcome.points[seat] += rules.no_tricks
            outcome.trickless |= 1 << seat


@inlined
def share_points(rules: Record, outcome: Record) -> None:
    """Give every seat the points of its whole side (W10)."""
    for side in range(rules.sides):
        points = 0
        for seat in range(side, rules.players, rules.sides):
            points += outcome.points[seat]
        for seat in range(side, rules.players, rules.sides):
            outcome.points[seat] = points


@inlined
def swing(rules: Record, outcome: Record, doer: int, up: int, down: int) -> None:
    """Add the points of a moon or a slam (S3, S4, W7, W8).

    Args:
        up: points for each of the others.
        down: points that the maker, and its side, have less than the others.
    """
    for seat in range(rules.players):
        outcome.points[seat] += up
        if seat % rules.sides == doer % rules.sides:
            outcome.points[seat] -= down


# The random policy


@inlined
def random_card(deal: Record, mask: U) -> U:
    """A card of the mask, each equally likely, by the deal's generator."""
    chance, n = below(deal.chance, count(mask))
    deal.chance = chance
    return nth(mask, n)


@inlined
def random_pass(rules: Record, deal: Record, seat: int) -> None:
    """Pass at random, card by card from the rest of the hand; every pass is equally likely."""
    while size(deal.given[seat]) < pass_size(rules, deal):
        give(rules, deal, seat, random_card(deal, deal.hands[seat] & ~deal.given[seat]))
