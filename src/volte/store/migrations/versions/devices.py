"""The devices at which somebody has proved who they are."""

from alembic.operations import Operations
from sqlalchemy import Column, Double, ForeignKey, LargeBinary, Text

revision = "devices"
down_revision = "people"


def upgrade(op: Operations) -> None:
    op.create_table(
        "devices",
        Column("token_hash", LargeBinary, primary_key=True),
        Column("person", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        Column("since", Double, nullable=False),
        Column("expires", Double, nullable=False),
    )
    op.create_index("devices_by_person", "devices", ["person"])
    op.create_index("devices_by_end", "devices", ["expires"])
