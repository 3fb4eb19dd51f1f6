"""Fixtures for a table: the phone that keeps score, a game of Setback, and a phone that watches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from scorekeeper import create_app
from scorekeeper.accounts.devices import COOKIE
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.support import databases
from tests.support.game import start
from tests.support.phone import Phone

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask

    from tests.support.page import Page


@dataclass(frozen=True, slots=True)
class Started:
    """The folder of a database with one new game, the cookies of the phone that started it, and the game's path."""

    folder: Path
    cookies: dict[str, str]
    path: str


@pytest.fixture(scope="session")
def started(empty_book: Path, tmp_path_factory: pytest.TempPathFactory) -> Started:
    """Return a database with one new game of Setback, which was started through the pages.

    The database is made once per process, and the fixture `board` copies it.
    """
    folder = tmp_path_factory.mktemp("started")
    databases.copy_book(empty_book, folder)
    app = create_app(settings_in(folder))
    app.testing = True
    app.test_client_class = Phone
    phone = app.test_client()
    assert isinstance(phone, Phone)
    board = start(phone)
    kept = [phone.get_cookie(name) for name in (COOKIE, app.config["SESSION_COOKIE_NAME"])]
    cookies = {cookie.key: cookie.value for cookie in kept if cookie}
    with app.app_context():
        db.engine.dispose()
    return Started(folder, cookies, board.path)


@pytest.fixture
def board(app: Flask, client: Phone, request: pytest.FixtureRequest, tmp_path: Path) -> Page:
    """Return the board of a new game of Setback. Ann and Cid play against Bob and Dee, and Dee deals."""
    if databases.on_postgresql():
        return start(client)
    begun: Started = request.getfixturevalue("started")
    with app.app_context():
        db.engine.dispose()
    databases.copy_book(begun.folder, tmp_path)
    for name, value in begun.cookies.items():
        client.set_cookie(name, value)
    return client.see(begun.path)


@pytest.fixture
def other(new_phone: Callable[[], Phone]) -> Phone:
    """Return a phone that did not start the game."""
    return new_phone()
