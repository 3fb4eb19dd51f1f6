"""Sentences that can be translated later."""

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
