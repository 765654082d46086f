"""The progress of long work: a bar for eyes, a line now and then for ears."""

from __future__ import annotations

from io import StringIO

from volte.console.progress import Bar, Lines, Silent, progress_on
from volte.say import Words


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def watched(kind: type[Bar | Lines], steps: int, seconds: float) -> str:
    """The output for a number of steps, each of some seconds."""
    screen, clock = Screen(), Clock()
    with kind(Words("en"), screen, clock) as progress:
        for done in range(1, steps + 1):
            clock.now += seconds
            progress(done, steps)
    return screen.getvalue()


def test_a_bar_is_drawn_anew_and_gone_in_the_end() -> None:
    pictures = watched(Bar, 4, 30).split("\r\x1b[K")
    assert pictures == [
        "",
        "━━━━━━────────────────── 25% done, about 90 seconds left",
        "━━━━━━━━━━━━──────────── 50% done, about 60 seconds left",
        "━━━━━━━━━━━━━━━━━━────── 75% done, about 30 seconds left",
        "",
    ]


def test_a_bar_is_not_drawn_more_often_than_eyes_see() -> None:
    assert watched(Bar, 10_000, 0.001).count("left") <= 100


def test_for_ears_a_line_comes_now_and_then() -> None:
    assert watched(Lines, 1000, 0.004) == ""
    assert watched(Lines, 1000, 0.1).splitlines()[:2] == [
        "5% done, about 95 seconds left",
        "15% done, about 85 seconds left",
    ]
    assert watched(Lines, 1000, 36).count("\n") == 500
    assert "\r" not in watched(Lines, 100, 1)


def test_progress_is_for_terminals() -> None:
    assert type(progress_on(StringIO(), Words("en"), plain=False)) is Silent
    assert type(progress_on(Screen(), Words("en"), plain=False)) is Bar
    assert type(progress_on(Screen(), Words("en"), plain=True)) is Lines


def test_the_time_left_is_reckoned_from_what_was_played_now() -> None:
    screen, clock = Screen(), Clock()
    bar = Lines(Words("en"), screen, clock)
    bar.going_on(50)
    clock.now = 10
    bar(60, 100)
    assert screen.getvalue() == "60% done, about 40 seconds left\n"
