"""Add what several machines on one database share: leases, a check of the secret key, and uploaded league files."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lease",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_lease")),
    )
    installation = op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key_check", sa.String(length=64), nullable=False),
        sa.Column("oldest_writer", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
    )
    op.bulk_insert(installation, [{"id": 1, "key_check": "", "oldest_writer": revision}])
    op.create_table(
        "league_upload",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_upload")),
        sa.UniqueConstraint("key", name=op.f("uq_league_upload_key")),
    )
    op.create_index(op.f("ix_league_upload_made_at"), "league_upload", ["made_at"])


def downgrade() -> None:
    op.drop_table("league_upload")
    op.drop_table("installation")
    op.drop_table("lease")
