"""What a match has come to, worked out from its log: a fold, like all else that is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from volte import game, referee
from volte.cards import QUEENS
from volte.game import MatchState, Phase, Player
from volte.history.ratings import Side
from volte.history.store import Result
from volte.rules import MoonBy, Ruleset, Score, Settlement
from volte.store import MatchRow
from volte.table import happenings as hap
from volte.table.happenings import Happening, TableEvent, Why
from volte.table.setup import game_of

Moved = hap.Sat | hap.Stood | hap.BotSat | hap.StoodIn | hap.CameBack
"""What changes who plays at a seat."""


class Outcome(NamedTuple):
    """What a match has come to.

    Attributes:
        results: by seat. Of a rated match that was broken off, of those alone who had left it; of
            another one that was, none.
        sides: who has played against whom, where it counts for the ratings.
        compared: whether those who have stayed are rated among themselves.
    """

    results: tuple[Result, ...]
    sides: tuple[Side, ...] = ()
    compared: bool = True


class Chair:
    """Who plays at a seat while the match goes on.

    Attributes:
        beginner: id of who sat there when it began; empty for a bot.
        person: id of who sits there now.
        own: cards that the beginner has played; taken back or not.
        others: cards that a bot or somebody else has.
        missed: whether somebody else who began has gone on without the beginner.
    """

    def __init__(self, beginner: str) -> None:
        self.beginner = self.person = beginner
        self.name = ""
        self.own = self.others = 0
        self.missed = False
        self._stood_in = False

    @property
    def there(self) -> bool:
        """Whether whoever began here plays here now."""
        return self.person == self.beginner and not self._stood_in

    @property
    def left(self) -> bool:
        """Whether they left, as things stand: they have got up and not come back, or they are away
        and others have played more of their cards than they have."""
        if not self.beginner or self.there:
            return False
        return self.person != self.beginner or self.others > self.own

    def change(self, event: Moved) -> None:
        """Somebody has come to this seat, or left it."""
        match event:
            case hap.Sat():
                self.person, self.name, self._stood_in = event.person, event.name, False
            case hap.Stood() | hap.BotSat():
                self.person, self._stood_in = "", False
            case hap.StoodIn():  # whom the host has replaced has not gone away
                self._stood_in = event.why is not Why.HOST
            case hap.CameBack():
                self._stood_in = False
        self.missed = self.missed and not self.there

    def miss(self) -> None:
        """Somebody else who began goes on."""
        self.missed = self.missed or bool(self.beginner and not self.there)

    def lay(self) -> None:
        """A card of this seat is played."""
        if self.there:
            self.own += 1
        else:
            self.others += 1


def outcome_of(row: MatchRow, log: Sequence[Happening]) -> Outcome:
    """What the match of that row has come to; its log goes from its first to its last happening."""
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
            _count_queens(match, queens)
        match = referee.evolve(match, each)
    assert match is not None
    if match.phase is not Phase.ENDED:
        return _broken_off(row, match, chairs, queens)
    left = [chair.left for chair in chairs]
    results = tuple(_results(row, match, chairs, queens, left))
    if not row.rated:
        return Outcome(results)
    compared = any(map(_stayed, chairs, left))
    # Where nobody has stayed, those have who were the last to go.
    gone = left if compared else [chair.missed for chair in chairs]
    return Outcome(results, _sides(match, chairs, _places(match), gone), compared)


def _go_on_without(chairs: Sequence[Chair], event: hap.Stood | game.Played) -> None:
    """Who is not there misses what others who began play; and who gets up leaves those behind."""
    if isinstance(event, game.Played):
        chair = chairs[event.seat]
        if chair.beginner and chair.there:
            for other in chairs:
                other.miss()
    elif any(chair.beginner and chair.there for chair in chairs):
        chairs[event.seat].miss()


def _broken_off(
    row: MatchRow, match: MatchState, chairs: Sequence[Chair], queens: Sequence[int]
) -> Outcome:
    """A match without an end says nothing about those who would have played on; nor about whoever
    went when nobody went on."""
    if not row.rated:
        return Outcome(())
    left = [chair.missed for chair in chairs]
    results = _results(row, match, chairs, queens, left)
    gone = tuple(each for each in results if each.left)
    return Outcome(gone, _sides(match, chairs, (1,) * len(chairs), left), compared=False)


def _results(
    row: MatchRow,
    match: MatchState,
    chairs: Sequence[Chair],
    queens: Sequence[int],
    left: Sequence[bool],
) -> Iterator[Result]:
    """Of each seat for who began there, and for who has come there since."""
    rules, places = match.rules, _places(match)
    people = sum(bool(chair.beginner) for chair in chairs)
    moons = _moons(rules, match.deals)
    stakes = match.net if rules.stakes.settlement is not Settlement.NONE else ()
    for seat, (chair, player) in enumerate(zip(chairs, match.players, strict=True)):
        began = Result(
            match=row.id,
            seat=seat,
            person=chair.beginner,
            name=player.name,
            level=_level(chair, player),
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
            yield _latecomer(began, chair)


def _latecomer(began: Result, chair: Chair) -> Result:
    changes = {"person": chair.person, "name": chair.name, "level": "", "left": False}
    fields = {name: getattr(began, name) for name in Result.__struct_fields__}
    return Result(**fields | changes | {"late": True, "rated": False})


def _level(chair: Chair, player: Player) -> str:
    return "" if chair.beginner else player.level


def _places(match: MatchState) -> tuple[int, ...]:
    """By seat, its place among the sides: who has won, then by totals; equal ones share it."""
    sides = match.rules.all_sides
    worth = {side: (side[0] not in match.winners, match.totals[side[0]]) for side in sides}
    places = {
        seat: 1 + sum(other < worth[side] for other in worth.values())
        for side in sides
        for seat in side
    }
    return tuple(places[seat] for seat in range(match.rules.players))


def _moons(rules: Ruleset, deals: Sequence[Score]) -> list[int]:
    """By seat, the moons that it has shot, with its partners where they do so together (W10)."""
    moons = [0] * rules.players
    for deal in deals:
        shooter = deal.moon if deal.slam is None else deal.slam
        if shooter is not None:
            together = rules.moon.by is MoonBy.SIDE
            for seat in rules.side(shooter) if together else (shooter,):
                moons[seat] += 1
    return moons


def _count_queens(match: MatchState | None, queens: list[int]) -> None:
    """Adds the queens of spades that the seats have in the deal that is scored now."""
    assert match is not None
    assert match.deal is not None
    for seat in range(len(queens)):
        queens[seat] += (match.deal.captured(seat) & QUEENS).bit_count()


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
