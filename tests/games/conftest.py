"""A table: the phone that keeps score, a game of Setback on it, and a phone that watches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.games.play import start

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.page import Page
    from tests.phone import Phone


@pytest.fixture
def board(client: Phone) -> Page:
    """Return the board of a fresh game of Setback: Ann and Cid against Bob and Dee, Dee deals."""
    return start(client)


@pytest.fixture
def other(new_phone: Callable[[], Phone]) -> Phone:
    """Return a phone that did not start the game."""
    return new_phone()
