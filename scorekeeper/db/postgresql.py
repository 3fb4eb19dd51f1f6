"""Set up connections to PostgreSQL. Imported only if needed, because the driver is optional."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg.types.string import StrDumper

from scorekeeper.config import LOCK_WAIT_SECONDS

if TYPE_CHECKING:
    from typing import Any

    from psycopg import Connection

NUL, STANDS_FOR_NUL = "\0", "\N{REPLACEMENT CHARACTER}"


class AnyText(StrDumper):
    """Converts text for PostgreSQL. NUL (U+0000), which PostgreSQL refuses, is replaced with U+FFFD.

    No id or code contains U+FFFD. So a search for an id with a NUL in it finds nothing.
    """

    def dump(self, obj: str) -> Any:
        """Return the text `obj` in the form in which it is sent to PostgreSQL."""
        return super().dump(obj.replace(NUL, STANDS_FOR_NUL))


STATEMENT_SECONDS = 30
"""Time limit for one SQL statement. The slowest of ours takes less than a second."""

IDLE_SECONDS = 60
"""Time limit for a transaction that does nothing; PostgreSQL then ends it and releases its locks."""


def prepare_connection(connection: Connection[Any], _record: object) -> None:
    """Set the time limits of `connection`, and make it accept any text."""
    limits = {
        "lock_timeout": LOCK_WAIT_SECONDS,
        "statement_timeout": STATEMENT_SECONDS,
        "idle_in_transaction_session_timeout": IDLE_SECONDS,
    }
    for name, seconds in limits.items():
        connection.execute("SELECT set_config(%s, %s, false)", (name, f"{seconds}s"))
    connection.commit()
    connection.adapters.register_dumper(str, AnyText)
