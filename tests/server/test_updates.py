"""What is told late is told card by card, and not for ever."""

from __future__ import annotations

from itertools import pairwise

from kit.tables import ANNE, setup

from volte import game
from volte.fair import House
from volte.game import Refusal
from volte.say import Words
from volte.server.live.updates import LONGEST, happened, parts, pauses, told_late
from volte.table import Happening, TableState, Watching, decide, evolve, fold, open_table
from volte.table import commands as cmd
from volte.table.decide import TableOutcome
from volte.table.house import acts_of_house
from volte.table.pacing import Pace
from volte.table.viewpoints import Update


def played_deal(watching: Watching = Watching.AFTERWARDS) -> Update:
    """A deal of bots as it comes to somebody who watches: all of it in one go."""
    state = fold(open_table(setup("dame-de-pique", watching=watching, pass_count=0), ANNE))
    started = decide(state, ANNE, cmd.Start(), state.version)
    assert not isinstance(started, Refusal)
    for happening in started:
        state = evolve(state, happening)
    before: TableState = state
    happenings: list[Happening] = []
    while state.match is None or state.match.phase is not game.Phase.ENDED:
        assert state.match is not None
        turns = game.to_act(state.match)
        outcome: TableOutcome = acts_of_house(House.from_seed(1), state, range(4))
        if turns:
            outcome = game.decide(state.match, game.legal_actions(state.match, turns[0])[0])
        assert not isinstance(outcome, Refusal)
        happenings += outcome
        for happening in outcome:
            state = evolve(state, happening)
    return Update.known(before.version + 1, tuple(happenings), before, state)


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
