"""A duel: every deck played in many seatings of the same sides, and counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import permutations, product
from math import factorial
from typing import Final

import msgspec
import numpy as np

from volte.bots import BotOwner, Clock
from volte.cards import VolteError
from volte.kernel import Matches, Policy, encode, play_deals, play_matches
from volte.kernel.encoding import check_range
from volte.kernel.startup import code
from volte.lab.arena.contestant import COMPANY, Contestant, Watched
from volte.lab.arena.readable import as_matches, outcomes_of, run_at
from volte.lab.arena.request import MOST_MATCHES, EngineKind, policy_of
from volte.lab.arena.standing import Choices, DeckScore, DuelStanding, SideTotals, fractions, total
from volte.lab.arena.statistics import Table, stakes_of, wins_of
from volte.lab.seeded import RANDOM, table_of
from volte.rules import Ruleset

EVERY: Final = -1
"""Number that stands for all seatings."""

QUICK: Final = (RANDOM, "beginner", "casual")
"""Levels that do not search."""

HASTE: Final = Clock(milliseconds=1, simulations=1)
_WARM: Final[set[str]] = set()


@dataclass(frozen=True)
class Duel:
    """A duel. Equal duels have equal results everywhere, but for budgets in milliseconds.

    Deal number `i` of a seed is the one that `volte simulate` plays, whoever sits where; so is
    match number `i`, whose deals have the same cards in every seating, as far as it goes.

    Raises `VolteError` where it cannot be played.
    """

    rules: Ruleset  # the end of a match does not matter for lone deals
    sides: tuple[Contestant, ...]  # two contestants, or one for each seat
    seed: int  # 0 to 2**64 - 1
    decks: int  # number of deals, or matches, each played in every seating
    seatings: int | None = None  # number of seatings, see `seatings`; None for all
    matches: bool = False  # whether whole matches are played
    engine: EngineKind = EngineKind.AUTO  # the kernel records no times of choices

    def __post_init__(self) -> None:
        assert self.lineup
        check_range("seed", self.seed, 0, 2**64 - 1)
        check_range("decks", self.decks, 1, MOST_MATCHES)

    @property
    def lineup(self) -> tuple[Seating, ...]:
        rules = self.rules
        return seatings(rules.players, len(self.sides), self.seatings, rules.sides.partners)

    def served(self) -> Duel:
        """The duel with its engine chosen.

        That may take as long as the kernel takes to be compiled, the first time. Raises the
        `VolteError` that says why the kernel cannot play, if it was asked for.
        """
        engine = EngineKind.READABLE
        if self.engine is not EngineKind.READABLE:
            try:
                encode(self.rules)
                self.policies(range(len(self.sides)))
                code("playing.deals_to_end")
                engine = EngineKind.KERNEL
            except VolteError:
                if self.engine is EngineKind.KERNEL:
                    raise
        return replace(self, engine=engine)

    def policies(self, seating: Sequence[int]) -> tuple[Policy, ...]:
        """The compiled players of those sides. Raises `VolteError` `no_compiled_twin`."""
        sides = (self.sides[side] for side in seating)
        return tuple(policy_of(side.level, self.rules, side.name) for side in sides)


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """A part of a duel: some decks, in one seating or in all."""

    # first deck, and the one after the last
    first: int
    stop: int
    seating: int = EVERY  # number of the only seating, or `EVERY`

    @property
    def decks(self) -> range:
        return range(self.first, self.stop)


def play_deck(duel: Duel, number: int) -> DuelStanding:
    """Deck or match `number` (from 0) in every seating."""
    return play_piece(duel, Piece(number, number + 1))


def play_piece(duel: Duel, piece: Piece) -> DuelStanding:
    """The results of that piece. This function runs in other processes."""
    if duel.engine is EngineKind.AUTO:
        duel = duel.served()
    lineup = duel.lineup if piece.seating == EVERY else (duel.lineup[piece.seating],)
    return total(_seated(duel, piece.decks, seating) for seating in lineup)


def _seated(duel: Duel, decks: range, seating: Seating) -> DuelStanding:
    if duel.engine is EngineKind.KERNEL:
        played = _in_kernel(duel, decks, seating)
        choices = [Choices() for _ in seating]
    else:
        played, choices = _readable(duel, decks, seating)
    return _counted(duel, decks, seating, played, choices)


def _in_kernel(duel: Duel, decks: range, seating: Seating) -> Matches:
    policies, count = duel.policies(seating), len(decks)
    if duel.matches:
        return play_matches(duel.rules, duel.seed, count, policies, first=decks.start)
    outcomes = play_deals(duel.rules, duel.seed, count, policies, first=decks.start)
    points = outcomes["points"][:, : duel.rules.players].astype(np.int64)
    return Matches(outcomes, np.ones(count, np.int64), points)


def warm_up(duel: Duel) -> None:
    """Let every side that thinks play once without counting it, in every process.

    Compiling and reading at the first choice would count as time of thinking.
    """
    if duel.engine is EngineKind.KERNEL:
        return
    for side in duel.sides:
        if side.level not in ("", *QUICK, *_WARM):
            _WARM.add(side.level)
            table = table_of(duel.rules, duel.seed, 0, duel.matches)
            seats = range(duel.rules.players)
            owners = [BotOwner(COMPANY.player(side, table, seat), seat, HASTE) for seat in seats]
            run_at(table, [""] * len(owners), owners)


def _readable(duel: Duel, decks: range, seating: Seating) -> tuple[Matches, list[Choices]]:
    warm_up(duel)
    choices, played = [Choices() for _ in seating], []
    for number in decks:
        table = table_of(duel.rules, duel.seed, number, duel.matches)
        bots, owners = [], []
        for seat, side in enumerate(seating):
            contestant = duel.sides[side]
            bots.append(Watched(COMPANY.player(contestant, table, seat)))
            owners.append(BotOwner(bots[-1], seat, contestant.clock))
        # Players do not learn who their opponents are.
        played.append(outcomes_of(partial(run_at, table, [""] * len(seating), owners)))
        choices = [spent + bot.choices() for spent, bot in zip(choices, bots, strict=True)]
    return as_matches(played, duel.rules), choices


def _counted(
    duel: Duel, decks: range, seating: Seating, played: Matches, choices: Sequence[Choices]
) -> DuelStanding:
    outcomes, lengths = played.outcomes, played.lengths
    scored = outcomes["points"][:, : duel.rules.players].astype(np.int64)
    sums = np.add.reduceat(scored, np.cumsum(lengths) - lengths).T  # without falls to half (W9)
    wins, stakes = sums[:, :0], sums[:, :0]
    if duel.matches:
        wins, stakes = wins_of(duel.rules, played), stakes_of(duel.rules, played)

    def totals_of(side: int) -> SideTotals:
        seats = [seat for seat, who in enumerate(seating) if who == side]
        queens, moons, slams = (
            int(np.isin(outcomes[name], seats).sum()) for name in ("queen", "moon", "slam")
        )
        return SideTotals(
            len(seats) * len(outcomes),
            int(sums[seats].sum()),
            queens,
            moons,
            slams,
            len(seats) * wins.shape[1],
            int(wins[seats].sum()),
            sum((choices[seat] for seat in seats), Choices()),
            int(stakes[seats].sum()),
        )

    sides = tuple(map(totals_of, range(len(duel.sides))))
    whole = fractions(duel.rules.players)
    points, won, gained = (
        _means(table, seating, len(sides), whole) for table in (sums, wins, stakes)
    )
    scores = {
        number: DeckScore(
            1,
            int(lengths[place]),
            tuple(points[:, place].tolist()),
            tuple(won[:, place].tolist()) if duel.matches else (),
            tuple(gained[:, place].tolist()) if duel.matches else (),
        )
        for place, number in enumerate(decks)
    }
    return DuelStanding(whole, sides, scores)


def _means(table: Table, seating: Seating, sides: int, whole: int) -> Table:
    """A row for each side: the mean of its seats, in parts of a whole."""
    who = np.array(seating)
    return np.array(
        [
            table[who == side].sum(axis=0) * (whole // max(1, int((who == side).sum())))
            for side in range(sides)
        ]
    )


Seating = tuple[int, ...]
"""The side, from 0, of each seat."""


@lru_cache(maxsize=64)
def seatings(
    players: int, sides: int = 2, count: int | None = None, partners: int = 1
) -> tuple[Seating, ...]:
    """The seatings in which every deck is played.

    Two sides: every mixed one, `2 ** players - 2` of them: 14 at four seats. They come in pairs, a
    seating and the one with the sides exchanged, so that in each pair both have had every hand.
    The most balanced pairs come first, and among these the ones in which the sides alternate most:
    `A B A B` before `A A B B` before `A A A B`. As many sides as seats: every permutation, turn
    after turn of the same order round the table. Partners at the table are the same player (W10):
    seats above then stand for the sides of the table.

    Args:
        count: the first so many of them, in whole pairs or turns; without, all.
        partners: seats to a side of the table.

    Raises `VolteError` `no_such_seatings` for another count; and where `sides` is neither two nor
    one for each seat, `sides_differ`, or `sides_of_partners` at a table with partners.
    """
    places = players // partners
    if sides not in (2, places):
        if partners > 1:
            raise VolteError("sides_of_partners", sides=sides, teams=places, partners=partners)
        raise VolteError("sides_differ", sides=sides, players=places)
    most = 2**places - 2 if sides == 2 else factorial(places)
    step = unit(places, sides)
    count = most if count is None else count
    if not 0 < count <= most or count % step:
        raise VolteError("no_such_seatings", count=count, step=step, most=most)
    every = _pairs(places) if sides == 2 else _turns(places)
    return tuple(seating * partners for seating, _ in zip(every, range(count), strict=False))


def few(players: int, sides: int = 2, partners: int = 1) -> int:
    """A small balanced count: rotations of `A B A B …`, with the sides exchanged too.

    2 with an even number of seats, two for each seat with an odd one; one turn of many sides. With
    partners, the sides of the table count in place of seats.
    """
    places = players // partners
    return 2 * places if sides == 2 and places % 2 else unit(places, sides)


def unit(players: int, sides: int = 2) -> int:
    """The fewest seatings that give every side every hand."""
    return 2 if sides == 2 else players


def _pairs(players: int) -> Iterator[Seating]:
    mixed = (seating for seating in product((0, 1), repeat=players) if 0 < sum(seating) < players)
    for seating in sorted((each for each in mixed if each[0] == 0), key=_unevenness):
        yield seating
        yield tuple(1 - side for side in seating)


def _unevenness(seating: Seating) -> tuple[int, int, Seating]:
    players = len(seating)
    changes = sum(seating[seat] != seating[seat - 1] for seat in range(players))
    return abs(2 * sum(seating) - players), -changes, seating


def _turns(players: int) -> Iterator[Seating]:
    for rest in permutations(range(1, players)):
        order = (0, *rest)
        for seat in range(players):
            yield order[-seat:] + order[:-seat]
