"""What nobody should ever send: hostile values, and good messages with one of them inside."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator, Sequence
from typing import Any, Final, get_args
from urllib.parse import urlsplit

import pytest
from hypothesis import strategies as st

from volte.cards import Card
from volte.game import AnswerUndo, AskUndo, Claim, Pass, Play, TakeBackPass
from volte.game.codec import encode
from volte.rules import make_ruleset
from volte.table import Access, Setup, Watching
from volte.table import commands as cmd
from volte.wire.messages import (
    PROTOCOL,
    Ask,
    Do,
    Heard,
    Hello,
    Mute,
    Prefer,
    Question,
    Report,
    Speak,
)

NUMBERS: Final = (
    *("-1", "0", "7", "10", "99", "2147483648", "9007199254740993", "18446744073709551616"),
    *("9" * 400, "9" * 4299, "-" + "9" * 4300, "9" * 6000),
    *("1e5", "1e400", "-0.0", "0.1", "NaN", "Infinity", "-Infinity", "0x10", "1_000", "01"),
)
STRINGS: Final = (
    *('""', '" "', '"x"', '"\\u0000"', '"\\u001b[2J"', '"a\\nb"', '"\\u202e"', '"\\ud800"'),
    *('"\\udc00\\ud800"', '"\u0000"', '"\t"', '"é\u0301\u0301"', '"' + "x" * 5000 + '"'),
    *('"<script>alert(1)</script>"', '"{0.__class__}"', '"%s%n"', '"\' OR 1=1 --"', '"../../x"'),
    *('"Start"', '"Act"', '"hello"', '"do"', '"casual"', '"QS"', '"AAAA"', '"="', '"\\"'),
)
SHAPES: Final = (
    *("null", "true", "false", "[]", "{}", "[null]", "[[[[]]]]", '{"":{}}', '{"do":"Start"}'),
    *("[" * 3000 + "]" * 3000, '{"a":' * 1500 + "0" + "}" * 1500, "[" * 9000),
    *('{"do":"Sit","do":"Start","seat":0,"seat":1}', "", "nul", "[1,]", '{"a":1,}', "//"),
    *("[" + ",".join(["0"] * 4000) + "]", '["QS"]', '["QS","QS","QS"]', '[{"card":"QS"}]'),
)
HOSTILE: Final = (*NUMBERS, *STRINGS, *SHAPES)
"""Texts that stand where a value of JSON should; many of them are no JSON."""

RULES: Final = make_ruleset("coeurs", {"match_end": "deals:1"})
SETUP: Final = Setup("Table", RULES, Access.PUBLIC, Watching.HIDDEN, 30, True)

COMMANDS: Final[tuple[cmd.Command, ...]] = (
    *(cmd.Sit(1), cmd.Stand(), cmd.Next(), cmd.Away(), cmd.Back(), cmd.MoreTime()),
    *(cmd.Promise(1, bytes(32)), cmd.Contribute(1, bytes(16)), cmd.AcceptClock(True)),
    *(cmd.Pause(), cmd.Unpause(), cmd.Start(), cmd.SeatBot(1, "casual"), cmd.Remove(1, True)),
    *(cmd.Replace(1), cmd.Swap(0, 1), cmd.HandOver(1), cmd.Change(SETUP), cmd.Close()),
    *(cmd.Act(Play(0, Card("QS"))), cmd.Act(Pass(0, tuple(map(Card, ("QS", "2C", "3C")))))),
    *(cmd.Act(TakeBackPass(0)), cmd.Act(Claim(0)), cmd.Act(AskUndo(0))),
    *(cmd.Act(AnswerUndo(0, True)), cmd.Invite(), cmd.AnswerSeat(1, "x", True)),
)
"""One of each kind."""

MESSAGES: Final = (
    *(Do("x", command, 0) for command in COMMANDS),
    *(Ask("x", question, 1) for question in Question),
    Prefer("x", 0, 0, True, "en"),
    Heard("x"),
    Hello("x", PROTOCOL, 0, True, "en", 0),
    *(Speak("x", "table", "hello"), Speak("x", "watchers", "", "Hello"), Mute("x", "y")),
    Report("x", "y", "insult", (1,), "Look"),
)

HOLE: Final = "hole 2b1e"


def with_hole(message: Any) -> list[str]:
    """A message as JSON, once for each of its fields, which is left open."""
    return [json.dumps(each) for each in _holes(json.loads(encode(message)))]


def _holes(value: Any) -> Iterator[Any]:
    yield HOLE
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: filled} for filled in _holes(inner))
        yield {**value, "more": HOLE}
        yield {HOLE: value}
    elif isinstance(value, list):
        for place, inner in enumerate(value[:2]):
            yield from ([*value[:place], x, *value[place + 1 :]] for x in _holes(inner))


def filled(text: str, value: str) -> str:
    return text.replace(json.dumps(HOLE), value)


TEMPLATES: Final = tuple(text for message in MESSAGES for text in with_hole(message))
JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.text(), part),
    max_leaves=6,
).map(json.dumps)
MUTATED: Final = st.builds(filled, st.sampled_from(TEMPLATES), st.sampled_from(HOSTILE) | JSON)
"""A good message with something else in one of its fields."""


def garbled(text: str, places: Sequence[int]) -> str:
    """The text with some of its signs left out, doubled, or changed."""
    signs = list(text)
    for place in places:
        at = place % max(len(signs), 1)
        signs[at : at + 1] = ([], signs[at : at + 1] * 2, ['"'], ["{"], ["\x00"], ["é"])[place % 6]
    return "".join(signs)


GARBLED: Final = st.builds(
    garbled,
    st.sampled_from([encode(message).decode() for message in MESSAGES]),
    st.lists(st.integers(0, 10**6), min_size=1, max_size=5),
)


def every_kind() -> bool:
    """Whether there is a command here for each kind there is."""
    return set(get_args(cmd.Command)) == {type(command) for command in COMMANDS}


async def raw(address: str, *parts: bytes, patience: float = 30) -> bytes:
    """What the server answers to those bytes before it hangs up; empty where it says nothing."""
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        return await asyncio.wait_for(reader.read(), patience)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def failures(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the server has logged as its own fault."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
