"""Add a log of notes about a game: scorers, watching, lost phones, deletion."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

LOG_ONLY_GROWS = {
    "sqlite": (
        (
            "CREATE TRIGGER game_note_no_update BEFORE UPDATE ON game_note "
            "BEGIN SELECT RAISE(ABORT, 'the log beside a game only grows'); END"
        ),
        (
            "CREATE TRIGGER game_note_no_delete BEFORE DELETE ON game_note "
            "BEGIN SELECT RAISE(ABORT, 'the log beside a game only grows'); END"
        ),
    ),
    "postgresql": (
        (
            "CREATE FUNCTION game_note_only_grows() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the log beside a game only grows'; END $$"
        ),
        (
            "CREATE TRIGGER game_note_no_change BEFORE UPDATE OR DELETE ON game_note "
            "FOR EACH ROW EXECUTE FUNCTION game_note_only_grows()"
        ),
    ),
}


def upgrade() -> None:
    op.create_table(
        "game_note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_game_note_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_note")),
    )
    op.create_index(op.f("ix_game_note_game_id"), "game_note", ["game_id"])
    # Before this, only the use of a backup code was stored well enough to become a note.
    op.execute(
        "INSERT INTO game_note (game_id, at, device, kind) "
        "SELECT game_id, ended_at, used_by, 'code_used' FROM recovery "
        "WHERE used_by IS NOT NULL AND ended_at IS NOT NULL ORDER BY id"
    )
    for statement in LOG_ONLY_GROWS.get(op.get_bind().dialect.name, ()):
        op.execute(statement)


def downgrade() -> None:
    op.drop_table("game_note")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION game_note_only_grows()")
