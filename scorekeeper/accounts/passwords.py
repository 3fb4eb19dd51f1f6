"""Hash and check passwords.

Passwords are hashed by Argon2id with the second recommended parameters of RFC 9106 (64 MiB, 3 passes, 4 lanes). The
OWASP Password Storage Cheat Sheet asks for less (19 MiB, 2 passes). Each hash takes 64 MiB and all cores, so a process
hashes at most two passwords at once, and at most one of them for a device that the account doesn't know (`turn`).
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
"""Longest wait for a free place (`Places`). Hashing a password takes about a quarter of that time."""


class BusyError(Exception):
    """Too many passwords are being hashed at the moment."""


class Places:
    """A limit on the number of passwords that are hashed or checked at the same time.

    Each password that is being hashed or checked occupies one place.
    """

    def __init__(self, amount: int) -> None:
        self._free = BoundedSemaphore(amount)
        self._waiting = BoundedSemaphore(1)

    def take(self) -> bool:
        """Occupy a place and return True, or return False if no place becomes free.

        If all places are occupied, one thread at a time may wait up to `PATIENCE_SECONDS`. Other threads don't wait,
        because the server has few threads.
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
        """Free a place that was taken with `take`."""
        self._free.release()


STRANGERS, KNOWN = Places(1), Places(1)
"""The places for devices where nobody has signed in to the account before, and those for known devices.

They are separate, so that strangers who try passwords all day never take the place of a known device.
"""
_this_thread = local()


@contextmanager
def turn(*, known: bool = False) -> Iterator[None]:
    """Occupy a place (see `Places`) for hashing or checking a password inside the `with` block.

    Nested calls in the same thread share one place. `known` means that the caller has already checked a known device, a
    session, a link or a code of the account. Such callers use a separate set of places, which strangers can't occupy.
    Raises `BusyError` if no place is free.
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
    """Return the hash of `password`, with its salt and parameters. Raises `BusyError` if no place is free."""
    with turn():
        return HASHER.hash(_composed(password))


def matches(kept: str | None, password: str) -> bool:
    """Return whether the stored hash `kept` is the hash of `password`.

    `kept` is None if there is no such account or the account has no password. The result is then False, but the check
    takes as long as usual. So the time doesn't show which names exist. Raises `BusyError` if no place for hashing is
    free.
    """
    with turn():
        try:
            HASHER.verify(kept or _nobodys(), _composed(password[: 2 * LONGEST]))
        except (VerificationError, InvalidHashError):
            return False
    return kept is not None


def outdated(kept: str) -> bool:
    """Return whether the hash `kept` was made with parameters that differ from those used now."""
    return HASHER.check_needs_rehash(kept)


def _composed(password: str) -> str:
    """Return the password in the normal form of RFC 8265.

    Keyboards differ in how they send accents and spaces. The normal form removes these differences.
    """
    spaced = "".join(" " if unicodedata.category(character) == "Zs" else character for character in password)
    return unicodedata.normalize("NFC", spaced)


@cache
def _nobodys() -> str:
    """Return a hash that matches no password.

    The hash is made from random bytes without hashing anything, so the first call is as fast as later ones.
    """
    sizes = (HASHER.salt_len, HASHER.hash_len)
    salt, made = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in sizes)
    return f"$argon2id$v=19$m={HASHER.memory_cost},t={HASHER.time_cost},p={HASHER.parallelism}${salt}${made}"
