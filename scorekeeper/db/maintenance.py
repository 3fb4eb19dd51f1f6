"""Refuse all writes while the operator has turned on maintenance mode, for example to move to another machine."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorekeeper.config import OperatorError
from scorekeeper.db.schema_version import MIGRATING

if TYPE_CHECKING:
    from sqlalchemy import Connection

READ = "SELECT paused_because FROM installation WHERE id = 1"
SECONDS_REMEMBERED = 1.0
"""How long a process may use what it read, so that saving a hand doesn't take another query."""


class MaintenanceError(OperatorError):
    """Maintenance mode is on, so nothing is saved. The message is for the person at the terminal."""

    def __init__(self, because: str) -> None:
        """Store `because`, the operator's sentence for players, which may be ""."""
        super().__init__("Saving is paused. Resume it with “scorekeeper maintenance off”.")
        self.because = because


@dataclass(slots=True)
class Maintenance:
    """What a process knows about maintenance mode."""

    read_at: float = float("-inf")
    because: str | None = None
    """The operator's sentence for players, which may be ""; None if maintenance mode is off."""

    def refuse(self, connection: Connection) -> None:
        """Raise `MaintenanceError` if maintenance mode is on.

        Call this in a transaction that writes, when it has its locks (`schema_version.refuse_other_version`). What was
        read less than `SECONDS_REMEMBERED` ago counts.
        """
        now = time.monotonic()
        if now - self.read_at >= SECONDS_REMEMBERED:
            self.because = connection.exec_driver_sql(READ).scalar()
            self.read_at = now
        if self.because is not None:
            raise MaintenanceError(self.because)

    def forget(self) -> None:
        """Read the database again for the next write, because maintenance mode was just turned on or off."""
        self.read_at = float("-inf")


def await_writers(connection: Connection) -> None:
    """Wait until all transactions that are writing now have ended.

    `connection` must be in a transaction that may write. In SQLite, such a transaction begins only when no other is
    writing, so there is nothing to wait for.
    """
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
