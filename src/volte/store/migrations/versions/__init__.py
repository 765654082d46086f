"""The steps that make the database, a module for each, and the text form of their tables."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Any, Final

from alembic.operations import Operations
from sqlalchemy import BigInteger, Column, Double, ForeignKey, Integer, LargeBinary, Text

KINDS: Final = {"int": Integer, "big": BigInteger, "real": Double, "bytes": LargeBinary}


def make_tables(op: Operations, text: str, **options: Any) -> None:
    """Make tables from text. Databases were made from it, so its meaning must never change.

        members
            *club -> clubs, *person, role, joined real, left real?
            index members_by_person: person

    A column is text, or of one of the `KINDS`. A star stands before the columns of the primary key,
    a question mark behind a column that may be NULL. An arrow names the table at whose `id` the
    column points, or `TABLE.COLUMN`; the row is deleted with the row there.
    """
    for table in re.split(r"\n(?=\w)", dedent(text).strip()):
        name, *lines = map(str.strip, table.splitlines())
        indexes = [line.split()[1:] for line in lines if line.startswith("index ")]
        columns = " ".join(line for line in lines if not line.startswith("index "))
        op.create_table(name, *map(_column, columns.split(", ")), **options)
        for index, *of in indexes:
            op.create_index(index.rstrip(":"), name, [column.rstrip(",") for column in of])


def _column(text: str) -> Column[Any]:
    name, *words = text.rstrip("?").split()
    target = words[-1] if "->" in words else ""
    key = target if "." in target else f"{target}.id"
    points = () if not target else (ForeignKey(key, ondelete="CASCADE"),)
    return Column(
        name.lstrip("*"),
        next((KINDS[word] for word in words if word in KINDS), Text),
        *points,
        primary_key=name.startswith("*"),
        nullable=text.endswith("?"),
        unique="unique" in words or None,
        autoincrement=False,
    )
