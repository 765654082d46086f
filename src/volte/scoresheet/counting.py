"""From what was told of a deal to its score, by `rules.scoring` and by nothing else.

A count of hearts becomes a set of cards: any hearts of the deck, since all of them count the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from volte.cards import HEARTS, JACK, QUEEN, Card, cards_in, mask_of
from volte.referee.rulings import stopped
from volte.rules import (
    MoonRule,
    Points,
    Ruleset,
    RulesetFault,
    Score,
    Settlement,
    SlamRule,
    described,
    make_ruleset,
    score,
)
from volte.scoresheet.fault import SheetFault
from volte.scoresheet.told import Counted, Misdealt, Stopped, Taken, Told

COUNTED: Final = frozenset((QUEEN, JACK, *cards_in(HEARTS)))
"""The cards that a sheet can count."""


class Asked(msgspec.Struct, frozen=True):
    """What must be told of a deal.

    Attributes:
        hearts: how many there are.
        queen: whether she counts.
        jack: whether he counts.
        all_tricks: whether taking every trick counts (S4).
        total: what the penalty cards add up to (S6).
    """

    hearts: int
    queen: bool
    jack: bool
    all_tricks: bool
    total: int


class Reckoned(msgspec.Struct, frozen=True):
    """A deal that has been told to the end.

    Attributes:
        told: nothing left out.
        score: None for a misdeal.
        taken: mask per seat of the cards that count, or of others that count the same.
    """

    told: Told
    score: Score | None
    taken: tuple[int, ...]


class _Reading(msgspec.Struct, frozen=True):
    """One way to understand points."""

    points: tuple[int, ...]
    penalties: tuple[int, ...]
    jack: int | None
    taken: tuple[int, ...]
    score: Score


def asked(rules: Ruleset, missing: Sequence[Card] = ()) -> Asked:
    """What must be told of a deal by those rules. Raises `SheetFault` for a wrong card missing."""
    pack = without(rules, missing)
    return Asked(
        hearts=(pack.counting_mask & HEARTS).bit_count(),
        queen=QUEEN in pack.values,
        jack=JACK in pack.values,
        all_tricks=pack.moon.slam is SlamRule.REVERSAL,
        total=pack.penalty_total,
    )


def everything(
    rules: Ruleset,
    seat: int,
    slam: bool = False,
    jack: int | None = None,
    missing: tuple[Card, ...] = (),
) -> Taken:
    """A deal in which that player took every penalty card, and every trick where `slam` says so.

    Raises `SheetFault` for a wrong card missing.
    """
    due = asked(rules, missing)
    return Taken(
        tuple(due.hearts if other == seat else 0 for other in range(rules.players)),
        seat if due.queen else None,
        seat if slam and due.jack else jack,
        seat if slam else None,
        missing,
    )


def countable(rules: Ruleset) -> bool:
    """Whether a sheet can count by those rules, and tell them: hearts, the queen, the jack."""
    hearts = all(points == 1 for card, points in rules.values.items() if HEARTS & card.bit)
    jack, queen = rules.values.get(JACK, 0), rules.values.get(QUEEN, 1)
    counted = hearts and rules.values.keys() <= COUNTED and jack <= 0 < queen
    return counted and make_ruleset(*described(rules)) == rules


def without(rules: Ruleset, missing: Sequence[Card]) -> Ruleset:
    """The same rules for a pack in which those cards are missing (I8). Raises `SheetFault`."""
    if not missing:
        return rules
    for place, card in enumerate(missing):
        if card not in rules.values:
            raise SheetFault("missing_counts_nothing", card=card)
        if card in missing[:place]:
            raise SheetFault("missing_twice", card=card)
    table = tuple((card, points) for card, points in rules.points.table if card not in missing)
    try:
        return replace(rules, points=Points(table))
    except RulesetFault:
        raise SheetFault("missing_too_many") from None


def reckon(rules: Ruleset, told: Told) -> Reckoned:
    """What was told, made complete, and its score. Raises `SheetFault` for what cannot be."""
    match told:
        case Misdealt():
            return Reckoned(told, None, ())
        case Stopped():
            return _stopped(rules, told)
        case Taken():
            return _taken(without(rules, told.missing), told)
        case Counted():
            return _counted(without(rules, told.missing), told)


# Deals that were stopped


def _stopped(rules: Ruleset, told: Stopped) -> Reckoned:
    for seats in (told.revoked, told.mixed):
        for place, seat in enumerate(seats):
            _check_seat(rules, seat)
            if seat in seats[:place]:
                raise SheetFault("offender_twice")
    if not told.revoked and not told.mixed:
        raise SheetFault("no_offender")
    complete = Stopped(tuple(sorted(told.revoked)), tuple(sorted(told.mixed)))
    offenders = {*told.revoked, *told.mixed}
    return Reckoned(complete, stopped(rules, offenders), (0,) * rules.players)


# By the cards


def _taken(rules: Ruleset, told: Taken) -> Reckoned:
    due = asked(rules)
    _check_told(rules, told.hearts)
    for seat in (told.queen, told.jack, told.all_tricks):
        if seat is not None:
            _check_seat(rules, seat)
    _check_extra(told, due)
    if told.all_tricks is not None:
        told = _every_trick(told, told.all_tricks, due)
    hearts = _hearts(told, due)
    if told.queen is not None and not due.queen:
        raise SheetFault("queen_counts_nothing")
    if due.queen and told.queen is None:
        raise SheetFault("who_took_the_queen")
    if due.jack and told.jack is None:
        raise SheetFault("who_took_the_jack")
    taken = _piles(rules, hearts, told.queen, told.jack)
    complete = msgspec.structs.replace(told, hearts=hearts, missing=_sorted(told.missing))
    return Reckoned(complete, _score(rules, taken, told.all_tricks), taken)


def _hearts(told: Taken, due: Asked) -> tuple[int, ...]:
    if any(count is not None and count < 0 for count in told.hearts):
        raise SheetFault("negative_hearts")
    given = sum(count or 0 for count in told.hearts)
    hearts = _filled(told.hearts, due.hearts)
    if hearts is None and given < due.hearts and None in told.hearts:
        raise SheetFault("hearts_left_out", given=given, due=due.hearts)
    if hearts is None or given > due.hearts:
        raise SheetFault("hearts_do_not_add_up", given=given, due=due.hearts)
    return hearts


def _every_trick(told: Taken, seat: int, due: Asked) -> Taken:
    """Whoever has taken every trick has taken every card."""
    others = [count for other, count in enumerate(told.hearts) if other != seat and count]
    if others or any(taker not in (None, seat) for taker in (told.queen, told.jack)):
        raise SheetFault("slam_takes_everything")
    hearts = [0 if count is None else count for count in told.hearts]
    if told.hearts[seat] is None:
        hearts[seat] = due.hearts
    return msgspec.structs.replace(
        told,
        hearts=tuple(hearts),
        queen=seat if due.queen else told.queen,
        jack=seat if due.jack else None,
    )


def _piles(
    rules: Ruleset, hearts: Sequence[int], queen: int | None, jack: int | None
) -> tuple[int, ...]:
    """The cards, any hearts standing for as many others."""
    left = list(cards_in(rules.counting_mask & HEARTS))
    piles = []
    for seat, count in enumerate(hearts):
        pile = mask_of(left[:count])
        pile |= QUEEN.bit * (seat == queen) | JACK.bit * (seat == jack)
        piles.append(pile)
        left = left[count:]
    return tuple(piles)


def _score(rules: Ruleset, taken: Sequence[int], all_tricks: int | None) -> Score:
    """By the rules; where nobody took every trick, two players took one each."""
    winners = (0, 1) if all_tricks is None else (all_tricks,)
    return score(rules, taken, [int(seat in winners) for seat in range(rules.players)])


# By the points


def _counted(rules: Ruleset, told: Counted) -> Reckoned:
    """Points as they are written down, in whichever way they can be understood.

    As the cards count: they add up to the penalty total, and whoever has all of it has shot the
    moon. As they are scored: after a moon or a slam they add up to what S6 wants then. What can
    be understood in two ways that differ is refused, and more is asked for.
    """
    due = asked(rules)
    _check_told(rules, told.points)
    for seat in (told.jack, told.all_tricks):
        if seat is not None:
            _check_seat(rules, seat)
    _check_extra(told, due)
    readings = list(_readings(rules, told, due))
    if not readings:
        raise _not_possible(rules, told, due)
    by_pot = rules.stakes.settlement is Settlement.POT  # who has the jack decides who pays
    if len({(found.score, found.penalties if by_pot else ()) for found in readings}) > 1:
        different = {found.points for found in readings}
        raise SheetFault("points_left_out_two_ways" if len(different) > 1 else "who_took_the_jack")
    first = readings[0]
    jacks = {found.jack for found in readings}
    complete = Counted(
        first.points,
        first.jack if len(jacks) == 1 else None,
        first.score.slam,
        _sorted(told.missing),
    )
    return Reckoned(complete, first.score, first.taken)


def _readings(rules: Ruleset, told: Counted, due: Asked) -> Iterator[_Reading]:
    """Every way to understand the points."""
    seats = range(rules.players)
    jacks: Sequence[int | None] = seats if due.jack else (None,)
    for jack in jacks if told.jack is None else (told.jack,):
        bonus = [rules.values.get(JACK, 0) * (seat == jack) for seat in seats]
        if (raw := _filled(told.points, due.total + sum(bonus))) is not None:
            yield from _as_counted(rules, told, raw, bonus, jack)
        for seat in seats:
            if told.all_tricks not in (None, seat):
                continue
            taken = _all_to(rules, seat, jack)
            if jack in (None, seat) and due.all_tricks:
                yield from _as_scored(rules, told, taken, seat, jack)
            if told.all_tricks is None and rules.moon.moon is MoonRule.OTHERS_PLUS:
                yield from _as_scored(rules, told, taken, None, jack)


def _as_counted(
    rules: Ruleset, told: Counted, points: tuple[int, ...], bonus: Sequence[int], jack: int | None
) -> Iterator[_Reading]:
    penalties = tuple(have - extra for have, extra in zip(points, bonus, strict=True))
    slam = told.all_tricks
    if slam is not None and (penalties[slam] != sum(penalties) or jack not in (None, slam)):
        return
    taken = _piles_worth(rules, penalties, jack)
    if taken is not None:
        yield _Reading(points, penalties, jack, taken, _score(rules, taken, slam))


def _as_scored(
    rules: Ruleset, told: Counted, taken: tuple[int, ...], slam: int | None, jack: int | None
) -> Iterator[_Reading]:
    scored = _score(rules, taken, slam)
    points = _filled(told.points, sum(scored.points))
    if points == scored.points:
        yield _Reading(points, points, jack, taken, scored)


def _all_to(rules: Ruleset, seat: int, jack: int | None) -> tuple[int, ...]:
    return tuple(
        rules.penalty_mask * (other == seat) | JACK.bit * (other == jack)
        for other in range(rules.players)
    )


def _piles_worth(
    rules: Ruleset, penalties: Sequence[int], jack: int | None
) -> tuple[int, ...] | None:
    """Cards that count as much; None where no cards do."""
    if min(penalties) < 0:
        return None
    worth = rules.values.get(QUEEN)
    if worth is None:
        return _piles(rules, penalties, None, jack)
    takers = [seat for seat, count in enumerate(penalties) if count >= worth]
    if not takers:
        return None
    hearts = [count - worth * (seat == takers[0]) for seat, count in enumerate(penalties)]
    return _piles(rules, hearts, takers[0], jack)


def _not_possible(rules: Ruleset, told: Counted, due: Asked) -> SheetFault:
    """Why no cards count so."""
    sum_due = due.total + sum(points for points in rules.values.values() if points < 0)
    given = sum(count or 0 for count in told.points)
    if told.points.count(None) > 1:
        return SheetFault("points_left_out", given=given, due=sum_due)
    if None not in told.points and given != sum_due:
        if rules.moon.moon is MoonRule.OFF:
            return SheetFault("points_do_not_add_up", points=given, due=sum_due)
        after_moon = sum_due + due.total * (rules.players - 2)
        return SheetFault("points_or_moon", given=given, due=sum_due, moon=after_moon)
    if told.all_tricks is not None:
        return SheetFault("slam_takes_everything")
    if any(count is not None and count < 0 for count in told.points):
        return SheetFault("negative_points")
    if None in told.points and given > sum_due:
        return SheetFault("points_too_many", given=given, due=sum_due)
    return SheetFault("nobody_has_the_queen", queen=rules.values.get(QUEEN, 0))


# What both have in common


def _check_told(rules: Ruleset, counts: Sequence[int | None]) -> None:
    if len(counts) != rules.players:
        raise SheetFault("players_told", given=len(counts), due=rules.players)


def _check_seat(rules: Ruleset, seat: int) -> None:
    if not 0 <= seat < rules.players:
        raise SheetFault("no_player_there", number=seat + 1, players=rules.players)


def _check_extra(told: Taken | Counted, due: Asked) -> None:
    if told.jack is not None and not due.jack:
        raise SheetFault("jack_counts_nothing")
    if told.all_tricks is not None and not due.all_tricks:
        raise SheetFault("slam_counts_nothing")


def _filled(counts: Sequence[int | None], due: int) -> tuple[int, ...] | None:
    """All of them, adding up to that: one left out is the rest, several are zero."""
    rest = due - sum(count or 0 for count in counts)
    if rest and list(counts).count(None) != 1:
        return None
    return tuple(rest if count is None else count for count in counts)


def _sorted(cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards))
