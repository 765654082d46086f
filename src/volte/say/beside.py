"""Comparison of two matches with the same cards, seat by seat or deal by deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from volte.game import Player
from volte.rules import Ruleset, Score, totals
from volte.say.language import N_, Language


class SameCards(msgspec.Struct, frozen=True):
    """A match that was played with some cards."""

    players: Sequence[Player]  # by seat
    deals: Sequence[Score]


class Beside(msgspec.Struct, frozen=True):
    """Two matches with the same cards, side by side, in words."""

    title: str
    line: str  # what the listener made of the cards, and the player before; empty without a seat
    heads: tuple[str, ...]  # of the columns
    rows: tuple[tuple[str, ...], ...]  # the first cell of each is its heading


def by_seats(
    words: Language, rules: Ruleset, before: SameCards, now: SameCards, me: int | None = None
) -> Beside:
    """The players who had the same cards, side by side, with their totals.

    Args:
        me: the listener's seat in the match now; None without one.
    """
    sums = [totals(rules, each.deals) for each in (before, now)]
    rows = tuple(
        (
            _names(words, before, side),
            words.number(sums[0][side[0]]),
            _names(words, now, side, me),
            words.number(sums[1][side[0]]),
        )
        for side in rules.all_sides
    )
    points = words.t("Points")
    heads = (words.t("Before"), points, words.t("Now"), points)
    return Beside(words.t(_TITLE), _line(words, sums, before, me), heads, rows)


def by_deals(
    words: Language, rules: Ruleset, before: SameCards, now: SameCards, me: int | None = None
) -> Beside:
    """The points of the same cards in each deal, before and now; the last row has the totals."""
    sums = [totals(rules, each.deals) for each in (before, now)]
    heads = [words.t("Deal")]
    for side in rules.all_sides:
        then, at_last = _names(words, before, side), _names(words, now, side, me)
        heads.append(words.t("{before}, then {now}", before=then, now=at_last))
    pairs = zip(before.deals, now.deals, strict=False)
    lines = [(each.points, other.points) for each, other in pairs]
    rows = tuple(
        (words.number(number), *_cells(words, rules, one, other))
        for number, (one, other) in enumerate(lines, start=1)
    )
    total = (words.t("Total"), *_cells(words, rules, sums[0], sums[1]))
    return Beside(words.t(_TITLE), _line(words, sums, before, me), tuple(heads), (*rows, total))


def told(words: Language, beside: Beside) -> tuple[str, ...]:
    """Both matches by their seats, in lines for a terminal."""
    pairs = N_("{before}: {points}. Then {now}: {others}.")
    lines = (
        words.t(pairs, before=before, points=points, now=now, others=others)
        for before, points, now, others in beside.rows
    )
    return (f"{beside.title}:", *lines, *([beside.line] if beside.line else []))


_TITLE = N_("The same cards, before and now")


def _cells(
    words: Language, rules: Ruleset, before: Sequence[int], now: Sequence[int]
) -> Iterator[str]:
    for side in rules.all_sides:
        one, other = words.number(before[side[0]]), words.number(now[side[0]])
        yield words.t("{before}, then {now}", before=one, now=other)


def _names(words: Language, match: SameCards, side: Sequence[int], me: int | None = None) -> str:
    if me in side and len(side) == 1:
        return words.t("You")
    return words.listed([match.players[seat] for seat in side])


def _line(words: Language, sums: Sequence[Sequence[int]], before: SameCards, me: int | None) -> str:
    if me is None:
        return ""
    return words.t(
        "With the same cards, {player} had {others}, and you have {own}.",
        player=before.players[me],
        others=words.points(sums[0][me]),
        own=words.points(sums[1][me]),
    )
