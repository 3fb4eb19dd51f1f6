"""Add home tables: their phones, people and photos, and which games and players belong to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def _to(column: str, table: str, *, of: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{table}.id"], name=f"fk_{of}_{column}_{table}")


def upgrade() -> None:
    op.create_table(
        "home_table",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_home_table"),
        sa.UniqueConstraint("public_id", name="uq_home_table_public_id"),
        sa.UniqueConstraint("made_by", name="uq_home_table_made_by"),
    )
    op.create_table(
        "home_phone",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("keeper", sa.Boolean(), nullable=False),
        sa.Column("may_score", sa.Boolean(), nullable=False),
        sa.Column("since", _TIME, nullable=False),
        sa.Column("left_at", _TIME, nullable=True),
        sa.Column("used_at", _TIME, nullable=False),
        _to("table_id", "home_table", of="home_phone"),
        sa.PrimaryKeyConstraint("id", name="pk_home_phone"),
        sa.UniqueConstraint("table_id", "device", name="uq_home_phone_table_id_device"),
    )
    op.create_index("ix_home_phone_device_home_phone_used_at", "home_phone", ["device", "used_at"])
    op.create_table(
        "home_photo",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("content_type", sa.String(length=40), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_home_photo"),
        sa.UniqueConstraint("public_id", name="uq_home_photo_public_id"),
    )
    op.create_table(
        "home_person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("color", sa.String(length=20), nullable=False),
        sa.Column("emoji", sa.String(length=16), nullable=False),
        sa.Column("photo_id", sa.Integer(), nullable=True),
        sa.Column("joined_into", sa.Integer(), nullable=True),
        sa.Column("added_at", _TIME, nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        _to("table_id", "home_table", of="home_person"),
        _to("photo_id", "home_photo", of="home_person"),
        _to("joined_into", "home_person", of="home_person"),
        sa.PrimaryKeyConstraint("id", name="pk_home_person"),
        sa.UniqueConstraint("public_id", name="uq_home_person_public_id"),
    )
    for column in ("table_id", "photo_id", "joined_into"):
        op.create_index(f"ix_home_person_{column}", "home_person", [column])
    # With their constraints in the columns, SQLite adds them in place, without copying the tables.
    for table, column, other in (("game", "home_table_id", "home_table"), ("player", "home_person_id", "home_person")):
        constraint = f"CONSTRAINT fk_{table}_{column}_{other} REFERENCES {other} (id)"
        op.execute(f"ALTER TABLE {table} ADD COLUMN {column} INTEGER {constraint}")
    op.create_index("ix_game_home_table_id_game_updated_at", "game", ["home_table_id", "updated_at"])
    op.create_index("ix_player_home_person_id", "player", ["home_person_id"])
    op.add_column("game", sa.Column("hidden_at", _TIME, nullable=True))
    op.add_column("game", sa.Column("side_names", sa.JSON(), nullable=True))


def downgrade() -> None:
    for column in ("side_names", "hidden_at"):
        op.drop_column("game", column)
    op.drop_index("ix_player_home_person_id", table_name="player")
    op.drop_index("ix_game_home_table_id_game_updated_at", table_name="game")
    op.drop_column("player", "home_person_id")
    op.drop_column("game", "home_table_id")
    for table in ("home_person", "home_photo", "home_phone", "home_table"):
        op.drop_table(table)
