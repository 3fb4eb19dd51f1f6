"""Convert the rows of a league to plain data, with numbers instead of ids, and back.

Build the archive of a new league, part by part.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import JSON, Column, ColumnElement, String, Table, insert, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import UTCDateTime
from scorekeeper.games.store.game_export import Whole
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
"""Maps the name of each table to a dict from the numbers of its rows in the data to their ids in the database.

In `read_league`, each dict maps ids to numbers instead.
"""

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
"""Maps the name of each part of a league to its model, ordered so that each row comes after the rows it refers to.

Hands are left out, because the event logs of the games have them.
"""

KEPT_BACK = frozenset(("account_id", "off_because"))
"""Names of columns that are meaningless in another database. They aren't exported, and an import leaves them empty."""

UNSHOWN = frozenset(("Cc", "Cs"))
"""Unicode categories of characters that pages can't show: control characters and surrogates."""
NO_XML = "\ufffe\uffff"

POINTED_TO = frozenset(
    key.column.table.name
    for model in PARTS.values()
    for column in model.__table__.columns
    for key in column.foreign_keys
)
"""Names of tables that other rows refer to. The ids of new rows are read back only from these, because it is slow."""


class RowError(Exception):
    """A row of the archive has data that its database table doesn't allow."""


def read_league(
    session: Session, league: int, games: Mapping[int, int]
) -> tuple[Row, dict[str, list[Row]], Mapping[int, int]]:
    """Read a league as plain data, with numbers instead of ids. The rows of each part are numbered from 1.

    `league` is the id of the league. `games` has the number of each game by id. Return the row of the league, its other
    rows by part, and the number of each person by id.
    """
    numbers: Ids = {"league": {league: 1}, "game": dict(games)}
    head = head_of(session, league)
    return head, read_parts(session, scope_of(league), numbers), numbers["person"]


def head_of(session: Session, league: int) -> Row:
    """Return the row of a league as plain data, with the number 1 in place of the league's id."""
    return _dump([session.get_one(LeagueRow, league)], LeagueRow.__table__, {"league": {league: 1}})[0]


def read_parts(
    session: Session, scope: Mapping[str, ColumnElement[bool]], numbers: Ids, left_out: frozenset[str] = frozenset()
) -> dict[str, list[Row]]:
    """Return the rows of each part in `scope` as plain data, numbered from 1.

    `scope` has the condition that selects the rows of each part. `numbers` maps the name of a table to a dict from row
    id to number. This function adds the numbers of the returned rows to `numbers`. If these rows refer to rows outside
    `scope`, `numbers` must already have the numbers of those rows, except for the tables named in `left_out`. A
    reference to a row of such a table becomes None if the row has no number.
    """
    parts: dict[str, list[Row]] = {}
    for name, model in PARTS.items():
        if name in scope:
            rows = session.scalars(select(model).where(scope[name]).order_by(_id(model))).all()
            known = {row.id: number for number, row in enumerate(rows, start=1)}  # type: ignore[attr-defined]
            numbers[model.__tablename__] = known
            parts[name] = _dump(rows, model.__table__, numbers, left_out)
    return parts


def values_of(model: type[Model], row: Mapping[str, Any], ids: Ids) -> Row:
    """Check a row of an archive, and return its values by column.

    The row's number and the columns that aren't exported are left out. In a reference to another row, the number is
    replaced by the id from `ids`. Raises `RowError` for a value that doesn't fit its column.
    """
    table = model.__table__
    assert isinstance(table, Table)
    return {
        column.name: _value(column, row, ids)
        for column in table.columns
        if column.name not in KEPT_BACK and not column.primary_key
    }


def write_league(
    session: Session,
    head: Mapping[str, Any],
    parts: Mapping[str, Sequence[Mapping[str, Any]]],
    games: Callable[[Mapping[int, int]], dict[int, int]],
) -> tuple[int, dict[int, int]]:
    """Save a new league from an archive, and return its id and the ids of its card tables by number in the archive.

    `head` is the row of the league, and `parts` has its other rows. `games` is a function that saves the games. The
    function is called with the ids of the people by number, and must return the ids of the games by number. Raises
    `RowError` for malformed data. Database errors aren't caught.
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


def _dump(rows: Iterable[Model], table: Any, numbers: Ids, left_out: frozenset[str] = frozenset()) -> list[Row]:
    """Return rows of `table` as plain data. Each id is replaced by its number in the file, from `numbers`.

    A reference to a table in `left_out` becomes None if `numbers` has no number for the id.
    """
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
            elif target in left_out:
                data[column.name] = numbers[target].get(value)
            elif target:
                data[column.name] = numbers[target][value]
            else:
                data[column.name] = value.isoformat() if isinstance(value, date) else value
        told.append(data)
    return told


def _value(column: Column[Any], row: Mapping[str, Any], ids: Ids) -> Any:
    """Check one value in a row of the archive, and return it for the database.

    In a reference to another row, the number is replaced by the id from `ids`. Raises `RowError` for a value that
    doesn't fit the column.
    """
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
    """Return whether `text` is safe to show on pages, in XML and in calendars.

    Safe text is one line without control characters. Only the notes on a person may have several lines. Invisible
    characters that join letters or emoji are allowed.
    """
    if column is PersonRow.__table__.c.notes:
        text = text.replace("\n", " ")
    return text.isprintable() or not any(unicodedata.category(char) in UNSHOWN or char in NO_XML for char in text)


def _kind(column: Column[Any]) -> Any:
    """Return the Python type of a column, or None for JSON."""
    if isinstance(column.type, UTCDateTime):
        return datetime
    return None if isinstance(column.type, JSON) else column.type.python_type


def _target(column: Column[Any]) -> str:
    """Return the name of the table to which a column refers, or an empty string if it refers to none.

    A primary key counts as referring to its own table.
    """
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


@dataclass(kw_only=True)
class Making:
    """An archive while it is being built. `device` is the hash of the phone that is logged as its author."""

    device: str
    parts: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in PARTS})
    games: dict[int, Whole] = field(default_factory=dict)

    def add(self, part: str, **columns: Any) -> Row:
        """Add a row to a part of the archive, and return it.

        The row's id is the next number in that part, counted from 1.
        """
        row = {"id": len(self.parts[part]) + 1, **columns}
        self.parts[part].append(row)
        return row

    def note(self, kind: str, at: datetime, night: Row | None = None, **data: Any) -> None:
        """Add a line to the league's log. `kind` says what happened, and `data` has the details.

        If `night` is given, the line is about that night, and the version of the night goes up by 1.
        """
        if night is not None:
            night["version"] += 1
        self.add(
            "log",
            league_id=1,
            night_id=None if night is None else night["id"],
            at=at.isoformat(),
            device=self.device,
            kind=kind,
            data=data,
            request_key=None,
        )
