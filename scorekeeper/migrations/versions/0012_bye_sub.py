"""Add for whom someone sat out a round, as far as it isn't the regular they play for now."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    op.execute("ALTER TABLE bye ADD COLUMN sub_for INTEGER CONSTRAINT fk_bye_sub_for_person REFERENCES person (id)")
    op.create_index("ix_bye_sub_for", "bye", ["sub_for"])
