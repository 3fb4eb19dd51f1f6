"""What every test may ask for: a score book of its own, and a phone that looks closely at each page."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from jinja2 import FileSystemBytecodeCache

from scorekeeper import create_app
from scorekeeper.config import Settings
from scorekeeper.extensions import db
from scorekeeper.serve.boot import boot
from tests.phone import Phone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask


def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes run the tests: one more than there are cores, for those with a browser mostly wait."""
    return (os.cpu_count() or 1) + 1


def settings_in(folder: Path) -> Settings:
    """Return settings for a score book in `folder`."""
    return Settings(
        instance=folder,
        database_url=f"sqlite:///{folder / 'scorekeeper.db'}",
        secret_key="0123456789abcdef0123456789abcdef",
    )


@pytest.fixture(scope="session")
def empty_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a score book that was migrated and never used; copy its `scorekeeper.db`."""
    folder = tmp_path_factory.mktemp("empty")
    boot(settings_in(folder))
    return folder


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> FileSystemBytecodeCache:
    """Return a cache that spares each test's application the compiling of its templates."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture
def app(empty_book: Path, tmp_path: Path, compiled_templates: FileSystemBytecodeCache) -> Iterator[Flask]:
    """Yield an application with an empty score book of its own in `tmp_path`."""
    shutil.copy(empty_book / "scorekeeper.db", tmp_path)
    app = create_app(settings_in(tmp_path))
    app.testing = True
    app.test_client_class = Phone
    app.jinja_env.bytecode_cache = compiled_templates
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def new_phone(app: Flask) -> Callable[[], Phone]:
    """Return a function that gives another phone, which shares nothing with the others."""

    def new() -> Phone:
        phone = app.test_client()
        assert isinstance(phone, Phone)
        return phone

    return new


@pytest.fixture
def client(new_phone: Callable[[], Phone]) -> Phone:
    """Return a phone."""
    return new_phone()
