"""Refereed tables, live: people who err, people who notice, and bots among them (I1–I9)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace
from table.people import (
    ANNE,
    BERT,
    CARA,
    QUICK,
    Player,
    done,
    found,
    kill,
    kinds,
    room,
    seated,
    setup,
    until,
)

from volte import game, referee
from volte.cards import SUIT_MASKS, cards_in
from volte.fair import Verdict
from volte.game import MatchState, Phase, Play
from volte.notation.prove import prove_record
from volte.notation.reader import check_record
from volte.notation.writer import format_record
from volte.referee import (
    Accept,
    Accepted,
    ClaimRevoke,
    Cut,
    Object,
    RefereedMatch,
    RevokeClaimed,
    SeatAction,
    TakeBack,
    TakenBack,
    TurnDown,
)
from volte.table import Setup, Someone, Why, fold
from volte.table import commands as cmd
from volte.table.happenings import TableEvent, decode_happening
from volte.table.live import LiveTable
from volte.table.stored import CommandReply
from volte.view import project

PEOPLE: Final = (ANNE, BERT, CARA)


def refereed(**options: Any) -> Setup:
    """Three seats, and nothing is passed."""
    usual = {"players": 3, "pass_count": 0, "match_end": "deals:2", **options}
    return setup("coeurs-table", **usual)


def match_of(table: LiveTable) -> RefereedMatch:
    match = table.state.match
    assert isinstance(match, RefereedMatch)
    return match


async def ask(table: LiveTable, action: SeatAction, seen: int | None = None) -> CommandReply:
    """What becomes of it when whoever sits there does that."""
    seat = table.state.seats[action.seat]
    number = table.state.version if seen is None else seen
    return await table.do(Someone(seat.person, seat.name), cmd.Act(action), number)


async def act(table: LiveTable, action: SeatAction) -> None:
    """The same; it is done."""
    reply = await ask(table, action)
    assert reply.refusal is None, (action, reply.refusal)


async def refused(table: LiveTable, action: SeatAction, seen: int | None = None) -> str:
    """The same; it is refused, for that reason."""
    reply = await ask(table, action, seen)
    assert reply.refusal is not None, action
    return reply.refusal.reason


async def honestly(table: LiveTable, where: Callable[[RefereedMatch], object]) -> None:
    """People do the first lawful thing that the match waits for, until it is there."""
    while not where(match_of(table)):
        await until(lambda: referee.to_act(match_of(table)) or not table.state.under_way)
        if where(match_of(table)):
            return
        seat = referee.to_act(match_of(table))[0]
        await act(table, referee.legal_actions(match_of(table), seat)[0])


def over(match: RefereedMatch) -> bool:
    return match.reckoned is not None


def revoke(match: RefereedMatch) -> Play | None:
    """A card of another suit, of the seat on turn, though it can follow."""
    if match.phase is not Phase.PLAYING or over(match) or match.lying.full:
        return None
    deal = match.lying
    hand = deal.hands[deal.turn]
    follows = hand & SUIT_MASKS[deal.led] if deal.led is not None else 0
    return Play(deal.turn, cards_in(hand ^ follows)[0]) if follows and hand ^ follows else None


async def revoked(table: LiveTable) -> tuple[int, int]:
    """Somebody has revoked, and their card lies there: the seat, and the number of the trick."""
    await honestly(table, revoke)
    wrong = revoke(match_of(table))
    assert wrong is not None
    trick = match_of(table).lying.trick_number
    await act(table, wrong)
    return wrong.seat, trick


async def gathered(table: LiveTable) -> tuple[int, int]:
    """The same, and the trick is turned down."""
    seat, trick = await revoked(table)
    await honestly(table, lambda match: match.lying.trick_number > trick)
    return seat, trick


def there(table: LiveTable) -> list[Player]:
    """Three people who do nothing by themselves but shuffle."""
    guests = [Player(table, who) for who in PEOPLE]
    for guest in guests:
        guest.plays = False
    return guests


@asynccontextmanager
async def three(folder: Path, **options: Any) -> AsyncIterator[tuple[LiveTable, list[Player]]]:
    """A table of three such people, dealt."""
    async with room(folder) as lobby:
        table = await lobby.open(refereed(**options), ANNE)
        guests = there(table)
        await seated(table, *guests)
        await done(table, ANNE, cmd.Start())
        await until(lambda: match_of(table).phase is Phase.PLAYING)
        yield table, guests
        await until(lambda: all(g.state.version == table.state.version for g in guests))
        for seat, guest in enumerate(guests):
            assert guest.match == project(match_of(table), seat)
            await guest.leave()


async def test_I4_a_revoke_is_put_right_in_time(tmp_path: Path) -> None:
    async with three(tmp_path) as (table, guests):
        seat, _ = await revoked(table)
        await act(table, TakeBack(seat))
        await honestly(table, over)
        assert not match_of(table).lying.breaches
        assert [event.clause for event in kinds(guests[0], TakenBack)] == ["I4"]  # type: ignore[attr-defined]
        assert match_of(table).lying.offenders == ()


async def test_I5_I6_a_revoke_is_claimed_in_time(tmp_path: Path) -> None:
    async with three(tmp_path) as (table, _):
        seat, trick = await gathered(table)
        other = (seat + 1) % 3
        await act(table, ClaimRevoke(other, seat, trick))
        assert match_of(table).lying.offenders == (seat,)
        await act(table, Cut(match_of(table).cutter))
        total = match_of(table).rules.penalty_total
        assert match_of(table).deals[0].points[seat] == total == sum(match_of(table).totals)
        await until(lambda: match_of(table).phase is Phase.PLAYING)
        assert match_of(table).lying.number == 2


async def test_I6_after_the_cut_it_is_too_late(tmp_path: Path) -> None:
    async with three(tmp_path) as (table, _):
        seat, trick = await gathered(table)
        claim = ClaimRevoke((seat + 1) % 3, seat, trick)
        await honestly(table, over)
        seen = table.state.version
        await act(table, Cut(match_of(table).cutter))
        assert await refused(table, claim, seen) == "too_late_to_claim"
        await until(lambda: match_of(table).phase is Phase.PLAYING)
        assert await refused(table, claim, seen) == "too_late_to_claim"
        assert await refused(table, claim) == "no_such_trick"
        assert match_of(table).offenders == ((),)


async def test_I6_after_the_last_deal_it_is_claimed_until_all_have_accepted(tmp_path: Path) -> None:
    async with three(tmp_path, match_end="deals:1") as (table, guests):
        seat, trick = await gathered(table)
        claim = ClaimRevoke((seat + 1) % 3, seat, trick)
        await honestly(table, over)
        await act(table, Accept(0))
        await act(table, Accept(1))
        await act(table, claim)
        for each in range(3):
            await act(table, Accept(each))
        await until(lambda: not table.state.under_way)
        assert match_of(table).offenders == ((seat,),)
        assert await refused(table, claim) == "no_match"
        assert len(kinds(guests[0], Accepted)) == 5
        assert kinds(guests[0], game.Revealed), "the last secret is told"


async def test_I9_a_false_claim_is_recorded_and_the_deal_goes_on(tmp_path: Path) -> None:
    async with three(tmp_path) as (table, guests):
        seat, trick = await gathered(table)
        innocent = (seat + 1) % 3
        await act(table, ClaimRevoke(seat, innocent, trick))
        await honestly(table, over)
        assert match_of(table).lying.offenders == ()
        assert kinds(guests[0], RevokeClaimed) == [RevokeClaimed(seat, innocent, trick, "")]


async def test_I2_a_premature_card_is_asked_back(tmp_path: Path) -> None:
    async with three(tmp_path) as (table, _):
        deal = match_of(table).lying
        early = (deal.turn + 2) % 3
        card = cards_in(deal.hands[early])[0]
        await honestly(table, lambda match: match.lying.trick)
        await act(table, Play(early, card))
        await act(table, Object(deal.turn, early))
        assert match_of(table).lying.hands[early] & card.bit
        assert await refused(table, Play(early, card)) == "not_your_turn"
        await honestly(table, over)


async def test_D3_every_shuffle_is_proved_at_a_refereed_table_as_well(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(refereed(), ANNE)
        guests = [Revoking(table, ANNE), Player(table, BERT)]
        await seated(table, *guests)
        await done(table, ANNE, cmd.Start())
        await until(lambda: not table.state.under_way)
        told = [decode_happening(entry.data) for entry in await lobby.store.read(table.id)]
        log = tuple(each for each in told if not isinstance(each, TableEvent))
        report = check_record(format_record(log))
        assert report.record is not None, report.fault
        assert report.record.log == log
        assert [proof.verdict for proof in prove_record(report.record)] == [Verdict.PROVED] * 2
        for guest in guests:
            await guest.leave()


# With bots


class Honest(Player):
    """Plays, and neither turns down nor cuts nor accepts."""

    def chosen(self, seat: int, match: MatchState) -> SeatAction | None:
        action = super().chosen(seat, match)
        return None if isinstance(action, TurnDown | Cut | Accept) else action


@pytest.mark.parametrize("seats", range(3, 8))
async def test_I4_I6_bots_and_an_empty_clock_carry_the_deal_on(seats: int, tmp_path: Path) -> None:
    """Anne does nothing but play: her clock turns down, cuts and accepts for her."""

    async with room(tmp_path, replace(QUICK, tick=0.001)) as lobby:
        chosen = refereed(players=seats, clock=30)
        table = await lobby.open(chosen, ANNE)
        anne = Honest(table, ANNE)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: not table.state.under_way)
        assert match_of(table).phase is Phase.ENDED
        await until(lambda: len(kinds(anne, game.Revealed)) == 2)  # she hears a little later
        assert {event.seat for event in kinds(anne, Accepted)} == set(range(seats))  # type: ignore[attr-defined]
        await anne.leave()


async def test_I6_whoever_is_away_accepts_by_their_stand_in(tmp_path: Path) -> None:
    async with three(tmp_path, match_end="deals:1") as (table, guests):
        await honestly(table, over)
        await done(table, CARA, cmd.Away())
        await act(table, Accept(0))
        await act(table, Accept(1))
        await until(lambda: not table.state.under_way)
        assert table.state.seats[2].stand_in is Why.OWN
        assert Accepted(2) in kinds(guests[0], Accepted)


class Revoking(Player):
    """Revokes whenever it is possible."""

    def chosen(self, seat: int, match: MatchState) -> SeatAction | None:
        assert isinstance(match, RefereedMatch)
        wrong = revoke(match)
        return wrong if wrong is not None and wrong.seat == seat else super().chosen(seat, match)


async def test_I9_bots_claim_what_the_cards_have_proved_and_nothing_else(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(refereed(match_end="deals:4", players=4), ANNE)
        anne, bert = Revoking(table, ANNE), Player(table, BERT)
        await seated(table, anne, bert)
        await done(table, ANNE, cmd.Start())
        await until(lambda: not table.state.under_way)
        await until(lambda: bert.state.version == table.state.version)
        claims = kinds(bert, RevokeClaimed)
        assert claims
        assert all(each.clause and each.against == 0 for each in claims)  # type: ignore[attr-defined]
        deals = match_of(table).offenders
        assert len(claims) == sum(map(len, deals)), "once a deal"
        assert all(who in ((), (0,)) for who in deals)
        await anne.leave()
        await bert.leave()


async def test_I9_a_stand_in_claims_as_a_bot_does_and_no_bot_claims_against_its_own_seat(
    tmp_path: Path,
) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(refereed(match_end="deals:3"), ANNE)
        anne, bert = Revoking(table, ANNE), Player(table, BERT)
        await seated(table, anne, bert)
        await done(table, CARA, cmd.Sit(2))
        await done(table, ANNE, cmd.Start())
        await done(table, CARA, cmd.Away())
        await until(lambda: not table.state.under_way)
        await until(lambda: bert.state.version == table.state.version)
        assert {each.seat for each in kinds(bert, RevokeClaimed)} == {2}  # type: ignore[attr-defined]
        await anne.leave()
        await bert.leave()


async def test_the_next_deal_comes_soon_once_all_people_say_that_they_claim_nothing(
    tmp_path: Path,
) -> None:
    async with room(tmp_path, replace(QUICK, cut=3600.0)) as lobby:
        table = await lobby.open(refereed(match_end="deals:9", players=4), ANNE)
        anne = Player(table, ANNE)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        for _ in range(2):  # where Anne cuts herself, she does at once
            await until(lambda: over(match_of(table)) and match_of(table).cutter != 0)
            before = len(match_of(table).deals)
            await done(table, ANNE, cmd.Next())
            await until(lambda: len(match_of(table).deals) > before)  # noqa: B023
        await anne.leave()


# The log


async def test_a_server_that_begins_anew_in_the_middle_goes_on_from_there(tmp_path: Path) -> None:
    """While a card lies early, while a revoke lies there, and while the deal is talked about."""

    async def again(lobby: Any, table: LiveTable) -> LiveTable:
        before = table.state
        await kill(table)
        table = await found(lobby, table.id)
        assert table.state == before
        return table

    async with room(tmp_path) as lobby:
        table = await lobby.open(refereed(match_end="deals:1"), ANNE)
        for seat, who in enumerate(PEOPLE):
            await done(table, who, cmd.Sit(seat))
        guests = there(table)
        await done(table, ANNE, cmd.Start())
        await until(lambda: match_of(table).phase is Phase.PLAYING)
        deal = match_of(table).lying
        early = (deal.turn + 1) % 3
        await act(table, Play(early, cards_in(deal.hands[early])[0]))
        table = await again(lobby, table)
        guests = there(table)
        assert match_of(table).lying.lies(early) is not None
        seat, trick = await revoked(table)
        table = await again(lobby, table)
        guests = there(table)
        await honestly(table, over)
        table = await again(lobby, table)
        guests = there(table)
        await act(table, ClaimRevoke((seat + 1) % 3, seat, trick))
        for each in range(3):
            await act(table, Accept(each))
        await until(lambda: not table.state.under_way)
        entries = await lobby.store.read(table.id)
        assert fold(decode_happening(entry.data) for entry in entries) == table.state
        for guest in guests:
            await guest.leave()
