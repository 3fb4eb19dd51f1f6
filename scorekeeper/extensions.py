"""The database, its migrations and the forms' tokens, bound to an application in `connect_extensions`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from flask_wtf import CSRFProtect
from itsdangerous import TimestampSigner
from sqlalchemy import event

from scorekeeper.config import PACKAGE
from scorekeeper.database import Base, engine_options, refuse_stray_writes, set_up_engine, writing_in

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from flask import Flask
    from sqlalchemy.orm import Session

db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})
migrate = Migrate(db=db, directory=str(PACKAGE / "migrations"), compare_server_default=True)
csrf = CSRFProtect()

if TYPE_CHECKING:
    Model = Base
else:
    Model = db.Model

event.listen(db.session, "before_flush", refuse_stray_writes)


def writing() -> AbstractContextManager[Session]:
    """Return a context that gives the request's session in a transaction that may write (`database.writing_in`)."""
    return writing_in(db.session)


def connect_extensions(app: Flask) -> None:
    """Bind the extensions to `app` and prepare its database engine."""
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = engine_options(app.config["SQLALCHEMY_DATABASE_URI"])
    db.init_app(app)
    migrate.init_app(app)
    # The tokens of forms are signed with it; what itsdangerous takes by itself is SHA-1.
    TimestampSigner.default_digest_method = staticmethod(hashlib.sha256)
    csrf.init_app(app)
    with app.app_context():
        set_up_engine(db.engine)
