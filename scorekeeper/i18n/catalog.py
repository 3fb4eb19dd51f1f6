"""The words of a page in the reader's language; the command speaks English.

`translations/<language>/LC_MESSAGES/messages.po` hold the words; `web/locale.py` says whose language a page is in.
"""

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
    """Return `message` in the reader's language, with `%(name)s` replaced by the value of that name.

    Without values nothing is replaced, so that a percent sign stands for itself. In a template it never does: there
    it is written twice. Outside a request, and for a sentence nobody translated yet, it is the English one.
    """
    words = _words()
    translated = words.gettext(message)
    return elided(translated, values, language_of(words)) % values if values else translated


def ngettext(one: str, many: str, num: int, /, **values: Any) -> str:
    """Return `one` or `many` in the reader's language, as it counts `num`, with `%(num)s` and the values put in."""
    words = _words()
    told = {"num": num, **values}
    return elided(words.ngettext(one, many, num), told, language_of(words)) % told


def language_of(words: gettext.NullTranslations | None = None) -> str:
    """Return the language of `words`, else of the reader: "es", "fr" …, or "" for English, which has no catalog."""
    return (words or _words()).info().get("language", "")


def N_(message: str) -> str:  # noqa: N802 -- its name in every catalog's tools
    """Return `message` as it is: this only marks it for the translators; `_` translates it where it is shown."""
    return message


def spoken(text: str, /, **instead: object) -> str:
    """Return what the rules say, a sentence or the name of a point, in the reader's language.

    A `Phrase` is made anew from its template, the values that are one too first; `instead` stands for some of them.
    """
    if not isinstance(text, Phrase):
        return _(text) if text else ""
    values = text.values | instead if text.values else {}
    return _(text.template, **{key: spoken(v) if isinstance(v, Phrase) else v for key, v in values.items()})


def speak(words: Callable[[], gettext.NullTranslations]) -> None:
    """Let `words` say from now on which language is the reader's; the command, which has none, starts without it."""
    global _words  # noqa: PLW0603  one reader at a time is a request's matter
    _words = words
