"""The logs that only grow, and the rare moment in which one is opened for a change.

The database refuses to change or delete a line of a log. Games that are forgotten, the demo that is removed, and what
somebody wrote of a player who is made anonymous are what it must allow: for that one transaction, which no other can
look into, it is told to. SQLite and PostgreSQL both take that back with everything else should anything go wrong.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from sqlalchemy import text
from sqlalchemy.orm import Session

LOGS = frozenset(("game_event", "game_note", "league_event"))
"""Tables whose lines are neither changed nor deleted, by their names in the database."""


@contextlib.contextmanager
def opened(session: Session, log: str) -> Iterator[None]:
    """Let lines of the log `log`, one of `LOGS`, be changed and deleted until the end of the block.

    What the session has pending is written on the way out, before the log is shut again. Raises `ValueError` for what
    is no log, and `RuntimeError` outside `writing()`.
    """
    if log not in LOGS:
        raise ValueError(f"{log} is no log that only grows")
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
