"""Hash and check passwords.

Argon2id with the second recommended parameters of RFC 9106 (64 MiB, 3 passes, 4 lanes), more than the OWASP Password
Storage Cheat Sheet asks for (19 MiB, 2 passes). Each hash takes 64 MiB and all cores, so a process makes two at a time,
one of them for strangers (`turn`).
"""

from __future__ import annotations

import secrets
import unicodedata
from base64 import b64encode
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore, local
from typing import TYPE_CHECKING

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from scorekeeper.accounts.credentials import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterator

HASHER = PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)
PATIENCE_SECONDS = 0.5
"""Seconds that a thread waits its turn; a password takes a quarter of that."""


class BusyError(Exception):
    """All places for hashing passwords are taken."""


class Places:
    """A limited number of places to hash or check passwords, one password each."""

    def __init__(self, amount: int) -> None:
        self._free = BoundedSemaphore(amount)
        self._waiting = BoundedSemaphore(1)

    def take(self) -> bool:
        """Take a free place and return True, or return False.

        Only one thread at a time waits, since threads are few.
        """
        if self._free.acquire(blocking=False):
            return True
        if not self._waiting.acquire(blocking=False):
            return False
        try:
            return self._free.acquire(timeout=PATIENCE_SECONDS)
        finally:
            self._waiting.release()

    def leave(self) -> None:
        """Free a place that `take` took."""
        self._free.release()


STRANGERS, KNOWN = Places(1), Places(1)
"""Places for strangers, and for known devices: strangers who try passwords all day never take the second."""
_this_thread = local()


@contextmanager
def turn(*, known: bool = False) -> Iterator[None]:
    """Hold a place for this thread, to count an attempt and to hash or check its password; nested calls share it.

    `known` means that a device, session, link or code showed before that it may open the account. Raises `BusyError` if
    no place is free.
    """
    if getattr(_this_thread, "has_place", False):
        yield
        return
    places = KNOWN if known else STRANGERS
    if not places.take():
        raise BusyError
    _this_thread.has_place = True
    try:
        yield
    finally:
        _this_thread.has_place = False
        places.leave()


def hashed(password: str) -> str:
    """Return the hash of `password`, with its salt and parameters. Raises `BusyError`."""
    with turn():
        return HASHER.hash(_composed(password))


def matches(kept: str | None, password: str) -> bool:
    """Return whether `kept` is the hash of `password`. If `kept` is None, take as long and return False.

    Raises `BusyError`.
    """
    with turn():
        try:
            HASHER.verify(kept or _nobodys(), _composed(password[: 2 * LONGEST]))
        except (VerificationError, InvalidHashError):
            return False
    return kept is not None


def outdated(kept: str) -> bool:
    """Return whether `kept` was made with parameters other than today's."""
    return HASHER.check_needs_rehash(kept)


def _composed(password: str) -> str:
    """Return the password in the form that RFC 8265 compares, however a keyboard encodes accents and spaces."""
    spaced = "".join(" " if unicodedata.category(character) == "Zs" else character for character in password)
    return unicodedata.normalize("NFC", spaced)


@cache
def _nobodys() -> str:
    """Return a hash that matches no password, without hashing one: the first caller doesn't wait longer either."""
    sizes = (HASHER.salt_len, HASHER.hash_len)
    salt, made = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in sizes)
    return f"$argon2id$v=19$m={HASHER.memory_cost},t={HASHER.time_cost},p={HASHER.parallelism}${salt}${made}"
