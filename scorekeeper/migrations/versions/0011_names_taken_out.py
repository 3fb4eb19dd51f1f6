"""Allow names to be removed from a game without changing its log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("renamed", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("game", "renamed")
