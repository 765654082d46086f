"""Remarks of bots with character: only for people who want them, and if talk is allowed."""

from __future__ import annotations

import pytest
from kit.tables import ANNE, Table, setup

from volte.conversation.updates import happened
from volte.say import Words
from volte.table import TableState, evolve
from volte.table import commands as cmd
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
