"""Actions and events travel as JSON, and come back as they were."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import TABLES, any_rulesets, recounted, seeds, short, wider_rulesets
from kit.deals import Step, match, start
from kit.promising import PromisingChance

from volte import game
from volte.cards import ALL_CARDS, JOKERS, Card, CardSet
from volte.fair import House
from volte.game.codec import decoded, encode, read_card
from volte.referee.codec import decode_action, decode_event
from volte.rules import Ruleset, Value, make_ruleset

ANY_ACTION: Final[msgspec.json.Decoder[game.Action]] = msgspec.json.Decoder(
    game.Action, dec_hook=read_card
)


def whole_match(rules: Ruleset, seed: int) -> list[Step]:
    chance = PromisingChance(House.from_seed(seed))
    return list(match(rules, seed, people=(0, 1), chance=chance, restless=True))


def check_events(events: Iterable[game.Event]) -> set[type]:
    """Check that every event is read back, and return their kinds."""
    kinds = set()
    for event in events:
        for seen in (event, game.visible(event, 0), game.visible(event, None)):
            read = decode_event(encode(seen))
            assert read == seen
            assert type(read) is type(seen)
        kinds.add(type(event))
    return kinds


def check_actions(actions: Iterable[game.Action]) -> set[type]:
    kinds = set()
    for action in actions:
        assert decoded(ANY_ACTION, encode(action)) == action
        if isinstance(action, game.SeatAction):
            assert decode_action(encode(action)) == action
        else:
            with pytest.raises(msgspec.ValidationError):
                decode_action(encode(action))
        kinds.add(type(action))
    return kinds


@given(any_rulesets() | recounted(wider_rulesets()), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_a_match_by_any_ruleset_is_read_back(rules: Ruleset, seed: int) -> None:
    steps = whole_match(rules, seed)
    check_events([start(rules, pot=seed), *(event for step in steps for event in step.events)])
    check_actions(step.action for step in steps)


def test_every_kind_of_event_and_action_is_read_back() -> None:
    seen: set[type] = set()
    for seed, rules in enumerate([*small_tables(), *(short(*table) for table in TABLES[::3])]):
        steps = whole_match(rules, seed)
        seen |= check_events([start(rules), *(event for step in steps for event in step.events)])
        seen |= check_actions(step.action for step in steps)
    every = set(game.Event.__args__) | set(game.SeatAction.__args__)
    assert sorted(kind.__name__ for kind in every - seen) == []


def small_tables() -> list[Ruleset]:
    """Return rulesets in which moons are often shot, and tricks often cancelled."""
    left = CardSet("C: 23 C': 23 H: 2345 H': 2345")
    out = [str(card) for card in CardSet(ALL_CARDS & ~JOKERS) - left]
    one_pack = [card for card in out if "'" not in card]
    options: dict[str, Value] = {"moon": "shooter_chooses", "pass_count": 1, "match_end": "deals:9"}
    return [
        make_ruleset("coeurs", {**options, "players": 3, "removed": one_pack}),
        make_ruleset("cancellation", {**options, "players": 6, "removed": out}),
    ]


def test_an_event_says_its_kind_and_names_its_cards() -> None:
    assert encode(game.Played(2, Card("TD"))) == b'{"event":"Played","seat":2,"card":"TD"}'
    assert encode(game.Play(2, Card("RJ"))) == b'{"action":"Play","seat":2,"card":"RJ"}'
    assert encode(game.Revealed(1, b"\0\1\2")) == b'{"event":"Revealed","number":1,"secret":"AAEC"}'


def test_a_name_in_any_script_is_read_back() -> None:
    rules = make_ruleset("coeurs")
    for name in ("", "Zoé", 'a "quoted" \\ name', "<b>", "ノア", "🂭", "\0\x1b[31m\u2028"):
        begun = start(rules)
        player = msgspec.structs.replace(begun.players[0], name=name, level=name)
        begun = msgspec.structs.replace(begun, players=(player, *begun.players[1:]))
        assert decode_event(encode(begun)) == begun


def test_what_has_no_text_is_never_stored() -> None:
    with pytest.raises(NotImplementedError, match="object is never stored"):
        encode(game.Played(2, object()))  # type: ignore[arg-type]


# Texts that are no events


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"1",
        b'"Played"',
        b"\xff\xfe",
        b"{}",
        b'{"event":"Nothing"}',
        b'{"event":1}',
        b'{"event":"Played"}',
        b'{"event":"Play","seat":0,"card":"2C"}',
        b'{"event":"Played","seat":0,"card":"1C"}',
        b'{"event":"Played","seat":0,"card":["2C"]}',
        b'{"event":"Played","seat":0,"card":null}',
        b'{"event":"Played","seat":0.5,"card":"2C"}',
        b'{"event":"Played","seat":"0","card":"2C"}',
        b'{"event":"Played","seat":true,"card":"2C"}',
        b'{"event":"Played","seat":' + b"9" * 10_000 + b',"card":"2C"}',
        b'{"event":"Played","seat":0,"card":"\xff"}',
        b'{"event":"Played","seat":0,"card":"\\ud800"}',
        b'{"event":"Played","seat":0,"card":"2C"} {}',
        b'{"event":"Played","seat":0,"card":"2C","more":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"event":"Contributed","seat":0,"data":"no base64!"}',
        b'{"event":"Contributed","seat":0,"data":[1,2]}',
        b'{"event":"MatchStarted","rules":{"deck":{"players":99}},"players":[]}',
        b'{"event":"MatchStarted","rules":{"deck":{"removed":["2C","2C"]}},"players":[]}',
        b'{"event":"MatchStarted","rules":{"passing":{"cycle":["up"]}},"players":[]}',
        b'{"event":"MatchStarted","rules":null,"players":[]}',
    ],
)
def test_what_is_no_event_is_told(data: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_event(data)
    with pytest.raises(msgspec.ValidationError):
        decode_action(data.replace(b'"event":"Played"', b'"action":"Play"'))


@pytest.mark.parametrize("seat", [-1, 10, 2**64, 10**400])
def test_an_action_of_no_seat_is_none(seat: int) -> None:
    for kind in (b"Play", b"Claim", b"TakeBackPass", b"AskUndo"):
        data = b'{"action":"%b","seat":%d,"card":"2C"}' % (kind, seat)
        with pytest.raises(msgspec.ValidationError):
            decode_action(data)


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_told(data: bytes) -> None:
    for decode in (decode_event, decode_action):
        with pytest.raises(msgspec.ValidationError):
            decode(data)


# JSON that looks like events


def samples() -> list[Any]:
    """One event and one seat's action of every kind, as plain data."""
    rules = make_ruleset("salon-six-jokers", {"match_end": "deals:2"})
    steps = whole_match(rules, 3)
    actions: list[game.Action] = [step.action for step in steps]
    actions += [
        game.Pass(0, (Card("2C"),)),
        game.TakeBackPass(1),
        game.Claim(2),
        game.AskUndo(0),
        game.AnswerUndo(1, True),
    ]
    everything = [start(rules), *(event for step in steps for event in step.events), *actions]
    kinds = {type(each): json.loads(encode(each)) for each in everything}
    return list(kinds.values())


SAMPLES: Final = samples()
WORDS: Final = [
    *(sample.get("event", sample.get("action")) for sample in SAMPLES),
    *("event", "action", "seat", "card", "cards", "data", "2C", "QS", "RJ", "1C", "AAAA", "left"),
]
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(WORDS)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
data_of_any_kind = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(data_of_any_kind)
def test_any_data_is_told_or_read(data: Any) -> None:
    check_refused_or_read(data)


@given(st.sampled_from(SAMPLES), st.data())
@settings(max_examples=settings().max_examples * 2)
def test_data_that_is_changed_somewhere_is_told_or_read(sample: Any, data: st.DataObject) -> None:
    changed = json.loads(json.dumps(sample))
    for _ in range(data.draw(st.integers(1, 2))):
        changed = changed_somewhere(changed, data)
    check_refused_or_read(changed)


def changed_somewhere(node: Any, data: st.DataObject) -> Any:
    """The data with one part of it replaced, left out or doubled."""
    deeper = isinstance(node, dict | list) and node and data.draw(st.integers(0, 4))
    if not deeper:
        return data.draw(data_of_any_kind)
    place = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
    match data.draw(st.sampled_from(["change", "change", "drop", "double"])):
        case "drop":
            del node[place]
        case "double" if isinstance(node, list):
            node.append(node[place])
        case _:
            node[place] = changed_somewhere(node[place], data)
    return node


def check_refused_or_read(data: Any) -> None:
    """Check that reading raises only `ValidationError`, or returns a real action or event."""
    written = json.dumps(data).encode()
    try:
        action = decode_action(written)
    except msgspec.ValidationError:
        pass
    else:
        assert isinstance(action, game.SeatAction)
        assert 0 <= action.seat < 10
        assert decode_action(encode(action)) == action
    try:
        event = decode_event(written)
    except msgspec.ValidationError:
        pass
    else:
        assert isinstance(event, game.Event)
