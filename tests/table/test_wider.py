"""The wider family at a table: ten seats, cards that cancel, scatters, sides."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from kit.rulesets import OF_SEEDS
from table.acting import ANNE, Table, started
from table.acting import setup as table_setup
from table.people import ANNE as HOST
from table.people import BERT, Player, done, kinds, room, setup, until

from volte import game
from volte.bots import make_bot
from volte.cards import CARDS, twin
from volte.game import Phase, TrickHeld
from volte.referee import RefereedMatch
from volte.rules import PRESETS
from volte.table import commands as cmd
from volte.table.stored import listing_of, read_summary
from volte.table.viewpoints import MatchLog
from volte.view import project

FEW: Final = ("2C", "3C", "4C", "5C", "6C", "QS")
"""Of each of two packs, so that six seats have two cards, and many tricks cancel."""

CANCELLING: Final[dict[str, Any]] = {
    "players": 6,
    "packs": 2,
    "kitty": "none",
    "removed": [
        each.text for card in CARDS[:52] if card.text not in FEW for each in (card, twin(card))
    ],
    "pass_count": 0,
    "match_end": "deals:4",
}


def nobody_sees_more_than_they_may(at: Table) -> None:
    """What each seat has been told folds into what it may know."""
    sights = MatchLog()
    sights.add(at.log)
    for seat in (*range(len(at.state.seats)), None):
        assert sights.fold(seat).match == project(at.match, seat)


@pytest.mark.parametrize("irregularities", ["enforced", "refereed"])
def test_W11_a_trick_that_cancels_is_held_and_the_leader_is_asked_anew(irregularities: str) -> None:
    setting = table_setup(
        "cancellation", irregularities=irregularities, **{**CANCELLING, "match_end": "deals:4"}
    )
    at = started(setting)
    held = 0
    while at.step():
        if isinstance(at.log[-1], TrickHeld):
            held += 1
            deal = at.match.deal
            assert deal is not None
            assert deal.held.bit_count() % 6 == 0
            assert deal.turn == deal.leader
            assert at.state.moved == at.state.version
            nobody_sees_more_than_they_may(at)
            if isinstance(at.match, RefereedMatch):
                assert at.state.laid == (at.state.version,) * 6
    assert held
    assert at.match.phase is Phase.ENDED


def test_W1_a_scatter_is_kept_in_the_order_in_which_it_was_given() -> None:
    at = started(table_setup("microsoft", pass_cycle=["scatter"]))
    at.play_until(Phase.PASSING)
    assert at.match.deal is not None
    hand = game.legal_actions(at.match, 0)[0]
    assert isinstance(hand, game.Pass)
    cards = hand.cards[::-1]
    at.do(ANNE, cmd.Act(game.Pass(0, cards)))
    at.play_until(Phase.PLAYING)
    gone = [each for each in at.match.deal.transfers if each.giver == 0]
    assert [(each.taker, each.cards) for each in gone] == [
        (place + 1, (card,)) for place, card in enumerate(cards)
    ]
    nobody_sees_more_than_they_may(at)


@pytest.mark.parametrize("preset", [name for name in PRESETS if not name.startswith(OF_SEEDS)])
def test_every_preset_is_played_to_its_end_at_a_table(preset: str) -> None:
    at = started(table_setup(preset, match_end="deals:2"))
    at.play_on()
    assert at.match.phase is Phase.ENDED
    nobody_sees_more_than_they_may(at)


async def test_ten_people_and_bots_sit_at_a_table_and_all_have_names_of_their_own(
    tmp_path: Path,
) -> None:
    async with room(tmp_path, bots=lambda level, seed: make_bot("beginner", seed)) as lobby:
        made = setup("cancellation", players=10, match_end="deals:1")
        table = await lobby.open(made, HOST)
        await done(table, HOST, cmd.Sit(9), cmd.SeatBot(8, "casual"), cmd.Swap(8, 9))
        await done(table, HOST, cmd.Start())
        anne, bert = Player(table, HOST), Player(table, BERT)
        assert len({seat.name for seat in table.state.seats}) == 10
        await until(lambda: not table.state.under_way)
        assert len(kinds(anne, game.Played)) == 100
        summary = read_summary(listing_of(table.id, table.state, ""))
        assert summary.preset == "cancellation"
        assert [seat.total for seat in summary.seats] == list(anne.match.totals)
        assert sum(anne.match.totals) == 52
        for person in (anne, bert):
            await person.leave()
