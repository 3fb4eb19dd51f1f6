"""Fixtures for tests of leagues: quick password checks, and a league without nights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper import create_app
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.support import databases
from tests.support.league import make_hall
from tests.support.phone import Phone
from tests.support.quick_passwords import quick_passwords

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from tests.support.league import Hall


@pytest.fixture(autouse=True)
def quick_checks() -> Iterator[None]:
    """Make password checks fast in every test."""
    with quick_passwords():
        yield


@pytest.fixture
def open_sign_up(app: Flask) -> None:
    """Turn on sign-up, so that anybody can create an account."""
    app.config["SIGN_UP"] = True


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league with four people and a season."""
    return make_hall(app, client)


@pytest.fixture
def elsewhere(app: Flask, empty_book: Path, tmp_path: Path) -> Iterator[Flask]:
    """Yield a second app that has a separate, empty database."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    databases.copy_book(empty_book, folder)
    other = create_app(settings_in(folder))
    other.testing = True
    other.test_client_class = Phone
    yield other
    with other.app_context():
        db.engine.dispose()
    databases.drop_book(folder)
