"""Deals played at random from a seed: the fastest loop of the kernel.

The dealing and the trick of `volte.kernel.play` are repeated here, with the same duties from the
same table, because random play allows special means:

- The generator counts its state up, so all draws of a deal can be made beforehand, eight numbers at
  a time where the processor has wide registers.
- A number that has to be drawn again (one deal in some two million) would shift all that follow.
  Such a deal is noticed, and played once more by the functions of `play`; so is every deal where
  cards are scattered (W1), or where duties look at cards of the same trick (W3).
- Two deals are played in turns, a trick each: while one waits for its last card, the other goes on.
- Voids are selected, not jumped on: no processor could predict them.

`docs/kernel.md` has the gain of each.
"""

from __future__ import annotations

import numpy as np
from numba import types

from volte.kernel.compiler import (
    HALF,
    LOW,
    NONE,
    ONE,
    OUTCOMES,
    STEP,
    TABLE,
    U,
    apart,
    count,
    either,
    entry,
    inlined,
    lowest_index,
    nth,
    rarely,
    scratch,
    split,
    word,
)
from volte.kernel.layout import (
    DEAL,
    DRAWS,
    MOST_CARDS,
    MOST_DRAWS,
    MOST_PASSED,
    PLAYING,
    Record,
    Records,
)
from volte.kernel.play import (
    begin_deal,
    brings_kitty,
    deal_cards,
    exchange,
    legal_cards,
    may_discard,
    may_lead,
    play_card,
    prefer,
    random_card,
    random_pass,
    score,
    start_play,
    suit_of,
)


@inlined
def begin(rules: Record, deal: Record, index: int, seed: U) -> None:
    begin_deal(rules, deal, index + 1, index % rules.players, split(seed, U(index)))


@apart
def play_in_full(rules: Record, deal: Record, draws: Record) -> None:
    """Deal and play a deal that has begun, drawing number by number."""
    deal_cards(rules, deal, draws.order)
    if deal.step:
        for seat in range(rules.players):
            random_pass(rules, deal, seat)
        exchange(rules, deal)
    start_play(rules, deal)
    while deal.phase == PLAYING:
        play_card(rules, deal, random_card(deal, legal_cards(rules, deal)))


@inlined
def draw(rules: Record, deal: Record, draws: Record) -> None:
    """Draw all numbers of the deal. The loops have fixed ends and no jumps, to be vectorised."""
    cards = U(rules.cards)
    chance = deal.chance
    again = rules.number_by_number
    for place in range(ONE, U(MOST_DRAWS)):
        product = word(chance + (cards - place) * STEP) * (place + ONE)
        draws.others[place] = product >> HALF
        again |= ONE if product & LOW <= place and place < cards else NONE
    draws.again = again
    chance += (cards - ONE) * STEP
    if deal.step > 0:
        for place in range(U(MOST_PASSED)):
            draws.passes[place] = word(chance + (place + ONE) * STEP)
        chance += U(rules.players * rules.pass_count) * STEP
    for place in range(U(MOST_DRAWS)):
        draws.plays[place] = word(chance + (place + ONE) * STEP)
    for place in range(U(MOST_CARDS)):
        draws.order[place] = rules.order[place]


@inlined
def drawn(draws: Record, bits: U, mask: U) -> U:
    """A card of the mask, by 32 bits: `volte.kernel.play.random_card`."""
    cards = count(mask)
    product = bits * cards
    if rarely(product & LOW < cards):
        draws.again = ONE
    return nth(mask, product >> HALF)


@inlined
def deal_drawn(rules: Record, deal: Record, draws: Record) -> None:
    """Shuffle and deal: `volte.kernel.play.deal_cards`."""
    players = U(rules.players)
    dealt = players * U(rules.hand_size)
    for each in range(players):
        deal.hands[each] = NONE
    kitty = NONE
    left = U(rules.cards)
    while left > dealt:
        left -= ONE
        other = draws.others[left]
        kitty |= draws.order[other]
        draws.order[other] = draws.order[left]
    deal.kitty = kitty
    seat = U(deal.dealer)
    while left > NONE:
        left -= ONE
        other = draws.others[left]
        deal.hands[seat] |= draws.order[other]
        draws.order[other] = draws.order[left]
        seat = seat - ONE if seat != NONE else players - ONE


@inlined
def pass_drawn(rules: Record, deal: Record, draws: Record) -> None:
    """Pass for every seat: `volte.kernel.play.random_pass`."""
    place = NONE
    for seat in range(U(rules.players)):
        left = deal.hands[seat]
        for _ in range(rules.pass_count):
            left ^= drawn(draws, draws.passes[place], left)
            place += ONE
        deal.given[seat] = deal.hands[seat] ^ left
    exchange(rules, deal)


@inlined
def trick(rules: Record, deal: Record, draws: Record, gathered: U) -> None:
    """Play a whole trick: `legal_cards`, `play_card` and `gather` of `volte.kernel.play`."""
    players = U(rules.players)
    play = gathered * players
    full = play + players
    seat = U(deal.leader)
    winner = seat
    led, best, table = NONE, NONE, NONE
    while led == NONE and play < full:  # a second time only after a joker
        hand = deal.hands[seat]
        legal = may_lead(rules, hand, gathered, U(deal.broken))
        if gathered == NONE and deal.opening != NONE:
            legal, deal.opening = hand & (deal.opening | rules.openers), NONE
        bit = drawn(draws, draws.plays[play], legal)
        deal.hands[seat] = hand ^ bit
        table |= bit
        led = rules.suits[lowest_index(bit)]
        best = bit & led
        winner = either(led != NONE, seat, winner)
        seat = next_seat(seat, players)
        play += ONE
    plain = rules.plain[gathered] != 0
    suit = suit_of(led)
    broken = U(deal.broken)
    before = U(deal.voided)
    voided = before
    while play < full:
        hand = deal.hands[seat]
        found = hand & led
        if plain:
            legal = prefer(hand, led)
        else:
            had_chance = before >> seat & ONE
            thrown = may_discard(rules, hand, gathered, suit, broken, had_chance)
            legal = either(found != NONE, found, thrown)
            voided |= (ONE if found == NONE else NONE) << seat
        bit = drawn(draws, draws.plays[play], legal)
        deal.hands[seat] = hand ^ bit
        table |= bit
        follows = bit & led
        winner = either(follows > best, seat, winner)
        best = either(follows > best, follows, best)
        seat = next_seat(seat, players)
        play += ONE
    deal.voided = np.int64(voided)
    deal.broken |= np.int64(table & rules.breaking != NONE)
    deal.taken[winner] |= table
    deal.won[winner] += 1
    deal.leader = np.int64(winner)
    if brings_kitty(rules, deal, table, gathered + ONE == U(rules.hand_size)):
        deal.kitty_taker = deal.leader


@inlined
def next_seat(seat: U, players: U) -> U:
    return seat + ONE if seat + ONE < players else NONE


@entry(types.void(TABLE, types.uint64, types.int64, OUTCOMES))
def random_deals(table: Records, seed: U, first: int, outcomes: Records) -> None:
    """Play deals from number `first` (from 0) on, as many as there are outcomes."""
    rules = table[0]
    deals = scratch(2, DEAL)
    draws = scratch(2, DRAWS)
    rows = len(outcomes)
    for row in range(0, rows, 2):
        for place in range(2):
            index = first + row + place
            begin(rules, deals[place], index, seed)
            draw(rules, deals[place], draws[place])
        for place in range(2):
            deal_drawn(rules, deals[place], draws[place])
            if deals[place].step > 0:
                pass_drawn(rules, deals[place], draws[place])
            start_play(rules, deals[place])
        for gathered in range(rules.hand_size):
            trick(rules, deals[0], draws[0], U(gathered))
            trick(rules, deals[1], draws[1], U(gathered))
        for place in range(min(2, rows - row)):
            if rarely(draws[place].again != NONE):
                begin(rules, deals[place], first + row + place, seed)
                play_in_full(rules, deals[place], draws[place])
            score(rules, deals[place], outcomes[row + place])
