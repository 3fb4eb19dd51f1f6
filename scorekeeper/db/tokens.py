"""Random words: short ones in addresses, and secrets that open something, given out once and kept as a hash only."""

from __future__ import annotations

import hashlib
import secrets

ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
"""Letters and digits that cannot be mistaken for one another when read aloud; no vowels, so no words."""
ID_LENGTH = 10
CODE_LENGTH = 28
"""Letters of a printed code: of 27 each, so 133 bits, far beyond guessing, also for who has the hash of it."""
GROUP = 4


def new_public_id() -> str:
    """Return 47 random bits for an address. A unique column says so in the unlikely case that it was given before."""
    return _letters(ID_LENGTH)


def new_secret() -> str:
    """Return 256 random bits as they stand in a cookie or an address."""
    return secrets.token_urlsafe(32)


def new_code() -> str:
    """Return a code to print: "bcdf-ghjk-…", in letters that cannot be mistaken for one another."""
    return _grouped(_letters(CODE_LENGTH))


def read_code(typed: str) -> str:
    """Return `typed` as `new_code` would write it, whatever stands between its letters; empty where it is none."""
    letters = "".join(letter for letter in typed[:200].casefold() if letter in ALPHABET)
    return _grouped(letters) if len(letters) == CODE_LENGTH else ""


def hash_of(secret: str) -> str:
    """Return what is kept of `secret`, 64 hexadecimal digits: at its length nothing slower is needed."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _letters(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def _grouped(letters: str) -> str:
    return "-".join(letters[at : at + GROUP] for at in range(0, CODE_LENGTH, GROUP))
