"""Make passwords quick to check in tests, and use up the limited places for checking passwords."""

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
"""The hasher that the app uses outside of these tests."""


@contextmanager
def quick_passwords() -> Iterator[None]:
    """Hash and check passwords with the cheapest parameters while the `with` block runs."""
    with pytest.MonkeyPatch.context() as patch:
        passwords._nobodys.cache_clear()
        patch.setattr(passwords, "HASHER", PasswordHasher.from_parameters(CHEAPEST))
        yield
        passwords._nobodys.cache_clear()


@contextmanager
def taken(*, known: bool) -> Iterator[None]:
    """Occupy a place for hashing passwords while the `with` block runs, so that other threads must wait.

    If `known` is true, this is the place for devices that are known to the server, and otherwise the place for other
    devices.
    """
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
