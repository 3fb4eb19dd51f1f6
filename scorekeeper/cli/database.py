"""The score book, opened for one command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from flask import Flask

from scorekeeper import config
from scorekeeper.ops.boot import boot
from scorekeeper.ops.inspection import BootError
from scorekeeper.web.extensions import db


@contextmanager
def opened(instance: Path | None) -> Iterator[Flask]:
    """Open the score book, made and brought forward where it must be and no server has it open; says what is wrong."""

    def tell(words: str) -> None:
        click.echo(words, err=True)  # what the command itself prints may be read by a program

    try:
        app = boot(config.from_environment(instance=instance), alone=True, tell=tell)
    except (config.SettingsError, BootError) as error:
        raise click.ClickException(str(error)) from error
    with app.app_context():
        try:
            yield app
        finally:
            db.session.remove()
            db.engine.dispose()
