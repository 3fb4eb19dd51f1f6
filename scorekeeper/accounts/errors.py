"""The one way in which the pages of directors say no."""

from __future__ import annotations


class Refused(Exception):
    """What was typed cannot be taken; nothing was changed.

    `field` is the name of the field where it is said, `says` a sentence in the reader's language.
    """

    def __init__(self, field: str, says: str) -> None:
        super().__init__(says)
        self.field = field
        self.says = says


class NotSignedInError(Exception):
    """Nobody is signed in here, or not recently enough to change how the account is opened."""
