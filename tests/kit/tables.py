"""A table without a clock or a connection: people who ask, a house that deals, bots that play.

Everything goes through `decide` and its kin, happening by happening, as at a live table.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

from kit.deals import STYLES, random_action, restless_action
from kit.records import check_record
from kit.strategies import PACK

from volte import game, referee, table
from volte.cards import cards_in, read_cards
from volte.fair import House, commit_bytes
from volte.game import HouseAction, Phase, Refusal
from volte.game.codec import encode
from volte.notation import format_record
from volte.referee import Event, RefereedMatch, SeatAction
from volte.rules import make_ruleset
from volte.table import Happening, Setup, Someone, TableEvent, decode_happening, steps
from volte.table import commands as cmd
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


def due(
    state: table.TableState, seat: int, share: Callable[[int], bytes] | None
) -> cmd.Promise | cmd.Contribute | cmd.Next | None:
    """The command by which a person's program carries the dealing on, if one is due.

    Args:
        share: the bytes that it adds to a shuffle, by its number; None where it adds none.
    """
    match = state.match
    if match is None or not state.under_way or state.paused:
        return None
    if state.between_deals:
        return cmd.Next() if seat not in state.ready else None
    proof = match.proof
    if proof is None or share is None:
        return None
    if seat in game.still_to_promise(match):
        return cmd.Promise(proof.number, commit_bytes(proof.number, seat, share(proof.number)))
    if seat in game.still_to_contribute(match) and proof.promises[seat] is not None:
        return cmd.Contribute(proof.number, share(proof.number))
    return None


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
        """Log and fold the decided happenings, each read from its JSON."""
        assert not isinstance(outcome, Refusal), outcome
        for happening in outcome:
            read = decode_happening(encode(happening))
            assert read == happening
            self.log.append(read)
            self.state = table.evolve(self.state, read)
        return outcome

    def decide(
        self,
        who: Someone,
        command: cmd.TableCommand,
        seen: int | None = None,
        here: Collection[str] | None = None,
    ) -> tuple[Happening, ...] | Refusal:
        """The decision; by default, `seen` is the last happening."""
        seen = self.state.version if seen is None else seen
        return table.decide(self.state, who, command, seen, here)

    def do(
        self, who: Someone, command: cmd.TableCommand, seen: int | None = None
    ) -> tuple[Happening, ...]:
        """Give a command for somebody; returns its happenings."""
        return self.take(self.decide(who, command, seen))

    def let_sit(self, who: Someone, seat: int) -> tuple[Happening, ...]:
        """Ask for a bot's seat in the middle of a deal, and let the host allow it."""
        self.do(who, cmd.Sit(seat))
        host = Someone(self.state.host, self.state.host_name)
        return self.do(host, cmd.AnswerSeat(seat, who.id, allow=True))

    def refused(self, who: Someone, command: cmd.TableCommand, seen: int | None = None) -> str:
        """The reason why the command is refused."""
        return reason(self.decide(who, command, seen))

    @property
    def match(self) -> game.MatchState:
        assert self.state.match is not None
        return self.state.match

    def match_log(self) -> list[Event]:
        """The events of the present match, or of the last one, from the table's log."""
        since = self.log[self.state.match_began - 1 :] if self.state.match_began else []
        return [event for event in since if not isinstance(event, TableEvent)]

    def person(self, seat: int) -> Someone:
        sitting = self.state.seats[seat]
        return Someone(sitting.person, sitting.name, invited=True)

    def check_record(self) -> None:
        """Check that the match so far is a lawful record, and that every seat knows what it may."""
        log = self.match_log()
        if log:
            report = check_record(format_record(log))
            assert report.record is not None, report.fault
            assert report.record.log == tuple(log)
            self.check_secrecy()

    def check_secrecy(self) -> None:
        """Check that each seat's messages fold into the view that it may have, and no more."""
        log = MatchLog()
        log.add(self.log)
        for seat in (*range(len(self.state.seats)), None):
            assert log.fold(seat).match == project(self.match, seat)

    # The house and the players, at random

    def step(self, restless: bool = False) -> bool:
        """Do one act that is due; returns False if there is none, or the match is paused."""
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
        """Do a seat's act, by its bot or its person."""
        if self.state.seats[action.seat].bot:
            return self.take(table.decide_bot(self.state, action))
        return self.do(self.person(action.seat), cmd.Act(action))

    def _honestly(self) -> SeatAction:
        """A lawful act that a refereed match waits for."""
        seat = self.rng.choice(referee.to_act(self.match))
        return self.rng.choice(referee.legal_actions(self.match, seat))

    def cut(self) -> tuple[Happening, ...] | None:
        """Do a seat's part in the shuffle; people do it themselves, or are late."""
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
        here = {seat.person for seat in self.state.seats if not seat.bot}
        covered = steps.covered_by_house(self.state, here)
        action = steps.act_of_house(self.house, self.match, covered, self.state.decks)
        assert action is not None
        return action

    def play_on(self, steps: int = 10_000, restless: bool = False) -> None:
        """Do so many acts, or as many as there are to the end of the match."""
        for _ in range(steps):
            if not self.step(restless):
                return

    def play_until(self, *phases: Phase) -> None:
        while self.match.phase not in phases:
            assert self.step()


def mischief(match: RefereedMatch, rng: random.Random) -> SeatAction | None:
    """Now and then, an act that nobody waits for, and that is not refused (I2–I9)."""
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
    """The reason why something was refused."""
    assert isinstance(outcome, Refusal), outcome
    return outcome.reason


# Refereed tables, with cards from short text


HANDS: Final = ("C: A4 H: 2", "C: K5 H: 3", "C: Q6 D: 3", "C: J7 D: 4")
"""Hands in which Anne leads; everybody can follow clubs twice."""


def dealt(*hands: str, preset: str = "coeurs-table", **settings: Any) -> Table:
    """Anne at seat 0 leads, Bruno sits at seat 1, bots sit at the others; see `setup`.

    The table has a referee by default.
    """
    hands = hands or HANDS
    deck = {card for hand in hands for card in read_cards(hand)}
    usual: dict[str, Any] = {
        "players": len(hands),
        "removed": [str(card) for card in PACK if card not in deck],
        "kitty": "none",
        "pass_count": 0,
        "match_end": "deals:2",
        "irregularities": "refereed",
        "settlement": "none",
    }
    at = started(setup(preset, **usual | settings))
    at.take(table.decide_house(at.state, game.NameDealer(len(hands) - 1)))
    rows = zip(*(read_cards(hand) for hand in hands), strict=True)
    at.take(table.decide_house(at.state, game.DealCards(tuple(c for row in rows for c in row))))
    return at
