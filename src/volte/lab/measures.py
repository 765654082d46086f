"""Means with their margins, shares and times, in one person's digits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from volte.lab.arena import Mean
from volte.say.measures import decimal, magnitude
from volte.say.words import Words

MOST_PLACES: Final = 6
"""Decimals that a number is told with at most."""


def margin(estimate: Mean) -> float | None:
    """Half of the interval; None where there is none."""
    if estimate.interval is None:
        return None
    low, high = estimate.interval
    return (high - low) / 2


def places_for(estimates: Iterable[Mean]) -> int:
    """Decimals that show two digits of the smallest margin; at least two, and not too many."""
    margins = [found for found in map(margin, estimates) if found and found > 10**-MOST_PLACES]
    if not margins:
        return 2
    return min(MOST_PLACES, max(2, 1 - magnitude(min(margins))))


def with_margin(words: Words, estimate: Mean, places: int) -> str:
    """The mean and its margin: "6.48 ± 0.12"."""
    half = margin(estimate)
    mean = decimal(words, estimate.value, places)
    return mean if half is None else f"{mean} ± {decimal(words, half, places)}"


def give_or_take(words: Words, estimate: Mean, places: int) -> str:
    """The same for ears."""
    half = margin(estimate)
    mean = decimal(words, estimate.value, places)
    if not half:
        return mean
    return words.t("{mean}, give or take {margin}", mean=mean, margin=decimal(words, half, places))


def points_a_deal(words: Words, estimate: Mean, places: int) -> str:
    """The same in full."""
    half = margin(estimate)
    mean = decimal(words, estimate.value, places)
    if not half:
        return words.t("{mean} points a deal", mean=mean)
    most = decimal(words, half, places)
    return words.t("{mean} points a deal, give or take {margin}", mean=mean, margin=most)
