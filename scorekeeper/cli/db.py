"""`scorekeeper db …`: Flask-Migrate's commands, on the database of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from flask.cli import ScriptInfo
from flask_migrate.cli import db as migrate_commands

from scorekeeper import config, create_app
from scorekeeper.cli.app import instance_option

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask


@click.group(commands=migrate_commands.commands)
@instance_option
@click.pass_context
def db(ctx: click.Context, instance: Path | None) -> None:
    """Look after the database: upgrade, check, current, history …"""
    try:
        settings = config.from_environment(instance=instance)
    except config.SettingsError as error:
        raise click.ClickException(str(error)) from error

    def app() -> Flask:
        try:
            return create_app(settings)
        except config.SettingsError as error:
            raise click.ClickException(str(error)) from error

    ctx.obj = ScriptInfo(create_app=app)
    # Flask-Migrate's own group does the rest: it opens the application that its commands look into.
    assert migrate_commands.callback is not None
    ctx.invoke(migrate_commands.callback, directory=None, x_arg=())
