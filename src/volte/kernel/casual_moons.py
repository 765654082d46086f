"""Moons for the compiled `casual`: who may be shooting one, and whether this hand can.

The twin of the moons in `volte.bots.odds`.
"""

from __future__ import annotations

from volte.cards import PACK_SIZE
from volte.kernel.casual_odds import WHOLE, suit_mask
from volte.kernel.compiler import NONE, ONE, U, apart, highest_index, inlined, size
from volte.kernel.layout import Record


@inlined
def weigh_fear(rules: Record, deal: Record, mind: Record) -> None:
    """Note the other seat that may take everything, and how much its moon is to be feared."""
    mind.shooter = alone_in_front(rules, deal)
    mind.fear = 0
    if mind.shooter >= 0 and mind.shooter != mind.seat:
        mind.fear = share_of(rules, deal, mind.shooter)


@inlined
def alone_in_front(rules: Record, deal: Record) -> int:
    """The only seat with penalty cards, or with tricks where only the slam counts; or -1."""
    front = -1
    if rules.moon or rules.slam:
        for seat in range(rules.players):
            has_cards = deal.taken[seat] & rules.penalties != NONE
            if has_cards if rules.moon else deal.won[seat] > 0:
                if front >= 0:
                    return -1
                front = seat
    return front


@inlined
def share_of(rules: Record, deal: Record, seat: int) -> int:
    """Fear of a moon of that seat, by its shares of penalty cards and tricks, in 1024ths."""
    tricks = deal.won[seat]
    whole, have = rules.hand_size, tricks
    if rules.moon:
        whole, have = size(rules.penalties), size(deal.taken[seat] & rules.penalties)
    share = 2 * have * tricks * WHOLE // (whole * rules.hand_size)
    return WHOLE if share > WHOLE else share


@apart
def weigh_moon(rules: Record, deal: Record, mind: Record) -> None:
    """Note whether another seat has penalty cards, and whether the hand may shoot the moon."""
    mind.shared = 0
    for seat in range(rules.players):
        if seat != mind.seat and deal.taken[seat] & rules.penalties != NONE:
            mind.shared = 1
    ours = rules.moon and deal.kitty_taker in (-1, mind.seat)
    mind.may_shoot = 1 if ours and not mind.shared else 0


@inlined
def shoots(rules: Record, mind: Record, hand: U) -> bool:
    """Whether the hand goes for the moon: all its cards but one are likely to take their tricks,
    and it is full of hope."""
    if not mind.may_shoot:
        return False
    lost, beaters = beaten(rules, mind, hand)
    return lost & (lost - ONE) == NONE and hope(hand, beaters) == WHOLE


@inlined
def hope(hand: U, beaters: int) -> int:
    """The hope for a moon of a hand that may still shoot it.

    Args:
        beaters: number of unseen cards that beat the others, from `beaten`.
    """
    return min(WHOLE, size(hand) * WHOLE // (3 * beaters)) if beaters else WHOLE


@apart
def beaten(rules: Record, mind: Record, hand: U) -> tuple[U, int]:
    """Mask of the cards that are not likely to take their tricks, and the number that beat them.

    Once no card that the moon needs is unseen, only those in the hand still have to take theirs.
    """
    needed = hand if mind.unseen & rules.needed != NONE else hand & rules.needed
    left = hand
    lost = NONE
    beaters = 0
    for suit in range(4):
        held = left & suit_mask(suit)
        hidden = mind.unseen & suit_mask(suit)
        left ^= held
        drawn = 0
        while held != NONE:
            index = highest_index(held)
            bit = ONE << index
            held ^= bit
            above = size(hidden >> index)
            if above and bit & needed != NONE and drawn * mind.others * 2 // 3 < size(hidden):
                lost |= bit
                beaters += max(1, above - drawn)
            drawn += 1
    jokers = left & needed
    return lost | jokers, beaters + size(jokers) * PACK_SIZE


@apart
def draws(rules: Record, mind: Record, hand: U) -> bool:
    """Whether the hand's cards, if they all take their tricks, draw every card its moon needs."""
    needed = mind.unseen & rules.needed
    for suit in range(4):
        cards = suit_mask(suit)
        drawn = size(hand & cards) * mind.others * 2 // 3
        if needed & cards != NONE and drawn < size(mind.unseen & cards):
            return False
        needed &= ~cards
    return needed == NONE  # type: ignore[no-any-return]
