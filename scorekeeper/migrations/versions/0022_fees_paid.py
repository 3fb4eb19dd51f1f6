"""Add what people paid and owe a league, and the numbers of failed bids (sets) at tables scored on paper."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "league_payment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("what", sa.String(length=120), nullable=False),
        sa.Column("corrects", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["corrects"], ["league_payment.id"], name=op.f("fk_league_payment_corrects_league_payment")
        ),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name=op.f("fk_league_payment_night_id_night")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_league_payment_person_id_person")),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_league_payment_season_id_season")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_payment")),
        sa.UniqueConstraint("corrects", name=op.f("uq_league_payment_corrects")),
    )
    for column in ("season_id", "night_id", "person_id"):
        op.create_index(op.f(f"ix_league_payment_{column}"), "league_payment", [column], unique=False)
    op.add_column("league_table", sa.Column("paper_sets", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("league_table", "paper_sets")
    op.drop_table("league_payment")
