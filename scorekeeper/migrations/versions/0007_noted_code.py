"""Add whether the backup code of a game is on paper."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    op.add_column("recovery", sa.Column("noted_at", sa.DateTime(timezone=True)))
