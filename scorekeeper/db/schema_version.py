"""Of which version the tables are, and that nobody writes to those of another one.

Servers on several machines may share one PostgreSQL. A newer one migrates it at its start while an older one is open,
and what the older one would write then may be wrong for the new tables.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from alembic.script import ScriptDirectory

from scorekeeper.config import PACKAGE

if TYPE_CHECKING:
    from sqlalchemy import Connection

MIGRATING = 2021_0711
"""Number of the lock in PostgreSQL that a migration holds alone, and that all who write share."""
READ = "SELECT version_num FROM alembic_version"
READ_LOCKED = f"SELECT pg_advisory_xact_lock_shared({MIGRATING}); {READ}"


class OtherVersionError(Exception):
    """The database was brought to another version than that of this program; the message is for the log."""


@cache
def newest_revision() -> str | None:
    """Return the revision that this version of the program needs."""
    return ScriptDirectory(str(PACKAGE / "migrations")).get_current_head()


@cache
def known_revisions() -> frozenset[str]:
    """Return the revisions that this version of the program can bring forward."""
    return frozenset(script.revision for script in ScriptDirectory(str(PACKAGE / "migrations")).walk_revisions())


def refuse_other_version(connection: Connection) -> None:
    """Raise `OtherVersionError` if the tables are not those of this version; they stay so until the transaction ends.

    Called first in a transaction that writes. SQLite holds its write lock by then; PostgreSQL is asked in one go.
    """
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql(READ).scalar()
    else:
        cursor = connection.exec_driver_sql(READ_LOCKED).cursor
        cursor.nextset()
        found = (cursor.fetchone() or [None])[0]
    if found != newest_revision():
        raise OtherVersionError(
            f"The database is at {found} and this server needs {newest_revision()}: nothing is saved. Update this "
            "server and start it again."
        )
