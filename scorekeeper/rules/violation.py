"""The exception for everything that the rules do not allow."""

from __future__ import annotations

from scorekeeper.rules.phrase import Phrase


class RuleViolation(Exception):
    """An action or a value that the rules of this table do not allow.

    `code` is a stable word for programs. `message` is a sentence for players, in English (a `Phrase`, so that pages can
    translate it). `call` is the index of an illegal call in an auction, `hand` the index of the hand in a record,
    `field` the name of the wrong field; each is None if it does not apply.
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
        """Return the same violation for the hand with that index."""
        return RuleViolation(self.code, self.message, call=self.call, hand=hand, field=self.field)
