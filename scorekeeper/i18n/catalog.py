"""Translate texts into the reader's language. Commands speak English.

The translations are in `translations/<language>/LC_MESSAGES/messages.po`; `web/locale.py` chooses the language.
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

    Without values nothing is replaced, so write a percent sign once (in a template always twice). Outside a request,
    and without a translation, the English text is returned.
    """
    words = _words()
    translated = words.gettext(message)
    return elided(translated, values, language_of(words)) % values if values else translated


def ngettext(one: str, many: str, num: int, /, **values: Any) -> str:
    """Return `one` or `many` in the reader's language, as `num` needs it, with `%(num)s` and the values filled in."""
    words = _words()
    told = {"num": num, **values}
    return elided(words.ngettext(one, many, num), told, language_of(words)) % told


def language_of(words: gettext.NullTranslations | None = None) -> str:
    """Return the language code of `words`, by default of the reader; "" for English, which has no catalog."""
    return (words or _words()).info().get("language", "")


def N_(message: str) -> str:  # noqa: N802 -- its name in every catalog's tools
    """Return `message` unchanged. This marks it for translators; `_` translates it when it is shown."""
    return message


def spoken(text: str, /, **instead: object) -> str:
    """Return a text of the rules, a sentence or the name of a point, in the reader's language.

    A `Phrase` is filled in anew in that language, with its values translated too. `instead` replaces some of them.
    """
    if not isinstance(text, Phrase):
        return _(text) if text else ""
    values = text.values | instead if text.values else {}
    return _(text.template, **{key: spoken(v) if isinstance(v, Phrase) else v for key, v in values.items()})


def speak(words: Callable[[], gettext.NullTranslations]) -> None:
    """Use `words` to find the reader's translations from now on. Commands leave it at English."""
    global _words  # noqa: PLW0603  one reader at a time is a request's matter
    _words = words
