"""Add forfeited matches of teams."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    op.add_column("fixture", sa.Column("forfeit", sa.Integer()))
