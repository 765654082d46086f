"""What is heard at a table, what keys answer, and why something is refused: plays stories.txt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest
from kit.sentences import heard, plain, seen
from referee import refereeing
from rulesets import first_deal

from volte.cards import CARDS, Card, read_cards
from volte.game import AskUndo, ChooseMoon, Claim, MatchState, Pass, Play
from volte.referee import (
    Accept,
    Action,
    ClaimRevoke,
    Cut,
    DeclareMisdeal,
    Misdeal,
    MixTricks,
    Object,
    TakeBack,
    TurnDown,
)
from volte.rules import Value, read_setting
from volte.say import Verbosity, Words
from volte.say.answers import tricks
from volte.view import View

TEXT = Path(__file__).with_name("stories.txt").read_text(encoding="utf-8")
STORIES = [part.strip().splitlines() for part in re.split(r"^# ", TEXT, flags=re.MULTILINE)[1:]]
SEATS: Final = "NESWXYZABC"

KEYS: Final[dict[str, Callable[..., tuple[str, ...]]]] = {
    "table": Words.table,
    "card": Words.table_card,
    "scores": Words.scores,
    "turn": Words.turn,
    "situation": Words.situation,
    "seat": Words.seat,
    "hand": Words.hand,
    "last": Words.last_trick,
    "points": Words.points_taken,
    "sheet": Words.score_sheet,
    "tricks": tricks,
}
ACTS: Final[dict[str, Callable[..., Action]]] = {
    "undo": AskUndo,
    "claim": Claim,
    "object": Object,
    "revoke": ClaimRevoke,
    "back": TakeBack,
    "turn": TurnDown,
    "cut": Cut,
    "accept": Accept,
    "mix": MixTricks,
}


def table(line: str) -> MatchState:
    """`deal coeurs moon=off | C: A2 | C: 3`: the cards are dealt."""
    opening, *hands = line.split(" | ")
    kind, preset, *settings = opening.split()
    given: dict[str, Value] = dict(map(read_setting, settings))
    people = tuple(map(SEATS.index, str(given.pop("people", ""))))
    pot = int(str(given.pop("pot", 0)))
    kitty = hands.pop().removeprefix("kitty ") if hands[-1].startswith("kitty ") else ""
    if kind == "refereed":
        if "packs" in given:
            deck = {card for hand in hands for card in read_cards(hand)}
            left_out = (card for card in CARDS if card not in deck and card.joker is None)
            given["removed"] = [card.text for card in left_out]
        return refereeing.dealt(*hands, preset=preset, kitty=kitty, pot=pot, options=given)
    return first_deal(preset, hands, kitty, given, people, pot)


def actions(state: MatchState, text: str) -> Iterator[Action]:
    """`AS KS` is played by whoever holds it; `object N E` and the like are words with seats."""
    word, *rest = text.split()
    if rest[:1] == ["plays"]:
        yield Play(SEATS.index(word), Card(rest[1]))
    elif word == "pass":
        yield Pass(SEATS.index(rest[0]), read_cards(" ".join(rest[1:])))
    elif word == "moon":
        yield ChooseMoon(SEATS.index(rest[0]), minus=rest[1] == "minus")
    elif word == "misdeal":
        yield DeclareMisdeal(Misdeal(rest[0]))
    elif word in ACTS:
        yield ACTS[word](*(SEATS.index(each) if each in SEATS else int(each) for each in rest))
    else:
        yield from (Play(refereeing.holder(state, card), card) for card in read_cards(text))


def told(state: MatchState, question: str, seat: int | None, words: Words, how: Verbosity) -> str:
    """What somebody hears of an action, of why it is refused, or in answer to a key."""
    sign, text = question[0], question[2:]
    if sign == "=":
        key, *number = text.split()
        if key == "table" and number:
            key = "card"
        view: View = seen(state, seat)
        return "\n".join(KEYS[key](words, view, *map(int, number)))
    (action,) = actions(state, text)
    if sign == "?":
        return heard(state, action, seat, words, how)
    view_of = None if seat is None else seen(state, seat)
    return words.refusal(refereeing.refused(state, action), view_of)


@pytest.mark.parametrize("story", STORIES, ids=[story[0] for story in STORIES])
def test_what_is_heard(story: list[str]) -> None:
    state, question = table(story[1]), ""
    listened = re.compile(r"([NESWXYZ-])( fr)?( [a-z]+)?:( .*)?")
    for listener, lines in groupby(story[2:], key=lambda line: line.partition(":")[0]):
        if listener[:2] in ("> ", "? ", "x ", "= "):
            for line in lines:
                question = line
                if line[0] == ">":
                    for action in actions(state, line[2:]):
                        state = refereeing.take(state, action).after
            continue
        found = [listened.fullmatch(line) for line in lines]
        assert found[0] is not None
        seat = None if found[0][1] == "-" else SEATS.index(found[0][1])
        how = Verbosity((found[0][3] or " normal").strip())
        expected = "\n".join((each[4] or "").strip() for each in found if each is not None)
        pattern = ".*".join(map(re.escape, expected.split("…")))
        line = plain(told(state, question, seat, Words("fr" if found[0][2] else "en"), how))
        assert re.fullmatch(pattern, line, re.DOTALL), (question, listener, line)
