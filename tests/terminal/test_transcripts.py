"""Sessions at a terminal, compared with their transcripts in text files."""

from pathlib import Path

import pytest
from kit.terminals import Volte
from kit.transcripts import TRANSCRIPTS, replay

from volte.terminal import table


def named() -> list[pytest.ParameterSet]:
    """Every transcript; in the gate those in French of which there is no English one."""
    names = sorted(path.stem for path in TRANSCRIPTS.glob("*.txt"))
    twice = {name for name in names if name.endswith(".fr") and f"{name[:-3]}.en" in names}
    return [
        pytest.param(name, marks=pytest.mark.full if name in twice else (), id=name)
        for name in names
    ]


@pytest.mark.parametrize("name", named())
def test_a_session_goes_as_it_was_written_down(
    name: str, volte: Volte, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "PATIENCE", 600.0)  # what is luck is always known in time
    replay(name, volte, folder)
