"""Style and strength of the characters: makes a table of docs/bots.md.

    nice python benchmarks/characters.py --write
    python benchmarks/characters.py [--deals 300] [--rules dame-de-pique] [--seed 1] [--write]
        [PLAYER...]

All players play the same matches at the same seats against three `casual`, whole matches until the
deals are played. Run it again whenever a character plays differently.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.machine import described
from benchmarks.written import SEARCH, put
from volte import game
from volte.bots import CHARACTERS, LEVELS, BotOwner
from volte.cards import HEARTS, QUEEN, SPADES, SUIT_MASKS, Card, Rank, mask_of
from volte.lab.arena.readable import run_at
from volte.lab.seeded import table_of
from volte.referee import Event
from volte.rules import Ruleset, make_ruleset

SOURCES: Final = ("benchmarks/characters.py", "src/volte/bots/characters.py", *SEARCH)

USUAL: Final = "casual"  # level at the other seats

SIGNS: Final = 3  # tricks with points, all taken by one seat, that count as a try for the moon

EARLY: Final = 5  # tricks

COLUMNS: Final = (
    *(
        "player",
        "points",
        "tricks",
        "moons tried",
        "made",
        "rank of early leads",
        "under the queen",
    ),
    *("spades kept", "hearts led", "into a void", "discards", "to the leader"),
)

HEAD: Final = f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|"


@dataclass
class Observed:
    """Doings of one seat, deal after deal."""

    seat: int
    points: list[int] = field(default_factory=list)  # by deal
    tricks: int = 0
    tried: int = 0  # moons
    made: int = 0
    leads: int = 0  # among the first tricks
    ranks: int = 0  # sum of the ranks of these cards
    flushed: int = 0  # spades below the queen led, while she is in another hand
    spades: int = 0  # held before the pass
    spades_passed: int = 0
    hearts: int = 0  # led
    blind: int = 0  # led with points out, where somebody is known to be void
    discards: int = 0
    given: int = 0  # points, while others lead the match
    to_leader: int = 0  # part of these points
    _before: game.MatchState | None = None
    _takers: list[int] = field(default_factory=list)  # of the tricks with points so far

    def listen(self, state: game.MatchState, events: Sequence[Event]) -> None:
        before, self._before = self._before, state
        for event in events:
            if isinstance(event, game.Dealt):
                self._takers = []
            if isinstance(event, game.DealScored):
                self._scored(state)
        if before is None or before.deal is None:
            return
        for event in events:
            match event:
                case game.Passed(seat=seat, cards=cards) if seat == self.seat:
                    self.spades += (before.deal.hands[seat] & SPADES).bit_count()
                    self.spades_passed += (mask_of(cards or ()) & SPADES).bit_count()
                case game.Played(seat=seat, card=card) if seat == self.seat:
                    self._played(before.deal, card)
                case game.TrickTaken(seat=seat):
                    self._taken(before, state, seat)

    def _played(self, deal: game.DealState, card: Card) -> None:
        if deal.led is not None:
            self.discards += card.suit is not deal.led
            return
        if len(deal.tricks) < EARLY:
            self.leads += 1
            self.ranks += card.rank or 0
        gone = mask_of(played for trick in deal.tricks for played in trick.cards)
        elsewhere = not QUEEN.bit & (gone | deal.hands[self.seat])
        low = card.bit & SPADES and card.rank is not None and card.rank < Rank.QUEEN
        self.flushed += bool(low and elsewhere)
        self.hearts += bool(card.bit & HEARTS)
        suit = next((mask for mask in SUIT_MASKS if mask & card.bit), 0)
        others = (mask for seat, mask in enumerate(deal.excluded) if seat != self.seat)
        out = deal.rules.penalty_mask & ~gone & ~deal.hands[self.seat]
        suit &= deal.rules.deck_mask
        self.blind += bool(out and any(mask & suit == suit for mask in others))

    def _taken(self, before: game.MatchState, state: game.MatchState, taker: int) -> None:
        assert state.deal is not None
        cards = state.deal.tricks[-1].cards
        leader = state.deal.tricks[-1].leader
        if not mask_of(cards) & state.rules.penalty_mask:
            return
        self._takers.append(taker)
        self.tried += self._takers == [self.seat] * SIGNS
        own = cards[(self.seat - leader) % len(cards)]
        points, totals = state.rules.values.get(own, 0), before.totals
        first = [seat for seat, total in enumerate(totals) if total == min(totals)]
        if taker != self.seat and points > 0 and len(first) < len(totals) and first != [self.seat]:
            self.given += points
            self.to_leader += points * (taker in first)

    def _scored(self, state: game.MatchState) -> None:
        assert state.deal is not None
        self.points.append(state.deals[-1].points[self.seat])
        self.tricks += state.deal.won[self.seat]
        self.made += state.deals[-1].moon == self.seat


def observe(player: str, rules: Ruleset, seed: int, deals: int) -> list[Observed]:
    """Observe the player, in one match after another."""
    found: list[Observed] = []
    while sum(len(each.points) for each in found) < deals:
        number = len(found)
        table = table_of(rules, seed, number, whole_matches=True)
        seen = Observed(number % rules.players)
        seats = [player if seat == seen.seat else USUAL for seat in range(rules.players)]
        owners = [BotOwner(table.bot(level, seat), seat) for seat, level in enumerate(seats)]
        run_at(table, seats, owners, seen.listen)
        found.append(seen)
    return found


def row(player: str, found: list[Observed]) -> str:
    """The line of a player: per deal, per 100 deals, or in percent."""
    points = [each for match in found for each in match.points]
    deals = len(points)

    def total(name: str) -> int:
        return sum(getattr(each, name) for each in found)

    def hundred(name: str) -> str:
        return f"{100 * total(name) / deals:.0f}"

    kept = 100 - 100 * total("spades_passed") / max(1, total("spades"))
    cells = (
        player,
        f"{fmean(points):.2f} ± {1.96 * stdev(points) / sqrt(deals):.2f}",
        f"{total('tricks') / deals:.2f}",
        hundred("tried"),
        f"{100 * total('made') / deals:.1f}",
        f"{total('ranks') / max(1, total('leads')):.1f}",
        hundred("flushed"),
        f"{kept:.0f} %",
        hundred("hearts"),
        hundred("blind"),
        f"{total('discards') / deals:.2f}",
        f"{100 * total('to_leader') / max(1, total('given')):.0f} %",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    names = [*(level for level in LEVELS if level != "expert"), *CHARACTERS]
    parser.add_argument("players", nargs="*", default=names, help="levels and characters")
    parser.add_argument("--deals", type=int, default=300, help="of each, at least")
    parser.add_argument("--rules", default="dame-de-pique")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="into docs/bots.md")
    options = parser.parse_args()
    rules = make_ruleset(options.rules)
    print(HEAD)
    rows = []
    for player in options.players:
        rows.append(row(player, observe(player, rules, options.seed, options.deals)))
        print(rows[-1], flush=True)
    if options.write:
        heading = (
            f"{options.deals} deals of `{options.rules}` each, in whole matches"
            f" against three `{USUAL}`; one process on {described()}, CPython"
            f" {platform.python_version()}."
        )
        put("docs/bots.md", "\n".join([heading, "", HEAD, *rows]), *SOURCES)


if __name__ == "__main__":
    main()
