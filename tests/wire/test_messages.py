"""The messages: written ones are read back alike, and hostile ones do no harm."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.sentences import FRENCH

from volte import game, referee
from volte.cards import CARDS, Card, VolteError
from volte.conversation.ending import CLOSINGS
from volte.referee.codec import decode_event, encode
from volte.rules import PRESETS, Irregularities, Ruleset, make_ruleset, options_of, ruleset_of
from volte.say.faults import SERVING
from volte.table import Happening, Setup
from volte.table.commands import (
    Act,
    Change,
    Command,
    Contribute,
    Onward,
    Promise,
    Sit,
    TableCommand,
    Vanish,
)
from volte.wire import messages as wire
from volte.wire.schema import CARD, schema, schema_text

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "wire.md").read_text(encoding="utf-8")

ACTS: list[referee.SeatAction] = [
    referee.TakeBack(0),
    referee.Object(0, 3),
    referee.TurnDown(1),
    referee.ClaimRevoke(2, 1, 13),
    referee.Cut(3),
    referee.Accept(0),
]
"""Actions of a refereed table."""

RULINGS: list[Happening] = [
    referee.Objected(0, 1, ""),
    referee.TakenBack(
        1, "I2", (referee.Laid(1, Card("5C"), early=True), referee.Laid(2, Card("6C")))
    ),
    referee.RevokeClaimed(0, 1, 2, "T1"),
    referee.Reckoned((0, 25, 0, 0), offenders=(1,)),
    referee.DealCut(3),
    referee.Accepted(2),
]

WIDER: list[Happening] = [
    game.MoonShot(3),
    game.TrickHeld(),
    game.DealScored((-26, 0, 0, -5), moon=0, minus=True, trickless=(3,)),
    referee.Reckoned((0, 26, 26, 26), moon=0),
]
"""Happenings of the wider family."""

ASKINGS: list[wire.Asking] = [
    wire.Hello("1", 1),
    wire.Hello("1", 1, 17, False, "fr"),
    wire.Do("1", Sit(2), 0),
    wire.Do("1", Act(game.Pass(0, (Card("QS"), Card("RJ"), Card("2C'")))), 2**53 - 1),
    wire.Do("1", Promise(1, bytes(32)), 3),
    wire.Do("1", Contribute(1, b"\xff" * 16), 3),
    *(wire.Ask("é" * 40, what) for what in wire.Question),
    wire.Ask("1", wire.Question.TABLE, 10),
    wire.Do("1", Act(game.ChooseMoon(9, minus=True)), 7),
    wire.Prefer("1"),
    wire.Prefer("1", 0, 30_000, True, "en"),
    *(wire.Do("1", Act(action), 7) for action in ACTS),
    *(wire.Do("1", Change(Setup("T", make_ruleset(name))), 1) for name in PRESETS),
]
SAYINGS: list[wire.Saying] = [
    wire.Answer("1", False, 3, game.Refusal("breach", "T1", (Card("QS"),), {"led": "S"}), ("No.",)),
    wire.Happened(3, game.Played(0, Card("QS")), {"brief": ("You: Q",), "normal": (), "full": ()}),
    *(wire.Happened(number, ruling) for number, ruling in enumerate(RULINGS)),
    wire.Scene(
        3,
        "playing",
        "It is your turn.",
        0,
        (wire.SceneSeat("Zoé", "", "here", 13, 0, 0, False, True),),
        (wire.SceneCard(Card("QS"), "queen of spades", "Q♠", True),),
    ),
    wire.Scene(
        3,
        "choosing",
        "Zoé has shot the moon.",
        0,
        (),
        wider=wire.Wider(
            scatter=(1, 2, 0),
            held=(wire.LaidCard(1, Card("QS'"), "queen of spades", "Q♠", cancelled=True),),
            held_points=13,
            last_held=True,
            sides=((0, 2), (1, 3)),
            moon=("Off.", "On."),
            shooter=0,
        ),
    ),
    *(wire.Happened(number, each) for number, each in enumerate(WIDER)),
    wire.Notice("not_saved", "Nothing can be kept."),
]


@pytest.mark.parametrize("asking", ASKINGS, ids=repr)
def test_what_a_client_says_is_read_as_it_was_said(asking: wire.Asking) -> None:
    assert wire.decode_asking(encode(asking)) == asking
    assert wire.decode_asking(encode(asking).decode()) == asking


@pytest.mark.parametrize("saying", SAYINGS, ids=repr)
def test_what_the_server_says_is_read_as_it_was_said(saying: wire.Saying) -> None:
    assert wire.decode_saying(encode(saying)) == saying


OLD = (
    '{"say":"happened","number":6,"happening":{"event":"MatchStarted","rules":{"deck":{"players":3,'
    '"removed":["2D"],"jokers":0,"kitty":"none"},"passing":{"count":3,"cycle":["left","right","hold'
    '"]},"play":{"opening":"lowest_club","first_trick_points":"barred","hearts_lead":"once_broken",'
    '"queen_breaks_hearts":false,"hearts_from_trick":1,"queen_discard":"free"},"points":{"table":[['
    '"JD",-10],["QS",13],["2H",1],["3H",1],["4H",1],["5H",1],["6H",1],["7H",1],["8H",1],["9H",1],["'
    'TH",1],["JH",1],["QH",1],["KH",1],["AH",1]]},"moon":{"moon":"others_plus","slam":"reversal"},"'
    'ending":{"match_end":{"kind":"limit","number":100}},"stakes":{"settlement":"none"},"irregulari'
    'ties":"enforced"},"players":[{"name":"Zoé","person":true,"level":""},{"name":"Alice","person":'
    'false,"level":"casual"},{"name":"Bruno","person":false,"level":"casual"}],"pot":0},"told":null}'
)
"""A message from before the wider family existed: none of its options is named."""


def test_a_match_that_began_before_the_wider_family_is_read_as_what_it_was() -> None:
    message = wire.decode_saying(OLD)
    players = (game.Player("Zoé", person=True), game.Player("Alice", level="casual"))
    rules = make_ruleset("salon-valet", {"players": 3})
    started = game.MatchStarted(rules, (*players, game.Player("Bruno", level="casual")))
    assert message == wire.Happened(6, started)
    scored = b'{"event":"DealScored","points":[0,16,26],"moon":0,"slam":null}'
    assert decode_event(scored) == game.DealScored((0, 16, 26), moon=0)


def changed(rules: object, **more: object) -> Ruleset:
    """The rules of a table that a client changes so."""
    setup = {"name": "T", "rules": rules, **more}
    said = {"say": "do", "id": "1", "seen": 1, "command": {"do": "Change", "setup": setup}}
    asking = wire.decode_asking(json.dumps(said))
    assert isinstance(asking, wire.Do)
    assert isinstance(asking.command, Change)
    return asking.command.setup.rules


@pytest.mark.parametrize("name", PRESETS)
def test_rules_are_asked_for_by_the_name_of_a_preset_with_options_on_top(name: str) -> None:
    assert (changed({"preset": name}), name) == (make_ruleset(name), make_ruleset(name).preset)
    for players in PRESETS[name].players:
        rules = make_ruleset(name, {"players": players})
        assert changed({"preset": name, "players": players}) == rules
        assert changed({"preset": name, "deck": json.loads(encode(rules.deck))}) == rules
        options = options_of(rules) | {"queen_points": 21}
        assert changed({"preset": "coeurs", **options}) == ruleset_of(options)


def test_a_client_from_before_the_wider_family_asks_for_what_it_always_did() -> None:
    rules = json.loads(OLD)["happening"]["rules"]
    for label in ({}, {"preset": ""}, {"preset": "salon-valet"}):
        assert changed(rules | label) == make_ruleset("salon-valet", {"players": 3})
    assert changed({}) == Ruleset()
    assert changed({"deck": {"players": 4}, "irregularities": "refereed"}) == Ruleset(
        irregularities=Irregularities.REFEREED
    )


@pytest.mark.parametrize(
    ("rules", "field", "french"),
    [
        ({"players": 4}, "rules", "doit être le nom d’un jeu, par exemple {"),
        ("salon", "rules", "doit être le nom d’un jeu"),
        ({"preset": ["salon"]}, "rules", "doit être le nom d’un jeu"),
        ({"preset": "salon", "irregularities": {}}, "rules.irregularities", "enforced, refereed"),
        ({"preset": "salom"}, "rules.preset", "choisissez parmi coeurs, "),
        ({"preset": "salon", "queen": 13}, "rules.queen", "choisissez parmi players, "),
        (
            {"preset": "salon", "slam": True},
            "rules.slam",
            "«\u00a0true\u00a0» n’est pas une valeur",
        ),
        ({"preset": "salon", "slam": [None, {}]}, "rules.slam", "«\u00a0[null,{}]\u00a0»"),
        ({"preset": "salon", "slam": ["off"]}, "rules.slam", '«\u00a0["off"]\u00a0»'),
        (
            {"preset": "salon", "deck": {"player": 4}},
            "rules.deck.player",
            "choisissez parmi players",
        ),
        ({"deck": {"players": "4"}}, "rules.deck.players", "doit être un nombre entier"),
        (
            {"deck": {"removed": ["XX"]}},
            "rules.deck.removed[0]",
            "«\u00a0XX\u00a0» n’est pas une carte",
        ),
        ({"deck": {"removed": [None]}}, "rules.deck.removed[0]", "doit être une carte, comme"),
        ({"deck": {"removed": [["QS"]]}}, "rules.deck.removed[0]", "doit être une carte, comme"),
        ({"deck": {"players": 9}}, "rules", "Il faut de 3 à 7 joueurs, pas 9"),
        ({"points": {"table": [["QS", 13, 5]]}}, "rules.points.table[0]", "une liste de 2 valeurs"),
        ({"points": {"table": [["QS", "x"]]}}, "rules.points.table[0][1]", "un nombre entier"),
    ],
)
def test_rules_that_are_none_are_refused_in_a_sentence_that_says_where(
    rules: object, field: str, french: str
) -> None:
    with pytest.raises(msgspec.DecodeError) as refused:
        changed(rules)
    fault = refused.value.__cause__
    assert isinstance(fault, VolteError)
    assert fault.field == f"command.setup.{field}"
    told = FRENCH.fault(fault)
    assert french in told
    assert not re.search(r"\[['\]]|None|True", told)


def test_an_unknown_field_is_refused_in_a_setup_and_ignored_elsewhere() -> None:
    """A newer client may say more in its messages than this server knows."""
    with pytest.raises(msgspec.DecodeError, match=r"command\.setup\.acces$"):
        changed({"preset": "salon"}, acces="private")
    assert wire.decode_asking('{"say":"heard","id":"1","more":{}}') == wire.Heard("1")
    text = '{"say":"do","id":"1","seen":0,"command":{"do":"Sit","seat":2,"more":1}}'
    assert wire.decode_asking(text) == wire.Do("1", Sit(2), 0)


@given(st.text() | st.binary())
def test_anything_else_is_refused_as_one_kind_of_error(text: str | bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        wire.decode_asking(text)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"say":' * 5_000,
        b'{"say":"ask","id":"\xff","what":"hand"}',
        '{"say":"ask","id":"\\ud800","what":"hand"}',
        '{"say":"ask","id":"","what":"hand"}',
        '{"say":"do","id":"1","seen":-1,"command":{"do":"Start"}}',
        '{"say":"do","id":"1","seen":' + "9" * 5000 + ',"command":{"do":"Start"}}',
        '{"say":"do","id":"1","seen":1,"command":{"do":"Sit","seat":99}}',
        '{"say":"do","id":"1","seen":1,"command":{"do":"Act","action":{"action":"Reveal"}}}',
        '{"say":"do","id":"1","seen":1,"command":{"do":"Act","action":{"action":"MixTricks","seat":0}}}',
        '{"say":"do","id":"1","seen":1,"command":{"do":"Act","action":{"action":"Object","seat":0,'
        '"against":-1}}}',
        '{"say":"do","id":"1","seen":1,"command":{"do":"Act","action":{"action":"ClaimRevoke",'
        '"seat":0,"against":1,"trick":' + "9" * 5000 + "}}}",
        '{"say":"prefer","id":"1","bot_pace":10001}',
        '{"say":"ask","id":"1","what":"table","card":11}',
        '{"say":"do","id":"1","seen":1,"command":{"do":"Act","action":{"action":"ChooseMoon",'
        '"seat":0}}}',
        '{"say":"do","id":"1","seen":1,"command":{"do":"Act","action":{"action":"ChooseMoon",'
        '"seat":10,"minus":true}}}',
    ],
)
def test_what_is_out_of_bounds_is_refused(text: str | bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        wire.decode_asking(text)


def test_no_client_gives_the_commands_of_the_server() -> None:
    known = set(get_args(TableCommand))
    ours = known - set(get_args(Command))
    assert ours == {Vanish, Onward}
    for kind in ours:
        given = {"do": kind.__name__, "table": "x"}
        text = msgspec.json.encode({"say": "do", "id": "1", "seen": 0, "command": given})
        with pytest.raises(msgspec.DecodeError):
            wire.decode_asking(text)


# The published schema and docs


def test_the_schema_in_docs_is_that_of_the_program() -> None:
    """`scripts/docs` writes it anew."""
    assert (DOCS / "wire.schema.json").read_text(encoding="utf-8") == schema_text()


def test_the_schema_names_every_message_and_every_command() -> None:
    parts = schema()["$defs"]
    kinds = [*get_args(wire.Asking), *get_args(wire.Saying), *get_args(Command)]
    assert len(kinds) > 25
    for kind in kinds:
        assert parts[kind.__name__]["description"].endswith("."), kind
    assert "Claim" in parts


def test_every_reference_of_the_schema_leads_somewhere() -> None:
    parts = schema()["$defs"]
    names = re.findall(r'"#/\$defs/([^"]+)"', json.dumps(schema()))
    assert names
    assert set(names) <= set(parts)


def test_the_docs_name_every_act_and_every_ruling_of_a_refereed_table() -> None:
    for each in (*ACTS, *RULINGS, *WIDER, game.ChooseMoon(0, minus=True)):
        assert f"`{type(each).__name__}`" in PAGE


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_the_schema_knows_every_card(card: Card) -> None:
    assert re.fullmatch(str(CARD["pattern"]), card.text)


@pytest.mark.parametrize("closing", wire.Closing)
def test_every_code_stands_in_the_docs_with_its_reasons(closing: wire.Closing) -> None:
    (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| {int(closing)} "))
    reasons = {reason for reason, code in CLOSINGS.items() if code is closing}
    assert set(re.findall("`([a-z_]+)`", row)) & reasons
    assert reasons <= SERVING.keys()


def transcript() -> list[tuple[str, str]]:
    """Speaker and message of each line of the docs' session that is not shortened."""
    block = PAGE.partition("## A transcript")[2].partition("```")[2].partition("```")[0]
    lines = [line.partition(" ") for line in block.strip().splitlines()]
    return [(arrow, text) for arrow, _, text in lines if "…" not in text]


def test_the_transcript_in_the_docs_speaks_this_protocol() -> None:
    lines = transcript()
    assert len(lines) > 15
    for arrow, text in lines:
        if arrow == "←":
            assert encode(wire.decode_saying(text)).decode() == text
        elif text != "{":
            assert encode(wire.decode_asking(text)).decode() == text
