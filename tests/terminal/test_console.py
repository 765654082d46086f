"""Lines out, lines in, and the history of messages."""

import re
from io import BytesIO, StringIO
from pathlib import Path
from typing import get_args

import pytest
from kit.terminals import Script, sit_down

from volte.console.terminal import (
    KINDS,
    LONGEST_LINE,
    Console,
    Kind,
    Quit,
    TerminalFault,
    wants_colour,
)
from volte.rules import make_ruleset
from volte.table import Happening
from volte.web.assets import ROOMS

ESCAPES = re.compile("\x1b\\[[0-9;]*m")


def said(*texts: str, width: int | None = None, colour: bool = False) -> str:
    screen = StringIO()
    Console(BytesIO(), screen, width, colour).say(*texts)
    return screen.getvalue()


def answered(typed: bytes) -> str:
    return Console(BytesIO(typed), StringIO()).ask("Card?")


def test_lines_break_at_words_and_only_where_they_must() -> None:
    assert said("one two three", "four", width=8) == "one two\nthree\nfour\n"
    assert said("one two three") == "one two three\n"
    assert said("a\n\nb", width=8) == "a\n\nb\n"


def test_a_french_sign_stays_with_its_word() -> None:
    assert said("Trois cartes\u00a0?", width=13) == "Trois\ncartes\u00a0?\n"


def test_four_suits_have_four_colours_and_the_text_stays() -> None:
    text = "♣ clubs: A♣, 10♦, Q♠, 2♥"
    assert said(text) == text + "\n"
    coloured = said(text, colour=True)
    assert ESCAPES.sub("", coloured) == text + "\n"
    colours = {suit: re.search(f"\x1b\\[(\\d+)m[^\x1b]*{suit}", coloured) for suit in "♣♦♠♥"}
    assert len({found[1] for found in colours.values() if found}) == 4


def test_colour_is_for_terminals_that_show_it_and_who_wants_it() -> None:
    xterm = {"TERM": "xterm"}
    for environ in (xterm, xterm | {"NO_COLOR": ""}):
        assert wants_colour(environ, plain=False)
        assert not wants_colour(environ, plain=True)
    for environ in (xterm | {"NO_COLOR": "1"}, xterm | {"ACCESSIBLE": "1"}, {"TERM": "dumb"}, {}):
        assert not wants_colour(environ, plain=False)


def test_an_answer_is_the_line_without_its_ends() -> None:
    assert answered(b"  qs \r\n") == "qs"
    assert answered(b"dame de pique\n") == "dame de pique"
    assert answered(b"last line without end") == "last line without end"


@pytest.mark.parametrize(
    "typed", [b"\xff\xfe\n", b"\x1b[A\n", b"q\x00s\n", "\ud800".encode(errors="surrogatepass")]
)
def test_what_is_no_text_is_refused(typed: bytes) -> None:
    with pytest.raises(TerminalFault) as caught:
        answered(typed)
    assert caught.value.reason == "not_text"


def test_a_line_too_long_is_refused_whole() -> None:
    console = Console(BytesIO(b"x" * 10_000 + b"\nqs\n"), StringIO())
    with pytest.raises(TerminalFault) as caught:
        console.ask("Card?")
    assert caught.value.reason == "line_too_long"
    assert console.ask("Card?") == "qs"
    assert answered(b"x" * LONGEST_LINE) == "x" * LONGEST_LINE


def test_the_end_of_the_input_is_leaving() -> None:
    with pytest.raises(Quit) as caught:
        answered(b"")
    assert caught.value.signal == 0


# The history of messages: see also the transcripts `history.*`


def test_a_play_ends_the_review_and_the_kind_stays(folder: Path) -> None:
    keys = ["y", ".1 .2 .3", "b", "b", ".1", "b"]
    said = sit_down(make_ruleset("coeurs"), Script(keys), folder, seed="4").said
    heard = re.split(r"(?:Your|Which) .*\?\n", said)
    assert heard[1] == "Plays\n"
    newest, before, latest = heard[3], heard[4], heard[6]
    assert newest != before
    assert latest in heard[5]  # what was told of one's own play, or of what came after it


def test_the_kinds_are_those_of_the_pages() -> None:
    source = (ROOMS / "web/static/announcer.js").read_text(encoding="utf-8")
    table = source[source.index("CHANNELS = {") :]
    channels = dict(re.findall(r"^  (\w+): \"(\w*)\",", table[: table.index("};")], re.MULTILINE))
    kinds = {"plays": Kind.PLAYS, "tricks": Kind.PLAYS, "pass": Kind.PLAYS, "scores": Kind.POINTS}
    for happening in get_args(Happening):
        channel = channels.get(happening.__name__, "")
        assert KINDS.get(happening.__name__, Kind.TABLE) is kinds.get(channel, Kind.TABLE), (
            happening
        )
