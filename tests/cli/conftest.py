"""The `volte` command in this process, with a data folder of its own."""

import sys
import tempfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli.command import Command, Told
from terminal.people import Answer, Keyboard

from volte.cli import volte as whole_command
from volte.console.command import run


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        for variable in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
            monkeypatch.setenv(variable, name)
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        yield Path(name)


@pytest.fixture
def volte(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs the command; `answer` types, and without it the input is at its end after `piped`."""

    def call(*args: str, answer: Answer = lambda _: None, piped: bytes = b"") -> Told:
        out, err = StringIO(), StringIO()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        keyboard = Keyboard(answer, out)
        keyboard.write(piped)
        keyboard.seek(0)
        stdin = SimpleNamespace(buffer=keyboard, encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", stdin)
        status = run(whole_command, args)
        return Told(status, out.getvalue(), err.getvalue())

    return call
