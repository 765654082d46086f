"""Objects of every public class, in mid-deal, with their next results; and data of any type."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Final, Union, cast, get_args, get_origin, get_type_hints

import numpy as np
from kit.engines import example

from volte import Match
from volte.bots import (
    Beginner,
    Bot,
    BotOwner,
    Casual,
    Clock,
    Drifter,
    Puppet,
    StoppableClock,
)
from volte.cards import CARDS, Card, CardSet, VolteError
from volte.engine import EngineSession, EngineSettings, Outside
from volte.fair import House, SplitMix64, Stream
from volte.game import (
    Chance,
    DealState,
    Driver,
    MatchStarted,
    MatchState,
    PlainChance,
    Player,
    Prepared,
    ProvedChance,
)
from volte.kernel import Batch, Policy
from volte.lab.arena import Contest, Contestant, Duel, EngineKind, Request
from volte.lab.env import HeartsEnv, SeatEnv, VectorEnv
from volte.rules import OPTIONS, Score, make_ruleset, score
from volte.say import Words
from volte.scorekeeper.model import Open, Sheet, SheetShelf, ShelvedSheet, fold
from volte.view import View

RULES: Final = make_ruleset("dame-de-pique")
SHORT: Final = make_ruleset("dame-de-pique", {"match_end": "deals:1"})
PLAYERS: Final = tuple(Player(f"Seat {seat}") for seat in range(4))


# Objects with behaviour, in mid-deal, and their next results


def driver() -> Driver:
    """A driver some plays into its match."""
    bots: list[Bot] = [Beginner(1), Casual(), Drifter(2), Casual()]
    owners = [BotOwner(each, seat, Clock(simulations=1)) for seat, each in enumerate(bots)]
    made = Driver([MatchStarted(SHORT, PLAYERS)], owners, PlainChance(3))
    for _ in range(30):
        made.step()
    return made


def view() -> View:
    """The view of seat 0 in mid-deal, on its turn."""
    made = driver()
    while True:
        seen = cast("list[BotOwner]", made._owners)[0].view
        if seen is not None and seen.my_turn:
            return seen
        made.step()


VIEW: Final = view()
BEGUN: Final = Driver([MatchStarted(SHORT, PLAYERS)], [], PlainChance(1))
DEALING: Final = Driver([MatchStarted(SHORT, PLAYERS)], [], PlainChance(1))
DEALING.step()


def played(env: Any) -> Iterator[Any]:
    """Two episodes of `HeartsEnv`, step by step."""
    for episode in range(2):
        for agent in env.agent_iter():
            seen, *rest = env.last()
            yield agent, seen["observation"].tolist(), seen["action_mask"].tolist(), rest[:3]
            legal = np.flatnonzero(seen["action_mask"])
            env.step(None if rest[1] else int(legal[-1]))
        if not episode:
            env.reset()


def hearts(env: Any) -> Any:
    env.reset(seed=1)
    for _ in range(20):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    return env


def seat_env() -> SeatEnv:
    env = SeatEnv(RULES, bots="beginner")
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(env.action_masks().argmax()))
    return env


def seat_played(env: SeatEnv) -> Iterator[Any]:
    for _ in range(2):
        over = False
        while not over:
            seen, reward, over, *_ = env.step(int(env.action_masks().argmax()))
            yield seen["observation"].tolist(), seen["action_mask"].tolist(), reward, over
        yield env.reset()[0]["observation"].tolist()


def vector_env(**more: Any) -> VectorEnv:
    env = VectorEnv(RULES, num_envs=3, bots="random", **more)
    seen, _ = env.reset(seed=1)
    for _ in range(7):
        seen, *_ = env.step(seen["action_mask"].argmax(axis=1))
    return env


def vector_played(env: VectorEnv) -> Iterator[Any]:
    mask = env._seen()["action_mask"]
    for _ in range(30):
        seen, reward, over, *_ = env.step(mask.argmax(axis=1))
        mask = seen["action_mask"]
        yield [each.tobytes() for each in seen.values()], reward.tolist(), over.tolist()


def batch() -> Batch:
    made = Batch(RULES, 5, 1, again=True, threads=2)
    list(batch_played(made, 20))
    return made


def batch_played(made: Batch, steps: int = 60) -> Iterator[Any]:
    for _ in range(steps):
        lowest = made.legal & -made.legal.astype(np.int64).astype(np.uint64)
        made.step(np.log2(lowest.astype(np.float64)).astype(np.int64))
        seen = made.observe()
        yield made.deals.tobytes(), made.legal.tolist(), made.finished.tolist()
        yield made.outcomes.tobytes(), [each.tobytes() for each in seen]


def match() -> Match:
    made = Match(SHORT, seed=1)
    for _ in range(20):
        made.do(made.actions[0])
    return made


def match_played(made: Match) -> Iterator[Any]:
    while not made.over:
        yield made.do(made.actions[-1]), str(made)
    yield made.seed, made.log


def session() -> EngineSession:
    made = EngineSession(RULES, EngineSettings("casual"), Words("en").fault)
    for line in ("match seat 2", "deal dealer 1 hold hand S: AQ2 H: K53 D: T98 C: A963"):
        assert made.hear(line) == []
    return made


def session_said(made: EngineSession) -> Iterator[Any]:
    for line in ("play 4 2C 1 4C", "go"):
        yield [said.partition("milliseconds")[0] for said in made.hear(line)]


def outside() -> Outside:
    made = Outside(example())
    made.choose(VIEW, Clock())
    return made


def draws(source: Any) -> Iterator[Any]:
    yield [source.below(52) for _ in range(20)]


def ends(made: Driver) -> Iterator[Any]:
    yield made.log
    yield made.run(), made.log


def everything(seen: View) -> Iterator[Any]:
    yield seen.seat, seen.state, seen.hand, seen.legal, seen.unseen, seen.got()
    yield Casual().choose(seen, Clock())


def contest() -> Contest:
    sides = (Contestant.of("casual"), Contestant.of("random"))
    made = Contest([Duel(RULES, sides, 1, 1, engine=EngineKind.KERNEL)])
    made.play(processes=1)
    return made


MADE: Final[dict[type[Any], Callable[[], Any]]] = {
    SplitMix64: lambda: SplitMix64(1),
    Stream: lambda: Stream(bytes(32), "deal 1", {1: b"x"}),
    House: lambda: House.from_seed(1),
    PlainChance: lambda: driver()._chance,
    ProvedChance: lambda: ProvedChance(House.from_seed(1)),
    Prepared: lambda: Prepared(0, [CARDS[13 * seat : 13 * seat + 13] for seat in range(4)]),
    Driver: driver,
    View: lambda: VIEW,
    Batch: batch,
    Beginner: lambda: Beginner(7),
    Drifter: lambda: Drifter(7),
    Casual: Casual,
    Puppet: lambda: Puppet(CARDS),
    BotOwner: lambda: cast("BotOwner", driver()._owners[0]),
    EngineSession: session,
    Outside: outside,
    HeartsEnv: lambda: hearts(HeartsEnv(RULES)),
    SeatEnv: seat_env,
    VectorEnv: vector_env,
    Contest: contest,
    SheetShelf: lambda: SheetShelf(Path("/nowhere")),
    Match: match,
    Words: lambda: Words("fr"),
}
"""Makers of an object in mid-deal, by its public class."""

GOES_ON: Final[dict[type[Any], Callable[[Any], Iterator[Any]]]] = {
    SplitMix64: draws,
    Stream: draws,
    House: lambda house: iter([house.order(2, {}, 52)]),
    EngineSession: session_said,
    Driver: ends,
    View: everything,
    Batch: batch_played,
    Casual: lambda bot: iter([bot.choose(VIEW, Clock())]),
    HeartsEnv: played,
    SeatEnv: seat_played,
    VectorEnv: vector_played,
    Match: match_played,
}
"""Results of an object from there on, for classes that people copy while they play."""


# Data


def now() -> bool:
    """A clock that has been stopped."""
    return True


DUEL: Final = Duel(RULES, (Contestant.of("casual"), Contestant.of("random")), 1, 1)
VALUES: Final[dict[Any, Any]] = (
    {
        type(each): each
        for each in (
            *(1, 1.5, "a", b"a", True, None, Card("QS"), CardSet("S: AQ2"), RULES, VIEW, Policy(0)),
            *(OPTIONS["players"], ShelvedSheet(Path("a"), None, None, 1.5), DUEL, DUEL.sides[0]),
            *(Request(RULES, ("casual",) * 4, 1, deals=1), StoppableClock(stopped=now)),
        )
    }
    | {Any: 1, object: 1, Path: Path("a"), Bot: Casual(), Chance: PlainChance(1)}
    | {Score: score(RULES, (RULES.deck_mask, 0, 0, 0), (13, 0, 0, 0))}
    | {Sheet: fold([Open(RULES, ("A", "B", "C", "D"))])}
    | {House: House.from_seed(1), DealState: VIEW.deal, MatchState: VIEW.state}
)


def value(hint: Any) -> Any:
    """A value of a type, given as a type hint."""
    kind = get_origin(hint) or hint
    if kind is Annotated:
        return value(get_args(hint)[0])
    if kind in VALUES:
        return VALUES[kind]
    if kind in (Union, UnionType):
        return value(get_args(hint)[0])
    if inspect.isclass(kind) and issubclass(kind, tuple | dict | list | set | frozenset):
        return kind() if not hasattr(kind, "_fields") else built(kind)
    if inspect.isclass(kind) and issubclass(kind, np.ndarray):
        return np.arange(3)
    if kind is Mapping:
        return {}
    if kind is Callable or inspect.getmodule(kind) is inspect.getmodule(Callable):
        return now
    assert inspect.isclass(kind), hint
    return built(kind)


def built(kind: type[Any]) -> Any:
    """An object of a class of data, its required fields filled by `value`."""
    if issubclass(kind, Enum):
        return next(iter(kind))
    if issubclass(kind, VolteError):
        return kind("no_such_card", text="x")
    if issubclass(kind, Exception):
        return kind("x")
    if kind in VALUES:
        return VALUES[kind]
    hints = get_type_hints(kind)
    names = getattr(kind, "__struct_fields__", None) or getattr(kind, "_fields", None)
    names = names or getattr(kind, "__match_args__", None)
    assert names is not None, f"say in MADE or VALUES how a {kind.__name__} is made"
    required = [
        name
        for name, each in inspect.signature(kind).parameters.items()
        if each.default is each.empty
    ]
    return kind(**{name: value(hints[name]) for name in names if name in required})
