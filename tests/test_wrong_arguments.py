"""Nonsense as an argument of anything public gives a value, or a sentence with what is wanted."""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache, partial
from importlib import import_module
from itertools import islice
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from kit.front import PROMISED
from kit.making import MADE, VIEW, value
from kit.strategies import few

import volte
from volte import bots, cards, game, kernel
from volte.cards import VolteError
from volte.cards.public import hints_of
from volte.lab import arena, env

BUSY: Final = {
    *("Outside", "serve", "warm_up"),  # start programs and threads
    *("Contest", "play_deck", "play_duel", "play_piece", "simulate"),  # play for long
    *("SheetFile", "RecordWriter"),  # hold an open file
}
"""Names that are not called here."""

NONSENSE: Final = st.one_of(
    st.none(),
    st.sampled_from([-1, 2**70, -(2**200)]),
    st.floats(),
    st.text(max_size=4),
    st.binary(max_size=4),
    st.lists(st.text(max_size=2), max_size=2),
    st.builds(object),
    st.just({}),
    st.just(VIEW),
)


@cache
def callables(package: str) -> tuple[tuple[str, Callable[..., Any], Callable[..., Any]], ...]:
    """The callables of a package: name, callable, and the function with its signature."""
    every: list[tuple[str, Callable[..., Any], Callable[..., Any]]] = []
    for name in import_module(package).__all__:
        found = getattr(import_module(package), name)
        if name in BUSY or not callable(found):
            continue
        if inspect.isfunction(found):
            every.append((name, found, found))
        elif inspect.isclass(found) and not issubclass(found, BaseException | Enum):
            every += methods(name, found)
    return tuple(every)


def methods(name: str, kind: type[Any]) -> Iterator[tuple[str, Callable[..., Any], Any]]:
    made = getattr(kind, "__init__", None)
    if inspect.isfunction(made) and not getattr(kind, "_is_protocol", False):
        yield name, kind, made
    for method, raw in inspect.getmembers_static(kind):
        function = getattr(raw, "__func__", raw)
        if method[0] == "_" or not inspect.isfunction(function):
            continue
        if function.__module__.startswith("volte.") and len(hints_of(function)[0].parameters) > 1:
            owner = kind if function is not raw else MADE[kind]() if kind in MADE else None
            if owner is not None:
                yield f"{name}.{method}", getattr(owner, method), function


def calls(
    called: Callable[..., Any], function: Callable[..., Any], nonsense: object
) -> Iterator[Callable[[], Any]]:
    """Calls with the nonsense as each argument in turn, and proper values for all others."""
    signature, hints = hints_of(inspect.unwrap(function))
    parameters = [
        each for each in signature.parameters.values() if each.name not in ("self", "cls")
    ]
    for wrong in parameters:
        args: list[Any] = []
        named: dict[str, Any] = {}
        for each in parameters:
            argument = nonsense if each is wrong else value(hints[each.name])
            if each.kind is not each.KEYWORD_ONLY and each.kind is not each.VAR_KEYWORD:
                args.append(argument)
            elif each is wrong or each.default is each.empty:
                named[each.name] = argument
        yield partial(called, *args, **named)


def is_sentence(text: str) -> bool:
    """Whether a text begins and ends as a sentence does, and shows no code except the argument."""
    said = re.sub("“[^”]*”", "“…”", text)
    return text[-1] in ".?)" and not re.search(r"\(\w+=|\b[a-z]+_[a-z_]+\(", said)


@pytest.mark.parametrize("package", PROMISED)
@settings(max_examples=few(1, 60), derandomize=few(True, False))
@given(NONSENSE)
@example(None)
@example("QS")
@example(-1)
@example(0.5)
def test_nonsense_is_answered_in_a_sentence(package: str, nonsense: object) -> None:
    for name, called, function in callables(package):
        for call in calls(called, function, nonsense):
            for text in answers(call, f"{package}.{name}({nonsense!r})"):
                assert is_sentence(text), (name, text)


def answers(call: Callable[[], Any], what: str) -> tuple[str, ...]:
    """The sentences of a `VolteError` in both languages; empty where a value comes back."""
    try:
        made = call()
        repr(list(islice(made, 3)) if inspect.isgenerator(made) else made)
    except VolteError as error:
        return str(error), error.say("fr")
    except Exception as error:
        raise AssertionError(f"{what} raises {error!r}") from error
    return ()


@pytest.fixture(scope="module", autouse=True)
def _elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Run in a folder of its own, as some arguments are names of files."""
    with contextlib.chdir(tmp_path_factory.mktemp("nonsense")):
        yield


class Says:
    def __init__(self, answer: object) -> None:
        self._answer = answer

    def choose(self, view: volte.View, clock: volte.Clock) -> object:
        return self._answer


NAMES: Final = {
    name: found for room in (volte, cards, kernel, arena, env) for name, found in vars(room).items()
} | {"np": np, "Casual": bots.Casual, "game": game, "Says": Says}
PLAYERS: Final = ("casual",) * 3
PASSING: Final = volte.Match("dame-de-pique", seed=1)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("CardSet(-1)", "−1 is not a mask of cards: a mask goes from 0 to 2¹⁰⁸ − 1."),
        ("CardSet(2**200)", "16069"),
        ('CardSet(["QS"])', "“cards” has the wrong type: give Iterable of Card, not list of str."),
        ("Card(99)", "“text” has the wrong type: give str, not int."),
        ('Card("queen of spades")', "“queen of spades” is not a card: write rank and suit, "),
        ("Suit(9)", "“9” is not a value for Suit: it takes 0, 1, 2, 3."),
        ("volte.hint(PASSING)", "“view” has the wrong type: give View, not Match."),
        ("volte.hint(PASSING.view(None))", "Hints are for players, not spectators: "),
        ("PASSING.view(9)", "There is no seat 9: choose 0 to 3."),
        ('PASSING.pass_cards("3C", "3C", "4C")', "One card, the 3 of clubs, is named twice: "),
        ('EnvFault("env_reset_first")', "Nothing has been dealt: call reset() first."),
        ('encode(volte.ruleset("cancellation"))', "The kernel plays with "),
        ("SeatEnv(settings=[1])", "“settings” has the wrong type: give Mapping of str, Value or "),
        (
            'SeatEnv(illegal_reward="x")',
            "“illegal_reward” has the wrong type: give float, not str.",
        ),
        ('SeatEnv(match="no")', "“match” has the wrong type: give bool, not str."),
        ("SeatEnv(bots=len)", "“builtin function or method” is not a bot: "),
        ("HeartsEnv(reward=np.zeros(2))", "“reward” has the wrong type: give str, not ndarray."),
        ("Card.of(np.array([2, 3]), Suit(0))", "“rank” has the wrong type: give Rank or int, "),
        (
            "VectorEnv(bots=Casual())",
            "“Casual” is not a bot for VectorEnv: give random or casual, a ",
        ),
        (
            "volte.Match(players=[1, 2, 3])",
            "“players” has the wrong type: give int or Sequence of ",
        ),
        ("volte.View.of(0, range(3))", "“events” has the wrong type: give Iterable of Event, not "),
        ("PASSING.view(np.array([1, 2]))", "“seat” has the wrong type: give int or None, not "),
        ("print(PASSING.view(1.0))", "“seat” has the wrong type: give int"),
        ("PASSING.do(volte.Play)", "“class Play” is not an action: "),
        ("volte.play(Casual, *PLAYERS)", "“bots” has the wrong type: give str or Bot or Callable"),
        ("volte.play(None, *PLAYERS)", "“bots” has the wrong type: give str or Bot or Callable"),
        ("volte.play(Says(5), *PLAYERS)", "“5” is not an action: "),
        (
            "volte.play(lambda view: [1, 2, 3], *PLAYERS)",
            "The bot in seat 0 answered [1, 2, 3]",
        ),
        ("VolteError('My bot is tired.')", "My bot is tired."),
        ('volte.read("")', "Line 1: the file is empty."),
        ("simulate(3)", "“request” has the wrong type: give Request, not int."),
        ("volte.Clock(-1)", "milliseconds must be a whole number, 0 or more, not “−1”."),
        ("volte.Clock(simulations=-5)", "simulations must be a whole number, 0 or more, not “−5”."),
        ('volte.Clock("x")', "“Clock.milliseconds” has the wrong type: give int or None, not str."),
        ("game.Player(3)", "“Player.name” has the wrong type: give str, not int."),
        ('VolteError("My bot is tired.").say(None)', "“lang” has the wrong type: give str, not "),
        ("play_duel(3)", "“duel” has the wrong type: give Duel, not int."),
    ],
)
def test_what_is_typed_wrong_is_told(typed: str, sentence: str) -> None:
    try:
        error = eval(typed, globals() | NAMES)
    except VolteError as raised:
        error = raised
    assert str(error).startswith(sentence)
