"""The deal of the week of a club: for its members, fixed beforehand, its secret told afterwards."""

from __future__ import annotations

from datetime import date
from typing import Final

import pytest
from kit import Guest, Page, SiteWith
from kit.boards import Clock, Trier, board_page, by_clock, finish_try, last_try
from kit.evenings import plan, who
from msgspec.structs import replace

from volte.boards.board import Mark
from volte.boards.fixed import DealTerm, digest_of, term_of
from volte.boards.keeper import BoardKeeper
from volte.boards.store import Boards
from volte.boards.weeks import weeks_told
from volte.evenings.conducting import Evenings
from volte.evenings.store import Clubs
from volte.rules import make_ruleset

NOW: Final = 1_796_126_400.0  # Tuesday, 1 December 2026, at noon
DAY: Final = 86_400.0


async def club_of(guest: Guest) -> str:
    """The id of a club that somebody founds."""
    reply = await guest.post("/clubs/new", {"name": "Club"})
    return reply.header("location").partition("?")[0].removeprefix("/clubs/")


@pytest.mark.parametrize(
    ("today", "named"),
    [
        (date(2026, 12, 1), ("2026-W49", "2026-W50")),
        (date(2027, 1, 3), ("2026-W53", "2027-W01")),
        (date(2027, 1, 4), ("2027-W01", "2027-W02")),
    ],
)
def test_weeks_are_those_of_iso_8601(today: date, named: tuple[str, str]) -> None:
    told = weeks_told("c1ab", today)
    assert tuple(each.board for each in told) == tuple(f"c1ab-{week}" for week in named)
    assert [term_of(each.board) for each in told] == told
    assert told[0].first <= today < told[1].first
    assert told[0].ends == told[1].begins


async def test_members_play_the_deal_of_their_week_and_others_find_none(
    site_with: SiteWith,
) -> None:
    """Digest and rules are told in the week before, the secret after a second look."""
    site = await site_with(second_look=600)
    clock = Clock(NOW)
    by_clock(site, clock)
    keeper, store = site.room[BoardKeeper], site.room.store
    zoe, max_ = [await Trier.come(site.address, name) for name in ("Zoé", "Max")]
    club = await club_of(zoe)
    path = f"/clubs/{club}/deals"
    assert Page.of(await zoe.get(path)).wrong == []
    assert Page.of(await zoe.get(f"/clubs/{club}")).wrong == []
    this, following = weeks_told(club, keeper.today())
    board = await store[Boards].board(this.board)
    assert board is not None
    secret, digest = board.secret.hex(), digest_of(this, board.secret).hex()
    hidden = [f"/deals/{this.board}", f"/api/deals/{this.board}", path]
    for guest in (max_, Guest(site.address, "", "", "")):
        for address in hidden:
            reply = await guest.get(address)
            assert reply.status in (401, 403, 404) or not guest.person, address
            assert digest not in reply.text
    assert (await max_.post(f"/deals/{this.board}/play")).status == 404
    assert (await zoe.post(f"/deals/{following.board}/play")).status == 403
    later = DealTerm(f"{club}-2026-W51", club, date(2026, 12, 14))
    assert (await zoe.get(f"/deals/{later.board}")).status == 404
    await store[Clubs].admit(club, max_.person)
    assert digest in (await max_.get(f"/deals/{this.board}")).text
    await finish_try(site, max_, this.board)
    assert (await last_try(site, this.board, max_)).marks == ""
    assert "Max" not in (await board_page(zoe, this.board)).text
    assert "in this deal." in Page.of(await max_.get(path)).text
    clock.pass_by(6 * DAY)  # Monday at noon
    seen = [(await zoe.get(f"/deals/{this.board}")).text, (await zoe.get(path)).text]
    assert "Earlier weeks" in seen[1]
    assert not any(secret in text for text in seen)
    await keeper.look()
    clock.pass_by(601)
    await keeper.look()
    assert secret in (await zoe.get(f"/deals/{this.board}")).text
    await finish_try(site, zoe, this.board)
    assert (await last_try(site, this.board, zoe)).marks == Mark.AFTER
    assert "the week was over" in (await board_page(max_, this.board)).text
    assert (await zoe.post(f"/clubs/{club}/do", {"do": "dissolve"})).status == 303
    assert (await zoe.get(f"/deals/{this.board}")).status == 404


async def test_the_game_of_the_week_is_that_of_the_latest_evening(site_with: SiteWith) -> None:
    site = await site_with()
    zoe = await Guest.come(site.address)
    club = await club_of(zoe)
    rules = make_ruleset("omnibus", {"match_end": "deals:2", "ties": "share"})
    await site.room[Evenings].plan(replace(plan(), club=club, rules=rules), who(zoe))
    this, _ = weeks_told(club, site.room[BoardKeeper].today())
    assert "Omnibus" in (await board_page(zoe, this.board)).text
    board = await site.room.store[Boards].board(this.board)
    assert board is not None
    assert board.deal.rules.points == rules.points
