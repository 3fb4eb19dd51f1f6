"""Allow changes to an append-only log, inside one transaction.

Triggers in the database refuse to change or delete lines of a log. The exceptions are deleting games, removing the
demo, and removing the name of an anonymous player from typed texts. The triggers are off only inside that transaction,
and a rollback restores them, in SQLite and PostgreSQL.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from sqlalchemy import text
from sqlalchemy.orm import Session

LOGS = frozenset(("game_event", "game_note", "league_event"))
"""Names of the append-only tables."""


@contextlib.contextmanager
def opened(session: Session, log: str) -> Iterator[None]:
    """Allow changing and deleting rows of the table `log`, one of `LOGS`, inside the `with` block.

    The session is flushed at the end of the block. Raises `ValueError` if `log` is not an append-only log, and
    `RuntimeError` outside `writing()`.
    """
    if log not in LOGS:
        raise ValueError(f"{log} is not an append-only log")
    if not session.info.get("writing"):
        raise RuntimeError("a log was opened outside writing()")
    connection = session.connection()
    if connection.dialect.name == "sqlite":
        made = connection.execute(
            text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = :log"), {"log": log}
        ).all()
        for name, _sql in made:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        yield
        session.flush()
        for _name, sql in made:
            connection.exec_driver_sql(sql)
    else:
        connection.exec_driver_sql(f"ALTER TABLE {log} DISABLE TRIGGER USER")
        yield
        session.flush()
        connection.exec_driver_sql(f"ALTER TABLE {log} ENABLE TRIGGER USER")
