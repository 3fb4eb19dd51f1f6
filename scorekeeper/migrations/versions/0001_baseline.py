"""Create all tables, and the triggers that protect the logs. This is the schema of the first published version."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("folded", sa.String(length=160), nullable=False),
        sa.Column("password", sa.String(length=200)),
        sa.Column("recovery", sa.String(length=64)),
        sa.Column("opening", sa.String(length=64)),
        sa.Column("opening_until", sa.DateTime(timezone=True)),
        sa.Column("is_operator", sa.Boolean()),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_account"),
        sa.UniqueConstraint("folded", name="uq_account_folded"),
        sa.UniqueConstraint("opening", name="uq_account_opening"),
    )
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
        "home_table",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("made_by", sa.String(length=64)),
        sa.Column("origin", sa.String(length=16)),
        sa.PrimaryKeyConstraint("id", name="pk_home_table"),
        sa.UniqueConstraint("made_by", name="uq_home_table_made_by"),
        sa.UniqueConstraint("public_id", name="uq_home_table_public_id"),
    )
    op.create_table(
        "house_rules",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("preset", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_house_rules"),
        sa.UniqueConstraint("device", "name", name="uq_house_rules_device_name"),
    )
    installation = op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key_check", sa.String(length=64), nullable=False),
        sa.Column("oldest_writer", sa.String(length=32), nullable=False),
        sa.Column("paused_because", sa.String(length=200)),
        sa.PrimaryKeyConstraint("id", name="pk_installation"),
    )
    op.create_table(
        "league",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("client_id", sa.String(length=64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("demo", sa.Boolean(), nullable=False),
        sa.Column("off_because", sa.String(length=200)),
        sa.PrimaryKeyConstraint("id", name="pk_league"),
        sa.UniqueConstraint("device", "client_id", name="uq_league_device_client_id"),
        sa.UniqueConstraint("public_id", name="uq_league_public_id"),
    )
    op.create_index("ix_league_device", "league", ["device"])
    op.create_table(
        "league_upload",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_league_upload"),
        sa.UniqueConstraint("key", name="uq_league_upload_key"),
    )
    op.create_index("ix_league_upload_made_at", "league_upload", ["made_at"])
    op.create_table(
        "lease",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_lease"),
    )
    op.create_table(
        "limit_hit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("until", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_limit_hit"),
    )
    op.create_index("ix_limit_hit_key_limit_hit_until", "limit_hit", ["key", "until"])
    op.create_index("ix_limit_hit_until", "limit_hit", ["until"])
    op.create_table(
        "account_device",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_account_device_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_account_device"),
        sa.UniqueConstraint("account_id", "device", name="uq_account_device_account_id_device"),
    )
    op.create_table(
        "account_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer()),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("address", sa.String(length=43), nullable=False),
        sa.Column("agent", sa.String(length=60), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_account_event_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_account_event"),
    )
    op.create_index("ix_account_event_account_id_account_event_at", "account_event", ["account_id", "at"])
    op.create_index("ix_account_event_at", "account_event", ["at"])
    op.create_table(
        "account_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("agent", sa.String(length=60), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_on", sa.Date(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_account_session_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_account_session"),
        sa.UniqueConstraint("secret", name="uq_account_session_secret"),
    )
    op.create_index("ix_account_session_account_id", "account_session", ["account_id"])
    op.create_index("ix_account_session_made_at", "account_session", ["made_at"])
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("client_id", sa.String(length=64), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True)),
        sa.Column("unwatched_since", sa.DateTime(timezone=True)),
        sa.Column("elsewhere", sa.Boolean()),
        sa.Column("rematch_of", sa.Integer()),
        sa.Column("renamed", sa.Integer()),
        sa.Column("home_table_id", sa.Integer()),
        sa.Column("hidden_at", sa.DateTime(timezone=True)),
        sa.Column("origin", sa.String(length=16)),
        sa.Column("side_names", sa.JSON(none_as_null=True)),
        sa.Column("preset", sa.String(length=40), nullable=False),
        sa.Column("ruleset", sa.JSON(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("sides", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("totals", sa.JSON(), nullable=False),
        sa.Column("sets", sa.JSON(none_as_null=True)),
        sa.Column("facts", sa.JSON(none_as_null=True)),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("winner", sa.Integer()),
        sa.Column("ended_by", sa.String(length=40)),
        sa.ForeignKeyConstraint(["home_table_id"], ["home_table.id"], name="fk_game_home_table_id_home_table"),
        sa.ForeignKeyConstraint(["rematch_of"], ["game.id"], name="fk_game_rematch_of_game"),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
        sa.UniqueConstraint("device", "client_id", name="uq_game_device_client_id"),
        sa.UniqueConstraint("public_id", name="uq_game_public_id"),
    )
    op.create_index(
        "ix_game_deleted_at",
        "game",
        ["deleted_at"],
        sqlite_where=sa.text("deleted_at IS NOT NULL"),
        postgresql_where=sa.text("deleted_at IS NOT NULL"),
    )
    op.create_index("ix_game_device_game_updated_at", "game", ["device", "updated_at"])
    op.create_index("ix_game_home_table_id_game_updated_at", "game", ["home_table_id", "updated_at"])
    op.create_index("ix_game_rematch_of", "game", ["rematch_of"])
    op.create_table(
        "home_code",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(length=8), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("used_by", sa.String(length=64)),
        sa.ForeignKeyConstraint(["table_id"], ["home_table.id"], name="fk_home_code_table_id_home_table"),
        sa.PrimaryKeyConstraint("id", name="pk_home_code"),
    )
    op.create_index("ix_home_code_place", "home_code", ["place"])
    op.create_index("ix_home_code_table_id", "home_code", ["table_id"])
    op.create_table(
        "home_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("may_score", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.Column("revoked_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(["table_id"], ["home_table.id"], name="fk_home_link_table_id_home_table"),
        sa.PrimaryKeyConstraint("id", name="pk_home_link"),
        sa.UniqueConstraint("secret", name="uq_home_link_secret"),
    )
    op.create_index("ix_home_link_table_id", "home_link", ["table_id"])
    op.create_table(
        "home_person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("color", sa.String(length=20), nullable=False),
        sa.Column("emoji", sa.String(length=16), nullable=False),
        sa.Column("photo_id", sa.Integer()),
        sa.Column("joined_into", sa.Integer()),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("origin", sa.String(length=16)),
        sa.ForeignKeyConstraint(["joined_into"], ["home_person.id"], name="fk_home_person_joined_into_home_person"),
        sa.ForeignKeyConstraint(["photo_id"], ["home_photo.id"], name="fk_home_person_photo_id_home_photo"),
        sa.ForeignKeyConstraint(["table_id"], ["home_table.id"], name="fk_home_person_table_id_home_table"),
        sa.PrimaryKeyConstraint("id", name="pk_home_person"),
        sa.UniqueConstraint("public_id", name="uq_home_person_public_id"),
    )
    op.create_index("ix_home_person_joined_into", "home_person", ["joined_into"])
    op.create_index("ix_home_person_photo_id", "home_person", ["photo_id"])
    op.create_index("ix_home_person_table_id", "home_person", ["table_id"])
    op.create_table(
        "home_phone",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("keeper", sa.Boolean(), nullable=False),
        sa.Column("may_score", sa.Boolean(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True)),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["home_table.id"], name="fk_home_phone_table_id_home_table"),
        sa.PrimaryKeyConstraint("id", name="pk_home_phone"),
        sa.UniqueConstraint("table_id", "device", name="uq_home_phone_table_id_device"),
    )
    op.create_index("ix_home_phone_device_home_phone_used_at", "home_phone", ["device", "used_at"])
    op.create_table(
        "league_club",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=40), nullable=False),
        sa.Column("names", sa.String(length=16), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name="fk_league_club_league_id_league"),
        sa.PrimaryKeyConstraint("id", name="pk_league_club"),
        sa.UniqueConstraint("league_id", name="uq_league_club_league_id"),
        sa.UniqueConstraint("slug", name="uq_league_club_slug"),
    )
    op.create_index("ix_league_club_is_open", "league_club", ["is_open"])
    op.create_table(
        "league_club_address",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name="fk_league_club_address_league_id_league"),
        sa.PrimaryKeyConstraint("id", name="pk_league_club_address"),
        sa.UniqueConstraint("slug", name="uq_league_club_address_slug"),
    )
    op.create_index("ix_league_club_address_league_id", "league_club_address", ["league_id"])
    op.create_table(
        "league_invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("called", sa.String(length=40), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name="fk_league_invitation_league_id_league"),
        sa.PrimaryKeyConstraint("id", name="pk_league_invitation"),
        sa.UniqueConstraint("secret", name="uq_league_invitation_secret"),
    )
    op.create_index("ix_league_invitation_league_id", "league_invitation", ["league_id"])
    op.create_table(
        "league_role",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("called", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_league_role_account_id_account"),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name="fk_league_role_league_id_league"),
        sa.PrimaryKeyConstraint("id", name="pk_league_role"),
        sa.UniqueConstraint("league_id", "account_id", name="uq_league_role_league_id_account_id"),
    )
    op.create_index("ix_league_role_account_id", "league_role", ["account_id"])
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
        sa.Column("merged_into", sa.Integer()),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name="fk_person_league_id_league"),
        sa.ForeignKeyConstraint(["merged_into"], ["person.id"], name="fk_person_merged_into_person"),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
        sa.UniqueConstraint("public_id", name="uq_person_public_id"),
    )
    op.create_index("ix_person_league_id", "person", ["league_id"])
    op.create_index("ix_person_merged_into", "person", ["merged_into"])
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
        sa.Column("playoffs", sa.JSON(none_as_null=True)),
        sa.Column("schedule", sa.JSON(none_as_null=True)),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name="fk_season_league_id_league"),
        sa.PrimaryKeyConstraint("id", name="pk_season"),
        sa.UniqueConstraint("public_id", name="uq_season_public_id"),
    )
    op.create_index("ix_season_league_id", "season", ["league_id"])
    op.create_table(
        "game_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("format", sa.Integer(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("client_id", sa.String(length=64)),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("happened_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_game_event_game_id_game"),
        sa.PrimaryKeyConstraint("id", name="pk_game_event"),
        sa.UniqueConstraint("game_id", "client_id", name="uq_game_event_game_id_client_id"),
        sa.UniqueConstraint("game_id", "seq", name="uq_game_event_game_id_seq"),
    )
    op.create_table(
        "game_note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_game_note_game_id_game"),
        sa.PrimaryKeyConstraint("id", name="pk_game_note"),
    )
    op.create_index("ix_game_note_game_id", "game_note", ["game_id"])
    op.create_table(
        "hand_note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.Column("photo", sa.LargeBinary()),
        sa.Column("photo_key", sa.String(length=16)),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_hand_note_game_id_game"),
        sa.PrimaryKeyConstraint("id", name="pk_hand_note"),
        sa.UniqueConstraint("game_id", "seq", name="uq_hand_note_game_id_seq"),
    )
    op.create_table(
        "night",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("bell_at", sa.DateTime(timezone=True)),
        sa.Column("cards", sa.Integer(), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True)),
        sa.Column("playoff", sa.Boolean()),
        sa.Column("started_round", sa.Integer()),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name="fk_night_season_id_season"),
        sa.PrimaryKeyConstraint("id", name="pk_night"),
        sa.UniqueConstraint("public_id", name="uq_night_public_id"),
        sa.UniqueConstraint("season_id", "number", name="uq_night_season_id_number"),
    )
    op.create_table(
        "personal_link",
        sa.Column("person_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_personal_link_person_id_person"),
        sa.PrimaryKeyConstraint("person_id", name="pk_personal_link"),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("person_id", sa.Integer()),
        sa.Column("home_person_id", sa.Integer()),
        sa.ForeignKeyConstraint(["home_person_id"], ["home_person.id"], name="fk_player_home_person_id_home_person"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_player_person_id_person"),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
    )
    op.create_index("ix_player_home_person_id", "player", ["home_person_id"])
    op.create_index("ix_player_person_id", "player", ["person_id"])
    op.create_table(
        "recovery",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(length=8), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("used_by", sa.String(length=64)),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_recovery_game_id_game"),
        sa.PrimaryKeyConstraint("id", name="pk_recovery"),
    )
    op.create_index("ix_recovery_game_id", "recovery", ["game_id"])
    op.create_index("ix_recovery_place", "recovery", ["place"])
    op.create_table(
        "score_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.Column("revoked_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_score_link_game_id_game"),
        sa.PrimaryKeyConstraint("id", name="pk_score_link"),
        sa.UniqueConstraint("secret", name="uq_score_link_secret"),
    )
    op.create_index("ix_score_link_game_id", "score_link", ["game_id"])
    op.create_table(
        "scorer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("side", sa.Integer()),
        sa.Column("account_id", sa.Integer()),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_scorer_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_scorer_game_id_game"),
        sa.PrimaryKeyConstraint("id", name="pk_scorer"),
        sa.UniqueConstraint("game_id", "device", name="uq_scorer_game_id_device"),
    )
    op.create_index("ix_scorer_device", "scorer", ["device"])
    op.create_table(
        "squad",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("division", sa.String(length=40), nullable=False),
        sa.Column("seed", sa.Integer()),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name="fk_squad_season_id_season"),
        sa.PrimaryKeyConstraint("id", name="pk_squad"),
        sa.UniqueConstraint("public_id", name="uq_squad_public_id"),
        sa.UniqueConstraint("season_id", "name", name="uq_squad_season_id_name"),
    )
    op.create_table(
        "bye",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_bye_night_id_night"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_bye_person_id_person"),
        sa.PrimaryKeyConstraint("id", name="pk_bye"),
        sa.UniqueConstraint("night_id", "round", "person_id", name="uq_bye_night_id_round_person_id"),
    )
    op.create_index("ix_bye_person_id", "bye", ["person_id"])
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
        sa.Column("night_id", sa.Integer()),
        sa.ForeignKeyConstraint(["away_id"], ["squad.id"], name="fk_fixture_away_id_squad"),
        sa.ForeignKeyConstraint(["home_id"], ["squad.id"], name="fk_fixture_home_id_squad"),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_fixture_night_id_night"),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name="fk_fixture_season_id_season"),
        sa.PrimaryKeyConstraint("id", name="pk_fixture"),
        sa.UniqueConstraint("public_id", name="uq_fixture_public_id"),
    )
    op.create_index("ix_fixture_night_id", "fixture", ["night_id"])
    op.create_index("ix_fixture_season_id", "fixture", ["season_id"])
    op.create_table(
        "league_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer()),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Integer()),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("request_key", sa.String(length=64)),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_league_event_account_id_account"),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name="fk_league_event_league_id_league"),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_league_event_night_id_night"),
        sa.PrimaryKeyConstraint("id", name="pk_league_event"),
    )
    op.create_index("ix_league_event_league_id_league_event_id", "league_event", ["league_id", "id"])
    op.create_index(
        "ix_league_event_league_id_league_event_request_key", "league_event", ["league_id", "request_key"], unique=True
    )
    op.create_index("ix_league_event_night_id", "league_event", ["night_id"])
    op.create_table(
        "league_money",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.Integer()),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(length=120), nullable=False),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_league_money_night_id_night"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_league_money_person_id_person"),
        sa.PrimaryKeyConstraint("id", name="pk_league_money"),
    )
    op.create_index("ix_league_money_night_id_league_money_kind", "league_money", ["night_id", "kind"])
    op.create_index("ix_league_money_person_id", "league_money", ["person_id"])
    op.create_table(
        "league_payment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer()),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("what", sa.String(length=120), nullable=False),
        sa.Column("corrects", sa.Integer()),
        sa.ForeignKeyConstraint(["corrects"], ["league_payment.id"], name="fk_league_payment_corrects_league_payment"),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_league_payment_night_id_night"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_league_payment_person_id_person"),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name="fk_league_payment_season_id_season"),
        sa.PrimaryKeyConstraint("id", name="pk_league_payment"),
        sa.UniqueConstraint("corrects", name="uq_league_payment_corrects"),
    )
    op.create_index("ix_league_payment_night_id", "league_payment", ["night_id"])
    op.create_index("ix_league_payment_person_id", "league_payment", ["person_id"])
    op.create_index("ix_league_payment_season_id", "league_payment", ["season_id"])
    op.create_table(
        "league_table",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("game_id", sa.Integer()),
        sa.Column("confirmed", sa.JSON(), nullable=False),
        sa.Column("confirmed_by", sa.JSON(none_as_null=True)),
        sa.Column("dispute", sa.JSON(none_as_null=True)),
        sa.Column("reopened", sa.Boolean()),
        sa.Column("points", sa.JSON(none_as_null=True)),
        sa.Column("winner", sa.Integer()),
        sa.Column("sets", sa.JSON(none_as_null=True)),
        sa.Column("hands", sa.Integer()),
        sa.Column("paper_sets", sa.JSON(none_as_null=True)),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_league_table_game_id_game"),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_league_table_night_id_night"),
        sa.PrimaryKeyConstraint("id", name="pk_league_table"),
        sa.UniqueConstraint("game_id", name="uq_league_table_game_id"),
        sa.UniqueConstraint("night_id", "round", "number", name="uq_league_table_night_id_round_number"),
    )
    op.create_table(
        "league_tally",
        sa.Column("night_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("people", sa.JSON(), nullable=False),
        sa.Column("byes", sa.JSON(), nullable=False),
        sa.Column("tables", sa.JSON(), nullable=False),
        sa.Column("teams", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_league_tally_night_id_night"),
        sa.PrimaryKeyConstraint("night_id", name="pk_league_tally"),
    )
    op.create_table(
        "league_total",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("sub_for", sa.Integer()),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer()),
        sa.Column("wins", sa.Integer()),
        sa.Column("losses", sa.Integer()),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_league_total_night_id_night"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_league_total_person_id_person"),
        sa.ForeignKeyConstraint(["sub_for"], ["person.id"], name="fk_league_total_sub_for_person"),
        sa.PrimaryKeyConstraint("id", name="pk_league_total"),
        sa.UniqueConstraint("night_id", "person_id", name="uq_league_total_night_id_person_id"),
    )
    op.create_index("ix_league_total_person_id", "league_total", ["person_id"])
    op.create_index("ix_league_total_sub_for", "league_total", ["sub_for"])
    op.create_table(
        "planned_night",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("starts", sa.Integer()),
        sa.Column("place", sa.String(length=60), nullable=False),
        sa.Column("note", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("night_id", sa.Integer()),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_planned_night_night_id_night"),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name="fk_planned_night_season_id_season"),
        sa.PrimaryKeyConstraint("id", name="pk_planned_night"),
        sa.UniqueConstraint("night_id", name="uq_planned_night_night_id"),
        sa.UniqueConstraint("public_id", name="uq_planned_night_public_id"),
    )
    op.create_index("ix_planned_night_season_id", "planned_night", ["season_id"])
    op.create_table(
        "present",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("from_round", sa.Integer(), nullable=False),
        sa.Column("to_round", sa.Integer()),
        sa.Column("sub_for", sa.Integer()),
        sa.Column("team", sa.Integer()),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_present_night_id_night"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_present_person_id_person"),
        sa.ForeignKeyConstraint(["sub_for"], ["person.id"], name="fk_present_sub_for_person"),
        sa.PrimaryKeyConstraint("id", name="pk_present"),
        sa.UniqueConstraint("night_id", "person_id", name="uq_present_night_id_person_id"),
    )
    op.create_index("ix_present_person_id", "present", ["person_id"])
    op.create_index("ix_present_sub_for", "present", ["sub_for"])
    op.create_table(
        "squad_person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("squad_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_squad_person_person_id_person"),
        sa.ForeignKeyConstraint(["squad_id"], ["squad.id"], name="fk_squad_person_squad_id_squad"),
        sa.PrimaryKeyConstraint("id", name="pk_squad_person"),
        sa.UniqueConstraint("squad_id", "person_id", name="uq_squad_person_squad_id_person_id"),
    )
    op.create_index("ix_squad_person_person_id", "squad_person", ["person_id"])
    op.create_table(
        "league_event_text",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer()),
        sa.Column("key", sa.String(length=20), nullable=False),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["league_event.id"], name="fk_league_event_text_event_id_league_event"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_league_event_text_person_id_person"),
        sa.PrimaryKeyConstraint("id", name="pk_league_event_text"),
    )
    op.create_index("ix_league_event_text_event_id", "league_event_text", ["event_id"])
    op.create_index("ix_league_event_text_person_id", "league_event_text", ["person_id"])
    op.create_table(
        "league_hand",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("bidder", sa.Integer()),
        sa.Column("bid", sa.String(length=8)),
        sa.Column("made", sa.Boolean()),
        sa.Column("bidding", sa.JSON(), nullable=False),
        sa.Column("delta", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["league_table.id"], name="fk_league_hand_table_id_league_table"),
        sa.PrimaryKeyConstraint("id", name="pk_league_hand"),
        sa.UniqueConstraint("table_id", "number", name="uq_league_hand_table_id_number"),
    )
    op.create_table(
        "league_seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("sub_for", sa.Integer()),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_league_seat_person_id_person"),
        sa.ForeignKeyConstraint(["sub_for"], ["person.id"], name="fk_league_seat_sub_for_person"),
        sa.ForeignKeyConstraint(["table_id"], ["league_table.id"], name="fk_league_seat_table_id_league_table"),
        sa.PrimaryKeyConstraint("id", name="pk_league_seat"),
        sa.UniqueConstraint("table_id", "seat", name="uq_league_seat_table_id_seat"),
    )
    op.create_index("ix_league_seat_person_id", "league_seat", ["person_id"])
    op.create_index("ix_league_seat_sub_for", "league_seat", ["sub_for"])
    op.create_table(
        "lineup",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("fixture_id", sa.Integer(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["fixture_id"], ["fixture.id"], name="fk_lineup_fixture_id_fixture"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_lineup_person_id_person"),
        sa.PrimaryKeyConstraint("id", name="pk_lineup"),
        sa.UniqueConstraint("fixture_id", "side", "place", name="uq_lineup_fixture_id_side_place"),
    )
    op.create_index("ix_lineup_person_id", "lineup", ["person_id"])
    op.create_table(
        "night_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("planned_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("says", sa.String(length=10), nullable=False),
        sa.Column("sub_id", sa.Integer()),
        sa.Column("note", sa.String(length=100), nullable=False),
        sa.Column("by_desk", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_night_answer_person_id_person"),
        sa.ForeignKeyConstraint(["planned_id"], ["planned_night.id"], name="fk_night_answer_planned_id_planned_night"),
        sa.ForeignKeyConstraint(["sub_id"], ["person.id"], name="fk_night_answer_sub_id_person"),
        sa.PrimaryKeyConstraint("id", name="pk_night_answer"),
        sa.UniqueConstraint("planned_id", "person_id", name="uq_night_answer_planned_id_person_id"),
    )
    op.create_index("ix_night_answer_person_id", "night_answer", ["person_id"])
    op.create_index("ix_night_answer_sub_id", "night_answer", ["sub_id"])
    op.bulk_insert(installation, [{"id": 1, "key_check": "", "oldest_writer": revision}])
    if op.get_context().dialect.name == "postgresql":
        # Losing counters in a crash does no harm, so they are not logged.
        op.execute("ALTER TABLE limit_hit SET UNLOGGED")
    protect("game_event", "only_grows", "the log of a game only grows", "update", "delete")
    protect("game_note", "only_grows", "the log beside a game only grows", "update", "delete")
    protect("league_event", "only_grows", "the log of a league only grows", "update", "delete")
    # Old lines are deleted.
    protect("account_event", "stays", "the log of an account is never changed", "update")


def protect(log: str, how: str, message: str, *changes: str) -> None:
    """Let the database refuse these `changes` of the lines of a log with an error `message`.

    `how` becomes a part of the name of the function that PostgreSQL needs.
    """
    if op.get_context().dialect.name == "sqlite":
        for change in changes:
            op.execute(
                f"CREATE TRIGGER {log}_no_{change} BEFORE {change.upper()} ON {log} "
                f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
            )
    else:
        op.execute(
            f"CREATE FUNCTION {log}_{how}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{message}'; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {log}_no_{'change' if len(changes) > 1 else changes[0]} "
            f"BEFORE {' OR '.join(changes).upper()} ON {log} FOR EACH ROW EXECUTE FUNCTION {log}_{how}()"
        )
