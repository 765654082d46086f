"""How databases have come to be as `volte.store.schema` says: the steps, for Alembic.

Each module of `versions` is a step: its `revision`, the one before it as `down_revision`, and
`upgrade(op)`, which is given Alembic's operations, since their global would be shared by all
stores that are being opened.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from volte.store.trouble import StoreFault

VERSIONS: Final = "volte_version"
"""The table that says which step was made last."""

LOCK: Final = 0x766F6C7465
"""PostgreSQL's advisory lock under which one process at a time makes steps."""


def migrate(connection: Connection, name: str) -> None:
    """Makes the steps that are missing, within the transaction that is under way.

    Raises `StoreFault` for a database that is newer, or somebody else's.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    steps = _steps()

    def missing(heads: tuple[str, ...], _: MigrationContext) -> list[RevisionStep]:
        found = steps.iterate_revisions("head", heads or "base", implicit_base=True)  # newest first
        return [RevisionStep(steps.revision_map, step, True) for step in [*found][::-1]]

    options = {"fn": missing, "version_table": VERSIONS, "transactional_ddl": True}
    context = MigrationContext.configure(connection, opts=options)
    made = set(context.get_current_heads())
    if not made and inspect(connection).get_table_names():
        raise StoreFault("store_foreign", path=name)
    if made - known_steps():
        raise StoreFault("store_newer", path=name)
    if made != set(steps.get_heads()):
        context.run_migrations(op=Operations(context))


def known_steps() -> set[str]:
    """The names of all steps that there are."""
    return {step.revision for step in _steps().walk_revisions()}


def _steps() -> ScriptDirectory:
    here = Path(__file__).parent
    return ScriptDirectory(str(here), version_locations=[str(here / "versions")])
