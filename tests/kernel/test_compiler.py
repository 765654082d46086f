"""Scratch is held as long as records in it are used: a record does not hold its array itself."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from volte import kernel
from volte.kernel.compiler import INTERPRETED, hold, njit, scratch

SOURCES = sorted(Path(kernel.__file__).parent.glob("*.py"))


def is_scratch(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "scratch"


def borrowed(function: ast.FunctionDef) -> set[str]:
    """Scratch from which a record is taken for good, outside of every loop."""
    assigned = [node for node in function.body if isinstance(node, ast.Assign)]
    pairs = [pair for node in assigned for pair in paired(node)]
    made = {ast.unparse(target) for target, value in pairs if is_scratch(value)}
    taken = [value.value for _, value in pairs if isinstance(value, ast.Subscript)]
    return made & {ast.unparse(value) for value in taken}


def paired(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """Targets and values of an assignment, also of several at once."""
    target = node.targets[-1]
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        return list(zip(target.elts, node.value.elts, strict=True))
    return [(target, node.value)]


def held(function: ast.FunctionDef) -> set[str]:
    """Scratch that is held to the end, except for a `return` after it."""
    calls = [node.value for node in function.body if isinstance(node, ast.Expr)]
    held = [call for call in calls if isinstance(call, ast.Call)]
    return {ast.unparse(call.args[0]) for call in held if ast.unparse(call.func) == "hold"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_record_outlives_its_scratch(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            assert not is_scratch(node.value), f"nothing holds the scratch in line {node.lineno}"
        if isinstance(node, ast.FunctionDef):
            assert borrowed(node) <= held(node), node.name


@pytest.mark.skipif(INTERPRETED, reason="is about memory that compiled code gives back")
def test_what_is_held_is_not_given_to_others() -> None:
    kind = np.dtype([("numbers", np.int64, 20)])

    @njit  # type: ignore[untyped-decorator]
    def written_to_both(first: int, second: int) -> object:
        ones = scratch(1, kind)
        one = ones[0]
        others = scratch(1, kind)
        other = others[0]
        for place in range(20):
            one.numbers[place] = first
        for place in range(20):
            other.numbers[place] = second
        total = one.numbers.sum()
        hold(ones)
        hold(others)
        return total

    assert written_to_both(1, 1000) == 20
