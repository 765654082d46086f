"""Writing: what is written is read back, event by event, wherever a match is cut."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.deals import RandomMatch, log_of
from kit.presets import ALL_TABLES, SOME_TABLES, short
from kit.records import LAWFUL, TEXTS, check_record, read_back
from kit.strategies import any_rulesets, few, seeds

from volte.fair import Verdict
from volte.game import CardsOrigin, Contribute, MatchStarted, Player, decide
from volte.notation import (
    FORMS,
    format_record,
    parse_record,
    prove_record,
)
from volte.referee import Event, replay
from volte.rules import Ruleset, Score, make_ruleset, read_setting
from volte.scorekeeper.model import parse_sheet
from volte.scorekeeper.model.read import is_sheet


@pytest.mark.parametrize(("name", "players"), few(SOME_TABLES, ALL_TABLES))
def test_a_match_of_every_preset_is_read_back(name: str, players: int) -> None:
    for seed in range(few(2, 50)):
        match = RandomMatch(short(name, players), seed, pot=seed * 25)
        assert read_back(match.log).finished
        cut = match.random.choice(match.cuts)
        read_back(match.log[:cut], master=bytes(range(32)))


@pytest.mark.parametrize("seed", range(4))  # proved, with promises or without, or not at all
def test_D2_a_match_to_which_the_deal_was_passed_on_is_read_back_and_proved(seed: int) -> None:
    match = RandomMatch(short("coeurs-cagnotte", 5), seed, pot=25, dealer=3)
    text = format_record(match.log)
    assert "\nPot: 25\nDealer: 4, passed on\n" in text
    assert "\nDeal 1: dealer 4, pass left\n" in text
    assert "Lots" not in text[: text.index("Deal 1")]
    for cut in match.cuts[:: max(1, len(match.cuts) // 5)]:
        read_back(match.log[:cut])
    read_back(match.log)
    proofs = prove_record(parse_record(text))
    assert {proof.verdict for proof in proofs} <= {Verdict.PROVED}
    assert bool(proofs) == (seed % 2 == 0)


@pytest.mark.parametrize("name", ["coeurs-moyenne", "coeurs-cagnotte", "salon-valet", "microsoft"])
def test_a_match_of_full_length_is_read_back(name: str) -> None:
    read_back(RandomMatch(make_ruleset(name), seed=4).log)


@pytest.mark.parametrize(
    "rules",
    [
        "microsoft",
        "dame-de-pique",
        "microsoft slam=reversal",
        "coeurs match_end=deals:5",
        "salon players=6 removed=[2C,2D,2S,2H]",
    ],
)
def test_a_record_says_which_preset_was_chosen_and_what_differs(rules: str) -> None:
    name, *settings = rules.split()
    chosen = make_ruleset(name, dict(map(read_setting, settings)))
    log: list[Event] = [MatchStarted(chosen, tuple(map(Player, "ABCDEF"[: chosen.players])))]
    text = format_record(log)
    assert text.splitlines()[1] == f"Rules: {rules}"
    read_back(log)


@pytest.mark.parametrize(
    ("name", "players", "seed"),
    [
        pytest.param("coeurs-cagnotte", 7, 6, marks=pytest.mark.full),
        ("salon-six-jokers", 6, 3),
    ],
)
def test_a_match_may_be_cut_after_any_action(name: str, players: int, seed: int) -> None:
    match = RandomMatch(short(name, players), seed)
    for cut in match.cuts:
        read_back(match.log[:cut])


@given(
    st.sampled_from(ALL_TABLES),
    st.integers(0, 2**32),
    st.integers(0, 10**6),
    st.none() | st.binary(min_size=32, max_size=32),
)
@settings(max_examples=settings().max_examples // 4)
def test_any_prefix_of_any_match_is_read_back(
    on: tuple[str, int], seed: int, place: int, master: bytes | None
) -> None:
    match = RandomMatch(short(*on, deals=1), seed)
    read_back(match.log[: match.cuts[place % len(match.cuts)]], master)


@given(any_rulesets(), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_a_match_by_any_ruleset_is_read_back(rules: Ruleset, seed: int) -> None:
    read_back(log_of(rules, seed, restless=True))


@given(st.lists(st.builds(Player, st.text(), st.booleans(), st.text()), min_size=3, max_size=3))
def test_players_may_have_any_names(players: list[Player]) -> None:
    read_back([MatchStarted(make_ruleset("coeurs", {"players": 3}), tuple(players))])


@pytest.mark.parametrize("name", ['a "quoted" name', "; no comment", "{x}", "a  b", "\\", "\udcff"])
def test_names_that_look_like_notation_are_read_back(name: str) -> None:
    players = (Player(name, person=True), Player(name), Player("", level=name))
    read_back([MatchStarted(make_ruleset("coeurs", {"players": 3}), players)])


def test_a_seat_that_did_not_reveal_and_one_that_gave_nothing_are_told_apart() -> None:
    match = RandomMatch(short("coeurs", 3), seed=0)
    log = match.log[:2]
    for seat, data in enumerate((None, b"", b"\0")):
        outcome = decide(replay(log), Contribute(seat, data))
        assert isinstance(outcome, tuple)
        log += outcome
    read_back(log)
    shares = [line for line in format_record(log).splitlines() if line.startswith("Share")]
    assert shares == ["Share 1: absent", "Share 2: empty", "Share 3: 00"]


@pytest.mark.parametrize("name", LAWFUL)
def test_a_record_typed_by_hand_is_read(name: str) -> None:
    assert read_back(parse_record(TEXTS[name]).log).finished


def test_the_goldens_show_what_they_are_for() -> None:
    records = {name: parse_record(TEXTS[name]).state for name in LAWFUL}
    assert records["moon"].deals[0].moon == 2
    assert records["moon"].net == (-25, -25, 75, -25)
    assert records["slam"].deals[0].points == (26, -26, 26, 26)
    assert records["lots"].net == (-16, -9, 12, 13)
    assert records["pot"].net == (-18, 98, -25, -5)
    assert records["coeurs-moyenne"].net == (20, -29, 24, -15)
    assert records["salon-valet"].totals == (8, 11, 33, 12)
    assert records["moon-chosen"].deals[0] == Score((0, -26, 0, 0), moon=1, minus=True)  # W7
    assert records["again"].cards == CardsOrigin("5c0ffee5", 1)
    deal = records["cancelled"].deal
    assert deal is not None
    assert deal.tricks[11].winner is None  # two sixes of spades (W11)
    assert len(deal.transfers) == 6 * 5  # a scatter (W1)


def test_what_follows_from_the_play_may_be_left_out() -> None:
    stated = ("Points", "Totals", "Stakes", "Winners")
    for name in LAWFUL:
        lines = TEXTS[name].splitlines(keepends=True)
        fewer = "".join(line for line in lines if not line.startswith(stated))
        assert parse_record(fewer).log == parse_record(TEXTS[name]).log


def test_a_record_may_come_with_a_mark_before_it_and_the_line_ends_of_windows() -> None:
    content = TEXTS["moon"].encode()
    altered = b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")
    assert parse_record(altered) == parse_record(content)


def test_a_check_tells_the_record_or_its_first_fault() -> None:
    content = TEXTS["moon"].encode()
    whole, broken = check_record(content), check_record(content[:-3])
    assert whole.record is not None
    assert whole.record.finished
    assert broken.fault is not None
    assert broken.fault.reason == "unfinished_line"


# Spellings: other blanks, other signs for the suits


BLANKS: Final = ("  ", "\t", "\u00a0", " \u202f")
SUITS: Final = ("♣♦♠♥", "♧♢♤♡", "♣\ufe0f♦\ufe0f♠\ufe0f♥\ufe0f", "♣\ufe0e♦\ufe0e♠\ufe0e♥\ufe0e")

SHEET: Final = """Volte sheet 1
Rules: coeurs card_points=[KS=10]
Seat 1: "Anne"
Seat 2: "Bob"
Seat 3: "Cléo"
Seat 4: "Zoé"
Lots: 1 KS, 2 4D, 3 4H, 4 2C

Deal 1: hearts 3 4 6 0, queen 2, KS 1
"""


def spaced(text: str, blank: str) -> str:
    """The text with that blank for each space, except in names."""
    return re.sub(r'("(?:[^"\\\\]|\\\\.)*")| ', lambda found: found[1] or blank, text)


def drawn(text: str, suits: str) -> str:
    """The text with those signs for the letters of the suits."""
    signs = dict(zip("CDSH", re.findall(r".[\ufe0e\ufe0f]?", suits), strict=True))
    by_card = r"\b([2-9TJQKA])([CDSH])(?!\w)"
    text = re.sub(by_card, lambda found: found[1] + signs[found[2]], text)
    return re.sub(r"\b([CDSH])(?='?:)", lambda found: signs[found[1]], text)


SPELLINGS: Final[list[Callable[[str], str]]] = [
    *(lambda text, blank=blank: spaced(text, blank) for blank in BLANKS),
    *(lambda text, suits=suits: drawn(text, suits) for suits in SUITS),
]


@pytest.mark.parametrize("name", TEXTS)
def test_a_record_may_be_written_in_any_of_these_ways(name: str) -> None:
    text = TEXTS[name]
    record = parse_record(text)
    for spelling in SPELLINGS:
        assert spelling(text) != text
        assert parse_record(spelling(text)) == record


def test_so_may_a_sheet() -> None:
    sheet = parse_sheet(SHEET)
    for spelling in SPELLINGS:
        assert spelling(SHEET) != SHEET
        assert parse_sheet(spelling(SHEET)) == sheet
        assert is_sheet(f"\n{spelling(SHEET)}".encode())


# docs/records.md

PAGE: Final = Path(__file__).parents[2] / "docs" / "records.md"
PROSE: Final = PAGE.read_text(encoding="utf-8")


def test_the_examples_are_records_as_the_program_writes_them() -> None:
    _, *blocks = PROSE.split("```volte\n")
    assert len(blocks) == 2
    for block in blocks:
        example = block.split("```")[0]
        record = parse_record(example)
        assert record.finished
        assert format_record(record.log) == example


def test_every_word_is_explained() -> None:
    for word in FORMS:
        assert f"\n| `{word}" in PROSE or f"`, `{word}" in PROSE
