"""Deals that are played again by a link: the same for everybody, and results only afterwards."""

from __future__ import annotations

import asyncio
import json
import re
import zipfile
from io import BytesIO
from typing import Final

import pytest
from kit import Guest, Page, Player, Reply, Site, SiteWith, post_form
from kit.boards import (
    Trier,
    begin_try,
    board_page,
    deal_log,
    dealt,
    finish_try,
    last_try,
    press,
    shared,
    tried,
)
from kit.evenings import begun, plan, seated
from kit.evenings import over as evening_over
from kit.evenings import play as play_evening
from kit.studying import begin
from kit.tables import setup
from msgspec.structs import replace

from volte.boards.board import Mark
from volte.boards.keeper import BoardKeeper
from volte.boards.store import Boards
from volte.bots import CHARACTERS
from volte.game import AskUndo, CardsOrigin, MatchStarted, Pass, Phase, TakeBackPass, deck_of
from volte.game.codec import encode
from volte.history.match_page import key_of
from volte.people.store import Account, Accounts
from volte.server.tables.departing import Departures
from volte.table import commands as cmd
from volte.table import decode_happening
from volte.table.happenings import CardsGiven
from volte.wire.messages import Question

HEARTS: Final = setup("dame-de-pique", pass_cycle="left")
HASTY: Final = tuple(key for key, each in CHARACTERS.items() if each.manner.slips)[:2]
"""Bots that draw lots for some of their choices."""


async def account(site: Site, name: str) -> Trier:
    """A new person with an account."""
    person = await Trier.come(site.address, name)
    await site.room.store[Accounts].make(
        Account(person.person, name.casefold(), "hash", 1.0, 1.0), ()
    )
    return person


# The same deal


@pytest.mark.parametrize(
    "levels",
    [
        ("casual", "casual", "casual"),
        ("beginner", *HASTY),
        pytest.param(("strong", "expert", "strong"), marks=pytest.mark.full),
    ],
)
async def test_whoever_plays_alike_meets_the_same_deal_card_by_card(
    site_with: SiteWith, levels: tuple[str, ...]
) -> None:
    """However busy the machine is, and though one of them takes their pass back."""
    site = await site_with()
    zoe, row = await dealt(site, setup=HEARTS, levels=levels)
    board = await shared(zoe, row)
    assert re.fullmatch("[0-9a-f]{32}", board)
    max_, eve = [await Trier.come(site.address, name) for name in ("Max", "Eve")]
    await begin_try(max_, board, 1)
    await max_.play(lambda: max_.match and max_.match.phase is Phase.PASSING)
    assert max_.match is not None
    assert max_.seat is not None
    hand = sorted(max_.view.hand, key=lambda card: card.index)
    assert (await max_.act(Pass(max_.seat, tuple(hand[1:4])))).ok  # as by that whim
    if max_.match.phase is Phase.PASSING:  # a bot has still to pass
        await max_.act(TakeBackPass(max_.seat))
    await begin_try(eve, board, 1)
    await asyncio.gather(max_.play(), eve.play())
    await site.room[BoardKeeper].idle()
    lou = await tried(site, board, "Lou", 2)
    logs = [await deal_log(site, each) for each in (zoe, max_, eve, lou)]
    assert all(each[0].hands == logs[0][0].hands for each in logs)
    assert logs[1] == logs[2] != logs[3]
    page = await board_page(max_, board)
    assert page.wrong == []
    assert "Played exactly as you did." in page.text
    assert "Passed other cards." in page.text


@pytest.mark.parametrize(
    "preset",
    [
        *("coeurs", "cancellation", "salon-six-jokers"),
        pytest.param("coeurs-table", marks=pytest.mark.full),
    ],
)
async def test_every_game_makes_boards_also_with_kitty_packs_jokers_and_referee(
    site_with: SiteWith, preset: str
) -> None:
    site = await site_with(turn_down=1, cut=1)
    table = setup(preset)
    bots = table.rules.players - 1
    zoe, row = await dealt(site, setup=table, levels=("casual",) * bots)
    board = await shared(zoe, row)
    max_ = await tried(site, board, "Max")
    logs = [await deal_log(site, each) for each in (zoe, max_)]
    assert logs[0][0] == logs[1][0]
    assert (await last_try(site, board, max_)).played.points >= -30


# Nobody learns of others' results before their own


def told(reply: Reply) -> str:
    return reply.lasting if reply.status == 200 else ""


async def test_nobody_learns_of_a_result_before_their_own_is_in(site_with: SiteWith) -> None:
    """Not by the pages of the deal, of others' matches and tables, nor by JSON or lists."""
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    max_ = await tried(site, board, "Max", 1)
    assert (await max_.post(f"/deals/{board}/named", {"named": "yes"})).status == 303
    (theirs,) = await site.room.store.matches_at(max_.table)
    eve = await Trier.come(site.address, "Eve")
    nobody = Guest(site.address, "", "", "")
    paths = [
        *(f"/deals/{board}", "/deals", "/matches", "/lobby", "/"),
        *(f"/matches/{theirs.id}{rest}" for rest in ("", "/replay", "/replay/1", "/proof.json")),
        *(f"/matches/{row.id}{rest}" for rest in ("", "/replay", "/record")),
        *(f"/tables/{max_.table}{rest}" for rest in ("", "/replay", "/record", "/people")),
        *("/api/matches", f"/api/matches/{theirs.id}", f"/api/tables/{max_.table}", "/api/tables"),
        f"/api/deals/{board}",
    ]

    async def learned(who: Guest) -> list[str]:
        answers = {path: told(await who.get(path)) for path in paths}
        return [path for path, text in answers.items() if re.search(r"Max\b", text)]

    assert await learned(eve) == []
    assert await learned(nobody) == []
    await begin_try(eve, board)
    await eve.play(eve.view_is_mine)
    assert await learned(eve) == []
    await eve.play()
    await site.room[BoardKeeper].idle()
    assert await learned(eve) == [f"/deals/{board}", f"/api/deals/{board}"]
    assert await learned(nobody) == []


async def test_names_are_those_of_people_who_agree(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    max_, eve = [await tried(site, board, name, 1) for name in ("Max", "Eve")]
    assert "Eve" not in (await board_page(max_, board)).text
    assert "Zoé" not in (await board_page(max_, board)).text
    for person in (zoe, eve):
        assert (await person.post(f"/deals/{board}/named", {"named": "yes"})).status == 303
    text = (await board_page(max_, board)).text
    assert "Eve" in text
    assert "Zoé" in text
    assert (await eve.post(f"/deals/{board}/named", {"named": "no"})).status == 303
    assert "Eve" not in (await board_page(max_, board)).text


async def test_whoever_is_forgotten_in_mid_try_leaves_no_result(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    max_ = await Trier.come(site.address, "Max")
    await begin_try(max_, board)
    await max_.play(max_.view_is_mine)
    person = await site.room.store.person(max_.person)
    assert person is not None
    await site.room[Departures].forget(person)
    await site.room[BoardKeeper].idle()
    found = await site.room.store[Boards].at(max_.table)
    assert found is not None
    assert (found.person, found.finished, found.marks) == ("", None, Mark.BROKEN)
    assert await site.room.store[Boards].unfinished() == []


async def test_ended_addresses_leave_no_room_for_any_number_of_new_ones(
    site_with: SiteWith,
) -> None:
    site = await site_with(tables_per_hour=3)
    zoe, row = await dealt(site)
    for _ in range(2):
        assert (await zoe.post(f"/deals/{await shared(zoe, row)}/end")).status == 303
    reply = await zoe.post("/deals", {"match": row.id, "number": "1"})
    assert reply.status == 429


# Which tries are compared


async def test_the_first_try_of_an_account_counts_and_guests_stand_apart(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    anne, bert = await account(site, "Anne"), await account(site, "Bert")
    for person, whim in ((anne, 1), (bert, 2), (anne, 3)):
        await finish_try(site, person, board, whim)
    await tried(site, board, "Max", 1)
    assert (await last_try(site, board, anne)).marks.split() == [Mark.AGAIN]
    page = await board_page(bert, board)
    sections = {found["id"] for found in page.all("h2") if "id" in found}
    assert {"firsts", "guests", "others"} <= sections
    results = await site.room.store[Boards].results(board)
    firsts = [each.tried.person for each in results if each.tried.compared and not each.tried.guest]
    assert firsts == [anne.person, bert.person]
    hers, his = [each.played.points for each in results if each.tried.person in firsts][:2]
    place = "1 of 2, shared with 1 other" if hers == his else f"{1 + (hers < his)} of 2"
    assert f"Your place: {place}." in page.text


async def test_whoever_sat_at_the_deal_or_has_seen_it_is_marked(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    await finish_try(site, zoe, board)
    assert Mark.SAT in (await last_try(site, board, zoe)).marks.split()
    eve = await Trier.come(site.address, "Eve")
    await begin_try(eve, board)
    await eve.play(eve.view_is_mine)
    assert (await eve.get(f"/matches/{row.id}/replay?key={key_of(row)}")).status == 200
    await eve.play()
    await site.room[BoardKeeper].idle()
    assert (await last_try(site, board, eve)).marks.split() == [Mark.SEEN]
    max_ = await tried(site, board, "Max")
    (theirs,) = await site.room.store.matches_at(max_.table)
    lou = await Trier.come(site.address, "Lou")
    assert (await lou.get(f"/matches/{theirs.id}/proof?key={key_of(theirs)}")).status == 200
    await finish_try(site, lou, board)
    assert (await last_try(site, board, lou)).marks.split() == [Mark.SEEN]


async def test_whoever_has_watched_the_match_is_marked(site_with: SiteWith) -> None:
    site = await site_with()
    zoe = await Trier.begun(site.address)
    eve = await Trier.come(site.address, "Eve")
    await eve.join(zoe.table)
    await zoe.play()
    await eve.leave()
    (row,) = await site.room.store.matches_at(zoe.table)
    board = await shared(zoe, row)
    await finish_try(site, eve, board)
    assert (await last_try(site, board, eve)).marks.split() == [Mark.SEEN]


async def test_whoever_has_seen_the_match_in_a_review_together_is_marked(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board, study = await shared(zoe, row), await begin(zoe, row.id)
    eve = await Trier.come(site.address, "Eve")
    assert (await eve.get(f"/studies/{study}/deals/1")).status == 200
    await finish_try(site, eve, board)
    assert (await last_try(site, board, eve)).marks.split() == [Mark.SEEN]


async def test_boards_of_matches_with_the_same_cards_count_as_one(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    assert (await zoe.do(cmd.DealAgain())).ok
    await zoe.play()
    turned = (await site.room.store.matches_at(zoe.table))[-1]
    boards = [await shared(zoe, each) for each in (row, turned)]
    eve, lou = [await Trier.come(site.address, name) for name in ("Eve", "Lou")]
    for board in boards:
        await finish_try(site, eve, board)
    assert (await last_try(site, boards[1], eve)).marks.split() == [Mark.AGAIN]
    (theirs,) = await site.room.store.matches_at((await last_try(site, boards[1], eve)).table)
    assert (await lou.get(f"/matches/{theirs.id}/replay?key={key_of(theirs)}")).status == 200
    await finish_try(site, lou, boards[0])
    assert (await last_try(site, boards[0], lou)).marks.split() == [Mark.SEEN]
    max_ = await Trier.come(site.address, "Max")  # has both tables open, and plays the later first
    for board in boards:
        await press(max_, board)
    for board in reversed(boards):
        await finish_try(site, max_, board)
    assert (await last_try(site, boards[0], max_)).marks.split() == [Mark.AGAIN]


async def test_a_deal_of_an_evening_has_no_address_before_its_round_is_through_everywhere(
    site_with: SiteWith,
) -> None:
    """Then whoever had the same cards at another table, or has seen or tried them, is marked."""
    site = await site_with(conducting=0.05)
    people = [await Trier.come(site.address, name) for name in ("Ann", "Bob", "Cy", "Di", "Ed")]
    key = await begun(site, people, plan(1))
    tables = {each.person: await seated(site, key, 1, each) for each in people}
    first = tables[people[0].person]
    there = [each for each in people if tables[each.person] == first]
    elsewhere = [each for each in people if tables[each.person] != first]
    assert elsewhere
    await asyncio.gather(*(play_evening(each, first) for each in there))
    (row,) = await site.room.store.matches_at(first)
    refused = await there[0].post("/deals", {"match": row.id, "number": "1"})
    assert refused.status == 403
    await asyncio.gather(*(play_evening(each, tables[each.person]) for each in elsewhere))
    await evening_over(site, key, 1)
    board = await shared(there[0], row)
    await finish_try(site, elsewhere[0], board)
    assert Mark.SAT in (await last_try(site, board, elsewhere[0])).marks.split()
    (other,) = await site.room.store.matches_at(tables[elsewhere[0].person])
    eve, lou = [await Trier.come(site.address, name) for name in ("Eve", "Lou")]
    assert (await eve.get(f"/matches/{other.id}/replay?key={key_of(other)}")).status == 200
    await finish_try(site, eve, board)
    assert (await last_try(site, board, eve)).marks.split() == [Mark.SEEN]
    for each in (await shared(elsewhere[0], other), board):
        await finish_try(site, lou, each)
    assert (await last_try(site, board, lou)).marks.split() == [Mark.AGAIN]


async def test_cards_that_are_dealt_again_have_no_address_until_that_match_is_over(
    site_with: SiteWith,
) -> None:
    """Whoever has a seat in that match alone is marked as having sat at the deal."""
    site = await site_with()
    zoe, row = await dealt(site)
    live = await site.live(zoe.table)
    (deal,) = live.state.dealt
    hands = [hand or () for hand in deal.hands]
    deck = deck_of(hands, deal.kitty or (), deal.dealer)
    await live._append([CardsGiven((deck,), deal.dealer, CardsOrigin(row.id, 1))])
    eve = await Trier.come(site.address, "Eve")
    await eve.join(zoe.table)
    await eve.hurry()
    assert (await eve.do(cmd.Sit(1))).ok
    assert (await zoe.do(cmd.Start())).ok
    refused = await zoe.post("/deals", {"match": row.id, "number": "1"})
    assert refused.status == 403
    assert "being played again" in refused.text
    await asyncio.gather(zoe.play(), eve.play())
    board = await shared(zoe, row)
    await finish_try(site, eve, board)
    assert Mark.SAT in (await last_try(site, board, eve)).marks.split()


async def test_while_cards_are_dealt_again_other_cards_of_the_table_have_addresses(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    zoe, first = await dealt(site)
    assert (await zoe.do(cmd.Start())).ok
    await zoe.play()
    assert (await zoe.do(cmd.DealAgain())).ok
    second = (await site.room.store.matches_at(zoe.table))[1]
    assert (await zoe.post("/deals", {"match": second.id, "number": "1"})).status == 403
    assert await shared(zoe, first)


async def test_a_try_in_which_a_bot_has_played_is_marked(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    max_ = await Trier.come(site.address, "Max")
    await begin_try(max_, board)
    await max_.play(max_.view_is_mine)
    held = len(max_.view.hand)
    assert (await max_.do(cmd.Away())).ok
    await max_.until(lambda: len(max_.view.hand) < held)
    await max_.do(cmd.Back())
    await max_.play()
    await site.room[BoardKeeper].idle()
    assert (await last_try(site, board, max_)).marks.split() == [Mark.HELPED]


# The table


async def test_at_the_table_nothing_is_taken_back_changed_or_hinted(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    max_ = await Trier.come(site.address, "Max")
    await begin_try(max_, board)
    await max_.play(max_.view_is_mine)
    answers = [
        await max_.do(command)
        for command in (
            *(cmd.Act(AskUndo(max_.seat or 0)), cmd.Start(), cmd.Close(), cmd.Invite()),
            *(cmd.Remove(1), cmd.SeatBot(1, "expert"), cmd.Swap(0, 1), cmd.HandOver(1)),
            cmd.Change(setup()),
        )
    ]
    assert [each.refusal and each.refusal.reason for each in answers] == [
        "board_no_undo",
        *["board_stays"] * 8,
    ]
    assert not (await max_.ask(Question.HINT)).ok
    await max_.play()
    assert (await max_.do(cmd.Start())).refusal is not None
    page = Page.of(
        await max_.get(f"/matches/{(await max_.get('/api/matches')).json['matches'][0]['match']}")
    )
    assert page.all("a", href=f"/deals/{board}")


async def test_a_seed_of_bots_and_cards_to_come_are_never_sent(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    found = await site.room.store[Boards].board(board)
    assert found is not None
    max_ = await Trier.come(site.address, "Max")
    await begin_try(max_, board)
    await max_.play()
    (theirs,) = await site.room.store.matches_at(max_.table)
    assert theirs.master == found.master
    sent = list(max_.received.values())
    paths = (f"/deals/{board}", f"/matches/{theirs.id}/proof.json", f"/matches/{theirs.id}/record")
    sent += [(await max_.get(path)).body for path in paths]
    for data in sent:
        assert found.master.hex().encode() not in data
        assert not re.search(rb'"decks":\[\[', data)
    started = next(
        each
        for data in max_.received.values()
        if isinstance(each := decode_happening(data), MatchStarted)
    )
    assert started.cards is not None
    assert started.cards.match == ""  # nobody is told which match the cards are of


# Making and ending


async def test_a_deal_gets_one_address_from_whoever_sat_there_once_the_match_is_over(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    assert await shared(zoe, row) == await shared(zoe, row)
    eve = await Guest.come(site.address, "Eve")
    for number in ("0", "2", "-1", "9" * 400, "x", ""):
        reply = await zoe.post("/deals", {"match": row.id, "number": number})
        assert reply.status == 404, number
    for who, match in ((eve, row.id), (zoe, "f" * 20), (zoe, "é"), (zoe, "")):
        assert (await who.post("/deals", {"match": match, "number": "1"})).status == 404
    going = await Player.begun(site.address, name="Lou", setup=HEARTS)
    await going.play(going.view_is_mine)
    (row,) = await site.room.store.matches_at(going.table)
    assert (await going.post("/deals", {"match": row.id, "number": "1"})).status == 403


async def test_a_try_leads_to_its_own_board(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    max_ = await tried(site, board, "Max")
    (theirs,) = await site.room.store.matches_at(max_.table)
    assert await shared(max_, theirs) == board


async def test_an_address_ends_for_everybody_by_its_maker_alone(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    max_ = await tried(site, board, "Max")
    assert (await max_.post(f"/deals/{board}/end")).status == 403
    assert (await zoe.post(f"/deals/{board}/end")).status == 303
    for who in (zoe, max_):
        for path in ("", "/play", "/named", "/end"):
            assert (await who.get(f"/deals/{board}{path}")).status == 404
            assert path == "" or (await who.post(f"/deals/{board}{path}")).status == 404
    for unknown in ("f" * 32, "%C3%A9", "..%2Fx", "0", "2026-13-01", "1999-01-01", "F" * 32):
        assert (await zoe.get(f"/deals/{unknown}")).status == 404
    again = await shared(zoe, row)
    assert again != board


async def test_tries_count_against_the_limit_on_tables(site_with: SiteWith) -> None:
    site = await site_with(tables_per_hour=3)  # the match, the address, and one try
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    await finish_try(site, zoe, board)
    assert (await zoe.post(f"/deals/{board}/play")).status == 429


async def test_somebody_without_a_session_plays_as_a_guest(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    page = await board_page(Guest(site.address, "", "", ""), board)
    assert page.wrong == []
    fields = {"csrf": page.csrf, "name": "Lou", "lang": "fr"}
    reply = await post_form(site.address, f"/deals/{board}/play", fields, "volte_kept=1")
    assert reply.status == 303, reply.text
    lou = Guest(site.address, reply.cookie, "", "Lou")
    assert (await lou.get("/api/me")).json["name"] == "Lou"
    assert (await lou.get(reply.header("location"))).status == 200


# Nodes, kills, and people who go


async def test_a_deal_is_one_at_all_nodes(site_with: SiteWith, postgres_url: str) -> None:
    a, b = [await site_with(postgres_url, node=node) for node in "ab"]
    zoe, row = await dealt(a)
    zoe.address = b.address
    board = await shared(zoe, row)
    max_, eve = await tried(a, board, "Max", 1), await tried(b, board, "Eve", 1)
    assert await deal_log(a, max_) == await deal_log(b, eve)
    for player, address in ((max_, b.address), (eve, a.address)):
        player.address = address
        assert "Played exactly as you did." in (await board_page(player, board)).text
    days = [await site.room[BoardKeeper].days() for site in (a, b)]
    assert days[0] == days[1]
    lou, late = [await Trier.come(a.address, name) for name in ("Lou", "Late")]
    for player in (lou, late):  # one press at each node, at once
        here, there = player.device(), player.device()
        there.address = b.address
        tables = await asyncio.gather(press(here, board), press(there, board))
        assert len({each.rpartition("/")[2] for each in tables}) == 1


async def test_a_try_goes_on_wherever_the_server_was_killed(site_with: SiteWith) -> None:
    """Between the try and its table; with the match over, and its result not stored."""
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    max_ = await Trier.come(site.address, "Max")

    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("killed")

    store, append = site.room.store, site.room.store.append
    store.append = fail  # type: ignore[method-assign]
    assert (await max_.post(f"/deals/{board}/play")).status == 500
    store.append = append  # type: ignore[method-assign]
    table = await press(max_, board)
    assert table == (await last_try(site, board, max_)).table == await press(max_, board)
    await site.room[BoardKeeper].close()
    await begin_try(max_, board)
    await max_.play()
    assert (await last_try(site, board, max_)).finished is None
    site = await site.anew()
    await site.room[BoardKeeper].idle()
    assert (await last_try(site, board, max_)).finished is not None


async def test_people_take_their_tries_away_and_leave_them_to_nobody(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    max_, eve = [await tried(site, board, name) for name in ("Max", "Eve")]
    reply = await max_.post("/me/data")
    with zipfile.ZipFile(BytesIO(reply.body)) as packed:
        data = json.loads(packed.read("volte.json"))
    assert [each["board"] for each in data["tries"]] == [board]
    found = await site.room.store[Boards].board(board)
    assert found is not None
    for text in (found.master.hex(), eve.person, zoe.person):
        assert text not in json.dumps(data)
    await site.room.store.forget(max_.person)
    people = [each.tried.person for each in await site.room.store[Boards].results(board)]
    assert max_.person not in people
    assert len(people) == 3
    assert (await board_page(eve, board)).status == 200
    await site.room.store.forget(zoe.person)
    assert (await board_page(eve, board)).status == 404


async def test_nobody_makes_a_table_of_a_board_by_hand(site_with: SiteWith) -> None:
    site = await site_with()
    eve = await Guest.come(site.address, "Eve")
    content = {"setup": json.loads(encode(replace(setup(), board="b" * 32))), "levels": ()}
    reply = await eve.post("/api/tables", content)
    assert (reply.status, reply.json["reason"]) == (422, "board_by_hand")
