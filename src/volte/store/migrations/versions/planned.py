"""The times for which tables are planned."""

from alembic.operations import Operations
from sqlalchemy import Column, Double

revision = "planned"
down_revision = "meeting"


def upgrade(op: Operations) -> None:
    op.add_column("listings", Column("planned", Double, nullable=True))
    op.create_index("listings_by_plan", "listings", ["planned"])
