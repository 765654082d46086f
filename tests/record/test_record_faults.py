"""What is wrong with a record is told with its line and what was expected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from record.matches import RandomMatch, table

from volte.cards import Card, CardSet
from volte.fair import House
from volte.game import Refusal
from volte.notation import FORMS, check_record, format_record, load_record, parse_record, resume
from volte.notation.record import MOST_BYTES, RecordFault
from volte.rules import RulesetFault

GOLDENS = Path(__file__).parent / "goldens"
PLAYED = (GOLDENS / "coeurs-five-with-kitty.volte").read_text(encoding="utf-8")
PROVED = (GOLDENS / "proved.volte").read_text(encoding="utf-8")
CHOSEN = (GOLDENS / "moon-chosen.volte").read_text(encoding="utf-8")
CANCELLED = (GOLDENS / "cancelled.volte").read_text(encoding="utf-8")
LOTS = (GOLDENS / "lots.volte").read_text(encoding="utf-8")


def fault_of(text: str | bytes) -> RecordFault:
    with pytest.raises(RecordFault) as found:
        parse_record(text)
    assert found.value.line > 0
    return found.value


def line_of(text: str, start: str) -> int:
    """The number of the line that begins so."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(start))


def spoilt(start: str, line: str, text: str = PLAYED) -> RecordFault:
    """The fault when the line that begins so is replaced; it is found on that very line."""
    fault = fault_of(re.sub(rf"(?m)^{re.escape(start)}.*$", line, text, count=1))
    assert fault.line == line_of(text, start)
    return fault


def refusal_of(fault: RecordFault) -> Refusal:
    assert fault.reason == "refused"
    refusal = fault.params["refusal"]
    assert isinstance(refusal, Refusal)
    return refusal


# What is no record at all


def test_an_empty_file_is_told() -> None:
    for text in ("", "\n\n", "; nothing but a remark\n", b""):
        assert fault_of(text).reason == "empty_record"


def test_what_is_no_text_is_told() -> None:
    for content in (
        b"\x89PNG\r\n\x1a\n\x00\xff",
        PLAYED.encode("utf-16"),
        b"Volte record 1\n\xff\n",
    ):
        assert fault_of(content).reason == "not_text"
    assert fault_of(b"Volte record 1\n\xff\n").line == 2


def test_another_kind_of_text_is_told() -> None:
    for text in ("Dear diary,\n", "<html>\n", "[Event]\n", "\0\n"):
        fault = fault_of(text)
        assert (fault.reason, fault.params["expected"]) == ("not_a_record", "Volte record 1")


def test_a_record_of_a_later_version_is_told() -> None:
    assert fault_of("Volte record 2\n").params == {"line": 1, "version": "2"}


def test_a_text_that_is_too_large_is_told() -> None:
    assert fault_of("x" * (MOST_BYTES + 1)).reason == "too_large"


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.volte"):
        with pytest.raises(RecordFault) as found:
            load_record(path)
        assert found.value.reason == "record_not_read"
        assert found.value.params["path"] == str(path)


# Headers


def test_a_missing_header_is_told() -> None:
    assert fault_of("Volte record 1\nRules: coeurs\n").params["expected"] == "Seat 1"
    without = re.sub(r"(?m)^Seat 5.*\n", "", PLAYED)
    assert fault_of(without).params["expected"] == "Seat 5"
    without = re.sub(r"(?m)^Rules.*\n", "", PLAYED)
    assert fault_of(without).params["expected"] == FORMS["Rules"]


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("whist", "no_such_preset"),
        ("", "no_such_preset"),
        ("coeurs color=red", "no_such_option"),
        ("coeurs players=many", "no_such_value"),
        ("coeurs players=9", "players_out_of_range"),
        ("coeurs players", "not_a_setting"),
    ],
)
def test_rules_that_are_none_are_told(rules: str, reason: str) -> None:
    fault = spoilt("Rules", f"Rules: {rules}")
    assert fault.reason == "bad_rules"
    nested = fault.params["fault"]
    assert isinstance(nested, RulesetFault)
    assert nested.reason == reason


def test_headers_that_do_not_fit_are_told() -> None:
    assert spoilt("Seat 2", 'Seat 3: "Jean" bot').params["expected"] == 2
    assert spoilt("Seat 2", "Seat 2: Jean").params["expected"] == FORMS["Seat"]
    assert spoilt("Seat 2", 'Seat 2: "Je\\an" bot').reason == "malformed"


def test_a_header_said_twice_is_told() -> None:
    for header in ("Rules: coeurs", "Pot: 1", f"Master: {'0' * 64}"):
        text = f"Volte record 1\n{header}\n{header}\n"
        assert (fault_of(text).reason, fault_of(text).line) == ("out_of_place", 3)
    assert fault_of(PLAYED + 'Seat 1: "Anne" bot\n').reason == "out_of_place"


@pytest.mark.parametrize(
    ("lines", "reason", "line"),
    [
        ("Dealer: 3, passed on\nRules: coeurs\n", "header_missing", 2),
        ("Rules: coeurs\nDealer: 5, passed on\n", "no_such_seat", 3),
        ("Rules: coeurs\nDealer: passed on\n", "header_missing", 3),
        ("Rules: coeurs\n" + 2 * "Dealer: 3, passed on\n", "out_of_place", 4),
    ],
)
def test_D2_a_deal_passed_on_to_nobody_is_told(lines: str, reason: str, line: int) -> None:
    fault = fault_of(f"Volte record 1\n{lines}")
    assert (fault.reason, fault.line) == (reason, line)


# A record cut in half


def test_a_line_that_is_cut_is_told() -> None:
    for end in (-1, -2, -10):
        assert fault_of(PLAYED[:end]).reason == "unfinished_line"
    assert fault_of(PLAYED[:-1]).line == PLAYED.count("\n")


def test_a_deal_that_lacks_hands_is_told() -> None:
    cut = PLAYED[: PLAYED.index("Hand 4")]
    assert fault_of(cut).params == {"line": cut.count("\n"), "deal": 1, "seats": (4, 5)}
    assert fault_of(cut + "Pass 1: 9C 9D TH\n").reason == "hands_missing"


def test_a_record_cut_after_any_line_is_told_or_is_a_match_that_goes_on() -> None:
    lines = PLAYED.splitlines(keepends=True)
    reports = [check_record("".join(lines[:end])) for end in range(len(lines) + 1)]
    faults = [(end, report.fault) for end, report in enumerate(reports) if report.fault]
    assert all(fault.line == max(1, end) for end, fault in faults)
    told = {fault.reason for _, fault in faults}
    assert told == {"empty_record", "header_missing", "hands_missing"}
    finished = [report.record.finished for report in reports if report.record is not None]
    assert finished == [False] * 18 + [True] * 3


# Cards


def test_a_wrong_card_is_told() -> None:
    assert spoilt("Hand 1", "Hand 1: S: 92 H: T432 D: 97 C: 9X").params["text"] == "XC"
    assert spoilt("Trick 1", "Trick 1: 4 leads 2C TC 3C 9Z QS").reason == "no_such_card"
    assert spoilt("Pass 1", "Pass 1: 9C 9D queen").reason == "no_such_card"


def test_a_card_twice_is_told() -> None:
    for hand in ("9S 2S S: 9 H: T432 D: 97 C: 9", "S: 99 H: T432 D: 97 C: 93"):
        fault = spoilt("Hand 1", f"Hand 1: {hand}")
        assert (fault.reason, fault.params["card"]) == ("card_twice", Card("9S"))
    fault = spoilt("Hand 3", "Hand 3: S: QJ873 H: AQ D: QJ C: 3")
    assert (fault.reason, fault.params["card"]) == ("card_twice", Card("3C"))
    assert spoilt("Trick 1", "Trick 1: 2C TC 2C 9C QS").reason == "card_twice"


def test_a_card_that_is_not_in_the_deck_is_told() -> None:
    fault = spoilt("Hand 1", "Hand 1: S: 92 H: T432 D: 97 C: 9 RJ")
    assert (fault.reason, fault.params["card"]) == ("not_in_deck", Card("RJ"))


def test_a_card_that_nobody_holds_is_told() -> None:
    played_before = spoilt("Trick 2", "Trick 2: 5 leads 4C 2C KH QH 5C")
    in_the_kitty = spoilt("Trick 1", "Trick 1: 4 leads 2C 5D 3C 9C QS")
    assert (played_before.reason, played_before.params["card"]) == ("nobody_holds", Card("2C"))
    assert (in_the_kitty.reason, in_the_kitty.params["card"]) == ("nobody_holds", Card("5D"))


def test_a_card_that_another_seat_holds_is_told() -> None:
    refusal = refusal_of(spoilt("Trick 1", "Trick 1: 4 leads 2C 9C 3C TC QS"))
    assert refusal.reason == "not_in_hand"
    assert CardSet(refusal.legal) == CardSet("C: QT874")


def test_hands_and_passes_of_a_wrong_size_are_told() -> None:
    short = spoilt("Hand 1", "Hand 1: S: 92 H: T432 D: 97 C: 9")
    assert (short.params["given"], short.params["expected"]) == (9, 10)
    assert spoilt("Kitty", "Kitty: 5D").reason == "wrong_number"
    assert refusal_of(spoilt("Pass 1", "Pass 1: 9C 9D")).reason == "pass_count"
    assert refusal_of(spoilt("Pass 1", "Pass 1: AS 9C 9D")).reason == "not_in_hand"
    assert refusal_of(spoilt("Pass 2", "Pass 1: 9C 9D TH")).reason == "already_passed"


# Plays


def test_T1_a_revoke_is_told_with_the_cards_that_would_be_legal() -> None:
    refusal = refusal_of(spoilt("Trick 1", "Trick 1: 4 leads 2C 6S 3C 9C QS"))
    assert (refusal.reason, refusal.clause) == ("breach", "T1")
    assert CardSet(refusal.legal) == CardSet("C: QT874")


def test_T5_a_forced_queen_that_is_kept_is_told() -> None:
    refusal = refusal_of(spoilt("Trick 1", "Trick 1: 4 leads 2C TC 3C 9C JS"))
    assert (refusal.clause, refusal.legal) == ("T5", (Card("QS"),))


def test_T2_a_wrong_leader_or_winner_is_told() -> None:
    fault = spoilt("Trick 2", "Trick 2: 3 leads 4C JC KH QH 5C, 1 takes")
    assert fault.params["expected"] == "5 leads"
    fault = spoilt("Trick 1", "Trick 1: 4 leads 2C TC 3C 9C QS, 4 takes")
    assert (fault.params["written"], fault.params["expected"]) == ("4", 5)


def test_a_trick_of_a_wrong_length_or_number_is_told() -> None:
    assert spoilt("Trick 1", "Trick 1: 2C TC 3C 9C QS 4C").params["given"] == 6
    assert spoilt("Trick 1", "Trick 1: 2C TC 3C, 5 takes").params["given"] == 3
    assert spoilt("Trick 2", "Trick 3: 4C").params["expected"] == 2
    assert fault_of(PLAYED.replace(" QS, 5 takes", "")).params["what"] == "Trick"


def test_an_act_out_of_place_is_told_with_what_was_expected() -> None:
    fault = spoilt("Pass 1", "Trick 1: 4 leads 2C")
    assert (fault.reason, fault.params["expected"]) == ("out_of_place", ("Pass",))
    assert spoilt("Trick 3", "Points: 1 2 3 4 5").reason == "out_of_place"
    assert spoilt("Kitty", "Hand 1: S: 92 H: T432 D: 97 C: 93").reason == "out_of_place"
    assert spoilt("Trick 3", "Deal 2: dealer 1").reason == "out_of_place"
    assert spoilt("Trick 3", "Hand 1: S: 2").reason == "out_of_place"
    assert spoilt("Trick 3", "Dealer: 2").reason == "out_of_place"
    assert refusal_of(spoilt("Trick 3", "Undo 2: asked")).reason == "nothing_to_undo"
    assert refusal_of(spoilt("Trick 3", "Undo 2: allowed")).reason == "no_undo_asked"
    assert refusal_of(spoilt("Trick 3", "Claim: 1")).clause == "C1"
    assert refusal_of(fault_of(PLAYED + "Claim: 1\n")).reason == "not_playing_now"


@pytest.mark.parametrize("line", ["Trump: S", "Trick one: 2C", "hello", "Trick 3 2C", "{ open"])
def test_an_unknown_word_is_told(line: str) -> None:
    fault = spoilt("Trick 3", line)
    assert fault.reason == "unknown_word"
    assert fault.params["expected"] == ("Trick", "Claim", "Undo")


@pytest.mark.parametrize(
    ("start", "line", "word"),
    [
        ("Deal 1", "Deal 1: Anne deals", "Deal"),
        ("Trick 3", "Trick 3: 1 leads 2H, TH", "Trick"),
        ("Trick 3", "Undo 1: please", "Undo"),
        ("Trick 3", "Commitment 1: abc", "Commitment"),
        ("Trick 3", "Share 1: abc", "Share"),
        ("Trick 3", "Secret: 00", "Secret"),
        ("Deal 1", "Lots: 1 KS and 2 4D", "Lots"),
        ("Deal 1", "Lots: 1 S:KQ", "Lots"),
    ],
)
def test_a_line_in_another_form_is_told_with_its_own(start: str, line: str, word: str) -> None:
    fault = spoilt(start, line)
    assert (fault.reason, fault.params["expected"]) == ("malformed", FORMS[word])


def test_a_seat_that_nobody_has_is_told() -> None:
    assert spoilt("Pass 1", "Pass 6: 9C 9D TH").params["seat"] == "6"
    assert spoilt("Pass 1", "Pass: 9C 9D TH").reason == "no_such_seat"
    assert spoilt("Deal 1", "Deal 1: dealer 6").reason == "no_such_seat"
    assert spoilt("Trick 1", "Claim: 0").reason == "no_such_seat"


# Books


@pytest.mark.parametrize(
    ("line", "written", "text"),
    [
        ("Points", "4 7 0 2 13", PLAYED),
        ("Points", "4 7 0 2", PLAYED),
        ("Stakes", "-4 -7 +25 -2 -11", PLAYED),
        ("Totals", "0 0 0 0 9 0 15", PROVED),
        ("Winners", "1", PROVED),
        ("Dealer", "1", PROVED),
    ],
)
def test_S6_wrong_books_are_told_with_the_right_ones(line: str, written: str, text: str) -> None:
    right = next(each for each in text.splitlines() if each.startswith(line))
    fault = spoilt(line, f"{line}: {written}", text)
    assert fault.reason == "wrong_statement"
    assert (fault.params["what"], fault.params["written"]) == (line, written)
    assert f"{line}: {fault.params['expected']}" == right


def test_a_deal_that_is_told_wrong_is_told() -> None:
    assert spoilt("Deal 1", "Deal 2: dealer 3").params["expected"] == 1
    assert spoilt("Deal 1", "Deal 1: dealer 3, pass right").params["expected"] == "left"
    assert spoilt("Deal 1", "Deal 1: dealer 1, pass left", PROVED).params["expected"] == 6
    assert spoilt("Deal 1", "Deal 1: pass left").params["expected"] == (
        "Commitment",
        "Promise",
        "Share",
        "Lots",
        "Dealer",
        "Deal",
    )


# Chance


def test_lots_that_are_not_lawful_are_told() -> None:
    for lots in ("1 9S, 2 AS", "1 9S, 2 9S, 3 4S, 4 AH, 5 6S, 6 2S, 7 AC", "1 9S / 1 8S"):
        assert refusal_of(spoilt("Lots", f"Lots: {lots}", PROVED)).reason == "lots_not_lawful"
    late = fault_of(PLAYED + "Lots: 1 KS, 2 QS\n")
    assert refusal_of(late).reason == "no_lots_due"


def test_D3_chance_out_of_its_order_is_told() -> None:
    assert refusal_of(spoilt("Share 7", "Share 6: 00", PROVED)).reason == "no_contribution_due"
    early = refusal_of(spoilt("Lots", f"Secret 1: {'0' * 64}", PROVED))
    assert early.reason == "too_soon_to_reveal"
    assert refusal_of(spoilt("Lots", "Dealer: 1", PROVED)).reason == "no_lots_due"
    again = f"Commitment 0: {'0' * 64}"
    assert refusal_of(spoilt("Trick 3", again, PROVED)).reason == "no_commitment_due"
    assert spoilt("Commitment", f"Commitment 1: {'0' * 64}, for 2 2", PROVED).reason == "malformed"


def test_a_match_without_its_master_cannot_be_resumed() -> None:
    log = RandomMatch(table("coeurs", 4), seed=0).log[:-1]
    master = House.from_seed(0).master
    assert resume(format_record(log, master)) == (tuple(log), master)
    for text, reason in [
        (format_record(log), "no_master"),
        (format_record(log, bytes(32)), "wrong_master"),
    ]:
        with pytest.raises(RecordFault) as found:
            resume(text)
        assert found.value.reason == reason


def test_a_match_that_was_never_proved_goes_on_without_a_master() -> None:
    log = tuple(RandomMatch(table("coeurs", 4), seed=1).log[:30])
    assert resume(format_record(log)) == (log, None)


# The wider family


@pytest.mark.parametrize("line", ["Moon: 2", "Moon: minus", "Moon: 2 both", "Moon: 2 minus 26"])
def test_W7_what_is_no_choice_is_told(line: str) -> None:
    assert spoilt("Moon:", line, CHOSEN).reason == "malformed"


def test_W7_only_the_shooter_chooses() -> None:
    fault = spoilt("Moon:", "Moon: 3 minus", CHOSEN)
    assert refusal_of(fault).reason == "no_moon_to_choose"


def test_W7_the_points_must_agree_with_the_choice() -> None:
    fault = fault_of(CHOSEN.replace("Moon: 2 minus", "Moon: 2 plus"))
    assert fault.line == line_of(CHOSEN, "Points")


def test_W7_a_record_may_stop_before_the_choice_but_not_go_on_without_it() -> None:
    before, _, _ = CHOSEN.partition("Moon:")
    assert parse_record(before).state.shooter == 1
    fault = fault_of(re.sub("(?m)^Moon.*\n", "", CHOSEN))
    assert fault.line == line_of(CHOSEN, "Moon")
    assert "Moon" in str(fault.params)


def test_W11_who_takes_a_trick_that_cancels_is_nobody() -> None:
    fault = fault_of(CANCELLED.replace("nobody takes", "4 takes"))
    assert fault.line == line_of(CANCELLED, "Trick 12")
    fault = fault_of(re.sub("(?m)^(Trick 11: .*), 4 takes", r"\1, nobody takes", CANCELLED))
    assert fault.line == line_of(CANCELLED, "Trick 11")


def test_W11_a_card_of_the_other_pack_is_another_card() -> None:
    fault = fault_of(CANCELLED.replace("Trick 1: 2 leads 6H ", "Trick 1: 2 leads 6H' "))
    assert fault.line == line_of(CANCELLED, "Trick 1")


def test_W1_a_scatter_in_another_order_is_another_pass() -> None:
    fault = fault_of(CANCELLED.replace("Pass 1: 8D' TS", "Pass 1: TS 8D'"))
    assert fault.line > line_of(CANCELLED, "Pass 1")
