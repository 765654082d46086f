"""Reviews together: replays that several people follow."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "studies"
down_revision = "luck"


def upgrade(op: Operations) -> None:
    studies = """
        studies
            *id, match -> matches, maker -> people, made real, ends real, version int, leader,
            deal int, step int, trier, cards
            index studies_by_maker: maker
            index studies_by_end: ends
        attending
            *study -> studies, *person -> people, since real, seen real, shows int
            index attending_by_person: person
    """
    make_tables(op, studies)
