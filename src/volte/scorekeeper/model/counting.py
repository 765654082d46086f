"""From the cards taken in a deal, or from what stopped it, to its score by `rules.scoring`.

Deals that are reported by their points are in `points`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from volte.cards import JACK, QUEEN, Card
from volte.referee.rulings import stopped
from volte.referee.scores import Took
from volte.rules import MoonBy, MoonRule, Ruleset, Score, minus_is_open, score
from volte.scorekeeper.model.entries import Counted, SheetFault, StoppedDeal, Taken, Told, played
from volte.scorekeeper.model.pack import (
    DealNeeds,
    NeededCard,
    copies_of,
    hearts_of,
    needs_of,
    shared,
)

Takers = dict[Card, tuple[int, ...]]
"""Who took each card, the kinds of which nothing was told left out."""


class ReckonedDeal(msgspec.Struct, frozen=True):
    """A deal with nothing left open, and its score."""

    told: Told  # nothing left out
    score: Score | None  # None for a misdeal
    taken: tuple[
        int, ...
    ]  # mask per seat of the cards that count, or of others that count the same
    # The score with its moon taken off the shooter, where the totals decide between the two (W7).
    minus: Score | None = None


class Scored(msgspec.Struct, frozen=True):
    """A deal by the rules; see `ReckonedDeal`."""

    score: Score
    taken: tuple[int, ...]
    minus: Score | None = None


def everything(
    rules: Ruleset,
    seat: int,
    slam: bool = False,
    jack: int | None = None,
    missing: tuple[Card, ...] = (),
    took: Mapping[Card, tuple[int, ...]] = MappingProxyType({}),
    trickless: tuple[int, ...] | None = None,
    minus: bool | None = None,
) -> Told:
    """A deal in which that player took every penalty card, and every trick where `slam` says so.

    Args:
        jack, took: who took cards that count below zero, where those are not needed too (W7).

    Raises `SheetFault` for a wrong card missing.
    """
    needs = needs_of(rules, missing)
    takers = dict(took)
    if jack is not None and needs.jack:
        takers[JACK] = (jack,)
    for card in needs.cards:
        if card.points > 0 or slam or rules.moon.needs_jack:
            takers[card.card] = (seat,) * card.copies
    single = {card: takers.pop(card, None) for card in (QUEEN, JACK) if needs.has_field(card)}
    queen, its_jack = single.get(QUEEN), single.get(JACK)
    return played(
        [needs.hearts if other == seat else 0 for other in range(rules.players)],
        takers,
        queen=queen[0] if queen else None,
        jack=its_jack[0] if its_jack else None if needs.jack else jack,
        all_tricks=seat if slam else None,
        missing=missing,
        trickless=trickless,
        minus=minus,
    )


# Deals that were stopped


def reckon_stopped(rules: Ruleset, deal: StoppedDeal) -> ReckonedDeal:
    """The penalties of those who stopped a deal. Raises `SheetFault`."""
    for seats in (deal.revoked, deal.mixed):
        for place, seat in enumerate(seats):
            check_seat(rules, seat)
            if seat in seats[:place]:
                raise SheetFault("offender_twice")
    if not deal.revoked and not deal.mixed:
        raise SheetFault("no_offender")
    complete = StoppedDeal(tuple(sorted(deal.revoked)), tuple(sorted(deal.mixed)))
    offenders = {*deal.revoked, *deal.mixed}
    return ReckonedDeal(complete, stopped(rules, offenders), (0,) * rules.players)


# By the cards


def reckon_taken(rules: Ruleset, deal: Taken) -> ReckonedDeal:
    """A deal by its cards, by the rules of the pack it was played with. Raises `SheetFault`."""
    needs = needs_of(rules)
    groups = groups_of(rules, deal.hearts)
    check_seats(rules, deal, deal.queen)
    check_extra(deal, needs)
    takers = takers_of(deal)
    if deal.queen is not None and needs.queen:
        takers[QUEEN] = (deal.queen,)
    counts = deal.hearts
    if deal.all_tricks is not None:
        counts = _every_trick(rules, deal.all_tricks, needs, groups, counts, takers)
    hearts = _hearts(counts, needs)
    if deal.queen is not None and not needs.queen:
        if any(each.card is QUEEN for each in needs.cards):
            raise SheetFault("who_took_both_cards", card=QUEEN)
        raise SheetFault("queen_counts_nothing")
    check_takers(needs, takers)
    piles = _piles(rules, hearts, takers, groups)
    one_by_one = len(groups) == rules.players or deal.all_tricks is not None
    if not one_by_one and rules.moon.by is MoonBy.PLAYER:
        _check_no_moon(rules, piles, groups)
    trickless = _trickless(rules, deal, needs, groups, hearts, takers)
    all_tricks = deal.all_tricks
    if all_tricks is None and needs.all_tricks and needs.trickless:
        all_tricks = all_taken_by(rules, trickless, piles)
    scored = scored_by(rules, piles, all_tricks, trickless, deal.minus)
    complete = msgspec.structs.replace(
        deal,
        hearts=hearts,
        queen=takers[QUEEN][0] if needs.queen else None,
        jack=takers[JACK][0] if needs.jack else None,
        all_tricks=all_tricks,
        others=others_of(needs, takers),
        trickless=trickless if needs.trickless else None,
        minus=minus_told(rules, scored.score),
    )
    return ReckonedDeal(complete, scored.score, scored.taken, scored.minus)


def _hearts(counts: Sequence[int | None], needs: DealNeeds) -> tuple[int, ...]:
    if any(count is not None and count < 0 for count in counts):
        raise SheetFault("negative_hearts")
    given = sum(count or 0 for count in counts)
    hearts = filled(counts, needs.hearts)
    if hearts is None and given < needs.hearts and None in counts:
        reason = "heart_points_left_out" if needs.ranked else "hearts_left_out"
        raise SheetFault(reason, given=given, due=needs.hearts)
    if hearts is None or given > needs.hearts:
        reason = "heart_points_do_not_add_up" if needs.ranked else "hearts_do_not_add_up"
        raise SheetFault(reason, given=given, due=needs.hearts)
    return hearts


def _every_trick(
    rules: Ruleset,
    seat: int,
    needs: DealNeeds,
    groups: Sequence[tuple[int, ...]],
    counts: Sequence[int | None],
    takers: Takers,
) -> tuple[int | None, ...]:
    """The count of hearts, completed: whoever took every trick, or their side, has every card.

    Adds the takers of the other cards to `takers`. Raises `SheetFault` for a contradiction.
    """
    side = doers(rules, seat)
    mine = [place for place, group in enumerate(groups) if {*group} & {*side}]
    own = next(place for place in mine if seat in groups[place])
    for place, count in enumerate(counts):
        if count and place not in mine:
            raise SheetFault("slam_takes_everything")
    if any(taker not in side for seats in takers.values() for taker in seats):
        raise SheetFault("slam_takes_everything")
    for each in needs.cards:
        takers.setdefault(each.card, (seat,) * each.copies)
    hearts = [0 if count is None else count for count in counts]
    if counts[own] is None:
        hearts[own] = max(0, needs.hearts - sum(hearts))
    return tuple(hearts)


def _piles(
    rules: Ruleset, hearts: Sequence[int], takers: Takers, groups: Sequence[tuple[int, ...]]
) -> tuple[int, ...]:
    """Mask per seat of the cards taken, with any hearts that count as much as was told.

    Raises `SheetFault` where no hearts do.
    """
    parts = shared(hearts_of(rules), hearts)
    if parts is None:
        raise SheetFault("no_hearts_count_so")
    piles = cards_of_takers(rules, takers)
    for group, part in zip(groups, parts, strict=True):
        piles[group[0]] |= part
    return tuple(piles)


def _check_no_moon(rules: Ruleset, piles: Sequence[int], groups: Sequence[tuple[int, ...]]) -> None:
    """Raises `SheetFault` where a side has everything: one player's moon, or none (W10)?"""
    if rules.moon.moon is MoonRule.OFF:
        return
    needed = rules.counting_mask if rules.moon.needs_jack else rules.penalty_mask
    for group in groups:
        together = 0
        for seat in group:
            together |= piles[seat]
        if not needed & ~together:
            raise SheetFault("which_partner_took_all")


def _trickless(
    rules: Ruleset,
    deal: Taken,
    needs: DealNeeds,
    groups: Sequence[tuple[int, ...]],
    hearts: Sequence[int],
    takers: Takers,
) -> tuple[int, ...]:
    """Who took no trick, where that counts (W6).

    Raises `SheetFault` where the cards leave it open, and for a contradiction.
    """
    if not needs.trickless:
        return ()
    busy = [group for group, count in zip(groups, hearts, strict=True) if count]
    some = {seat for group in busy if len(group) == 1 for seat in group}
    some |= {seat for seats in takers.values() for seat in seats}
    none: set[int] = set()
    if deal.all_tricks is not None:
        some.add(deal.all_tricks)
        none = {*range(rules.players)} - {*doers(rules, deal.all_tricks)}
    if deal.trickless is None and len(some | none) < rules.players:
        raise SheetFault("who_took_no_trick")
    none |= {*(deal.trickless or ())}
    with_cards = [group for group in (*busy, *((seat,) for seat in some)) if none.issuperset(group)]
    if with_cards:
        raise SheetFault("trickless_has_cards", number=with_cards[0][0] + 1)
    if len(none) == rules.players:
        raise SheetFault("trickless_everybody")
    return tuple(sorted(none))


# What both have in common


def filled(counts: Sequence[int | None], due: int) -> tuple[int, ...] | None:
    """The counts completed to that sum: one left out is the rest, several left out are zero.

    None where they cannot be.
    """
    rest = due - sum(count or 0 for count in counts)
    if rest and list(counts).count(None) != 1:
        return None
    return tuple(rest if count is None else count for count in counts)


def groups_of(rules: Ruleset, counts: Sequence[int | None]) -> tuple[tuple[int, ...], ...]:
    """Whom each of the numbers is for: a seat, or a side (W10). Raises `SheetFault`."""
    if len(counts) == rules.players:
        return tuple((seat,) for seat in range(rules.players))
    if len(counts) != len(rules.all_sides):
        raise SheetFault("players_told", given=len(counts), due=rules.players)
    return rules.all_sides


def check_seat(rules: Ruleset, seat: int) -> None:
    """Raises `SheetFault` for a seat that there is not."""
    if not 0 <= seat < rules.players:
        raise SheetFault("no_player_there", number=seat + 1, players=rules.players)


def check_seats(rules: Ruleset, deal: Taken | Counted, queen: int | None = None) -> None:
    """Raises `SheetFault` for a seat that there is not."""
    for seat in (queen, deal.jack, deal.all_tricks):
        if seat is not None:
            check_seat(rules, seat)
    for seat in (*(seat for took in deal.others for seat in took.seats), *(deal.trickless or ())):
        check_seat(rules, seat)


def check_extra(deal: Taken | Counted, needs: DealNeeds) -> None:
    """Raises `SheetFault` for what counts nothing by the rules."""
    kinds = tuple(each.card for each in needs.cards)
    if deal.jack is not None and not needs.jack:
        if JACK in kinds:
            raise SheetFault("who_took_both_cards", card=JACK)
        raise SheetFault("jack_counts_nothing")
    if deal.all_tricks is not None and not needs.all_tricks:
        raise SheetFault("slam_counts_nothing")
    if deal.trickless and not needs.trickless:
        raise SheetFault("trickless_counts_nothing")
    for took in deal.others:
        if took.card not in kinds:
            raise SheetFault("card_counts_nothing", card=took.card)


def takers_of(deal: Taken | Counted) -> Takers:
    """Who took the jack and the other cards."""
    takers = {took.card: tuple(sorted(took.seats)) for took in deal.others if took.seats}
    if deal.jack is not None:
        takers[JACK] = (deal.jack,)
    return takers


_WHO = {QUEEN: "who_took_the_queen", JACK: "who_took_the_jack"}


def who_took(due: NeededCard) -> SheetFault:
    """The fault that asks who took a card, or the two of two packs."""
    if due.copies > 1:
        return SheetFault("who_took_both_cards", card=due.card)
    if due.card in _WHO:
        return SheetFault(_WHO[due.card])
    return SheetFault("who_took_the_card", card=due.card)


def check_takers(needs: DealNeeds, takers: Takers) -> None:
    """Raises `SheetFault` for a card whose takers are not told, or are too many."""
    for each in needs.cards:
        seats = takers.get(each.card)
        if seats is None:
            raise who_took(each)
        if len(seats) != each.copies:
            params = {"card": each.card, "given": len(seats), "due": each.copies}
            raise SheetFault("card_takers", **params)


def others_of(needs: DealNeeds, takers: Takers) -> tuple[Took, ...]:
    """The cards that have no field of their own, and who took them."""
    return tuple(Took(card, takers[card]) for card in sorted(takers) if not needs.has_field(card))


def doers(rules: Ruleset, seat: int) -> tuple[int, ...]:
    """Who shoots a moon or makes a slam together with that seat (W10)."""
    return rules.side(seat) if rules.moon.by is MoonBy.SIDE else (seat,)


def all_taken_by(rules: Ruleset, trickless: Sequence[int], taken: Sequence[int]) -> int | None:
    """Who took every trick, where all others, or all of the other sides, took none; else None."""
    active = [seat for seat in range(rules.players) if seat not in trickless]
    if not {*active} <= {*doers(rules, active[0])}:
        return None
    return max(active, key=lambda seat: rules.points_in(taken[seat] & rules.penalty_mask))


def cards_of_takers(rules: Ruleset, takers: Takers) -> list[int]:
    """Mask per seat of the cards that somebody has been told to have."""
    piles = [0] * rules.players
    for card, seats in takers.items():
        for copy, seat in zip(copies_of(rules, card), seats, strict=True):
            piles[seat] |= copy.bit
    return piles


def scored_by(
    rules: Ruleset,
    taken: Sequence[int],
    all_tricks: int | None,
    trickless: Sequence[int],
    minus: bool | None,
) -> Scored:
    """The score by the rules. Raises `SheetFault` where they ask which way a moon counts (W7)."""
    tricks = _tricks(rules, all_tricks, trickless)
    plus = score(rules, taken, tricks)
    if minus_is_open(rules, plus) is None:
        if minus is not None:
            chooses = rules.moon.moon is MoonRule.SHOOTER_CHOOSES
            raise SheetFault("no_moon_was_shot" if chooses else "moon_counts_one_way")
        return Scored(plus, tuple(taken))
    other = score(rules, taken, tricks, minus=True)
    if rules.moon.moon is MoonRule.PLUS_UNLESS_LOST:
        if minus is not None:
            raise SheetFault("moon_counts_by_totals")
        return Scored(plus, tuple(taken), other)
    if minus is None:
        raise SheetFault("moon_which_way")
    return Scored(other if minus else plus, tuple(taken))


def _tricks(rules: Ruleset, all_tricks: int | None, trickless: Sequence[int]) -> list[int]:
    """Numbers of tricks that score alike; where nobody took all, two players of two sides did."""
    seats = range(rules.players)
    if rules.points.no_tricks:
        return [(seat not in trickless) + (seat == all_tricks) for seat in seats]
    winners = (0, 1) if all_tricks is None else (all_tricks,)
    return [int(seat in winners) for seat in seats]


def minus_told(rules: Ruleset, scored: Score) -> bool | None:
    """Which way the shooter chose for the moon, to be kept on the sheet; else None (W7)."""
    if rules.moon.moon is not MoonRule.SHOOTER_CHOOSES:
        return None
    return None if minus_is_open(rules, scored) is None else scored.minus
