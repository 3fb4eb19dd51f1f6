"""Add teams, their matches and lineups, and the playoffs of a season."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def _to(column: str, table: str, *, of: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{table}.id"], name=f"fk_{of}_{column}_{table}")


def upgrade() -> None:
    op.add_column("season", sa.Column("playoffs", sa.JSON(), nullable=True))
    op.add_column("night", sa.Column("playoff", sa.Boolean(), nullable=True))
    op.create_table(
        "squad",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("division", sa.String(length=40), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=True),
        _to("season_id", "season", of="squad"),
        sa.PrimaryKeyConstraint("id", name="pk_squad"),
        sa.UniqueConstraint("public_id", name="uq_squad_public_id"),
        sa.UniqueConstraint("season_id", "name", name="uq_squad_season_id_name"),
    )
    op.create_table(
        "squad_person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("squad_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        _to("squad_id", "squad", of="squad_person"),
        _to("person_id", "person", of="squad_person"),
        sa.PrimaryKeyConstraint("id", name="pk_squad_person"),
        sa.UniqueConstraint("squad_id", "person_id", name="uq_squad_person_squad_id_person_id"),
    )
    op.create_index("ix_squad_person_person_id", "squad_person", ["person_id"])
    op.create_table(
        "fixture",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("home_id", sa.Integer(), nullable=False),
        sa.Column("away_id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=True),
        _to("season_id", "season", of="fixture"),
        _to("home_id", "squad", of="fixture"),
        _to("away_id", "squad", of="fixture"),
        _to("night_id", "night", of="fixture"),
        sa.PrimaryKeyConstraint("id", name="pk_fixture"),
        sa.UniqueConstraint("public_id", name="uq_fixture_public_id"),
    )
    op.create_index("ix_fixture_season_id", "fixture", ["season_id"])
    op.create_index("ix_fixture_night_id", "fixture", ["night_id"])
    op.create_table(
        "lineup",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("fixture_id", sa.Integer(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        _to("fixture_id", "fixture", of="lineup"),
        _to("person_id", "person", of="lineup"),
        sa.PrimaryKeyConstraint("id", name="pk_lineup"),
        sa.UniqueConstraint("fixture_id", "side", "place", name="uq_lineup_fixture_id_side_place"),
    )
    op.create_index("ix_lineup_person_id", "lineup", ["person_id"])


def downgrade() -> None:
    for table in ("lineup", "fixture", "squad_person", "squad"):
        op.drop_table(table)
    op.drop_column("night", "playoff")
    op.drop_column("season", "playoffs")
