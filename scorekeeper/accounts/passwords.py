"""How passwords are kept.

Argon2id with the second recommended parameters of RFC 9106 (64 MiB, 3 passes, 4 lanes), more than the OWASP Password
Storage Cheat Sheet asks for (19 MiB, 2 passes). Each takes 64 MiB and every core while it is made, so a process makes
two at a time, one of them for strangers (`turn`).
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
"""How long somebody waits for a place: a password takes a quarter of it."""


class BusyError(Exception):
    """As many passwords as may be are being hashed or checked already."""


class Places:
    """Places to hash or check a password, each for one at a time."""

    def __init__(self, amount: int) -> None:
        self._free = BoundedSemaphore(amount)
        self._waiting = BoundedSemaphore(1)

    def take(self) -> bool:
        """Return whether there was one. One thread at a time waits for a moment: the server has few of them."""
        if self._free.acquire(blocking=False):
            return True
        if not self._waiting.acquire(blocking=False):
            return False
        try:
            return self._free.acquire(timeout=PATIENCE_SECONDS)
        finally:
            self._waiting.release()

    def leave(self) -> None:
        """Give a place back that was taken."""
        self._free.release()


STRANGERS, KNOWN = Places(1), Places(1)
"""For everybody, and for those who were let in before: strangers who try passwords all day never take that one."""
_this_thread = local()


@contextmanager
def turn(*, known: bool = False) -> Iterator[None]:
    """Hold a place for this thread, to count a try and to hash or check its password. Inside another it is that one.

    Whoever is `known` showed before that they may open the account: by a device, a session, a link or a code. Raises
    `BusyError` where no place is free.
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
    """Return what is kept of `password`, with its salt and the parameters. Raises `BusyError`."""
    with turn():
        return HASHER.hash(_composed(password))


def matches(kept: str | None, password: str) -> bool:
    """Return whether `kept` was made of `password`. Where there is none, it takes as long, and the answer is no.

    Raises `BusyError`.
    """
    with turn():
        try:
            HASHER.verify(kept or _nobodys(), _composed(password[: 2 * LONGEST]))
        except (VerificationError, InvalidHashError):
            return False
    return kept is not None


def outdated(kept: str) -> bool:
    """Return whether `kept` was made with other parameters than those of today."""
    return HASHER.check_needs_rehash(kept)


def _composed(password: str) -> str:
    """Return the password as RFC 8265 compares it: however a keyboard writes an accent or a space."""
    spaced = "".join(" " if unicodedata.category(character) == "Zs" else character for character in password)
    return unicodedata.normalize("NFC", spaced)


@cache
def _nobodys() -> str:
    """Return a hash that no password is known for. It was made of none: who is first to ask waits no longer either."""
    sizes = (HASHER.salt_len, HASHER.hash_len)
    salt, made = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in sizes)
    return f"$argon2id$v=19$m={HASHER.memory_cost},t={HASHER.time_cost},p={HASHER.parallelism}${salt}${made}"
