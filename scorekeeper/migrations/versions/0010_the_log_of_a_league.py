"""Make the log of a league append-only, and add the signed-in account."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

LOG_ONLY_GROWS = {
    "sqlite": (
        (
            "CREATE TRIGGER league_event_no_update BEFORE UPDATE ON league_event "
            "BEGIN SELECT RAISE(ABORT, 'the log of a league only grows'); END"
        ),
        (
            "CREATE TRIGGER league_event_no_delete BEFORE DELETE ON league_event "
            "BEGIN SELECT RAISE(ABORT, 'the log of a league only grows'); END"
        ),
    ),
    "postgresql": (
        (
            "CREATE FUNCTION league_event_only_grows() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the log of a league only grows'; END $$"
        ),
        (
            "CREATE TRIGGER league_event_no_change BEFORE UPDATE OR DELETE ON league_event "
            "FOR EACH ROW EXECUTE FUNCTION league_event_only_grows()"
        ),
    ),
}
TAKEN_BACK = {
    "sqlite": ("DROP TRIGGER league_event_no_update", "DROP TRIGGER league_event_no_delete"),
    "postgresql": ("DROP TRIGGER league_event_no_change ON league_event", "DROP FUNCTION league_event_only_grows()"),
}


def upgrade() -> None:
    # With its constraint in the column, SQLite adds it in place, without copying the table.
    op.execute(
        "ALTER TABLE league_event ADD COLUMN account_id INTEGER "
        "CONSTRAINT fk_league_event_account_id_account REFERENCES account (id)"
    )
    for statement in LOG_ONLY_GROWS.get(op.get_bind().dialect.name, ()):
        op.execute(statement)


def downgrade() -> None:
    for statement in TAKEN_BACK.get(op.get_bind().dialect.name, ()):
        op.execute(statement)
    op.drop_column("league_event", "account_id")
