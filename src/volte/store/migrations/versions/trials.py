"""What volunteers found who tried the pages with their screen readers."""

from alembic.operations import Operations
from sqlalchemy import Column, Double, Text

revision = "trials"
down_revision = "devices"


def upgrade(op: Operations) -> None:
    op.create_table(
        "trials",
        Column("id", Text, primary_key=True),
        Column("at", Double, nullable=False),
        Column("lang", Text, nullable=False),
        Column("browser", Text, nullable=False),
        Column("reader", Text, nullable=False),
        Column("script", Text, nullable=False),
        Column("outcome", Text, nullable=False),
        Column("remarks", Text, nullable=False),
    )
    op.create_index("trials_by_time", "trials", ["at"])
