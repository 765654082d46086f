"""Sessions at a terminal, compared with their transcripts in text files."""

from pathlib import Path

import pytest
from kit.terminals import Volte
from kit.transcripts import TRANSCRIPTS, replay


@pytest.mark.parametrize("name", sorted(path.stem for path in TRANSCRIPTS.glob("*.txt")))
def test_a_session_goes_as_it_was_written_down(name: str, volte: Volte, folder: Path) -> None:
    replay(name, volte, folder)
