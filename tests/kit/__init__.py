"""Words that most tests use, each taken from its module when it is first imported.

`__init__.pyi` lists them; tests/README.md says what each is.
"""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

_LIST = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
_PLACES = {
    alias.name: node.module
    for node in _LIST.body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
