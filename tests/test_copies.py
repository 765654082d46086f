"""Copies and pickles of everything public go on as what they were made of would have."""

from __future__ import annotations

import asyncio
import copy
import inspect
import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import partial
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import Any, Final, Union, cast, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from kit.engines import example

from volte import Match
from volte.bots import (
    LEVELS,
    MARKS,
    Beginner,
    Bot,
    BotOwner,
    Casual,
    Clock,
    Drifter,
    Puppet,
    StoppableClock,
    make_bot,
)
from volte.cards import CARDS, Card, CardSet, CopiedWhole, NeverCopied, Unchanging, VolteError
from volte.engine import EngineSession, EngineSettings, Outside
from volte.fair import House, SplitMix64, Stream
from volte.game import Driver, MatchStarted, PlainChance, Player, Prepared, ProvedChance
from volte.kernel import Batch, Policy
from volte.lab.arena import Contest, Contestant, Duel, EngineKind, Request
from volte.lab.env import HeartsEnv, SeatEnv, VectorEnv, hearts_v0
from volte.notation import Recorder
from volte.rules import OPTIONS, make_ruleset
from volte.say import Words
from volte.scorekeeper.model import Open, SheetFile, SheetShelf, ShelvedSheet
from volte.store import Store
from volte.view import View

ROOMS: Final = (
    *("cards", "fair", "rules", "game", "referee", "view", "kernel", "bots", "engine"),
    *("lab.env", "lab.arena", "lab.bench", "lessons.puzzles", "scorekeeper.model"),
    *("store", "table", "say"),
)
PUBLIC: Final = {
    f"{room}.{name}": cast("type[Any]", found)
    for room in ("volte", *(f"volte.{room}" for room in ROOMS))
    for name in import_module(room).__all__
    if inspect.isclass(found := getattr(import_module(room), name))
}

WAYS: Final[dict[str, Callable[[Any], Any]]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda each: pickle.loads(pickle.dumps(each)),
}

RULES: Final = make_ruleset("dame-de-pique")
SHORT: Final = make_ruleset("dame-de-pique", {"match_end": "deals:1"})
PLAYERS: Final = tuple(Player(f"Seat {seat}") for seat in range(4))


# Objects that do something, in mid-deal, and what they do next


def driver(chance: Any = None, bot: Bot | None = None) -> Driver:
    """A match some plays on."""
    bots: list[Bot] = [bot or Beginner(1), Casual(), Drifter(2), Casual()]
    owners = [BotOwner(each, seat, Clock(simulations=1)) for seat, each in enumerate(bots)]
    made = Driver([MatchStarted(SHORT, PLAYERS)], owners, chance or PlainChance(3))
    for _ in range(30):
        made.step()
    return made


def view() -> View:
    """What a seat sees in mid-deal, on its turn."""
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
    """An episode of `HeartsEnv` to its end, and the first plays of the next."""
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
        yield [each.tolist() for each in seen.values()], reward.tolist(), over.tolist()


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
        yield made.outcomes.tobytes(), [each.tolist() for each in seen]


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
    for line in ("go", "play 4 2C 1 4C", "go", "play 2 QS"):
        yield [re.sub("milliseconds.*", "", said) for said in made.hear(line)]


def outside() -> Outside:
    made = Outside(example())
    made.choose(VIEW, Clock())
    return made


def outside_chose(made: Outside) -> Iterator[Any]:
    with made:
        yield made.choose(VIEW, Clock()), made.forfeits, made.identity


def ends(made: Driver) -> Iterator[Any]:
    yield made.log
    yield made.run(), made.log


def everything(seen: View) -> Iterator[Any]:
    yield seen.seat, seen.state, seen.hand, seen.legal, seen.unseen, seen.got()
    yield Casual().choose(seen, Clock())


def choice(bot: Bot) -> Iterator[Any]:
    yield bot.choose(VIEW, Clock(simulations=50))


def owned() -> BotOwner:
    return cast("BotOwner", driver()._owners[0])


def contest() -> Contest:
    sides = (Contestant.of("casual"), Contestant.of("random"))
    made = Contest([Duel(RULES, sides, 1, 1, engine=EngineKind.KERNEL)])
    made.play(processes=1)
    return made


def draws(source: Any) -> Iterator[Any]:
    yield [source.below(52) for _ in range(20)]


def drawn(source: Any) -> Any:
    list(draws(source))
    return source


MOMENTS: Final[dict[type[Any], tuple[Callable[[], Any], Callable[[Any], Iterator[Any]]]]] = {
    SplitMix64: (lambda: drawn(SplitMix64(1)), draws),
    Stream: (lambda: drawn(Stream(bytes(32), "deal 1", {1: b"x"})), draws),
    House: (lambda: House.from_seed(1), lambda house: iter([house.order(2, {}, 52)])),
    PlainChance: (lambda: driver()._chance, lambda made: ends(driver(made))),
    ProvedChance: (lambda: ProvedChance(House.from_seed(1)), lambda made: ends(driver(made))),
    Prepared: (
        lambda: Prepared(0, [CARDS[13 * seat : 13 * seat + 13] for seat in range(4)]),
        lambda made: iter([made.act(state) for state in (BEGUN.state, DEALING.state)]),
    ),
    Driver: (driver, ends),
    View: (lambda: VIEW, everything),
    Batch: (batch, batch_played),
    Beginner: (lambda: Beginner(7), choice),
    Drifter: (lambda: Drifter(7), choice),
    Casual: (Casual, choice),
    Puppet: (lambda: Puppet(CARDS), choice),
    BotOwner: (owned, lambda owner: iter([owner.view.state, owner._bot.choose(VIEW, Clock())])),
    EngineSession: (session, session_said),
    Outside: (outside, outside_chose),
    HeartsEnv: (lambda: hearts(HeartsEnv(RULES)), played),
    SeatEnv: (seat_env, seat_played),
    VectorEnv: (vector_env, vector_played),
    Contest: (contest, lambda made: iter([made.results, made.play(processes=1)])),
    SheetShelf: (lambda: SheetShelf(Path("/nowhere")), lambda shelf: iter([shelf.folder])),
    Match: (match, match_played),
    Words: (lambda: Words("fr"), lambda words: iter([words.the_card(Card("QS")), words.lang])),
}
"""How each is made, and all that its public side shows from there on."""

OTHERS: Final[dict[str, tuple[Callable[[], Any], Callable[[Any], Iterator[Any]]]]] = {
    **{each: (partial(make_bot, each, 7), choice) for each in LEVELS | MARKS},
    "match": (lambda: hearts(HeartsEnv(SHORT, match=True)), played),
    "threads": (lambda: vector_env(threads=2), vector_played),
    "no copies": (lambda: vector_env(copy=False, reward="difference"), vector_played),
    "outside": (lambda: driver(bot=Outside(example())), ends),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("made", [*MOMENTS, *OTHERS], ids=str)
def test_it_goes_on_as_it_would_have(made: Any, way: str) -> None:
    """The copy goes on first, so that it would be seen if the two shared anything."""
    make, go_on = MOMENTS[made] if made in MOMENTS else OTHERS[made]
    one = make()
    other = WAYS[way](one)
    assert type(other) is type(one)
    shown = list(go_on(other))
    assert shown == list(go_on(one))
    assert shown == list(go_on(make()))


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])  # `copy` of a wrapper is PettingZoo's own
def test_wrapped_environments_go_on_as_well(way: str) -> None:
    one = hearts(hearts_v0.env(RULES))
    assert list(played(WAYS[way](one))) == list(played(one))


# Data


def now() -> bool:
    """A clock that has been stopped."""
    return True


DUEL: Final = Duel(RULES, (Contestant.of("casual"), Contestant.of("random")), 1, 1)
VALUES: Final[dict[Any, Any]] = {
    type(each): each
    for each in (
        *(1, 1.5, "a", b"a", True, None, Card("QS"), CardSet("S: AQ2"), RULES, VIEW, Policy(0)),
        *(OPTIONS["players"], ShelvedSheet(Path("a"), None, None, 1.5), DUEL, DUEL.sides[0]),
        *(Request(RULES, ("casual",) * 4, 1, deals=1), StoppableClock(stopped=now)),
    )
} | {Any: 1, object: 1, Path: Path("a")}


def value(hint: Any) -> Any:
    """Something of that type."""
    kind = get_origin(hint) or hint
    if kind in VALUES:
        return VALUES[kind]
    if kind in (Union, UnionType):
        return value(get_args(hint)[0])
    if inspect.isclass(kind) and issubclass(kind, tuple | dict | list | set | frozenset):
        return kind() if not hasattr(kind, "_fields") else built(kind)
    if inspect.isclass(kind) and issubclass(kind, np.ndarray):
        return np.arange(3)
    if kind is Callable or inspect.getmodule(kind) is inspect.getmodule(Callable):
        return now
    assert inspect.isclass(kind), hint
    return built(kind)


def built(kind: type[Any]) -> Any:
    """An object of a class of data, made of what its fields may hold."""
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
    assert names is not None, f"say in MOMENTS or VALUES how a {kind.__name__} is made"
    required = [
        name
        for name, each in inspect.signature(kind).parameters.items()
        if each.default is each.empty
    ]
    return kind(**{name: value(hints[name]) for name in names if name in required})


def comparable(made: Any) -> object:
    """What can be compared of it."""
    if isinstance(made, Exception):
        return made.args, made.__dict__
    return made


KINDS: Final = frozenset({CopiedWhole, NeverCopied, Unchanging})
HELD: Final = frozenset(each for each in PUBLIC.values() if issubclass(each, NeverCopied)) - KINDS
DATA: Final = {
    name: kind
    for name, kind in PUBLIC.items()
    if kind not in HELD | KINDS | MOMENTS.keys()
    and not inspect.isabstract(kind)
    and not getattr(kind, "_is_protocol", False)
}


@pytest.mark.parametrize("name", DATA)
def test_data_are_the_same_again(name: str) -> None:
    made = built(DATA[name])
    for way in WAYS.values():
        again = way(made)
        assert type(again) is type(made)
        np.testing.assert_equal(comparable(again), comparable(made))


# What refuses


@contextmanager
def held(kind: type[Any], folder: Path) -> Iterator[Any]:
    """One that is at work."""
    if kind is Recorder:
        yield Recorder(folder / "match.volte", driver().log)
    elif kind is SheetFile:
        with SheetFile.create(folder / "sheet", Open(RULES, ("A", "B", "C", "D"))) as file:
            yield file
    elif kind is Store:
        with asyncio.Runner() as runner:
            store = runner.run(Store.open(f"sqlite:///{folder}/store.db"))
            yield store
            runner.run(store.close())
    else:
        raise AssertionError(f"say how a {kind.__name__} is made")


@pytest.mark.parametrize("kind", sorted(HELD, key=str), ids=str)
def test_what_only_one_can_hold_refuses_in_one_sentence(kind: type[Any], tmp_path: Path) -> None:
    with held(kind, tmp_path) as one:
        for way in WAYS.values():
            with pytest.raises(VolteError) as caught:
                way(one)
            assert Words("en").fault(caught.value) == (
                f"{kind.__name__} cannot be copied: make another one where it is needed."
            )


# Secrecy


def test_a_view_is_pickled_as_what_its_seat_knows_and_nothing_else() -> None:
    """The hidden cards lie elsewhere each time; the bytes are the same."""
    own, hidden = list(CARDS[:13]), list(CARDS[13:52])
    pickles = set()
    for turned in range(3):
        others = hidden[turned:] + hidden[:turned]
        hands = [own, others[:13], others[13:26], others[26:]]
        owners = [BotOwner(Puppet(hand), seat) for seat, hand in enumerate(hands)]
        made = Driver([MatchStarted(SHORT, PLAYERS)], owners, Prepared(0, hands))
        while owners[0].view is None or not owners[0].view.my_turn:
            made.step()
        seen = owners[0].view
        assert made.state.deal is not None
        assert not seen.unseen & seen.hand.mask
        assert {made.state.deal.hands[seat] for seat in range(4)} != set(seen.deal.hands)
        pickles.add(pickle.dumps(seen))
    assert len(pickles) == 1


def test_nothing_unpickles_what_a_stranger_sent() -> None:
    """Bots' questions come through a pipe from the process that began them."""
    source = Path(import_module("volte").__file__ or "").parent
    opens = re.compile(r"pickle\.loads?\b|Unpickler|marshal\.load|shelve|allow_pickle=True")
    found = {
        str(path.relative_to(source).as_posix())
        for path in source.rglob("*.py")
        if opens.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"bots/apart.py"}
