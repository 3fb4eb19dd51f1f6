"""Add planned nights, the answers of people who may come to them, and a personal link for each person."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("season", sa.Column("schedule", sa.JSON(), nullable=True))
    op.create_table(
        "planned_night",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("starts", sa.Integer(), nullable=True),
        sa.Column("place", sa.String(length=60), nullable=False),
        sa.Column("note", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_planned_night_night_id_night"),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name="fk_planned_night_season_id_season"),
        sa.PrimaryKeyConstraint("id", name="pk_planned_night"),
        sa.UniqueConstraint("night_id", name="uq_planned_night_night_id"),
        sa.UniqueConstraint("public_id", name="uq_planned_night_public_id"),
    )
    op.create_table(
        "night_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("planned_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("says", sa.String(length=10), nullable=False),
        sa.Column("sub_id", sa.Integer(), nullable=True),
        sa.Column("note", sa.String(length=100), nullable=False),
        sa.Column("by_desk", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_night_answer_person_id_person"),
        sa.ForeignKeyConstraint(["planned_id"], ["planned_night.id"], name="fk_night_answer_planned_id_planned_night"),
        sa.ForeignKeyConstraint(["sub_id"], ["person.id"], name="fk_night_answer_sub_id_person"),
        sa.PrimaryKeyConstraint("id", name="pk_night_answer"),
        sa.UniqueConstraint("planned_id", "person_id", name="uq_night_answer_planned_id_person_id"),
    )
    op.create_table(
        "personal_link",
        sa.Column("person_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_personal_link_person_id_person"),
        sa.PrimaryKeyConstraint("person_id", name="pk_personal_link"),
    )
    op.create_index("ix_planned_night_season_id", "planned_night", ["season_id"])
    op.create_index("ix_night_answer_person_id", "night_answer", ["person_id"])
    op.create_index("ix_night_answer_sub_id", "night_answer", ["sub_id"])


def downgrade() -> None:
    for table in ("personal_link", "night_answer", "planned_night"):
        op.drop_table(table)
    op.drop_column("season", "schedule")
