"""Restore the games of league tables that an older version let people delete, although their results still count."""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    op.execute(
        "UPDATE game SET deleted_at = NULL WHERE deleted_at IS NOT NULL"
        " AND id IN (SELECT game_id FROM league_table WHERE game_id IS NOT NULL)"
    )
