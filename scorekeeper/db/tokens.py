"""Make random ids for addresses, secret tokens and codes. Of secrets, only a hash is stored."""

from __future__ import annotations

import hashlib
import re
import secrets

ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
"""Letters and digits that are easy to tell apart when read aloud. Without vowels, they form no words."""
ID_LENGTH = 10
PUBLIC_ID = re.compile(f"[{ALPHABET}]{{{ID_LENGTH}}}")
CODE_LENGTH = 28
"""Letters of a printed code. They have 133 bits, so the code cannot be guessed, even from its hash."""
GROUP = 4


def new_public_id() -> str:
    """Return a random id of 47 bits for an address. Its column must be unique, in case the id exists already."""
    return _letters(ID_LENGTH)


def derived_id(text: str) -> str:
    """Return an id for an address that follows from `text`, so that two places can make the same one.

    `static/sw.js` does the same (`idOf`).
    """
    digest = hashlib.sha256(text.encode("utf-8", "replace")).digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:ID_LENGTH])


def new_secret() -> str:
    """Return a random token of 256 bits for a cookie or a link."""
    return secrets.token_urlsafe(32)


def new_code() -> str:
    """Return a random code to print, like "bcdf-ghjk-…"."""
    return _grouped(_letters(CODE_LENGTH))


def read_code(typed: str) -> str:
    """Return the code in `typed` as `new_code` writes it; empty if it is not a code.

    Case and separators don't matter.
    """
    letters = "".join(letter for letter in typed[:200].casefold() if letter in ALPHABET)
    return _grouped(letters) if len(letters) == CODE_LENGTH else ""


def hash_of(secret: str) -> str:
    """Return the hash of `secret` to store, 64 hexadecimal digits. Long secrets need no slower hash."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _letters(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def _grouped(letters: str) -> str:
    return "-".join(letters[at : at + GROUP] for at in range(0, CODE_LENGTH, GROUP))
