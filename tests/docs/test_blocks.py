"""Code in pages: their Python runs, and the program accepts the commands that they show."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest
from kit.blocks import PAGES, ROOT, as_module, blocks, programs, run
from kit.figures import measured_blocks

from volte.cli import volte

LONG: Final = {"docs/kernel.md"}  # is compiled first
ELSEWHERE: Final = {"docs/environments.md"}  # tests/lab/test_environments_doc.py
SHOWN: Final = {"", "console", "text"}  # the languages of blocks in which commands stand
NOT_RUN: Final = 0
"""Number of blocks that a comment takes out: `<!-- not run: needs the network -->`."""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


SESSIONS: Final = [
    pytest.param(page, id=name_of(page), marks=[pytest.mark.full] * (name_of(page) in LONG))
    for page in PAGES
    if any(block.language == "python" and ">>>" in block.text for block in blocks(page))
]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", SESSIONS)
def test_what_is_shown_at_a_prompt_is_answered_so(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert found.attempted > 0
    assert found.failed == 0


PROGRAMS: Final = [page for page in PAGES if programs(page) and name_of(page) not in ELSEWHERE]


@pytest.mark.parametrize("page", PROGRAMS, ids=name_of)
def test_a_program_runs(page: Path) -> None:
    run(programs(page))


def test_every_other_block_of_python_is_run() -> None:
    shown = [block for page in PAGES for block in blocks(page) if block.language == "python"]
    assert sum(not block.runs for block in shown) == NOT_RUN
    assert len(shown) > 10


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs" / "your-bot.md"], ids=name_of)
def test_type_checkers_read_a_page_line_by_line(page: Path) -> None:
    shown = page.read_text(encoding="utf-8").splitlines()
    module = as_module(page)
    compile(module, page.name, "exec")
    for line, code in zip(shown, module.splitlines(), strict=False):
        assert line.removeprefix(">>> ").removeprefix("... ") == code or not code


COMMANDS: Final = sorted(
    {
        (name_of(page), line)
        for page in PAGES
        for block in blocks(page)
        if block.language in SHOWN and block.runs
        for line in re.findall(r"^(?:\$ )?(volte(?: .*)?)$", block.text, re.M)
    }
    | {
        (block.page, line)
        for block in measured_blocks()
        for line in block.commands
        if line.startswith("volte ")
    }
)


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every command read its arguments and do nothing."""
    for command in commands_below(volte):
        monkeypatch.setattr(command, "callback", lambda *_, **__: 0)


def commands_below(group: click.Group) -> Iterator[click.Command]:
    """All commands of a group, and of the groups in it."""
    for command in group.commands.values():
        yield command
        if isinstance(command, click.Group):
            yield from commands_below(command)


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=[": ".join(each) for each in COMMANDS])
def test_a_command_that_is_typed_can_be(page: str, line: str) -> None:
    """A command ends before two spaces and its explanation; of alternatives the first is typed."""
    typed = re.sub(r" \[.*?\]|\|\S+", "", line.split("  ")[0])
    assert volte.main(shlex.split(typed)[1:], "volte", standalone_mode=False) == 0


def test_commands_were_found() -> None:
    assert len(COMMANDS) > 50
