"""The short words in addresses: random, and not to be mistaken when one is read aloud."""

from __future__ import annotations

import secrets

ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
"""Letters and digits that cannot be mistaken for one another; no vowels, so no words."""
ID_LENGTH = 10


def new_public_id() -> str:
    """Return a new one: 47 random bits. A unique column says so in the unlikely case that it was given before."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))
