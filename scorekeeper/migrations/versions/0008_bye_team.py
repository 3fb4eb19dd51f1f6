"""Add the team of fixed partners with which someone sits out a round."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    op.add_column("bye", sa.Column("team", sa.Integer()))
