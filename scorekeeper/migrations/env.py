"""Run the database migrations with Alembic. The files in `versions/` are numbered 0001, 0002 …"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from alembic import context
from alembic.script import ScriptDirectory

from scorekeeper.db.database import UTCDateTime, to_write
from scorekeeper.db.outages import MIGRATING, note_oldest_writer
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from alembic.autogenerate.api import AutogenContext
    from alembic.operations.ops import MigrationScript


def number_revision(_context: object, _revision: object, directives: list[MigrationScript]) -> None:
    """Give a new migration the next number. Alembic calls this with the migration in `directives`.

    If the tables need no migration, `directives` is emptied.
    """
    script = directives[0]
    asked_to_compare = getattr(context.config.cmd_opts, "autogenerate", False)
    if asked_to_compare and script.upgrade_ops is not None and script.upgrade_ops.is_empty():
        directives.clear()
        return
    last = ScriptDirectory.from_config(context.config).get_current_head()
    script.rev_id = f"{int(last or 0) + 1:04d}"


def render_plain(kind: str, item: Any, _autogen: AutogenContext) -> str | Literal[False]:
    """Return how to write one of our own column types in a migration, or False for anything else.

    The result is the source code of a plain SQLAlchemy type. Our own types may change later, so migrations must not
    depend on them.
    """
    if kind == "type" and isinstance(item, UTCDateTime):
        return "sa.DateTime(timezone=True)"
    return False


def migrate_offline() -> None:
    """Print the SQL statements of the migrations instead of running them."""
    url = db.engine.url.render_as_string(hide_password=False)
    context.configure(url=url, target_metadata=db.metadata, literal_binds=True, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


def migrate_online() -> None:
    """Migrate the database in one transaction, completely or not at all. The transaction holds the write lock.

    If several servers on the same PostgreSQL database start at once, each server waits for its turn to migrate. Each
    server also waits until writes in progress are finished.
    """
    with db.engine.connect() as plain:
        connection = plain.execution_options(**to_write(plain.dialect))
        context.configure(
            connection=connection,
            target_metadata=db.metadata,
            process_revision_directives=number_revision,
            render_item=render_plain,
            transactional_ddl=True,
            compare_server_default=True,
            render_as_batch=True,
        )
        with context.begin_transaction():
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
            context.run_migrations()
            revision = context.get_context().get_current_revision()
            if revision:
                note_oldest_writer(connection, revision)


if context.is_offline_mode():
    migrate_offline()
else:
    migrate_online()
