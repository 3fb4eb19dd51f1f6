"""Add games, players and the append-only event log of each game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


LOG_ONLY_GROWS = {
    "sqlite": (
        (
            "CREATE TRIGGER game_event_no_update BEFORE UPDATE ON game_event "
            "BEGIN SELECT RAISE(ABORT, 'the log of a game only grows'); END"
        ),
        (
            "CREATE TRIGGER game_event_no_delete BEFORE DELETE ON game_event "
            "BEGIN SELECT RAISE(ABORT, 'the log of a game only grows'); END"
        ),
    ),
    "postgresql": (
        (
            "CREATE FUNCTION game_event_only_grows() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the log of a game only grows'; END $$"
        ),
        (
            "CREATE TRIGGER game_event_no_change BEFORE UPDATE OR DELETE ON game_event "
            "FOR EACH ROW EXECUTE FUNCTION game_event_only_grows()"
        ),
    ),
}


def upgrade() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("client_id", sa.String(length=64), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("preset", sa.String(length=40), nullable=False),
        sa.Column("ruleset", sa.JSON(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("sides", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("totals", sa.JSON(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("ended_by", sa.String(length=40), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("device", "client_id", name=op.f("uq_game_device_client_id")),
        sa.UniqueConstraint("public_id", name=op.f("uq_game_public_id")),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_game_device_game_updated_at"), ["device", "updated_at"], unique=False)

    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
    )
    op.create_table(
        "game_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("format", sa.Integer(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("client_id", sa.String(length=64), nullable=True),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("happened_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_game_event_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_event")),
        sa.UniqueConstraint("game_id", "client_id", name=op.f("uq_game_event_game_id_client_id")),
        sa.UniqueConstraint("game_id", "seq", name=op.f("uq_game_event_game_id_seq")),
    )
    for statement in LOG_ONLY_GROWS.get(op.get_bind().dialect.name, ()):
        op.execute(statement)


def downgrade() -> None:
    op.drop_table("game_event")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION game_event_only_grows()")
    op.drop_table("player")
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_game_device_game_updated_at"))

    op.drop_table("game")
