"""Base of all reports of the laboratory: tables, or sentences where they are read aloud."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Final

from volte.lab.arena.statistics import Mean
from volte.rules import MoonRule, Ruleset, SlamRule
from volte.say.measures import Row, decimal, fits, in_columns, magnitude
from volte.say.rulesheet.facts import has_queen
from volte.say.telling import Lines
from volte.say.words import Words

MOST_PLACES: Final = 6
"""Most decimals of a number in a report."""


def table_or_sentences(
    width: int | None,
    rows: Iterable[Row],
    sentences: Iterable[str],
    *,
    left: int = 1,
    before: Sequence[str] = (),
    after: Sequence[str] = (),
) -> Lines:
    """A table with the lines around it, or sentences in its place.

    Args:
        width: in columns; a table that would be wider becomes sentences. None for no limit, 0 for
            sentences in any case.
        left: number of columns whose cells begin at their left.
    """
    columns = in_columns(rows, left)
    return (*before, *columns, *after) if fits(columns, width) else tuple(sentences)


class PlayReport:
    """Report on deals or whole matches of one ruleset, in the words of one language."""

    def __init__(self, words: Words, rules: Ruleset, matches: bool) -> None:
        self._words = words
        self._matches = matches
        self._moons = rules.moon.moon is not MoonRule.OFF
        self._slams = rules.moon.slam is not SlamRule.OFF
        # with two queens (W11) it is not counted who took which
        self._queens = has_queen(rules) and rules.deck.packs == 1
        self._minus = False  # whether it is told how many moons were taken off

    def _heads(self) -> Row:
        """Heads of the columns of `_cells`."""
        _ = self._words.t
        return self._cells(_("Queen"), _("Moons"), _("Slams"), _("Matches won"), _("Minus"))

    def _cells(self, queens: str, moons: str, slams: str, won: str, minus: str = "") -> Row:
        """Cells of a player, without those that these rules or single deals do not have."""
        shown = (self._queens, self._moons, self._slams, self._minus, self._matches)
        return list(compress((queens, moons, slams, minus, won), shown))

    def _doings(self, queens: str, moons: int, slams: int) -> Iterator[str]:
        """A player's queens, moons and slams as phrases to be heard, as far as the rules have them.

        Args:
            queens: share of the deals in which they took the queen of spades.
        """
        words = self._words
        if self._queens:
            yield words.t("the queen of spades in {share} of the deals", share=queens)
        if self._moons:
            yield words.n("{count} moon", "{count} moons", moons) if moons else words.t("no moon")
        if self._slams:
            yield words.n("{count} slam", "{count} slams", slams) if slams else words.t("no slam")


def places_for(estimates: Iterable[Mean]) -> int:
    """Decimals that show two digits of the smallest margin; at least two, and not too many."""
    least = 10**-MOST_PLACES
    margins = [found for each in estimates if (found := each.margin) and found > least]
    if not margins:
        return 2
    return min(MOST_PLACES, max(2, 1 - magnitude(min(margins))))


def with_margin(words: Words, estimate: Mean, places: int) -> str:
    """The mean and its margin: "6.48 ± 0.12"."""
    half = estimate.margin
    mean = decimal(words, estimate.value, places)
    return mean if half is None else f"{mean} ± {decimal(words, half, places)}"


def give_or_take(words: Words, estimate: Mean, places: int) -> str:
    """The mean and its margin, to be read aloud."""
    half = estimate.margin
    mean = decimal(words, estimate.value, places)
    if not half:
        return mean
    return words.t("{mean}, give or take {margin}", mean=mean, margin=decimal(words, half, places))
