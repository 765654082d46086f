"""The steps, for Alembic, that bring a database to the schema of `volte.store.schema`.

Each module of `versions` is a step: its `revision`, the step before it as `down_revision`, and
`upgrade(op)`, which gets Alembic's operations as an argument, since their global would be shared by
all stores that are being opened.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, String, column, inspect, select, table, text

from volte.store.errors import StoreFault

if TYPE_CHECKING:
    from alembic.runtime.migration import MigrationContext, RevisionStep
    from alembic.script import ScriptDirectory

VERSIONS: Final = "volte_version"
"""The table that holds the name of the step made last."""

LATEST: Final = "sets"
"""The last of the steps. A database that has made it is opened without Alembic, which takes a tenth
of a second to load."""

LOCK: Final = 0x766F6C7465
"""PostgreSQL's advisory lock, under which one process at a time makes steps."""


def migrate(connection: Connection, name: str) -> None:
    """Make the missing steps, within the transaction under way.

    Raises `StoreFault` for a database that is newer, or another program's.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    tables = inspect(connection).get_table_names()
    versions = select(column("version_num", String)).select_from(table(VERSIONS))
    made = set(connection.scalars(versions)) if VERSIONS in tables else set()
    if made == {LATEST}:
        return
    if not made and tables:
        raise StoreFault("store_foreign", path=name)
    if made - known_steps():
        raise StoreFault("store_newer", path=name)
    _make_steps(connection)


def _make_steps(connection: Connection) -> None:
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext, RevisionStep

    steps = _steps()

    def missing(heads: tuple[str, ...], _: MigrationContext) -> list[RevisionStep]:
        found = steps.iterate_revisions("head", heads or "base", implicit_base=True)  # newest first
        return [RevisionStep(steps.revision_map, step, True) for step in [*found][::-1]]

    options = {"fn": missing, "version_table": VERSIONS, "transactional_ddl": True}
    context = MigrationContext.configure(connection, opts=options)
    context.run_migrations(op=Operations(context))


def known_steps() -> set[str]:
    """The names of all steps known to this version of Volte."""
    return {step.revision for step in _steps().walk_revisions()}


def _steps() -> ScriptDirectory:
    from alembic.script import ScriptDirectory

    here = Path(__file__).parent
    return ScriptDirectory(str(here), version_locations=[str(here / "versions")])
