"""Lines of bytes from somebody who may write anything, read in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from volte.engine.language import LONGEST_LINE


def read_lines(source: BinaryIO) -> Iterator[str | None]:
    """The lines, stripped, until the end of the input; None for one that is too long.

    What is not UTF-8 is read as the replacement character, which no word contains.
    """
    while chunk := source.readline(LONGEST_LINE + 1):
        if len(chunk) <= LONGEST_LINE or chunk.endswith(b"\n"):
            yield chunk.decode("utf-8", "replace").strip().lstrip("\ufeff")
            continue
        while chunk and not chunk.endswith(b"\n"):
            chunk = source.readline(LONGEST_LINE + 1)
        yield None
