"""The proof of the deals: worked out in the browser, and every kind of tampering caught."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from kit.browser.backdrops import kept_for
from kit.browser.means import Mouse, do_what_is_due, press
from kit.browser.players import Browse, Player, scripts
from kit.browser.states import SIXTEEN
from kit.matches import played, share
from kit.tables import ANNE, Table, setup
from playwright.sync_api import Route

from volte.fair import commit_bytes
from volte.game import Event
from volte.game.codec import encode
from volte.referee import visible
from volte.rules import make_ruleset
from volte.rules.options import Value
from volte.table import commands as cmd

Log = list[dict[str, Any]]

VECTORS: Final = Path(__file__).parents[1] / "fair" / "vectors.txt"
PAGE: Final = Path(__file__).parents[2] / "docs" / "fair.md"

SCRIPTS: Final = scripts(__file__)
LOADED: Final = """async (match) => (await fetch(`/matches/${match}/proof.json`)).json()"""


@pytest.fixture(scope="module")
def log() -> list[Event]:
    """A match of three deals with lots, a kitty and a promise in each."""
    rules = make_ruleset("coeurs", {"players": 5, "match_end": "deals:3"})
    return played(rules, 4)


def look(player: Player, match: str) -> None:
    player.go_to(f"/matches/{match}/proof")
    player.page.wait_for_selector("#proofs .all")


@pytest.fixture
def match(english: Player, log: list[Event]) -> str:
    """The id of a match of theirs, at whose proof they look."""
    match = kept_for(english, log)
    look(english, match)
    return match


def outcome(player: Player) -> str:
    """The sentence said once every deal has been checked."""
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
@pytest.mark.usefixtures("match")
def test_the_vectors_come_out_in_the_browser(english: Player, source: Path) -> None:
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
        assert english.page.evaluate(f"{SCRIPTS}.shuffled", asked) == due, (place, vector)
        for name, drawn in vector.items():
            if name.startswith("lot "):
                pack = [int(each) for each in drawn.split()]
                asked = [secret, shares, f"lot {number}.{name[4:]}", sorted(pack)]
                assert english.page.evaluate(f"{SCRIPTS}.shuffled", asked) == pack


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("cancellation", {"players": 6, "removed": ["2C", "2C'", "9H"]}),
        ("microsoft", {"pass_cycle": ["scatter"]}),
        pytest.param(
            *("cancellation", {"players": 6, "pass_count": 1, "pass_cycle": ["scatter"]}),
            marks=pytest.mark.full,
        ),
    ],
)
@pytest.mark.usefixtures("match")
def test_two_packs_and_scatters_are_proved_by_every_card_and_by_what_a_seat_has_seen(
    english: Player, name: str, options: dict[str, Value]
) -> None:
    match = played(make_ruleset(name, {"match_end": "deals:2", **options}), 3)
    for seat in (None, 0, 2):
        seen = match if seat is None else [visible(each, seat) for each in match]
        told = [json.loads(encode(each)) for each in seen]
        assert [english.page.evaluate(f"{SCRIPTS}.found", [told, place]) for place in (0, 1)] == [
            [],
            [],
        ]
        for each in told:
            if each["event"] == "Played":
                each["seat"] = {1: 3, 3: 1}.get(each["seat"], each["seat"])
        caught = english.page.evaluate(f"{SCRIPTS}.found", [told, 0])
        assert caught == ([] if seat is None else ["cards"])  # hands that are told prove more


# The page


def test_every_deal_is_proved_on_the_page_of_the_match(browse: Browse, log: list[Event]) -> None:
    for lang, said in (
        ("en", "Deals proved fair: 3 of 3."),
        ("fr", "Manches dont le mélange est prouvé\xa0: 3 sur 3."),
    ):
        player = browse(lang, width=320, height=640).come_in("Zoé")
        look(player, kept_for(player, log))
        assert player.page.text_content("#live") == ""
        assert outcome(player) == said
        verdicts = player.page.locator(".verdict").all_inner_texts()
        assert len(set(verdicts)) == len(verdicts) == 3
        assert player.page.locator(".findings .wrong").count() == 0
        assert player.page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.usefixtures("match")
def test_one_deal_is_checked_by_its_own_button_and_keeps_the_focus(english: Player) -> None:
    button = english.page.get_by_role("button", name="Check deal 2")
    button.focus()
    english.keys("Enter")
    english.wait("() => document.getElementById('live').textContent !== ''")
    said = english.page.inner_text("#live")
    assert "Deal 2 is proved fair: these bytes give exactly its cards" in said
    assert english.page.locator(".findings li").count() == 5
    assert english.page.evaluate("document.activeElement.textContent") == "Check deal 2"


@pytest.mark.usefixtures("match")
def test_what_was_told_can_be_read(english: Player) -> None:
    english.page.click(".proofs summary >> nth=0")
    facts = english.page.inner_text(".proofs dl >> nth=0")
    assert share(1).hex() in facts
    assert "Zoé’s share" in facts
    assert "Anne’s share, under the house’s seal" in facts


def mine(log: Log, kind: str, place: int = 0) -> dict[str, Any]:
    """The event of that kind, the first or a later one."""
    return [each for each in log if each["event"] == kind][place]


def turn(kind: str, field: str, place: int = 0, seat: int | None = None) -> Callable[[Log], None]:
    """Puts other bytes into a field of the event of that kind (and seat), the first or a later."""

    def tamper(log: Log) -> None:
        events = [each for each in log if each["event"] == kind and each.get("seat") == seat]
        data = base64.b64decode(events[place][field])
        events[place][field] = b64(bytes([data[0] ^ 1]) + data[1:])

    tamper.__name__ = f"another {field} of {kind} {place}"
    return tamper


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
    (turn("Committed", "digest", 1), 1, ["seal"]),
    (turn("Committed", "digest", 1), 2, ["seal"]),  # the next one covers it
    (turn("Revealed", "secret"), 0, ["seal", "cards", "lots"]),
    (turn("Contributed", "data", seat=2), 0, ["seal", "cards", "lots"]),
    (turn("Contributed", "data", seat=0), 0, ["promises", "cards", "lots"]),
    (turn("Promised", "digest", seat=0), 0, ["promises"]),
    (a_share_left_out, 0, ["cards", "lots"]),
    (two_cards_swapped, 0, ["cards"]),
    (a_card_of_the_kitty_swapped, 0, ["cards"]),
    (another_dealer, 0, ["cards"]),
    (another_lot, 0, ["lots"]),
    (a_secret_before_the_share, 0, ["order"]),
    (a_promise_after_the_share, 0, ["order"]),
    (nonsense, 0, ["seal", "cards", "lots"]),
]
"""Changes to the record of a match, with the deal in which each shows, and the checks that fail."""


def test_every_kind_of_tampering_is_caught(english: Player, match: str) -> None:
    told = english.page.evaluate(LOADED, match)
    for place in range(3):
        assert english.page.evaluate(f"{SCRIPTS}.found", [told, place]) == []
    for tamper, place, found in TAMPERING:
        other = copy.deepcopy(told)
        tamper(other)
        assert english.page.evaluate(f"{SCRIPTS}.found", [other, place]) == found, tamper.__name__


def test_cards_that_are_given_are_held_against_the_seals(english: Player) -> None:
    at = Table(setup("coeurs", players=5, match_end="deals:2"), seat=0)
    at.do(ANNE, cmd.Start())
    at.play_on()
    at.do(ANNE, cmd.DealAgain())
    at.play_on()
    match = kept_for(english, at.match_log())
    look(english, match)
    assert "set and not shuffled" in english.page.inner_text("#proofs .help")
    assert outcome(english) == "Deals proved to have been sealed: 2 of 2."
    assert "its cards were sealed before it began" in english.page.inner_text(".verdict >> nth=1")
    told = english.page.evaluate(LOADED, match)
    for tamper in (
        *(two_cards_swapped, a_card_of_the_kitty_swapped, another_dealer),
        *(turn("Committed", "digest"), turn("Revealed", "secret")),
    ):
        other = copy.deepcopy(told)
        tamper(other)
        assert "given" in english.page.evaluate(f"{SCRIPTS}.found", [other, 0]), tamper.__name__


def test_what_is_wrong_is_said_and_shown(english: Player, match: str) -> None:
    def tampered(route: Route) -> None:
        told = route.fetch().json()
        two_cards_swapped(told)
        route.fulfill(json=told)

    english.page.route("**/proof.json", tampered)
    look(english, match)
    said = outcome(english)
    assert said.startswith("Deals proved fair: 2 of 3.")
    assert "Deal 1 is not proved fair! Repeating the same shuffle gives different hands." in said
    assert "Deal 2" not in said
    assert english.page.locator("[data-checked=fails] .findings .wrong").count() == 1


KEPT: Final = """([digest, data]) => localStorage.setItem("volte shares",
    JSON.stringify([{ digest, seat: 0, data }]))"""


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (share(1), "Your own share is the one this browser drew and sent."),
        (share(9), "Your own share is not the one this browser sent."),
    ],
)
def test_the_record_is_held_against_what_this_browser_sent(
    english: Player, match: str, sent: bytes, said: str
) -> None:
    told = english.page.evaluate(LOADED, match)
    english.page.evaluate(KEPT, [mine(told, "Committed")["digest"], b64(sent)])
    outcome(english)
    assert said in english.page.inner_text(".findings >> nth=0")
    assert "browser" not in english.page.inner_text(".findings >> nth=1")


# At the table


def test_a_deal_is_proved_at_the_table_once_the_next_is_cut(english: Player) -> None:
    """The other hands of it are hidden: the cards played and passed stand for them."""
    english.begin("microsoft", deals=2, removed=SIXTEEN)
    assert english.page.locator("#proof-part[hidden]").count() == 0
    do_what_is_due(english, Mouse(), english.due())
    assert english.play_on() == "Next"
    english.page.click("#proof-part summary")
    english.page.wait_for_selector("#proofs .all")
    assert "is revealed when the cards are cut" in english.page.inner_text("#proofs")
    press(english, "Next")
    english.due()
    english.page.click("#proofs li >> nth=0 >> button")
    english.wait("() => document.querySelector('#proofs .verdict').textContent.includes('exactly')")
    assert "this browser drew and sent" in english.page.inner_text("#proofs")
    assert english.page.locator("#proofs li > h3").count() == 2
    assert not english.page.locator("#proofs .wrong").count()
    english.hears("exactly its cards")
    english.keep_focus()


def test_sha256_is_what_it_is_everywhere(newcomer: Player) -> None:
    newcomer.go_to("/")
    messages = [bytes(range(size % 256)) + b"x" * (size // 2) for size in range(140)]
    digests = newcomer.page.evaluate(
        f"{SCRIPTS}.digests",
        [base64.b64encode(message).decode() for message in messages],
    )
    assert digests == [
        base64.b64encode(hashlib.sha256(message).digest()).decode() for message in messages
    ]


def test_a_promise_is_the_one_that_the_documents_describe(newcomer: Player) -> None:
    newcomer.go_to("/")
    for number, seat, data in ((1, 0, bytes(16)), (12, 6, b"Volte, deal 1, seat 6")):
        digest = newcomer.page.evaluate(
            f"{SCRIPTS}.promise", [number, seat, base64.b64encode(data).decode()]
        )
        assert base64.b64decode(digest) == commit_bytes(number, seat, data)
