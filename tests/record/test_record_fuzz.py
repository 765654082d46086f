"""Whatever happens to a text, it is a lawful record or it is told where it is not."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from record.matches import RandomMatch, table

from volte.notation import FORMS, check_record, format_record, parse_record

GOLDENS = sorted((Path(__file__).parent / "goldens").glob("*.volte"))
TEXTS = [path.read_bytes() for path in GOLDENS if path.stat().st_size < 2500]
for seed in (0, 2):
    match = RandomMatch(table("coeurs", 4), seed)
    TEXTS.append(format_record(match.log, bytes(32)).encode())
WORDS = [*FORMS.values(), *FORMS, "1 leads", "3 takes", "QS", "2C", "'", '"', ":", "999999", "−"]


def assert_told(content: bytes) -> None:
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
    st.sampled_from(TEXTS), st.lists(st.tuples(st.integers(0), st.binary(max_size=2)), max_size=4)
)
def test_bytes_that_are_changed(content: bytes, changes: list[tuple[int, bytes]]) -> None:
    for place, byte in changes:
        place %= len(content)
        content = content[:place] + byte + content[place + 1 :]
    assert_told(content)


@given(st.sampled_from(TEXTS), st.data())
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
    assert_told(b"".join(lines))


@given(st.sampled_from(TEXTS), st.integers(0))
def test_a_text_that_is_cut_anywhere(content: bytes, place: int) -> None:
    assert_told(content[: place % (len(content) + 1)])


@given(st.sampled_from(TEXTS), st.integers(0), st.integers(0, 60), st.sampled_from(WORDS))
def test_words_in_the_wrong_place(content: bytes, place: int, length: int, word: str) -> None:
    place %= len(content)
    assert_told(content[:place] + word.encode() + content[place + length :])


@given(st.sampled_from(TEXTS), st.integers(0), st.text())
def test_any_words_on_any_line(content: bytes, place: int, rest: str) -> None:
    lines = content.splitlines(keepends=True)
    place %= len(lines)
    word = lines[place].split(b":")[0]
    lines[place] = word + b": " + rest.encode() + b"\n"
    assert_told(b"".join(lines))


@given(st.text() | st.binary())
@settings(max_examples=settings().max_examples // 2)
def test_any_text_after_the_title(text: str | bytes) -> None:
    content = text.encode() if isinstance(text, str) else text
    assert_told(content)
    assert_told(b"Volte record 1\n" + content)
