"""Add invitations for helpers and directors of a league."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "league_invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("called", sa.String(length=40), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_invitation_league_id_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_invitation")),
        sa.UniqueConstraint("secret", name=op.f("uq_league_invitation_secret")),
    )
    with op.batch_alter_table("league_invitation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_league_invitation_league_id"), ["league_id"], unique=False)
    with op.batch_alter_table("league_role", schema=None) as batch_op:
        batch_op.add_column(sa.Column("called", sa.String(length=40), nullable=False, server_default=""))
    with op.batch_alter_table("league_role", schema=None) as batch_op:
        batch_op.alter_column("called", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("league_role", schema=None) as batch_op:
        batch_op.drop_column("called")
    with op.batch_alter_table("league_invitation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_league_invitation_league_id"))
    op.drop_table("league_invitation")
