"""Refereed tables, live: people who err, people who notice, and bots among them (I1–I9)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import pytest
from kit import ANNE, BERT, CARA, check_record, setup
from kit.live import (
    QUICK,
    OpenLobby,
    Player,
    done,
    found,
    kill,
    over,
    refused,
    together,
    until,
    with_bots,
)
from msgspec.structs import replace

from volte import game, referee
from volte.cards import SUIT_MASKS, cards_in
from volte.fair import Verdict
from volte.game import MatchState, Phase, Play
from volte.notation import format_record, prove_record
from volte.table import Setup, Someone, Why, fold
from volte.table import commands as cmd
from volte.table.happenings import TableEvent, decode_happening
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.view import project

PEOPLE: Final = (ANNE, BERT, CARA)


def refereed(**options: Any) -> Setup:
    """The setup of a refereed table with three seats and no pass."""
    usual: dict[str, Any] = {"players": 3, "pass_count": 0, "match_end": "deals:2"}
    return setup("coeurs-table", **usual | options)


def match_of(table: LiveTable) -> referee.RefereedMatch:
    match = table.state.match
    assert isinstance(match, referee.RefereedMatch)
    return match


async def act(table: LiveTable, *actions: referee.SeatAction) -> None:
    """Take actions one after another, each as the person at its seat."""
    for action in actions:
        seat = table.state.seats[action.seat]
        await done(table, Someone(seat.person, seat.name), cmd.Act(action))


async def honestly(table: LiveTable, where: Callable[[referee.RefereedMatch], object]) -> None:
    """Take the first lawful action of the seat to act, until the match is at `where`."""
    while not where(match_of(table)):
        await until(lambda: referee.to_act(match_of(table)) or not table.state.under_way)
        if where(match_of(table)):
            return
        seat = referee.to_act(match_of(table))[0]
        await act(table, referee.legal_actions(match_of(table), seat)[0])


async def playing(table: LiveTable) -> None:
    await until(lambda: match_of(table).phase is Phase.PLAYING)


def reckoned(match: referee.RefereedMatch) -> bool:
    return match.reckoned is not None


def revoke(match: referee.RefereedMatch) -> Play | None:
    """A card of another suit, of the seat on turn, though it can follow."""
    if match.phase is not Phase.PLAYING or reckoned(match) or match.lying.full:
        return None
    deal = match.lying
    hand = deal.hands[deal.turn]
    follows = hand & SUIT_MASKS[deal.led] if deal.led is not None else 0
    return Play(deal.turn, cards_in(hand ^ follows)[0]) if follows and hand ^ follows else None


async def revoked(table: LiveTable) -> tuple[int, int]:
    """Let somebody revoke, with their card on the table: the seat, and the number of the trick."""
    await honestly(table, revoke)
    wrong = revoke(match_of(table))
    assert wrong is not None
    trick = match_of(table).lying.trick_number
    await act(table, wrong)
    return wrong.seat, trick


async def gathered(table: LiveTable) -> tuple[int, int]:
    """Let somebody revoke, and the trick be turned down: the seat, and the number of the trick."""
    seat, trick = await revoked(table)
    await honestly(table, lambda match: match.lying.trick_number > trick)
    return seat, trick


@pytest.fixture
async def guests(lobby: Lobby, request: pytest.FixtureRequest) -> AsyncIterator[tuple[Player, ...]]:
    """Three people at a table with cards dealt, who do nothing by themselves but shuffle."""
    chosen = refereed(**getattr(request, "param", {}))
    guests = await together(lobby, Player, Player, Player, chosen=chosen, plays=False)
    table = guests[0].table
    await playing(table)
    yield guests
    for seat, guest in enumerate(guests):
        await guest.up_to_date()
        assert guest.match == project(match_of(table), seat)


@pytest.fixture
def table(guests: tuple[Player, ...]) -> LiveTable:
    return guests[0].table


one_deal = pytest.mark.parametrize("guests", [{"match_end": "deals:1"}], indirect=True)


async def test_I5_I6_a_revoke_is_claimed_in_time(table: LiveTable) -> None:
    seat, trick = await gathered(table)
    await act(table, referee.ClaimRevoke((seat + 1) % 3, seat, trick))
    assert match_of(table).lying.offenders == (seat,)
    await act(table, referee.Cut(match_of(table).cutter))
    total = match_of(table).rules.penalty_total
    assert match_of(table).deals[0].points[seat] == total == sum(match_of(table).totals)
    await playing(table)
    assert match_of(table).lying.number == 2


@one_deal
async def test_I6_after_the_last_deal_it_is_claimed_until_all_have_accepted(
    table: LiveTable, guests: tuple[Player, ...]
) -> None:
    seat, trick = await gathered(table)
    claim = referee.ClaimRevoke((seat + 1) % 3, seat, trick)
    await honestly(table, reckoned)
    await act(table, *map(referee.Accept, range(2)), claim, *map(referee.Accept, range(3)))
    await over(table)
    assert match_of(table).offenders == ((seat,),)
    assert await refused(table, PEOPLE[claim.seat], cmd.Act(claim)) == "no_match"
    await guests[0].up_to_date()
    assert len(guests[0].all_of(referee.Accepted)) == 5
    assert guests[0].all_of(game.Revealed), "the last secret is revealed"


async def test_D3_every_shuffle_is_proved_at_a_refereed_table_as_well(lobby: Lobby) -> None:
    anne, _ = await together(lobby, Revoking, Player, chosen=refereed())
    await over(anne.table)
    happenings = [decode_happening(each.data) for each in await lobby.store.read(anne.table.id)]
    log = tuple(each for each in happenings if not isinstance(each, TableEvent))
    report = check_record(format_record(log))
    assert report.record is not None, report.fault
    assert report.record.log == log
    assert [proof.verdict for proof in prove_record(report.record)] == [Verdict.PROVED] * 2


# With bots


class Honest(Player):
    """A player who plays, and neither turns down nor cuts nor accepts."""

    def chosen(self, seat: int, match: MatchState) -> referee.SeatAction | None:
        action = super().chosen(seat, match)
        left = referee.TurnDown | referee.Cut | referee.Accept
        return None if isinstance(action, left) else action


@pytest.mark.parametrize(
    "seats", [3, 7, *(pytest.param(each, marks=pytest.mark.full) for each in (4, 5, 6))]
)
async def test_I4_I6_bots_and_an_empty_clock_carry_the_deal_on(
    seats: int, open_lobby: OpenLobby
) -> None:
    """Anne does nothing but play: her clock turns down, cuts and accepts for her."""
    lobby = await open_lobby(timing=replace(QUICK, tick=0.001))
    anne = await with_bots(lobby, Honest, chosen=refereed(players=seats, clock=30))
    await over(anne.table)
    assert match_of(anne.table).phase is Phase.ENDED
    await until(lambda: len(anne.all_of(game.Revealed)) == 2)  # she hears a little later
    assert {event.seat for event in anne.all_of(referee.Accepted)} == set(range(seats))


@one_deal
async def test_I6_whoever_is_away_accepts_by_their_stand_in(
    table: LiveTable, guests: tuple[Player, ...]
) -> None:
    await honestly(table, reckoned)
    await done(table, CARA, cmd.Away())
    await act(table, referee.Accept(0), referee.Accept(1))
    await over(table)
    assert table.state.seats[2].stand_in is Why.OWN
    await guests[0].up_to_date()
    assert referee.Accepted(2) in guests[0].all_of(referee.Accepted)


class Revoking(Player):
    """A player who revokes whenever it is possible."""

    def chosen(self, seat: int, match: MatchState) -> referee.SeatAction | None:
        assert isinstance(match, referee.RefereedMatch)
        wrong = revoke(match)
        return wrong if wrong is not None and wrong.seat == seat else super().chosen(seat, match)


async def test_I9_bots_claim_what_the_cards_have_proved_and_nothing_else(lobby: Lobby) -> None:
    chosen = refereed(match_end="deals:4", players=4)
    _, bert = await together(lobby, Revoking, Player, chosen=chosen)
    await over(bert.table)
    await bert.up_to_date()
    claims = bert.all_of(referee.RevokeClaimed)
    assert claims
    assert all(each.clause and each.against == 0 for each in claims)
    deals = match_of(bert.table).offenders
    assert len(claims) == sum(map(len, deals)), "once a deal"
    assert all(who in ((), (0,)) for who in deals)


async def test_I9_a_stand_in_claims_as_a_bot_does_and_no_bot_claims_against_its_own_seat(
    lobby: Lobby,
) -> None:
    chosen = refereed(match_end="deals:3")
    _, bert = await together(lobby, Revoking, Player, chosen=chosen, begun=False)
    table = bert.table
    await done(table, CARA, cmd.Sit(2))
    await done(table, ANNE, cmd.Start())
    await done(table, CARA, cmd.Away())
    await over(table)
    await bert.up_to_date()
    assert {each.seat for each in bert.all_of(referee.RevokeClaimed)} == {2}


async def test_the_next_deal_comes_soon_once_all_people_say_that_they_claim_nothing(
    open_lobby: OpenLobby,
) -> None:
    lobby = await open_lobby(timing=replace(QUICK, cut=3600.0))
    anne = await with_bots(lobby, chosen=refereed(match_end="deals:9", players=4))
    table = anne.table
    for _ in range(2):  # where Anne cuts herself, she does at once
        await until(lambda: reckoned(match_of(table)) and match_of(table).cutter != 0)
        before = len(match_of(table).deals)
        await done(table, ANNE, cmd.Next())
        await until(lambda: len(match_of(table).deals) > before)  # noqa: B023


# The log


async def test_a_server_that_begins_anew_in_the_middle_goes_on_from_there(lobby: Lobby) -> None:
    """It does so while a card lies early, while a revoke lies, and after the deal is reckoned."""

    async def again(table: LiveTable) -> LiveTable:
        before = table.state
        await kill(table)
        table = await found(lobby, table.id)
        assert table.state == before
        for who in PEOPLE:
            Player(table, who).plays = False
        return table

    one_deal = refereed(match_end="deals:1")
    table = (await together(lobby, Player, Player, Player, chosen=one_deal, plays=False))[0].table
    await playing(table)
    deal = match_of(table).lying
    early = (deal.turn + 1) % 3
    await act(table, Play(early, cards_in(deal.hands[early])[0]))
    table = await again(table)
    assert match_of(table).lying.lies(early) is not None
    seat, trick = await revoked(table)
    table = await again(table)
    await honestly(table, reckoned)
    table = await again(table)
    await act(table, referee.ClaimRevoke((seat + 1) % 3, seat, trick))
    await act(table, *map(referee.Accept, range(3)))
    await over(table)
    entries = await lobby.store.read(table.id)
    assert fold(decode_happening(entry.data) for entry in entries) == table.state
