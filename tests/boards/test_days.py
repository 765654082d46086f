"""The deal of the day: fixed beforehand, the same at all nodes, its secret told afterwards."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from kit import Guest, Page, SiteWith
from kit.boards import Clock, Trier, board_page, by_clock, finish_try, last_try, tried

from volte.boards.board import Mark
from volte.boards.days import AHEAD, WEEK, rules_of_day, term_of_day
from volte.boards.fixed import deal_from, deck_from, digest_of, fixed_board
from volte.boards.keeper import BoardKeeper
from volte.boards.store import Boards
from volte.game import Dealt, hands_of
from volte.rules import Direction, described, make_ruleset
from volte.table import decode_happening

ROOT: Final = Path(__file__).parents[2]
NOON: Final = datetime(2026, 12, 1, 12, tzinfo=UTC).timestamp()
DAY: Final = 86_400.0
TODAY: Final = date(2026, 12, 1)


# The rules of the days, and the cards


def test_the_cards_follow_from_the_secret_as_docs_fair_says() -> None:
    """The test vector of docs/fair.md."""
    secret = bytes(range(32))
    digest = digest_of(term_of_day(TODAY), secret).hex()
    parts = (b"volte deal of the day 1", b"2026-12-01", secret)
    fields = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    assert digest == hashlib.sha256(fields).hexdigest()
    deck = deck_from(term_of_day(TODAY), secret, rules_of_day(TODAY))
    vector = f"digest: {digest}\ndeck: {' '.join(card.text for card in deck)}\n"
    assert vector in (ROOT / "docs" / "fair.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("ahead", range(0, 70, 3))
def test_every_day_has_one_deal_of_the_preset_of_its_weekday(ahead: int) -> None:
    day = TODAY + timedelta(ahead)
    rules, usual = rules_of_day(day), make_ruleset(WEEK[day.weekday()])
    assert set(described(rules)[1]) <= {"match_end", "pass_cycle", "players"}
    assert rules.passing.cycle[0] in usual.passing.cycle
    assert (rules.players, rules.hand_size) == (usual.players, usual.hand_size)
    deal = deal_from(term_of_day(day), bytes(32), rules)
    assert sorted(deal.deck) == sorted(usual.cards)
    assert deal.levels == ("", *["casual"] * (rules.players - 1))


def test_the_direction_of_the_pass_changes_by_weeks() -> None:
    tuesdays = [rules_of_day(TODAY + timedelta(7 * week - 1)).direction(1) for week in range(4)]
    assert {*tuesdays} == {Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.HOLD}


# Told before and after, and nothing between


async def test_digest_and_rules_are_told_a_week_ahead_and_the_secret_afterwards(
    site_with: SiteWith, caplog: pytest.LogCaptureFixture
) -> None:
    """The day is over at midnight UTC, to the second, and the secret waits for a second look."""
    caplog.set_level(logging.DEBUG)
    site = await site_with(second_look=600)
    clock = Clock(NOON)
    by_clock(site, clock)
    keeper, boards = site.room[BoardKeeper], site.room.store[Boards]
    await keeper.look()
    zoe = await Guest.come(site.address)
    last = (TODAY + timedelta(AHEAD)).isoformat()
    board = await boards.board(last)
    assert board is not None
    digest, secret = (
        digest_of(term_of_day(TODAY + timedelta(AHEAD)), board.secret).hex(),
        board.secret.hex(),
    )
    seen = [await zoe.get(f"/deals/{last}"), await zoe.get("/deals")]
    assert digest in seen[0].text
    assert Page.of(seen[0]).wrong == Page.of(seen[1]).wrong == []
    assert (await zoe.get(f"/deals/{TODAY + timedelta(AHEAD + 1)}")).status == 404
    assert (await zoe.post(f"/deals/{last}/play")).status == 403
    clock.pass_by(AHEAD * DAY)
    lou = await tried(site, last, "Lou")
    seen += [await lou.get(f"/deals/{last}"), await lou.get("/me/data"), await lou.post("/me/data")]
    clock.pass_by(DAY / 2 - 1)  # a second before midnight
    await keeper.look()
    seen.append(await zoe.get(f"/deals/{last}"))
    clock.pass_by(2)
    await keeper.look()
    seen.append(await zoe.get(f"/deals/{last}"))
    assert not any(secret in each.body.decode(errors="replace") for each in seen)
    assert secret not in caplog.text
    clock.pass_by(601)
    await keeper.look()
    assert secret in (await zoe.get(f"/deals/{last}")).text
    assert (await zoe.get("/deals/today")).header("location") == (
        f"/deals/{TODAY + timedelta(AHEAD + 1)}"
    )


async def test_a_clock_that_is_set_ahead_opens_no_day_and_tells_no_secret(
    site_with: SiteWith,
) -> None:
    site = await site_with(second_look=600)
    clock = Clock(NOON)
    by_clock(site, clock)
    keeper = site.room[BoardKeeper]
    today = (await keeper.days())[0]
    zoe = await Guest.come(site.address)
    clock.wall += 3 * DAY
    await keeper.look()
    assert (await zoe.get("/deals/today")).header("location") == f"/deals/{today.id}"
    tomorrow = (TODAY + timedelta(1)).isoformat()
    assert (await zoe.post(f"/deals/{tomorrow}/play")).status == 403
    clock.pass_by(500)
    await keeper.look()
    clock.wall -= 3 * DAY
    clock.pass_by(700)
    await keeper.look()
    board = await site.room.store[Boards].board(today.id)
    assert board is not None
    assert board.told is None


async def test_the_cards_of_a_day_are_dealt_and_count_until_it_is_over(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    now = site.room.store.second_look.now()
    clock = Clock(now)
    by_clock(site, clock)
    keeper = site.room[BoardKeeper]
    (today, *_) = await keeper.days()
    max_ = await tried(site, today.id, "Max", 1)
    entries = await site.room.store.read(max_.table)
    happenings = [decode_happening(each.data) for each in entries]
    deal = next(each for each in happenings if isinstance(each, Dealt))
    hands, _ = hands_of(today.deal.deck, today.deal.rules.players, today.deal.dealer)
    assert deal.hands == hands
    assert (await last_try(site, today.id, max_)).marks == ""
    clock.pass_by(DAY)
    late = await Trier.come(site.address, "Late")
    await finish_try(site, late, today.id)
    assert (await last_try(site, today.id, late)).marks.split() == [Mark.AFTER]
    assert "the day was over" in (await board_page(max_, today.id)).text


async def test_all_nodes_have_the_same_deals(site_with: SiteWith) -> None:
    site = await site_with()
    store = site.room.store
    keepers = [BoardKeeper(store, site.room[BoardKeeper]._evenings) for _ in range(4)]
    clock = Clock(NOON + 400 * DAY)
    by_clock(site, clock)
    found = await asyncio.gather(*(keeper.days() for keeper in keepers))
    assert all(days == found[0] for days in found)
    assert len({board.secret for board in found[0]}) == AHEAD + 1
    made = fixed_board(term_of_day(TODAY), rules_of_day(TODAY), NOON)
    assert made.secret != made.master
