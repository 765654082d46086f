"""Deals reported by the cards taken, or stopped: completed, and scored by `rules.scoring`.

Deals reported by their points are in `points`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from volte.cards import JACK, QUEEN, Card
from volte.referee.rulings import stopped
from volte.rules import MoonBy, MoonRule, Ruleset, Score, minus_is_open, score
from volte.rules.scoring import doers
from volte.scorekeeper.model.entries import (
    Counted,
    DealReport,
    SheetFault,
    StoppedDeal,
    Taken,
    played,
)
from volte.scorekeeper.model.pack import (
    DealNeeds,
    NeededCard,
    copies_of,
    hearts_of,
    needs_of,
    shared,
)
from volte.sheet import Took

Takers = dict[Card, tuple[int, ...]]
"""Card → seats that took it, one for each copy; cards not reported are left out."""


class ReckonedDeal(msgspec.Struct, frozen=True):
    """A deal with nothing left open, and its score."""

    report: DealReport  # the report, complete
    score: Score | None  # None for a misdeal
    taken: tuple[
        int, ...
    ]  # mask per seat of the cards that count, or of others that count the same
    # The score with its moon taken off the shooter, where the totals decide between the two (W7).
    minus: Score | None = None


class Scored(msgspec.Struct, frozen=True):
    """The score of a deal by the rules; the fields are those of `ReckonedDeal`."""

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
) -> DealReport:
    """A deal in which one player took every penalty card, and with `slam` every trick.

    Args:
        jack, took: takers of the cards below zero, unless the moon needs those cards too (W7).

    Raises `SheetFault` for a missing card that is not in the pack or counts nothing.
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
    """A stopped deal with the penalties of its offenders. Raises `SheetFault`."""
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


# Deals reported by the cards


def reckon_taken(rules: Ruleset, deal: Taken) -> ReckonedDeal:
    """A deal by the cards taken; the rules are those of its pack (I8). Raises `SheetFault`."""
    return _CardsReader(rules, deal).reckoned()


class _CardsReader:
    """Completes the report of a deal by its cards, and scores it."""

    def __init__(self, rules: Ruleset, deal: Taken) -> None:
        self.rules = rules
        self.deal = deal
        self.needs = needs_of(rules)
        self.groups = groups_of(rules, deal.hearts)  # the seats that each count of hearts is for
        self.takers = takers_of(deal)

    def reckoned(self) -> ReckonedDeal:
        """The deal, complete, and its score. Raises `SheetFault`."""
        rules, deal, needs, takers = self.rules, self.deal, self.needs, self.takers
        check_seats(rules, deal, deal.queen)
        check_extra(deal, needs)
        if deal.queen is not None and needs.queen:
            takers[QUEEN] = (deal.queen,)
        hearts = self.hearts(deal.hearts if deal.all_tricks is None else self.with_all_tricks())
        if deal.queen is not None and not needs.queen:
            if any(each.card is QUEEN for each in needs.cards):
                raise SheetFault("who_took_both_cards", card=QUEEN)
            raise SheetFault("queen_counts_nothing")
        check_takers(needs, takers)
        piles = self.piles(hearts)
        one_by_one = len(self.groups) == rules.players or deal.all_tricks is not None
        if not one_by_one and rules.moon.by is MoonBy.PLAYER:
            self.check_no_moon(piles)
        trickless = self.trickless(hearts)
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
            minus=way_chosen(rules, scored.score),
        )
        return ReckonedDeal(complete, scored.score, scored.taken, scored.minus)

    def hearts(self, counts: Sequence[int | None]) -> tuple[int, ...]:
        """The counts of hearts, complete. Raises `SheetFault` where they do not add up."""
        if any(count is not None and count < 0 for count in counts):
            raise SheetFault("negative_hearts")
        all_hearts, ranked = self.needs.hearts, self.needs.ranked
        given = sum(count or 0 for count in counts)
        hearts = filled(counts, all_hearts)
        if hearts is None and given < all_hearts and None in counts:
            reason = "heart_points_left_out" if ranked else "hearts_left_out"
            raise SheetFault(reason, given=given, due=all_hearts)
        if hearts is None or given > all_hearts:
            reason = "heart_points_do_not_add_up" if ranked else "hearts_do_not_add_up"
            raise SheetFault(reason, given=given, due=all_hearts)
        return hearts

    def with_all_tricks(self) -> Sequence[int | None]:
        """The counts of hearts of a slam: one player, or their side, has every card.

        Adds the takers of the other cards to `takers`. Raises `SheetFault` for a contradiction.
        """
        seat, counts = self.deal.all_tricks, self.deal.hearts
        assert seat is not None
        side = doers(self.rules, seat)
        mine = [place for place, group in enumerate(self.groups) if {*group} & {*side}]
        own = next(place for place in mine if seat in self.groups[place])
        if any(count and place not in mine for place, count in enumerate(counts)):
            raise SheetFault("slam_takes_everything")
        if any(taker not in side for seats in self.takers.values() for taker in seats):
            raise SheetFault("slam_takes_everything")
        for each in self.needs.cards:
            self.takers.setdefault(each.card, (seat,) * each.copies)
        hearts = [0 if count is None else count for count in counts]
        if counts[own] is None:
            hearts[own] = max(0, self.needs.hearts - sum(hearts))
        return hearts

    def piles(self, hearts: Sequence[int]) -> tuple[int, ...]:
        """Mask per seat of the cards taken; its hearts are any that add up to the count reported.

        Raises `SheetFault` where no hearts do.
        """
        parts = shared(hearts_of(self.rules), hearts)
        if parts is None:
            raise SheetFault("no_hearts_count_so")
        piles = cards_of_takers(self.rules, self.takers)
        for group, part in zip(self.groups, parts, strict=True):
            piles[group[0]] |= part
        return tuple(piles)

    def check_no_moon(self, piles: Sequence[int]) -> None:
        """Raise `SheetFault` where a side has everything: a moon, or shared by partners (W10)?"""
        rules = self.rules
        if rules.moon.moon is MoonRule.OFF:
            return
        for group in self.groups:
            if not rules.moon_mask & ~sum(piles[seat] for seat in group):  # no card is in two piles
                raise SheetFault("which_partner_took_all")

    def trickless(self, hearts: Sequence[int]) -> tuple[int, ...]:
        """The seats that took no trick; empty where that does not count (W6).

        Raises `SheetFault` where the cards leave it open, and for a contradiction.
        """
        deal, seats = self.deal, {*range(self.rules.players)}
        if not self.needs.trickless:
            return ()
        busy = [group for group, count in zip(self.groups, hearts, strict=True) if count]
        some = {group[0] for group in busy if len(group) == 1}
        some |= {seat for takers in self.takers.values() for seat in takers}
        none: set[int] = set()
        if deal.all_tricks is not None:
            some.add(deal.all_tricks)
            none = seats - {*doers(self.rules, deal.all_tricks)}
        if deal.trickless is None and some | none < seats:
            raise SheetFault("who_took_no_trick")
        none |= {*(deal.trickless or ())}
        with_cards = [
            group for group in (*busy, *((seat,) for seat in some)) if none.issuperset(group)
        ]
        if with_cards:
            raise SheetFault("trickless_has_cards", number=with_cards[0][0] + 1)
        if none == seats:
            raise SheetFault("trickless_everybody")
        return tuple(sorted(none))


# Shared by deals reported by cards and by points


def filled(counts: Sequence[int | None], total: int) -> tuple[int, ...] | None:
    """The counts completed to a total: one left out gets the rest, several left out are zero.

    None where that does not give the total.
    """
    rest = total - sum(count or 0 for count in counts)
    if rest and list(counts).count(None) != 1:
        return None
    return tuple(rest if count is None else count for count in counts)


def groups_of(rules: Ruleset, counts: Sequence[int | None]) -> tuple[tuple[int, ...], ...]:
    """The seats that each count is for: one seat, or a side (W10). Raises `SheetFault`."""
    if len(counts) == rules.players:
        return tuple((seat,) for seat in range(rules.players))
    if len(counts) != len(rules.all_sides):
        raise SheetFault("players_told", given=len(counts), due=rules.players)
    return rules.all_sides


def check_seat(rules: Ruleset, seat: int) -> None:
    """Raise `SheetFault` for a seat that does not exist."""
    if not 0 <= seat < rules.players:
        raise SheetFault("no_player_there", number=seat + 1, players=rules.players)


def check_seats(rules: Ruleset, deal: Taken | Counted, queen: int | None = None) -> None:
    """Raise `SheetFault` if the deal names a seat that does not exist."""
    for seat in (queen, deal.jack, deal.all_tricks):
        if seat is not None:
            check_seat(rules, seat)
    for seat in (*(seat for took in deal.others for seat in took.seats), *(deal.trickless or ())):
        check_seat(rules, seat)


def check_extra(deal: Taken | Counted, needs: DealNeeds) -> None:
    """Raise `SheetFault` for anything in the report that counts nothing by the rules."""
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
    """The takers of the jack and the other cards, as far as the report names them."""
    takers = {took.card: tuple(sorted(took.seats)) for took in deal.others if took.seats}
    if deal.jack is not None:
        takers[JACK] = (deal.jack,)
    return takers


_WHO = {QUEEN: "who_took_the_queen", JACK: "who_took_the_jack"}


def who_took(needed: NeededCard) -> SheetFault:
    """The fault that asks who took a card, or both copies of two packs."""
    if needed.copies > 1:
        return SheetFault("who_took_both_cards", card=needed.card)
    if needed.card in _WHO:
        return SheetFault(_WHO[needed.card])
    return SheetFault("who_took_the_card", card=needed.card)


def check_takers(needs: DealNeeds, takers: Takers) -> None:
    """Raise `SheetFault` for a card with no takers, or not one for each copy."""
    for each in needs.cards:
        seats = takers.get(each.card)
        if seats is None:
            raise who_took(each)
        if len(seats) != each.copies:
            params = {"card": each.card, "given": len(seats), "due": each.copies}
            raise SheetFault("card_takers", **params)


def others_of(needs: DealNeeds, takers: Takers) -> tuple[Took, ...]:
    """The takers of the cards that have no field of their own."""
    return tuple(Took(card, takers[card]) for card in sorted(takers) if not needs.has_field(card))


def all_taken_by(rules: Ruleset, trickless: Sequence[int], taken: Sequence[int]) -> int | None:
    """The seat with every trick, if nobody else, or no other side, took one; else None."""
    active = [seat for seat in range(rules.players) if seat not in trickless]
    if not {*active} <= {*doers(rules, active[0])}:
        return None
    return max(active, key=lambda seat: rules.points_in(taken[seat] & rules.penalty_mask))


def cards_of_takers(rules: Ruleset, takers: Takers) -> list[int]:
    """Mask per seat of the cards with known takers."""
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
    """The score by the rules. Raises `SheetFault` unless `minus` fits the moon's rule (W7)."""
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
    """Tricks per seat that score as the true ones; without a slam two sides took some."""
    seats = range(rules.players)
    if rules.points.no_tricks:
        return [(seat not in trickless) + (seat == all_tricks) for seat in seats]
    winners = (0, 1) if all_tricks is None else (all_tricks,)
    return [int(seat in winners) for seat in seats]


def way_chosen(rules: Ruleset, scored: Score) -> bool | None:
    """Whether the shooter chose to take the moon off, for the sheet; None without a choice (W7)."""
    if rules.moon.moon is not MoonRule.SHOOTER_CHOOSES:
        return None
    return None if minus_is_open(rules, scored) is None else scored.minus
