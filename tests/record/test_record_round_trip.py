"""What is written is read back, event by event, wherever a match is cut."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record.matches import RandomMatch, table
from rulesets import ALL_TABLES, TABLES, any_rulesets, log_of, seeds

from volte.fair import Verdict
from volte.game import Contribute, MatchStarted, Player, decide
from volte.notation import check_record, format_record, load_record, parse_record, prove_record
from volte.referee import Event, replay
from volte.rules import Ruleset, Score, make_ruleset, read_setting

GOLDENS = sorted((Path(__file__).parent / "goldens").glob("*.volte"))
LONG = settings.get_current_profile_name() == "full"


def assert_round_trip(log: Sequence[Event], master: bytes | None = None) -> None:
    text = format_record(log, master)
    record = parse_record(text)
    assert record.log == tuple(log)
    assert record.state == replay(log)
    assert record.master == master
    assert format_record(record.log, record.master) == text


@pytest.mark.parametrize(("name", "players"), ALL_TABLES if LONG else TABLES)
def test_a_match_of_every_preset_is_read_back(name: str, players: int) -> None:
    for seed in range(50 if LONG else 2):
        match = RandomMatch(table(name, players), seed, pot=seed * 25)
        assert_round_trip(match.log)
        assert parse_record(format_record(match.log)).finished
        cut = match.random.choice(match.cuts)
        assert_round_trip(match.log[:cut], master=bytes(range(32)))


@pytest.mark.parametrize("seed", range(4))  # proved, with promises or without, or not at all
def test_D2_a_match_to_which_the_deal_was_passed_on_is_read_back_and_proved(seed: int) -> None:
    match = RandomMatch(table("coeurs-cagnotte", 5), seed, pot=25, dealer=3)
    text = format_record(match.log)
    assert "\nPot: 25\nDealer: 4, passed on\n" in text
    assert "\nDeal 1: dealer 4, pass left\n" in text
    assert "Lots" not in text[: text.index("Deal 1")]
    for cut in match.cuts[:: max(1, len(match.cuts) // 5)]:
        assert_round_trip(match.log[:cut])
    assert_round_trip(match.log)
    proofs = prove_record(parse_record(text))
    assert {proof.verdict for proof in proofs} <= {Verdict.PROVED}
    assert bool(proofs) == (seed % 2 == 0)


@pytest.mark.parametrize("name", ["coeurs-moyenne", "coeurs-cagnotte", "salon-valet", "microsoft"])
def test_a_match_of_full_length_is_read_back(name: str) -> None:
    assert_round_trip(RandomMatch(make_ruleset(name), seed=4).log)


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
    assert_round_trip(log)


def test_a_preset_that_is_none_is_told_with_its_line() -> None:
    fault = check_record("Volte record 1\nRules: micro-soft\n").fault
    assert fault is not None
    assert (fault.reason, fault.params["line"]) == ("bad_rules", 2)


@pytest.mark.parametrize(
    ("name", "players", "seed"), [("coeurs-cagnotte", 7, 6), ("salon-six-jokers", 6, 3)]
)
def test_a_match_may_be_cut_after_any_action(name: str, players: int, seed: int) -> None:
    match = RandomMatch(table(name, players), seed)
    for cut in match.cuts:
        assert_round_trip(match.log[:cut])


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
    match = RandomMatch(table(*on, deals=1), seed)
    assert_round_trip(match.log[: match.cuts[place % len(match.cuts)]], master)


@given(any_rulesets(), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_a_match_by_any_ruleset_is_read_back(rules: Ruleset, seed: int) -> None:
    assert_round_trip(log_of(rules, seed, restless=True))


@given(st.lists(st.builds(Player, st.text(), st.booleans(), st.text()), min_size=3, max_size=3))
def test_players_may_have_any_names(players: list[Player]) -> None:
    assert_round_trip([MatchStarted(make_ruleset("coeurs", {"players": 3}), tuple(players))])


@pytest.mark.parametrize("name", ['a "quoted" name', "; no comment", "{x}", "a  b", "\\", "\udcff"])
def test_names_that_look_like_notation_are_read_back(name: str) -> None:
    players = (Player(name, person=True), Player(name), Player("", level=name))
    assert_round_trip([MatchStarted(make_ruleset("coeurs", {"players": 3}), players)])


def test_a_seat_that_did_not_reveal_and_one_that_gave_nothing_are_told_apart() -> None:
    match = RandomMatch(table("coeurs", 3), seed=0)
    log = match.log[:2]
    for seat, data in enumerate((None, b"", b"\0")):
        outcome = decide(replay(log), Contribute(seat, data))
        assert isinstance(outcome, tuple)
        log += outcome
    assert_round_trip(log)
    shares = [line for line in format_record(log).splitlines() if line.startswith("Share")]
    assert shares == ["Share 1: absent", "Share 2: empty", "Share 3: 00"]


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_a_record_typed_by_hand_is_read(path: Path) -> None:
    record = load_record(path)
    assert record.finished
    assert_round_trip(list(record.log))


def test_the_goldens_show_what_they_are_for() -> None:
    records = {path.stem: load_record(path).state for path in GOLDENS}
    assert records["moon"].deals[0].moon == 2
    assert records["moon"].net == (-25, -25, 75, -25)
    assert records["slam"].deals[0].points == (26, -26, 26, 26)
    assert records["lots"].net == (-16, -9, 12, 13)
    assert records["pot"].net == (-18, 98, -25, -5)
    assert records["coeurs-moyenne"].net == (20, -29, 24, -15)
    assert records["salon-valet"].totals == (8, 11, 33, 12)
    assert records["moon-chosen"].deals[0] == Score((0, -26, 0, 0), moon=1, minus=True)  # W7
    deal = records["cancelled"].deal
    assert deal is not None
    assert deal.tricks[11].winner is None  # two sixes of spades (W11)
    assert len(deal.transfers) == 6 * 5  # a scatter (W1)


def test_what_follows_from_the_play_may_be_left_out() -> None:
    told = ("Points", "Totals", "Stakes", "Winners")
    for path in GOLDENS:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        fewer = "".join(line for line in lines if not line.startswith(told))
        assert parse_record(fewer).log == load_record(path).log


def test_a_record_may_come_with_a_mark_before_it_and_the_line_ends_of_windows() -> None:
    content = GOLDENS[0].read_bytes()
    altered = b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")
    assert parse_record(altered) == parse_record(content)


def test_a_check_tells_the_record_or_its_first_fault() -> None:
    content = GOLDENS[0].read_bytes()
    whole, broken = check_record(content), check_record(content[:-3])
    assert whole.record is not None
    assert whole.record.finished
    assert broken.fault is not None
    assert broken.fault.reason == "unfinished_line"
