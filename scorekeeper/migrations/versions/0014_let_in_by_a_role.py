"""Add the account that let a phone score a table, so that the phone is removed with the role."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # With its constraint in the column, SQLite adds it in place, without copying the table.
    op.execute(
        "ALTER TABLE scorer ADD COLUMN account_id INTEGER "
        "CONSTRAINT fk_scorer_account_id_account REFERENCES account (id)"
    )


def downgrade() -> None:
    op.drop_column("scorer", "account_id")
