"""Sessions at a terminal, held against the text files in which they stand."""

from pathlib import Path

import pytest
from kit.terminals import Volte
from kit.transcripts import replay

TRANSCRIPTS = Path(__file__).parent / "transcripts"


@pytest.mark.parametrize("name", sorted(path.name for path in TRANSCRIPTS.glob("*.txt")))
def test_a_session_goes_as_it_was_written_down(name: str, volte: Volte, folder: Path) -> None:
    replay(TRANSCRIPTS / name, volte, folder)
