"""Add the totals of closed nights, calculated from their tables to make standings fast."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "league_tally",
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("people", sa.JSON(), nullable=False),
        sa.Column("byes", sa.JSON(), nullable=False),
        sa.Column("tables", sa.JSON(), nullable=False),
        sa.Column("teams", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name=op.f("fk_league_tally_night_id_night")),
        sa.PrimaryKeyConstraint("night_id", name=op.f("pk_league_tally")),
    )


def downgrade() -> None:
    op.drop_table("league_tally")
