"""Mark games of a league night, which the phone that started them does not list."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("elsewhere", sa.Boolean(), nullable=True))


def downgrade() -> None:
    op.drop_column("game", "elsewhere")
