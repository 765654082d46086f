"""Figures in the pages say how they were measured, and whether the program has changed since."""

from __future__ import annotations

import re
import shlex
import subprocess
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from kit.blocks import PAGES, ROOT
from kit.figures import LINE, MeasuredBlock, changed_since, is_cut, is_past, measured_blocks

BLOCKS: Final = list(measured_blocks())
MADE: Final = re.compile(r"<!-- made by (benchmarks/[^ ,]+).*: begin -->\n\n(.*)")


def name_of(block: MeasuredBlock) -> str:
    return f"{block.page}: {block.commands[0]}"


def test_whatever_says_that_it_was_measured_says_how() -> None:
    """So do figures that a program has written into a page."""
    for text in (page.read_text(encoding="utf-8") for page in PAGES):
        begun = re.findall(r"^Measured \d.*", text, re.M)
        assert [line for line in begun if not LINE.match(line)] == []
        for program, first in MADE.findall(text):
            assert first in begun
            assert f"`python {program}" in first


@pytest.mark.parametrize("block", BLOCKS, ids=name_of)
def test_a_measurement_can_be_made_again(block: MeasuredBlock) -> None:
    """Commands of Volte itself are typed in `test_blocks`."""
    assert date.fromisoformat(block.day) >= date(2026, 11, 1)
    assert [each for each in block.sources if not (ROOT / each).exists()] == []
    for command in block.commands:
        program, *words = shlex.split(command)
        assert program in ("volte", "python", "pytest")
        if program == "python":
            text = (ROOT / words[0]).read_text(encoding="utf-8")
            assert [each for each in words if each.startswith("--") and each not in text] == []


@pytest.mark.full
@pytest.mark.parametrize("block", BLOCKS, ids=name_of)
def test_figures_are_of_the_program_as_it_is_or_say_that_they_are_older(
    block: MeasuredBlock,
) -> None:
    if is_cut(ROOT):
        pytest.skip("Left out: this checkout has no past.")
    assert is_past(ROOT, block.commit), "measured at no commit of this history"
    changed = changed_since(ROOT, block.commit, block.sources)
    if block.older:
        assert any(changed), "these figures are no older than the program"
    else:
        assert list(changed) == [], "measure it anew, or say “with an older Volte”"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "deal.py").write_text('"""Deals."""\nCARDS = 52\n')
    (tmp_path / "table.json").write_text("{}\n")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *words: str) -> str:
    somebody = ["-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgsign=false"]
    command = ["git", "-C", str(folder), *somebody, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path) -> str:
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "x")
    return git(folder, "rev-parse", "HEAD")


def test_a_figure_is_older_than_code_that_has_changed_not_than_its_comments(checkout: Path) -> None:
    measured = git(checkout, "rev-parse", "HEAD")
    (checkout / "deal.py").write_text(
        '"""A deal."""\n\n# all of them\nCARDS = (52)\nassert CARDS\n'
    )
    commit(checkout)
    assert not any(changed_since(checkout, measured, ["deal.py", "table.json"]))
    (checkout / "deal.py").write_text("CARDS = 54\n")
    (checkout / "table.json").write_text("[]\n")
    (checkout / "new.py").write_text("")
    commit(checkout)
    assert list(changed_since(checkout, measured, ["."])) == ["deal.py", "new.py", "table.json"]
    assert list(changed_since(checkout, measured, ["new.py"])) == ["new.py"]
    assert is_past(checkout, measured)
    assert not is_past(checkout, "0" * 40)


def test_a_checkout_without_its_past_is_told_from_a_whole_one(
    checkout: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (checkout / "deal.py").write_text("")
    commit(checkout)
    shallow = tmp_path_factory.mktemp("shallow")
    git(shallow, "clone", "--quiet", "--depth", "1", checkout.as_uri(), ".")
    packed = checkout / "packed"
    packed.mkdir()
    assert [is_cut(each) for each in (checkout, shallow, packed)] == [False, True, True]
