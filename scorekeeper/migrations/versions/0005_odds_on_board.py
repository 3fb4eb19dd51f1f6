"""Add whether a home table shows the chances of winning during its games."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    op.add_column("home_table", sa.Column("shows_odds", sa.Boolean()))
