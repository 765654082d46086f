"""Scenes of a live table, as one person sees it now, with the person's possible actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from time import time
from typing import Any, Final
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from volte import game
from volte.cards import Card, CardSet, cards_in
from volte.game import Phase, Player
from volte.referee import RefereedDeal, RefereedMatch, decide, to_act
from volte.say import N_, Words
from volte.say.deal import next_deal
from volte.say.measures import planned_told
from volte.say.telling import spoken_order
from volte.scene import permitted
from volte.scene.builder import PartCache, SceneBuilder
from volte.scene.cards import card_laid
from volte.scene.chart import chart_of
from volte.scene.faces import Face, face_of, faces_of
from volte.sheet import lowest, rows_of_match
from volte.table import Seat, Someone, TableState, Watching
from volte.table.decide import circumstances
from volte.table.live import LiveTable
from volte.table.status import status
from volte.table.telling import beside_last
from volte.view import View, settled
from volte.wire.messages import LaidCard, Scene, SceneBeside, SceneCard, SceneSeat

NEXT_READY: Final = N_("The next round has begun: your table is ready.")


class SharedParts(PartCache):
    """Parts that all sessions at a table share; keys include the facts that only some know."""

    def __init__(self) -> None:
        super().__init__()
        self.settings: dict[str, Mapping[str, Any]] = {}  # of people who have chosen a face

    def faces(self, seats: tuple[Seat, ...]) -> tuple[Face, ...]:
        """The faces of the people and bots at the seats."""
        chosen = {
            place: self.settings[seat.person]
            for place, seat in enumerate(seats)
            if seat.person in self.settings
        }
        players = (Player(seat.name, bool(seat.person), seat.level) for seat in seats)
        return self.once("faces", (seats, chosen), lambda: faces_of([*players], chosen))


_OF_TABLES: Final[WeakKeyDictionary[LiveTable, SharedParts]] = WeakKeyDictionary()


class Scenes(PartCache):
    """The scenes that one session is shown, one after the other."""

    def __init__(self, who: Someone, live: LiveTable) -> None:
        super().__init__()
        self.who = who
        self.live = live
        self.next_table = ""  # id of the table to which the evening sends the person now
        self.shared = _OF_TABLES.setdefault(live, SharedParts())
        self._charted: tuple[object, ...] = ((),)

    def show_face(self, settings: Mapping[str, Any]) -> bool:
        """Show everybody the face that the person has chosen, from the next scene on; return
        whether it is another one than before."""
        known, face = self.shared.settings, face_of(self.who.name, settings)
        before = face_of(self.who.name, known.pop(self.who.id, {}))
        if face != face_of(self.who.name, {}):
            known[self.who.id] = settings
        seated = {seat.person for seat in self.live.state.seats}
        for person in known.keys() - seated - self.live.present:
            del known[person]
        return face != before

    def scene(self, words: Words, state: TableState, view: View | None, watching: str) -> Scene:
        """Build the present scene.

        Args:
            state: as the person knows it; it may lag behind the table.
            view: the person's, of the match; None before the first.
            watching: the sentence about people without a seat.
        """
        scene = _TableSceneBuilder(self, words, state, view).scene_for(watching)
        return self._with_sheet(scene, words, state, view) if view is not None else scene

    def status(self, words: Words, state: TableState, view: View | None) -> str:
        """The scene's sentence about what is going on: who is waited for, and why."""
        return _TableSceneBuilder(self, words, state, view).status()

    def _with_sheet(self, scene: Scene, words: Words, state: TableState, view: View) -> Scene:
        """The scene with the score sheet and its chart, where they have changed."""
        scored = _score_of(state)
        hues = tuple(seat.hue for seat in scene.seats)
        charted = scored, words.lang, scene.seat, state.seats, hues
        if self._charted == charted:
            return scene
        news, self._charted = self._charted[0] != scored, charted
        table = rows_of_match(view.state)
        called = [
            words.sentence(words.t("you"))
            if place == scene.seat
            else seat.name or words.t("Seat {number}", number=place + 1)
            for place, seat in enumerate(state.seats)
        ]
        chart = chart_of(words, called, hues, table, scene.seat)
        return replace(scene, sheet=table if news else None, chart=chart)


def _score_of(state: TableState) -> tuple[object, ...]:
    """Key of a match's score sheet: it changes when the sheet does."""
    match = state.match
    if match is None:
        return ()
    reckoned = match.reckoned if isinstance(match, RefereedMatch) else None
    ended = match.phase is Phase.ENDED
    return (state.match_began, match.deals, reckoned, match.net, match.pot, ended)


class _TableSceneBuilder(SceneBuilder):
    def __init__(self, scenes: Scenes, words: Words, state: TableState, view: View | None) -> None:
        super().__init__(words, view, state.seat_of(scenes.who.id), state.version, scenes)
        self.shared = scenes.shared
        self.who = scenes.who
        self.live = scenes.live
        self.next_table = scenes.next_table
        self.state = state
        self.present = scenes.live.present

    def scene_for(self, watching: str) -> Scene:
        """The whole scene; see `Scenes.scene`."""
        state, match, deal, view = self.state, self.match, self.deal, self.view
        left = self.live.clock_left(self.seat) if self.seat is not None else None
        ends, fills = self.live.meeting_left(), self.live.state.match is None
        meeting = ceil(ends) if ends is not None else None
        asking = match.asked if match is not None else None
        asked = match is not None and self.seat in game.still_to_consent(match)
        return self.scene(
            next=self.next(),
            left=self.left(),
            again=self.again(),
            open=self.open(),
            ask=self.ask(),
            filling=meeting if fills and any(seat.free for seat in state.seats) else None,
            anew=None if fills else meeting,
            clock=ceil(left) if left is not None else None,
            answer_within=state.setup.clock,
            asked=state.seats[asking].name if asking is not None and asked else "",
            watching=watching,
            winning=view.winning if view is not None and deal is not None else None,
            settled=view is not None and not state.paused and settled(view),
            evening=f"/evenings/{state.setup.evening}" if state.setup.evening else "",
            board=f"/deals/{state.setup.board}" if state.setup.board else "",
            next_table=f"/tables/{self.next_table}" if self.next_table else "",
            taken=self.taken(),
            leads=self.leads(),
            beside=self.beside(),
        )

    def next(self) -> str:
        """The sentence about the next deal, between deals."""
        between = self.state.under_way and self.state.between_deals
        return next_deal(self.words, self.view) if self.view is not None and between else ""

    def left(self) -> str:
        """The sentence about those who have left the table, after a match."""
        state = self.state
        if state.match is None or not (state.between_matches and state.left):
            return ""
        gone = [state.match.players[place] for place in state.left]
        return self.words.t("No longer at the table: {players}.", players=gone)

    def again(self) -> str:
        """The label of the button for another match, once one is over; or for the
        first one at a meeting table, where it need not be waited for."""
        state, words = self.state, self.words
        if state.match is None and state.setup.meeting and any(seat.free for seat in state.seats):
            return words.t("Begin without waiting")
        if not state.between_matches:
            return ""
        if state.setup.meeting and self.seat in state.ready:
            return words.t("Begin without waiting")
        people = [seat.person for seat in state.seats if seat.person]
        same = len(people) > 1 and {*people} == {*state.began} - {""}
        return words.t("Play again together") if same else words.t("Another match")

    def status(self) -> str:
        """The sentence about what is going on, or that the deal is shown once it is over."""
        match = self.match
        ready = [self.state.seats[seat].person for seat in self.state.ready]
        afterwards = self.seat is None and self.state.setup.watching is Watching.AFTERWARDS
        late = afterwards and self.state.version < self.live.state.version
        if late and match is not None and match.phase is Phase.DEALING and self.state.under_way:
            return self.words.t("You will see every card of this deal once it is over.")
        here = self.present
        going = status(self.words, self.state, self.view, self.seat, here, ready, self.who.id)
        planned = self.state.setup.planned
        if planned is not None and match is None and not self.state.closed:
            going = f"{planned_told(self.words, planned, time())}. {going}"
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
        faces = self.shared.faces(seats)
        key = self.state.version, self.match is None, here, faces, self.points
        return self.shared.once(
            "seats", key, lambda: map(self.seat_shown, range(len(seats)), seats, faces)
        )

    def seat_shown(self, place: int, seat: Seat, face: Face) -> SceneSeat:
        here = "here" if seat.person in self.present else "gone"
        stands_in = "stand_in" if seat.stand_in is not None else here
        return self.sitting(
            place,
            seat.name,
            seat.level,
            "free" if seat.free else "bot" if seat.level else stands_in,
            face,
            bool(seat.person) and seat.person == self.state.host,
            seat.asker,
            seat.asker_name,
        )

    def taken(self) -> tuple[LaidCard, ...]:
        """The cards of a deal that is over which count, by the seats that have taken them."""
        deal = self.match.deal if self.match is not None else None
        if deal is None or (self.deal is not None and self.reckoning is None):
            return ()
        captured = [deal.captured(seat) for seat in range(len(deal.hands))]
        counting, lang = deal.rules.counting_mask, self.words.lang
        return self.once(
            "taken",
            (lang, captured, counting),
            lambda: (
                card_laid(lang, seat, card)
                for seat, mask in enumerate(captured)
                for card in spoken_order(cards_in(mask & counting))
            ),
        )

    def beside(self) -> SceneBeside | None:
        """This match and the one whose cards it has dealt again, once it is over."""
        told = beside_last(self.words, self.state, self.who.id)
        if told is None:
            return None
        return SceneBeside(told.title, told.line, told.heads, told.rows)

    def leads(self) -> tuple[int, ...]:
        """The seats that lead the match, or have won it; none if all do."""
        match = self.match
        if match is None or not match.deals:
            return ()
        first = match.winners or lowest(tuple(match.totals))
        return first if len(first) < len(match.totals) else ()

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
            judge = decide if view.my_turn else None
            return tuple(self.cards(view, deal, legal, judge, self.givers(view)))
        key = self.words.lang, view.hand.mask, passing, deal.passes[view.seat], deal.transfers
        return self.once(
            "hand", key, lambda: self.cards(view, deal, CardSet(), givers=self.givers(view))
        )

    def givers(self, view: View) -> dict[Card, int]:
        """The seats that have passed cards to the person, who has not played a card yet."""
        givers: dict[Card, int] = {}
        if len(view.hand) >= view.deal.rules.hand_size:
            for transfer in view.deal.transfers:
                if transfer.taker == view.seat:
                    givers |= dict.fromkeys(transfer.cards or (), transfer.giver)
        return givers

    def hands(self) -> Iterator[LaidCard]:
        """The cards of all hands, for people who watch a deal that is over."""
        if self.seat is None and self.state.setup.watching is Watching.AFTERWARDS:
            yield from self.open_hands()

    def turn(self) -> int | None:
        """The seat that has to play, to turn a full trick down, or to choose how a moon counts."""
        match = self.match
        if match is not None and match.shooter is not None:
            return match.shooter
        if match is None or match.phase is not Phase.PLAYING or self.reckoning is not None:
            return None
        turns = to_act(match)
        return turns[0] if turns else None

    def may(self) -> Iterator[str]:
        state, match, view, seat = self.state, self.match, self.view, self.seat
        in_play = self.deal is not None and not state.paused
        if match is not None and view is not None and seat is not None and in_play:
            yield from permitted.actions(match, view, seat)
        if not permitted.no_hint(state, view):
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
        key = (self.who.apart, *circumstances(self.state, None))
        return self.once("open", key, lambda: permitted.open_seats(self.state, self.who))

    def ask(self) -> tuple[int, ...]:
        """The open seats that the person does not get at once."""
        places = self.open()
        key = (self.who.apart, *circumstances(self.state, None))
        return self.once("ask", key, lambda: permitted.seats_to_ask(self.state, self.who, places))
