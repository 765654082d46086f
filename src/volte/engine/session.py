"""Volte as an engine: a line in, lines out, nothing read or printed here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace

from volte import __version__
from volte.bots import (
    MARKS,
    OFFERED,
    Bot,
    BotOwner,
    Clock,
    StoppableClock,
    check_level,
    installed,
    make_bot,
    think,
)
from volte.cards import CopiedWhole, VolteError
from volte.engine import position, standing
from volte.engine.language import (
    LONGEST_LINE,
    PROTOCOL,
    EngineFault,
    LineWords,
    Malformed,
    legal_words,
    thought_lines,
)
from volte.game import Driver, MatchStarted, PlainChance, Player
from volte.rules import Direction, Ruleset, Score, make_ruleset, read_setting
from volte.view import View

FORMS: Final = {
    "volte": "volte 1",
    "isready": "isready",
    "set": "set movetime 100",
    "rules": "rules coeurs players=5 queen_discard=free",
    "match": "match seat 2",
    "score": "score 0 13 12 1",
    "stakes": "stakes +3 -1 -1 -1 pot 25",
    "deal": "deal dealer 1 pass left hand 2C QS AH",
    "pass": "pass QS AS KS",
    "receive": "receive 2C 3C 4C",
    "lead": "lead 3 2C",
    "play": "play 3 QS",
    "takes": "takes 4",
    "held": "held",
    "kitty": "kitty 2H 4C",
    "moon": "moon 2 minus",
    "lots": "lots 6 1 7",
    "go": "go movetime 100",
    "stop": "stop",
    "quit": "quit",
}
"""Every command, with an example of its line."""

LONGEST_TIME: Final = 10**8
"""Largest milliseconds of a choice, simulations, or number of events: more than anybody means."""

MOST_DEALS: Final = 10_000
MOST_THREADS: Final = 64

BRIEF: Final = Clock(milliseconds=1, simulations=1)


def rehearse(bot: Bot, rules: Ruleset) -> None:
    """Let the bot pass, and play the first trick of a deal, at every seat."""
    players = tuple(Player(f"Seat {seat + 1}") for seat in range(rules.players))
    owners = [BotOwner(bot, seat, BRIEF) for seat in range(rules.players)]
    driver = Driver([MatchStarted(rules, players)], owners, PlainChance(0))
    while driver.state.deal is None or not driver.state.deal.tricks:
        driver.step()


class EngineSettings(msgspec.Struct, frozen=True):
    """The level that an engine plays at, and its limits."""

    level: str = OFFERED[-1]  # one of `LEVELS` or `MARKS`
    seed: int = 0  # of the bot, an unsigned 64-bit word
    clock: Clock = Clock()  # if `go` names no limit
    threads: int = 1  # sharing one search


class EngineSession(CopiedWhole):
    """One conversation. An impossible line is answered by an `error` and changes nothing.

    Args:
        say: makes the sentence about a fault, in one line.
    """

    def __init__(
        self, rules: Ruleset, settings: EngineSettings, say: Callable[[VolteError], str]
    ) -> None:
        self.rules = rules
        self.settings = settings
        self.view: View | None = None
        self.over = False  # whether `quit` has ended it
        self.stopped: Callable[[], bool] = _never  # whether the choice under way is wanted now
        self._say = say
        self._bot: Bot | None = None
        self._ready_for: Ruleset | None = None

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "stopped": _never}  # nobody waits for the choices of a copy

    def hear(self, line: str | None) -> list[str]:
        """The answer to a line; None is a line that was too long."""
        if line is None:
            return [self._error(EngineFault("line_too_long", most=LONGEST_LINE))]
        words = line.split()
        if not words or words[0].startswith("#"):
            return []
        try:
            return self._obey(words[0], LineWords(words[1:]))
        except VolteError as fault:
            return [self._error(fault)]
        except Exception as error:  # any mistake of a bot: the other side must be answered
            why = f"{type(error).__name__}: {error}"
            return [self._error(EngineFault("bot_failed", why=why))]

    def _error(self, fault: VolteError) -> str:
        return f"error {fault.reason} {self._say(fault)}"

    def _obey(self, word: str, words: LineWords) -> list[str]:
        if word not in FORMS:
            raise EngineFault("unknown_command", text=word, expected=tuple(FORMS))
        try:
            if word in _WITH_ANSWER:
                return _WITH_ANSWER[word](self, words)
            if word in _OF_VIEW:
                self.view = _OF_VIEW[word](self, self._match(), words)
            else:
                _SILENT[word](self, words)
        except Malformed:
            raise EngineFault("malformed_line", expected=FORMS[word]) from None
        return []

    # Greeting, settings and end

    def _hello(self, words: LineWords) -> list[str]:
        words.number(1, 999)
        words.end()
        return [
            f"volte {PROTOCOL}",
            "id name Volte",
            f"id version {__version__}",
            f"id level {self.settings.level}",
            f"option level {' '.join(OFFERED)}",
            "option seed number",
            "option movetime milliseconds",
            "option simulations number",
            "option threads number",
            "ready",
        ]

    def _ready(self, words: LineWords) -> list[str]:
        words.end()
        rules = self.view.state.rules if self.view is not None else self.rules
        if rules != self._ready_for:
            rehearse(self.bot, rules)
            self._ready_for = rules
        return ["readyok"]

    def _quit(self, words: LineWords) -> None:
        words.end()
        self.over = True

    def _set(self, words: LineWords) -> None:
        name, clock = words.take(), self.settings.clock
        match name:
            case "level":
                level = words.take()
                check_level(level, MARKS, installed())
                changed = replace(self.settings, level=level)
            case "seed":
                changed = replace(self.settings, seed=words.number(0, 2**64 - 1))
            case "movetime":
                changed = replace(self.settings, clock=replace(clock, milliseconds=_spent(words)))
            case "simulations":
                changed = replace(self.settings, clock=replace(clock, simulations=_spent(words)))
            case "threads":
                changed = replace(self.settings, threads=words.number(1, MOST_THREADS))
            case _:
                raise EngineFault("unknown_setting", text=name)
        words.end()
        self.settings, self._bot, self._ready_for = changed, None, None

    @property
    def bot(self) -> Bot:
        if self._bot is None:
            self._bot = make_bot(self.settings.level, self.settings.seed, self.settings.threads)
        return self._bot

    # Rules and match

    def _rules(self, words: LineWords) -> None:
        preset = words.take() if words.left and "=" not in words.next else None
        self.rules = make_ruleset(preset, dict(map(read_setting, words.rest())))
        self.view = None

    def _begin(self, words: LineWords) -> None:
        if words.take() != "seat":
            raise Malformed
        seat = words.seat(self.rules.players)
        words.end()
        self.view = position.begin(self.rules, seat)

    def _match(self) -> View:
        if self.view is None:
            raise EngineFault("no_match")
        return self.view

    def _score(self, view: View, words: LineWords) -> View:
        players = self.rules.players
        points = tuple(words.signed() for _ in range(players))
        moon = words.seat(players) if words.accept("moon") else None
        slam = words.seat(players) if words.accept("slam") else None
        minus, trickless = words.accept("minus"), list[int]()
        if words.accept("trickless"):
            trickless = [words.seat(players), *(words.seat(players) for _ in range(words.left))]
        words.end()
        score = Score(points, moon, slam, minus, tuple(sorted(set(trickless))))
        return standing.tell_score(view, score)

    def _stakes(self, view: View, words: LineWords) -> View:
        net = tuple(words.signed() for _ in range(self.rules.players))
        pot = words.number(0, 10**9) if words.accept("pot") else 0
        words.end()
        return standing.changed(view, net=net, pot=pot)

    def _lots(self, view: View, words: LineWords) -> View:
        order = tuple(words.seat(self.rules.players) for _ in range(words.left))
        return standing.tell_lots(view, order)

    # The deal

    def _deal(self, view: View, words: LineWords) -> View:
        number, dealer, direction = None, None, None
        while not words.accept("hand"):
            match words.take():
                case "number" if number is None:
                    number = words.number(1, MOST_DEALS)
                case "dealer" if dealer is None:
                    dealer = words.seat(self.rules.players)
                case "pass" if direction is None:
                    word = words.take()
                    if word not in list(Direction):
                        raise Malformed
                    direction = Direction(word)
                case "hold" if direction is None:
                    direction = Direction.HOLD
                case _:
                    raise Malformed
        line = position.DealLine(words.cards(), number, dealer, direction)
        return position.tell_deal(view, self.rules, line)

    def _lead(self, view: View, words: LineWords) -> View:
        seat = words.seat(self.rules.players)
        card = words.card() if words.left else None
        words.end()
        return position.tell_lead(view, seat, card)

    def _play(self, view: View, words: LineWords) -> View:
        while True:
            seat = words.seat(self.rules.players) if words.next.isdecimal() else None
            view = position.tell_play(view, seat, words.card())
            if not words.left:
                return view

    def _takes(self, view: View, words: LineWords) -> View:
        seat = words.seat(self.rules.players)
        words.end()
        return position.tell_taken(view, seat)

    def _held(self, view: View, words: LineWords) -> View:
        words.end()
        return position.tell_held(view)

    def _moon(self, view: View, words: LineWords) -> View:
        seat = words.seat(self.rules.players) if words.next.isdecimal() else None
        minus = words.minus() if words.left or seat is None else None
        words.end()
        return standing.tell_moon(view, seat, minus)

    # The choice

    def _go(self, words: LineWords) -> list[str]:
        view = self._match()
        limits = _limits(words)
        if "event" in limits:
            view = View(view.seat, replace(view.state, version=limits["event"]))
        position.to_choose(view)
        if words.left:
            _check_legal(view, words)
        limit = Clock(limits.get("movetime"), limits.get("simulations"))
        if limit == Clock():
            limit = self.settings.clock
        clock = StoppableClock(**asdict(limit), stopped=self.stopped)
        return thought_lines(think(self.bot, view, clock))


def _never() -> bool:
    return False


def _limits(words: LineWords) -> dict[str, int]:
    """The limits between `go` and the legal choices, in any order."""
    limits: dict[str, int] = {}
    while words.left and words.next not in ("pass", "play", "moon"):
        name = words.take()
        if name not in ("movetime", "simulations", "event") or name in limits:
            raise Malformed
        limits[name] = words.number(0 if name == "event" else 1, LONGEST_TIME)
    return limits


def _check_legal(view: View, words: LineWords) -> None:
    """Check the legal choices that the line lists, if any, against the rules."""
    word, legal = words.take(), legal_words(view)
    if word == "moon":
        ways = words.rest()
        if legal.split() != ["moon", *sorted(ways, reverse=True)]:
            raise EngineFault("told_wrong", what="moon", told=ways, expected=legal)
        return
    expected = LineWords(legal.split())
    count = "" if word == "play" else words.take()
    cards = words.cards()
    same = word == expected.take() and (word == "play" or count == expected.take())
    if not same or set(cards) != set(expected.cards()):
        raise EngineFault("told_wrong", what=word, told=cards, expected=legal)


def _spent(words: LineWords) -> int | None:
    return None if words.accept("none") else words.number(1, LONGEST_TIME)


_WITH_ANSWER: Final[dict[str, Callable[[Any, LineWords], list[str]]]] = {
    "volte": EngineSession._hello,
    "isready": EngineSession._ready,
    "go": EngineSession._go,
}
_SILENT: Final[dict[str, Callable[[Any, LineWords], None]]] = {
    "set": EngineSession._set,
    "rules": EngineSession._rules,
    "match": EngineSession._begin,
    "stop": lambda _, words: words.end(),
    "quit": EngineSession._quit,
}
_OF_VIEW: Final[dict[str, Callable[[Any, View, LineWords], View]]] = {
    "score": EngineSession._score,
    "stakes": EngineSession._stakes,
    "lots": EngineSession._lots,
    "deal": EngineSession._deal,
    "pass": lambda _, view, words: position.tell_pass(view, words.cards()),
    "receive": lambda _, view, words: position.tell_received(view, words.cards()),
    "lead": EngineSession._lead,
    "play": EngineSession._play,
    "takes": EngineSession._takes,
    "held": EngineSession._held,
    "kitty": lambda _, view, words: position.tell_kitty(view, words.cards()),
    "moon": EngineSession._moon,
}
