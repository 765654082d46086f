"""A sheet of the wider family in sentences (W9, W10)."""

from __future__ import annotations

from kit.sheets import done, enter, hearts, open_sheet, rules_of

from volte.say import Words
from volte.say.scores import won
from volte.scorekeeper.model import Settle, standings, to_csv
from volte.scorekeeper.telling.sheet import (
    SheetTelling,
    after_row,
    chart_lines,
    sheet_lines,
    standing_lines,
)

ENGLISH = Words("en")


def test_W9_what_is_said_of_a_total_that_falls_and_of_a_tie() -> None:
    rules = rules_of("dame-de-pique", match_end="limit:50", at_limit="halves", ties="play_on")
    many = hearts("12 1 0 0", queen=0)
    sheet = enter(open_sheet(rules), many, many)
    lines = "\n".join(sheet_lines(SheetTelling(ENGLISH, sheet)))
    assert "25 (50 → 25)" in lines
    assert "A total of exactly 50 is halved: Anne 50 → 25." in lines
    assert "A total of exactly 50 drops to 25." in standing_lines(SheetTelling(ENGLISH, sheet))
    assert "26 more points end the match." in standing_lines(SheetTelling(ENGLISH, sheet))[-3]
    sheet = enter(sheet, hearts("13 0 0 0", queen=1), many)
    assert "play another deal" in " ".join(after_row(SheetTelling(ENGLISH, sheet)))


def test_W10_an_evening_of_partnership() -> None:
    rules = rules_of("partnership", match_end="limit:50", settlement="difference")
    sheet = enter(open_sheet(rules), hearts("5 8", queen=1), hearts("13 0 0 0", queen=2))
    sheet = enter(sheet, hearts("0 13 0 0", queen=1))
    assert won(SheetTelling(ENGLISH, sheet)) == ("Bruno and David win the match with 21 points.",)
    header, *rows = sheet_lines(SheetTelling(ENGLISH, sheet))
    assert header.split("  ")[1:] == ["Anne and Chloé", "Bruno and David"]
    assert rows[0].split() == ["1", "5", "(5)", "21", "(21)"]
    assert "Bruno and David: 21, 21, 21." in chart_lines(SheetTelling(ENGLISH, sheet), 0)
    assert [each.seats for each in standings(rules, sheet.table)] == [(1, 3), (0, 2)]
    assert '"5","21","5","21"' in to_csv(sheet)
    assert done(sheet, Settle()).accepted


def test_W10_a_side_that_shot_the_moon_is_named() -> None:
    rules = rules_of("partnership", moon_by="side")
    sheet = enter(open_sheet(rules), hearts("13 0", queen=0))
    assert "Anne and Chloé have shot the moon" in "\n".join(
        sheet_lines(SheetTelling(ENGLISH, sheet))
    )
