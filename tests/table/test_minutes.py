"""Minutes of tables, to be read by eye: the deeds of people, and what the table does."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.minutes import cases, replay


@pytest.mark.parametrize(("path", "text"), cases())
def test_minutes(path: Path, text: str) -> None:
    replay(path, text)
