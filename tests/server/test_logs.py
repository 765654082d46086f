"""The log: named events with plain fields, and nothing in it that is anybody's secret."""

from __future__ import annotations

import json
import logging
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from hypothesis import given
from hypothesis import strategies as st
from kit import Process, Site, SiteWith, request

from volte.cards import Card
from volte.fair import House
from volte.say import Words
from volte.server.middleware import HEADER
from volte.store import Unavailable
from volte.store.errors import cause_of
from volte.web.logs import HIDDEN, KINDS, LONGEST, Masks, formatter, get_logger, plain


@contextmanager
def logged(kind: str = "json", name: str = "volte.test") -> Iterator[Callable[[], list[str]]]:
    """The lines that a server of such a kind writes meanwhile, from a logger and below."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(kind))
    logger = logging.getLogger(name)
    logger.addHandler(handler)
    before = logger.level
    logger.setLevel(logging.DEBUG)
    try:
        yield lambda: stream.getvalue().splitlines()
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


def events(lines: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


# The shape of a line


def test_an_event_has_a_name_fields_and_a_time_in_utc() -> None:
    with logged() as lines:
        get_logger("volte.test").warning("table_waits", table="0a1b2c3d4e5f6a7b8c9d", seat=3)
        (event,) = events(lines())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", event.pop("at"))
    assert event == {
        "level": "warning",
        "event": "table_waits",
        "logger": "volte.test",
        "table": "0a1b2c3d4e5f6a7b8c9d",
        "seat": 3,
    }


def test_it_can_be_read_as_well() -> None:
    with logged("text") as lines:
        get_logger("volte.test").error("oops", why='two "words"', count=2)
        (line,) = lines()
    assert line.partition(" ")[2] == r'error oops why="two \"words\"" count=2 logger=volte.test'


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_writes_a_line_that_is_not_one_event(kind: str) -> None:
    with logged(kind) as lines:
        get_logger("volte.test").error("x", why="a\nb\r\x1b[2J\u2028c" + "y" * 10**5)
        logging.getLogger("volte.test").error("a\nb %s", "c\nd")
        said = lines()
    assert len(said) == 2
    assert all(line.isprintable() and len(line) < LONGEST + 200 for line in said)


def test_the_standard_library_says_the_same() -> None:
    with logged() as lines:
        logging.getLogger("volte.test").error("table_failed", extra={"table": "t", "cards": "x"})
        (event,) = events(lines())
    assert (event["event"], event["table"], event["cards"]) == ("table_failed", "t", HIDDEN)


def test_an_error_is_told_by_its_kind_and_its_lines() -> None:
    with logged() as lines:
        try:
            raise ValueError("the hand is QS AH")
        except ValueError:
            get_logger("volte.test").error("failed", exc_info=True)
            logging.getLogger("volte.test").exception("failed")
        said = events(lines())
    for event in said:
        assert event["where"].startswith(f"ValueError at {__file__}:")
        assert "hand" not in json.dumps(event)


def test_of_what_others_say_only_the_first_line_counts() -> None:
    """They go on with values, such as `future: <Task … exception=ValueError('QS')>`."""
    with logged(name="elsewhere") as lines:
        logging.getLogger("elsewhere").error("Task was lost\nfuture: <Task 'sesame'>")
        (event,) = events(lines())
    assert event["event"] == "Task was lost"


# Secrets, which no line has

TOKEN = secrets.token_urlsafe(32)
HASH = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("sesame")
MASTER = House.fresh().master.hex()

HOSTILE: dict[str, tuple[str, ...]] = {
    f"a token {TOKEN} came": (TOKEN,),
    f"/devices/{TOKEN}": (TOKEN,),
    f"the password's hash is {HASH}": (HASH, HASH[-12:]),
    f"the match has {MASTER}": (MASTER,),
    "the code k7wq-m3xt-0b2c-9def was used": ("k7wq", "9def"),
    "postgresql://volte:sesame@db/volte is gone": ("sesame", "volte:"),
    "authorization: Bearer c2VzYW1l": ("c2VzYW1l",),
    "cookie: volte=c2VzYW1l; volte_lang=fr": ("c2VzYW1l",),
    "name=Anna&password=sesame&csrf=abc9": ("sesame", "abc9"),
    '{"password": "sesame"}': ("sesame",),
    "QS AH 10D": ("QS", "AH", "10D"),
    '["QS","AH"]': ("QS", "AH"),
    "D♠ A♥ 10♦": ("D♠", "A♥", "10♦"),
    "QS was led": ("QS",),
    "the queen of spades was led": ("queen of spades",),
    "la dame de pique": ("dame de pique",),
}
"""Texts that might be logged by mistake, and the parts of them that no line may contain."""


@pytest.mark.parametrize("text", HOSTILE, ids=[str(place) for place in range(len(HOSTILE))])
@pytest.mark.parametrize("kind", KINDS)
def test_secrets_are_recognised_wherever_they_stand(text: str, kind: str) -> None:
    with logged(kind) as lines:
        log = get_logger("volte.test")
        log.error("x", why=text)
        log.error(f"said {text}")
        logging.getLogger("volte.test").error("said %s", text)
        said = lines()
    assert len(said) == 3
    for line in said:
        assert HIDDEN in line
        assert not any(secret in line for secret in HOSTILE[text]), line


@pytest.mark.parametrize(
    "field",
    [
        *("token", "new_password", "cards", "hand", "master"),
        *("name", "address", "cookie", "seed", "text"),
    ],
)
def test_fields_of_such_names_are_in_none(field: str) -> None:
    with logged() as lines:
        get_logger("volte.test").error("x", **{field: "harmless"})
        (line,) = lines()
    assert HIDDEN in line
    assert "harmless" not in line


@pytest.mark.parametrize(
    "value", [b"x", ("QS",), ["QS"], {"a": "QS"}, Card("QS"), House.fresh(), 2**80, object()]
)
def test_what_is_no_word_and_no_number_is_in_none(value: object) -> None:
    told = str(plain(value))
    assert told in (HIDDEN, f"<{type(value).__name__}>")


PACK = [Card(f"{rank}{suit}") for rank in (*range(2, 11), *"JQKA") for suit in "CDHS"]


@given(st.lists(st.sampled_from([card.text for card in PACK]), min_size=1))
def test_no_card_is_in_any(cards: list[str]) -> None:
    for text in (" ".join(cards), json.dumps(cards), ",".join(cards)):
        told = str(plain(text))
        assert not any(re.search(rf"\b{card}\b", told) for card in cards)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_nor_as_it_is_printed_or_said(lang: str) -> None:
    words = Words(lang)
    for card in PACK:
        for form in (words.short(card), words.card(card)):
            assert form not in str(plain(f"now {form} is led")), form


def test_what_is_needed_stays() -> None:
    for text in ("the_database_does_not_answer", "0a1b2c3d4e5f6a7b8c9d", "connection reset", "fr"):
        assert plain(text) == text


# Addresses, and what fails below


def test_an_address_is_the_same_mark_until_the_server_stops() -> None:
    one, other = Masks(), Masks()
    assert one("192.0.2.1") == one("192.0.2.1") != one("192.0.2.2")
    assert one("192.0.2.1") != other("192.0.2.1")


def test_the_cause_of_an_error_is_its_kind_and_code() -> None:
    error = Unavailable("row (QS) is there")
    error.__cause__ = ConnectionRefusedError(111, "Connection refused")
    assert cause_of(error) == "ConnectionRefusedError ECONNREFUSED"
    assert cause_of(Unavailable("QS")) == "Unavailable"


# A server


async def test_what_goes_wrong_with_a_request_can_be_found_by_its_number(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing() -> object:
        raise RuntimeError("the hand is QS")

    monkeypatch.setattr("volte.server.app.schema", failing)
    with logged(name="volte.server") as lines:
        reply = await request(site.address, "GET", "/wire.json?token=sesame")
        (event,) = events(lines())
    assert reply.status == 500
    assert (event["event"], event["route"]) == ("request_failed", "/wire.json")
    assert event["request"] == reply.header(HEADER)
    assert event["where"].startswith("RuntimeError at ")
    assert not any(secret in json.dumps(event) for secret in ("sesame", "QS"))


async def test_every_request_is_logged_where_that_is_asked_for(
    site: Site, site_with: SiteWith
) -> None:
    """By its route, and the mark of an address: neither shows who it was, or with what key."""
    logging_all = await site_with(access_log=True)
    with logged(name="volte.access") as lines:
        await request(site.address, "GET", "/tables/sesame?lang=fr")
        assert lines() == []
        reply = await request(logging_all.address, "GET", "/tables/sesame?lang=fr")
        (event,) = events(lines())
    assert (event["method"], event["route"]) == ("GET", "/tables/{table}")
    assert event["status"] == reply.status
    assert re.fullmatch("[0-9a-f]{12}", event["request"])
    assert event["milliseconds"] > 0
    assert re.fullmatch("[0-9a-f]{10}", event["from"])
    assert not any(secret in json.dumps(event) for secret in ("sesame", "127.0.0.1"))


@pytest.mark.full
async def test_a_server_logs_as_it_is_set_to(tmp_path: Path) -> None:
    environ = {"VOLTE_ACCESS_LOG": "1", "VOLTE_LOG": "json", "VOLTE_LOG_LEVEL": "info"}
    with Process(f"sqlite:///{tmp_path / 'p.sqlite'}", tmp_path, **environ) as process:
        await request(process.address, "GET", "/rules")
        assert process.stop() == 0
    said = [json.loads(line) for line in process.output if line.startswith("{")]
    assert [event["route"] for event in said if event["event"] == "answered"] == ["/rules"]
