"""The view of one seat, folded from the events that it may see and from nothing else."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from volte.cards import (
    SUIT_MASKS,
    CardSet,
    NoSuchSeat,
    Suit,
    Unchanging,
    cards_in,
    mask_of,
    union,
)
from volte.cards.public import explain, in_sentences
from volte.game import DealState, MatchState, Phase, Transfer, visible_transfer
from volte.game.claims import beats_all, tricks_matter
from volte.game.legal import legal_cards
from volte.referee import Event, RefereedDeal, replay
from volte.referee.evolve import evolve
from volte.rules import trick_winner
from volte.view.picture import as_html, as_text

__all__ = ["KITTY", "View", "possible_places", "project", "settled"]

KITTY: Final = -1
"""The place of hidden kitty cards, used beside the numbers of seats."""


@dataclass(frozen=True, repr=False)
class View(Unchanging):
    """The match as one seat sees it. Views do not change: `see` makes the next one."""

    # The seat that sees the match; None for the public, which holds no cards and never acts. For
    # type checkers it is a number that may be compared with None.
    seat: int | Any
    state: MatchState  # the match, with what the seat may not know left out

    def __post_init__(self) -> None:
        try:
            if self.seat is None or (
                type(self.seat) is int and 0 <= self.seat < len(self.state.players)
            ):
                return
        except (AttributeError, TypeError) as error:
            explain(error, View.__init__, self, self.seat, self.state)
        NoSuchSeat.check(self.seat, len(self.state.players))

    @classmethod
    def of(cls, seat: int | None, events: Iterable[Event]) -> View:
        """Return the view folded from a seat's visible events, `MatchStarted` first."""
        return cls(seat, replay(events))

    def see(self, *events: Event) -> View:
        """Return the view after more visible events."""
        state = self.state
        try:
            for event in events:
                state = evolve(state, event)
        except Exception as error:
            explain(error, View.see, self, *events)
            raise
        seen = object.__new__(View)  # the seat is valid, so the checks are skipped
        seen.__dict__.update(seat=self.seat, state=state)
        return seen

    @property
    def deal(self) -> DealState:
        """The present deal. Only once cards have been dealt."""
        return self.state.current_deal

    @property
    def hand(self) -> CardSet:
        """The seat's own hand; cards that it passes stay in it until the exchange."""
        return CardSet(self.deal.hands[self.seat] if self.seat is not None else 0)

    @property
    def my_turn(self) -> bool:
        """Whether this seat has to pass, to play, or to choose how its moon counts."""
        if self.seat is None or self.state.deal is None:
            return False
        if self.state.shooter is not None:
            return self.state.shooter == self.seat
        if self.state.phase is Phase.PASSING:
            return self.deal.passes[self.seat] is None
        return self._to_play

    @property
    def _to_play(self) -> bool:
        """Whether this seat has to play a card."""
        deal = self.state.deal
        if deal is None or self.state.phase is not Phase.PLAYING:
            return False
        return deal.turn == self.seat and len(deal.trick) < deal.rules.players

    @property
    def winning(self) -> int | None:
        """Seat whose card would take the trick as it stands; None where no card would (T2, W11)."""
        deal = self.state.deal
        if deal is None or all(card.suit is None for card in deal.trick):
            return None
        place = trick_winner(0, deal.trick)
        return (deal.leader + place) % deal.rules.players if place is not None else None

    @property
    def legal(self) -> CardSet:
        """The cards that this seat may play now; empty when it is not its turn to play."""
        return CardSet(legal_cards(self.deal) if self._to_play else 0)

    @cached_property
    def seen(self) -> int:
        """Mask of the cards seen: the seat's own hand, played cards, the kitty if it took it."""
        deal = self.deal
        laid = deal.laid if isinstance(deal, RefereedDeal) else ()
        table = mask_of(deal.trick) | mask_of(each.card for each in laid)
        return table | deal.held | deal.kitty | self.hand.mask | union(deal.taken)

    @cached_property
    def unseen(self) -> int:
        """Mask of the cards of the deck that this seat has not seen since the deal."""
        return self.deal.rules.deck_mask & ~self.seen

    def gave(self, seat: int) -> CardSet:
        """The cards that this seat has passed to another in this deal."""
        transfers = self.deal.transfers
        return _in_all(each for each in transfers if (each.giver, each.taker) == (self.seat, seat))

    def got(self) -> CardSet:
        """The cards that this seat was passed in this deal."""
        return _in_all(each for each in self.deal.transfers if each.taker == self.seat)

    def voids(self, seat: int) -> tuple[Suit, ...]:
        """The suits that a seat has shown it does not hold."""
        NoSuchSeat.check(seat, len(self.state.players))
        excluded = self.deal.excluded[seat]
        return tuple(
            suit for suit in Suit if not SUIT_MASKS[suit] & self.deal.rules.deck_mask & ~excluded
        )

    def could_hold(self, seat: int) -> CardSet:
        """The unseen cards that another seat can still hold.

        Exact: it counts the passes, what every play has proved under the duties (T1–T8), and
        how many cards each hand and the kitty have room for. A play taken back (C2) proves
        nothing: the table has agreed to forget it.
        """
        return CardSet(self._possible_at(seat))

    def must_hold(self, seat: int) -> CardSet:
        """The unseen cards that only this seat can hold."""
        elsewhere = union(mask for place, mask in self.possible.items() if place != seat)
        return CardSet(self._possible_at(seat) & ~elsewhere)

    def _possible_at(self, place: int) -> int:
        if place != KITTY:
            NoSuchSeat.check(place, len(self.state.players))
        return self.possible.get(place, 0)  # nothing in one's own hand is unseen

    @cached_property
    def possible(self) -> dict[int, int]:
        """Mask of the unseen cards that each other seat, and `KITTY`, can hold."""
        return possible_places(self._could(), self._room)

    @property
    def consistent(self) -> bool:
        """Whether the hidden cards can lie in some way that agrees with all that was seen.

        Always true in a match that is played; not always in one told by a person.
        """
        if self.seat is not None and self.hand.mask & self._excluded(self.seat):
            return False
        settled = 0
        for place, mask in self._known.items():
            if mask & (settled | self._excluded(place) | ~self.unseen):
                return False
            settled |= mask
        return placeable(self.unseen, self._could(), self._room)

    def _could(self) -> dict[int, int]:
        """Mask, by place, of the unseen cards that nothing seen excludes from it."""
        settled = union(self._known.values())
        return {
            place: self.unseen & ~self._excluded(place) & ~settled | known
            for place, known in self._known.items()
        }

    @cached_property
    def _room(self) -> dict[int, int]:
        """Number of unseen cards that each other seat, and `KITTY`, holds."""
        deal = self.deal
        room = {seat: size for seat, size in enumerate(deal.hand_sizes()) if seat != self.seat}
        if deal.rules.kitty_size and not deal.kitty:
            room[KITTY] = deal.rules.kitty_size
        return room

    @cached_property
    def _known(self) -> dict[int, int]:
        """Mask of the unseen cards that must be in each place: passed there, or due to be led."""
        deal = self.deal
        known = {place: self.gave(place).mask & self.unseen for place in self._room}
        if deal.opening and deal.opening.bit & self.unseen:  # everybody knows who has it (L2, W2)
            opener = deal.tricks[0].leader if deal.tricks else deal.leader
            if opener in known:
                known[opener] |= deal.opening.bit
        return known

    def _excluded(self, place: int) -> int:
        return self.deal.excluded[place] if place != KITTY else 0

    def __repr__(self) -> str:
        hand = cards_in(self.hand.mask) if self.state.deal is not None else ()
        return f"<View of seat {self.seat}: {' '.join(card.text for card in hand)}>"

    def __str__(self) -> str:
        return as_text(self.state, self._shown)

    def _repr_html_(self) -> str:
        """The table as a picture in HTML, for notebooks."""
        return as_html(self.state, self._shown)

    @property
    def _shown(self) -> tuple[int, ...]:
        """The seats whose hands this view may show."""
        return () if self.seat is None else (self.seat,)


def _in_all(transfers: Iterable[Transfer]) -> CardSet:
    return CardSet(mask_of(card for each in transfers for card in each.cards or ()))


def project(state: MatchState, seat: int | None) -> MatchState:
    """Return the state as the seat may know it."""
    return replace(
        state,
        deal=state.deal and project_deal(state.deal, seat),
        before=state.before and project_deal(state.before, seat),
    )


def project_deal(deal: DealState, seat: int | None) -> DealState:
    """Return the deal as the seat may know it: of broken duties it knows only its own."""
    if isinstance(deal, RefereedDeal):
        deal = replace(
            deal,
            base=deal.base and project_deal(deal.base, seat),
            breaches=tuple(each for each in deal.breaches if each.seat == seat),
        )
    return replace(
        deal,
        hands=tuple(hand if owner == seat else 0 for owner, hand in enumerate(deal.hands)),
        kitty=deal.kitty if seat is not None and deal.kitty_taker == seat else 0,
        passes=tuple(
            cards if cards is None or owner == seat else ()
            for owner, cards in enumerate(deal.passes)
        ),
        transfers=tuple(visible_transfer(transfer, seat) for transfer in deal.transfers),
    )


Place = TypeVar("Place", bound=Hashable)


def possible_places(could: Mapping[Place, int], room: Mapping[Place, int]) -> dict[Place, int]:
    """Masks of the cards that each place can hold in at least one way of placing all cards.

    Args:
        could: mask of the cards that nothing excludes from a place, for every place.
        room: number of cards that each place holds; together, exactly the unseen cards.

    By Hall's theorem (1935) a group of places is full when the cards that can be nowhere else
    take all its room: then no other card fits in. Taking every full group away is exact, as long
    as some way of placing all cards exists.
    """
    left, everything = dict(could), union(could.values())
    for group, (elsewhere, size) in enumerate(_groups(could, room)):
        confined = everything & ~elsewhere
        if confined.bit_count() == size:
            for number, place in enumerate(could):
                if group >> number & 1:
                    left[place] &= confined
    return left


def placeable(cards: int, could: Mapping[Place, int], room: Mapping[Place, int]) -> bool:
    """Whether the cards of a mask can be placed at all, with no room left over.

    By Hall's theorem they can when no group of places has to take more cards than it has room for.
    """
    fits = ((cards & ~elsewhere).bit_count() <= size for elsewhere, size in _groups(could, room))
    return cards.bit_count() == sum(room[place] for place in could) and all(fits)


def _groups(could: Mapping[Place, int], room: Mapping[Place, int]) -> Iterator[tuple[int, int]]:
    """Yield for every group of places the mask that the others can hold, and the group's room.

    Bit k of a group's number, from 0 in the order yielded, is set if it has the k-th place.
    """
    unions, rooms = [0], [0]
    for place, mask in could.items():
        unions += [have | mask for have in unions]
        rooms += [total + room[place] for total in rooms]
    return zip(reversed(unions), rooms, strict=True)


def settled(view: View) -> bool:
    """Whether the seat's knowledge proves a claim (C1); other claims may hold as well.

    It does where no hand can still hold a card that counts, and where the seat is on lead and
    takes all tricks that are left. Always False at a refereed table, which has no claims.
    """
    deal = view.state.deal
    if deal is None or view.seat is None or view.state.phase is not Phase.PLAYING:
        return False
    if isinstance(deal, RefereedDeal):
        return False
    leads = view.my_turn and not deal.trick
    counting = deal.rules.counting_mask
    shown = (view.hand.mask | mask_of(deal.trick) | deal.held) & counting
    if shown and not leads:  # most often
        return False
    elsewhere = _with_others(view)
    if leads and beats_all(deal, elsewhere):
        return True
    kitty_waits = deal.rules.kitty_size and deal.kitty_taker is None
    return not (shown or elsewhere & counting or kitty_waits or tricks_matter(deal))


def _with_others(view: View) -> int:
    """Mask of the unseen cards that the other hands can hold."""
    if not view.deal.rules.kitty_size or view.deal.kitty:
        return view.unseen
    return union(mask for place, mask in view.possible.items() if place != KITTY)


in_sentences(__name__, but=("View.__init__", "View.see"))
