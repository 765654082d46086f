"""Makes the puzzles that come with Volte, out of matches of bots.

    nice python scripts/puzzles.py [--seed S] [--matches N] [--processes N]
        [--found FILE] [--target FILE]

What is found in each match is written to FILE as it is found, so that the work can be stopped and
gone on with; from the same seed the same is found. Then as many of each grade are chosen as make
whole weeks of daily puzzles, a year of them at most, and put in an order that says nothing. Without
--matches nothing new is looked for: what FILE has is chosen from again.
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import msgspec

from volte.fair import SplitMix64
from volte.game.codec import card_text, read_card
from volte.lessons.puzzle_making import Found, chosen, found_in
from volte.lessons.puzzles import DAYS, Grade, Puzzle, written

HERE: Final = Path(__file__).resolve().parent.parent
TARGET: Final = HERE / "src/volte/lessons/puzzles.json"
FOUND: Final = HERE / "build/puzzles.jsonl"

MOST_WEEKS: Final = 52
"""After which the daily puzzles come again, at most."""

Gathered = dict[int, list[Found]]
"""What has been found, by the number of the match."""

_READ: Final = msgspec.json.Decoder(tuple[int, list[Found]], dec_hook=read_card)


def gathered(file: Path) -> Gathered:
    """What that file has."""
    lines = file.read_bytes().splitlines() if file.exists() else []
    return dict(_READ.decode(line) for line in lines)


def look(file: Path, matches: int, seed: int, processes: int) -> None:
    """Goes through so many matches, but for those that the file has."""
    done = gathered(file)
    numbers = [number for number in range(matches) if number not in done]
    file.parent.mkdir(parents=True, exist_ok=True)
    pool = ProcessPoolExecutor(processes, get_context("spawn"))
    with file.open("ab") as kept, pool:
        for number, found in zip(numbers, pool.map(found_in, numbers, repeat(seed)), strict=True):
            kept.write(msgspec.json.encode((number, found), enc_hook=card_text) + b"\n")
            kept.flush()
            print(f"match {number}: {len(found)}", flush=True)


def made(found: list[Found], seed: int) -> list[Puzzle]:
    """The collection."""
    weeks = min(
        MOST_WEEKS,
        *(sum(each.grade is grade for each in found) // DAYS.count(grade) for grade in Grade),
    )
    taken = chosen(found, {grade: weeks * DAYS.count(grade) for grade in Grade})
    SplitMix64(seed).shuffle(taken)
    return [
        Puzzle(number, each.grade, each.position, each.options)
        for number, each in enumerate(taken, start=1)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the puzzles.")
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--matches", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--found", type=Path, default=FOUND)
    parser.add_argument("--target", type=Path, default=TARGET)
    options = parser.parse_args()
    if options.matches:
        look(options.found, options.matches, options.seed, options.processes)
    kept = gathered(options.found)
    puzzles = made([each for number in sorted(kept) for each in kept[number]], options.seed)
    options.target.write_bytes(written(puzzles))
    told = Counter(each.grade.name.lower() for each in puzzles)
    print(f"{len(puzzles)} puzzles, {dict(told)}, {options.target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
