"""Add indexes for queries that had to read a whole table."""

from __future__ import annotations

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_person_merged_into": ("person", "merged_into"),
    "ix_present_sub_for": ("present", "sub_for"),
    "ix_league_money_person_id": ("league_money", "person_id"),
    "ix_account_session_made_at": ("account_session", "made_at"),
}


def upgrade() -> None:
    for name, (table, column) in INDEXES.items():
        op.create_index(name, table, [column])


def downgrade() -> None:
    for name, (table, _column) in INDEXES.items():
        op.drop_index(name, table)
