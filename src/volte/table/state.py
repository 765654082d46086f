"""The state of a live table: what its log folds into."""

from __future__ import annotations

import msgspec

from volte.game import MatchState, Phase
from volte.referee import RefereedMatch
from volte.table.happenings import Why
from volte.table.setup import Setup


class Seat(msgspec.Struct, frozen=True):
    """One seat.

    Attributes:
        person: id of who sits there, empty where nobody does.
        name: of the person, or of the bot; empty where the seat is free.
        level: of the bot that sits there; empty for a person.
        stand_in: why a bot plays for the person; None where they play themselves.
        accepts_clock: whether the person has agreed to a short clock.
        asker: id of who has asked the host for the seat of this bot; empty where nobody has.
        asker_name: theirs.
    """

    person: str = ""
    name: str = ""
    level: str = ""
    stand_in: Why | None = None
    accepts_clock: bool = False
    asker: str = ""
    asker_name: str = ""

    @property
    def free(self) -> bool:
        return not self.person and not self.level

    @property
    def bot(self) -> bool:
        """Whether a bot plays there now, be it for somebody."""
        return bool(self.level) or self.stand_in is not None


class TableState(msgspec.Struct, frozen=True):
    """A whole table.

    Attributes:
        version: number of happenings folded.
        seats: clockwise.
        host: id of a person.
        barred: ids of those who were sent away.
        paused_by: name of who has paused the match; empty where it waits because nobody is there.
        match: the one that is played, or the last one; None before the first, and once the table
            has another number of seats.
        match_began: number of its `MatchStarted`; 0 where there is none.
        matches: how many have been begun.
        moved: number of the last happening that changed what the seats are asked to do: an
            action of a client that has not seen it is stale.
        ready: seats that are ready for the next deal, since `moved`.
        extra: seconds given to the seats for the present choice, since `moved`.
        denied: ids of those to whom the host has denied a seat in this deal.
        saw: by seat, ids of the people who have held its cards in this deal.
        began: by seat, who sat there when the present match, or the last one, began.
        play_began: at a refereed table, number of the last `PlayStarted`.
        laid: at a refereed table, by seat: number of the last happening that has put its card on
            the table, or has taken it away from there.
    """

    setup: Setup
    host: str
    host_name: str
    version: int
    seats: tuple[Seat, ...]
    barred: frozenset[str] = frozenset()
    paused: bool = False
    paused_by: str = ""
    closed: bool = False
    match: MatchState | None = None
    match_began: int = 0
    matches: int = 0
    moved: int = 0
    ready: frozenset[int] = frozenset()
    extra: tuple[int, ...] = ()
    denied: frozenset[str] = frozenset()
    saw: tuple[frozenset[str], ...] = ()
    began: tuple[str, ...] = ()
    play_began: int = 0
    laid: tuple[int, ...] = ()

    @property
    def under_way(self) -> bool:
        """Whether a match is being played; one whose last secret is still to be told is."""
        if self.match is None:
            return False
        proof = self.match.proof
        told = proof is None or self.match.revealed == proof.number
        return self.match.phase is not Phase.ENDED or not told

    @property
    def hands_are_out(self) -> bool:
        """Whether the seats hold cards that others may not see."""
        return self.match is not None and self.match.phase in (Phase.PASSING, Phase.PLAYING)

    @property
    def between_deals(self) -> bool:
        """Whether a deal is over and nothing of the next one has begun.

        Never at a refereed table: there the cut brings the next deal (I6).
        """
        match = self.match
        if match is None or match.phase is not Phase.DEALING or not match.deals:
            return False
        if isinstance(match, RefereedMatch):
            return False
        return match.proof is None or match.proof.used

    @property
    def awaits_cut(self) -> bool:
        """Whether a deal is over that can still be talked about, and the cut is waited for (I6).

        Not yet where somebody has to say how their moon counts (W7).
        """
        match = self.match
        if not isinstance(match, RefereedMatch) or match.reckoned is None:
            return False
        return match.shooter is None and not match.last

    def seat_of(self, person: str) -> int | None:
        """Where that person sits."""
        for place, seat in enumerate(self.seats):
            if seat.person == person and person:
                return place
        return None
