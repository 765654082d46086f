"""Hypothesis profiles, by VOLTE_TEST_PROFILE: `gate` for every change, `full` for the long run.

`interpreted` is for the kernel as plain Python, which is a thousand times slower.

`scripts/test` tests the wheel, whose path is in VOLTE_TEST_WHEEL.

Counts of tests, as whole numbers among their `user_properties`, are added up and printed.
"""

import gc
import os
from collections import Counter
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from time import sleep

import pytest
from hypothesis import settings

import volte

pytest_plugins = ["kit.postgres"]

# Until the tests are collected, a search for garbage finds none.
gc.disable()

for name, max_examples in {
    "gate": 5,
    "full": 1000,
    "interpreted": 12,
    "interpreted-full": 100,
}.items():
    settings.register_profile(
        name, max_examples=max_examples, deadline=None, derandomize=False, print_blob=True
    )
settings.load_profile(os.environ.get("VOLTE_TEST_PROFILE", "gate"))

if wheel := os.environ.get("VOLTE_TEST_WHEEL"):
    assert Path(volte.__file__).is_relative_to(wheel), "not the wheel is tested"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The backend that runs asynchronous tests and fixtures."""
    return "asyncio"


@pytest.fixture
def one_day() -> None:
    """Wait until no date ends within the next minute, here or in UTC, for a test that names one."""
    for zone in (None, UTC):
        now = datetime.now(zone)
        tomorrow = datetime.combine(now + timedelta(days=1), time.min, now.tzinfo)
        if tomorrow - now < timedelta(minutes=1):
            sleep((tomorrow - now).total_seconds())


def pytest_collection_finish() -> None:
    """Leave what is loaded by now out of every later search for garbage: a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    counts: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed"):
        counts.update({name: count for name, count in report.user_properties if type(count) is int})
    if counts:
        terminalreporter.section("counted")
    for name in sorted(counts):
        terminalreporter.write_line(f"{counts[name]:>7,} {name}")
