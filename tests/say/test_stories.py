"""Sentences heard at a table, answers to keys, and refusals, as stories.txt has them."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest
from kit import refereed as refereeing
from kit.laws import actions, seat_of, table_of
from kit.sentences import heard, plain, seen

from volte.game import MatchState
from volte.referee import evolve
from volte.referee.codec import decode_event
from volte.say import Verbosity, Words
from volte.say.answers import tricks

TEXT = Path(__file__).with_name("stories.txt").read_text(encoding="utf-8")
STORIES = [part.strip().splitlines() for part in re.split(r"^# ", TEXT, flags=re.MULTILINE)[1:]]

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


def heard_by(
    state: MatchState, question: str, seat: int | None, words: Words, how: Verbosity
) -> str:
    """Sentences that somebody hears about an action, an event or a refusal, or from a key."""
    sign, text = question[0], question[2:]
    if sign == "!":
        view, event = seen(state, seat), decode_event(text.encode())
        return " ".join(words.tell(view, event, view.see(event), how))
    if sign == "=":
        key, *number = text.split()
        if key == "table" and number:
            key = "card"
        return "\n".join(KEYS[key](words, seen(state, seat), *map(int, number)))
    (action,) = actions(state, text)
    if sign == "?":
        return heard(state, action, seat, words, how)
    view_of = None if seat is None else seen(state, seat)
    return words.refusal(refereeing.refused(state, action), view_of)


@pytest.mark.parametrize("story", STORIES, ids=[story[0] for story in STORIES])
def test_what_is_heard(story: list[str]) -> None:
    state, question = table_of(story[1].removeprefix("deal ")), ""
    listened = re.compile(r"([NESWXYZ-])( fr)?( [a-z]+)?:( .*)?")
    for listener, lines in groupby(story[2:], key=lambda line: line.partition(":")[0]):
        if listener[:2] in ("> ", "? ", "x ", "= ", "! ", ">!"):
            for line in lines:
                question = line
                if line.startswith(">!"):
                    state = evolve(state, decode_event(line[3:].encode()))
                elif line[0] == ">":
                    for action in actions(state, line[2:]):
                        state = refereeing.take(state, action).after
            continue
        found = [listened.fullmatch(line) for line in lines]
        assert found[0] is not None
        seat = None if found[0][1] == "-" else seat_of(found[0][1])
        how = Verbosity((found[0][3] or " normal").strip())
        expected = "\n".join((each[4] or "").strip() for each in found if each is not None)
        pattern = ".*".join(map(re.escape, expected.split("…")))
        line = plain(heard_by(state, question, seat, Words("fr" if found[0][2] else "en"), how))
        assert re.fullmatch(pattern, line, re.DOTALL), (question, listener, line)
