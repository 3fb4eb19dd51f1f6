"""Add confirmations and disputes of a table's result, and the side of a scorer's phone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("league_table", sa.Column("confirmed_by", sa.JSON(), nullable=True))
    op.add_column("league_table", sa.Column("dispute", sa.JSON(), nullable=True))
    op.add_column("league_table", sa.Column("reopened", sa.Boolean(), nullable=True))
    op.add_column("scorer", sa.Column("side", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("scorer", "side")
    for name in ("reopened", "dispute", "confirmed_by"):
        op.drop_column("league_table", name)
