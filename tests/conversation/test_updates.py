"""Remarks of bots with personality, for people who want them; and deals that are told late."""

from __future__ import annotations

from itertools import pairwise

import pytest
from kit.tables import ANNE, Table, setup

from volte.conversation.updates import LONGEST, happened, parts, pauses, told_late
from volte.say import Words
from volte.table import TableState, Watching, evolve
from volte.table import commands as cmd
from volte.table.pacing import Pace
from volte.table.setup import Talk
from volte.table.viewpoints import Update
from volte.wire.messages import CharacterRemark

WHO = ("alice", "bruno", "chloe")


def said(talk: Talk, wanted: bool = True, who: tuple[str, ...] = WHO) -> list[CharacterRemark]:
    """Remarks that Anne is sent in a few matches with three bots."""
    found = []
    for seed in range(4):
        at = Table(setup("microsoft", talk=talk), seed, seat=0)
        for seat, level in enumerate(who, start=1):
            at.do(ANNE, cmd.SeatBot(seat, level))
        at.do(ANNE, cmd.Start())
        at.play_on()
        state: TableState | None = None
        for number, happening in enumerate(at.log, start=1):
            before, state = state, evolve(state, happening)
            update = Update.known(number, (happening,), before, state)
            messages = happened(update, 0, Words("en"), ANNE.id, remarks=wanted)
            found += [each.remark for each in messages if each.remark is not None]
    return found


@pytest.mark.parametrize("talk", [Talk.ALL, Talk.PHRASES])
def test_they_speak_under_their_names(talk: Talk) -> None:
    remarks = said(talk)
    assert remarks
    assert {each.name for each in remarks} <= {"Alice", "Bruno", "Chloé"}


def test_they_are_silent_where_nothing_may_be_said_and_for_whoever_wants_that() -> None:
    assert not said(Talk.NOBODY)
    assert not said(Talk.ALL, wanted=False)
    assert not said(Talk.ALL, who=("casual",) * 3)


# Deals that are told late: card by card, and in limited time


def played_deal(watching: Watching = Watching.AFTERWARDS) -> Update:
    """A deal of bots as it comes to somebody who watches: all of it in one go."""
    at = Table(setup("dame-de-pique", watching=watching, pass_count=0))
    at.do(ANNE, cmd.Start())
    before = at.state
    while at.step():
        pass
    return Update.known(before.version + 1, tuple(at.log[before.version :]), before, at.state)


def test_the_parts_are_the_whole_one_happening_at_a_time() -> None:
    update = played_deal()
    told = list(parts(update))
    assert tuple(each.happenings[0] for each in told) == update.happenings
    assert [each.first for each in told] == list(
        range(update.first, update.first + len(update.happenings))
    )
    assert told[0].before == update.before
    assert told[-1].after == update.after
    assert all(one.after is other.before for one, other in pairwise(told))


def test_its_sentences_are_the_same_in_one_go_and_one_happening_at_a_time() -> None:
    update, words = played_deal(), Words("en")
    one_by_one = [list(happened(part, 0, words, ANNE.id)) for part in parts(update)]
    assert list(happened(update, 0, words, ANNE.id)) == [told for (told,) in one_by_one]


def test_it_goes_at_the_pace_of_the_table_and_never_takes_too_long() -> None:
    update = played_deal()
    assert sum(pauses(update, Pace(0, 0))) == 0
    assert sum(pauses(update, Pace(0.5, 1))) == 0.5 * 53 + 13
    assert round(sum(pauses(update, Pace(60, 60))), 6) == LONGEST


def test_only_those_who_watch_with_all_hands_open_are_told_slowly() -> None:
    assert told_late(played_deal(), None)
    assert not told_late(played_deal(), 0)
    assert not told_late(played_deal(Watching.HIDDEN), None)
