"""Add the totals of imported nights for which no tables were imported."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "league_total",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("sub_for", sa.Integer(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=True),
        sa.Column("wins", sa.Integer(), nullable=True),
        sa.Column("losses", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name=op.f("fk_league_total_night_id_night")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_league_total_person_id_person")),
        sa.ForeignKeyConstraint(["sub_for"], ["person.id"], name=op.f("fk_league_total_sub_for_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_total")),
        sa.UniqueConstraint("night_id", "person_id", name=op.f("uq_league_total_night_id_person_id")),
    )
    op.create_index(op.f("ix_league_total_person_id"), "league_total", ["person_id"])
    op.create_index(op.f("ix_league_total_sub_for"), "league_total", ["sub_for"])


def downgrade() -> None:
    op.drop_table("league_total")
