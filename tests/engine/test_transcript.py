"""The session in docs/engine-protocol.md is true."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from kit.engines import EXAMPLE, volte
from kit.sentences import calls, reason

from volte import __version__
from volte.bots import LEVELS
from volte.engine.language import LONGEST_LINE
from volte.engine.outside import (
    GRACE,
    HELLO_SECONDS,
    KEPT_COMPLAINTS,
    MOST_NOISE,
    PATIENCE,
    TOLERANCE,
)
from volte.engine.session import FORMS

PAGE = Path(__file__).parents[2] / "docs" / "engine-protocol.md"
TEXT = PAGE.read_text(encoding="utf-8")
TRANSCRIPTS = re.findall(r"```transcript\n(.*?)```", TEXT, re.DOTALL)


def plain(line: str) -> str:
    """The line without parts that differ from one time to the next, or from version to version."""
    line = re.sub(r"^id version .*", f"id version {__version__}", line)
    line = re.sub(r"^option level .*", f"option level {' '.join(LEVELS)}", line)
    return re.sub(r"milliseconds [0-9]+$", "milliseconds 0", line)


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=range(len(TRANSCRIPTS)))
def test_the_engine_answers_as_the_page_shows(transcript: str) -> None:
    lines = transcript.splitlines()
    typed = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    answered = subprocess.run(
        shlex.split(volte("--level", "casual")),
        input=typed.encode(),
        capture_output=True,
        check=True,
    )
    assert answered.stderr == b""
    said = answered.stdout.decode().splitlines()
    assert list(map(plain, said)) == [plain(line) for line in lines if not line.startswith("> ")]


def test_there_is_a_pass_a_play_a_kitty_and_an_error_to_see() -> None:
    shown = "".join(TRANSCRIPTS)
    for words in ("choose pass ", "choose play ", "> kitty ", "\nerror ", "> score ", "> stakes "):
        assert words in shown


def test_every_command_is_explained() -> None:
    for word in FORMS:
        assert f"\n| `{word}" in TEXT


@pytest.mark.parametrize("call", list(calls(re.compile("EngineFault"))), ids=reason)
def test_every_error_is_listed(call: object) -> None:
    why = reason(call)  # type: ignore[arg-type]
    ours = why.startswith(("command_", "program_")) or why == "rules_have_no_name"
    assert f"`{why}`" in TEXT or ours


def test_the_numbers_are_those_of_the_program() -> None:
    assert f"{LONGEST_LINE:,} bytes" in TEXT
    assert f"within {TOLERANCE} × `movetime` + {GRACE} s ({PATIENCE:.0f} s where" in TEXT
    assert f"{MOST_NOISE:,} lines that mean nothing" in TEXT
    assert f"it has {HELLO_SECONDS:.0f} s each" in TEXT
    assert f"the last {KEPT_COMPLAINTS} lines" in TEXT


def test_the_example_is_as_short_as_the_page_says() -> None:
    code = [line for line in EXAMPLE.read_text().splitlines() if line.strip()]
    assert len(code) <= 30
    assert not re.search(r"^\s*(from|import) (?!sys)", "\n".join(code), re.MULTILINE)


def test_no_path_in_the_page_leads_nowhere() -> None:
    for path in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (PAGE.parent / path).exists()
