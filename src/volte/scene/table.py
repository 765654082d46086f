"""Scenes: a table as one person sees it now, to be drawn, and the person's possible actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from math import ceil
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from volte import game
from volte.cards import Card, CardSet
from volte.game import DealState, Phase, Play, Refusal
from volte.referee import RefereedDeal, RefereedMatch, to_act
from volte.referee import decide as judge
from volte.rules import Direction, HeartsLead
from volte.say import N_, Words
from volte.say.deal import next_deal
from volte.say.faults import rule_broken
from volte.server.live import permitted
from volte.server.live.answers import no_hint
from volte.sheet import lowest
from volte.table import Seat, Someone, TableState, Watching
from volte.table.decide import circumstances
from volte.table.live import LiveTable
from volte.table.status import status
from volte.view import View, settled
from volte.web.cards_shown import cancelled, card_in_hand, card_laid, wider
from volte.web.faces import Face, face_of, face_of_bot
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


NEXT_READY: Final = N_("The next round has begun: your table is ready.")


class SharedParts(PartCache):
    """Parts that all sessions at a table share; keys include the facts that only some know."""

    def __init__(self) -> None:
        super().__init__()
        self.faces: dict[str, Face] = {}  # faces that people have chosen, by person

    def face(self, seat: Seat) -> Face:
        """The face of the person or bot at a seat."""
        if seat.level:
            return face_of_bot(seat.name, seat.level)
        return self.faces.get(seat.person) or face_of(seat.name, {})


_OF_TABLES: Final[WeakKeyDictionary[LiveTable, SharedParts]] = WeakKeyDictionary()


class Scenes(PartCache):
    """The scenes that one session is shown, one after the other."""

    def __init__(self, who: Someone, live: LiveTable) -> None:
        super().__init__()
        self.who = who
        self.live = live
        self.next_table = ""  # id of the table to which the evening sends the person now
        self.shared = _OF_TABLES.setdefault(live, SharedParts())

    def show_face(self, settings: Mapping[str, Any]) -> None:
        """Show everybody the face that the person has chosen, from the next scene on."""
        known, face = self.shared.faces, face_of(self.who.name, settings)
        known.pop(self.who.id, None)
        if face != face_of(self.who.name, {}):
            known[self.who.id] = face
        seated = {seat.person for seat in self.live.state.seats}
        for person in known.keys() - seated - self.live.present:
            del known[person]

    def scene(self, words: Words, state: TableState, view: View | None, watching: str) -> Scene:
        """Build the present scene.

        Args:
            state: as the person knows it; it may lag behind the table.
            view: the person's, of the match; None before the first.
            watching: the sentence about people without a seat.
        """
        return _SceneBuilder(self, words, state, view).scene(watching)

    def status(self, words: Words, state: TableState, view: View | None) -> str:
        """The scene's sentence about what is going on: who is waited for, and why."""
        return _SceneBuilder(self, words, state, view).status()


def score_of(state: TableState) -> tuple[object, ...]:
    """Key of a match's score sheet: it changes when the sheet does."""
    match = state.match
    if match is None:
        return ()
    reckoned = match.reckoned if isinstance(match, RefereedMatch) else None
    ended = match.phase is Phase.ENDED
    return (state.match_began, match.deals, reckoned, match.net, match.pot, ended)


class _SceneBuilder:
    def __init__(self, scenes: Scenes, words: Words, state: TableState, view: View | None) -> None:
        self.once = scenes.once
        self.shared = scenes.shared
        self.words = words
        self.who = scenes.who
        self.live = scenes.live
        self.next_table = scenes.next_table
        self.state = state
        self.view = view
        self.present = scenes.live.present
        self.seat = state.seat_of(scenes.who.id)
        match = self.match = view.state if view is not None else None
        cards_out = (Phase.PASSING, Phase.PLAYING, Phase.CHOOSING)
        out = match is not None and match.phase in cards_out
        self.deal = match.deal if match is not None and out else None  # as it lies on the table
        self.reckoning: Reckoning | None = None
        if isinstance(match, RefereedMatch) and match.reckoned is not None:
            seats = range(len(match.players))
            accepted = tuple(seat for seat in seats if match.accepted >> seat & 1)
            self.reckoning = Reckoning(match.last, match.cutter, accepted)

    def scene(self, watching: str) -> Scene:
        state, match, deal, view = self.state, self.match, self.deal, self.view
        passing = match is not None and match.phase is Phase.PASSING
        started = match is not None and match.deal is not None
        hearts = deal is not None and deal.rules.play.hearts_lead is HeartsLead.ONCE_BROKEN
        left = self.live.clock_left(self.seat) if self.seat is not None else None
        asking = match.asked if match is not None else None
        asked = match is not None and self.seat in game.still_to_consent(match)
        return Scene(
            number=state.version,
            phase=self.phase(),
            status=self.status(),
            seat=self.seat,
            seats=self.seats_shown(),
            hand=self.hand(),
            trick=self.trick(),
            last=self.last(),
            turn=self.turn(),
            leader=deal.leader if deal is not None else None,
            dealer=match.dealer if match is not None and started else None,
            deal=match.deal.number if match is not None and match.deal is not None else 0,
            pass_to=self.pass_to(),
            pass_count=match.deal.pass_size if match is not None and match.deal and passing else 0,
            broken=deal.broken if deal is not None and hearts else None,
            next=next_deal(self.words, view)
            if view is not None and state.under_way and state.between_deals
            else "",
            may=tuple(self.may()),
            open=self.open(),
            clock=ceil(left) if left is not None else None,
            answer_within=state.setup.clock,
            asked=state.seats[asking].name if asking is not None and asked else "",
            watching=watching,
            hands=tuple(self.hands()),
            refereed=isinstance(match, RefereedMatch),
            full=isinstance(deal, RefereedDeal) and deal.full,
            reckoning=self.reckoning,
            wider=wider(self.words, view, deal) if view is not None else None,
            winning=view.winning if view is not None and deal is not None else None,
            settled=view is not None and not state.paused and settled(view),
            evening=f"/evenings/{state.setup.evening}" if state.setup.evening else "",
            next_table=f"/tables/{self.next_table}" if self.next_table else "",
            leads=self.leads(),
        )

    def status(self) -> str:
        """The sentence about what is going on, or that the deal is shown once it is over."""
        match = self.match
        ready = [self.state.seats[seat].person for seat in self.state.ready]
        afterwards = self.seat is None and self.state.setup.watching is Watching.AFTERWARDS
        late = afterwards and self.state.version < self.live.state.version
        if late and match is not None and match.phase is Phase.DEALING and self.state.under_way:
            return self.words.t("You see this deal with every card, once it is over.")
        here = self.present
        going = status(self.words, self.state, self.view, self.seat, here, ready, self.who.id)
        return f"{going} {self.words.t(NEXT_READY)}" if self.next_table else going

    def phase(self) -> str:
        state, match = self.state, self.match
        if state.closed:
            return "closed"
        if match is None:
            return "waiting"
        if not state.under_way:
            return "ended"
        if state.paused:
            return "pausing"
        return "between" if state.between_deals else match.phase.value

    def seats_shown(self) -> tuple[SceneSeat, ...]:
        """The seats; the same for all, but for points of a kitty that only its taker knows (D6)."""
        seats = self.state.seats
        here = tuple(seat.person in self.present for seat in seats)
        faces = tuple(map(self.shared.face, seats))
        key = self.state.version, self.match is None, here, faces, self.points
        return self.shared.once(
            "seats", key, lambda: map(self.seat_shown, range(len(seats)), seats)
        )

    def seat_shown(self, place: int, seat: Seat) -> SceneSeat:
        match, deal, face = self.match, self.deal, self.shared.face(seat)
        here = "here" if seat.person in self.present else "gone"
        stands_in = "stand_in" if seat.stand_in is not None else here
        return SceneSeat(
            name=seat.name,
            level=seat.level,
            state="free" if seat.free else "bot" if seat.level else stands_in,
            cards=self.hand_sizes[place] if deal is not None else 0,
            points=self.points[place] if deal is not None else 0,
            total=self.totals[place] if match is not None else 0,
            passed=match is not None
            and deal is not None
            and match.phase is Phase.PASSING
            and deal.passes[place] is not None,
            host=bool(seat.person) and seat.person == self.state.host,
            asker=seat.asker,
            asker_name=seat.asker_name,
            face=face.picture,
            hue=face.hue,
        )

    def leads(self) -> tuple[int, ...]:
        """The seats that lead the match, or have won it; none if all do."""
        match = self.match
        if match is None or not match.deals:
            return ()
        first = match.winners or lowest(tuple(match.totals))
        return first if len(first) < len(match.totals) else ()

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

    def hand(self) -> tuple[SceneCard, ...]:
        view, deal = self.view, self.deal
        if view is None or deal is None or view.seat is None:
            return ()
        passing = view.state.phase is Phase.PASSING
        refereed = isinstance(deal, RefereedDeal)
        choosing = (view.my_turn or (refereed and not passing)) and not self.state.paused
        if choosing:  # with reasons why cards may not be played, which can differ each time
            lawful = permitted.playable(view) if refereed and not passing else view.legal
            legal = view.hand if passing else lawful
            return tuple(self.cards(view, deal, legal, reasons=view.my_turn))
        key = self.words.lang, view.hand.mask, passing, deal.passes[view.seat], deal.transfers
        return self.once("hand", key, lambda: self.cards(view, deal, CardSet()))

    def cards(
        self, view: View, deal: DealState, legal: CardSet, reasons: bool = False
    ) -> Iterator[SceneCard]:
        """The hand.

        Args:
            legal: the cards that may be played or passed now.
            reasons: whether the other cards come with the reason why they may not.
        """
        passing = view.state.phase is Phase.PASSING
        passed = deal.passes[view.seat] or () if passing else ()
        givers: dict[Card, int] = {}
        if len(view.hand) >= deal.rules.hand_size:  # the seat has not played a card yet
            for transfer in deal.transfers:
                if transfer.taker == view.seat:
                    givers |= dict.fromkeys(transfer.cards or (), transfer.giver)
        for card in self.words.hand_order(view):
            may, why = card in legal, ""
            if reasons and not may:
                refusal = judge(view.state, Play(view.seat, card))
                if isinstance(refusal, Refusal):
                    why = rule_broken(self.words, refusal, view)
            giver = givers.get(card)
            yield card_in_hand(self.words.lang, card, may, why, card in passed, giver)

    def hands(self) -> Iterator[LaidCard]:
        """The cards of all hands, for people who watch a deal that is over."""
        match, afterwards = self.match, self.state.setup.watching is Watching.AFTERWARDS
        if match is None or self.deal is None or self.seat is not None or not afterwards:
            return
        for place in range(len(self.state.seats)):
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
        gone, lang, seats = cancelled(cards), self.words.lang, len(self.state.seats)
        return tuple(
            card_laid(lang, (leader + place) % seats, card, gone=card in gone)
            for place, card in enumerate(cards)
        )

    def turn(self) -> int | None:
        """The seat that has to play, to turn a full trick down, or to choose how a moon counts."""
        match = self.match
        if match is not None and match.shooter is not None:
            return match.shooter
        if match is None or match.phase is not Phase.PLAYING or self.reckoning is not None:
            return None
        turns = to_act(match)
        return turns[0] if turns else None

    def pass_to(self) -> int | None:
        match, deal = self.match, self.deal
        if match is None or deal is None or match.phase is not Phase.PASSING or self.seat is None:
            return None
        if deal.direction is Direction.SCATTER:
            return None
        return deal.direction.target(self.seat, deal.rules.players)

    # What the person may do

    def may(self) -> Iterator[str]:
        state, match, view, seat = self.state, self.match, self.view, self.seat
        in_play = self.deal is not None and not state.paused
        if match is not None and view is not None and seat is not None and in_play:
            yield from permitted.actions(match, view, seat)
        if not no_hint(state, view):
            yield "Hint"
        person_cuts = self.reckoning is not None and not state.seats[self.reckoning.cutter].bot
        key = circumstances(state, seat), seat, seat in state.ready, person_cuts
        yield from self.once(
            "commands",
            key,
            lambda: permitted.commands(state, self.who, seat, self.open(), person_cuts),
        )

    def open(self) -> tuple[int, ...]:
        """The seats that the person may take, or ask for; none if they have one."""
        if self.seat is not None:
            return ()
        key = circumstances(self.state, None)
        return self.once("open", key, lambda: permitted.open_seats(self.state, self.who))
