"""Open the database for one command, and define `scorekeeper db …`, the commands of Flask-Migrate."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from flask import Flask
from flask.cli import ScriptInfo
from flask_migrate import Migrate
from flask_migrate.cli import db as migrate_commands

from scorekeeper import config, create_app
from scorekeeper.cli.app import instance_option
from scorekeeper.config import Settings
from scorekeeper.ops.boot import boot
from scorekeeper.ops.inspection import refuse_foreign_database
from scorekeeper.web.extensions import db as database


@contextmanager
def opened(instance: Path | None) -> Iterator[Flask]:
    """Open the database for the `with` block, and yield the application in its app context.

    A missing database is created. An old database is upgraded, unless a server has it open. Raises `BootError` if the
    database can't be used. The message of the error is for the person at the terminal.
    """

    def tell(words: str) -> None:
        click.echo(words, err=True)  # stdout may be read by a program

    app = boot(config.from_environment(instance=instance), alone=True, tell=tell)
    with app.app_context():
        try:
            yield app
        finally:
            database.session.remove()
            database.engine.dispose()


def _migrated(settings: Settings) -> Flask:
    app = create_app(settings)
    Migrate(app, database, directory=str(config.PACKAGE / "migrations"))
    return app


@click.group(commands={name: each for name, each in migrate_commands.commands.items() if name != "downgrade"})
@instance_option
@click.pass_context
def db(ctx: click.Context, instance: Path | None) -> None:
    """Manage the database: upgrade, check, current, history …"""
    settings = config.from_environment(instance=instance)
    if ctx.invoked_subcommand == "upgrade":
        refuse_foreign_database(settings.database_url)
    ctx.obj = ScriptInfo(create_app=lambda: _migrated(settings))
    # Flask-Migrate's group does the rest: it opens the application for its commands.
    assert migrate_commands.callback is not None
    ctx.invoke(migrate_commands.callback, directory=None, x_arg=())
