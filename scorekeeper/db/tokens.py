"""Make random ids for addresses, secret tokens and codes. For each secret, only a hash is stored."""

import hashlib
import re
import secrets

ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
"""Letters and digits that are easy to tell apart when read aloud. Without vowels, they form no words."""
ID_LENGTH = 10
PUBLIC_ID = re.compile(f"[{ALPHABET}]{{{ID_LENGTH}}}")
CODE_LENGTH = 28
"""Letters and digits of a printed code: 133 bits, so that nobody can guess it, even from its hash."""
GROUP = 4


def new_public_id() -> str:
    """Return a random id of 47 bits for an address.

    The same id might have been made before. So the database column for the id must be unique.
    """
    return _letters(ID_LENGTH)


def derived_id(text: str) -> str:
    """Return an id for an address, calculated from `text`. The same text always gives the same id.

    The script `static/sw.js` calculates the same ids (`idOf`).
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
    """Return the code that was typed, in the form that `new_code` returns, or "" if `typed` isn't a code.

    Letter case and separators don't matter.
    """
    letters = "".join(letter for letter in typed[:200].casefold() if letter in ALPHABET)
    return _grouped(letters) if len(letters) == CODE_LENGTH else ""


def hash_of(secret: str) -> str:
    """Return the hash of a secret token or code, as 64 hexadecimal digits to be stored.

    Our secrets are long and random, so a fast hash (SHA-256) is enough.
    """
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _letters(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def _grouped(letters: str) -> str:
    return "-".join(letters[at : at + GROUP] for at in range(0, CODE_LENGTH, GROUP))
