"""What was told is gone through again: all of it, or one kind."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from kit.terminals import Script, Stubborn, sit_down

from volte.console.terminal import KIND_NAMES, KINDS, Kind
from volte.rules import make_ruleset
from volte.say import Words
from volte.table import Happening
from volte.web.assets import STATIC

RULES = make_ruleset("coeurs", {"match_end": "deals:2"})

QUESTION = re.compile(r"(?:Your|Vos|Votre) .*\?\n|Enter for .*\?\n|Entrée pour .*\?\n")


class Curious:
    """Plays a deal, and then types these keys before the next one."""

    def __init__(self, keys: str) -> None:
        self._keys = iter(keys)
        self._plays = Stubborn()

    def __call__(self, heard: str) -> str:
        if re.search(r"(?:Enter for|Entrée pour) .*\?\n$", heard):
            return next(self._keys, "q")
        return self._plays(heard)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_messages_are_gone_through_by_kind(folder: Path, lang: str) -> None:
    sitting = sit_down(RULES, Curious("bbnnyybbyby"), folder, lang=lang)
    told = re.split(r"(?:Enter for|Entrée pour) .*\?\n", sitting.said)[1:]
    words = Words(lang)

    def line(message: str) -> str:
        return words.t(message) + "\n"

    newest, before, again, end, plays, points, scores, first, talk, nothing, table = told[:11]
    assert newest == again
    assert before != newest
    assert end == line("Nothing has been told after that.")
    kinds = [line(KIND_NAMES[kind]) for kind in (Kind.PLAYS, Kind.POINTS, Kind.TALK, Kind.TABLE)]
    assert [plays, points, talk, table] == kinds
    assert newest in told[0]
    assert scores.count("\n") >= 1
    assert "Alice" in scores
    assert first == nothing == line("Nothing was told before that.")


def test_a_play_ends_the_review_and_the_kind_stays(folder: Path) -> None:
    keys = ["y", ".1 .2 .3", "b", "b", ".1", "b"]
    sitting = sit_down(RULES, Script(keys), folder, seed="4")
    heard = QUESTION.split(sitting.said)
    assert heard[1] == "Plays\n"
    newest, before, latest = heard[3], heard[4], heard[6]
    assert newest != before
    assert latest in heard[5]  # what was told of one's own play, or of what came after it


def test_the_kinds_are_those_of_the_pages() -> None:
    source = (STATIC / "announcer.js").read_text(encoding="utf-8")
    table = source[source.index("CHANNELS = {") :]
    channels = dict(re.findall(r"^  (\w+): \"(\w*)\",", table[: table.index("};")], re.MULTILINE))
    kinds = {"plays": Kind.PLAYS, "tricks": Kind.PLAYS, "pass": Kind.PLAYS, "scores": Kind.POINTS}
    for happening in get_args(Happening):
        channel = channels[happening.__name__]
        assert KINDS.get(happening.__name__, Kind.TABLE) is kinds.get(channel, Kind.TABLE), (
            happening
        )
