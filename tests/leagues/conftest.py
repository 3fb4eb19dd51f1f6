"""Fixtures for tests of leagues: quick password checks, and a league without nights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.league import make_hall
from tests.support.quick_passwords import quick_passwords

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from tests.support.league import Hall
    from tests.support.phone import Phone


@pytest.fixture(autouse=True)
def quick_checks() -> Iterator[None]:
    """Make password checks quick."""
    with quick_passwords():
        yield


@pytest.fixture
def open_sign_up(app: Flask) -> None:
    """Allow anybody to create an account."""
    app.config["SIGN_UP"] = True


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league with four people and a season."""
    return make_hall(app, client)
