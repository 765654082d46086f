"""What a person hears of one deal, as plain text that can be checked by eye.

VOLTE_REMAKE_GOLDENS=1 writes the files anew from the records beside them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from words.story import story

from volte.game import TrickTaken
from volte.notation import load_record
from volte.say import Verbosity, Words

GOLDENS = Path(__file__).parent / "goldens"


def told(record: Path, words: Words, verbosity: Verbosity) -> str:
    """The record as its first seat hears it, the keys asked in the middle and at the end."""
    lines: list[str] = []
    heard = None
    for heard in story(load_record(record).log, 0, words, verbosity):
        lines += heard.lines
        view = heard.after
        if isinstance(heard.event, TrickTaken) and view.deal.trick_number == 4:
            for answer in (words.turn, words.hand, words.last_trick, words.points_taken):
                lines += ["", *answer(view)]
            lines.append("")
    assert heard is not None
    lines += ["", *words.scores(heard.after), "", *words.score_sheet(heard.after)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize(
    ("match", "verbosity"),
    [("coeurs", Verbosity.FULL), ("dame-de-pique", Verbosity.NORMAL)],
)
def test_a_deal_is_told_as_it_stands_in_its_golden(
    match: str, verbosity: Verbosity, lang: str
) -> None:
    golden = GOLDENS / f"{match}.{lang}.txt"
    text = told(GOLDENS / f"{match}.volte", Words(lang), verbosity)
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
