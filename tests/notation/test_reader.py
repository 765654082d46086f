"""Reading: a text is a lawful record, or a fault tells its line and what is expected there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import cells, read_laws, short
from kit.deals import RandomMatch
from kit.records import LAWFUL, TEXTS, check_record, fault_of, line_of, resume

from volte.cards import CardSet, VolteError
from volte.fair import House
from volte.game import Refusal
from volte.notation import (
    FORMS,
    RecordFault,
    format_record,
    load_record,
    parse_record,
)
from volte.notation.lines import LONGEST_LINE
from volte.notation.record import MOST_BYTES

FAULTS: Final = read_laws(Path(__file__).with_name("faults.txt"))
PLAYED: Final = TEXTS["coeurs-five-with-kitty"]
CHOSEN: Final = TEXTS["moon-chosen"]
CANCELLED: Final = TEXTS["cancelled"]
TITLE: Final = "Volte record 1\n"


@pytest.mark.parametrize(
    "row", [f"{about}: {row}" for about, rows in FAULTS.items() for row in rows]
)
def test_a_line_that_is_wrong_is_told(row: str) -> None:
    name, start, line, reason, *facts = cells(row.partition(": ")[2])
    text, line = TEXTS[name], line.replace("\\n", "\n")
    spoilt, found = re.subn(rf"(?m)^{re.escape(start)}.*$", lambda _: line, text, count=1)
    assert found
    fault = fault_of(spoilt)
    assert fault.line == line_of(text, start) + line.count("\n")
    refusal = fault.params.get("refusal")
    assert (refusal.reason if isinstance(refusal, Refusal) else fault.reason) == reason
    if reason == "malformed":
        assert fault.params["expected"] == FORMS[line.split(":")[0].split()[0]]
    for name, value in (fact.split("=", 1) for fact in facts):
        given = getattr(refusal, name) if isinstance(refusal, Refusal) else fault.params[name]
        if isinstance(refusal, Refusal) and name == "legal":
            assert CardSet(refusal.legal) == CardSet(value)
        elif isinstance(given, VolteError):
            assert given.reason == value
        else:
            assert (", ".join(given) if isinstance(given, tuple) else str(given)) == value


@pytest.mark.parametrize(
    "row", [row for rows in FAULTS.values() for row in rows if "| what=" in row]
)
def test_S6_wrong_books_are_told_with_the_right_ones(row: str) -> None:
    name, word, line, *_ = cells(row)
    text = TEXTS[name]
    fault = fault_of(re.sub(rf"(?m)^{word}.*$", line, text, count=1))
    assert text.splitlines()[fault.line - 1] == f"{word}: {fault.params['expected']}"


# Texts that are no records


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
    for header, expected in (("Seat 5", "Seat 5"), ("Rules", FORMS["Rules"])):
        without = re.sub(rf"(?m)^{header}.*\n", "", PLAYED)
        assert fault_of(without).params["expected"] == expected


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
    reasons = {fault.reason for _, fault in faults}
    assert reasons == {"empty_record", "header_missing", "hands_missing"}
    finished = [report.record.finished for report in reports if report.record is not None]
    assert finished == [False] * 18 + [True] * 3


def test_what_comes_after_the_end_is_told() -> None:
    assert fault_of(PLAYED.replace(" QS, 5 takes", "")).params["what"] == "Trick"
    for line, reason in (("Claim: 1", "not_playing_now"), ("Lots: 1 KS, 2 QS", "no_lots_due")):
        refusal = fault_of(f"{PLAYED}{line}\n").params["refusal"]
        assert isinstance(refusal, Refusal)
        assert refusal.reason == reason


# Going on


def test_a_match_without_its_master_cannot_be_resumed() -> None:
    log = RandomMatch(short("coeurs", 4), seed=0).log[:-1]
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
    log = tuple(RandomMatch(short("coeurs", 4), seed=1).log[:30])
    assert resume(format_record(log)) == (log, None)


# The wider family


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


# Lines made to keep the reader busy: each is refused at once, in time linear in its length


LONG = 2**20
# A reader that tries such a line again from every place in it would need days.
LINES = {
    "quote marks after a backslash": '"\\' * (LONG // 2),
    "a quote that never ends": '"' + "\\" * LONG,
    "spaces before no colon": "Trick" + " " * LONG + "x",
    "letters": "a" * LONG,
    "braces": "{" * LONG,
    "cards": "Hand 1: S: " + "Q" * LONG,
    "lots": "Lots: " + "1 KS, " * (LONG // 6),
    "brackets in a name": f'Seat 1: "{"[" * LONG}" person',
    "options": "Rules: coeurs " + "a=b " * (LONG // 4),
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_line_that_is_too_long(line: str) -> None:
    fault = check_record(f"{TITLE}{line}\n").fault
    assert fault is not None
    assert (fault.reason, fault.line) == ("line_too_long", 2)
    assert fault.params["most"] == LONGEST_LINE


def test_a_comment_may_be_as_long_as_it_likes() -> None:
    fault = check_record(f"{TITLE};{'c' * LONG}\n{'{c}' * LONG}\nnothing\n").fault
    assert fault is not None
    assert (fault.reason, fault.line) == ("unknown_word", 4)


# Spoilt texts


MATCHES: Final = [RandomMatch(short("coeurs", 4), seed).log for seed in (0, 2)]
RECORDS: Final = [
    *(text.encode() for text in LAWFUL.values() if len(text) < 2500),
    *(format_record(log, bytes(32)).encode() for log in MATCHES),
]
WORDS = [*FORMS.values(), *FORMS, "1 leads", "3 takes", "QS", "2C", "'", '"', ":", "999999", "−"]


def check_text(content: bytes) -> None:
    """A record that is read is stable; any other has a fault with a line."""
    report = check_record(content)
    if report.fault is not None:
        assert 1 <= report.fault.line <= content.count(b"\n") + 1
        return
    record = report.record
    assert record is not None
    text = format_record(record.log, record.master)
    assert parse_record(text) == record


@given(
    st.sampled_from(RECORDS), st.lists(st.tuples(st.integers(0), st.binary(max_size=2)), max_size=4)
)
def test_bytes_that_are_changed(content: bytes, changes: list[tuple[int, bytes]]) -> None:
    for place, byte in changes:
        place %= len(content)
        content = content[:place] + byte + content[place + 1 :]
    check_text(content)


@given(st.sampled_from(RECORDS), st.data())
def test_lines_that_are_dropped_doubled_or_swapped(content: bytes, data: st.DataObject) -> None:
    lines = content.splitlines(keepends=True)
    places = st.integers(0, len(lines) - 1)
    for _ in range(data.draw(st.integers(1, 3))):
        one, other = data.draw(places) % len(lines), data.draw(places) % len(lines)
        match data.draw(st.sampled_from(["drop", "double", "swap"])):
            case "drop":
                del lines[one]
            case "double":
                lines.insert(other, lines[one])
            case "swap":
                lines[one], lines[other] = lines[other], lines[one]
    check_text(b"".join(lines))


@given(st.sampled_from(RECORDS), st.integers(0))
def test_a_text_that_is_cut_anywhere(content: bytes, place: int) -> None:
    check_text(content[: place % (len(content) + 1)])


@given(st.sampled_from(RECORDS), st.integers(0), st.integers(0, 60), st.sampled_from(WORDS))
def test_words_in_the_wrong_place(content: bytes, place: int, length: int, word: str) -> None:
    place %= len(content)
    check_text(content[:place] + word.encode() + content[place + length :])


@given(st.sampled_from(RECORDS), st.integers(0), st.text())
def test_any_words_on_any_line(content: bytes, place: int, rest: str) -> None:
    lines = content.splitlines(keepends=True)
    place %= len(lines)
    word = lines[place].split(b":")[0]
    lines[place] = word + b": " + rest.encode() + b"\n"
    check_text(b"".join(lines))


@given(st.text() | st.binary())
@settings(max_examples=settings().max_examples // 2)
def test_any_text_after_the_title(text: str | bytes) -> None:
    content = text.encode() if isinstance(text, str) else text
    check_text(content)
    check_text(b"Volte record 1\n" + content)
