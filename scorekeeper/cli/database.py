"""The score book, opened for one command; and `scorekeeper db …`: Flask-Migrate's commands on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from flask import Flask
from flask.cli import ScriptInfo
from flask_migrate.cli import db as migrate_commands

from scorekeeper import config, create_app
from scorekeeper.cli.app import instance_option
from scorekeeper.ops.boot import boot
from scorekeeper.web.extensions import db as database


@contextmanager
def opened(instance: Path | None) -> Iterator[Flask]:
    """Open the score book, made and brought forward where it must be and no server has it open; says what is wrong."""

    def tell(words: str) -> None:
        click.echo(words, err=True)  # what the command itself prints may be read by a program

    app = boot(config.from_environment(instance=instance), alone=True, tell=tell)
    with app.app_context():
        try:
            yield app
        finally:
            database.session.remove()
            database.engine.dispose()


@click.group(commands=migrate_commands.commands)
@instance_option
@click.pass_context
def db(ctx: click.Context, instance: Path | None) -> None:
    """Look after the database: upgrade, check, current, history …"""
    settings = config.from_environment(instance=instance)
    ctx.obj = ScriptInfo(create_app=lambda: create_app(settings))
    # Flask-Migrate's own group does the rest: it opens the application that its commands look into.
    assert migrate_commands.callback is not None
    ctx.invoke(migrate_commands.callback, directory=None, x_arg=())
