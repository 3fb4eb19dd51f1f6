"""Add the pages that answer forms."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    op.create_table(
        "form_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_form_answer")),
        sa.UniqueConstraint("key", name=op.f("uq_form_answer_key")),
    )
    op.create_index(op.f("ix_form_answer_made_at"), "form_answer", ["made_at"])
