"""Add operators, leagues that are turned off, and maintenance mode."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    op.add_column("account", sa.Column("is_operator", sa.Boolean(), nullable=True))
    op.add_column("league", sa.Column("off_because", sa.String(length=200), nullable=True))
    op.add_column("installation", sa.Column("paused_because", sa.String(length=200), nullable=True))


def downgrade() -> None:
    op.drop_column("installation", "paused_because")
    op.drop_column("league", "off_because")
    op.drop_column("account", "is_operator")
