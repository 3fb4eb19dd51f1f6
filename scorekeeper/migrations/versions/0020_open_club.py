"""Add open clubs: the public page of a league and its addresses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "league_club",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=40), nullable=False),
        sa.Column("names", sa.String(length=16), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_club_league_id_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_club")),
        sa.UniqueConstraint("league_id", name=op.f("uq_league_club_league_id")),
        sa.UniqueConstraint("slug", name=op.f("uq_league_club_slug")),
    )
    op.create_index(op.f("ix_league_club_is_open"), "league_club", ["is_open"], unique=False)
    op.create_table(
        "league_club_address",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_club_address_league_id_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_club_address")),
        sa.UniqueConstraint("slug", name=op.f("uq_league_club_address_slug")),
    )
    op.create_index(op.f("ix_league_club_address_league_id"), "league_club_address", ["league_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_league_club_address_league_id"), table_name="league_club_address")
    op.drop_table("league_club_address")
    op.drop_index(op.f("ix_league_club_is_open"), table_name="league_club")
    op.drop_table("league_club")
