"""Fixtures for the security tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.web import rate_limit
from tests.support.game import start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask

    from scorekeeper.web.rate_limit import Limiter
    from tests.support.page import Page
    from tests.support.phone import Phone


@pytest.fixture
def board(client: Phone) -> Page:
    """Return the page on which a new game is scored (its board)."""
    return start(client)


@pytest.fixture
def other(new_phone: Callable[[], Phone]) -> Phone:
    """Return a phone that didn't start the game of the fixture `board`."""
    return new_phone()


@pytest.fixture
def limiter(app: Flask) -> Iterator[Limiter]:
    """Turn the rate limits on in `app`, as they are by default outside of tests, and yield the limiter."""
    app.config["LIMITS"] = True
    rate_limit.connect(app)
    counter: Limiter = app.extensions["limiter"]
    yield counter
    counter.storage.engine.dispose()
