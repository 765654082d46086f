"""The proof of the deals: worked out in the browser, and every kind of tampering caught."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from kit.matches import played, share
from kit.sites import House
from page.looking_back import kept_for
from page.means import Mouse, play_deal, press
from page.players import Player
from page.wider import EIGHT_EACH
from playwright.sync_api import Browser, Route

from volte.game import Event
from volte.game.codec import encode
from volte.referee import visible
from volte.rules import make_ruleset
from volte.rules.options import Value

Log = list[dict[str, Any]]

VECTORS: Final = Path(__file__).parents[1] / "fair" / "vectors.txt"
PAGE: Final = Path(__file__).parents[2] / "docs" / "fair.md"

SHUFFLED: Final = """async ([secret, shares, label, cards]) => {
    const { shuffle } = await import("/static/chances.js");
    return shuffle(cards, { secret, shares: new Map(shares) }, label);
}"""
FOUND: Final = """async ([log, place]) => {
    const { check, readLog } = await import("/static/chances.js");
    const { chances, rules } = readLog(log);
    return check(chances[place], chances[place - 1] ?? null, rules)
        .filter((each) => !each.right).map((each) => each.what);
}"""
LOADED: Final = """async (match) => (await fetch(`/matches/${match}/proof.json`)).json()"""
HASHED: Final = """async (message) => {
    const { base64, sha256 } = await import("/static/connection.js");
    return base64(sha256(new TextEncoder().encode(message)));
}"""


@pytest.fixture(scope="module")
def log() -> list[Event]:
    """A match of three deals with lots, a kitty and a promise in each."""
    rules = make_ruleset("coeurs", {"players": 5, "match_end": "deals:3"})
    return played(rules, 4)


@pytest.fixture
def english(browser: Browser, house: House) -> Iterator[Player]:
    somebody = Player(browser, house, "en")
    somebody.come_in("Zoé")
    yield somebody
    somebody.close()


def look(player: Player, match: str) -> None:
    player.go_to(f"/matches/{match}/proof")
    player.page.wait_for_selector("#proofs .all")


def outcome(player: Player) -> str:
    """What is said once every deal has been checked."""
    player.page.click("#proofs .all")
    player.wait("() => document.getElementById('live').textContent !== ''")
    return player.page.inner_text("#live").strip()


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


# The calculation


def blocks(text: str) -> list[dict[str, str]]:
    """The vectors of a text, each as its lines by name."""
    found = []
    for part in re.split(r"\n\s*\n|```", text):
        pairs = re.findall(r"^([a-z][a-z 0-9]*): (.*)$", part, re.MULTILINE)
        if dict(pairs).keys() >= {"secret", "order"}:
            found.append(dict(pairs))
    return found


@pytest.mark.parametrize("source", [VECTORS, PAGE], ids=["vectors", "docs"])
def test_the_vectors_come_out_in_the_browser(
    english: Player, house: House, log: list[Event], source: Path
) -> None:
    english.go_to(f"/matches/{kept_for(english, house, log)}/proof")
    vectors = blocks(source.read_text(encoding="utf-8"))
    assert len(vectors) >= 3
    for place, vector in enumerate(vectors):
        shares = [
            [int(name.rpartition(" ")[2]), b64(bytes.fromhex(data))]
            for name, data in vector.items()
            if name.startswith("bytes of seat") and data not in ("absent", "none")
        ]
        number = vector.get("deal", "1")
        due = [int(each) for each in vector["order"].split()]
        secret = b64(bytes.fromhex(vector["secret"]))
        asked = [secret, shares, f"deal {number}", list(range(len(due)))]
        assert english.page.evaluate(SHUFFLED, asked) == due, (place, vector)
        for name, drawn in vector.items():
            if name.startswith("lot "):
                pack = [int(each) for each in drawn.split()]
                asked = [secret, shares, f"lot {number}.{name[4:]}", sorted(pack)]
                assert english.page.evaluate(SHUFFLED, asked) == pack


def test_sha256_is_that_of_the_standard_library(
    english: Player, house: House, log: list[Event]
) -> None:
    english.go_to(f"/matches/{kept_for(english, house, log)}/proof")
    for size in (0, 1, 55, 56, 63, 64, 65, 119, 120, 1000):
        message = "v" * size
        due = b64(hashlib.sha256(message.encode()).digest())
        assert english.page.evaluate(HASHED, message) == due, size


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("cancellation", {"players": 6, "removed": ["2C", "2C'", "9H"]}),
        ("microsoft", {"pass_cycle": ["scatter"]}),
        ("cancellation", {"players": 6, "pass_count": 1, "pass_cycle": ["scatter"]}),
    ],
)
def test_two_packs_and_scatters_are_proved_by_every_card_and_by_what_a_seat_has_seen(
    english: Player, house: House, log: list[Event], name: str, options: dict[str, Value]
) -> None:
    look(english, kept_for(english, house, log))
    match = played(make_ruleset(name, {"match_end": "deals:2", **options}), 3)
    for seat in (None, 0, 2):
        seen = match if seat is None else [visible(each, seat) for each in match]
        told = [json.loads(encode(each)) for each in seen]
        assert [english.page.evaluate(FOUND, [told, place]) for place in (0, 1)] == [[], []]
        for each in told:
            if each["event"] == "Played":
                each["seat"] = {1: 3, 3: 1}.get(each["seat"], each["seat"])
        caught = english.page.evaluate(FOUND, [told, 0])
        assert caught == ([] if seat is None else ["cards"])  # hands that are told prove more


# The page


def test_every_deal_is_proved_on_the_page_of_the_match(
    browser: Browser, house: House, log: list[Event]
) -> None:
    for lang, said in (("en", "Deals proved: 3 of 3."), ("fr", "Manches prouvées\xa0: 3 sur 3.")):
        player = Player(browser, house, lang, width=320, height=640)
        player.come_in("Zoé")
        look(player, kept_for(player, house, log))
        assert player.page.text_content("#live") == ""
        assert outcome(player) == said
        verdicts = player.page.locator(".verdict").all_inner_texts()
        assert len(set(verdicts)) == len(verdicts) == 3
        assert player.page.locator(".findings .wrong").count() == 0
        assert player.page.evaluate("document.documentElement.scrollWidth") == 320
        player.assert_content()
        player.close()


def test_one_deal_is_checked_by_its_own_button_and_keeps_the_focus(
    english: Player, house: House, log: list[Event]
) -> None:
    look(english, kept_for(english, house, log))
    button = english.page.get_by_role("button", name="Check deal 2 here")
    button.focus()
    english.page.keyboard.press("Enter")
    english.wait("() => document.getElementById('live').textContent !== ''")
    said = english.page.inner_text("#live")
    assert "The cards of deal 2 are exactly those that these bytes give" in said
    assert english.page.locator(".findings li").count() == 5
    assert english.page.evaluate("document.activeElement.textContent") == "Check deal 2 here"
    english.assert_content()


def test_what_was_told_can_be_read(english: Player, house: House, log: list[Event]) -> None:
    look(english, kept_for(english, house, log))
    english.page.click(".proofs summary >> nth=0")
    facts = english.page.inner_text(".proofs dl >> nth=0")
    assert share(1).hex() in facts
    assert "Share (Zoé)" in facts
    assert "Share under the seal of the house (Anne)" in facts


def mine(log: Log, kind: str, place: int = 0) -> dict[str, Any]:
    """The event of that kind, the first or a later one."""
    return [each for each in log if each["event"] == kind][place]


def turned(text: str) -> str:
    """Other bytes, as many."""
    data = base64.b64decode(text)
    return b64(bytes([data[0] ^ 1]) + data[1:])


def another_number(log: Log) -> None:
    mine(log, "Committed", 1)["number"] = 3
    mine(log, "Revealed", 1)["number"] = 3
    mine(log, "Committed", 2)["number"] = 4
    mine(log, "Revealed", 2)["number"] = 4


def a_deal_dropped(log: Log) -> None:
    first, second = (log.index(mine(log, "Committed", place)) for place in (0, 1))
    reveal = mine(log, "Revealed")
    del log[first:second]
    log.remove(reveal)


def another_seal(log: Log) -> None:
    seal = mine(log, "Committed", 1)
    seal["digest"] = turned(seal["digest"])


def another_secret(log: Log) -> None:
    secret = mine(log, "Revealed")
    secret["secret"] = turned(secret["secret"])


def another_share_of_the_house(log: Log) -> None:
    share = next(each for each in log if each["event"] == "Contributed" and each["seat"] == 2)
    share["data"] = turned(share["data"])


def another_share(log: Log) -> None:
    share = next(each for each in log if each["event"] == "Contributed" and each["seat"] == 0)
    share["data"] = turned(share["data"])


def another_promise(log: Log) -> None:
    promise = mine(log, "Promised")
    promise["digest"] = turned(promise["digest"])


def a_share_left_out(log: Log) -> None:
    share = next(each for each in log if each["event"] == "Contributed" and each["seat"] == 0)
    share["data"] = None


def two_cards_swapped(log: Log) -> None:
    hands = mine(log, "Dealt")["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def a_card_of_the_kitty_swapped(log: Log) -> None:
    dealt = mine(log, "Dealt")
    dealt["kitty"][0], dealt["hands"][3][1] = dealt["hands"][3][1], dealt["kitty"][0]


def another_dealer(log: Log) -> None:
    dealt = mine(log, "Dealt")
    dealt["dealer"] = (dealt["dealer"] + 1) % 5


def another_lot(log: Log) -> None:
    drawn = mine(log, "DealerDrawn")["rounds"][0]
    drawn[0][1], drawn[1][1] = drawn[1][1], drawn[0][1]


def a_secret_before_the_share(log: Log) -> None:
    reveal = mine(log, "Revealed")
    log.remove(reveal)
    log.insert(log.index(mine(log, "Contributed")), reveal)


def a_promise_after_the_share(log: Log) -> None:
    promise = mine(log, "Promised")
    log.remove(promise)
    log.insert(log.index(mine(log, "Dealt")), promise)


def nonsense(log: Log) -> None:
    mine(log, "Revealed")["secret"] = "no bytes at all!"


TAMPERING: Final[list[tuple[Callable[[Log], None], int, list[str]]]] = [
    (another_number, 1, ["chain", "seal", "promises", "cards"]),
    (a_deal_dropped, 0, ["chain", "seal"]),
    (another_seal, 1, ["seal"]),
    (another_seal, 2, ["seal"]),  # the next one covers it
    (another_secret, 0, ["seal", "cards", "lots"]),
    (another_share_of_the_house, 0, ["seal", "cards", "lots"]),
    (another_share, 0, ["promises", "cards", "lots"]),
    (another_promise, 0, ["promises"]),
    (a_share_left_out, 0, ["cards", "lots"]),
    (two_cards_swapped, 0, ["cards"]),
    (a_card_of_the_kitty_swapped, 0, ["cards"]),
    (another_dealer, 0, ["cards"]),
    (another_lot, 0, ["lots"]),
    (a_secret_before_the_share, 0, ["order"]),
    (a_promise_after_the_share, 0, ["order"]),
    (nonsense, 0, ["seal", "cards", "lots"]),
]
"""What is done to the record of a match; the deal in which it shows, and how."""


def test_every_kind_of_tampering_is_caught(english: Player, house: House, log: list[Event]) -> None:
    match = kept_for(english, house, log)
    look(english, match)
    told = english.page.evaluate(LOADED, match)
    for place in range(3):
        assert english.page.evaluate(FOUND, [told, place]) == []
    for tamper, place, found in TAMPERING:
        other = copy.deepcopy(told)
        tamper(other)
        assert english.page.evaluate(FOUND, [other, place]) == found, tamper.__name__


def test_what_is_wrong_is_said_and_shown(english: Player, house: House, log: list[Event]) -> None:
    match = kept_for(english, house, log)

    def tampered(route: Route) -> None:
        told = route.fetch().json()
        two_cards_swapped(told)
        route.fulfill(json=told)

    english.page.route("**/proof.json", tampered)
    look(english, match)
    said = outcome(english)
    assert said.startswith("Deals proved: 2 of 3.")
    assert "Deal 1 is not proved! Shuffled again here, the pack gives other hands." in said
    assert "Deal 2" not in said
    assert english.page.locator("[data-checked=fails] .findings .wrong").count() == 1
    english.assert_content()


KEPT: Final = """([digest, data]) => localStorage.setItem("volte shares",
    JSON.stringify([{ digest, seat: 0, data }]))"""


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (share(1), "Your own share is the one that this browser has drawn and sent."),
        (share(9), "Your own share is not the one that this browser has sent."),
    ],
)
def test_the_record_is_held_against_what_this_browser_sent(
    english: Player, house: House, log: list[Event], sent: bytes, said: str
) -> None:
    match = kept_for(english, house, log)
    look(english, match)
    told = english.page.evaluate(LOADED, match)
    english.page.evaluate(KEPT, [mine(told, "Committed")["digest"], b64(sent)])
    outcome(english)
    assert said in english.page.inner_text(".findings >> nth=0")
    assert "browser" not in english.page.inner_text(".findings >> nth=1")


# At the table


def test_a_deal_is_proved_at_the_table_once_the_next_is_cut(english: Player, house: House) -> None:
    """Its other hands are hidden: what was played and passed stands for them."""
    english.begin("microsoft", deals=2, removed=EIGHT_EACH)
    assert english.page.locator("#proof-part[hidden]").count() == 0
    play_deal(english, Mouse())
    english.page.click("#proof-part summary")
    english.page.wait_for_selector("#proofs .all")
    assert "is told when the cards are cut" in english.page.inner_text("#proofs")
    press(english, "Next")
    english.due()
    english.page.click("#proofs li >> nth=0 >> button")
    english.wait("() => document.querySelector('#proofs .verdict').textContent.includes('exactly')")
    assert "this browser has drawn and sent" in english.page.inner_text("#proofs")
    assert english.page.locator("#proofs li > h3").count() == 2
    assert not english.page.locator("#proofs .wrong").count()
    english.wait("() => window.watched.said.some((said) => said.includes('exactly those'))")
    english.keep_focus()
    english.assert_content()
