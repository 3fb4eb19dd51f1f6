"""Convert the rows of a league to plain data and back, with references to other rows remapped."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import JSON, Column, String, Table, insert, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import UTCDateTime
from scorekeeper.leagues.core.models import (
    AnswerRow,
    ByeRow,
    ClubAddressRow,
    ClubRow,
    FixtureRow,
    LeagueEventRow,
    LeagueRow,
    LeagueTextRow,
    LineupRow,
    MoneyRow,
    NightRow,
    PaymentRow,
    PersonRow,
    PlannedRow,
    PresentRow,
    SeasonRow,
    SeatRow,
    SquadPersonRow,
    SquadRow,
    TableRow,
    TotalRow,
    scope_of,
)
from scorekeeper.web.extensions import Model

Row = dict[str, Any]
Ids = dict[str, dict[int, int]]
"""By table name: the id of each row in the database by its number in the data (or the reverse in `read_league`)."""

PARTS: Mapping[str, type[Model]] = {
    "club": ClubRow,
    "club_addresses": ClubAddressRow,
    "people": PersonRow,
    "seasons": SeasonRow,
    "nights": NightRow,
    "present": PresentRow,
    "tables": TableRow,
    "seats": SeatRow,
    "byes": ByeRow,
    "totals": TotalRow,
    "money": MoneyRow,
    "payments": PaymentRow,
    "squads": SquadRow,
    "squad_people": SquadPersonRow,
    "fixtures": FixtureRow,
    "lineups": LineupRow,
    "planned": PlannedRow,
    "answers": AnswerRow,
    "log": LeagueEventRow,
    "texts": LeagueTextRow,
}
"""The parts of a league, ordered so that each row comes after the rows it refers to.

Hands are left out, because the event logs of the games have them.
"""

SINCE: frozenset[str] = frozenset(
    (
        "payments",
        "totals",
        "planned",
        "answers",
        "club",
        "club_addresses",
        "squads",
        "squad_people",
        "fixtures",
        "lineups",
    )
)
"""Parts that older files lack."""

KEPT_BACK = frozenset(("account_id",))
"""Columns that mean nothing in another database. They are not exported, and empty after an import."""

UNSHOWN = frozenset(("Cc", "Cs"))
"""Unicode categories of control characters and surrogates."""
NO_XML = "\ufffe\uffff"

POINTED_TO = frozenset(
    key.column.table.name
    for model in PARTS.values()
    for column in model.__table__.columns
    for key in column.foreign_keys
)
"""Tables that other rows refer to. Only their new ids are read back, because that is slow."""


class RowError(Exception):
    """The archive has a row whose data don't fit its database table."""


def read_league(
    session: Session, league: int, games: Mapping[int, int]
) -> tuple[Row, dict[str, list[Row]], Mapping[int, int]]:
    """Return the row of a league (id), all its parts, and the numbers of its people by id.

    Rows are numbered from 1. `games` has the numbers of the games by id.
    """
    numbers: Ids = {"league": {league: 1}, "game": dict(games)}
    head = _dump([session.get_one(LeagueRow, league)], LeagueRow.__table__, numbers)[0]
    parts: dict[str, list[Row]] = {}
    scope = scope_of(league)
    for name, model in PARTS.items():
        rows = session.scalars(select(model).where(scope[name]).order_by(_id(model))).all()
        numbers[model.__tablename__] = {row.id: number for number, row in enumerate(rows, start=1)}  # type: ignore[attr-defined]
        parts[name] = _dump(rows, model.__table__, numbers)
    return head, parts, numbers["person"]


def write_league(
    session: Session,
    head: Mapping[str, Any],
    parts: Mapping[str, Sequence[Mapping[str, Any]]],
    games: Callable[[Mapping[int, int]], dict[int, int]],
) -> tuple[int, dict[int, int]]:
    """Save a new league, and return its id and the ids of its tables by number.

    The function `games` gets the ids of the people by number, saves the games, and returns their ids by number. Raises
    `RowError` for malformed data, and any error of the database.
    """
    ids: Ids = {}
    ids["league"] = _write(session, LeagueRow, [head], ids)
    for name, model in PARTS.items():
        if model is TableRow:
            ids["game"] = games(ids["person"])
        ids[model.__tablename__] = _write(session, model, parts[name], ids)
    return ids["league"][head["id"]], ids["league_table"]


def _write(session: Session, model: type[Model], told: Sequence[Mapping[str, Any]], ids: Ids) -> dict[int, int]:
    table = model.__table__
    assert isinstance(table, Table)
    columns = [column for column in table.columns if column.name not in KEPT_BACK]
    own = [column.name for column in columns if any(key.column.table is table for key in column.foreign_keys)]
    rows = [{column.name: _value(column, row, ids) for column in columns if column.name not in own} for row in told]
    numbers = [row.pop("id") for row in rows]
    if len(set(numbers)) != len(numbers):
        raise RowError(table.name)
    if not rows:
        return {}
    if table.name not in POINTED_TO:
        session.execute(insert(table), rows)
        return {}
    made = session.scalars(insert(table).returning(table.c.id, sort_by_parameter_order=True), rows)
    ids = {**ids, table.name: dict(zip(numbers, made, strict=True))}
    # References within the same table are set once all its rows are there.
    for name in own:
        for row in told:
            if row[name] is not None:
                there, to = (_looked_up(ids, table.name, row[key]) for key in ("id", name))
                session.execute(update(table).where(table.c.id == there).values({name: to}))
    return ids[table.name]


def _dump(rows: Iterable[Model], table: Any, numbers: Ids) -> list[Row]:
    """Return rows as plain data."""
    assert isinstance(table, Table)
    told = []
    for row in rows:
        data: Row = {}
        for column in table.columns:
            if column.name in KEPT_BACK:
                continue
            value = getattr(row, column.name)
            target = _target(column)
            if value is None:
                data[column.name] = None
            elif target:
                data[column.name] = numbers[target][value]
            else:
                data[column.name] = value.isoformat() if isinstance(value, date) else value
        told.append(data)
    return told


def _value(column: Column[Any], row: Mapping[str, Any], ids: Ids) -> Any:
    """Return the checked value of a column. Raises `RowError`."""
    value = row.get(column.name)
    if value is None:
        if not column.nullable:
            raise RowError(f"{column.table.name}.{column.name}")
        return None
    target = _target(column)
    if target and not column.primary_key:
        return _looked_up(ids, target, value)
    kind = _kind(column)
    try:
        if kind in (date, datetime):
            value = kind.fromisoformat(value)
        if kind is datetime:
            if value.tzinfo is None:
                raise RowError(f"{column.table.name}.{column.name}")
            value = value.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        raise RowError(f"{column.table.name}.{column.name}") from None
    if kind is not None and type(value) is not kind:
        raise RowError(f"{column.table.name}.{column.name}")
    if isinstance(column.type, String) and (len(value) > (column.type.length or 0) or not _is_text(column, value)):
        raise RowError(f"{column.table.name}.{column.name}")
    return value


def _is_text(column: Column[Any], text: str) -> bool:
    """Return whether pages, XML and calendars can show a text: it has no control characters, and is of one line.

    Only notes on people may have several lines. Invisible characters that join letters or emoji are allowed.
    """
    if column is PersonRow.__table__.c.notes:
        text = text.replace("\n", " ")
    return text.isprintable() or not any(unicodedata.category(char) in UNSHOWN or char in NO_XML for char in text)


def _kind(column: Column[Any]) -> Any:
    """Return the Python type of a column, None for JSON."""
    if isinstance(column.type, UTCDateTime):
        return datetime
    return None if isinstance(column.type, JSON) else column.type.python_type


def _target(column: Column[Any]) -> str:
    """Return the name of the table that a column refers to, its own table for an id, else an empty string."""
    if column.primary_key:
        return str(column.table.name)
    return next((str(key.column.table.name) for key in column.foreign_keys), "")


def _looked_up(ids: Ids, table: str, number: Any) -> int:
    try:
        return ids[table][number]
    except (KeyError, TypeError):
        raise RowError(f"{table} {number}") from None


def _id(model: type[Model]) -> Any:
    return model.__table__.c.id
