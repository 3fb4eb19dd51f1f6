"""Translate messages into the reader's language. Terminal commands use English."""

from __future__ import annotations

import gettext
from collections.abc import Callable
from typing import Any

from scorekeeper.i18n.elision import elided
from scorekeeper.rules.phrase import Phrase

ENGLISH = gettext.NullTranslations()


def _english() -> gettext.NullTranslations:
    return ENGLISH


_words: Callable[[], gettext.NullTranslations] = _english


def _(message: str, /, **values: Any) -> str:
    """Return `message` in the reader's language, with each `%(name)s` replaced by the value with that name.

    If there are no `values`, nothing is replaced. Python code then writes a percent sign once, as in "50%". Templates
    always write a percent sign twice, as in "50%%". Outside a request, or if there is no translation, the English
    message is returned.
    """
    words = _words()
    translated = words.gettext(message)
    return elided(translated, values, language_of(words)) % values if values else translated


def ngettext(one: str, many: str, num: int, /, **values: Any) -> str:
    """Return the singular `one` or the plural `many`, whichever fits `num`, in the reader's language.

    `num` and `values` are filled in as in `_`.
    """
    words = _words()
    told = {"num": num, **values}
    return elided(words.ngettext(one, many, num), told, language_of(words)) % told


def language_of(words: gettext.NullTranslations | None = None) -> str:
    """Return the language code of the catalog `words`, or "" for English.

    If `words` is None, the reader's catalog is used.
    """
    return (words or _words()).info().get("language", "")


def N_(message: str) -> str:  # noqa: N802 -- its name in every catalog's tools
    """Return `message` unchanged. The call only marks `message` for translators. To translate it, call `_`."""
    return message


def spoken(text: str, /, **instead: object) -> str:
    """Translate `text`, a sentence or point name from the rules, into the reader's language.

    If `text` is empty, "" is returned. If `text` is a `Phrase`, its values are translated, too, and filled in.
    `instead` replaces some of the values.
    """
    if not isinstance(text, Phrase):
        return _(text) if text else ""
    values = text.values | instead if text.values else {}
    return _(text.template, **{key: spoken(v) if isinstance(v, Phrase) else v for key, v in values.items()})


def speak(words: Callable[[], gettext.NullTranslations]) -> None:
    """Set the function that returns the reader's catalog. Terminal commands never call `speak`, so they use English."""
    global _words  # noqa: PLW0603  one reader at a time is a request's matter
    _words = words
