"""Sentences that stand in files here: tables (`.ini`), by name, and pages (`.md`).

In a table, a sentence goes on in lines that are indented. `scripts/words` finds the sentences for
the catalogue with `extract_table` and `extract_page`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

from volte.say.language import Language

FOLDER: Final = Path(__file__).parent

Section = tuple[str, tuple[str, ...]]
"""A heading, and the paragraphs below it."""

Extracted = Iterator[tuple[int, str | None, str | tuple[str, ...], Sequence[str]]]
"""Sentences as Babel takes them: line, function, sentence or its two forms, comments."""


@cache
def table(name: str) -> Mapping[str, Mapping[str, str]]:
    """The sentences of a table, by section and name."""
    return _parsed((FOLDER / f"{name}.ini").read_text(encoding="utf-8"))


@cache
def _page(name: str) -> Sequence[Sequence[str]]:
    """The heading and the paragraphs of each section, in English."""
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    return [_paragraphs(part) for part in text.split("## ")[1:]]


def sections(language: Language, name: str) -> tuple[Section, ...]:
    """The sections of a page, in that language."""
    translated = (map(language.t, part) for part in _page(name))
    return tuple((heading, tuple(paragraphs)) for heading, *paragraphs in translated)


def _parsed(text: str) -> dict[str, dict[str, str]]:
    """The sentences of a table. Raises `ValueError` for a name that stands twice in a section."""
    found: dict[str, dict[str, str]] = {}
    name = ""
    for line in text.splitlines():
        rest = line.strip()
        if not rest or rest.startswith("#"):
            continue
        if line.startswith("["):
            section = found.setdefault(rest[1:-1], {})
        elif line[0].isspace():
            section[name] += f" {rest}"
        else:
            name, _, sentence = (part.strip() for part in line.partition("="))
            if not sentence or name in section:
                raise ValueError(line)
            section[name] = sentence
    return found


def _paragraphs(text: str) -> list[str]:
    return [part.replace("\n", " ") for part in re.split(r"\n{2,}", text.strip())]


def extract_table(file: IO[bytes], *_: Any, **options: Any) -> Extracted:
    """The sentences of a table, for Babel."""
    for sentences in _parsed(file.read().decode()).values():
        yield from ((0, None, sentence, ()) for sentence in sentences.values())


def extract_page(file: IO[bytes], *_: Any, **options: Any) -> Extracted:
    """The headings and paragraphs of a page, for Babel."""
    for sentence in _paragraphs(file.read().decode()):
        yield 0, None, sentence.removeprefix("## "), ()
