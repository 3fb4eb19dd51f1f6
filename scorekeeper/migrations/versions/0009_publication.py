"""Add when the public pages are to be published as files, when they last were, and what failed."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    op.add_column("installation", sa.Column("publish_at", sa.DateTime(timezone=True)))
    op.add_column("installation", sa.Column("published_at", sa.DateTime(timezone=True)))
    op.add_column("installation", sa.Column("publish_failed", sa.String(length=16)))
