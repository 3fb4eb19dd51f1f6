"""Add forfeits of single tables."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    op.add_column("league_table", sa.Column("forfeit", sa.Integer()))
