"""Passwords that take no time to check; what that really costs is a test of its own."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from argon2 import PasswordHasher
from argon2.profiles import CHEAPEST

from scorekeeper.accounts import passwords

if TYPE_CHECKING:
    from collections.abc import Iterator


REAL = passwords.HASHER
"""What checks them elsewhere."""


@contextmanager
def quick_passwords() -> Iterator[None]:
    """Hash and check passwords in a moment, and forget what was hashed so before and after."""
    with pytest.MonkeyPatch.context() as patch:
        passwords._nobodys.cache_clear()
        patch.setattr(passwords, "HASHER", PasswordHasher.from_parameters(CHEAPEST))
        yield
        passwords._nobodys.cache_clear()
