"""The wider family at a table: ten seats, cards that cancel, scatters, and a moon whose shooter
chooses how it counts (W7), at a turn like any other."""

from __future__ import annotations

from functools import partial
from threading import Event
from typing import Any, Final

import pytest
from kit import OF_SEEDS, PACK
from kit.live import (
    LIMIT,
    QUICK,
    Guest,
    OpenLobby,
    Player,
    done,
    found,
    kill,
    over,
    together,
    until,
)
from kit.tables import ANNE, BERT, CARA, setup, started
from msgspec.structs import replace

from volte import game
from volte.bots import Clock, make_bot
from volte.cards import CARDS, twin
from volte.game import ChooseMoon, DealScored, Phase, TrickHeld
from volte.referee import RefereedMatch, SeatAction
from volte.rules import PRESETS
from volte.table import Why
from volte.table import commands as cmd
from volte.table.live import LiveTable
from volte.table.stored import listing_of, read_summary
from volte.view import View

FEW: Final = ("2C", "3C", "4C", "5C", "6C", "QS")
"""Cards of each of two packs, so that six seats have two cards, and many tricks cancel; or of one,
so that the queen is the only penalty card, and each deal is a moon."""

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


@pytest.mark.parametrize("irregularities", ["enforced", "refereed"])
def test_W11_a_trick_that_cancels_is_held_and_the_leader_is_asked_anew(irregularities: str) -> None:
    at = started(setup("cancellation", irregularities=irregularities, **CANCELLING))
    held = 0
    while at.step():
        if isinstance(at.log[-1], TrickHeld):
            held += 1
            deal = at.match.deal
            assert deal is not None
            assert deal.held.bit_count() % 6 == 0
            assert deal.turn == deal.leader
            assert at.state.moved == at.state.version
            at.check_secrecy()
            if isinstance(at.match, RefereedMatch):
                assert at.state.laid == (at.state.version,) * 6
    assert held
    assert at.match.phase is Phase.ENDED


@pytest.mark.parametrize("preset", [name for name in PRESETS if not name.startswith(OF_SEEDS)])
def test_every_preset_is_played_to_its_end_at_a_table(preset: str) -> None:
    at = started(setup(preset, match_end="deals:2"))
    at.play_on()
    assert at.match.phase is Phase.ENDED
    at.check_secrecy()


async def test_ten_people_and_bots_sit_at_a_table_and_all_have_names_of_their_own(
    open_lobby: OpenLobby,
) -> None:
    lobby = await open_lobby(bots=lambda level, seed: make_bot("beginner", seed))
    table = await lobby.open(setup("cancellation", players=10), ANNE)
    await done(table, ANNE, cmd.Sit(9), cmd.SeatBot(8, "casual"), cmd.Swap(8, 9), cmd.Start())
    anne, _ = Player(table, ANNE), Player(table, BERT)
    assert len({seat.name for seat in table.state.seats}) == 10
    await over(table)
    await anne.up_to_date()
    assert len(anne.all_of(game.Played)) == 100
    summary = read_summary(listing_of(table.id, table.state, ""))
    assert summary.preset == "cancellation"
    assert [seat.total for seat in summary.seats] == list(anne.match.totals)
    assert sum(anne.match.totals) == 52


# A moon whose shooter chooses how it counts (W7)


MOONS: Final[dict[str, Any]] = {
    "players": 3,
    "removed": [str(card) for card in PACK if str(card) not in FEW],
    "pass_count": 0,
    "opening": "eldest",
    "first_trick_points": "allowed",
    "match_end": "deals:2",
    "moon": "shooter_chooses",
}
PEOPLE: Final = (ANNE, BERT, CARA)


class Waiting(Player):
    """A player who plays, but does not choose until a test allows it."""

    ready = False

    def chosen(self, seat: int, match: game.MatchState) -> SeatAction | None:
        if match.shooter is not None:
            return ChooseMoon(seat, minus=True) if self.ready and match.shooter == seat else None
        return super().chosen(seat, match)

    async def choose(self) -> None:
        self.ready = True
        await self.moved()


async def asked(table: LiveTable) -> int:
    """The seat that has to choose how its moon counts, as soon as there is one."""
    await until(lambda: table.state.match is not None and table.state.match.shooter is not None)
    assert table.state.match is not None
    assert table.state.match.shooter is not None
    return table.state.match.shooter


both = pytest.mark.parametrize(
    "options", [MOONS, MOONS | {"irregularities": "refereed"}], ids=["lawful", "refereed"]
)


@both
async def test_a_server_killed_in_the_middle_of_a_choice_asks_again(
    options: dict[str, Any], open_lobby: OpenLobby
) -> None:
    lobby = await open_lobby()
    people = await together(lobby, Waiting, Waiting, Waiting, **options)
    table = people[0].table
    seat = await asked(table)
    version = table.state.version
    await kill(table)
    for person in people:
        await person.closed()
    lobby = await open_lobby()
    table = await found(lobby, table.id)
    assert table.state.version == version
    there = [Waiting(table, who) for who in PEOPLE]
    assert await asked(table) == seat
    await until(lambda: all(person.state.version == version for person in there))
    assert [person.match.shooter == person.seat for person in there].count(True) == 1
    for person in there:
        await person.choose()
    await over(table)
    await there[0].up_to_date()
    assert [each.minus for each in there[0].all_of(DealScored)] == [True, True]


@both
async def test_a_bot_chooses_for_whoever_is_gone_and_others_take_over(
    open_lobby: OpenLobby, options: dict[str, Any]
) -> None:
    lobby = await open_lobby(timing=replace(QUICK, grace=0.02))
    options = options | {"match_end": "deals:1"}
    people = await together(lobby, Waiting, Waiting, Waiting, **options)
    table = people[0].table
    seat = await asked(table)
    await people[seat].leave()
    await until(lambda: table.state.match and table.state.match.shooter is None)
    assert table.state.seats[seat].stand_in is Why.CONNECTION
    for person in people:
        if person.seat != seat:
            await person.choose()
    again = Waiting(table, people[seat].who)
    await over(table)
    await again.up_to_date()
    assert again.match.deals[0].moon == seat


class Undecided:
    """A bot that thinks about its moon until it may go on."""

    def __init__(self, goes_on: Event, level: str, seed: int) -> None:
        self._goes_on = goes_on
        self._bot = make_bot(level, seed)

    def choose(self, view: View, clock: Clock) -> game.SeatAction:
        if view.state.shooter is not None:
            self._goes_on.wait(LIMIT)
        return self._bot.choose(view, clock)


async def test_whoever_sits_down_in_place_of_a_bot_is_asked(open_lobby: OpenLobby) -> None:
    """A bot shoots; before it has chosen somebody takes its seat, and chooses."""
    goes_on = Event()
    lobby = await open_lobby(bots=partial(Undecided, goes_on))
    options = MOONS | {"match_end": "deals:1"}
    table = await lobby.open(setup("dame-de-pique", **options), ANNE)
    Guest(table, ANNE)
    await done(table, ANNE, cmd.Start())
    seat = await asked(table)
    await done(table, ANNE, cmd.Sit(seat))
    assert table.state.match is not None
    assert table.state.match.phase is Phase.CHOOSING
    await done(table, ANNE, cmd.Act(ChooseMoon(seat, minus=True)))
    assert table.state.match.deals[0].points[seat] == -13
    goes_on.set()
