"""Makes the puzzles that come with Volte, from matches of bots.

    nice python scripts/puzzles.py [--seed S] [--matches N] [--processes N]
        [--found FILE] [--target FILE]

A choice is weighed twice, by searches that draw different worlds; the second is the thorough one.
It is kept if both find the same card a point ahead of all others, by the points of the deal and by
their worth in the match, and if a plain player would not find it anyway.

The puzzles of each match are written to FILE as they are found, so that the work can be stopped and
resumed; the same seed finds the same puzzles. Then as many of each grade are chosen as make whole
weeks of daily puzzles, a year of them at most, and put in an order that gives nothing away. Without
--matches no new ones are looked for: the choice is made again from FILE.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from enum import StrEnum
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import msgspec

from volte import game
from volte.bots import Beginner, Bot, BotOwner, Casual, Clock, Estimate, Reason, make_bot
from volte.bots.candidates import unlike
from volte.bots.reasons import reason_of
from volte.bots.search import STRONG, Search
from volte.cards import QUEENS, Card
from volte.fair import SplitMix64, split
from volte.game.codec import card_text, read_card
from volte.lessons.puzzles import (
    DAYS,
    Alternative,
    Grade,
    Puzzle,
    position_of,
    read_position,
    written,
)
from volte.rules import Ruleset, Value, make_ruleset
from volte.view import View

HERE: Final = Path(__file__).resolve().parent.parent
TARGET: Final = HERE / "src/volte/lessons/puzzles.json"
FOUND: Final = HERE / "build/puzzles.jsonl"

MOST_WEEKS: Final = 52
"""Most weeks before the daily puzzles come again."""

TABLES: Final[tuple[tuple[str, Mapping[str, Value]], ...]] = (
    *[("coeurs", {"players": 4})] * 4,
    *[("microsoft", {})] * 2,
    ("coeurs-cinq-coups", {}),
    ("coeurs", {"players": 3}),
    ("coeurs", {"players": 5}),
    ("coeurs", {"players": 6}),
    ("salon", {"players": 3}),
    ("salon", {"players": 5}),
    ("salon-valet", {}),
)
"""Rulesets of the matches; the best known more often."""

LEVELS: Final = ("casual", "casual", "strong", "expert", "beginner")
"""Levels of the players: a beginner here and there, since others then have more to punish."""

AT_PLAY: Final = Clock(simulations=600)
FIRST: Final = Clock(simulations=5_000)
THOROUGH: Final = Clock(simulations=100_000)

AHEAD: Final = 1.0  # points by which the best card must be ahead of the next
MOST_DEALS: Final = 3  # of a match, the most that are searched for puzzles
MOST_FOUND: Final = 2  # puzzles out of one deal
FEWEST_CARDS: Final = 3  # in the hand, since with fewer there is little to think about

SEEDS: Final = range(10)
FEW: Final = Clock(simulations=200)
"""Seeds for the bots that are asked whether they find the answer, and the time of `strong`."""

MOONS: Final = frozenset(
    {
        Reason.STOP_MOON,
        Reason.NO_POINT,
        Reason.KEEP_STOPPER,
        Reason.SHOOT_MOON,
        Reason.TRY_MOON,
        Reason.GO_ON_MOON,
        Reason.COMPLETE_MOON,
    }
)
SPADES: Final = frozenset(
    {
        Reason.FLUSH_QUEEN,
        Reason.CATCH_QUEEN,
        Reason.TRAP,
        Reason.GUARD,
        Reason.DROP_COVER,
        Reason.DUMP_QUEEN,
    }
)


class Theme(StrEnum):
    """Subject of a puzzle."""

    LEAD = "lead"
    DUCK = "duck"  # stay under the card that wins
    TAKE = "take"  # take the trick, or go as high as one can
    DISCARD = "discard"
    QUEEN = "queen"  # play her, or lead below her
    MOON = "moon"  # somebody may be shooting


class Found(msgspec.Struct, frozen=True):
    """A position that makes a puzzle."""

    match: int  # number of the match that it comes from
    position: str
    options: tuple[Alternative, ...]  # the best first
    theme: Theme
    beginner: float  # share of several tries in which `beginner` finds the answer
    casual: bool  # whether `casual` finds it
    strong: float  # share of tries in which `strong` finds it

    @property
    def table(self) -> str:
        """The line of its rules."""
        return self.position.partition("\n")[0]

    @property
    def ahead(self) -> float:
        """Points by which the best is ahead of the next."""
        return self.options[1].points

    @property
    def grade(self) -> Grade:
        """Grade by the players that find the answer, and by how much it matters."""
        if self.casual:
            return Grade.EASY if self.strong >= 0.8 and self.ahead >= 1.8 else Grade.MEDIUM
        plain = self.beginner > 0.5 or (self.strong == 1 and self.ahead >= 3.5)
        return Grade.MEDIUM if plain else Grade.HARD


def found_in(number: int, seed: int) -> list[Found]:
    """The puzzles of a match, which follows from its number and the seed."""
    draws = SplitMix64(split(seed, number))
    preset, settings = TABLES[number % len(TABLES)]
    rules = make_ruleset(preset, settings)
    levels = [draws.choice(LEVELS) for _ in range(rules.players)]
    log = played(rules, levels, draws.next())
    deals = [event.number for event in log if isinstance(event, game.Dealt)]
    draws.shuffle(deals)
    found: list[Found] = []
    for deal in sorted(deals[:MOST_DEALS]):
        views = [view for view in choices(log) if view.deal.number == deal]
        draws.shuffle(views)
        of_deal: list[Found] = []
        for view in views:
            if len(of_deal) < MOST_FOUND and levels[view.seat or 0] != "beginner":
                of_deal += filter(None, [weighed(view, number, seed)])
        found += of_deal
    return found


def played(rules: Ruleset, levels: Sequence[str], seed: int) -> list[game.Event]:
    """The events of a match of those bots."""
    players = tuple(game.Player(f"{seat}", level=level) for seat, level in enumerate(levels))
    bots = [make_bot(level, split(seed, seat)) for seat, level in enumerate(levels)]
    owners = [BotOwner(bot, seat, AT_PLAY) for seat, bot in enumerate(bots)]
    driver = game.Driver([game.MatchStarted(rules, players)], owners, game.PlainChance(seed))
    driver.run()
    return driver.log


def choices(log: Sequence[game.Event]) -> Iterator[View]:
    """Yield the view before each played card, if another card was a real choice."""
    views: dict[int, View] = {}
    start = log[0]
    assert isinstance(start, game.MatchStarted)
    for event in log:
        if isinstance(event, game.Played):
            view = views[event.seat]
            if len(view.hand) >= FEWEST_CARDS and len(unlike(view)) > 1:
                yield view
        for seat in range(start.rules.players):
            shown = game.visible(event, seat)
            views[seat] = views[seat].see(shown) if seat in views else View.of(seat, [shown])


def weighed(view: View, match: int = 0, seed: int = 0) -> Found | None:
    """The puzzle that a choice makes, if it makes one."""
    position = position_of(view)
    view = read_position(position)
    first = options_of(view, split(seed, 0), FIRST)
    if first is None or first[1].points - first[1].error / 2 < AHEAD:
        return None
    best = first[0].cards
    beginner = _share(view, best, [Beginner(each) for each in SEEDS], Clock())
    casual = bool(_share(view, best, [Casual()], Clock()))
    if casual and beginner > 0.5:
        return None
    options = options_of(view, split(seed, 1), THOROUGH)
    if options is None or options[0].cards != best:
        return None
    if options[1].points - options[1].error < AHEAD:
        return None
    strong = _share(view, best, [Search(STRONG, each) for each in SEEDS], FEW)
    theme = theme_of(view, best[0])
    return Found(match, position, options, theme, beginner, casual, strong)


def options_of(view: View, seed: int, clock: Clock) -> tuple[Alternative, ...] | None:
    """The options and their costs, the best first.

    None if the match wants another card than the points.
    """
    assert view.seat is not None
    thought = Search.judge(seed).think(view, clock)
    estimates = {each.action: each for each in thought.estimates}
    if not estimates:
        return None
    groups = [(estimates[game.Play(view.seat, cards[0])], cards) for cards in unlike(view).values()]
    groups.sort(key=lambda group: group[0].margin)
    best = groups[0][0]
    if game.Play(view.seat, groups[0][1][0]) != thought.action:
        return None
    return tuple(Alternative(cards, *_behind(each, best)) for each, cards in groups)


def _behind(each: Estimate, best: Estimate) -> tuple[float, float]:
    """Loss in points, and two standard errors of the difference, both drawn apart."""
    if each is best:
        return 0.0, 0.0
    error = 2 * ((each.error or 0.0) ** 2 + (best.error or 0.0) ** 2) ** 0.5
    return round(each.margin - best.margin, 2), round(error, 2)


def _share(view: View, best: tuple[Card, ...], bots: Sequence[Bot], clock: Clock) -> float:
    """The share of those bots that find the answer."""
    found = [bot.choose(view, clock) for bot in bots]
    return sum(isinstance(each, game.Play) and each.card in best for each in found) / len(found)


def theme_of(view: View, best: Card) -> Theme:
    """The theme of a puzzle whose best card is this."""
    deal = view.deal
    assert view.seat is not None
    reason = reason_of(view, game.Play(view.seat, best))
    if reason in MOONS:
        return Theme.MOON
    if best.bit & QUEENS or reason in SPADES:
        return Theme.QUEEN
    if deal.led is None:
        return Theme.LEAD
    if best.suit is not deal.led:
        return Theme.DISCARD
    top = max(card.rank or 0 for card in deal.trick if card.suit is deal.led)
    return Theme.TAKE if (best.rank or 0) > top else Theme.DUCK


def chosen(found: Sequence[Found], counts: dict[Grade, int]) -> list[Found]:
    """So many puzzles of each grade, as varied as possible."""
    return [each for grade, count in counts.items() for each in _varied(found, grade, count)]


def _varied(found: Sequence[Found], grade: Grade, count: int) -> list[Found]:
    left = [each for each in found if each.grade is grade]
    selected: list[Found] = []
    themes, tables = Counter[Theme](), Counter[str]()
    while left and len(selected) < count:
        each = min(left, key=lambda each: (themes[each.theme], tables[each.table]))
        left.remove(each)
        selected.append(each)
        themes[each.theme] += 1
        tables[each.table] += 1
    return selected


# The collection

Gathered = dict[int, list[Found]]
"""Puzzles found so far, by the number of the match."""

_READ: Final = msgspec.json.Decoder(tuple[int, list[Found]], dec_hook=read_card)


def gathered(file: Path) -> Gathered:
    """The content of a file of puzzles found."""
    lines = file.read_bytes().splitlines() if file.exists() else []
    return dict(_READ.decode(line) for line in lines)


def look(file: Path, matches: int, seed: int, processes: int) -> None:
    """Search so many matches, but for those already in the file."""
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
    """The collection of puzzles."""
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
