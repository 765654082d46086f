"""From the points that people write down for a deal to its score, and `reckon` for all deals.

As the cards count: they add up to what all cards count together, and whoever has all of it has
shot the moon. As they are scored: after a moon or a slam they add up to what S6 wants then, and
partners have the same (W10). What can be understood in two ways that differ is refused, and more
is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Final

import msgspec

from volte.cards import JACK, QUEEN
from volte.rules import MoonBy, MoonRule, Ruleset, Score, Settlement
from volte.rules.scoring import expected_sum
from volte.scorekeeper.model.counting import (
    ReckonedDeal,
    Scored,
    Takers,
    all_taken_by,
    cards_of_takers,
    check_extra,
    check_seats,
    doers,
    filled,
    groups_of,
    minus_told,
    others_of,
    reckon_stopped,
    reckon_taken,
    scored_by,
    takers_of,
    who_took,
)
from volte.scorekeeper.model.entries import Counted, LostDeal, SheetFault, StoppedDeal, Taken, Told
from volte.scorekeeper.model.pack import DealNeeds, missing_of, needs_of, shared, without

Points = tuple[int, ...]
Groups = Sequence[tuple[int, ...]]

MOST_WAYS: Final = 300
"""So many ways to share the bonus cards are tried; where there are more, it is asked."""


def reckon(rules: Ruleset, deal: Told) -> ReckonedDeal:
    """What was told of a deal, made complete, and its score. Raises `SheetFault`."""
    match deal:
        case LostDeal():
            return ReckonedDeal(deal, None, ())
        case StoppedDeal():
            return reckon_stopped(rules, deal)
    missing = missing_of(rules, deal.missing)
    pack, deal = without(rules, missing), msgspec.structs.replace(deal, missing=missing)
    return reckon_taken(pack, deal) if isinstance(deal, Taken) else reckon_counted(pack, deal)


class _Reading(msgspec.Struct, frozen=True):
    """One way to understand points."""

    points: Points  # as they were told, nothing left out
    takers: Takers  # of the bonus cards
    trickless: tuple[int, ...]
    scored: Scored


def reckon_counted(rules: Ruleset, deal: Counted) -> ReckonedDeal:
    """A deal by its points, by the rules of the pack it was played with. Raises `SheetFault`."""
    needs = needs_of(rules)
    groups_of(rules, deal.points)
    check_seats(rules, deal)
    check_extra(deal, needs)
    if deal.minus is not None and not needs.way:
        raise SheetFault("moon_counts_one_way")
    readings = _readings(rules, deal, needs)
    if not readings:
        if deal.minus is not None:
            reckon_counted(rules, msgspec.structs.replace(deal, minus=None))
            raise SheetFault("no_moon_was_shot")
        raise _not_possible(rules, deal, needs)
    first = readings[0]
    _check_same(rules, deal, needs, readings)
    takers = first.takers if all(each.takers == first.takers for each in readings) else {}
    complete = Counted(
        first.points,
        takers[JACK][0] if needs.jack and JACK in takers else None,
        first.scored.score.slam,
        deal.missing,
        others_of(needs, takers),
        first.trickless if needs.trickless else None,
        minus_told(rules, first.scored.score),
    )
    return ReckonedDeal(complete, first.scored.score, first.scored.taken, first.scored.minus)


def _check_same(
    rules: Ruleset, deal: Counted, needs: DealNeeds, readings: Sequence[_Reading]
) -> None:
    """Raises `SheetFault` with a question, where readings differ in what is kept or paid."""
    first, scores = readings[0], [each.scored.score for each in readings]
    by_pot = rules.stakes.settlement is Settlement.POT  # who has the jack decides who pays
    if len({each.points for each in readings}) > 1:
        raise SheetFault("points_left_out_two_ways")
    if len(set(scores)) == 1 and not by_pot:
        return
    if any(each.takers != first.takers for each in readings):
        if len(set(scores)) == 1 and len({_bonuses(rules, each) for each in readings}) == 1:
            return
        different = (
            each
            for each in needs.cards
            if each.points < 0 and len({found.takers[each.card] for found in readings}) > 1
        )
        raise who_took(next(different))
    if len({found.trickless for found in readings}) > 1:
        raise SheetFault("who_took_no_trick")
    if len({(found.moon, found.slam) for found in scores}) == 1 and len(set(scores)) > 1:
        raise SheetFault("moon_which_way")
    if len(set(scores)) > 1:
        raise SheetFault("points_two_ways")


def _bonuses(rules: Ruleset, found: _Reading) -> tuple[int, ...]:
    """What each seat has of the cards that count below zero (M6)."""
    piles = cards_of_takers(rules, found.takers)
    return tuple(rules.points_in(pile) for pile in piles)


# The ways to understand them


def _readings(rules: Ruleset, deal: Counted, needs: DealNeeds) -> list[_Reading]:
    """Every way to understand the points. Raises `SheetFault` where they leave it open."""
    seats = tuple((seat,) for seat in range(rules.players))
    by_seat = len(deal.points) == rules.players
    together = deal.points if not by_seat else _together(rules, deal.points)
    literal, others, unsure = list[_Reading](), list[_Reading](), None
    for takers in _bonus_takers(rules, deal, needs):
        if by_seat:
            literal += _as_counted(rules, deal, needs, deal.points, seats, takers)
        if needs.partners and together is not None:
            sides = _as_counted(rules, deal, needs, together, needs.sides, takers)
            try:
                others += [_spread(rules, found, len(deal.points)) for found in sides]
            except SheetFault as fault:
                unsure = fault
        others += _as_scored(rules, deal, needs, takers)
    if unsure is not None and not literal:  # else nobody has to think of sides
        raise unsure
    return literal + others


def _together(rules: Ruleset, points: Sequence[int | None]) -> tuple[int | None, ...] | None:
    """The points of each side, where partners have the same (W10); None where they do not."""
    found: list[int | None] = []
    for side in rules.all_sides:
        told = {points[seat] for seat in side} - {None}
        if len(told) > 1:
            return None
        found.append(told.pop() if told else None)
    return tuple(found)


def _spread(rules: Ruleset, found: _Reading, count: int) -> _Reading:
    """A reading by sides, with as many numbers as were told."""
    if len(found.points) == count:
        return found
    sides = len(rules.all_sides)
    points = tuple(found.points[seat % sides] for seat in range(count))
    return msgspec.structs.replace(found, points=points)


def _bonus_takers(rules: Ruleset, deal: Counted, needs: DealNeeds) -> Iterator[Takers]:
    """Who may have taken the cards that count below zero. Raises `SheetFault` for too many ways."""
    given = takers_of(deal)
    bonus = [each for each in needs.cards if each.points < 0]
    for each in needs.cards:
        seats = given.get(each.card)
        if seats is not None and len(seats) != each.copies:
            params = {"card": each.card, "given": len(seats), "due": each.copies}
            raise SheetFault("card_takers", **params)
    open_ones = [each for each in bonus if each.card not in given]
    ways = prod(comb(rules.players + each.copies - 1, each.copies) for each in open_ones)
    if ways > MOST_WAYS:
        raise who_took(open_ones[0])
    anybody = range(rules.players)
    choices = [
        (given[each.card],)
        if each.card in given
        else tuple(combinations_with_replacement(anybody, each.copies))
        for each in bonus
    ]
    for chosen in product(*choices):
        yield {each.card: takers for each, takers in zip(bonus, chosen, strict=True)}


def _as_counted(
    rules: Ruleset,
    deal: Counted,
    needs: DealNeeds,
    counts: Sequence[int | None],
    groups: Groups,
    takers: Takers,
) -> Iterator[_Reading]:
    """Points as the cards count, for seats or for sides."""
    piles = cards_of_takers(rules, takers)
    bonus = [sum(rules.points_in(piles[seat]) for seat in group) for group in groups]
    worth = {card: value for card, value in rules.values.items() if value > 0}
    for trickless in _trickless(rules, deal, needs, counts, groups, bonus):
        idle = [len({*group} & {*trickless}) for group in groups]
        off = [
            extra + rules.points.no_tricks * number
            for extra, number in zip(bonus, idle, strict=True)
        ]
        points = filled(counts, needs.total + sum(off))
        if points is None:
            continue
        penalties = [have - extra for have, extra in zip(points, off, strict=True)]
        if any(
            number == len(group) and (have or extra)
            for number, group, have, extra in zip(idle, groups, penalties, bonus, strict=True)
        ):
            continue
        if len(groups) < rules.players and rules.moon.by is MoonBy.PLAYER:
            _check_no_moon(rules, penalties)
        parts = shared(worth, penalties)
        if parts is None:
            continue
        taken = list(piles)
        for group, part in zip(groups, parts, strict=True):
            taken[group[0]] |= part
        all_tricks = deal.all_tricks
        if all_tricks is not None and not _all_with(rules, all_tricks, taken):
            continue
        if all_tricks is None and needs.all_tricks and needs.trickless:
            all_tricks = all_taken_by(rules, trickless, taken)
        for scored in _scored(rules, deal, taken, all_tricks, trickless):
            yield _Reading(points, takers, trickless, scored)


def _all_with(rules: Ruleset, seat: int, taken: Sequence[int]) -> bool:
    """Whether whoever took every trick has every card that counts, alone or with the side."""
    who = doers(rules, seat)
    return not any(pile for other, pile in enumerate(taken) if other not in who)


def _scored(
    rules: Ruleset,
    deal: Counted,
    taken: Sequence[int],
    all_tricks: int | None,
    trickless: tuple[int, ...],
) -> Iterator[Scored]:
    """The deal of those cards, in each way in which its moon may count (W7)."""
    for minus in (None, False, True) if deal.minus is None else (deal.minus,):
        with suppress(SheetFault):
            yield scored_by(rules, taken, all_tricks, trickless, minus)


def _check_no_moon(rules: Ruleset, penalties: Sequence[int]) -> None:
    """Raises `SheetFault` where a side has everything: one player's moon, or none (W10)?"""
    if rules.moon.moon is not MoonRule.OFF and max(penalties) == sum(penalties):
        raise SheetFault("which_partner_took_all")


def _trickless(
    rules: Ruleset,
    deal: Counted,
    needs: DealNeeds,
    counts: Sequence[int | None],
    groups: Groups,
    bonus: Sequence[int],
) -> Iterable[tuple[int, ...]]:
    """Who may have taken no trick: whoever has just the points for that (W6)."""
    if not needs.trickless:
        return ((),)
    if deal.trickless is not None:
        return (tuple(sorted({*deal.trickless})),)
    if len(groups) < rules.players:
        raise SheetFault("who_took_no_trick")
    return _below_zero(rules, needs, counts, bonus)


def _below_zero(
    rules: Ruleset, needs: DealNeeds, counts: Sequence[int | None], bonus: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Every set of seats whose points are just what taking no trick scores."""
    each = rules.points.no_tricks
    for number in range(rules.players):
        points = filled(counts, needs.total + sum(bonus) + each * number)
        if points is None:
            continue
        below = [seat for seat, have in enumerate(points) if have - bonus[seat] < 0]
        plain = all(points[seat] == each and not bonus[seat] for seat in below)
        if plain and len(below) == number:
            yield tuple(below)


def _as_scored(
    rules: Ruleset, deal: Counted, needs: DealNeeds, takers: Takers
) -> Iterator[_Reading]:
    """Points as they are scored after a moon or a slam."""
    for who in _all_doers(rules):
        if deal.all_tricks is not None and deal.all_tricks not in who:
            continue
        seat = who[0] if deal.all_tricks is None else deal.all_tricks
        taken = cards_of_takers(rules, takers)
        taken[seat] |= rules.penalty_mask
        if needs.all_tricks and _all_with(rules, seat, taken):
            yield from _of_doer(rules, deal, needs, takers, taken, seat, slam=True)
        if deal.all_tricks is None and rules.moon.moon is not MoonRule.OFF:
            yield from _of_doer(rules, deal, needs, takers, taken, seat, slam=False)


def _all_doers(rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    by_side = rules.moon.by is MoonBy.SIDE
    return rules.all_sides if by_side else tuple((seat,) for seat in range(rules.players))


def _of_doer(
    rules: Ruleset,
    deal: Counted,
    needs: DealNeeds,
    takers: Takers,
    taken: Sequence[int],
    doer: int,
    *,
    slam: bool,
) -> Iterator[_Reading]:
    """The scores of one player, or side, that took everything, as far as they were told."""
    all_tricks = doer if slam else None
    for trickless in _idle(rules, deal, needs, taken, doer, slam=slam):
        for scored in _scored(rules, deal, taken, all_tricks, trickless):
            found = scored.score
            if found.moon is None and found.slam is None:
                continue
            for way in dict.fromkeys((found, scored.minus or found)):
                points = _fits(rules, deal.points, way.points)
                if points is not None:
                    yield _Reading(points, takers, trickless, scored)


def _idle(
    rules: Ruleset,
    deal: Counted,
    needs: DealNeeds,
    taken: Sequence[int],
    doer: int,
    *,
    slam: bool,
) -> Iterator[tuple[int, ...]]:
    """Who may have taken no trick beside somebody who took everything (W6)."""
    if not needs.trickless:
        yield ()
    elif slam and len(doers(rules, doer)) == 1:
        yield tuple(seat for seat in range(rules.players) if seat != doer)
    elif deal.trickless is not None:
        yield tuple(sorted({*deal.trickless}))
    elif needs.partners:
        raise SheetFault("who_took_no_trick")
    else:
        for scored in _scored(rules, deal, taken, None, ()):
            yield from _short(rules, deal, taken, doer, scored.score)
            if scored.minus is not None:
                yield from _short(rules, deal, taken, doer, scored.minus)


def _short(
    rules: Ruleset, deal: Counted, taken: Sequence[int], doer: int, whole: Score
) -> Iterator[tuple[int, ...]]:
    """Seats that may have taken no trick: their points are short of the score by just that."""
    each = rules.points.no_tricks
    pairs = list(zip(deal.points, whole.points, strict=True))
    free = [seat for seat, pile in enumerate(taken) if seat != doer and not pile]
    known = [seat for seat in free if pairs[seat][0] == pairs[seat][1] + each]
    left_out = [seat for seat in free if pairs[seat][0] is None]
    yield tuple(known)
    if len(left_out) == 1:
        yield tuple(sorted((*known, *left_out)))


def _fits(
    rules: Ruleset, counts: Sequence[int | None], points: Sequence[int]
) -> tuple[int, ...] | None:
    """The points that were told, where they are those of a score."""
    if len(counts) < rules.players:
        points = points[: len(counts)]
    whole = filled(counts, sum(points))
    return whole if whole == tuple(points) else None


# What is wrong where there is none


def _not_possible(rules: Ruleset, deal: Counted, needs: DealNeeds) -> SheetFault:
    """Why no cards count so."""
    sum_due = expected_sum(rules, Score(())) // rules.sides.partners
    given = sum(count or 0 for count in deal.points)
    if deal.points.count(None) > 1:
        return SheetFault("points_left_out", given=given, due=sum_due)
    sums = _sums(rules, needs, len(deal.points) == rules.players)
    if None not in deal.points and given not in sums:
        if sums == [sum_due]:
            return SheetFault("points_do_not_add_up", points=given, due=sum_due)
        if len(sums) == 2 and rules.moon.moon is MoonRule.OTHERS_PLUS and not needs.partners:
            return SheetFault("points_or_moon", given=given, due=sum_due, moon=sums[1])
        return SheetFault("points_sums", given=given, sums=tuple(sums))
    if deal.all_tricks is not None:
        return SheetFault("slam_takes_everything")
    if any(count is not None and count < 0 for count in deal.points):
        return SheetFault("negative_points")
    if None in deal.points and given > sum_due:
        return SheetFault("points_too_many", given=given, due=sum_due)
    if needs.queen and not needs.ranked and len(needs.cards) == 1:
        return SheetFault("nobody_has_the_queen", queen=rules.values[QUEEN])
    return SheetFault("no_cards_count_so")


def _sums(rules: Ruleset, needs: DealNeeds, by_seat: bool) -> list[int]:
    """What the points of a deal may add up to, the usual sum first."""
    partners = rules.sides.partners
    found = [Score(())]
    if rules.moon.moon is not MoonRule.OFF:
        found += [Score((), moon=0, minus=minus) for minus in _shown_ways(rules)]
    if needs.all_tricks:
        found += [Score((), slam=0, minus=minus) for minus in _shown_ways(rules)]
    sums = []
    for scored in found:
        whole = expected_sum(rules, scored)
        # As the cards count, partners add up to one side's points; as scored each has them all.
        sums += [whole // partners] if not by_seat or scored == found[0] else []
        sums += [whole] if by_seat else []
    return list(dict.fromkeys(sums))


def _shown_ways(rules: Ruleset) -> tuple[bool, ...]:
    match rules.moon.moon:
        case MoonRule.SHOOTER_MINUS:
            return (True,)
        case MoonRule.SHOOTER_CHOOSES | MoonRule.PLUS_UNLESS_LOST:
            return (False, True)
    return (False,)
