"""Sentences that can be translated later.

The exception for everything that the rules do not allow.
"""

from __future__ import annotations

from typing import Self


class Phrase(str):
    """An English string that can be translated later, because it remembers its template and its values.

    An example of a template is "A bid must be higher than %(bid)s." A `Phrase` works like any other string. The
    function `scorekeeper.i18n.catalog.spoken` translates phrases, and also their values if these are phrases. Other
    values, such as names and numbers, stay unchanged.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Return `template` with the values filled in. Without values, percent signs are left alone."""
        phrase = super().__new__(cls, template % values if values else template)
        phrase.template = template
        phrase.values = values
        return phrase


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
