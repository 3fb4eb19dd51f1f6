"""Replace names with ids in league logs, and link the players at league tables to people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from alembic import op

from scorekeeper.migrations.old_log import (
    PEOPLE,
    SEASONS,
    SEATINGS,
    TEXTS,
    Upcast,
    folded,
    in_place,
    people_at_tables,
    upcast_log,
    whom_names_mean,
)

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

Row = Mapping[str, Any]
AT_ONCE = 5_000
"""Rows per statement."""


def _table(name: str, *columns: str, data: bool = False) -> sa.TableClause:
    told: list[sa.ColumnClause[Any]] = [sa.column(column) for column in columns]
    return sa.table(name, *told, *([sa.column("data", sa.JSON)] if data else []))


LEAGUE = _table("league", "id", "public_id", "name")
PERSON = _table("person", "id", "league_id", "public_id", "name", "nickname", "merged_into")
SEASON = _table("season", "id", "league_id", "public_id", "name")
NIGHT = _table("night", "id", "season_id", "public_id")
LINE = _table("league_event", "id", "league_id", "night_id", "kind", "reason", "request_key", data=True)
TEXT = _table("league_event_text", "id", "event_id", "person_id", "key", "text")
TABLE = _table("league_table", "id", "night_id", "game_id")
SEAT = _table("league_seat", "table_id", "seat", "person_id")
EVENT = _table("game_event", "game_id", "seq", "kind", data=True)
PLAYER = _table("player", "id", "name", "person_id")


def upgrade() -> None:
    op.create_table(
        "league_event_text",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("key", sa.String(length=20), nullable=False),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["league_event.id"], name="fk_league_event_text_event_id_league_event"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_league_event_text_person_id_person"),
        sa.PrimaryKeyConstraint("id", name="pk_league_event_text"),
    )
    op.create_index("ix_league_event_text_event_id", "league_event_text", ["event_id"])
    op.create_index("ix_league_event_text_person_id", "league_event_text", ["person_id"])
    op.add_column("league_event", sa.Column("request_key", sa.String(length=64), nullable=True))
    # With its constraint in the column, SQLite adds it in place, without copying the table.
    op.execute(
        "ALTER TABLE player ADD COLUMN person_id INTEGER CONSTRAINT fk_player_person_id_person REFERENCES person (id)"
    )
    lines = _upcast()
    op.create_index(
        "ix_league_event_league_id_league_event_request_key", "league_event", ["league_id", "request_key"], unique=True
    )
    op.drop_column("league_event", "reason")
    _seat(lines)
    op.create_index("ix_player_person_id", "player", ["person_id"])


def downgrade() -> None:
    op.drop_index("ix_player_person_id", "player")
    op.drop_column("player", "person_id")
    op.add_column("league_event", sa.Column("reason", sa.String(length=200), nullable=False, server_default=""))
    op.drop_index("ix_league_event_league_id_league_event_request_key", "league_event")
    _name_again()
    op.drop_column("league_event", "request_key")
    op.drop_table("league_event_text")


def _upcast() -> Mapping[int, Sequence[Upcast]]:
    """Convert the lines of all league logs in the database, and return them by id of the league."""
    connection = op.get_bind()
    people, seasons, logs = (_by_league(table) for table in (PERSON, SEASON, LINE))
    nights = dict(connection.execute(sa.select(NIGHT.c.id, NIGHT.c.public_id)).all())
    told = {
        league["id"]: upcast_log(
            logs[league["id"]], people[league["id"]], seasons[league["id"]], league["public_id"], nights
        )
        for league in connection.execute(sa.select(LEAGUE)).mappings()
    }
    addresses = {row["public_id"]: row["id"] for rows in people.values() for row in rows}
    change = sa.update(LINE).where(LINE.c.id == sa.bindparam("line"))
    lines = [line for log in told.values() for line in log]
    with _opened():
        _run(change, [{"line": line.id, "data": line.data, "request_key": line.request_key} for line in lines])
    _run(
        sa.insert(TEXT),
        [
            {"event_id": line.id, "person_id": of and addresses[of], "key": key, "text": text[:200]}
            for line in lines
            for key, text, of in line.texts
        ],
    )
    return told


def _seat(lines: Mapping[int, Sequence[Upcast]]) -> None:
    """Link the players of league games, and of rematches of those games, to people.

    `lines` are the converted lines of the logs, by id of the league.
    """
    connection = op.get_bind()
    at = dict(
        connection.execute(
            sa.select(TABLE.c.game_id, SEASON.c.league_id)
            .join_from(TABLE, NIGHT, NIGHT.c.id == TABLE.c.night_id)
            .join(SEASON, SEASON.c.id == NIGHT.c.season_id)
            .where(TABLE.c.game_id.is_not(None))
        ).all()
    )
    seats: defaultdict[int, list[int | None]] = defaultdict(list)
    sat = (
        sa.select(TABLE.c.game_id, SEAT.c.person_id)
        .join_from(TABLE, SEAT, SEAT.c.table_id == TABLE.c.id)
        .where(TABLE.c.game_id.is_not(None))
        .order_by(TABLE.c.game_id, SEAT.c.seat)
    )
    for game, person in connection.execute(sat):
        seats[game].append(person)
    events = sa.select(EVENT.c.game_id, EVENT.c.kind, EVENT.c.data).where(EVENT.c.kind.in_(SEATINGS))
    seatings: defaultdict[int, list[tuple[int, str, Row]]] = defaultdict(list)
    of_player: dict[int, int] = {}
    for game, kind, data in connection.execute(events.order_by(EVENT.c.game_id, EVENT.c.seq)):
        players = data["players"] if kind == "GameStarted" else [data["player"]]
        if kind == "GameStarted" and game not in at:
            # A rematch of a league game has the same players.
            at.update((game, of_player[player]) for player in players if player in of_player)
        if game in at:
            of_player |= dict.fromkeys(players, at[game])
            seatings[at[game]].append((game, kind, data))
    people = _by_league(PERSON)
    names = dict(connection.execute(sa.select(PLAYER.c.id, PLAYER.c.name)).all()) if of_player else {}
    change = sa.update(PLAYER).where(PLAYER.c.id == sa.bindparam("player"))
    for league, seated in seatings.items():
        called = whom_names_mean(people[league], lines[league])
        named = {
            player: called[name]
            for player, of in of_player.items()
            if of == league and (name := folded(names[player])) in called
        }
        found = people_at_tables(seats, seated, named)
        _run(change, [{"player": player, "person_id": person} for player, person in found])


def _name_again() -> None:
    """Put names and typed texts back into the lines of the logs, for a downgrade.

    Each line gets the names that people had when the line was written.
    """
    connection = op.get_bind()
    texts: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for row in connection.execute(sa.select(TEXT)).mappings():
        texts[row["event_id"]][row["key"]] = row["text"]
    names = {
        row["public_id"]: row["name"]
        for table in (PERSON, SEASON, LEAGUE)
        for row in connection.execute(sa.select(table)).mappings()
    }
    change = sa.update(LINE).where(LINE.c.id == sa.bindparam("line"))
    rows = []
    for line in (
        connection.execute(sa.select(LINE.c.id, LINE.c.kind, LINE.c.data).order_by(LINE.c.id.desc())).mappings().all()
    ):
        said = texts[line["id"]]
        data = _named(line["kind"], dict(line["data"]), said, names | said)
        rows.append({"line": line["id"], "data": data, "reason": said.get("reason", "")})
        if "name.before" in said:
            names[line["data"]["person"]] = said["name.before"]
    with _opened():
        _run(change, rows)


def _named(kind: str, data: dict[str, Any], said: Mapping[str, str], names: Mapping[str, str]) -> dict[str, Any]:
    def name_of(value: Any) -> Any:
        return [name_of(each) for each in value] if isinstance(value, list) else names.get(value, value)

    places = {"name": "season"} if kind in SEASONS else {"name": "made"} if kind == "league_made" else {}
    for old, new in {**places, **PEOPLE.get(kind, {})}.items():
        if new in data:
            if old != new and kind in ("sub_set", "made_anonymous", *SEASONS):  # these lines held both
                data[old] = name_of(data[new])
            else:
                data = in_place(data, new, old, name_of(data[new]))
    for old, key in TEXTS.get(kind, {}).items():
        data[old] = said.get(key, "")
    if kind == "person_changed":
        data["changed"] = {
            key: pair or [said.get(f"{key}.{place}", "") for place in ("before", "after")]
            for key, pair in data["changed"].items()
        }
    return data


def _by_league(table: sa.TableClause) -> Mapping[int, list[Row]]:
    told: defaultdict[int, list[Row]] = defaultdict(list)
    for row in op.get_bind().execute(sa.select(table).order_by(table.c.id)).mappings():
        told[row["league_id"]].append(dict(row))
    return told


def _run(statement: Any, rows: Sequence[Row]) -> None:
    for first in range(0, len(rows), AT_ONCE):
        op.get_bind().execute(statement, rows[first : first + AT_ONCE])


@contextmanager
def _opened() -> Iterator[None]:
    """Allow changes to the league logs inside the block. Normally, lines can only be added."""
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        guards = sa.text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'league_event'")
        made = connection.execute(guards).all()
        for name, _sql in made:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        yield
        for _name, sql in made:
            connection.exec_driver_sql(sql)
    else:
        connection.exec_driver_sql("ALTER TABLE league_event DISABLE TRIGGER USER")
        yield
        connection.exec_driver_sql("ALTER TABLE league_event ENABLE TRIGGER USER")
