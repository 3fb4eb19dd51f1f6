"""Adapt short words to the sound after them. Spanish "y Inés" becomes "e Inés", French "de Ann" becomes "d’Ann".

Translate messages into the reader's language. Terminal commands use English.
"""

import gettext
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from scorekeeper.rules.phrase import Phrase

_VALUE = r"(?:%\((\w+)\)s|\{(\w+)\})"
"""Pattern of a placeholder in a template: `%(name)s` or `{name}`."""
_I_SOUND = re.compile(r"i(?![aeo])|hi(?![aeo])|y(?![aeiou])")
_O_SOUND = re.compile(r"h?o|8|11(?!\d)")
_VOWEL = re.compile(r"[aeiouœæ]|y(?![aeiou])")


def elided(template: str, values: Mapping[str, object], language: str) -> str:
    """Return `template` with short words adapted to the values of the placeholders after them.

    For example, Spanish "y %(name)s" becomes "e %(name)s" if the name is Inés. The placeholders are not filled in.
    `values` maps placeholder names to values. `language` is a code such as "es". For a language without such words,
    `template` is returned unchanged.
    """
    if language not in _WORDS:
        return template
    pattern, fitted = _WORDS[language]
    return pattern.sub(lambda found: fitted(found[1], _sound(values.get(found[2] or found[3], ""))), template)


def elisions(language: str) -> list[list[str]]:
    """Return the rules of `language` as lists for JavaScript.

    Each rule is [word, other form of the word, pattern]. The word changes before a sound that matches the pattern.
    """
    return [list(each) for each in _FOR_SCRIPTS.get(language, ())]


def _sound(value: object) -> str:
    """Return a value as text in lower case, without accents and opening quotes. "Íñigo" becomes "inigo"."""
    letters = unicodedata.normalize("NFD", f"{value}".lstrip("«“\"'( \u202f\u00a0").lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _spanish(word: str, sound: str) -> str:
    if word in "yY":
        return ("e" if word == "y" else "E") if _I_SOUND.match(sound) else word
    return ("u" if word == "o" else "U") if _O_SOUND.match(sound) else word


def _french(word: str, sound: str) -> str:
    return f"{word[:-2]}’" if _VOWEL.match(sound) else word


_FOR_SCRIPTS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "es": (("y ", "e ", _I_SOUND.pattern), ("o ", "u ", _O_SOUND.pattern)),
    "fr": tuple((f"{word}e ", f"{word}’", _VOWEL.pattern) for word in ("d", "D", "qu", "Qu", "jusqu", "lorsqu")),
}
_WORDS: Mapping[str, tuple[re.Pattern[str], Callable[[str, str], str]]] = {
    "es": (re.compile(rf"(?<!\w)([YyOo])(?= {_VALUE})"), _spanish),
    "fr": (re.compile(rf"(?<!\w)((?:[Dd]|[Qq]u|[Jj]usqu|[Ll]orsqu|[Pp]uisqu)e )(?={_VALUE})"), _french),
}


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
