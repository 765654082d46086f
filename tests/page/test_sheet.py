"""The score sheet, its drawing, and the ends of deals and matches."""

from __future__ import annotations

import itertools
import json
import random
from itertools import pairwise
from typing import Any, Final

import msgspec
import pytest
from kit.browser.means import Keys, play_deal, press
from kit.browser.players import CLOSE, Browse, Player, scripts
from kit.browser.states import SIXTEEN

from volte.game.codec import encode
from volte.rules import make_ruleset
from volte.say import Words
from volte.scene.chart import chart_of
from volte.sheet import Table

NAMES: Final = ("Zoé", "Alice", "Bruno-Alexandre", "Chloé", "David", "Emma", "Félix")

SHOWN: Final = scripts(__file__)


def shown(player: Player, what: str, news: list[dict[str, Any]], scene: Any) -> dict[str, Any]:
    """Contents of `sheet` or `ending` after some happenings and the scene that comes with them."""
    sheet = sheet_of(told_of(news) if what == "ending" else news)
    names, own = [seat["name"] for seat in scene["seats"]], scene["seat"]
    chart = chart_of(Words("en"), names, range(10), msgspec.convert(sheet, Table), own)
    found: dict[str, Any] = player.page.evaluate(
        f"{SHOWN}.{what}", [news, {**scene, "sheet": sheet, "chart": chart}]
    )
    return found


@pytest.fixture(scope="module")
def reader(module_browse: Browse) -> Player:
    """Somebody with a telephone, at a table at which nothing happens: the tests say what does."""
    player = module_browse("en", width=320, height=640).come_in()
    player.sit_down(player.open_table())
    return player


def started(preset: str, players: int, **options: Any) -> dict[str, Any]:
    rules = make_ruleset(preset, {"players": players, **options})
    people = [{"name": name} for name in NAMES[:players]]
    return {"event": "MatchStarted", "rules": json.loads(encode(rules)), "players": people}


def scored(number: int, points: list[int], **more: Any) -> list[dict[str, Any]]:
    dealer = (number - 1) % len(points)
    dealt = {"event": "Dealt", "number": number, "dealer": dealer, "direction": "left"}
    return [dealt, {"event": "DealScored", "points": points, **more}]


def scene(player: Player, players: int, seat: int | None = 0, phase: str = "between") -> Any:
    seats = [{**player.scene["seats"][0], "name": name} for name in NAMES[:players]]
    return {**player.scene, "seats": seats, "seat": seat, "phase": phase}


def sheet_of(news: list[dict[str, Any]]) -> dict[str, Any]:
    """The score sheet as the server would send it after those happenings."""
    rows: list[dict[str, Any]] = []
    sheet: dict[str, Any] = {"totals": [0] * len(news[0]["players"]), "winners": [], "rows": rows}
    sheet["net"] = sheet["totals"]
    sheet["sides"] = [[seat] for seat in range(len(sheet["totals"]))]
    if (end := news[0]["rules"]["ending"]["match_end"])["kind"] == "limit":
        sheet["limit"] = end["number"]
    for each in news:
        match each["event"]:
            case "DealScored":
                both = zip(sheet["totals"], each["points"], strict=True)
                sheet["totals"] = totals = [sum(pair) for pair in both]
                leaders = [seat for seat, total in enumerate(totals) if total == min(totals)]
                number = len(rows) + 1
                row = {"line": number, "number": number, "kind": "played"}
                row |= {"totals": totals, "leaders": leaders}
                nobody: dict[str, Any] = {"revoked": [], "trickless": [], "halved": []}
                rows.append({"moon": None, "slam": None, **nobody, **each, **row})
            case "MatchEnded":
                sheet["winners"] = each["winners"]
            case "Settled":
                both = zip(each["drawn"], each["paid"], strict=True)
                sheet["net"] = [drawn - paid for drawn, paid in both]
    return sheet


# The sheet


def test_the_sheet_tells_every_deal_and_the_totals(reader: Player) -> None:
    news = [started("microsoft", 4), *scored(1, [1, 5, 17, 3]), *scored(2, [26, 0, 26, 26], moon=1)]
    told = shown(reader, "sheet", news, scene(reader, 4))
    assert told["rows"] == [
        ["1", "1 (1)", "5 (5)", "17 (17)", "3 (3)", "You, to the left"],
        ["2", "26 (27)", "0 (5) moon", "26 (43)", "26 (29)", "Alice, to the left"],
    ]
    assert told["leads"] == ["★ in the lead: 5"]
    assert told["lead"] == (
        "In the lead: Alice, with 5. Behind: you 27, Chloé 29, Bruno-Alexandre 43."
        " The match ends at 100."
    )
    assert told["hidden"] == "true"
    assert told["limit"] == 1


def test_stakes_stand_below_the_totals(reader: Player) -> None:
    settled = {"event": "Settled", "paid": [0, 4, 16, 2], "drawn": [22, 0, 0, 0], "pot": 0}
    over = {"event": "MatchEnded", "totals": [1, 5, 17, 3], "winners": [0]}
    news = [started("coeurs", 4), *scored(1, [1, 5, 17, 3]), over, settled]
    told = shown(reader, "sheet", news, scene(reader, 4, phase="ended"))
    assert told["totals"][4:] == ["+22", "−4", "−16", "−2"]
    assert told["lead"].startswith("First place: you, with 1.")
    assert told["limit"] == 0


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_a_long_match_of_any_size_fits_a_phone(reader: Player, players: int) -> None:
    """Fifty deals, with points below zero; lines differ without colours, labels do not overlap."""
    drawn = random.Random(players)
    news = [started("coeurs", players, match_end="deals:50", slam="reversal")]
    for number in range(1, 51):
        news += scored(number, [drawn.randint(-25, 25) for _ in range(players)])
    told = shown(reader, "sheet", news, scene(reader, players))
    assert len(told["rows"]) == 50
    assert told["wide"] == 320
    assert told["drawn"] > 200
    assert len(set(told["dashes"])) == len(set(told["marks"])) == len(told["labels"]) == players
    heights = sorted(told["heights"])
    assert all(other - one >= 13 for one, other in pairwise(heights))
    assert heights[0] > 0
    assert heights[-1] <= 190
    assert any("…" in label for label in told["labels"])


def test_people_who_lead_together_are_named_together(reader: Player) -> None:
    news = [started("microsoft", 4), *scored(1, [0, 0, 26, 0])]
    told = shown(reader, "sheet", news, scene(reader, 4, seat=None))
    assert told["lead"].startswith("In the lead: Zoé, Alice, and Chloé, with 0.")
    assert len(told["leads"]) == 3


# The ends


def news_of(*happenings: dict[str, Any], lines: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    return [{"happening": each, "number": 0, "lines": lines, "fresh": True} for each in happenings]


def told_of(news: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The happenings alone."""
    return [each["happening"] for each in news]


def test_a_moon_is_told_as_the_event_that_it_is(reader: Player) -> None:
    dealt, end = scored(1, [26, 0, 26, 26], moon=1)
    lines = ("Alice has shot the moon, taking every penalty card!", "Points for deal 1: …")
    news = news_of(started("microsoft", 4), dealt) + news_of(end, lines=lines)
    told = shown(reader, "ending", news, scene(reader, 4) | {"next": "Alice deals next."})
    assert told["moon"] == lines[0]
    assert told["text"].startswith("Deal 1 is over")
    assert told["heads"] == ["Player", "This deal", "Total"]
    assert told["rows"][0] == ["★ in the lead: Alice", "0", "0"]
    assert told["rows"][1] == ["You", "26", "26"]
    assert "Alice deals next." in told["text"]


def test_the_end_of_a_match_tells_the_winner_and_the_settlement(reader: Player) -> None:
    dealt, end = scored(1, [1, 5, 17, 3])
    over = {"event": "MatchEnded", "totals": [1, 5, 17, 3], "winners": [0]}
    settled = {"event": "Settled", "paid": [0, 4, 16, 2], "drawn": [22, 0, 0, 0], "pot": 0}
    news = (
        news_of(started("coeurs", 4), dealt, end)
        + news_of(over, lines=("You win the match with 1 point!",))
        + news_of(settled, lines=("Alice pays 4 stakes; …",))
    )
    told = shown(reader, "ending", news, scene(reader, 4, phase="ended"))
    assert told["text"].startswith("The match is over")
    assert "You win the match with 1 point!" in told["text"]
    assert "Alice pays 4 stakes" in told["text"]
    assert told["heads"][-1] == "Stakes"
    assert told["rows"][0][-1] == "+22"
    assert "deals next" not in told["text"]


def test_nothing_lies_there_while_a_deal_is_played(reader: Player) -> None:
    deals = [*scored(1, [1, 5, 17, 3]), scored(2, [0, 0, 0, 0])[0]]
    news = news_of(started("microsoft", 4), *deals)
    assert shown(reader, "ending", news, scene(reader, 4, phase="playing"))["hidden"]


def taken(player: Player) -> dict[str, list[str]]:
    """The cards that count, by the names of those who have taken them."""
    scene = player.scene
    names = ["Vous", *(seat["name"] for seat in scene["seats"][1:])]
    cards: dict[str, list[str]] = {name: [] for name in names}
    for each in scene["taken"]:
        cards[names[each["seat"]]].append(each["card"])
    return cards


def drawn(player: Player) -> dict[str, list[str]]:
    """The cards that are drawn in each row of the summary; their names are there for ears."""
    rows = player.page.locator("#ending tbody tr").evaluate_all(
        """(rows) => rows.map((row) => [
            row.querySelector("th").lastChild.textContent,
            [...row.querySelectorAll(".small-cards .face")].map((face) => face.dataset.card),
            row.querySelector(".taken .hidden").textContent.split(/, | et /).filter(Boolean).length,
        ])"""
    )
    assert all(len(cards) == named for _, cards, named in rows)
    return {name: cards for name, cards, _ in rows}


def test_a_match_from_its_first_end_to_its_last(browse: Browse) -> None:
    """The summaries show who has taken what. The focus stays in the hand; a link that has it hands
    it back when the next match begins."""
    player = browse("fr").come_in("Zoé")
    player.begin("coeurs", deals=2, removed=SIXTEEN)
    player.take_focus()
    assert player.page.is_hidden("#ending")
    play_deal(player, Keys())
    player.page.wait_for_selector("#ending-title")
    assert player.page.inner_text("#ending-title") == "La manche 1 est finie"
    player.keep_focus()
    assert drawn(player) == taken(player)
    assert sorted(itertools.chain(*taken(player).values())) == ["AH", "JH", "KH", "QH", "QS"]
    press(player, "Next")
    player.page.wait_for_selector("#hand [role=option]")
    assert player.page.is_hidden("#ending")
    play_deal(player, Keys())
    player.wait("() => document.getElementById('ending-title').textContent.includes('partie')")
    player.keep_focus()
    assert player.page.locator("#ending thead th").count() == 5
    assert drawn(player) == taken(player)
    for place in ("review", "replay", "proof", "record"):
        address = player.page.get_attribute(f"#ending [href$={place}]", "href")
        answer = player.context.request.get(address or "", headers=CLOSE)
        assert answer.ok
        assert "/matches/" in answer.url
    player.page.reload()
    player.page.wait_for_selector("#ending .winner")
    player.page.focus("#ending a >> nth=0")
    player.page.evaluate("document.querySelector('#actions [data-key=Start]').click()")
    player.page.wait_for_selector("#hand [role=option]")
    player.wait("() => document.activeElement.closest('#hand') !== null")
    assert player.page.is_hidden("#ending")
    assert player.page.locator("#sheet-rows tr").count() == 0
