"""Add notes on hands, and photos of their cards."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hand_note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.Column("photo", sa.LargeBinary(), nullable=True),
        sa.Column("photo_key", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_hand_note_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hand_note")),
        sa.UniqueConstraint("game_id", "seq", name=op.f("uq_hand_note_game_id_seq")),
    )


def downgrade() -> None:
    op.drop_table("hand_note")
