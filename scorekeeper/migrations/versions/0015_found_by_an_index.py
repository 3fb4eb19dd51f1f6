"""Add indexes for large databases: deleted games, and the log of one league."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # A partial index is small, because few games are deleted.
    deleted = sa.text("deleted_at IS NOT NULL")
    op.create_index("ix_game_deleted_at", "game", ["deleted_at"], sqlite_where=deleted, postgresql_where=deleted)
    op.create_index("ix_league_event_league_id_league_event_id", "league_event", ["league_id", "id"])
    op.drop_index("ix_league_event_league_id", "league_event")


def downgrade() -> None:
    op.create_index("ix_league_event_league_id", "league_event", ["league_id"])
    op.drop_index("ix_league_event_league_id_league_event_id", "league_event")
    op.drop_index("ix_game_deleted_at", "game")
