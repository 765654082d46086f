"""Figures of the pages: how a block was measured, and which sources have changed since."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from kit.blocks import PAGES, ROOT

LINE: Final = re.compile(
    r"^Measured (\d{4}-\d\d-\d\d) at ([0-9a-f]{8})(, with an older Volte)?: "
    r"((?:`[^`]+`(?:, (?:and )?)?)+)\.[^<\n]*<!-- of ([^<>\n]+) -->$",
    re.M,
)
"""A block's first line: "Measured 2026-11-28 at 1234abcd: `volte bench`. <!-- of src/volte -->"."""


class MeasuredBlock(NamedTuple):
    """Figures of a page that were measured together."""

    page: str
    day: str
    commit: str
    older: bool  # whether the line says that the program has changed since
    commands: tuple[str, ...]
    sources: tuple[str, ...]  # files and folders on which the figures depend


def measured_blocks() -> Iterator[MeasuredBlock]:
    """Every measured block of every page."""
    for page in PAGES:
        name = page.relative_to(ROOT).as_posix()
        for day, commit, older, commands, sources in LINE.findall(page.read_text("utf-8")):
            typed = tuple(re.findall("`([^`]+)`", commands))
            yield MeasuredBlock(name, day, commit, bool(older), typed, tuple(sources.split()))


def is_cut(root: Path) -> bool:
    """Whether a checkout lacks the past: it is packed, shallow, or there is no Git."""
    try:
        asked = _git(root, "rev-parse", "--show-toplevel", "--is-shallow-repository")
    except FileNotFoundError:
        return True
    if asked.returncode:
        return True
    top, shallow = asked.stdout.splitlines()
    return shallow == "true" or Path(top).resolve() != root.resolve()


def is_past(root: Path, commit: str) -> bool:
    """Whether the commit is an ancestor of the checkout."""
    return _git(root, "merge-base", "--is-ancestor", commit, "HEAD").returncode == 0


def changed_since(root: Path, commit: str, sources: Sequence[str]) -> Iterator[str]:
    """Files whose code or content is no longer that of the commit; comments are no code."""
    listed = _git(root, "diff", "--name-only", "--no-renames", commit, "--", *sources)
    return (name for name in listed.stdout.splitlines() if _differs(root, commit, name))


def _differs(root: Path, commit: str, name: str) -> bool:
    if not name.endswith(".py") or not (root / name).exists():
        return True
    before = _git(root, "show", f"{commit}:{name}")
    return before.returncode != 0 or _code(before.stdout) != _code((root / name).read_text("utf-8"))


def _code(text: str) -> str:
    """Python without comments, docstrings, assertions and layout."""
    return ast.dump(_Doing().visit(ast.parse(text)))


class _Doing(ast.NodeTransformer):
    """Remover of statements that do nothing: assertions, docstrings and constants."""

    def visit_Assert(self, node: ast.Assert) -> None:
        return None

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        return None if isinstance(node.value, ast.Constant) else node


def _git(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "-C", str(root), *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8")
