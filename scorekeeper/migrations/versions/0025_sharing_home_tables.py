"""Add links and backup codes of home tables, the origin of imported tables, and data of games for statistics."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("game", sa.Column("facts", sa.JSON(), nullable=True))
    for table in ("home_table", "home_person", "game"):
        op.add_column(table, sa.Column("origin", sa.String(length=16), nullable=True))
    op.create_table(
        "home_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("may_score", sa.Boolean(), nullable=False),
        sa.Column("made_at", _TIME, nullable=False),
        sa.Column("used_at", _TIME, nullable=True),
        sa.Column("revoked_at", _TIME, nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["home_table.id"], name="fk_home_link_table_id_home_table"),
        sa.PrimaryKeyConstraint("id", name="pk_home_link"),
        sa.UniqueConstraint("secret", name="uq_home_link_secret"),
    )
    op.create_index("ix_home_link_table_id", "home_link", ["table_id"])
    op.create_table(
        "home_code",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(length=8), nullable=False),
        sa.Column("made_at", _TIME, nullable=False),
        sa.Column("ended_at", _TIME, nullable=True),
        sa.Column("used_by", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["home_table.id"], name="fk_home_code_table_id_home_table"),
        sa.PrimaryKeyConstraint("id", name="pk_home_code"),
    )
    op.create_index("ix_home_code_table_id", "home_code", ["table_id"])
    op.create_index("ix_home_code_place", "home_code", ["place"])


def downgrade() -> None:
    op.drop_table("home_code")
    op.drop_table("home_link")
    for table in ("game", "home_person", "home_table"):
        op.drop_column(table, "origin")
    op.drop_column("game", "facts")
