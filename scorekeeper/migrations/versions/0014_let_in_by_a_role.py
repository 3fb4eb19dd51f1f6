"""Which account let a phone score the table of a league night, so that its phones go when its role does."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # With its constraint in the column, SQLite adds it in place: the table is not copied.
    op.execute(
        "ALTER TABLE scorer ADD COLUMN account_id INTEGER "
        "CONSTRAINT fk_scorer_account_id_account REFERENCES account (id)"
    )


def downgrade() -> None:
    op.drop_column("scorer", "account_id")
