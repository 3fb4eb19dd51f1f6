"""Sentences that can be translated later."""

from __future__ import annotations

from typing import Self


class Phrase(str):
    """English text that remembers its template, "A bid must be higher than %(bid)s.", and the values in it.

    It can be used like any string. `scorekeeper.i18n.catalog.spoken` translates it. Values that are a `Phrase` are
    translated too; others (names, numbers) stay as they are.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Return `template` with the values filled in. Without values, percent signs are left alone."""
        phrase = super().__new__(cls, template % values if values else template)
        phrase.template = template
        phrase.values = values
        return phrase
