"""Fixtures for the security tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.game import start

if TYPE_CHECKING:
    from collections.abc import Callable

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
