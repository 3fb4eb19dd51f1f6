"""Add the last round of a night that the director marked as started, for rounds that are scored on paper."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("night", sa.Column("started_round", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("night", "started_round")
