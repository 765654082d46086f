"""Checks whether a row is a position of its ruleset, before any other compiled code sees it.

Only here may a row hold anything: every number is checked before it serves as an index.
`volte.kernel.encoding` says what a position must fulfil, and why.
"""

from __future__ import annotations

from numba import types

from volte.kernel.compiler import DEALS, NONE, TABLE, entry, index_of, inlined, lowest, size
from volte.kernel.encoding import (
    BROKEN,
    CARDS,
    DEALER,
    EXCLUDED,
    GIVEN,
    HANDS,
    KITTY,
    LAWFUL,
    LEADER,
    MOST_TOTAL,
    NUMBER,
    OPENING,
    PHASE,
    PLAYED,
    STEP,
    TAKEN,
    TOTALS,
    TRICK,
    TURN,
    VOIDED,
)
from volte.kernel.layout import OVER, PASSING, SCATTERED, UNDEALT, Record, Records
from volte.kernel.play import CLUB_MASK, on_table, pass_size, played, seat_after


@inlined
def too_much(total: int) -> bool:
    """Whether the total is out of bounds, so that sums with it might overflow."""
    return total < -MOST_TOTAL or total > MOST_TOTAL


@inlined
def judge(rules: Record, deal: Record) -> int:
    if deal.phase < UNDEALT or deal.phase > OVER:
        return PHASE
    if deal.dealer < 0 or deal.dealer >= rules.players:
        return DEALER
    if deal.number < 1:
        return NUMBER
    if too_much(deal.ending_total):
        return TOTALS
    for seat in range(rules.players):
        if too_much(deal.totals[seat]):
            return TOTALS
    if deal.phase == UNDEALT:
        return LAWFUL
    if deal.step != rules.steps[(deal.number - 1) % rules.cycle_length]:
        return STEP
    if deal.phase == PASSING:
        return judge_pass(rules, deal)
    return judge_play(rules, deal)


@inlined
def judge_pass(rules: Record, deal: Record) -> int:
    """The fault of a deal before its first card, or `LAWFUL`."""
    if has_begun(rules, deal):
        return PLAYED
    if deal.turn < 0 or deal.turn >= rules.players:
        return TURN
    for seat in range(rules.players):
        if size(deal.hands[seat]) != rules.hand_size:
            return HANDS
        if deal.given[seat] & ~deal.hands[seat] or size(deal.given[seat]) > pass_size(rules, deal):
            return GIVEN
    if not coming_is_right(rules, deal, whole=True):
        return GIVEN
    if size(deal.kitty) != rules.kitty_size:
        return KITTY
    return LAWFUL if cards_add_up(rules, deal) else CARDS


@inlined
def has_begun(rules: Record, deal: Record) -> bool:
    """Whether anything shows that cards have been played."""
    cards = deal.led | deal.best | deal.opening
    marks = deal.count | deal.gathered | deal.broken | deal.voided | deal.kitty_taker + 1
    for seat in range(rules.players):
        cards |= deal.taken[seat] | deal.excluded[seat]
        marks |= deal.won[seat]
    return cards != NONE or marks != 0  # type: ignore[no-any-return]


@inlined
def judge_play(rules: Record, deal: Record) -> int:
    """The fault of a deal that is in play, or over, or `LAWFUL`."""
    if not turn_is_right(rules, deal):
        return TURN
    if not hands_are_right(rules, deal):
        return HANDS
    if not trick_is_right(rules, deal):
        return TRICK
    if not taken_is_right(rules, deal):
        return TAKEN
    if not kitty_is_right(rules, deal):
        return KITTY
    if not cards_add_up(rules, deal):
        return CARDS
    if not opening_is_right(rules, deal):
        return OPENING
    if not leader_is_right(rules, deal):
        return LEADER
    if deal.broken != (played(rules, deal) & rules.breaking != NONE):
        return BROKEN
    if deal.voided >> rules.players:  # below 0 it stays -1
        return VOIDED
    if not excluded_is_right(rules, deal):
        return EXCLUDED
    return LAWFUL if given_is_right(rules, deal) else GIVEN


@inlined
def turn_is_right(rules: Record, deal: Record) -> bool:
    """Whether leader, cards played and turn agree; later checks use the three as indices."""
    if deal.leader < 0 or deal.leader >= rules.players:
        return False
    if deal.phase == OVER:
        at_rest = deal.gathered == rules.hand_size and deal.count == 0
    else:
        at_rest = 0 <= deal.gathered < rules.hand_size and 0 <= deal.count < rules.players
    return at_rest and deal.turn == seat_after(rules, deal.leader, deal.count)  # type: ignore[no-any-return]


@inlined
def hands_are_right(rules: Record, deal: Record) -> bool:
    """Whether every hand has as many cards as there are tricks to come."""
    for place in range(rules.players):
        held = rules.hand_size - deal.gathered - (place < deal.count)
        if size(deal.hands[seat_after(rules, deal.leader, place)]) != held:
            return False
    return True


@inlined
def trick_is_right(rules: Record, deal: Record) -> bool:
    """Whether each place has one card, and `led`, `best` and `winner` follow from them (T2, D7)."""
    led = best = NONE
    winner = deal.leader
    for place in range(deal.count):
        bit = deal.trick[place]
        if size(bit) != 1:
            return False
        if led == NONE:
            led = rules.suits[index_of(bit)]
        if bit & led > best:
            best = bit
            winner = seat_after(rules, deal.leader, place)
    return deal.led == led and deal.best == best and deal.winner == winner  # type: ignore[no-any-return]


@inlined
def taken_is_right(rules: Record, deal: Record) -> bool:
    """Whether whole tricks have been taken, as many as have been gathered."""
    gathered = 0
    for seat in range(rules.players):
        cards = size(deal.taken[seat])
        if deal.won[seat] != cards // rules.players or cards % rules.players:
            return False
        gathered += deal.won[seat]
    return gathered == deal.gathered  # type: ignore[no-any-return]


@inlined
def kitty_is_right(rules: Record, deal: Record) -> bool:
    """Whether the kitty has its size, and a seat with a trick has it when due (D6, W4)."""
    if size(deal.kitty) != rules.kitty_size:
        return False
    taker = deal.kitty_taker
    bringing = NONE
    for seat in range(rules.players):
        bringing |= deal.taken[seat] & rules.kitty_for
    over = deal.gathered == rules.hand_size
    if rules.kitty_size == 0 or not (over or bringing != NONE):
        return taker == -1  # type: ignore[no-any-return]
    if taker < 0 or taker >= rules.players or deal.won[taker] == 0:
        return False
    return bringing == NONE or deal.taken[taker] & rules.kitty_for != NONE  # type: ignore[no-any-return]


@inlined
def cards_add_up(rules: Record, deal: Record) -> bool:
    """Whether every card of the deck is somewhere, and only once."""
    cards = deal.kitty
    number = size(deal.kitty)
    for seat in range(rules.players):
        cards |= deal.hands[seat] | deal.taken[seat]
        number += size(deal.hands[seat]) + size(deal.taken[seat])
    cards |= on_table(deal)
    return cards == rules.deck and number + deal.count == rules.cards  # type: ignore[no-any-return]


@inlined
def opening_is_right(rules: Record, deal: Record) -> bool:
    """Whether it is the lowest club dealt, and its holder leads, and has led or can (L2, W2)."""
    if not rules.opens_low:
        return deal.opening == NONE  # type: ignore[no-any-return]
    if deal.opening != lowest(rules.deck & CLUB_MASK & ~deal.kitty):
        return False
    if deal.gathered:
        return True
    if deal.count == 0:
        return deal.hands[deal.leader] & deal.opening != NONE  # type: ignore[no-any-return]
    if deal.trick[0] == deal.opening:
        return True
    held = deal.hands[deal.leader] & deal.opening != NONE
    return held and deal.trick[0] & rules.openers != NONE  # type: ignore[no-any-return]


@inlined
def leader_is_right(rules: Record, deal: Record) -> bool:
    """Whether the leader has taken a trick (T2), or is the eldest hand in the first one (L1)."""
    if deal.gathered:
        return deal.won[deal.leader] > 0  # type: ignore[no-any-return]
    return rules.opens_low or deal.leader == seat_after(rules, deal.dealer, 1)  # type: ignore[no-any-return]


@inlined
def excluded_is_right(rules: Record, deal: Record) -> bool:
    """Whether the cards are of the deck and not in the seat's own hand."""
    for seat in range(rules.players):
        if deal.excluded[seat] & (deal.hands[seat] | ~rules.deck):
            return False
    return True


@inlined
def given_is_right(rules: Record, deal: Record) -> bool:
    """Whether each pass is small enough, and held by nobody but its taker."""
    held = NONE
    for seat in range(rules.players):
        held |= deal.hands[seat]
        if size(deal.given[seat]) > pass_size(rules, deal):
            return False
    for seat in range(rules.players):
        got, taker = deal.coming[seat], seat
        if deal.step != SCATTERED:
            got, taker = deal.given[seat], seat_after(rules, seat, deal.step)
        strayed = got & (deal.kitty | ~rules.deck | held & ~deal.hands[taker])
        if strayed != NONE:
            return False
    return coming_is_right(rules, deal, whole=False)


@inlined
def coming_is_right(rules: Record, deal: Record, whole: bool) -> bool:
    """Whether a scatter brings the next seats a card each, in order; and other passes nothing.

    Args:
        whole: whether all coming cards must have a giver; in a deal that is in play, hidden
            givers may have been left out.
    """
    given = coming = NONE
    for seat in range(rules.players):
        if coming & deal.coming[seat]:
            return False
        coming |= deal.coming[seat]
        given |= deal.given[seat]
    if deal.step != SCATTERED:
        return coming == NONE  # type: ignore[no-any-return]
    if whole and coming & ~given:
        return False
    for seat in range(rules.players):
        if deal.given[seat] & deal.coming[seat]:
            return False
        for place in range(1, rules.players):
            one = deal.given[seat] & deal.coming[seat_after(rules, seat, place)]
            if size(one) != (place <= size(deal.given[seat])):
                return False
    return True


@entry(types.int64(TABLE, DEALS, types.int64[::1]))
def first_unlawful(table: Records, deals: Records, verdict: Record) -> int:
    """The first row that is no position, or -1.

    Args:
        verdict: `int64[1]`; the fault of that row is written there.
    """
    rules = table[0]
    for row in range(len(deals)):
        verdict[0] = judge(rules, deals[row])
        if verdict[0] != LAWFUL:
            return row
    return -1
