"""Copies and pickles of everything public go on as their originals would have."""

from __future__ import annotations

import asyncio
import copy
import inspect
import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pytest
from kit.making import GOES_ON, MADE, PLAYERS, RULES, SHORT, built, driver, hearts, played

from volte.bots import BotOwner, Puppet
from volte.cards import CARDS, CopiedWhole, NeverCopied, Unchanging, VolteError
from volte.game import Driver, MatchStarted, Prepared
from volte.lab.env import hearts_v0
from volte.notation import Recorder
from volte.say import Words
from volte.scorekeeper.model import Open, SheetFile
from volte.store.store import Store

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


@pytest.mark.parametrize("kind", MADE, ids=str)
def test_each_copy_goes_on_as_if_it_were_alone(kind: type[Any]) -> None:
    """A copy that shared anything would go on otherwise, once another has gone on."""
    go_on: Callable[[Any], Iterator[Any]] = GOES_ON.get(kind, lambda made: iter([type(made)]))
    made = MADE[kind]()
    first, *others = [list(go_on(each)) for each in (*(way(made) for way in WAYS.values()), made)]
    assert all(other == first for other in others)


def test_wrapped_environments_go_on_as_well() -> None:
    """`copy` of a wrapper is PettingZoo's own."""
    made = hearts(hearts_v0.env(RULES))
    copies = [WAYS[way](made) for way in ("deepcopy", "pickle")]
    first, *others = [list(played(each)) for each in (*copies, made)]
    assert all(other == first for other in others)


def comparable(made: Any) -> object:
    """The comparable content: of an exception its arguments and attributes, else the object."""
    if isinstance(made, Exception):
        return made.args, made.__dict__
    return made


KINDS: Final = frozenset({CopiedWhole, NeverCopied, Unchanging})
HELD: Final = frozenset(each for each in PUBLIC.values() if issubclass(each, NeverCopied)) - KINDS
DATA: Final = {
    name: kind
    for name, kind in PUBLIC.items()
    if kind not in HELD | KINDS | MADE.keys()
    and not inspect.isabstract(kind)
    and not getattr(kind, "_is_protocol", False)
}


@pytest.mark.parametrize("way", WAYS)
def test_data_are_the_same_again(way: str) -> None:
    for name, kind in DATA.items():
        made = built(kind)
        again = WAYS[way](made)
        assert type(again) is type(made), name
        np.testing.assert_equal(comparable(again), comparable(made), name)


# Objects that refuse to be copied


@contextmanager
def held(kind: type[Any], folder: Path) -> Iterator[Any]:
    """An object of a class that holds a file or a database, in use."""
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
                f"{kind.__name__} cannot be copied: make a new one instead."
            )


# Secrecy


def test_a_view_is_pickled_as_what_its_seat_knows_and_nothing_else() -> None:
    """With the hidden cards dealt otherwise, the bytes are the same."""
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
    """Only requests to bots are pickled: they come through a pipe from the parent process."""
    source = Path(import_module("volte").__file__ or "").parent
    opens = re.compile(r"pickle\.loads?\b|Unpickler|marshal\.load|shelve|allow_pickle=True")
    found = {
        str(path.relative_to(source).as_posix())
        for path in source.rglob("*.py")
        if opens.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"bots/apart.py"}
