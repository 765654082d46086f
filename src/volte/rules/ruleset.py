"""The ruleset: every option of a table, as frozen data, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from volte.cards import (
    CLUBS,
    HEARTS,
    QUEENS,
    Card,
    Suit,
    Unchanging,
    VolteError,
    WrongType,
    cards_in,
    mask_of,
)
from volte.rules.groups import (
    AtLimit,
    Deck,
    Direction,
    Ending,
    EndKind,
    Irregularities,
    Moon,
    Passing,
    PlayRules,
    Points,
    Settlement,
    Sides,
    Stakes,
)
from volte.rules.legality import Duties, duties_of_follower, duties_of_leader
from volte.rules.validity import check


@dataclass(frozen=True)
class Ruleset(Unchanging):
    """Everything a table has agreed on. Raises `RulesetFault` when it cannot be played.

    What follows from the options is worked out once and kept: the deck, the penalty cards and
    what they are worth, and the duties of every moment.
    """

    deck: Deck = field(default_factory=Deck)
    passing: Passing = field(default_factory=Passing)
    play: PlayRules = field(default_factory=PlayRules)
    points: Points = field(default_factory=Points)
    moon: Moon = field(default_factory=Moon)
    ending: Ending = field(default_factory=Ending)
    stakes: Stakes = field(default_factory=Stakes)
    sides: Sides = field(default_factory=Sides)
    irregularities: Irregularities = Irregularities.ENFORCED
    # The name of the preset that was chosen, a label; empty where none was. Rulesets that differ in
    # it alone are equal, so nothing cached by ruleset may depend on it.
    preset: str = field(default="", compare=False)
    # What the table calls its rules, a label as well; empty where they have no name of their own
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check(self.deck, self.passing, self.play, self.points, self.ending, self.sides)

    @cached_property
    def players(self) -> int:
        return self.deck.players

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The deck in canonical order."""
        return self.deck.cards

    @cached_property
    def deck_mask(self) -> int:
        return self.deck.mask

    @cached_property
    def hand_size(self) -> int:
        """Cards each seat is dealt, which is also the number of tricks."""
        return self.deck.hand_size

    @cached_property
    def kitty_size(self) -> int:
        """Cards left over by the deal (D5)."""
        return self.deck.kitty_size

    @cached_property
    def values(self) -> dict[Card, int]:
        """Points of each counting card of this deck."""
        return self.points.within(self.deck)

    @cached_property
    def counting_mask(self) -> int:
        """Every card that counts above or below zero."""
        return mask_of(self.values)

    @cached_property
    def penalty_mask(self) -> int:
        """The penalty cards: all that count above zero (S3)."""
        return mask_of(card for card, points in self.values.items() if points > 0)

    @cached_property
    def moon_mask(self) -> int:
        """The cards that a moon needs: the penalty cards, or all that count (S3, W7)."""
        return self.counting_mask if self.moon.needs_jack else self.penalty_mask

    @cached_property
    def penalty_total(self) -> int:
        """Points of all penalty cards of the deck together: 25 or 26 in the seeds (S6)."""
        return sum(points for points in self.values.values() if points > 0)

    @cached_property
    def ending_total(self) -> int:
        """The lowest total at which the match is over and the seat with the least wins (E2, W9).

        0 where it is over after a number of deals, and where stakes are settled.
        """
        end = self.ending.match_end
        if end.kind is EndKind.DEALS or self.stakes.settlement is not Settlement.NONE:
            return 0
        return end.number + (self.ending.at_limit is AtLimit.HALVES)

    @cached_property
    def breaking_mask(self) -> int:
        """The cards that break hearts (T4)."""
        return HEARTS | (QUEENS if self.play.queen_breaks_hearts else 0)

    @cached_property
    def leader_duties(self) -> tuple[tuple[Duties, ...], ...]:
        """The duties of a leader who may open with any card, `[tricks gathered][broken]`."""
        return tuple(
            tuple(duties_of_leader(self.play, gathered + 1, broken) for broken in (False, True))
            for gathered in range(self.hand_size + 1)
        )

    @cached_property
    def follower_duties(self) -> tuple[tuple[tuple[tuple[Duties, ...], ...], ...], ...]:
        """The duties of a follower, `[tricks gathered][suit led][broken][had a chance]`."""
        return _follower_duties(self.play, self.penalty_mask, self.hand_size)

    def direction(self, deal: int) -> Direction:
        """Direction of the pass in deal `deal` (from 1); `hold` for no pass (P2, P3, R-PASS)."""
        if not self.passing.count:
            return Direction.HOLD
        return self.passing.cycle[(deal - 1) % len(self.passing.cycle)]

    def pass_size(self, direction: Direction) -> int:
        """Number of cards that each seat passes (P2, W1)."""
        if not self.passing.count or direction is Direction.HOLD:
            return 0
        return self.players - 1 if direction is Direction.SCATTER else self.passing.count

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats that play together with this one, itself among them (W10)."""
        sides = self.players // self.sides.partners
        try:
            return tuple(range(seat % sides, self.players, sides))
        except TypeError:
            raise WrongType.of("seat", int, seat) from None

    @cached_property
    def all_sides(self) -> tuple[tuple[int, ...], ...]:
        """Every side; each seat a side of its own where there are no partners."""
        return tuple(self.side(seat) for seat in range(self.players // self.sides.partners))

    def points_in(self, mask: int) -> int:
        """Points of the cards of a mask together."""
        try:
            return sum([worth * (mask & cards).bit_count() for worth, cards in self._by_worth])
        except TypeError:
            raise WrongType.of("mask", int, mask) from None

    @cached_property
    def _by_worth(self) -> tuple[tuple[int, int], ...]:
        """Each worth of some cards, with the mask of them."""
        worths = sorted({*self.values.values()})
        return tuple(
            (worth, mask_of(card for card, each in self.values.items() if each == worth))
            for worth in worths
        )

    def lowest_club(self, hands: int) -> Card:
        """The lowest club among the cards that hands hold; of two, that of the first pack (L2)."""
        if not hands & CLUBS:
            raise VolteError("no_clubs")
        return min(cards_in(hands & CLUBS), key=_by_rank)

    def clubs_below(self, opening: Card) -> int:
        """Mask of the clubs of the deck that would have opened in the place of that one (L2)."""
        clubs = cards_in(self.deck_mask & CLUBS)
        return mask_of(card for card in clubs if _by_rank(card) < _by_rank(opening))


def _by_rank(card: Card) -> tuple[int, int]:
    return card.rank or 0, card.pack


@lru_cache(maxsize=256)
def _follower_duties(
    play: PlayRules, penalties: int, tricks: int
) -> tuple[tuple[tuple[tuple[Duties, ...], ...], ...], ...]:
    """The duties of a follower, cached, since many tables play by the same rules."""
    return tuple(
        tuple(
            tuple(
                tuple(
                    duties_of_follower(play, penalties, gathered + 1, led, broken, had)
                    for had in (False, True)
                )
                for broken in (False, True)
            )
            for led in Suit
        )
        for gathered in range(tricks + 1)
    )
