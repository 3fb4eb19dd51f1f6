"""The rows of a league as plain data, and back: what points to another row is remapped, nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import JSON, Column, String, Table, insert, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import UTCDateTime
from scorekeeper.leagues.core.models import (
    ByeRow,
    LeagueEventRow,
    LeagueRow,
    LeagueTextRow,
    MoneyRow,
    NightRow,
    PersonRow,
    PresentRow,
    SeasonRow,
    SeatRow,
    TableRow,
    scope_of,
)
from scorekeeper.web.extensions import Model

Row = dict[str, Any]
Ids = dict[str, dict[int, int]]
"""By name of a table in the database: the number of a row in the data to its id."""

PARTS: Mapping[str, type[Model]] = {
    "people": PersonRow,
    "seasons": SeasonRow,
    "nights": NightRow,
    "present": PresentRow,
    "tables": TableRow,
    "seats": SeatRow,
    "byes": ByeRow,
    "money": MoneyRow,
    "log": LeagueEventRow,
    "texts": LeagueTextRow,
}
"""What a league is made of, in an order in which each row comes after those that it points to.

The hands of its tables are not among it: the logs of the games tell them.
"""

KEPT_BACK = frozenset(("account_id",))
"""Columns that mean nothing in another score book: they are in no data, and empty in what was brought in."""

POINTED_TO = frozenset(
    key.column.table.name
    for model in PARTS.values()
    for column in model.__table__.columns
    for key in column.foreign_keys
)
"""Tables whose rows others point to: asking for the ids of rows takes longer than writing them."""


class RowError(Exception):
    """Plain data that is no row of ours."""


def read_league(
    session: Session, league: int, games: Mapping[int, int]
) -> tuple[Row, dict[str, list[Row]], Mapping[int, int]]:
    """Return the row of a league, all its parts, and the numbers of its people by id.

    Rows are numbered from 1; `games` numbers those of its tables.
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
    """Write a league that is not there yet; return its id, and the id of each table by its number.

    `games` is given the ids of its people by number, writes its games and returns their ids in the same way.
    Raises `RowError` for data that `read_league` never made, and what the database raises.
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
    # Rows that point to others of their kind can do so only once these are there.
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
    """Return what a column holds, read and looked at; raises `RowError`."""
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
    if isinstance(column.type, String) and len(value) > (column.type.length or 0):
        raise RowError(f"{column.table.name}.{column.name}")
    return value


def _kind(column: Column[Any]) -> Any:
    """The Python type of a column, None for one that holds any JSON."""
    if isinstance(column.type, UTCDateTime):
        return datetime
    return None if isinstance(column.type, JSON) else column.type.python_type


def _target(column: Column[Any]) -> str:
    """The table that a column points to; a row points to itself by its id."""
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
