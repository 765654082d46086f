"""Statements as the drivers take them, put into words once: SQLAlchemy asks more of every call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import ClauseElement, Dialect, Executable
from sqlalchemy.sql.compiler import SQLCompiler


class Ready(NamedTuple):
    """A statement, and which value goes where.

    Attributes:
        names: of the values, in the order of the driver.
        fixed: the values that stand in the statement itself.
    """

    sql: str
    names: tuple[str, ...]
    fixed: Mapping[str, Any]

    def values(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        """A row in the order of the driver. Raises `KeyError` where something is missing."""
        if self.fixed:
            row = {**self.fixed, **row}
        return tuple([row[name] for name in self.names])


def made_ready(statement: Executable, dialect: Dialect, names: list[str]) -> Ready:
    """The statement for rows with these names.

    Values are handed over as they are: the schema has no type that the drivers do not know.
    """
    assert isinstance(statement, ClauseElement)
    compiled = statement.compile(dialect=dialect, column_keys=names, for_executemany=True)
    assert isinstance(compiled, SQLCompiler)
    assert compiled.positiontup is not None
    order = tuple(compiled.positiontup)
    binds = {name: compiled.binds[name] for name in order}
    fixed = {name: bind.value for name, bind in binds.items() if not bind.required}
    return Ready(compiled.string, order, fixed)
