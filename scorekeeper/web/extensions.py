"""Connect an application to the database, the database migrations and the form tokens.

Store the data on which all servers that share one database must agree.

Let only one process at a time do a job, among all processes and machines that share a database.

A lease is a row with the time when it ends. So a lease ends by itself if a process is killed or a machine is lost. A
lease doesn't depend on a connection, so leases also work behind a connection pooler.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from flask import current_app
from flask_sqlalchemy import SQLAlchemy
from flask_wtf import CSRFProtect
from itsdangerous import TimestampSigner
from sqlalchemy import String, event, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Mapped, mapped_column

from scorekeeper.db.database import (
    Base,
    UTCDateTime,
    engine_options,
    refuse_stray_writes,
    set_up_engine,
    use_case,
    writing_in,
)
from scorekeeper.db.outages import Maintenance, await_writers, refuse_other_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from sqlalchemy.orm import Session


log = logging.getLogger(__name__)

db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})
csrf = CSRFProtect()

if TYPE_CHECKING:
    Model = Base
else:
    Model = db.Model

event.listen(db.session, "before_flush", refuse_stray_writes)


@contextmanager
def writing(*, in_maintenance: bool = False) -> Iterator[Session]:
    """Yield the request's database session, in a transaction that may write.

    The function `db.database.writing_in` starts the transaction, and its exceptions are passed on. Raises
    `OtherVersionError` if the database tables belong to another version of the app, and `MaintenanceError` in
    maintenance mode, unless `in_maintenance` is true.
    """
    with writing_in(db.session) as session:
        refuse_other_version(session.connection())
        if not in_maintenance:
            maintenance().refuse(session.connection())
        yield session


def maintenance() -> Maintenance:
    """Return what this process knows about maintenance mode."""
    known: Maintenance = current_app.extensions["maintenance"]
    return known


def installation_key() -> str:
    """Return the secret key of this installation. Tokens, and ids in addresses, are derived from the key."""
    return str(current_app.secret_key)


def end_session(_error: BaseException | None = None) -> None:
    """End the request's database session. Uncommitted changes are lost.

    If the connection is dead and can't roll back, the error is only logged, because the database rolls back by itself.
    """
    try:
        db.session.remove()
    except SQLAlchemyError as error:
        log.warning("A connection to the database was lost", exc_info=error)
        with suppress(SQLAlchemyError):
            db.session().invalidate()
        db.session.registry.clear()


def connect_extensions(app: Flask) -> None:
    """Connect the extensions to `app` and set up its database engine."""
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = engine_options(app.config["SQLALCHEMY_DATABASE_URI"])
    db.init_app(app)
    app.teardown_appcontext(end_session)  # before the extension's own, which would cut off a response
    app.extensions["maintenance"] = Maintenance()
    # Signs the tokens of forms; the default of itsdangerous is SHA-1.
    TimestampSigner.default_digest_method = staticmethod(hashlib.sha256)
    csrf.init_app(app)
    with app.app_context():
        app.extensions["database_file"] = set_up_engine(db.engine)


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
    publish_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When the public pages are to be published next; None if nothing has changed since they were published."""
    published_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    publish_failed: Mapped[str | None] = mapped_column(String(16))
    """What failed when the public pages were last published: `PAGES` or `SENDING`, or None if nothing failed."""


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


PAGES, SENDING = "pages", "sending"
"""What can fail when the public pages are published: making the files, or the operator's command after it."""


class Publication(NamedTuple):
    """When the public pages are to be published next and when they last were, and what failed; None if not at all."""

    due: datetime | None
    done: datetime | None
    failed: str | None

    @property
    def is_running(self) -> bool:
        """Return whether the pages are being published, or are about to be."""
        return self.due is not None and self.due <= datetime.now(UTC)


def publication() -> Publication | None:
    """Return when the public pages were and will be published as files, or None if the operator doesn't want it."""
    if not current_app.config["PUBLISH"]:
        return None
    row = InstallationRow
    return Publication(*db.session().execute(select(row.publish_at, row.published_at, row.publish_failed)).one())


def publish_soon(session: Session) -> None:
    """Have the public pages published as files once the caller's transaction is saved, if the operator wants it."""
    if current_app.config["PUBLISH"]:
        session.execute(update(InstallationRow).values(publish_at=datetime.now(UTC)))


@use_case
def note_publication(*, asked: datetime, failed: str | None, again: datetime) -> None:
    """Save what came of publishing the pages, which was `asked` for then. If something failed, try `again` later.

    If the pages have changed since then, they are published again at once.
    """
    with writing() as session:
        row = session.get_one(InstallationRow, 1, with_for_update=True)
        row.publish_failed = failed
        if failed is None:
            row.published_at = datetime.now(UTC)
        if row.publish_at == asked:
            row.publish_at = None if failed is None else again


class LeaseRow(Model):
    """The latest lease for the job `name`. No other process may do the job before the time `until`."""

    __tablename__ = "lease"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    until: Mapped[datetime] = mapped_column(UTCDateTime)


@use_case
def take(*, name: str, lasts: timedelta, now: datetime | None = None) -> bool:
    """Try to get the lease for the job `name`. Return whether this process got the lease and may do the job.

    If this process got the lease, no other process may do the job until the time `lasts` has passed.
    """
    moment = now or datetime.now(UTC)
    with writing() as session:
        row = session.get(LeaseRow, name, with_for_update=True)
        if row is None:
            session.add(LeaseRow(name=name, until=moment + lasts))
            return True
        if row.until > moment:
            return False
        row.until = moment + lasts
        return True


@use_case
def give_back(*, name: str, now: datetime | None = None) -> None:
    """End this process's lease for the job `name`, so that another process may do the job right away."""
    with writing(in_maintenance=True) as session:
        row = session.get(LeaseRow, name, with_for_update=True)
        if row is not None:
            row.until = now or datetime.now(UTC)
