"""Deals reported by the points that people write down: read and scored. `reckon` takes all deals.

Points may be written as the cards count: they add up to the total of all cards, and the player
with all of it has shot the moon. Or as they are scored: after a moon or a slam they add up as S6
says, and partners have the same (W10). If the points can be read in two ways that differ, they
are refused, and the fault asks for more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.cards import JACK, QUEEN
from volte.rules import MoonBy, MoonRule, Ruleset, Score, Settlement
from volte.rules.scoring import doers, expected_sum
from volte.scorekeeper.model import counting
from volte.scorekeeper.model.counting import ReckonedDeal, Scored, Takers
from volte.scorekeeper.model.entries import (
    Counted,
    DealReport,
    LostDeal,
    SheetFault,
    StoppedDeal,
    Taken,
)
from volte.scorekeeper.model.pack import missing_of, needs_of, shared, without

Counts = Sequence[int | None]
"""Points as they were reported; None for a number that was left out."""

Groups = Sequence[tuple[int, ...]]

NOT_HEARTS: Final = {
    *("hearts_do_not_add_up", "heart_points_do_not_add_up", "no_hearts_count_so"),
    *("hearts_left_out", "heart_points_left_out", "negative_hearts"),
}
"""Reasons of faults where numbers cannot be hearts, but may be points."""

NOT_POINTS: Final = {
    *("points_do_not_add_up", "points_or_moon", "points_sums", "points_too_many"),
    *("points_left_out", "nobody_has_the_queen", "no_cards_count_so"),
}
"""Reasons of faults where numbers cannot be points, but may be hearts."""

MOST_WAYS: Final = 300
"""Limit of the ways to share the cards below zero; beyond it a fault asks for their takers."""


def reckon(rules: Ruleset, deal: DealReport) -> ReckonedDeal:
    """Complete the report of a deal, and score it. Raises `SheetFault`."""
    match deal:
        case LostDeal():
            return ReckonedDeal(deal, None, ())
        case StoppedDeal():
            return counting.reckon_stopped(rules, deal)
    missing = missing_of(rules, deal.missing)
    pack, deal = without(rules, missing), replace(deal, missing=missing)
    if isinstance(deal, Counted):
        return _PointsReader(pack, deal).reckoned()
    try:
        return counting.reckon_taken(pack, deal)
    except SheetFault as fault:
        if fault.reason in NOT_HEARTS and as_points(rules, deal) is not None:
            raise SheetFault("points_not_hearts") from None
        raise


def as_points(rules: Ruleset, deal: Taken) -> Counted | None:
    """Read the numbers reported as hearts as points, complete; None if they cannot be points."""
    counted = Counted(deal.hearts, missing=deal.missing)
    with suppress(SheetFault):
        for reading in _PointsReader(without(rules, deal.missing), counted).readings():
            return replace(counted, points=reading.points)
    return None


class _Reading(msgspec.Struct, frozen=True):
    """One way to read the points of a deal."""

    points: tuple[int, ...]  # as they were reported, complete
    takers: Takers  # of the cards below zero
    trickless: tuple[int, ...]
    scored: Scored


class _PointsReader:
    """Finds every way to read the points of a deal.

    Args:
        rules: as `without` gives them for the pack that was used.
    """

    def __init__(self, rules: Ruleset, deal: Counted) -> None:
        self.rules = rules
        self.deal = deal
        self.needs = needs_of(rules)

    def reckoned(self) -> ReckonedDeal:
        """The deal, complete, and its score. Raises `SheetFault`."""
        rules, deal, needs = self.rules, self.deal, self.needs
        counting.groups_of(rules, deal.points)
        counting.check_seats(rules, deal)
        counting.check_extra(deal, needs)
        if deal.minus is not None and not needs.way:
            raise SheetFault("moon_counts_one_way")
        readings = self.readings()
        if not readings:
            if deal.minus is not None:
                _PointsReader(rules, replace(deal, minus=None)).reckoned()
                raise SheetFault("no_moon_was_shot")
            raise self.not_possible()
        first = readings[0]
        self.check_same(readings)
        takers = first.takers if all(each.takers == first.takers for each in readings) else {}
        complete = Counted(
            first.points,
            takers[JACK][0] if needs.jack and JACK in takers else None,
            first.scored.score.slam,
            deal.missing,
            counting.others_of(needs, takers),
            first.trickless if needs.trickless else None,
            counting.way_chosen(rules, first.scored.score),
        )
        return ReckonedDeal(complete, first.scored.score, first.scored.taken, first.scored.minus)

    def check_same(self, readings: Sequence[_Reading]) -> None:
        """Raise `SheetFault`, as a question, if the readings differ in the sheet or the pay."""
        first, scores = readings[0], [each.scored.score for each in readings]
        one_score = len(set(scores)) == 1
        # With a pot, the taker of the jack matters for who pays.
        by_pot = self.rules.stakes.settlement is Settlement.POT
        if len({each.points for each in readings}) > 1:
            raise SheetFault("points_left_out_two_ways")
        if one_score and not by_pot:
            return
        if any(each.takers != first.takers for each in readings):
            if one_score and len({self.bonuses(each.takers) for each in readings}) == 1:
                return
            different = (
                each
                for each in self.needs.cards
                if each.points < 0 and len({found.takers[each.card] for found in readings}) > 1
            )
            raise counting.who_took(next(different))
        if len({found.trickless for found in readings}) > 1:
            raise SheetFault("who_took_no_trick")
        if len({(found.moon, found.slam) for found in scores}) == 1 and not one_score:
            raise SheetFault("moon_which_way")
        if not one_score:
            raise SheetFault("points_two_ways")

    def bonuses(self, takers: Takers) -> tuple[int, ...]:
        """Points of each seat from the cards that count below zero (M6)."""
        return tuple(map(self.rules.points_in, counting.cards_of_takers(self.rules, takers)))

    # The ways to read them

    def readings(self) -> list[_Reading]:
        """Every way to read the points. Raises `SheetFault` where more must be reported first."""
        rules, points = self.rules, self.deal.points
        seats = tuple((seat,) for seat in range(rules.players))
        by_seat = len(points) == rules.players
        together = self.together() if by_seat else points
        literal, others, unsure = list[_Reading](), list[_Reading](), None
        for takers in self.bonus_takers():
            if by_seat:
                literal += self.as_counted(points, seats, takers)
            if self.needs.partners and together is not None:
                sides = self.as_counted(together, self.needs.sides, takers)
                try:
                    others += [self.spread(found) for found in sides]
                except SheetFault as fault:
                    unsure = fault
            others += self.as_scored(takers)
        if unsure is not None and not literal:  # a reading by seats needs no sides
            raise unsure
        return literal + others

    def together(self) -> Counts | None:
        """The points of each side, if partners have the same (W10); else None."""
        found: list[int | None] = []
        for side in self.rules.all_sides:
            points = {self.deal.points[seat] for seat in side} - {None}
            if len(points) > 1:
                return None
            found.append(points.pop() if points else None)
        return found

    def spread(self, found: _Reading) -> _Reading:
        """A reading by sides, with as many numbers as were reported."""
        sides = len(self.rules.all_sides)
        points = tuple(found.points[seat % sides] for seat in range(len(self.deal.points)))
        return replace(found, points=points)

    def bonus_takers(self) -> Iterator[Takers]:
        """Every possible choice of takers of the cards below zero.

        Raises `SheetFault` for too many ways.
        """
        players, given = self.rules.players, counting.takers_of(self.deal)
        bonus = [each for each in self.needs.cards if each.points < 0]
        for each in self.needs.cards:
            seats = given.get(each.card)
            if seats is not None and len(seats) != each.copies:
                params = {"card": each.card, "given": len(seats), "due": each.copies}
                raise SheetFault("card_takers", **params)
        open_ones = [each for each in bonus if each.card not in given]
        if prod(comb(players + each.copies - 1, each.copies) for each in open_ones) > MOST_WAYS:
            raise counting.who_took(open_ones[0])
        choices = [
            (given[each.card],)
            if each.card in given
            else tuple(combinations_with_replacement(range(players), each.copies))
            for each in bonus
        ]
        for chosen in product(*choices):
            yield {each.card: takers for each, takers in zip(bonus, chosen, strict=True)}

    def as_counted(self, counts: Counts, groups: Groups, takers: Takers) -> Iterator[_Reading]:
        """The readings of the points as the cards count, for seats or for sides."""
        rules, needs = self.rules, self.needs
        piles = counting.cards_of_takers(rules, takers)
        bonus = [sum(rules.points_in(piles[seat]) for seat in group) for group in groups]
        worth = {card: value for card, value in rules.values.items() if value > 0}
        for trickless in self.trickless(counts, groups, bonus):
            idle = [len({*group} & {*trickless}) for group in groups]
            off = [
                extra + rules.points.no_tricks * number
                for extra, number in zip(bonus, idle, strict=True)
            ]
            points = counting.filled(counts, needs.total + sum(off))
            if points is None:
                continue
            penalties = [have - extra for have, extra in zip(points, off, strict=True)]
            if any(
                number == len(group) and (have or extra)
                for number, group, have, extra in zip(idle, groups, penalties, bonus, strict=True)
            ):
                continue
            if len(groups) < rules.players and rules.moon.by is MoonBy.PLAYER:
                self.check_no_moon(penalties)
            parts = shared(worth, penalties)
            if parts is None:
                continue
            taken = list(piles)
            for group, part in zip(groups, parts, strict=True):
                taken[group[0]] |= part
            all_tricks = self.deal.all_tricks
            if all_tricks is not None and not self.all_with(all_tricks, taken):
                continue
            if all_tricks is None and needs.all_tricks and needs.trickless:
                all_tricks = counting.all_taken_by(rules, trickless, taken)
            for scored in self.scored(taken, all_tricks, trickless):
                yield _Reading(points, takers, trickless, scored)

    def all_with(self, seat: int, taken: Sequence[int]) -> bool:
        """Whether every card that counts lies with that seat, or with its side if sides shoot."""
        who = doers(self.rules, seat)
        return not any(pile for other, pile in enumerate(taken) if other not in who)

    def scored(
        self, taken: Sequence[int], all_tricks: int | None, trickless: tuple[int, ...]
    ) -> Iterator[Scored]:
        """The score of those cards, in each way in which its moon may count (W7)."""
        minus = self.deal.minus
        for way in (None, False, True) if minus is None else (minus,):
            with suppress(SheetFault):
                yield counting.scored_by(self.rules, taken, all_tricks, trickless, way)

    def check_no_moon(self, penalties: Sequence[int]) -> None:
        """Raise `SheetFault` where a side has everything: a moon, or shared by partners (W10)?"""
        if self.rules.moon.moon is not MoonRule.OFF and max(penalties) == sum(penalties):
            raise SheetFault("which_partner_took_all")

    def trickless(
        self, counts: Counts, groups: Groups, bonus: Sequence[int]
    ) -> Iterable[tuple[int, ...]]:
        """Every set of seats that may have taken no trick, judged by their points (W6)."""
        if not self.needs.trickless:
            return ((),)
        if self.deal.trickless is not None:
            return (tuple(sorted({*self.deal.trickless})),)
        if len(groups) < self.rules.players:
            raise SheetFault("who_took_no_trick")
        return self.below_zero(counts, bonus)

    def below_zero(self, counts: Counts, bonus: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Every set of seats below zero by exactly the points for taking no trick."""
        each = self.rules.points.no_tricks
        for number in range(self.rules.players):
            points = counting.filled(counts, self.needs.total + sum(bonus) + each * number)
            if points is None:
                continue
            below = [seat for seat, have in enumerate(points) if have - bonus[seat] < 0]
            plain = all(points[seat] == each and not bonus[seat] for seat in below)
            if plain and len(below) == number:
                yield tuple(below)

    def as_scored(self, takers: Takers) -> Iterator[_Reading]:
        """The readings of the points as they are scored after a moon or a slam."""
        rules, all_tricks = self.rules, self.deal.all_tricks
        by_side = rules.moon.by is MoonBy.SIDE
        for who in rules.all_sides if by_side else [(seat,) for seat in range(rules.players)]:
            if all_tricks is not None and all_tricks not in who:
                continue
            seat = who[0] if all_tricks is None else all_tricks
            taken = counting.cards_of_takers(rules, takers)
            taken[seat] |= rules.penalty_mask
            if self.needs.all_tricks and self.all_with(seat, taken):
                yield from self.of_doer(takers, taken, seat, slam=True)
            if all_tricks is None and rules.moon.moon is not MoonRule.OFF:
                yield from self.of_doer(takers, taken, seat, slam=False)

    def of_doer(
        self, takers: Takers, taken: Sequence[int], doer: int, *, slam: bool
    ) -> Iterator[_Reading]:
        """The readings in which `doer` took everything and the score fits the numbers reported."""
        for trickless in self.idle(taken, doer, slam=slam):
            for scored in self.scored(taken, doer if slam else None, trickless):
                found = scored.score
                if found.moon is None and found.slam is None:
                    continue
                for way in dict.fromkeys((found, scored.minus or found)):
                    points = way.points[: len(self.deal.points)]
                    if counting.filled(self.deal.points, sum(points)) == points:
                        yield _Reading(points, takers, trickless, scored)

    def idle(self, taken: Sequence[int], doer: int, *, slam: bool) -> Iterator[tuple[int, ...]]:
        """Every set of seats that may have taken no trick while `doer` took everything (W6)."""
        if not self.needs.trickless:
            yield ()
        elif slam and len(doers(self.rules, doer)) == 1:
            yield tuple(seat for seat in range(self.rules.players) if seat != doer)
        elif self.deal.trickless is not None:
            yield tuple(sorted({*self.deal.trickless}))
        elif self.needs.partners:
            raise SheetFault("who_took_no_trick")
        else:
            for scored in self.scored(taken, None, ()):
                yield from self.short(taken, doer, scored.score)
                if scored.minus is not None:
                    yield from self.short(taken, doer, scored.minus)

    def short(self, taken: Sequence[int], doer: int, whole: Score) -> Iterator[tuple[int, ...]]:
        """Sets of seats without a trick: their points differ from `whole` by the score for that."""
        each = self.rules.points.no_tricks
        pairs = list(zip(self.deal.points, whole.points, strict=True))
        free = [seat for seat, pile in enumerate(taken) if seat != doer and not pile]
        known = [seat for seat in free if pairs[seat][0] == pairs[seat][1] + each]
        left_out = [seat for seat in free if pairs[seat][0] is None]
        yield tuple(known)
        if len(left_out) == 1:
            yield tuple(sorted((*known, *left_out)))

    # The fault where no reading fits

    def not_possible(self) -> SheetFault:
        """The fault for points that no cards can add up to."""
        rules, needs, points = self.rules, self.needs, self.deal.points
        usual = expected_sum(rules, Score(())) // rules.sides.partners
        given = sum(count or 0 for count in points)
        if points.count(None) > 1:
            return SheetFault("points_left_out", given=given, due=usual)
        sums = self.sums()
        if None not in points and given not in sums:
            if sums == [usual]:
                return SheetFault("points_do_not_add_up", points=given, due=usual)
            if len(sums) == 2 and rules.moon.moon is MoonRule.OTHERS_PLUS and not needs.partners:
                return SheetFault("points_or_moon", given=given, due=usual, moon=sums[1])
            return SheetFault("points_sums", given=given, sums=tuple(sums))
        if self.deal.all_tricks is not None:
            return SheetFault("slam_takes_everything")
        if any(count is not None and count < 0 for count in points):
            return SheetFault("negative_points")
        if None in points and given > usual:
            return SheetFault("points_too_many", given=given, due=usual)
        if needs.queen and not needs.ranked and len(needs.cards) == 1:
            return SheetFault("nobody_has_the_queen", queen=rules.values[QUEEN])
        return SheetFault("no_cards_count_so")

    def sums(self) -> list[int]:
        """The possible sums of the points of a deal, the usual one first."""
        rules, partners = self.rules, self.rules.sides.partners
        by_seat = len(self.deal.points) == rules.players
        match rules.moon.moon:
            case MoonRule.SHOOTER_MINUS:
                ways: tuple[bool, ...] = (True,)
            case MoonRule.SHOOTER_CHOOSES | MoonRule.PLUS_UNLESS_LOST:
                ways = (False, True)
            case _:
                ways = (False,)
        found = [Score(())]
        if rules.moon.moon is not MoonRule.OFF:
            found += [Score((), moon=0, minus=minus) for minus in ways]
        if self.needs.all_tricks:
            found += [Score((), slam=0, minus=minus) for minus in ways]
        sums = []
        for scored in found:
            whole = expected_sum(rules, scored)
            # As the cards count, partners add up to one side's points; as scored each has them all.
            sums += [whole // partners] if not by_seat or scored == found[0] else []
            sums += [whole] if by_seat else []
        return list(dict.fromkeys(sums))
