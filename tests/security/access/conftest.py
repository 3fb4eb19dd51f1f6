"""Fixtures for the tests of access rights: a database made once per module and restored after each request."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from scorekeeper import create_app
from scorekeeper.accounts import sessions
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.security.access.ground import Ground
from tests.security.access.world import World, make_world
from tests.support import databases
from tests.support.quick_passwords import quick_passwords

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jinja2 import FileSystemBytecodeCache


@pytest.fixture(scope="module")
def world(
    empty_book: Path, tmp_path_factory: pytest.TempPathFactory, compiled_templates: FileSystemBytecodeCache
) -> Iterator[World]:
    """Yield a `World` with a person for each role, whose passwords are quick to check.

    For a day after signing in, people may change their account without signing in again. These tests take longer than
    the usual 15 minutes.
    """
    folder = tmp_path_factory.mktemp("world")
    databases.copy_book(empty_book, folder)
    app = create_app(settings_in(folder))
    app.testing = True
    app.config["SIGN_UP"] = True
    app.jinja_env.bytecode_cache = compiled_templates
    with quick_passwords(), pytest.MonkeyPatch.context() as patch:
        # A slow machine asks for longer than the quarter of an hour in which an account may be changed.
        patch.setattr(sessions, "FRESH", timedelta(days=1))
        yield make_world(app)
    with app.app_context():
        db.engine.dispose()
    databases.drop_book(folder)


@pytest.fixture(scope="module")
def ground(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    """Yield a `Ground`, which finds each change to the database of `world` and can restore the original state."""
    ground = Ground(world.app, world.app.config["INSTANCE"], tmp_path_factory.mktemp("ground") / "kept")
    yield ground
    ground.leave()
