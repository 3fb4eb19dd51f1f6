"""Add the clock of a round."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    op.add_column("night", sa.Column("clock_at", sa.DateTime(timezone=True)))
