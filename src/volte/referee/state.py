"""State of a refereed match: a lawful match, with plays that may break the rules."""

from __future__ import annotations

import msgspec

from volte.game import DealState, MatchState, Phase, kitty_taker
from volte.referee.events import Laid
from volte.rules import Score, match_over, trick_winner


class Breach(msgspec.Struct, frozen=True):
    """A duty that a play has broken, as known to those who see the hand."""

    seat: int
    trick: int  # number of the trick, from 1
    clause: str  # of the duty, such as T1

    @property
    def revoke(self) -> bool:
        """Whether it is a revoke; other breaches stand once the trick is turned down (I3)."""
        return self.clause in ("T1", "T5")


class RefereedDeal(DealState, frozen=True):
    """A deal as it stands on a table where no card is refused.

    `trick` holds the cards from the leader on, up to the first seat that has yet to play; cards
    of seats beyond that one are in `laid` alone.
    """

    laid: tuple[Laid, ...] = ()  # the cards on the table in the order in which they came
    base: DealState | None = None  # the deal before the cards in `laid`; None while there are none
    bound: int = 0  # bit per seat that has taken a card back, and now has to play lawfully
    # Breaches not taken back, in the order of the plays; a view has its seat's alone
    breaches: tuple[Breach, ...] = ()
    offenders: tuple[int, ...] = ()  # the seats that have stopped the deal (I5, I7)
    mixed: tuple[int, ...] = ()  # seats that have mixed their tricks (I7)
    reckoned: Score | None = None  # the score as it stands, once the deal is over
    # Number of cards that each hand lacks (I8); () where none is missing
    short: tuple[int, ...] = ()

    @property
    def full(self) -> bool:
        """Whether all seats have played to the trick, which is yet to be turned down."""
        return len(self.trick) == len(self.hands)

    @property
    def taker(self) -> int | None:
        """The seat that takes the full trick; None where its cards cancel (W11)."""
        winner = trick_winner(self.leader, self.trick)
        return self.leader if winner is None and not any(self.hand_sizes()) else winner

    @property
    def turner(self) -> int:
        """The seat that turns the full trick down: its winner, or its leader if it has none."""
        return self.leader if self.taker is None else self.taker

    @property
    def heir(self) -> int | None:
        """The seat that gets the kitty with the trick just gathered, if any (D6, W4)."""
        if not self.kitty or self.kitty_taker is not None:
            return None
        over = not any(self.hand_sizes())  # it may be sooner than the rules say (I8)
        return self.leader if over else kitty_taker(self)

    @property
    def waiting(self) -> tuple[Laid, ...]:
        """The cards played before the turn of their seat."""
        return tuple(each for each in self.laid if each.card not in self.trick)

    def lies(self, seat: int) -> Laid | None:
        """The card of the seat on the table, if it has played one."""
        return next((each for each in self.laid if each.seat == seat), None)

    def captured(self, seat: int) -> int:
        """Mask of the cards that a seat has won; in a stopped deal of its penalty cards alone."""
        taken = super().captured(seat)
        return taken & self.rules.penalty_mask if self.offenders else taken

    def hand_sizes(self) -> tuple[int, ...]:
        """Cards that each seat holds, less those played early and those missing from the pack."""
        early = {each.seat for each in self.waiting}
        short = self.short or (0,) * len(self.hands)
        sizes = enumerate(zip(super().hand_sizes(), short, strict=True))
        return tuple(size - lacking - (seat in early) for seat, (size, lacking) in sizes)


class RefereedMatch(MatchState, frozen=True):
    """A match in which irregularities happen and are ruled on."""

    offenders: tuple[tuple[int, ...], ...] = ()  # by deal, the seats that stopped it, if any
    mixed: tuple[tuple[int, ...], ...] = ()  # by deal, the seats that had mixed their tricks
    accepted: int = 0  # bit per seat that has accepted the sheet after the last deal

    @property
    def lying(self) -> RefereedDeal:
        """The present deal. Only once cards have been dealt."""
        assert isinstance(self.deal, RefereedDeal)
        return self.deal

    @property
    def reckoned(self) -> Score | None:
        """The score of a deal that is over and waits for the cut or for acceptance."""
        if self.phase is not Phase.PLAYING:
            return None
        return self.lying.reckoned

    @property
    def last(self) -> bool:
        """Whether the match is over with the deal that is reckoned."""
        assert self.reckoned is not None
        return match_over(self.rules, (*self.deals, self.reckoned))

    @property
    def cutter(self) -> int:
        """The seat that cuts for the next deal: the next dealer's right-hand neighbour (D3)."""
        return self.dealer
