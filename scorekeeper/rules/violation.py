"""The exception for everything that the rules do not allow."""

from __future__ import annotations

from scorekeeper.rules.phrase import Phrase


class RuleViolation(Exception):
    """An action or a value that the rules of this table do not allow.

    `code` is a stable key for programs. `message` is an English sentence for players. Pages can translate the message
    if it is a `Phrase`.

    `call` is the index of an illegal call in an auction, `hand` the index of a hand in a record, and `field` the name
    of the wrong field. These fields are None if they do not apply.
    """

    def __init__(
        self, code: str, message: str, *, call: int | None = None, hand: int | None = None, field: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message if isinstance(message, Phrase) else Phrase(message)
        self.call = call
        self.hand = hand
        self.field = field

    def in_hand(self, hand: int) -> RuleViolation:
        """Return the same violation with `hand`, the index of a hand, added."""
        return RuleViolation(self.code, self.message, call=self.call, hand=hand, field=self.field)
