"""Each round of a fuzz test gets a new database, so that no database gets slow."""

from __future__ import annotations

import itertools
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from scorekeeper import create_app
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.support import databases
from tests.support.phone import Phone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from flask import Flask
    from jinja2 import FileSystemBytecodeCache

    NewBook = Callable[[], AbstractContextManager[Flask]]


@pytest.fixture
def new_book(empty_book: Path, tmp_path: Path, compiled_templates: FileSystemBytecodeCache) -> NewBook:
    """Return a function that opens an app with an empty database for the duration of a `with` block.

    The database is deleted at the end of the block.
    """
    numbers = itertools.count()

    @contextmanager
    def opened() -> Iterator[Flask]:
        folder = tmp_path / f"book-{next(numbers)}"
        folder.mkdir()
        databases.copy_book(empty_book, folder)
        app = create_app(settings_in(folder))
        app.testing = True
        app.test_client_class = Phone
        app.jinja_env.bytecode_cache = compiled_templates
        try:
            yield app
        finally:
            with app.app_context():
                db.session.remove()
                db.engine.dispose()
            databases.drop_book(folder)
            shutil.rmtree(folder)

    return opened
