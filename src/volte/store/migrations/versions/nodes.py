"""Nodes with names, in place of processes with addresses and secrets."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "nodes"
down_revision = "trials"


def upgrade(op: Operations) -> None:
    op.drop_table("processes")
    nodes = """
        nodes
            *id, name unique, begun real, seen real
    """
    make_tables(op, nodes)
    # The owners so far are no nodes, so matches that were under way are taken over at once.
    op.execute("ALTER TABLE owners RENAME COLUMN process TO node")
    op.drop_index("owners_by_process", "owners")
    op.create_index("owners_by_node", "owners", ["node"])
