"""Store the data on which all servers that share one database must agree."""

from __future__ import annotations

import hashlib
import hmac

from sqlalchemy import String, select
from sqlalchemy.orm import Mapped, mapped_column

from scorekeeper.db.maintenance import await_writers
from scorekeeper.db.retry import use_case
from scorekeeper.web.extensions import Model, db, installation_key, maintenance, writing

LONGEST_SENTENCE = 200
"""Most characters of the operator's sentence for players."""


class InstallationRow(Model):
    """The data about this installation. The table has a single row."""

    __tablename__ = "installation"

    id: Mapped[int] = mapped_column(primary_key=True)
    key_check: Mapped[str] = mapped_column(String(64))
    """A hash of the secret key, empty before the first start; the key can't be found from it."""
    oldest_writer: Mapped[str] = mapped_column(String(32))
    """Schema revision of the oldest version of the program that may write to the database (`db.schema_version`)."""
    paused_because: Mapped[str | None] = mapped_column(String(LONGEST_SENTENCE))
    """The operator's sentence for players in maintenance mode, which may be empty; None if the mode is off."""


@use_case
def agree_on_key(*, anew: bool = False) -> bool:
    """Return whether this server has the same secret key as the servers that used the database before.

    If no server used the database before, a hash of this server's key is stored and the result is True. With `anew`,
    the hash is always stored and the result is True.
    """
    check = hmac.new(installation_key().encode(), b"scorekeeper installation", hashlib.sha256).hexdigest()
    with writing(in_maintenance=True) as session:
        row = session.get_one(InstallationRow, 1, with_for_update=True)
        if anew or not row.key_check:
            row.key_check = check
        return hmac.compare_digest(row.key_check, check)


def paused_because() -> str | None:
    """Return the operator's sentence for players in maintenance mode, which may be "", or None if the mode is off."""
    return db.session().scalars(select(InstallationRow.paused_because)).first()


@use_case
def turn_maintenance(*, because: str | None) -> None:
    """Turn on maintenance mode, in which nothing is saved, or turn it off if `because` is None.

    `because` is a sentence of at most `LONGEST_SENTENCE` characters for the players, or "". Each process obeys within a
    second (`db.maintenance`).
    """
    with writing(in_maintenance=True) as session:
        session.get_one(InstallationRow, 1, with_for_update=True).paused_because = because
    maintenance().forget()


@use_case
def await_others() -> None:
    """Wait until the transactions that are being saved now have ended, in all processes."""
    with writing(in_maintenance=True) as session:
        await_writers(session.connection())
