"""What the source says: its sentences, as Babel extracts them, and its reasons."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from configparser import RawConfigParser
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_keywords

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "volte"

Message = str | tuple[str, ...]


def sentences() -> frozenset[Message]:
    """Every sentence marked for the catalogue, as `scripts/words` finds them."""
    return frozenset(message for _, message in marked())


@cache
def marked() -> frozenset[tuple[str | None, Message]]:
    """The same, each with its context; None for most."""
    script = (ROOT / "scripts" / "words").read_text(encoding="utf-8")
    marks = re.search(r"-k '([^']+)'", script)
    assert marks is not None
    keywords = parse_keywords(shlex.split(marks[1]))
    mapping = RawConfigParser()
    mapping.read(ROOT / "scripts" / "words.cfg", encoding="utf-8")
    methods = [section.split(": ") for section in mapping.sections()]
    options = {
        pattern: dict(mapping[section])
        for section, (_, pattern) in zip(mapping.sections(), methods, strict=True)
    }
    method_map = [(pattern, method) for method, pattern in methods]
    found = extract_from_dir(SOURCE, method_map, options, keywords)
    return frozenset((context, message) for _, _, message, _, context in found)


CODE = re.compile(r"`[^`]*`")
WRONG_SPACE = re.compile(r"[^\u00a0\W][;!?»]|\w:(?=\s|$)| [;:!»]| \?$|«[^\u00a0]")
WRONG_LETTER = re.compile(r"'|(?<!--rules )\bcoeur|\bsoeur|\boeil|\bvoeu|\bmoeurs|manoeuvre", re.I)


def badly_set(french: str) -> bool:
    """Whether it lacks unbreakable spaces inside « » and before : ; ! ?, a curly ’, or an œ."""
    told = CODE.sub("", french)
    return bool(WRONG_SPACE.search(told) or WRONG_LETTER.search(told))


def calls(name: re.Pattern[str]) -> Iterator[ast.Call]:
    """Every call whose function's name matches, where its first argument is a text."""
    called = re.compile(rf"(?:{name.pattern})\(")
    texts = (path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py")))
    found = (call for text in texts if called.search(text) for call in _calls(text))
    return (call for call in found if name.fullmatch(_name(call.func)))


@cache
def _calls(text: str) -> tuple[ast.Call, ...]:
    return tuple(
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    )


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def reason(call: ast.Call) -> str:
    """Its first argument."""
    first: Any = call.args[0]
    text: str = first.value
    return text
