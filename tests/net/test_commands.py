"""Every command's help, and what each says when it is used, well and badly, in both languages.

A transcript in `commands` is its own script: lines that begin with `$` are run, and those with `>`
are typed to the command before them. VOLTE_REMAKE_GOLDENS=1 runs them, and writes all else anew.
Besides `volte`, a transcript knows `write FILE TEXT`, `show FILE`, `list`, and `database FILE`,
which makes the database of `databases`. `volte … < FILE` has the file as its standard input.
"""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from io import BytesIO, StringIO
from pathlib import Path
from sqlite3 import connect
from types import SimpleNamespace
from typing import Final

import click
import pytest
from net.held import HERE, hold

from volte import __version__
from volte.cli import volte as whole_command
from volte.console.command import run
from volte.kernel.compiler import INTERPRETED

pytestmark = pytest.mark.full

FOLDER: Final = HERE / "commands"
LANGUAGES: Final = ("en", "fr")
TRANSCRIPTS: Final = sorted(
    path.name for path in FOLDER.glob("*.txt") if not path.name.startswith("help.")
)
assert not INTERPRETED  # the kernel finds its cache before there is another home

Step = tuple[str, list[str]]

UNLIKE: Final = [
    (re.escape(__version__), "VERSION"),
    ("\r", "\\\\r"),
    # Names of sheets and copies, and when they were written
    (r"TODAY-\d{6}(-\d+)?", "SHEET"),
    (r"TODAYT[\d:]+", "NOW"),
    (r"\.before-[\w-]+", ".before-NOW"),
    (r"\.\w{8}\.part", ".SOME.part"),
    # How long something took, and how fast it was
    (r"(It took|Durée\s:)\s[\d.,]+(\s\w+)?", r"\1 TIME"),
    (r"\b(in|en)\s[\d.,]+\s(seconds?|secondes?)(\s?:) [\d.,\s]*\d", r"\1 TIME\3 SPEED"),
    (r'("(?:seconds|deals_per_second|matches_per_second|p50|p99|max)": )[\d.e-]+', r"\1TIME"),
    (r'("milliseconds": \{\s+"mean": )[\d.e-]+', r"\1TIME"),
    (r"^(\w+ +\d+)(?: +[\d.,]+){4}$", r"\1 TIMES"),
    (r"^(\w+\s?: )[\d.,]+ milli.*", r"\1TIMES"),
    (r"(milliseconds) \d+$", r"\1 TIME"),
    # Secrets
    (r"^([0-9a-z]{4,6}-)+[0-9a-z]{4,6}$", "CODE"),
]
"""What differs from one time to the next, and what stands there instead."""


class Keyboard(BytesIO):
    """Standard input: a file, then lines, each shown where it is typed."""

    def __init__(self, lines: list[str], screen: StringIO, content: bytes = b"") -> None:
        super().__init__(content)
        self.lines = list(lines)
        self._screen = screen

    def readline(self, size: int | None = -1, /) -> bytes:
        if not self.lines:
            return super().readline(size)
        line = self.lines.pop(0)
        self._screen.write(f"> {line}".rstrip() + "\n")
        return f"{line}\n".encode()


class Terminal:
    """Runs commands in a folder of its own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._patch = monkeypatch
        for variable in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
            monkeypatch.setenv(variable, str(folder / "home"))
        monkeypatch.setenv("TZ", "UTC")
        time.tzset()
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["volte"])

    def speak(self, lang: str) -> None:
        """Lets the system ask for that language."""
        self._patch.setenv("LC_ALL", f"{lang}.UTF-8")

    def volte(self, args: list[str], typed: list[str]) -> str:
        """What is said and typed, and the exit status unless it is 0."""
        out, err, content = StringIO(), StringIO(), b""
        if "<" in args:
            content = Path(args[-1]).read_bytes()
            args = args[: args.index("<")]
        keyboard = Keyboard(typed, out, content)
        self._patch.setattr(sys, "stdout", out)
        self._patch.setattr(sys, "stderr", err)
        self._patch.setattr(sys, "stdin", SimpleNamespace(buffer=keyboard, encoding="utf-8"))
        status = run(whole_command, args)
        assert not keyboard.lines, "these lines were asked for by nothing"
        told = out.getvalue() + "".join(f"! {line}\n" for line in err.getvalue().splitlines())
        return told + f"[{status}]\n" * (status != 0)

    def step(self, line: str, typed: list[str]) -> str:
        """What one line of a transcript comes to."""
        words = shlex.split(line)
        match words:
            case ["volte", *args]:
                return self.volte(args, typed)
            case ["write", name, content]:
                Path(name).write_bytes(content.encode().decode("unicode-escape").encode())
            case ["show", pattern]:
                (path,) = self._folder.rglob(pattern)
                return path.read_text(encoding="utf-8").rstrip("\n") + "\n"
            case ["list"]:
                found = sorted(path for path in self._folder.rglob("*") if path.is_file())
                return "".join(f"{path}\n" for path in found)
            case ["database", name]:
                with closing(connect(name)) as made:
                    made.executescript((HERE / "databases" / "sqlite.sql").read_text("utf-8"))
            case _:
                raise ValueError(line)
        return ""

    def alike(self, text: str) -> str:
        """The text without what differs from one time to the next."""
        today = datetime.now(UTC).date()
        text = text.replace(str(self._folder), "FOLDER")
        for day in {today, date.today()}:
            text = text.replace(day.isoformat(), "TODAY")
        for pattern, instead in UNLIKE:
            text = re.sub(pattern, instead, text, flags=re.MULTILINE)
        return text


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    yield Terminal(tmp_path, monkeypatch)
    monkeypatch.undo()
    time.tzset()


def steps(transcript: str) -> Iterator[Step]:
    """The commands of a transcript, with what is typed to each."""
    command, typed = "", list[str]()
    for line in transcript.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, typed
            command, typed = line[2:], []
        elif line.startswith(">"):
            typed.append(line[2:])
    if command:
        yield command, typed


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_commands_say_what_stands_in_their_transcript(name: str, terminal: Terminal) -> None:
    transcript = (FOLDER / name).read_text(encoding="utf-8")
    terminal.speak(name.split(".")[1])
    told = [f"$ {line}\n{terminal.step(line, typed)}" for line, typed in steps(transcript)]
    hold(terminal.alike("\n".join(told)), "commands", name)


def paths(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command, by what is typed for it."""
    yield path
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from paths(each, (*path, name))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_command_has_the_help_it_had(lang: str, terminal: Terminal) -> None:
    told = ""
    terminal.speak(lang)
    for path in paths(whole_command):
        args = [*path, "--help"]
        told += f"$ volte {' '.join(args)}\n{terminal.volte(args, [])}\n"
    hold(told, "commands", f"help.{lang}.txt")


def test_every_command_has_a_transcript_in_both_languages() -> None:
    used = {
        lang: {
            tuple(word for word in shlex.split(line)[1:] if re.fullmatch("[a-z]+", word))
            for name in TRANSCRIPTS
            if name.endswith(f".{lang}.txt")
            for line, _ in steps((FOLDER / name).read_text(encoding="utf-8"))
        }
        for lang in LANGUAGES
    }
    for path in paths(whole_command):
        for lang in LANGUAGES:
            assert any(words[: len(path)] == path for words in used[lang]), (path, lang)
