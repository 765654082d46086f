"""Points that each level gives away, by its pass and by its play: makes a table of docs/bots.md.

    nice python benchmarks/judged.py casual strong expert --keep build/judged.jsonl --write
    python benchmarks/judged.py [--deals 50] [--minutes 10] [--rules dame-de-pique] [--seed 1]
        [--passes 40000] [--plays 10000] [--keep FILE] [--dear] [--write] [LEVEL...]

Each level plays deals that stand alone against itself, and every choice of all seats is judged from
the view of its seat, by a long search with opponents of the level's kind. The best is chosen by one
half of the simulations and valued by the other, and the other way round: so the best of many does
not look better than it is. A large error is one that both halves find `LARGE` points worse than the
other half's best.

A dear choice is one that three judges find more than `DEAR` points worse than the best: the two
halves with opponents who play by instinct, and both halves together with opponents who play as
`casual`. Its cost is the mean of the three. Whatever one kind of opponents would not punish is
left out, so it is a choice that a person would call an error. `--dear` lists these choices, the
dearest first.

`--minutes` of the processor are spent on a level at most; `--keep` saves deals as they are judged,
and resumes. A level that plays differently needs another file.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Iterator
from contextlib import suppress
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)

import msgspec  # noqa: E402

from benchmarks.machine import described  # noqa: E402
from benchmarks.written import SEARCH, put  # noqa: E402
from volte.bots import LEVELS, Bot, BotOwner, Clock  # noqa: E402
from volte.bots.candidates import unlike  # noqa: E402
from volte.bots.levels import SEARCHING  # noqa: E402
from volte.bots.reviewing import get_ready  # noqa: E402
from volte.bots.search import LESS, Search  # noqa: E402
from volte.cards import mask_of  # noqa: E402
from volte.game import Pass, Play, SeatAction  # noqa: E402
from volte.kernel.layout import CASUAL, INSTINCT  # noqa: E402
from volte.lab.arena.readable import run_at  # noqa: E402
from volte.lab.seeded import table_of  # noqa: E402
from volte.rules import Ruleset, make_ruleset, options_of  # noqa: E402
from volte.view import View  # noqa: E402

SOURCES: Final = ("benchmarks/judged.py", *SEARCH)

LARGE: Final = 2.0
"""Least points that a large error gives away."""

DEAR: Final = 1.0
"""Points that a dear choice gives away, by each of three judges; it is more than these."""

DEAREST: Final = 5.0
"""Points that the plays counted apart, among the dear ones, cost more than."""

HEAD: Final = """\
| level | by the pass | by the play | together | large errors in 100 choices | dear choices \
| plays that cost more than 5, in 100 deals | moons in 100 deals | deals | minutes |
|---|---|---|---|---|---|---|---|---|---|"""


class DearChoice(msgspec.Struct, frozen=True):
    """A choice that all three judges find dear."""

    seat: int  # from 0
    trick: int  # from 1; 0 for the pass
    cards: str
    lost: tuple[float, float, float]  # points by two judges of instinct and one of `casual`

    @property
    def cost(self) -> float:
        return fmean(self.lost)


class JudgedDeal(msgspec.Struct, frozen=True):
    """A line of the file: the errors in one deal."""

    level: str
    number: int  # from 0
    passed: float  # points that the passes of a seat gave away, on average
    played: float  # points that the plays of a seat gave away, on average
    choices: int  # of all seats
    large: int  # large errors
    dear: tuple[DearChoice, ...]
    moon: bool  # whether one was shot
    seconds: float  # of processor time
    players: int

    @property
    def dear_cost(self) -> float:
        """Points that the dear choices of a seat gave away, on average."""
        return sum(each.cost for each in self.dear) / self.players

    @property
    def dearest(self) -> int:
        """Number of plays that cost more than `DEAREST`."""
        return sum(each.trick > 0 and each.cost > DEAREST for each in self.dear)


class Heading(msgspec.Struct, frozen=True):
    """The first line of the file."""

    rules: dict[str, Any]
    seed: int
    passes: int  # simulations
    plays: int


def halves_of(rollouts: int) -> tuple[Search, Search]:
    """Two judges of one kind, with simulations of their own.

    Args:
        rollouts: how everybody plays in their simulations.
    """
    style = dataclasses.replace(LESS["expert-points"], rollouts=rollouts)
    return Search.judge(1, style), Search.judge(2, style)


HALVES: Final = {rollouts: halves_of(rollouts) for rollouts in (INSTINCT, CASUAL)}
"""Two judges of each kind, by the policy of their simulations."""


class Witness:
    """A bot that keeps its views and choices."""

    def __init__(self, bot: Bot, choices: list[tuple[View, Pass | Play]]) -> None:
        self._bot = bot
        self._choices = choices

    def choose(self, view: View, clock: Clock) -> SeatAction:
        action = self._bot.choose(view, clock)
        if isinstance(action, Pass) or (isinstance(action, Play) and len(unlike(view)) > 1):
            self._choices.append((view, action))
        return action


def judged(level: str, number: int, heading: Heading, rules: Ruleset) -> JudgedDeal:
    """Play a deal among that level, and judge all its choices."""
    begun = process_time()
    table = table_of(rules, heading.seed, number, whole_matches=False)
    choices: list[tuple[View, Pass | Play]] = []
    levels = [level] * rules.players
    owners = [
        BotOwner(Witness(table.bot(level, seat), choices), seat) for seat in range(rules.players)
    ]
    end = run_at(table, levels, owners).state
    given = {Pass: 0.0, Play: 0.0}
    large = 0
    dear = []
    for view, action in choices:
        simulations = heading.passes if isinstance(action, Pass) else heading.plays
        clock = Clock(simulations=simulations // 2)
        instinct = lost_by(action, view, HALVES[INSTINCT], clock)
        casual = lost_by(action, view, HALVES[CASUAL], clock)
        lost = instinct if level in SEARCHING else casual
        given[type(action)] += fmean(lost)
        large += min(lost) >= LARGE
        three = (*instinct, fmean(casual))
        if min(three) > DEAR:
            trick = len(view.deal.tricks) + 1 if isinstance(action, Play) else 0
            dear.append(DearChoice(view.seat, trick, named(action), three))
    return JudgedDeal(
        level,
        number,
        given[Pass] / rules.players,
        given[Play] / rules.players,
        len(choices),
        large,
        tuple(dear),
        end.deals[-1].moon is not None,
        process_time() - begun,
        rules.players,
    )


def lost_by(
    action: Pass | Play, view: View, halves: tuple[Search, Search], clock: Clock
) -> tuple[float, float]:
    """Loss by an action: the best by one half, as the other values it; and in turn."""
    one, other = (
        {cards(each.action): each.margin for each in half.think(view, clock, action).estimates}
        for half in halves
    )
    done = cards(action)
    return (
        other[done] - other[min(one, key=one.__getitem__)],
        one[done] - one[min(other, key=other.__getitem__)],
    )


def named(action: Pass | Play) -> str:
    """The cards of an action, as in records."""
    return " ".join(map(str, action.cards if isinstance(action, Pass) else (action.card,)))


def cards(action: SeatAction) -> int:
    """The mask of the cards: their order makes no difference to a pass."""
    assert isinstance(action, Pass | Play)
    return mask_of(action.cards) if isinstance(action, Pass) else action.card.bit


# Kept deals


def kept(path: Path | None, heading: Heading) -> list[JudgedDeal]:
    """The deals of a file, which is begun if it is not there; half a line at its end is dropped."""
    if path is None:
        return []
    first = msgspec.json.encode(heading) + b"\n"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(first)
    content = path.read_bytes()
    if not content.startswith(first):
        sys.exit(f"{path} is of other deals, or judged otherwise.")
    whole = content[: content.rfind(b"\n") + 1]
    path.write_bytes(whole)
    return [msgspec.json.decode(line, type=JudgedDeal) for line in whole.splitlines()[1:]]


# The table


def row(level: str, deals: list[JudgedDeal]) -> str:
    """The row of a level, with the points that a seat gives away in a deal."""
    dear = in_figures([deal.dear_cost for deal in deals])
    dearest = 100 * sum(deal.dearest for deal in deals) / len(deals)
    passed, played = [each.passed for each in deals], [each.played for each in deals]
    both = [deal.passed + deal.played for deal in deals]
    large = 100 * sum(deal.large for deal in deals) / sum(deal.choices for deal in deals)
    moons = [100.0 * deal.moon for deal in deals]
    minutes = sum(deal.seconds for deal in deals) / 60
    means = " | ".join(map(in_figures, (passed, played, both)))
    shot = in_figures(moons, 0)
    errors = f"{large:.1f} | {dear} | {dearest:.0f}"
    return f"| {level} | {means} | {errors} | {shot} | {len(deals)} | {minutes:.1f} |"


def dear_choices(deals: list[JudgedDeal]) -> Iterator[str]:
    """A line for each dear choice: the mean of the judges, deal, seat (from 1), trick, and each."""
    found = [(each, deal.number) for deal in deals for each in deal.dear]
    for each, number in sorted(found, key=lambda pair: -pair[0].cost):
        what = f"trick {each.trick}" if each.trick else "pass"
        judges = ", ".join(f"{lost:.1f}" for lost in each.lost)
        where = f"deal {number}, seat {each.seat + 1}, {what}"
        yield f"{each.cost:5.1f}  {where}: {each.cards}  ({judges})"


def in_figures(samples: list[float], places: int = 2) -> str:
    """The mean, and two standard errors."""
    error = 2 * stdev(samples) / sqrt(len(samples))
    return f"{fmean(samples):.{places}f} ± {error:.{places}f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("levels", nargs="*", default=list(LEVELS), help="or marks of volte arena")
    parser.add_argument("--deals", type=int, default=50, help="of each level, at least 2")
    parser.add_argument("--minutes", type=float, default=10, help="of the processor, for each")
    parser.add_argument("--rules", default="dame-de-pique")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--passes", type=int, default=40_000, help="simulations for a pass")
    parser.add_argument("--plays", type=int, default=10_000, help="simulations for a play")
    parser.add_argument("--keep", type=Path, help="a file")
    parser.add_argument("--dear", action="store_true", help="list the dear choices")
    parser.add_argument("--write", action="store_true", help="into docs/bots.md")
    options = parser.parse_args()
    rules = make_ruleset(options.rules)
    get_ready(rules)
    heading = Heading(options_of(rules), options.seed, options.passes, options.plays)
    known = kept(options.keep, heading)
    rows = []
    for level in options.levels:
        deals = [each for each in known if each.level == level][: options.deals]
        with suppress(KeyboardInterrupt):
            while len(deals) < options.deals and spent(deals) < 60 * options.minutes:
                deals.append(judged(level, len(deals), heading, rules))
                if options.keep is not None:
                    with options.keep.open("ab") as file:
                        file.write(msgspec.json.encode(deals[-1]) + b"\n")
        rows.append(row(level, deals))
        print(rows[-1], flush=True)
        if options.dear:
            print("\n".join(dear_choices(deals)), flush=True)
    if options.write:
        what = f"`{options.rules}`, {described()}."
        put("docs/bots.md", "\n".join([what, "", HEAD, *rows]), *SOURCES)


def spent(deals: list[JudgedDeal]) -> float:
    """Seconds of processor time."""
    return sum(each.seconds for each in deals)


if __name__ == "__main__":
    main()
