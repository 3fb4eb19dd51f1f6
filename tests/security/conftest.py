"""What the tests of safety start from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.game import start

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone


@pytest.fixture
def board(client: Phone) -> Page:
    """Return the board of a new game."""
    return start(client)
