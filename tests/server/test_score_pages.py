"""The score-keeper's pages without a script: plain forms, and one sentence for what is wrong."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from kit import Page, Playroom, Process, Visitor
from kit.doors import LoneVisitor
from kit.sheet_pages import NAMES, begin, entry, filled_form, form_of, press, write
from kit.strategies import few, in_full

from volte.scorekeeper import model
from volte.scorekeeper.model import parse_sheet
from volte.scorekeeper.web.sheets import MOST_SHEETS


@pytest.fixture
def keeper(request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Somebody at a server, in tests that name one; or in a browser without one."""
    at_server = "playroom" in request.fixturenames or getattr(request, "param", "") == "server"
    with Visitor(request.getfixturevalue("playroom").address) if at_server else LoneVisitor() as it:
        it.come_in()
        yield it


BOTH: Final = pytest.mark.parametrize("keeper", ["server", "alone"], indirect=True)


def watched(page: Page) -> str:
    """The address for watching, without its host."""
    return httpx.URL(page.all("input", id="watch-address")[0]["value"]).path


def lines(page: Page) -> int:
    """Number of rows of the sheet."""
    return len(page.all("th", scope="row")) - (2 if "Stakes −" in page.text else 1)


# The wider family


def test_W10_partners_have_a_field_and_a_column_for_each_side(keeper: Visitor) -> None:
    sheet = begin(keeper, "partnership", moon_by="side")
    page = keeper.get(sheet)
    assert "Anne and Zoé" in page.text
    assert not page.all("input", id="count-2")
    page = write(keeper, sheet, 5, "", queen="1")
    assert "Points: Anne and Zoé 5; Jean and Luc 21. In all: 26." in page.text
    page = write(keeper, sheet, do="moon-1")
    assert "Jean and Luc have shot the moon" in page.text
    page = keeper.get(f"{sheet}/lines/1")
    assert page.value("count-0") == "5"


def test_W5_W6_W7_other_cards_no_trick_and_the_way_of_a_moon(keeper: Visitor) -> None:
    rules = {"moon": "shooter_chooses", "no_tricks": "-5", "card_points": "KS=10"}
    sheet = begin(keeper, "dame-de-pique", **rules)
    fields = {"queen": "0", "card-KS-0": "0"}
    page = write(keeper, sheet, 13, 0, 0, 0, **fields)
    assert "Which players took no trick at all?" in page.text
    fields |= {"trickless": "nobody"}
    page = write(keeper, sheet, 13, 0, 0, 0, **fields)
    assert "minus for that player, or plus for the others?" in page.text
    page = write(keeper, sheet, 13, 0, 0, 0, **fields, way="minus")
    assert "moon, points off" in page.text
    assert "−36" in page.text
    page = write(keeper, sheet, 3, 4, 6, "", queen="3")
    assert "Who took the king of spades?" in page.text


def test_W11_each_of_two_queens_has_a_field(keeper: Visitor) -> None:
    page = keeper.post("/score/new", {"preset": "cancellation", "players": "8", "do": "preset"})
    named = {f"seat{seat}": name for seat, name in enumerate("ABCDEFGH")}
    form = {**page.fields("table-form"), **named, "dealer": "0", "do": "open"}
    sheet = keeper.post("/score/new", form).answer.url.path
    fields = {"card-QS-0": "1", "card-QS-1": "7"}
    page = write(keeper, sheet, 4, 4, 4, 4, 4, 4, 2, "", **fields)
    assert "H the queen of spades." in page.text
    assert "Points: 4, 17, 4, 4, 4, 4, 2, 13. In all: 52." in page.text


# An evening


@BOTH
def test_the_whole_evening_without_a_script(keeper: Visitor) -> None:
    sheet = begin(keeper, stake="0,25", currency="EUR")
    page = write(keeper, sheet, 4, 5, 2, "", queen="0")
    assert "Written down. Deal 1." in page.text
    assert "Dealer Jean" in page.text.replace("Dealer: ", "Dealer ")
    write(keeper, sheet, 4, 5, 4, "", queen="1")
    assert "Zoé has shot the moon" in write(keeper, sheet, do="moon-2").text
    assert "Misdeal" in write(keeper, sheet, do="exposed").text
    assert "Revoke: Luc." in write(keeper, sheet, do="stopped", revoked="3").text
    page = write(keeper, sheet, 3, 1, 9, "", queen="0")
    assert "Zoé wins the match with 15 points." in page.text
    assert "The average total is 45.5: Anne " in page.text
    for owed in ("Anne pays 17 stakes (€4.25) to Zoé", "Luc pays 8 stakes (€2.00) to Zoé"):
        assert owed in page.text
    page = press(keeper, sheet, "accept")
    assert "Everybody agrees: the match is settled." in page.text
    after = press(keeper, sheet, "next")
    assert after.answer.url.path != sheet
    assert "The sheet is still empty." in after.text
    assert "Dealer Zoé" in after.text  # after Jean, who dealt last (D2)


def test_every_deal_says_who_deals_cuts_leads_and_where_cards_go(keeper: Visitor) -> None:
    page = keeper.get(begin(keeper))
    told = "Dealer Anne Who cuts Luc Who leads Jean Cards to pass 3, to the left"
    assert told in page.text


def test_points_instead_of_cards(keeper: Visitor) -> None:
    sheet = begin(keeper)
    page = write(keeper, sheet, 17, 5, 2, "", by="points")
    assert "Points: Anne 17; Jean 5; Zoé 2; Luc 2. In all: 26." in page.text
    again = keeper.get(sheet)
    assert again.value("by") == "points"  # asked for so the next time
    assert again.all("input", id="count-0")[0]["inputmode"] == "numeric"
    assert keeper.get(f"{sheet}?by=cards").value("by") == "cards"


# Faults


def test_points_typed_as_hearts_come_back_as_points(keeper: Visitor) -> None:
    sheet = begin(keeper, "coeurs")
    page = keeper.post(f"{sheet}/deal", entry(keeper.get(sheet), 1, 5, 17, 2))
    assert page.status == 422
    assert "These numbers cannot be hearts, but they can be points" in page.text
    assert [page.value(f"count-{seat}") for seat in range(4)] == ["1", "5", "17", "2"]
    page = keeper.post(f"{sheet}/deal", page.fields("deal-form") | {"do": "write"})
    assert page.all("a", href=f"{sheet}/lines/1")


def test_I5_nobody_is_named(keeper: Visitor) -> None:
    page = write(keeper, begin(keeper), do="stopped")
    assert page.status == 422
    assert "Nobody is named" in page.text


@pytest.mark.parametrize(
    "do", ["", "moon-9", *in_full("moon-", "draw", "accept", "reopen", "dealer-6")]
)
def test_forms_that_no_page_has_are_refused(playroom: Playroom, keeper: Visitor, do: str) -> None:
    sheet = begin(keeper)
    assert write(keeper, sheet, do=do).status == 422
    assert press(keeper, sheet, do).status in (400, 422)
    assert "The sheet is still empty." in keeper.get(sheet).text


@pytest.mark.parametrize(
    "broken", [{"version": "x"}, {"nonce": ""}, {"version": "²"}, {"nonce": "é" * 5}]
)
def test_a_form_without_its_version_or_key_is_refused(
    playroom: Playroom, keeper: Visitor, broken: dict[str, str]
) -> None:
    sheet = begin(keeper)
    page = keeper.post(f"{sheet}/deal", entry(keeper.get(sheet), 4, 9, 0, 0, queen="0") | broken)
    assert page.status == 400


HOSTILE = (
    '"><xss a=1>',
    *(
        pytest.param(each, marks=pytest.mark.full)
        for each in (*("\x00", "\u202e", "é" * 300, "9" * 900, "-1", "1e400", "²", "NaN"),)
    ),
)


@pytest.mark.parametrize("value", HOSTILE)
def test_whatever_stands_in_a_field_nothing_fails_and_nothing_becomes_html(
    playroom: Playroom, keeper: Visitor, value: str
) -> None:
    sheet = begin(keeper)
    write(keeper, sheet, 4, 9, 0, 0, queen="0")
    forms: dict[str, dict[str, Any]] = {
        "/score/new": filled_form(keeper, "coeurs"),
        f"{sheet}/deal": entry(keeper.get(sheet), 1, 2, 3, 7, queen="0", revoked="0")
        | dict.fromkeys(("jack", "all_tricks", "missing"), ""),
        f"{sheet}/lines/1": entry(keeper.get(f"{sheet}/lines/1"), 5, 8, 0, 0, reason="", queen="0"),
        f"{sheet}/head": keeper.get(f"{sheet}/head").fields("head-form"),
        f"{sheet}/do": form_of(keeper.get(sheet)) | {"do": "draw", "share-0": "x"},
    }
    for path, fields in forms.items():
        for name in [*fields][:: few(3, 1)]:
            page = keeper.post(path, fields | {name: value})
            assert page.status < 500, (path, name)
            assert "<xss" not in page.answer.text, (path, name)
    assert keeper.get(f"{sheet}/print").status == 200


# Once, and in order


@BOTH
def test_a_form_sent_twice_is_written_once(keeper: Visitor) -> None:
    sheet = begin(keeper)
    sent = entry(keeper.get(sheet), 4, 9, 0, 0, queen="0")
    assert lines(keeper.post(f"{sheet}/deal", sent)) == 1
    again = keeper.post(f"{sheet}/deal", sent)
    assert again.status == 200
    assert lines(again) == 1


@BOTH
def test_of_two_devices_the_second_gets_a_sentence_and_the_fresh_sheet(keeper: Visitor) -> None:
    sheet = begin(keeper)
    one, other = keeper.get(sheet), keeper.get(sheet)
    keeper.post(f"{sheet}/deal", entry(one, 4, 9, 0, 0, queen="0"))
    late = keeper.post(f"{sheet}/deal", entry(other, 1, 2, 3, 7, queen="2"))
    assert late.status == 409
    assert "Somebody else has written on this sheet" in late.text
    assert "Deal 2" in late.text
    assert [late.value(f"count-{seat}") for seat in range(4)] == ["1", "2", "3", "7"]
    assert lines(late) == 1
    again = keeper.post(f"{sheet}/deal", entry(late, 1, 2, 3, 7, queen="2"))
    assert lines(again) == 2


def test_the_last_entry_is_taken_back(keeper: Visitor) -> None:
    sheet = begin(keeper)
    write(keeper, sheet, 4, 9, 0, 0, queen="0")
    page = press(keeper, sheet, "undo")
    assert "The last entry has been undone." in page.text
    assert "The sheet is still empty." in page.text


@BOTH
def test_a_correction_stays_on_record(keeper: Visitor) -> None:
    sheet = begin(keeper)
    write(keeper, sheet, 4, 9, 0, 0, queen="0")
    page = keeper.get(f"{sheet}/lines/1")
    assert not page.wrong
    assert page.value("count-1") == "9"
    sent = entry(page, 5, 8, 0, 0, queen="0", reason="miscounted")
    page = keeper.post(f"{sheet}/lines/1", sent)
    assert "corrected" in page.text
    assert lines(page) == 1
    assert "queen: Anne – miscounted" in keeper.get(f"{sheet}/lines/1").text
    page = keeper.post(f"{sheet}/lines/1", entry(keeper.get(f"{sheet}/lines/1"), do="strike"))
    assert "Struck out" in page.text


def test_a_correction_that_cannot_be_comes_back_whole(keeper: Visitor) -> None:
    sheet = begin(keeper)
    write(keeper, sheet, 4, 9, 0, 0, queen="0")
    page = keeper.post(f"{sheet}/lines/1", entry(keeper.get(f"{sheet}/lines/1"), 5, 9, 0, 0))
    assert (page.status, page.wrong) == (422, [])
    assert page.value("count-0") == "5"
    assert keeper.get(f"{sheet}/lines/2").status == 404


def test_the_head_is_changed(keeper: Visitor) -> None:
    sheet = begin(keeper)
    page = keeper.get(f"{sheet}/head")
    assert not page.wrong
    fields = page.fields("head-form")
    page = keeper.post(f"{sheet}/head", fields | {"seat1": "Jeanne", "stake": "1"})
    assert "Jeanne" in page.text
    page = keeper.post(
        f"{sheet}/head", keeper.get(f"{sheet}/head").fields("head-form") | {"stake": "x"}
    )
    assert page.status == 422
    assert page.value("stake") == "x"


# Lots


def test_D1_lots_for_the_first_dealer_are_sealed_before_anybody_adds_to_them(
    keeper: Visitor,
) -> None:
    sheet = begin(keeper, dealer="lot")
    page = keeper.get(sheet)
    sealed = re.search(r"[0-9a-f]{64}", page.text)
    assert sealed is not None
    page = press(keeper, sheet, "draw", **{"share-1": "ça compte !"})
    assert "has the lowest card and deals first." in page.text
    record = keeper.client.get(f"{sheet}/files/sheet.volte").text
    assert sealed[0] in record
    assert "ça compte !".encode().hex() in record
    assert parse_sheet(record).first_dealer is not None


def test_D1_somebody_says_who_deals_first_instead(keeper: Visitor) -> None:
    sheet = begin(keeper, dealer="lot")
    page = press(keeper, sheet, "dealer-2")
    assert "Dealer Zoé Who cuts Jean Who leads Luc" in page.text
    assert "Draw lots" not in page.text


def test_M6_lots_for_the_pot(keeper: Visitor) -> None:
    sheet = begin(keeper, "coeurs-cagnotte")
    page = write(keeper, sheet, 13, 0, 0, 0, queen="1")
    assert "draw lots for what is left over" in page.text
    page = press(keeper, sheet, "draw")
    assert "receives the rest" in page.text


# Whose it is


def test_only_its_owner_writes_on_a_sheet(playroom: Playroom, keeper: Visitor) -> None:
    sheet = begin(keeper)
    with Visitor(playroom.address) as stranger:
        stranger.come_in("Eve")
        for path in ("/deal", "/do", "/head", "/lines/1"):
            sent = form_of(keeper.get(sheet)) | {"csrf": stranger.get("/rules").csrf}
            assert stranger.post(f"{sheet}{path}", sent).status == 404
        assert stranger.get("/score").text.count("Go on") == 0
    assert sheet in keeper.get("/score").answer.text


def test_others_watch_by_an_address_that_can_be_ended(playroom: Playroom, keeper: Visitor) -> None:
    sheet = begin(keeper)
    write(keeper, sheet, 4, 9, 0, 0, queen="0")
    path = watched(press(keeper, sheet, "share"))
    assert keeper.client.get(f"{sheet}/qr.svg").headers["content-type"] == "image/svg+xml"
    with Visitor(playroom.address, "fr") as friend:
        page = friend.get(path)
        assert (page.status, page.wrong) == (200, [])
        assert "Vous suivez cette feuille" in page.text
        friend.come_in("Bert")
        assert friend.get(path).wrong == []
        assert not page.all("form", action=f"{sheet}/deal")
        assert friend.get(path[:-1] + "!").status == 404
        press(keeper, sheet, "unshare")
        assert friend.get(path).status == 404
        assert watched(press(keeper, sheet, "share")) != path


def test_nobody_finds_a_table_under_the_name_of_a_sheet(
    playroom: Playroom, keeper: Visitor
) -> None:
    key = begin(keeper).rpartition("/")[2]
    for path in (f"/tables/{key}", f"/tables/sheet%2F{key}", "/score/sheet%2Fx", "/score/é"):
        assert keeper.get(path).status == 404


@pytest.mark.full
def test_a_person_has_so_many_sheets_and_no_more(playroom: Playroom, keeper: Visitor) -> None:
    form, origin = filled_form(keeper, "coeurs"), {"origin": playroom.address}
    for _ in range(MOST_SHEETS):
        answer = keeper.client.post("/score/new", data=form, headers=origin, follow_redirects=False)
        assert answer.status_code == 303
    page = keeper.post("/score/new", form)
    assert page.status == 429
    assert f"You have {MOST_SHEETS} score sheets" in page.text


# Beside it


@BOTH
def test_a_sheet_is_taken_along(keeper: Visitor) -> None:
    sheet = begin(keeper, title="Samedi", stake="0.25")
    write(keeper, sheet, 4, 9, 0, 0, queen="0")
    answers = {
        kind: keeper.client.get(f"{sheet}/files/sheet.{kind}") for kind in ("csv", "json", "volte")
    }
    for kind, answer in answers.items():
        assert answer.headers["content-disposition"].endswith(f'.{kind}"')
    assert "Anne" in answers["csv"].text
    assert json.loads(answers["json"].content)
    assert parse_sheet(answers["volte"].text).table.totals == (17, 9, 0, 0)
    assert keeper.get(f"{sheet}/files/sheet.exe").status == 404
    page = keeper.get(f"{sheet}/print")
    assert not page.wrong
    assert "Samedi" in page.text


def test_a_sheet_goes_on_where_its_file_is_opened(
    playroom: Playroom, keeper: Visitor, tmp_path: Path
) -> None:
    """The record of a page, and the file that `volte score` keeps; once, however often it comes."""
    sheet = begin(keeper, title="Samedi", stake="0.25")
    write(keeper, sheet, 4, 9, 0, 0, queen="0")
    record = keeper.client.get(f"{sheet}/files/sheet.volte").text
    kept = parse_sheet(record)
    first, *others = kept.entries
    assert isinstance(first, model.Open)
    with model.SheetFile.create(tmp_path / "x", first) as file:
        for entry in others:
            file.do(entry)  # type: ignore[arg-type]
    with Visitor(playroom.address) as friend:
        friend.come_in("Bea")
        page = friend.send_file("/score", record)
        assert "The sheet has been added to yours." in page.text
        path = page.answer.url.path
        assert path != sheet
        again = friend.send_file("/score", file.path.read_bytes())
        assert again.answer.url.path == path
        write(friend, path, 3, 4, 6, "", queen="1")
        assert friend.send_file("/score", record).answer.url.path == path
        after = parse_sheet(friend.client.get(f"{path}/files/sheet.volte").text)
        assert after.table.totals == (20, 26, 6, 0)
        assert friend.get("/score").answer.text.count(f'{path}"') == 1


WRONG_FILES: Final = {
    "": "No file was chosen",
    "Volte sheet 1\n": "",
    "Volte sheet 99\n": "from a newer Volte",
    "Volte record 1\n": "This file is not a score sheet",
    "\x00\x01": "This file is not a score sheet",
    "[" * 20_000: "This file is not a score sheet",
    "Undo: 1\n" * 600: "This file has more than 400 lines",
}
"""Content of a file that is chosen, and what is said of it."""


@BOTH
def test_a_file_that_is_no_sheet_is_refused_with_its_fault(keeper: Visitor) -> None:
    for content, fault in WRONG_FILES.items():
        page = keeper.send_file("/score", content)
        assert (page.status, page.wrong) == (422, []), content[:40]
        assert fault in page.text, content[:40]
    assert "You have no sheet yet." in keeper.get("/score").text


def test_the_drawing_needs_no_script(keeper: Visitor) -> None:
    sheet = begin(keeper)
    page = write(keeper, sheet, 4, 9, 0, 0, queen="0")
    drawn = {each["class"] for tag, each in page.elements if tag == "g" and "class" in each}
    assert sum(each.startswith("line hue-") for each in drawn) == 4


@pytest.mark.parametrize("players", [3, 7, *in_full(5, 6)])
def test_every_number_of_players(keeper: Visitor, players: int) -> None:
    more = {f"seat{seat}": f"Joueur {seat}" for seat in range(players)}
    if players == 3:
        more["seat3"] = ""
    sheet = begin(keeper, "coeurs", players=str(players), dealer="lot", **more)
    page = write(keeper, sheet, 13, *("" for _ in range(players - 1)), queen="2")
    assert page.status == 200, page.text
    assert page.all("a", href=f"{sheet}/lines/1")


@pytest.mark.parametrize(
    "preset", ["microsoft", "salon-valet", *in_full("salon", "coeurs-cagnotte")]
)
def test_other_rules(keeper: Visitor, preset: str) -> None:
    sheet = begin(keeper, preset)
    minus = keeper.get(f"{sheet}?by=points").all("input", id="count-0")[0]["inputmode"] == "text"
    assert minus is (preset == "salon-valet")  # telephones have numbers without a minus
    page = write(keeper, sheet, do="moon-1", jack="2" if preset == "salon-valet" else "")
    assert "Jean has shot the moon" in page.text
    text = keeper.get(f"{sheet}/files/sheet.volte").text
    assert f"Rules: {preset} " in text


def test_the_rules_told_for_real_cards_are_those_of_people(
    playroom: Playroom, keeper: Visitor
) -> None:
    """Beside the form, with a script and without, on the sheet, and where the clerk leads."""
    form = filled_form(keeper, "coeurs")
    clerk = keeper.get("/clerk?rules=coeurs")
    of_the_game = next(a["href"] for a in clerk.all("a") if a["href"].startswith("/rules/coeurs"))
    pages = [keeper.post(path, form | {"do": "show"}) for path in ("/score/new", "/tables/preview")]
    pages += [keeper.get(begin(keeper, "coeurs")), keeper.get(of_the_game)]
    for page in pages:
        assert "Anyone may shuffle, the dealer last" in page.text
        assert "A player who is one card short takes the last trick." in page.text
        assert "Claim and undo" not in page.text
    others = [a["href"] for a in pages[-1].all("a") if "/rules/coeurs?" in a.get("href", "")]
    assert others
    assert all("cards=real" in each for each in others)
    assert "Every player takes part in the shuffle" in keeper.get("/rules/coeurs").text


def test_the_list_tells_the_sheets_apart(playroom: Playroom, keeper: Visitor) -> None:
    keeper.post("/language", {"lang": "fr", "next": "/"})
    going = begin(keeper, date="2026-11-21", stake="0.25", currency="EUR")
    over = begin(keeper, date="2026-11-28", match_end="deals", match_end_number="1")
    write(keeper, over, 4, 9, 0, 0, queen="0")
    page = keeper.get("/score")
    for each in ("21 novembre 2026", "28 novembre 2026", "Cœurs", "0,25 €"):
        assert each in page.text.replace("\u202f", " ")
    ways = {
        each["href"]: each["aria-label"] for each in page.all("a") if each["href"] in (going, over)
    }
    assert ways[going].startswith("Continuer")
    assert ways[going].endswith("21 novembre 2026")
    assert ways[over].startswith("Voir")


def test_the_next_sheet_is_for_the_same_people(keeper: Visitor) -> None:
    assert keeper.get("/score/new").value("seat0") == ""  # of a newcomer who has no name yet
    begin(keeper, "coeurs-cagnotte", stake="2")
    page = keeper.get("/score/new")
    assert not page.wrong
    assert [page.value(f"seat{seat}") for seat in range(4)] == list(NAMES)
    assert page.fields("table-form")["preset"] == ["coeurs-cagnotte"]


@BOTH
def test_loading_an_answer_again_leads_to_the_sheet(keeper: Visitor) -> None:
    sheet = begin(keeper)
    for form in ("deal", "do"):
        assert keeper.get(f"{sheet}/{form}").answer.url.path == sheet


# Killed in the middle

LONGEST: Final = 0.3  # seconds of writing before a kill, at most


@pytest.mark.full
@pytest.mark.parametrize("kills", [1, 20])
def test_a_server_is_killed_in_the_middle_and_no_entry_is_lost_or_told_twice(
    kills: int, database: str, tmp_path: Path
) -> None:
    draws = random.Random()
    with Process(database, tmp_path) as process, Visitor(process.address) as keeper:
        keeper.come_in()
        sheet = begin(keeper, "coeurs", match_end="deals", match_end_number="1000")
        written = 0
        for _ in range(kills):
            dying = threading.Thread(target=kill_after, args=(process, draws.random() * LONGEST))
            dying.start()
            sent: dict[str, str] = {}
            try:
                while True:
                    sent = {}
                    sent = entry(keeper.get(sheet), written % 13, "", 0, 0, queen="1")
                    keeper.client.post(f"{sheet}/deal", data=sent, headers=origin(process))
                    written += 1
            except (httpx.TransportError, IndexError):
                dying.join()
            process.restart()
            if sent:  # nobody knows whether this was kept: sent again, it stands once
                answer = keeper.client.post(f"{sheet}/deal", data=sent, headers=origin(process))
                assert answer.status_code == 200, answer.text
                written += 1
            assert hearts(keeper, sheet) == [number % 13 for number in range(written)]
        assert process.faults == []


def kill_after(process: Process, seconds: float) -> None:
    time.sleep(seconds)
    process.kill()


def origin(process: Process) -> dict[str, str]:
    return {"origin": process.address}


def hearts(keeper: Visitor, sheet: str) -> list[int]:
    """Hearts that the first player took, deal by deal."""
    record = keeper.client.get(f"{sheet}/files/sheet.volte").text
    rows = parse_sheet(record).table.rows
    return [row.hearts[0] for row in rows if row.hearts is not None]
