"""Results of a match, worked out from its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from volte import game, referee
from volte.cards import QUEENS
from volte.game import MatchState, Phase
from volte.history.rows import Result
from volte.rules import MoonBy, Ruleset, Score, Settlement
from volte.store import MatchRow
from volte.table import happenings as hap
from volte.table.happenings import Happening, TableEvent, Why
from volte.table.setup import game_of

ADAPTING: Final = ("beginner", "casual", "strong")
"""Levels of bots that adapt to a person, from weak to strong."""


def suited_level(results: Iterable[Result]) -> str:
    """The level of bots that suits a person, by the matches they have played alone with bots.

    It begins in the middle; each match won raises it by a level, and each match in which the person
    is last lowers it by one.

    Args:
        results: the person's results.
    """
    at = ADAPTING.index("casual")
    for each in sorted(results, key=lambda result: result.ended):
        if each.people == 1 and not each.left and not each.late:
            step = 1 if each.place == 1 else -1 if each.place == each.players else 0
            at = min(max(at + step, 0), len(ADAPTING) - 1)
    return ADAPTING[at]


class Side(NamedTuple):
    """The people of one side in a match, or a person alone."""

    place: int  # from 1; equal sides share it
    stayed: tuple[str, ...]  # ids of people who played to the end
    left: tuple[str, ...] = ()  # ids of people who did not


# One match


Moved = hap.Sat | hap.Stood | hap.BotSat | hap.StoodIn | hap.CameBack
"""Happenings that change who plays at a seat."""


class Outcome(NamedTuple):
    """The results of a match, and the sides for the ratings."""

    # By seat. If a rated match was broken off, only of the people who had left it; if another
    # match was, none.
    results: tuple[Result, ...]
    sides: tuple[Side, ...] = ()  # sides of a match that counts for the ratings
    compared: bool = True  # whether the people who stayed are rated against each other


class Chair:
    """A seat during a match: the person who began there, and the changes since.

    "Beginner" here is a person who sat there when the match began.
    """

    def __init__(self, beginner: str) -> None:
        self.beginner = beginner  # id of that person; empty for a bot
        self.person = beginner  # id of the person who sits there now
        self.name = ""
        self.own = 0  # cards that the beginner has played, also cards taken back
        self.others = 0  # cards that a bot or another person has played
        self.missed = False  # whether another beginner has gone on without this one
        self._stood_in = False

    @property
    def there(self) -> bool:
        """Whether the beginner plays here now."""
        return self.person == self.beginner and not self._stood_in

    @property
    def left(self) -> bool:
        """Whether the beginner has left: got up and not come back, or is away after others have
        played more cards of the seat."""
        if not self.beginner or self.there:
            return False
        return self.person != self.beginner or self.others > self.own

    def change(self, event: Moved) -> None:
        """Note that a player has come to this seat, or left it."""
        match event:
            case hap.Sat():
                self.person, self.name, self._stood_in = event.person, event.name, False
            case hap.Stood() | hap.BotSat():
                self.person, self._stood_in = "", False
            case hap.StoodIn():  # a player replaced by the host has not gone away
                self._stood_in = event.why is not Why.HOST
            case hap.CameBack():
                self._stood_in = False
        self.missed = self.missed and not self.there

    def miss(self) -> None:
        """Note that another beginner goes on."""
        self.missed = self.missed or bool(self.beginner and not self.there)

    def lay(self) -> None:
        """Count a card of this seat that is played."""
        if self.there:
            self.own += 1
        else:
            self.others += 1


def outcome_of(row: MatchRow, log: Sequence[Happening]) -> Outcome:
    """The outcome of a match.

    Args:
        log: its happenings, from the first to the last.
    """
    chairs = [Chair(person) for person in row.beginners]
    queens = [0] * len(chairs)
    match: MatchState | None = None
    for each in log:
        if isinstance(each, Moved):
            chairs[each.seat].change(each)
        if isinstance(each, hap.Stood | game.Played):
            _go_on_without(chairs, each)
        if isinstance(each, TableEvent):
            continue
        if isinstance(each, game.Played):
            chairs[each.seat].lay()
        if isinstance(each, game.DealScored):
            assert match is not None
            assert match.deal is not None
            for seat in range(len(queens)):
                queens[seat] += (match.deal.captured(seat) & QUEENS).bit_count()
        match = referee.evolve(match, each)
    assert match is not None
    ended = match.phase is Phase.ENDED
    if not (ended or row.rated):
        return Outcome(())
    missed, left = [chair.missed for chair in chairs], [chair.left for chair in chairs]
    if not ended:
        # No result for people who would have played on, nor for people who went when nobody
        # went on.
        gone = tuple(each for each in _results(row, match, chairs, queens, missed) if each.left)
        return Outcome(gone, _sides(match, chairs, (1,) * len(chairs), missed), compared=False)
    results = tuple(_results(row, match, chairs, queens, left))
    if not row.rated:
        return Outcome(results)
    compared = any(map(_stayed, chairs, left))
    # If nobody stayed, the last ones to go count as having stayed.
    sides = _sides(match, chairs, _places(match), left if compared else missed)
    return Outcome(results, sides, compared)


def _go_on_without(chairs: Sequence[Chair], event: hap.Stood | game.Played) -> None:
    """Note that absent beginners miss a card by another one, and one who gets up the others."""
    if isinstance(event, game.Played):
        chair = chairs[event.seat]
        if chair.beginner and chair.there:
            for other in chairs:
                other.miss()
    elif any(chair.beginner and chair.there for chair in chairs):
        chairs[event.seat].miss()


def _results(
    row: MatchRow,
    match: MatchState,
    chairs: Sequence[Chair],
    queens: Sequence[int],
    left: Sequence[bool],
) -> Iterator[Result]:
    """Results by seat: of the player who began there, and of a person who sits there since."""
    rules, places = match.rules, _places(match)
    people = sum(bool(chair.beginner) for chair in chairs)
    moons = moons_of(rules, match.deals)
    stakes = match.net if rules.stakes.settlement is not Settlement.NONE else ()
    for seat, (chair, player) in enumerate(zip(chairs, match.players, strict=True)):
        began = Result(
            match=row.id,
            seat=seat,
            person=chair.beginner,
            name=player.name,
            level="" if chair.beginner else player.level,
            rules=game_of(rules),
            players=rules.players,
            people=people,
            deals=len(match.deals),
            total=match.totals[seat],
            place=places[seat],
            stake=stakes[seat] if stakes else None,
            moons=moons[seat],
            queens=queens[seat],
            left=left[seat],
            late=False,
            rated=row.rated,
            ended=row.ended or 0.0,
        )
        yield began
        if chair.person not in ("", chair.beginner):
            late = replace(began, person=chair.person, name=chair.name, level="", left=False)
            yield replace(late, late=True, rated=False)


def _places(match: MatchState) -> tuple[int, ...]:
    """By seat, its place among the sides: winners first, then by totals; equal sides share it."""
    sides = match.rules.all_sides
    worth = {side: (side[0] not in match.winners, match.totals[side[0]]) for side in sides}
    places = {
        seat: 1 + sum(other < worth[side] for other in worth.values())
        for side in sides
        for seat in side
    }
    return tuple(places[seat] for seat in range(match.rules.players))


def moons_of(rules: Ruleset, deals: Sequence[Score]) -> list[int]:
    """By seat, the number of moons shot, by the whole side where sides shoot together (W10)."""
    moons = [0] * rules.players
    for deal in deals:
        shooter = deal.moon if deal.slam is None else deal.slam
        if shooter is not None:
            together = rules.moon.by is MoonBy.SIDE
            for seat in rules.side(shooter) if together else (shooter,):
                moons[seat] += 1
    return moons


def _sides(
    match: MatchState, chairs: Sequence[Chair], places: Sequence[int], left: Sequence[bool]
) -> tuple[Side, ...]:
    """The sides, with the people who began on each and have stayed, or have left."""
    return tuple(
        Side(
            places[side[0]],
            stayed=tuple(
                chairs[seat].beginner for seat in side if _stayed(chairs[seat], left[seat])
            ),
            left=tuple(chairs[seat].beginner for seat in side if left[seat]),
        )
        for side in match.rules.all_sides
    )


def _stayed(chair: Chair, left: bool) -> bool:
    return bool(chair.beginner) and not left
