"""Add the previous game of a rematch."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # With its constraint in the column, SQLite adds it in place, without copying the table.
    op.execute("ALTER TABLE game ADD COLUMN rematch_of INTEGER CONSTRAINT fk_game_rematch_of_game REFERENCES game (id)")
    op.create_index(op.f("ix_game_rematch_of"), "game", ["rematch_of"])


def downgrade() -> None:
    op.drop_index(op.f("ix_game_rematch_of"), table_name="game")
    op.drop_column("game", "rematch_of")
