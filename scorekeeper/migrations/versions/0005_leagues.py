"""Add leagues: people, seasons, nights, seats and results."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "league",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("client_id", sa.String(length=64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("demo", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
        sa.UniqueConstraint("device", "client_id", name=op.f("uq_league_device_client_id")),
        sa.UniqueConstraint("public_id", name=op.f("uq_league_public_id")),
    )
    with op.batch_alter_table("league", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_league_device"), ["device"], unique=False)

    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("nickname", sa.String(length=40), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("guest", sa.Boolean(), nullable=False),
        sa.Column("notes", sa.String(length=500), nullable=False),
        sa.Column("merged_into", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_person_league_id_league")),
        sa.ForeignKeyConstraint(["merged_into"], ["person.id"], name=op.f("fk_person_merged_into_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("public_id", name=op.f("uq_person_public_id")),
    )
    with op.batch_alter_table("person", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_person_league_id"), ["league_id"], unique=False)

    op.create_table(
        "season",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("preset", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("counting", sa.JSON(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("money", sa.JSON(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_season_league_id_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season")),
        sa.UniqueConstraint("public_id", name=op.f("uq_season_public_id")),
    )
    with op.batch_alter_table("season", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_season_league_id"), ["league_id"], unique=False)

    op.create_table(
        "night",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("bell_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cards", sa.Integer(), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_night_season_id_season")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_night")),
        sa.UniqueConstraint("public_id", name=op.f("uq_night_public_id")),
        sa.UniqueConstraint("season_id", "number", name=op.f("uq_night_season_id_number")),
    )
    op.create_table(
        "bye",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name=op.f("fk_bye_night_id_night")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_bye_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bye")),
        sa.UniqueConstraint("night_id", "round", "person_id", name=op.f("uq_bye_night_id_round_person_id")),
    )
    with op.batch_alter_table("bye", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_bye_person_id"), ["person_id"], unique=False)

    op.create_table(
        "league_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_event_league_id_league")),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name=op.f("fk_league_event_night_id_night")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_event")),
    )
    with op.batch_alter_table("league_event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_league_event_league_id"), ["league_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_league_event_night_id"), ["night_id"], unique=False)

    op.create_table(
        "league_money",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(length=120), nullable=False),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name=op.f("fk_league_money_night_id_night")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_league_money_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_money")),
    )
    with op.batch_alter_table("league_money", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_league_money_night_id_league_money_kind"), ["night_id", "kind"], unique=False
        )

    op.create_table(
        "league_table",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("confirmed", sa.JSON(), nullable=False),
        sa.Column("points", sa.JSON(), nullable=True),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("sets", sa.JSON(), nullable=True),
        sa.Column("hands", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_league_table_game_id_game")),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name=op.f("fk_league_table_night_id_night")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_table")),
        sa.UniqueConstraint("game_id", name=op.f("uq_league_table_game_id")),
        sa.UniqueConstraint("night_id", "round", "number", name=op.f("uq_league_table_night_id_round_number")),
    )
    op.create_table(
        "present",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("from_round", sa.Integer(), nullable=False),
        sa.Column("to_round", sa.Integer(), nullable=True),
        sa.Column("sub_for", sa.Integer(), nullable=True),
        sa.Column("team", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name=op.f("fk_present_night_id_night")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_present_person_id_person")),
        sa.ForeignKeyConstraint(["sub_for"], ["person.id"], name=op.f("fk_present_sub_for_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_present")),
        sa.UniqueConstraint("night_id", "person_id", name=op.f("uq_present_night_id_person_id")),
    )
    with op.batch_alter_table("present", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_present_person_id"), ["person_id"], unique=False)

    op.create_table(
        "league_hand",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("bidder", sa.Integer(), nullable=True),
        sa.Column("bid", sa.String(length=8), nullable=True),
        sa.Column("made", sa.Boolean(), nullable=True),
        sa.Column("bidding", sa.JSON(), nullable=False),
        sa.Column("delta", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["league_table.id"], name=op.f("fk_league_hand_table_id_league_table")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_hand")),
        sa.UniqueConstraint("table_id", "number", name=op.f("uq_league_hand_table_id_number")),
    )
    op.create_table(
        "league_seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("sub_for", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_league_seat_person_id_person")),
        sa.ForeignKeyConstraint(["sub_for"], ["person.id"], name=op.f("fk_league_seat_sub_for_person")),
        sa.ForeignKeyConstraint(["table_id"], ["league_table.id"], name=op.f("fk_league_seat_table_id_league_table")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_seat")),
        sa.UniqueConstraint("table_id", "seat", name=op.f("uq_league_seat_table_id_seat")),
    )
    with op.batch_alter_table("league_seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_league_seat_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_league_seat_sub_for"), ["sub_for"], unique=False)

    op.add_column("game", sa.Column("sets", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("game", "sets")

    with op.batch_alter_table("league_seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_league_seat_sub_for"))
        batch_op.drop_index(batch_op.f("ix_league_seat_person_id"))

    op.drop_table("league_seat")
    op.drop_table("league_hand")
    with op.batch_alter_table("present", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_present_person_id"))

    op.drop_table("present")
    op.drop_table("league_table")
    with op.batch_alter_table("league_money", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_league_money_night_id_league_money_kind"))

    op.drop_table("league_money")
    with op.batch_alter_table("league_event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_league_event_night_id"))
        batch_op.drop_index(batch_op.f("ix_league_event_league_id"))

    op.drop_table("league_event")
    with op.batch_alter_table("bye", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_bye_person_id"))

    op.drop_table("bye")
    op.drop_table("night")
    with op.batch_alter_table("season", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_season_league_id"))

    op.drop_table("season")
    with op.batch_alter_table("person", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_person_league_id"))

    op.drop_table("person")
    with op.batch_alter_table("league", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_league_device"))

    op.drop_table("league")
