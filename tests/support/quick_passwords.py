"""Passwords that take no time to check (what that costs is a test of its own), and places for them that are taken."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from argon2 import PasswordHasher
from argon2.profiles import CHEAPEST

from scorekeeper.accounts import passwords
from scorekeeper.accounts.passwords import turn

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


@contextmanager
def taken(*, known: bool) -> Iterator[None]:
    """Let another thread hold the place of strangers, or that of those who are known."""
    there, done = threading.Event(), threading.Event()

    def hold() -> None:
        with turn(known=known):
            there.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert there.wait(10)
    try:
        yield
    finally:
        done.set()
        thread.join(10)
