"""Matches that a bot wins among three others, beside an older version of itself at the same seat.

    nice python benchmarks/matches.py casual \\
        --before 'env PYTHONPATH=OLD/src python -m volte engine --level casual'
    python benchmarks/matches.py BOT --before COMMAND [--among strong] [--matches 1000]
        [--minutes 60] [--rules dame-de-pique] [--seed 61] [--keep FILE]
    python benchmarks/matches.py casual --weights decisive=0
        [--matches 24000] [--rules dame-de-pique] [--seed 61]

Every match of the seed is played with the bot at one seat, which moves round the table, and the
others at the rest. The older version, an outside engine, is asked at every choice as well. From the
first choice in which the two differ, the match is played a second time, by the older version; where
they never differ, it would go the same. So both have had the same cards and, as far as possible,
the same match, and the difference is known better than either share. A tie is a part of a win.
Intervals of 95 %. `--minutes` are of the processor, without that of the outside engine; `--keep`
saves matches as they are played, and resumes. A bot that plays differently needs another file.

With `--weights`, the older version is `casual` with some weights changed, the others are that too,
and the kernel plays all matches twice, thousands in seconds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Final

import msgspec
from msgspec.structs import asdict, replace

from volte import game
from volte.bots import Bot, BotOwner, Clock
from volte.bots.odds import USUAL
from volte.bots.reviewing import get_ready
from volte.game import SeatAction
from volte.game.driver import Driver
from volte.kernel import Policy, play_matches
from volte.lab.arena.contestant import COMPANY, Contestant
from volte.lab.arena.statistics import WHOLE_WIN, wins_of
from volte.lab.seeded import SeededTable, table_of
from volte.referee import ENGINE, Event
from volte.rules import Ruleset, make_ruleset, winners
from volte.view import View

LEAST: Final = 2  # matches from which on there is an interval


class Pair(msgspec.Struct, frozen=True):
    """A match played by the bot, and by its older version: parts of the win, and totals."""

    number: int  # from 0
    now: float
    before: float
    points: tuple[int, int]  # totals of the bot, and of its older version
    parted: bool  # whether their choices ever differed; by weights, whether its total does


class Beside:
    """A bot that asks another one as well, until the two choose differently."""

    def __init__(self, bot: Bot, other: Bot) -> None:
        self._bot = bot
        self._other = other
        self.parted_at: int | None = None  # version of the match; None as long as they agree

    def choose(self, view: View, clock: Clock) -> SeatAction:
        action = self._bot.choose(view, clock)
        if self.parted_at is None and self._other.choose(view, clock) != action:
            self.parted_at = view.state.version
        return action


def played_on(table: SeededTable, log: Sequence[Event], bots: Sequence[Bot]) -> Driver:
    """Play the match to its end from where the log leaves it."""
    owners = [BotOwner(bot, seat) for seat, bot in enumerate(bots)]
    driver = Driver(log, owners, table.house, engine=ENGINE)
    driver.run()
    return driver


def part_of_win(state: game.MatchState, seat: int) -> float:
    won = winners(state.rules, state.deals)
    return (seat in won) / len(won)


def pair_of(
    bot: str, before: Contestant, among: str, rules: Ruleset, seed: int, number: int
) -> Pair:
    """Play match `number` (from 0) by both."""
    table, seat = table_of(rules, seed, number, whole_matches=True), number % rules.players
    older = COMPANY.player(before, table, seat)
    beside = Beside(table.bot(bot, seat), older)
    bots: list[Bot] = [table.bot(among, place) for place in range(rules.players)]
    bots[seat] = beside
    players = tuple(game.Player(f"{place}") for place in range(1, rules.players + 1))
    driver = played_on(table, [game.MatchStarted(rules, players)], bots)
    now = after = driver.state
    if beside.parted_at is not None:
        bots[seat] = older
        after = played_on(table, driver.log[: beside.parted_at], bots).state
    if getattr(older, "forfeits", ()):
        raise SystemExit("The older version failed to choose.")
    wins = [part_of_win(state, seat) for state in (now, after)]
    totals = now.totals[seat], after.totals[seat]
    return Pair(number, wins[0], wins[1], totals, beside.parted_at is not None)


def pairs_by_weights(changed: dict[str, int], rules: Ruleset, seed: int, count: int) -> list[Pair]:
    """Play so many matches with `casual`, and with other weights of it, at the first seat."""
    older = Policy.casual(asdict(replace(USUAL, **changed)))
    among = (older,) * (rules.players - 1)
    now, before = (
        play_matches(rules, seed, count, (policy, *among))
        for policy in (Policy.casual(asdict(USUAL)), older)
    )
    wins = [(wins_of(rules, played)[0] / WHOLE_WIN).tolist() for played in (now, before)]
    totals = [played.totals[:, 0].tolist() for played in (now, before)]
    rows = zip(range(count), *wins, *totals, strict=True)
    return [
        Pair(number, part, other, (total, beside), total != beside)
        for number, part, other, total, beside in rows
    ]


def told(pairs: Sequence[Pair]) -> str:
    """Sum up in one line."""
    now, before = [each.now for each in pairs], [each.before for each in pairs]
    more = [each.now - each.before for each in pairs]
    shares = [
        f"{100 * fmean(each):.1f} ± {196 * stdev(each) / sqrt(len(pairs)):.1f}"
        for each in (now, before, more)
    ]
    parted = sum(each.parted for each in pairs)
    other = sum(each.now != each.before for each in pairs)
    points = [fmean(each.points[place] for each in pairs) for place in (0, 1)]
    return (
        f"{len(pairs)} matches: wins {shares[0]} in 100, before {shares[1]}, difference {shares[2]}"
        f"; other choices in {parted}, another result in {other}"
        f"; total {points[0]:.1f}, before {points[1]:.1f}"
    )


def kept(path: Path, heading: list[str]) -> list[Pair]:
    """Read the matches of a file, which begins with the heading; begin it where there is none."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    if not lines:
        path.write_bytes(msgspec.json.encode(heading) + b"\n")
    elif msgspec.json.decode(lines[0]) != heading:
        raise SystemExit(f"{path} holds other matches.")
    return [msgspec.json.decode(line, type=Pair) for line in lines[1:]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("bot", help="level or character")
    older = parser.add_mutually_exclusive_group(required=True)
    older.add_argument("--before", help="command of the older version")
    older.add_argument("--weights", nargs="+", metavar="NAME=NUMBER", help="of an older `casual`")
    parser.add_argument("--among", default="strong", help="level or character")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--rules", default="dame-de-pique")
    parser.add_argument("--seed", type=int, default=61)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    rules = make_ruleset(options.rules)
    if options.weights:
        changed = {
            name: int(number)
            for name, _, number in (each.partition("=") for each in options.weights)
        }
        print(told(pairs_by_weights(changed, rules, options.seed, options.matches)))
        return
    before = Contestant.outside(options.before)
    get_ready(rules)
    heading = [options.bot, options.before, options.among, options.rules, str(options.seed)]
    pairs = kept(options.keep, heading) if options.keep else []
    begun = process_time()
    for number in range(len(pairs), options.matches):
        if process_time() - begun > options.minutes * 60:
            break
        pair = pair_of(options.bot, before, options.among, rules, options.seed, number)
        pairs.append(pair)
        if options.keep is not None:
            with options.keep.open("ab") as file:
                file.write(msgspec.json.encode(pair) + b"\n")
        if len(pairs) >= LEAST and sys.stdout.isatty():
            print(told(pairs), end="\r", flush=True)
    if len(pairs) >= LEAST:
        print(told(pairs))


if __name__ == "__main__":
    main()
