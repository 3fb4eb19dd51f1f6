"""Secrets that open something: made at random, given out once, and kept as a hash only."""

from __future__ import annotations

import hashlib
import secrets

from scorekeeper.db.public_ids import ALPHABET

CODE_LENGTH = 28
"""Letters of a printed code: of 27 each, so 133 bits, far beyond guessing, also for who has the hash of it."""
GROUP = 4


def new_secret() -> str:
    """Return 256 random bits as they stand in a cookie or an address."""
    return secrets.token_urlsafe(32)


def new_code() -> str:
    """Return a code to print: "bcdf-ghjk-…", in letters that cannot be mistaken for one another."""
    letters = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
    return "-".join(letters[at : at + GROUP] for at in range(0, CODE_LENGTH, GROUP))


def read_code(typed: str) -> str:
    """Return `typed` as `new_code` would write it, whatever stands between its letters; empty where it is none."""
    letters = "".join(letter for letter in typed[:200].casefold() if letter in ALPHABET)
    if len(letters) != CODE_LENGTH:
        return ""
    return "-".join(letters[at : at + GROUP] for at in range(0, CODE_LENGTH, GROUP))


def hash_of(secret: str) -> str:
    """Return what is kept of `secret`, 64 hexadecimal digits: at its length nothing slower is needed."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
