"""Add accounts of directors, with credentials, sessions and league ownership."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

LOG_STAYS = {
    "sqlite": (
        (
            "CREATE TRIGGER account_event_no_update BEFORE UPDATE ON account_event "
            "BEGIN SELECT RAISE(ABORT, 'the log of an account is never changed'); END"
        ),
    ),
    "postgresql": (
        (
            "CREATE FUNCTION account_event_stays() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the log of an account is never changed'; END $$"
        ),
        (
            "CREATE TRIGGER account_event_no_update BEFORE UPDATE ON account_event "
            "FOR EACH ROW EXECUTE FUNCTION account_event_stays()"
        ),
    ),
}


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("folded", sa.String(length=160), nullable=False),
        sa.Column("handle", sa.String(length=64), nullable=False),
        sa.Column("password", sa.String(length=200), nullable=True),
        sa.Column("recovery", sa.String(length=64), nullable=True),
        sa.Column("opening", sa.String(length=64), nullable=True),
        sa.Column("opening_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("folded", name=op.f("uq_account_folded")),
        sa.UniqueConstraint("handle", name=op.f("uq_account_handle")),
        sa.UniqueConstraint("opening", name=op.f("uq_account_opening")),
    )

    op.create_table(
        "account_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("challenge", sa.String(length=64), nullable=True),
        sa.Column("agent", sa.String(length=60), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_on", sa.Date(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_account_session_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_session")),
        sa.UniqueConstraint("challenge", name=op.f("uq_account_session_challenge")),
        sa.UniqueConstraint("secret", name=op.f("uq_account_session_secret")),
    )
    with op.batch_alter_table("account_session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_account_session_account_id"), ["account_id"], unique=False)

    op.create_table(
        "passkey",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("credential", sa.String(length=1400), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.Integer(), nullable=False),
        sa.Column("site", sa.String(length=253), nullable=False),
        sa.Column("agent", sa.String(length=60), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_on", sa.Date(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_passkey_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkey")),
        sa.UniqueConstraint("credential", name=op.f("uq_passkey_credential")),
    )
    with op.batch_alter_table("passkey", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_passkey_account_id"), ["account_id"], unique=False)

    op.create_table(
        "account_device",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_account_device_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_device")),
        sa.UniqueConstraint("account_id", "device", name=op.f("uq_account_device_account_id_device")),
    )

    op.create_table(
        "account_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("address", sa.String(length=43), nullable=False),
        sa.Column("agent", sa.String(length=60), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_account_event_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_event")),
    )
    with op.batch_alter_table("account_event", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_account_event_account_id_account_event_at"), ["account_id", "at"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_account_event_at"), ["at"], unique=False)

    for statement in LOG_STAYS[op.get_bind().dialect.name]:
        op.execute(statement)

    op.create_table(
        "league_role",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_league_role_account_id_account")),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_role_league_id_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_role")),
        sa.UniqueConstraint("league_id", "account_id", name=op.f("uq_league_role_league_id_account_id")),
    )
    with op.batch_alter_table("league_role", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_league_role_account_id"), ["account_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("league_role", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_league_role_account_id"))

    op.drop_table("league_role")
    with op.batch_alter_table("account_event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_account_event_at"))
        batch_op.drop_index(batch_op.f("ix_account_event_account_id_account_event_at"))

    op.drop_table("account_event")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION account_event_stays()")
    op.drop_table("account_device")
    with op.batch_alter_table("passkey", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_passkey_account_id"))

    op.drop_table("passkey")
    with op.batch_alter_table("account_session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_account_session_account_id"))

    op.drop_table("account_session")
    op.drop_table("account")
