"""Choose one process to make the scheduled backups, among all those that share a PostgreSQL database.

That process holds a lock in the database. When the process ends or loses its connection, another process takes over.
The lock belongs to a transaction that stays open, not to a session, so the lock also works through PgBouncer in
transaction mode. The open transaction reads and writes nothing, so PostgreSQL can still remove old rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.db.database import connect_args
from scorekeeper.db.outages import reason_of
from scorekeeper.ops.backup.copying import BackupError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

BACKING_UP = 2021_0712
"""Id of the PostgreSQL lock for backups. It must differ from `db.schema_version.MIGRATING`."""


class Turn:
    """Decides whether this process makes the scheduled backups of the PostgreSQL database at `url`.

    Only one of the processes that share the database makes them: the one that has the turn.
    """

    def __init__(self, url: URL) -> None:
        self.url = url
        self.connection: Connection | None = None

    def is_mine(self) -> bool:
        """Return whether it is this process's turn. If no other process has the turn, this process takes it.

        Call this regularly, so that a lost connection is noticed. Raises `BackupError` if the database doesn't answer.
        """
        try:
            connection = self.connection = self.connection or self._connect()
            # In the same transaction this succeeds again each time.
            mine: bool = connection.execute(text(f"SELECT pg_try_advisory_xact_lock({BACKING_UP})")).scalar_one()
        except DBAPIError as error:
            self.give_up()
            raise BackupError(f"The database doesn't answer: {reason_of(error).rstrip('.')}.") from error
        if not mine:
            self.give_up()
        return mine

    def give_up(self) -> None:
        """Give up the turn, so that another process can take it."""
        if self.connection is not None:
            self.connection.invalidate()
            self.connection.close()
        self.connection = None

    def _connect(self) -> Connection:
        connection = engine_of(self.url).connect()
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        return connection


def holds_something(url: URL) -> bool:
    """Return whether the database at `url` contains a game or a league, or True if that can't be found out."""
    query = "SELECT EXISTS (SELECT 1 FROM game) OR EXISTS (SELECT 1 FROM league)"
    try:
        # Not the connection of a turn: its transaction would keep the tables locked against the next upgrade.
        with engine_of(url).connect() as connection:
            return bool(connection.execute(text(query)).scalar_one())
    except DBAPIError:
        return True


def engine_of(url: URL) -> Engine:
    """Return an engine without a connection pool. Each connection is new, and is closed after use."""
    return create_engine(url, poolclass=NullPool, connect_args=connect_args(url.drivername))
