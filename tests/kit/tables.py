"""A table without a clock or a connection: people who ask, a house that deals, bots that play.

All goes through `decide` and its kin, happening by happening, as a live table does it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, Final, TypeVar

from kit.deals import STYLES, random_action, restless_action
from kit.strategies import PACK
from msgspec.structs import replace

from volte import game, referee, table
from volte.cards import Card, cards_in, read_cards
from volte.fair import House, commit_bytes
from volte.game import HouseAction, Phase, ProvedChance, Refusal
from volte.game.codec import encode
from volte.notation import check_record, format_record
from volte.referee import Event, RefereedMatch, SeatAction
from volte.rules import Value, make_ruleset
from volte.table import (
    Happening,
    Setup,
    Someone,
    TableEvent,
    TableState,
    decode_happening,
    pacing,
)
from volte.table import commands as cmd
from volte.table.house import acts_of_house
from volte.table.turns import TurnKind, current_turns
from volte.table.viewpoints import MatchLog
from volte.view import project

ANNE, BERT, CARA, DORA, BRUNO, CLEO, DENIS = (
    Someone(id, name, invited=True)
    for id, name in (
        *(("anne", "Anne"), ("bert", "Bert"), ("cara", "Cara"), ("dora", "Dora")),
        *(("bruno", "Bruno"), ("cleo", "Cléo"), ("denis", "Denis")),
    )
)
STRANGER: Final = Someone("else", "Else")


def setup(preset: str = "coeurs", /, name: str = "Chez Anne", **settings: Any) -> Setup:
    """A table of that preset, its matches of one deal unless `match_end` says more.

    Args:
        settings: fields of a `Setup`, and options of the rules.
    """
    own = {key: settings.pop(key) for key in list(settings) if key in Setup.__struct_fields__}
    return Setup(name, make_ruleset(preset, {"match_end": "deals:1", **settings}), **own)


RATED: Final = Setup("Chez Anne", make_ruleset("coeurs"), hints=False, rated=True)


class Table:
    """A table and its log; Anne is the host, without a seat unless she is given one."""

    def __init__(
        self, setting: Setup | None = None, seed: int = 1, seat: int | None = None
    ) -> None:
        self.rng = random.Random(seed)
        self.log: list[Happening] = list(table.open_table(setting or setup(), ANNE, seat))
        self.state = table.fold(self.log)
        self.house = House.from_seed(seed)
        self.shares: dict[tuple[int, int], bytes] = {}

    def take(self, outcome: tuple[Happening, ...] | Refusal) -> tuple[Happening, ...]:
        """What has been decided is logged and folded, each happening from its JSON."""
        assert not isinstance(outcome, Refusal), outcome
        for happening in outcome:
            read = decode_happening(encode(happening))
            assert read == happening
            self.log.append(read)
            self.state = table.evolve(self.state, read)
        return outcome

    def decide(
        self, who: Someone, command: cmd.Command, seen: int | None = None
    ) -> tuple[Happening, ...] | Refusal:
        """What is decided; `seen` is all there is unless something else is said."""
        return table.decide(self.state, who, command, self.state.version if seen is None else seen)

    def do(
        self, who: Someone, command: cmd.Command, seen: int | None = None
    ) -> tuple[Happening, ...]:
        """What somebody does."""
        return self.take(self.decide(who, command, seen))

    def let_sit(self, who: Someone, seat: int) -> tuple[Happening, ...]:
        """Somebody asks for a bot's seat in the middle of a deal, and the host allows it."""
        self.do(who, cmd.Sit(seat))
        host = Someone(self.state.host, self.state.host_name)
        return self.do(host, cmd.AnswerSeat(seat, who.id, allow=True))

    def refused(self, who: Someone, command: cmd.Command, seen: int | None = None) -> str:
        """The reason why somebody may not."""
        return reason(self.decide(who, command, seen))

    @property
    def match(self) -> game.MatchState:
        assert self.state.match is not None
        return self.state.match

    def match_log(self) -> list[Event]:
        """The events of the present match, or the last, out of the table's log."""
        since = self.log[self.state.match_began - 1 :] if self.state.match_began else []
        return [event for event in since if not isinstance(event, TableEvent)]

    def person(self, seat: int) -> Someone:
        sitting = self.state.seats[seat]
        return Someone(sitting.person, sitting.name, invited=True)

    def check_record(self) -> None:
        """The match as it stands is a lawful record, and every seat knows what it may."""
        log = self.match_log()
        if log:
            report = check_record(format_record(log))
            assert report.record is not None, report.fault
            assert report.record.log == tuple(log)
            self.check_secrecy()

    def check_secrecy(self) -> None:
        """What every seat has been told folds into what it may know, and nothing else."""
        log = MatchLog()
        log.add(self.log)
        for seat in (*range(len(self.state.seats)), None):
            assert log.fold(seat).match == project(self.match, seat)

    # The house and the players, at random

    def step(self, restless: bool = False) -> bool:
        """One act of whoever has to act; False where nobody has, or the match is paused."""
        if not self.state.under_way or self.state.paused or self.state.closed:
            return False
        if isinstance(self.match, RefereedMatch) and self.match.phase is Phase.PLAYING:
            self.act((mischief(self.match, self.rng) if restless else None) or self._honestly())
            return True
        restlessly = restless_action(self.match, self.rng) if restless else None
        if isinstance(restlessly, game.AskUndo):
            outcome = self.decide(self.person(restlessly.seat), cmd.Act(restlessly))
            restlessly = None if isinstance(outcome, Refusal) else restlessly
        if restlessly is None and self.match.asked is not None:
            waiting = game.still_to_consent(self.match)
            restlessly = game.AnswerUndo(waiting[0], True) if waiting else None
        if restlessly is not None:
            self.act(restlessly)
        elif game.to_act(self.match):
            self.act(random_action(self.match, self.rng, self.rng.choice(STYLES)))
        else:
            self.take(self.cut() or table.decide_house(self.state, self.chance()))
        return True

    def act(self, action: SeatAction) -> tuple[Happening, ...]:
        """A seat's act, by whoever plays there."""
        if self.state.seats[action.seat].bot:
            return self.take(table.decide_bot(self.state, action))
        return self.do(self.person(action.seat), cmd.Act(action))

    def _honestly(self) -> SeatAction:
        """Something lawful that a refereed match waits for."""
        seat = self.rng.choice(referee.to_act(self.match))
        return self.rng.choice(referee.legal_actions(self.match, seat))

    def cut(self) -> tuple[Happening, ...] | None:
        """A seat's part in the shuffle; people do it themselves, or are late."""
        proof = self.match.proof
        for seat in game.still_to_promise(self.match):
            assert proof is not None
            data = self.rng.randbytes(16)
            self.shares[proof.number, seat] = data
            promise = cmd.Promise(proof.number, commit_bytes(proof.number, seat, data))
            return self._own(seat, promise) or self._house(game.Promise(seat, None))
        for seat in game.still_to_contribute(self.match):
            assert proof is not None
            if seat in proof.house:
                share = self.house.contribution(proof.number, seat)
                return self._house(game.Contribute(seat, share))
            own = cmd.Contribute(proof.number, self.shares.get((proof.number, seat), b""))
            added = proof.promises[seat] is not None and self._own(seat, own)
            return added or self._house(game.Contribute(seat, None))
        return None

    def _own(self, seat: int, command: cmd.Command) -> tuple[Happening, ...] | None:
        if self.state.seats[seat].bot or self.rng.random() < 0.2:
            return None
        outcome = self.decide(self.person(seat), command)
        assert not isinstance(outcome, Refusal), outcome
        return outcome

    def _house(self, action: HouseAction) -> tuple[Happening, ...]:
        outcome = table.decide_house(self.state, action)
        assert not isinstance(outcome, Refusal), outcome
        return outcome

    def chance(self) -> HouseAction:
        match, proof = self.match, self.match.proof
        shuffling = match.phase in (Phase.DRAWING, Phase.DEALING)
        if shuffling and (proof is None or proof.used):
            number = proof.number + 1 if proof is not None else 1
            seats = tuple(place for place, seat in enumerate(self.state.seats) if seat.bot)
            previous = proof.digest if proof is not None else b""
            sealed = self.house.commitment(number, seats, previous)
            return game.Commit(number, sealed.digest, seats)
        action = ProvedChance(self.house).act(match)
        assert action is not None
        return action

    def play_on(self, steps: int = 10_000, restless: bool = False) -> None:
        """So many acts, or as many as there are to the end of the match."""
        for _ in range(steps):
            if not self.step(restless):
                return

    def play_until(self, *phases: Phase) -> None:
        while self.match.phase not in phases:
            assert self.step()


def mischief(match: RefereedMatch, rng: random.Random) -> SeatAction | None:
    """Now and then, something that nobody waits for, and that is not refused (I2–I9)."""
    if rng.random() < 0.7:
        return None
    seat, other = rng.sample(range(len(match.players)), 2)
    acts: list[SeatAction] = [
        referee.Object(seat, other),
        referee.TakeBack(seat),
        referee.ClaimRevoke(seat, other, rng.randint(1, 6)),
        *(game.Play(seat, card) for card in cards_in(match.lying.hands[seat])),
    ]
    act = rng.choice(acts)
    return None if isinstance(referee.decide(match, act), Refusal) else act


def started(setting: Setup | None = None, people: Iterable[Someone] = (ANNE, BRUNO)) -> Table:
    """A table where those people have sat down and a match has begun; bots have the other seats."""
    at = Table(setting)
    for seat, who in enumerate(people):
        at.do(who, cmd.Sit(seat))
    at.do(ANNE, cmd.Start())
    return at


def reason(outcome: object) -> str:
    """Why something was refused."""
    assert isinstance(outcome, Refusal), outcome
    return outcome.reason


# Refereed tables, with cards from short text


HANDS: Final = ("C: A4 H: 2", "C: K5 H: 3", "C: Q6 D: 3", "C: J7 D: 4")
"""Anne leads; everybody can follow clubs twice."""


class Refereed(Table):
    """A table where the referee rules; Anne has the first seat, Bruno the second."""

    @property
    def match(self) -> RefereedMatch:
        match = self.state.match
        assert isinstance(match, RefereedMatch)
        return match

    def play(self, seat: int, cards: str) -> tuple[Happening, ...]:
        """Cards from that seat on, `4C KC`, clockwise."""
        happened: tuple[Happening, ...] = ()
        for place, card in enumerate(cards.split()):
            happened += self.act(game.Play((seat + place) % len(self.state.seats), Card(card)))
        return happened

    def honest(self) -> None:
        """The first lawful act that the match waits for; the house where it waits for nobody."""
        seats = referee.to_act(self.match)
        if seats:
            self.act(referee.legal_actions(self.match, seats[0])[0])
        else:
            self.take(self.cut() or table.decide_house(self.state, self.chance()))

    def honestly_until(self, *kinds: type) -> None:
        """The same, until something of the kind has happened."""
        since = len(self.log)
        while not any(isinstance(each, kinds) for each in self.log[since:]):
            self.honest()


T = TypeVar("T", bound=Table)


def dealt(
    *hands: str,
    preset: str = "coeurs-table",
    kind: type[T] = Refereed,  # type: ignore[assignment]
    **options: Value,
) -> T:
    """Anne at seat 0 leads, Bruno sits at seat 1, bots sit at the others."""
    hands = hands or HANDS
    deck = {card for hand in hands for card in read_cards(hand)}
    usual: dict[str, Value] = {
        "players": len(hands),
        "removed": [str(card) for card in PACK if card not in deck],
        "kitty": "none",
        "pass_count": 0,
        "match_end": "deals:2",
        "irregularities": "refereed",
        "settlement": "none",
    }
    at = kind(Setup("Chez Anne", make_ruleset(preset, {**usual, **options})))
    for seat, who in enumerate((ANNE, BRUNO)):
        at.do(who, cmd.Sit(seat))
    at.do(ANNE, cmd.Start())
    at.take(table.decide_house(at.state, game.NameDealer(len(hands) - 1)))
    rows = zip(*(read_cards(hand) for hand in hands), strict=True)
    at.take(table.decide_house(at.state, game.DealCards(tuple(c for row in rows for c in row))))
    return at


# What a table has to do next


NOW: Final = 1000.0
TIMING: Final = pacing.Timing(
    grace=10, promise_within=5, undo_within=60, bot_pace=1, trick_pace=3, idle=600, tick=1
)
HOUSE: Final = House.from_seed(1)


class Standing:
    """A table and who is there, put together step by step; times are counted from `NOW`."""

    def __init__(self, *here: str, **settings: Any) -> None:
        settings = {"match_end": "deals:2", "pass_count": 0, **settings}
        self.state = table.fold(table.open_table(setup("dame-de-pique", **settings), ANNE))
        self.room = pacing.TableContext(
            here=frozenset(here),
            gone={},
            began=NOW,
            empty=None if here else NOW,
            turns={},
            decided=frozenset(),
            paces={},
        )

    def do(self, who: Someone, command: cmd.Command, now: float = NOW) -> Standing:
        return self.take(table.decide(self.state, who, command, self.state.version), now)

    def take(self, outcome: tuple[Happening, ...] | Refusal, now: float = NOW) -> Standing:
        assert not isinstance(outcome, Refusal), outcome
        for happening in outcome:
            self.state = table.evolve(self.state, happening)
        return self.look(now)

    def look(self, now: float = NOW) -> Standing:
        turns = current_turns(self.state, self.room.turns, now)
        self.room = replace(self.room, turns=turns)
        return self

    def with_room(self, **changes: Any) -> Standing:
        self.room = replace(self.room, **changes)
        return self.look()

    def house(self, covered: tuple[int, ...] = (0, 1, 2, 3), now: float = NOW) -> Standing:
        return self.take(acts_of_house(HOUSE, self.state, covered), now)

    def next_step(self) -> pacing.ScheduledStep | None:
        return pacing.next_step(self.state, self.room, TIMING)

    @property
    def turns(self) -> dict[int, TurnKind]:
        """What each seat is to do."""
        return {seat: turn.kind for seat, turn in self.room.turns.items()}

    def play(self, now: float = NOW) -> Standing:
        """The seat on turn plays its first legal card."""
        (seat,) = game.to_act(self.match)
        return self.take(game.decide(self.match, game.legal_actions(self.match, seat)[0]), now)

    @property
    def match(self) -> game.MatchState:
        assert self.state.match is not None
        return self.state.match

    @property
    def turn(self) -> int:
        return game.to_act(self.match)[0]
