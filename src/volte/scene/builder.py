"""Builder of the scene of a match, wherever it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

from volte.cards import Card, CardSet
from volte.game import DealState, MatchState, Phase, Play, Refusal
from volte.referee import RefereedDeal, RefereedMatch
from volte.rules import Direction, HeartsLead
from volte.say import Words
from volte.say.faults import rule_broken
from volte.scene.cards import cancelled, card_in_hand, card_laid, wider
from volte.scene.faces import Face
from volte.view import View
from volte.wire.messages import LaidCard, Reckoning, Scene, SceneCard, SceneSeat

Part = TypeVar("Part")


class PartCache:
    """Cache of a scene's parts, so that unchanged parts are not made again."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[object, tuple[Any, ...]]] = {}

    def once(self, name: str, key: object, make: Callable[[], Iterable[Part]]) -> tuple[Part, ...]:
        """A part of the scene, made anew only if its key differs from the last one."""
        known = self._parts.get(name)
        if known is not None and known[0] == key:
            return known[1]
        made = tuple(make())
        self._parts[name] = key, made
        return made


class SceneBuilder:
    """Builder of one scene. Its methods make the parts; each place where a match is shown has a
    subclass that says what is different there.

    Args:
        view: of the match; None before the first match at a table.
        seat: of the person; None for somebody who only looks.
        number: of the last happening shown.
    """

    def __init__(
        self, words: Words, view: View | None, seat: int | None, number: int, cache: PartCache
    ) -> None:
        self.words = words
        self.view = view
        self.seat = seat
        self.number = number
        self.once = cache.once
        match = self.match = view.state if view is not None else None
        cards_out = (Phase.PASSING, Phase.PLAYING, Phase.CHOOSING)
        out = match is not None and match.phase in cards_out
        self.deal = match.deal if match is not None and out else None  # as it lies on the table
        self.reckoning: Reckoning | None = None
        if isinstance(match, RefereedMatch) and match.reckoned is not None:
            seats = range(len(match.players))
            accepted = tuple(seat for seat in seats if match.accepted >> seat & 1)
            self.reckoning = Reckoning(match.last, match.cutter, accepted)

    def scene(self, **around: Any) -> Scene:
        """The whole scene, with the given fields of the place where the match is shown."""
        match, deal, view = self.match, self.deal, self.view
        dealt = match.deal if match is not None else None
        passing = match is not None and match.phase is Phase.PASSING
        hearts = deal is not None and deal.rules.play.hearts_lead is HeartsLead.ONCE_BROKEN
        return Scene(
            number=self.number,
            phase=self.phase(),
            status=self.status(),
            seat=self.seat,
            seats=self.seats_shown(),
            hand=self.hand(),
            trick=self.trick(),
            last=self.last(),
            turn=self.turn(),
            leader=self.leader(),
            dealer=self.dealer() if dealt is not None else None,
            deal=dealt.number if dealt is not None else 0,
            pass_to=self.pass_to(),
            pass_count=dealt.pass_size if dealt is not None and passing else 0,
            broken=deal.broken if deal is not None and hearts else None,
            may=tuple(self.may()),
            hands=tuple(self.hands()),
            refereed=isinstance(match, RefereedMatch),
            full=isinstance(deal, RefereedDeal) and deal.full,
            reckoning=self.reckoning,
            wider=wider(self.words, view, deal) if view is not None else None,
            **around,
        )

    # Parts that depend on the place

    def phase(self) -> str:
        """The phase of the match, or of the table."""
        raise NotImplementedError

    def status(self) -> str:
        """The sentence about what is going on; empty where the page itself has it."""
        return ""

    def seats_shown(self) -> tuple[SceneSeat, ...]:
        raise NotImplementedError

    def hand(self) -> tuple[SceneCard, ...]:
        """The person's hand."""
        return ()

    def hands(self) -> Iterable[LaidCard]:
        """The cards of all hands, where they lie open."""
        return ()

    def may(self) -> Iterable[str]:
        """The actions and commands that the person may give."""
        return ()

    def turn(self) -> int | None:
        """The seat that has to play; None while a full trick lies."""
        match, deal = self.match, self.deal
        if deal is None or match is None or match.phase is not Phase.PLAYING:
            return None
        ready = any(self.hand_sizes) and len(deal.trick) < deal.rules.players
        return deal.turn if ready and self.reckoning is None else None

    def dealer(self) -> int | None:
        """The seat that has dealt; between deals, the one that deals next."""
        return self.match.dealer if self.match is not None else None

    # Seats

    def sitting(
        self,
        place: int,
        name: str,
        level: str,
        state: str,
        face: Face,
        host: bool = False,
        asker: str = "",
        asker_name: str = "",
    ) -> SceneSeat:
        """A seat, with cards, points and total of the match."""
        match, deal = self.match, self.deal
        return SceneSeat(
            name=name,
            level=level,
            state=state,
            cards=self.hand_sizes[place] if deal is not None else 0,
            points=self.points[place] if deal is not None else 0,
            total=self.totals[place] if match is not None else 0,
            passed=match is not None
            and deal is not None
            and match.phase is Phase.PASSING
            and deal.passes[place] is not None,
            host=host,
            asker=asker,
            asker_name=asker_name,
            face=face.picture,
            hue=face.hue,
        )

    @cached_property
    def points(self) -> tuple[int, ...]:
        """Points that each seat has taken in this deal; () without a deal under way."""
        deal = self.deal
        if deal is None:
            return ()
        key = deal.rules, deal.taken, deal.kitty_taker, deal.kitty
        seats = range(len(deal.taken))
        return self.once(
            "points", key, lambda: (deal.rules.points_in(deal.captured(seat)) for seat in seats)
        )

    @cached_property
    def hand_sizes(self) -> tuple[int, ...]:
        """Number of cards in each hand; () without a deal under way."""
        return tuple(self.deal.hand_sizes()) if self.deal is not None else ()

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """Total of each seat; () before a match."""
        return tuple(self.match.totals) if self.match is not None else ()

    # Cards

    def cards(
        self,
        view: View,
        deal: DealState,
        legal: CardSet,
        judge: Callable[[MatchState, Play], object] | None = None,
        givers: Mapping[Card, int] | None = None,
    ) -> Iterator[SceneCard]:
        """The cards of the hand.

        Args:
            legal: the cards that may be played or passed now.
            judge: decides why the other cards may not; None for cards without reasons.
            givers: the seats that have passed cards to the person, where that is shown.
        """
        passing = view.state.phase is Phase.PASSING
        passed = deal.passes[view.seat] or () if passing else ()
        for card in self.words.hand_order(view):
            may, why = card in legal, ""
            if judge is not None and not may:
                refusal = judge(view.state, Play(view.seat, card))
                if isinstance(refusal, Refusal):
                    why = rule_broken(self.words, refusal, view)
            giver = givers.get(card) if givers else None
            yield card_in_hand(self.words.lang, card, may, why, card in passed, giver)

    def open_hands(self) -> Iterator[LaidCard]:
        """The cards of all hands that are known."""
        match = self.match
        if match is None or self.deal is None:
            return
        for place in range(len(match.players)):
            for card in self.words.hand_order(View(place, match)):
                yield card_laid(self.words.lang, place, card)

    def trick(self) -> tuple[LaidCard, ...]:
        deal = self.deal
        if isinstance(deal, RefereedDeal):
            gone = cancelled([each.card for each in deal.laid])
            return tuple(
                card_laid(self.words.lang, each.seat, each.card, each.early, each.card in gone)
                for each in deal.laid
            )
        return self.laid(deal.leader, deal.trick) if deal is not None else ()

    def last(self) -> tuple[LaidCard, ...]:
        """The last trick of the deal, also once the deal is over."""
        deal = self.match.deal if self.match is not None else None
        if deal is None or not deal.tricks:
            return ()
        trick = deal.tricks[-1]
        key = self.words.lang, trick
        return self.once("last", key, lambda: self.laid(trick.leader, trick.cards))

    def laid(self, leader: int, cards: tuple[Card, ...]) -> tuple[LaidCard, ...]:
        assert self.match is not None
        gone, lang, seats = cancelled(cards), self.words.lang, len(self.match.players)
        return tuple(
            card_laid(lang, (leader + place) % seats, card, gone=card in gone)
            for place, card in enumerate(cards)
        )

    def leader(self) -> int | None:
        """The seat that leads the trick; after the last one, its taker."""
        return self.deal.leader if self.deal is not None else None

    def pass_to(self) -> int | None:
        """The seat that gets what the person passes; None where there is no such seat."""
        match, deal = self.match, self.deal
        seat = self.view.seat if self.view is not None else None
        if match is None or deal is None or match.phase is not Phase.PASSING or seat is None:
            return None
        if deal.direction is Direction.SCATTER:
            return None
        target: int = deal.direction.target(seat, deal.rules.players)
        return target
