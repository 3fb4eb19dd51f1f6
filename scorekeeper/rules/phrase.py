"""A sentence that can be said again in another language."""

from __future__ import annotations

from typing import Self


class Phrase(str):
    """English text that remembers its template, "A bid must be higher than %(bid)s.", and the values put into it.

    It is a plain text to whoever only reads it. `scorekeeper.i18n.catalog.spoken` says it in the reader's language; a
    value that is a `Phrase` too is translated with it, any other (a name, a number) stays as it is.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Return `template` with the values put in; without values a percent sign stands for itself."""
        phrase = super().__new__(cls, template % values if values else template)
        phrase.template = template
        phrase.values = values
        return phrase
