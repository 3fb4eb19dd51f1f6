"""Add rate limit counters and backup codes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "limit_hit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("until", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_limit_hit")),
    )
    op.create_index(op.f("ix_limit_hit_key_limit_hit_until"), "limit_hit", ["key", "until"])
    op.create_index(op.f("ix_limit_hit_until"), "limit_hit", ["until"])
    if op.get_bind().dialect.name == "postgresql":
        # Losing counters in a crash does no harm, so they are not logged.
        op.execute("ALTER TABLE limit_hit SET UNLOGGED")
    op.create_table(
        "recovery",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(length=8), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("used_by", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_recovery_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recovery")),
    )
    op.create_index(op.f("ix_recovery_game_id"), "recovery", ["game_id"])
    op.create_index(op.f("ix_recovery_place"), "recovery", ["place"])


def downgrade() -> None:
    op.drop_table("recovery")
    op.drop_table("limit_hit")
