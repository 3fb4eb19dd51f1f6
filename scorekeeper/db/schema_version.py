"""Refuse writes to a database whose schema belongs to another version of the program.

Several servers may share one PostgreSQL. If a newer one migrates it while an older one is running, the older one could
write data that does not fit the new tables.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from alembic.script import ScriptDirectory

from scorekeeper.config import PACKAGE

if TYPE_CHECKING:
    from sqlalchemy import Connection

MIGRATING = 2021_0711
"""Id of the PostgreSQL lock that a migration holds alone and that all writes share."""
READ = "SELECT version_num FROM alembic_version"
READ_LOCKED = f"SELECT pg_advisory_xact_lock_shared({MIGRATING}); {READ}"


class OtherVersionError(Exception):
    """The schema belongs to another version of the program. The message is for the log."""


@cache
def newest_revision() -> str | None:
    """Return the schema revision that this version needs."""
    return ScriptDirectory(str(PACKAGE / "migrations")).get_current_head()


@cache
def known_revisions() -> frozenset[str]:
    """Return the schema revisions that this version can upgrade."""
    return frozenset(script.revision for script in ScriptDirectory(str(PACKAGE / "migrations")).walk_revisions())


def refuse_other_version(connection: Connection) -> None:
    """Raise `OtherVersionError` if the schema is not of this version. It cannot change until the transaction ends.

    Call this first in a transaction that writes. SQLite holds its write lock by then; in PostgreSQL one query locks and
    reads.
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
