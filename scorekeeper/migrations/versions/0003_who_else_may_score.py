"""Add score links, further scorers, and games with watching turned off."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.add_column(sa.Column("unwatched_since", sa.DateTime(timezone=True), nullable=True))

    op.create_table(
        "score_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_score_link_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_score_link")),
        sa.UniqueConstraint("secret", name=op.f("uq_score_link_secret")),
    )
    with op.batch_alter_table("score_link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_score_link_game_id"), ["game_id"], unique=False)

    op.create_table(
        "scorer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_scorer_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scorer")),
        sa.UniqueConstraint("game_id", "device", name=op.f("uq_scorer_game_id_device")),
    )
    with op.batch_alter_table("scorer", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_scorer_device"), ["device"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("scorer", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_scorer_device"))

    op.drop_table("scorer")
    with op.batch_alter_table("score_link", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_score_link_game_id"))

    op.drop_table("score_link")
    op.drop_column("game", "unwatched_since")
