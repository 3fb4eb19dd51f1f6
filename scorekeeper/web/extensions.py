"""Connect an application to the database, the database migrations and the form tokens."""

from __future__ import annotations

import hashlib
import logging
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from flask import current_app
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from flask_wtf import CSRFProtect
from itsdangerous import TimestampSigner
from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError

from scorekeeper.config import PACKAGE
from scorekeeper.db.database import Base, engine_options, refuse_stray_writes, set_up_engine, writing_in
from scorekeeper.db.maintenance import Maintenance
from scorekeeper.db.schema_version import refuse_other_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from sqlalchemy.orm import Session

log = logging.getLogger(__name__)

db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})
migrate = Migrate(db=db, directory=str(PACKAGE / "migrations"), compare_server_default=True)
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
    migrate.init_app(app)
    # Signs the tokens of forms; the default of itsdangerous is SHA-1.
    TimestampSigner.default_digest_method = staticmethod(hashlib.sha256)
    csrf.init_app(app)
    with app.app_context():
        app.extensions["database_file"] = set_up_engine(db.engine)
