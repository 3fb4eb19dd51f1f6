"""Connect Alembic to the database. Revisions in `versions/` are numbered 0001, 0002 …"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from alembic import context
from alembic.script import ScriptDirectory
from flask import current_app

from scorekeeper.db.database import UTCDateTime, to_write
from scorekeeper.db.schema_version import MIGRATING
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from alembic.autogenerate.api import AutogenContext
    from alembic.operations.ops import MigrationScript


def number_revision(_context: object, _revision: object, directives: list[MigrationScript]) -> None:
    """Number a new revision, or create none if nothing changed."""
    script = directives[0]
    asked_to_compare = getattr(context.config.cmd_opts, "autogenerate", False)
    if asked_to_compare and script.upgrade_ops is not None and script.upgrade_ops.is_empty():
        directives.clear()
        return
    last = ScriptDirectory.from_config(context.config).get_current_head()
    script.rev_id = f"{int(last or 0) + 1:04d}"


def render_plain(kind: str, item: Any, _autogen: AutogenContext) -> str | Literal[False]:
    """Render our column types as plain SQLAlchemy types, because a migration must not depend on our code."""
    if kind == "type" and isinstance(item, UTCDateTime):
        return "sa.DateTime(timezone=True)"
    return False


def migrate_offline() -> None:
    """Print the SQL statements instead of running them."""
    url = db.engine.url.render_as_string(hide_password=False)
    context.configure(url=url, target_metadata=db.metadata, literal_binds=True, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


def migrate_online() -> None:
    """Migrate the database completely or not at all, in one transaction that holds the write lock.

    Servers that start at once on one PostgreSQL wait for each other and for running writes.
    """
    options: dict[str, Any] = dict(current_app.extensions["migrate"].configure_args)
    with db.engine.connect() as plain:
        connection = plain.execution_options(**to_write(plain.dialect))
        context.configure(
            connection=connection,
            target_metadata=db.metadata,
            process_revision_directives=number_revision,
            render_item=render_plain,
            transactional_ddl=True,
            **options,
        )
        with context.begin_transaction():
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
            context.run_migrations()


if context.is_offline_mode():
    migrate_offline()
else:
    migrate_online()
