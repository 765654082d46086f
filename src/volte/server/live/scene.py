"""A table as one person sees it now: what a page draws, and what the person may do."""

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
from volte.referee.scores import lowest
from volte.rules import Direction, HeartsLead
from volte.say import Words
from volte.say.next_deal import next_deal
from volte.say.refusals import rule_broken
from volte.say.serving import serving_sentence
from volte.server.live import permitted as refereeing
from volte.server.live.answers import no_hint
from volte.table import Seat, Someone, TableState, Watching, decide
from volte.table import commands as cmd
from volte.table.decide import circumstances
from volte.table.live import LiveTable
from volte.table.setup import LEAST_CLOCK
from volte.table.status import status
from volte.view import View, settled
from volte.web.cards_shown import cancelled, card_in_hand, card_laid, wider
from volte.web.faces import Face, face_of, face_of_bot
from volte.wire.messages import Laid, Reckoning, Scene, SceneCard, SceneSeat

_OF_TABLES: Final[WeakKeyDictionary[LiveTable, Shared]] = WeakKeyDictionary()


class Scenes(Kept):
    """The scenes of one connection.

    Args:
        live: whose table it is.
    """

    def __init__(self, who: Someone, live: LiveTable) -> None:
        super().__init__()
        self.who = who
        self.live = live
        self.shared = _OF_TABLES.setdefault(live, Shared())

    def wear(self, settings: Mapping[str, Any]) -> None:
        """Shows everybody the face that the person has chosen, from the next scene on."""
        known, face = self.shared.faces, face_of(self.who.name, settings)
        known.pop(self.who.id, None)
        if face != face_of(self.who.name, {}):
            known[self.who.id] = face
        seated = {seat.person for seat in self.live.state.seats}
        for person in known.keys() - seated - self.live.present:
            del known[person]

    def scene(self, words: Words, state: TableState, view: View | None, watching: str) -> Scene:
        """The scene now.

        Args:
            state: as the person knows it; it may lag behind the table.
            view: theirs of the match; None where there is none.
            watching: the sentence about those who have no seat.
        """
        return _Sight(self, words, state, view).scene(watching)

    def status(self, words: Words, state: TableState, view: View | None) -> str:
        """The sentence of that scene: whom everybody is waiting for, and why."""
        return _Sight(self, words, state, view).status()


def score_of(state: TableState) -> tuple[object, ...]:
    """What the score sheet of a match depends on."""
    match = state.match
    if match is None:
        return ()
    reckoned = match.reckoned if isinstance(match, RefereedMatch) else None
    ended = match.phase is Phase.ENDED
    return (state.match_began, match.deals, reckoned, match.net, match.pot, ended)


_LIES: Final = (Phase.PASSING, Phase.PLAYING, Phase.CHOOSING)
"""While cards lie on the table."""


class _Sight:
    def __init__(self, scenes: Scenes, words: Words, state: TableState, view: View | None) -> None:
        self.once = scenes.once
        self.shared = scenes.shared
        self.words = words
        self.who = scenes.who
        self.live = scenes.live
        self.state = state
        self.view = view
        self.present = scenes.live.present
        self.seat = state.seat_of(scenes.who.id)
        match = self.match = view.state if view is not None else None
        lies = match is not None and match.phase in _LIES
        self.deal = match.deal if match is not None and lies else None  # as it lies on the table

    def scene(self, watching: str) -> Scene:
        state, match, deal = self.state, self.match, self.deal
        left = self.live.clock_left(self.seat) if self.seat is not None else None
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
            dealer=match.dealer if match is not None and match.deal is not None else None,
            deal=match.deal.number if match is not None and match.deal is not None else 0,
            pass_to=self.pass_to(),
            pass_count=self.pass_count(),
            broken=self.broken(),
            next=self.next_deal(),
            may=tuple(self.may()),
            open=self.open(),
            clock=ceil(left) if left is not None else None,
            answer_within=state.setup.clock,
            asked=self.asked(),
            watching=watching,
            hands=tuple(self.hands()),
            refereed=isinstance(match, RefereedMatch),
            full=isinstance(deal, RefereedDeal) and deal.full,
            reckoning=self.reckoning(),
            wider=wider(self.words, self.view, deal, self.card_on_table) if self.view else None,
            winning=self.view.winning if self.view is not None and deal is not None else None,
            settled=self.view is not None and not state.paused and settled(self.view),
            leads=self.leads(),
        )

    def status(self) -> str:
        """What is going on; the deal itself, where that is told when it is over."""
        match = self.match
        ready = [self.state.seats[seat].person for seat in self.state.ready]
        afterwards = self.seat is None and self.state.setup.watching is Watching.AFTERWARDS
        late = afterwards and self.state.version < self.live.state.version
        if late and match is not None and match.phase is Phase.DEALING and self.state.under_way:
            return serving_sentence(self.words, "told_late")
        here = self.present
        return status(self.words, self.state, self.view, self.seat, here, ready, self.who.id)

    def next_deal(self) -> str:
        view, under_way = self.view, self.state.under_way
        over = view is not None and under_way and self.state.between_deals
        return next_deal(self.words, view) if view is not None and over else ""

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
        """Alike for all, but that the points of a kitty may be known to its taker alone (D6)."""
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
            cards=self.sizes[place] if deal is not None else 0,
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
        """Who leads the match, or has won it; nobody where all do."""
        match = self.match
        if match is None or not match.deals:
            return ()
        first = match.winners or lowest(tuple(match.totals))
        return first if len(first) < len(match.totals) else ()

    @cached_property
    def points(self) -> tuple[int, ...]:
        """What each seat has taken in this deal; () where no cards are out."""
        deal = self.deal
        if deal is None:
            return ()
        key = deal.rules, deal.taken, deal.kitty_taker, deal.kitty
        seats = range(len(deal.taken))
        return self.once(
            "points", key, lambda: (deal.rules.points_in(deal.captured(seat)) for seat in seats)
        )

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds; () where none are out."""
        return tuple(self.deal.hand_sizes()) if self.deal is not None else ()

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """Of each seat; () before a match."""
        return tuple(self.match.totals) if self.match is not None else ()

    # Cards

    def broken(self) -> bool | None:
        deal = self.deal
        waits = deal is not None and deal.rules.play.hearts_lead is HeartsLead.ONCE_BROKEN
        return deal.broken if deal is not None and waits else None

    def hand(self) -> tuple[SceneCard, ...]:
        view, deal = self.view, self.deal
        if view is None or deal is None or view.seat is None:
            return ()
        passing = view.state.phase is Phase.PASSING
        refereed = isinstance(deal, RefereedDeal) and not passing
        choosing = (refereed or view.my_turn) and not self.state.paused
        if choosing:  # also why a card may not be played, which can be another reason each time
            legal = view.hand if passing else self.playable(view)
            return tuple(self.cards(view, deal, legal, reasons=view.my_turn))
        key = self.words.lang, view.hand.mask, passing, deal.passes[view.seat], deal.transfers
        return self.once("hand", key, lambda: self.cards(view, deal, CardSet()))

    def cards(
        self, view: View, deal: DealState, legal: CardSet, reasons: bool = False
    ) -> Iterator[SceneCard]:
        """The own hand.

        Args:
            legal: what may be played or passed now.
            reasons: whether it is told of the others why they may not.
        """
        assert view.seat is not None
        passing = view.state.phase is Phase.PASSING
        given = deal.passes[view.seat] or () if passing else ()
        givers = self.givers(view, deal)
        for card in self.words.hand_order(view):
            may = card in legal
            why = self.why_not(view, card) if reasons and not may else ""
            giver = givers.get(card)
            yield card_in_hand(self.words.lang, card, may, why, card in given, giver)

    @staticmethod
    def givers(view: View, deal: DealState) -> dict[Card, int]:
        """Who has passed which card, until the seat has played its first one."""
        if len(view.hand) < deal.rules.hand_size:
            return {}
        return {
            card: transfer.giver
            for transfer in deal.transfers
            if transfer.taker == view.seat
            for card in transfer.cards or ()
        }

    def playable(self, view: View) -> CardSet:
        """The cards that would not be refused; at a refereed table, also out of turn."""
        refereed = isinstance(view.state.deal, RefereedDeal)
        return refereeing.playable(view) if refereed else view.legal

    def hands(self) -> Iterator[Laid]:
        """All of them, for those who watch a deal that is over."""
        match, deal = self.match, self.deal
        afterwards = self.state.setup.watching is Watching.AFTERWARDS
        if match is None or deal is None or self.seat is not None or not afterwards:
            return
        for place in range(len(self.state.seats)):
            for card in self.words.hand_order(View(place, match)):
                yield self.card_on_table(place, card)

    def why_not(self, view: View, card: Card) -> str:
        assert view.seat is not None
        refusal = judge(view.state, Play(view.seat, card))
        return rule_broken(self.words, refusal, view) if isinstance(refusal, Refusal) else ""

    def trick(self) -> tuple[Laid, ...]:
        deal = self.deal
        if isinstance(deal, RefereedDeal):
            gone = cancelled([each.card for each in deal.laid])
            return tuple(
                self.card_on_table(each.seat, each.card, each.early, each.card in gone)
                for each in deal.laid
            )
        return self.laid(deal.leader, deal.trick) if deal is not None else ()

    def last(self) -> tuple[Laid, ...]:
        """The last trick of the deal, also once the deal is over."""
        deal = self.match.deal if self.match is not None else None
        if deal is None or not deal.tricks:
            return ()
        trick = deal.tricks[-1]
        key = self.words.lang, trick
        return self.once("last", key, lambda: self.laid(trick.leader, trick.cards))

    def laid(self, leader: int, cards: tuple[Card, ...]) -> tuple[Laid, ...]:
        gone = cancelled(cards)
        return tuple(
            self.card_on_table((leader + place) % len(self.state.seats), card, gone=card in gone)
            for place, card in enumerate(cards)
        )

    def card_on_table(self, seat: int, card: Card, early: bool = False, gone: bool = False) -> Laid:
        return card_laid(self.words.lang, seat, card, early, gone)

    def turn(self) -> int | None:
        """Who is waited for: to play, to turn a full trick down, or to say how a moon counts."""
        match = self.match
        if match is not None and match.shooter is not None:
            return match.shooter
        if match is None or match.phase is not Phase.PLAYING or self.reckoning() is not None:
            return None
        turns = to_act(match)
        return turns[0] if turns else None

    def reckoning(self) -> Reckoning | None:
        match = self.match
        if not isinstance(match, RefereedMatch) or match.reckoned is None:
            return None
        seats = range(len(match.players))
        accepted = tuple(seat for seat in seats if match.accepted >> seat & 1)
        return Reckoning(match.last, match.cutter, accepted)

    def pass_to(self) -> int | None:
        match, deal = self.match, self.deal
        if match is None or deal is None or match.phase is not Phase.PASSING or self.seat is None:
            return None
        if deal.direction is Direction.SCATTER:
            return None
        return deal.direction.target(self.seat, deal.rules.players)

    def pass_count(self) -> int:
        match = self.match
        passing = match is not None and match.phase is Phase.PASSING
        return match.deal.pass_size if match is not None and match.deal and passing else 0

    def asked(self) -> str:
        match = self.match
        if match is None or match.asked is None or self.seat not in game.still_to_consent(match):
            return ""
        return self.state.seats[match.asked].name

    def somebody_cuts(self) -> bool:
        """Whether the next deal waits for a person's cut, and for nobody else."""
        reckoning = self.reckoning()
        return reckoning is not None and not self.state.seats[reckoning.cutter].bot

    # What the person may do

    def may(self) -> Iterator[str]:
        yield from self.may_in_the_match()
        if not no_hint(self.state, self.view):
            yield "Hint"
        ready = self.seat in self.state.ready
        key = circumstances(self.state, self.seat), self.seat, ready, self.somebody_cuts()
        yield from self.once("commands", key, self.may_at_the_table)

    def open(self) -> tuple[int, ...]:
        """The seats that somebody without one may take, or ask for."""
        if self.seat is not None:
            return ()
        return self.once("open", circumstances(self.state, None), self.open_now)

    def open_now(self) -> Iterator[int]:
        for place in range(len(self.state.seats)):
            outcome = decide(self.state, self.who, cmd.Sit(place), self.state.version)
            if not isinstance(outcome, Refusal):
                yield place

    def may_at_the_table(self) -> Iterator[str]:
        for command in self.commands():
            outcome = decide(self.state, self.who, command, self.state.version)
            if not isinstance(outcome, Refusal):
                yield type(command).__name__

    def may_in_the_match(self) -> Iterator[str]:
        match, seat = self.match, self.seat
        if match is None or seat is None or self.state.paused or self.deal is None:
            return
        if match.phase is Phase.PASSING:
            yield "Pass" if seat in game.to_act(match) else "TakeBackPass"
            return
        if seat == match.shooter:
            yield "ChooseMoon"
        if match.phase is Phase.CHOOSING:
            return
        if isinstance(match, RefereedMatch):
            assert self.view is not None
            yield from refereeing.may(self.view, match, seat)
            return
        if seat in game.to_act(match):
            yield "Play"
        yield "Claim"
        if not isinstance(game.decide(match, game.AskUndo(seat)), Refusal):
            yield "AskUndo"
        if seat in game.still_to_consent(match):
            yield "AnswerUndo"

    def commands(self) -> Iterator[cmd.Command]:
        """One of each kind that is worth asking about."""
        state = self.state
        if self.seat is None:
            yield from map(cmd.Sit, self.open()[:1])
        else:
            yield from (cmd.Stand(), cmd.Away(), cmd.Back())
            if self.seat not in state.ready and not self.somebody_cuts():
                yield cmd.Next()
            if state.seats[self.seat].stand_in is None:
                yield cmd.MoreTime()
            if state.setup.clock and state.setup.clock < LEAST_CLOCK:
                yield cmd.AcceptClock(not state.seats[self.seat].accepts_clock)
        yield from (cmd.Pause(), cmd.Unpause())
        if self.who.id == state.host:
            yield from (cmd.Start(), cmd.Swap(0, 1), cmd.Change(state.setup), cmd.Close())
            yield cmd.Invite()
            yield from (
                cmd.AnswerSeat(place, seat.asker, allow=True)
                for place, seat in enumerate(state.seats)
                if seat.asker
            )
            for kind in (cmd.Remove, cmd.Replace, cmd.HandOver):
                yield from self.first_that_may(kind(place) for place in range(len(state.seats)))
            levels = (cmd.SeatBot(place, "casual") for place in range(len(state.seats)))
            yield from self.first_that_may(levels)

    def first_that_may(self, commands: Iterator[cmd.Command]) -> Iterator[cmd.Command]:
        """The first of the commands that is not refused, if there is any."""
        for command in commands:
            outcome = decide(self.state, self.who, command, self.state.version)
            if not isinstance(outcome, Refusal):
                yield command
                return


Part = TypeVar("Part")


class Kept:
    """Parts of the last scene: what is the same in the next one is not made anew."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[object, tuple[Any, ...]]] = {}

    def once(self, name: str, key: object, make: Callable[[], Iterable[Part]]) -> tuple[Part, ...]:
        """A part of the scene, made anew only where its key is another than the last time."""
        known = self._kept.get(name)
        if known is not None and known[0] == key:
            return known[1]
        made = tuple(make())
        self._kept[name] = key, made
        return made


class Shared(Kept):
    """What all connections to a table are shown alike. What somebody alone knows is in its key.

    Attributes:
        faces: of people, by id, where they are not what follows from the name.
    """

    def __init__(self) -> None:
        super().__init__()
        self.faces: dict[str, Face] = {}

    def face(self, seat: Seat) -> Face:
        """The face of whoever has that seat."""
        if seat.level:
            return face_of_bot(seat.name)
        return self.faces.get(seat.person) or face_of(seat.name, {})
