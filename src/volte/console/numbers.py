"""What was asked of `volte simulate`: its options, read and judged before anything is played."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import Final

from volte.console.terminal import Misuse

USUAL_DEALS: Final = 1_000
MOST: Final = 10**9
"""Deals or matches of one simulation."""
MOST_PROCESSES: Final = 1_024
MOST_KEPT: Final = 1_000
"""Records that one simulation writes."""
SEEDS: Final = 2**64
FRESH_SEEDS: Final = 10**9
"""Seeds that nobody has asked for are short enough to be typed again."""

PLOTS: Final = (".png", ".svg")
NOTABLE: Final = ("moon", "slam", "highest")
"""What `--keep` finds by itself: the first moon, the first slam, the most points of one seat."""

_NUMBER: Final = re.compile(
    r"([0-9]{1,3}(?:[ _,\u00a0\u2009\u202f][0-9]{3})+|[0-9]{1,20})(?:[eE]([0-9]{1,2}))?"
)
_SEPARATORS: Final = re.compile(r"[^0-9]")


def read_number(option: str, text: str, least: int, most: int) -> int:
    """The whole number as people write it: 10000, 10_000, 10 000, 10,000 or 1e4.

    Raises `Misuse` for what is none, or out of range.
    """
    match = _NUMBER.fullmatch(text.strip(" "))
    number = int(_SEPARATORS.sub("", match[1])) * 10 ** int(match[2] or 0) if match else -1
    if not least <= number <= most:
        raise Misuse("no_such_count", option=option, value=text, least=least, most=most)
    return number


def read_length(deals: str | None, matches: str | None) -> tuple[int | None, int | None]:
    """How many deals, or how many matches; the other one is None."""
    if deals is not None and matches is not None:
        raise Misuse("not_together", option="--matches", other="--deals")
    if matches is not None:
        return None, read_number("--matches", matches, 1, MOST)
    if deals is not None:
        return read_number("--deals", deals, 1, MOST), None
    return USUAL_DEALS, None


def read_seed(seed: str | None) -> int:
    """The number that was typed, or a fresh one."""
    if seed is None:
        return secrets.randbelow(FRESH_SEEDS)
    return read_number("--seed", seed, 0, SEEDS - 1)


def read_processes(processes: str | None, cluster: str | None) -> int | None:
    """How many processes share the work; None where nobody says."""
    if processes is None:
        return None
    if cluster is not None:
        raise Misuse("not_together", option="--processes", other="--cluster")
    return read_number("--processes", processes, 1, MOST_PROCESSES)


def read_kept(keep: str | None, most: int) -> tuple[int | str, ...]:
    """What `--keep` names: numbers from 1 to `most`, and words of `NOTABLE`."""
    if keep is None:
        return NOTABLE
    words = [word.strip() for word in keep.split(",")]
    if len(words) > MOST_KEPT:
        raise Misuse("too_many_kept", most=MOST_KEPT)
    return tuple(_kept(word, most) for word in words)


def _kept(word: str, most: int) -> int | str:
    if word in NOTABLE:
        return word
    if not word[:1].isdigit():
        raise Misuse("no_such_choice", option="--keep", value=word, values=_choices())
    return read_number("--keep", word, 1, most)


def _choices() -> str:
    return ", ".join(["1", "2", "…", *NOTABLE])


def needs(option: str, given: object, other: str, present: object) -> None:
    """Refuses an option that says nothing without another one."""
    if given is not None and present is None:
        raise Misuse("goes_with", option=option, other=other)


def read_seats(seats: str | None) -> Sequence[str]:
    """The players that are named, clockwise; none where nobody says."""
    return [level.strip() for level in seats.split(",")] if seats is not None else []


USUAL_LEVEL: Final = "casual"
