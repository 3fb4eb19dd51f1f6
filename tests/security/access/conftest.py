"""A world for the tests of who gets what: made once a module, for each request finds it as it was."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from scorekeeper import create_app
from scorekeeper.accounts import sessions
from scorekeeper.config import MailServer
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
    """Yield everybody and everything; passwords take no time to check, and who is signed in stays freshly so."""
    folder = tmp_path_factory.mktemp("world")
    databases.copy_book(empty_book, folder)
    app = create_app(settings_in(folder))
    app.testing = True
    app.config |= {"SIGN_UP": True, "WEBHOOKS": True, "MAIL": MailServer("127.0.0.1", 9, "league@example.org")}
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
    """Yield an object that detects each change to the database and undoes it."""
    ground = Ground(world.app, world.app.config["INSTANCE"], tmp_path_factory.mktemp("ground") / "kept")
    yield ground
    ground.leave()
