"""Lines made to keep the reader busy: each is told at once, in time that grows with its length."""

import pytest

from volte.notation import check_record
from volte.notation.lines import LONGEST_LINE

TITLE = "Volte record 1\n"
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
