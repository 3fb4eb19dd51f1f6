"""Refuse writes to a database whose schema belongs to another version of the program.

Several servers may share one PostgreSQL database. If a newer server migrates it while an older one is running, the
older one could write data that doesn't fit the new tables, so its writes are refused. The exception is a migration with
`EXPANDS = True`, which only adds tables, and columns that may be left out when a row is written. After it, older
servers may keep writing until they are updated, one machine after another.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from alembic.script import ScriptDirectory
from sqlalchemy import text

from scorekeeper.config import PACKAGE

if TYPE_CHECKING:
    from sqlalchemy import Connection

MIGRATING = 2021_0711
"""Id of the PostgreSQL lock that a migration holds alone and that all writes share."""
READ = "SELECT version_num FROM alembic_version"
OLDEST_WRITER = "SELECT oldest_writer FROM installation"
READ_LOCKED = f"SELECT pg_advisory_xact_lock_shared({MIGRATING}); {READ}"


class OtherVersionError(Exception):
    """The schema belongs to another version of the program. The message is for the log."""


@cache
def newest_revision() -> str | None:
    """Return the schema revision that this version of the program needs."""
    return ScriptDirectory(str(PACKAGE / "migrations")).get_current_head()


@cache
def known_revisions() -> frozenset[str]:
    """Return the schema revisions that this version of the program can upgrade."""
    return frozenset(script.revision for script in ScriptDirectory(str(PACKAGE / "migrations")).walk_revisions())


def oldest_writer(revision: str) -> str:
    """Return the revision of the oldest program version that can still write to a database at `revision`.

    Migrations marked with `EXPANDS` only add to the schema, so program versions from before such a migration can still
    write.
    """
    scripts = ScriptDirectory(str(PACKAGE / "migrations"))
    script = scripts.get_revision(revision)
    while getattr(script.module, "EXPANDS", False):
        below = script.down_revision
        assert isinstance(below, str), f"{script.revision} expands nothing"
        script = scripts.get_revision(below)
    return script.revision


def note_oldest_writer(connection: Connection, revision: str) -> None:
    """Save the `oldest_writer` of `revision` in the database, in the current transaction of `connection`.

    Call this when the schema was just migrated to `revision`.
    """
    connection.execute(text("UPDATE installation SET oldest_writer = :oldest"), {"oldest": oldest_writer(revision)})


def fits(connection: Connection, found: str | None) -> bool:
    """Return whether this version of the program may write to a database whose schema is at the revision `found`.

    `found` is None if the database has no revision. Then the result is False.
    """
    ours = newest_revision() or ""
    if found == ours:
        return True
    if found is None or found < ours:
        return False
    return ours >= str(connection.exec_driver_sql(OLDEST_WRITER).scalar())


def refuse_other_version(connection: Connection) -> None:
    """Raise `OtherVersionError` if this program may not write to the schema of the database.

    Call this first in each transaction that writes. From then on, the schema can't change until the transaction ends.
    In SQLite, the transaction holds the write lock already. In PostgreSQL, one query both locks and reads the revision.
    """
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql(READ).scalar()
    else:
        cursor = connection.exec_driver_sql(READ_LOCKED).cursor
        cursor.nextset()
        found = (cursor.fetchone() or [None])[0]
    if not fits(connection, found):
        raise OtherVersionError(
            f"The database is at {found} and this server needs {newest_revision()}: nothing is saved. Update this "
            "server and start it again."
        )
