"""What a connection to PostgreSQL is told when it is made. Imported only then: the driver is an extra."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg.types.string import StrDumper

from scorekeeper.config import LOCK_WAIT_SECONDS

if TYPE_CHECKING:
    from typing import Any

    from psycopg import Connection

NUL, STANDS_FOR_NUL = "\0", "\N{REPLACEMENT CHARACTER}"


class AnyText(StrDumper):
    """Sends a text to PostgreSQL, which knows no character 0: whoever puts one in an address finds nothing there."""

    def dump(self, obj: str) -> Any:
        """Return the text as it is sent."""
        return super().dump(obj.replace(NUL, STANDS_FOR_NUL))


STATEMENT_SECONDS = 30
"""How long PostgreSQL works at one statement; the longest of ours takes well under a second."""

IDLE_SECONDS = 60
"""How long PostgreSQL keeps the locks of a process that began a transaction and was not heard of since."""


def prepare_connection(connection: Connection[Any], _record: object) -> None:
    """Let every wait of `connection` end, and every text be sent."""
    limits = {
        "lock_timeout": LOCK_WAIT_SECONDS,
        "statement_timeout": STATEMENT_SECONDS,
        "idle_in_transaction_session_timeout": IDLE_SECONDS,
    }
    for name, seconds in limits.items():
        connection.execute("SELECT set_config(%s, %s, false)", (name, f"{seconds}s"))
    connection.commit()
    connection.adapters.register_dumper(str, AnyText)
