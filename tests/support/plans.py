"""Record the SQL queries of a page, and find the queries for which the database would read a whole table."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from scorekeeper.db.database import Base

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine

Asked = dict[str, Any]
"""Maps an SQL statement to the parameters of its first use."""
READS = ("SELECT", "WITH", "UPDATE", "DELETE")
"""Beginnings of statements that search for rows."""


@contextmanager
def listening(engine: Engine) -> Iterator[Asked]:
    """Record each SQL statement that searches for rows while the `with` block runs.

    Yield a dictionary that maps each statement to the parameters of its first use.
    """
    asked: Asked = {}

    def hear(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        if statement.lstrip().upper().startswith(READS):
            asked.setdefault(statement, parameters[0] if many else parameters)

    event.listen(engine, "before_cursor_execute", hear)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", hear)


def only_by_index(connection: Connection) -> None:
    """Make PostgreSQL use an index on this connection wherever one can be used; do nothing on SQLite.

    By default, PostgreSQL reads a small table completely, because that is faster than using an index.
    """
    if connection.dialect.name == "postgresql":
        for way in ("seqscan", "hashjoin", "mergejoin"):
            connection.exec_driver_sql(f"SET enable_{way} = off")


def walks(connection: Connection, statement: str, parameters: Any) -> list[str]:
    """Return a description of each table or index that the database would read completely for this statement."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        found = (re.match(r"SCAN (\w+?)(?:_\d+)?( USING .*)?$", str(row[-1])) for row in rows)
        return [each[0] for each in found if each and each[1] in Base.metadata.tables]
    told = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters).scalar_one()
    plan = (json.loads(told) if isinstance(told, str) else told)[0]["Plan"]
    return list(_walks_of(plan))


def _walks_of(node: dict[str, Any]) -> Iterator[str]:
    kind = node["Node Type"]
    if kind == "Seq Scan" or (kind.startswith(("Index", "Bitmap Index")) and "Index Cond" not in node):
        yield f"{kind} {node.get('Relation Name', '')} {node.get('Index Name', '')}".strip()
    for below in node.get("Plans", ()):
        yield from _walks_of(below)
