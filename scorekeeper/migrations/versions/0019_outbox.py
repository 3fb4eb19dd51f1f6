"""Add webhooks, mail addresses and the messages that are sent to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "league_webhook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("address", sa.String(length=500), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_webhook_league_id_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_webhook")),
        sa.UniqueConstraint("public_id", name=op.f("uq_league_webhook_public_id")),
    )
    op.create_index(op.f("ix_league_webhook_league_id"), "league_webhook", ["league_id"])
    op.create_table(
        "league_mail",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_mail_league_id_league")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_league_mail_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_mail")),
        sa.UniqueConstraint("league_id", "address", name=op.f("uq_league_mail_league_id_address")),
        sa.UniqueConstraint("public_id", name=op.f("uq_league_mail_public_id")),
    )
    op.create_index(op.f("ix_league_mail_person_id"), "league_mail", ["person_id"])
    op.create_table(
        "league_outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(length=8), nullable=False),
        sa.Column("recipient", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("error", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_outbox_league_id_league")),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name=op.f("fk_league_outbox_night_id_night")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_outbox")),
        sa.UniqueConstraint(
            "night_id", "kind", "edition", "recipient", name=op.f("uq_league_outbox_night_id_kind_edition_recipient")
        ),
    )
    op.create_index(op.f("ix_league_outbox_league_id"), "league_outbox", ["league_id"])
    op.create_index(op.f("ix_league_outbox_recipient"), "league_outbox", ["recipient"])
    op.create_index(op.f("ix_league_outbox_state_channel_next_at"), "league_outbox", ["state", "channel", "next_at"])


def downgrade() -> None:
    for table in ("league_outbox", "league_mail", "league_webhook"):
        op.drop_table(table)
