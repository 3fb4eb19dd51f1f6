"""The score book, opened for one command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from flask import Flask

from scorekeeper import config
from scorekeeper.extensions import db
from scorekeeper.serve.boot import boot
from scorekeeper.serve.inspection import BootError


@contextmanager
def opened(instance: Path | None) -> Iterator[Flask]:
    """Open the score book, made and brought forward where it must be; says what is wrong with it."""
    try:
        app = boot(config.from_environment(instance=instance))
    except (config.SettingsError, BootError) as error:
        raise click.ClickException(str(error)) from error
    with app.app_context():
        try:
            yield app
        finally:
            db.session.remove()
            db.engine.dispose()
