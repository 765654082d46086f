"""Means with their margins, shares and times, in one person's digits."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import floor, log10
from typing import Final

from babel.numbers import format_decimal

from volte.lab.arena import Estimate
from volte.say.words import Words

MOST_PLACES: Final = 6
"""Decimals that a number is told with at most."""

MINUTE: Final = 60
HOUR: Final = 3600


def decimal(words: Words, value: float, places: int) -> str:
    """A number with just so many decimals, in the digits of the language."""
    rounded = round(value, places) + 0.0  # no −0
    pattern = "#,##0." + "0" * places if places else "#,##0"
    return format_decimal(rounded, pattern, locale=words.lang).replace("-", "−")


def shortest(words: Words, value: float) -> str:
    """A number with as few decimals as it needs."""
    places = next(
        places for places in range(7) if places == 6 or abs(value - round(value, places)) < 1e-9
    )
    return decimal(words, value, places)


def percent(words: Words, share: float, places: int = 1) -> str:
    """A part of 1 in hundredths."""
    return words.t("{number}%", number=decimal(words, 100 * share, places))


def magnitude(value: float) -> int:
    """The place of the first digit: 0 for ones, −2 for hundredths."""
    return floor(log10(abs(value)))


def margin(estimate: Estimate) -> float | None:
    """Half of the interval; None where there is none."""
    if estimate.interval is None:
        return None
    low, high = estimate.interval
    return (high - low) / 2


def places_for(estimates: Iterable[Estimate]) -> int:
    """Decimals that show two digits of the smallest margin; at least two, and not too many."""
    margins = [found for found in map(margin, estimates) if found and found > 10**-MOST_PLACES]
    if not margins:
        return 2
    return min(MOST_PLACES, max(2, 1 - magnitude(min(margins))))


def with_margin(words: Words, estimate: Estimate, places: int) -> str:
    """The mean and its margin: "6.48 ± 0.12"."""
    half = margin(estimate)
    mean = decimal(words, estimate.value, places)
    return mean if half is None else f"{mean} ± {decimal(words, half, places)}"


def give_or_take(words: Words, estimate: Estimate, places: int) -> str:
    """The same for ears."""
    half = margin(estimate)
    mean = decimal(words, estimate.value, places)
    if not half:
        return mean
    return words.t("{mean}, give or take {margin}", mean=mean, margin=decimal(words, half, places))


def points_a_deal(words: Words, estimate: Estimate, places: int) -> str:
    """The same in full."""
    half = margin(estimate)
    mean = decimal(words, estimate.value, places)
    if not half:
        return words.t("{mean} points a deal", mean=mean)
    most = decimal(words, half, places)
    return words.t("{mean} points a deal, give or take {margin}", mean=mean, margin=most)


def duration(words: Words, seconds: float) -> str:
    """A time as people say it: "0.4 seconds", "12 seconds", "5 minutes", "2 hours"."""
    if seconds < 10:
        return words.n(
            "{count} second", "{count} seconds", Fraction(max(1, round(seconds * 10)), 10)
        )
    if seconds < 2 * MINUTE:
        return words.n("{count} second", "{count} seconds", round(seconds))
    if seconds < 2 * HOUR:
        return words.n("{count} minute", "{count} minutes", round(seconds / MINUTE))
    return words.n("{count} hour", "{count} hours", round(seconds / HOUR))
