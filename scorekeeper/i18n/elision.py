"""Short words that change before some sounds: Spanish "y Inés" is "e Inés", French "de Ann" is "d’Ann"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

_VALUE = r"(?:%\((\w+)\)s|\{(\w+)\})"
"""Matches a placeholder in a template of either kind."""
_I_SOUND = re.compile(r"i(?![aeo])|hi(?![aeo])|y(?![aeiou])")
_O_SOUND = re.compile(r"h?o|8|11(?!\d)")
_VOWEL = re.compile(r"[aeiouœæ]|y(?![aeiou])")


def elided(template: str, values: Mapping[str, object], language: str) -> str:
    """Return `template` with the short word before each value adapted to it in `language` ("es", "fr" …)."""
    if language not in _WORDS:
        return template
    pattern, fitted = _WORDS[language]
    return pattern.sub(lambda found: fitted(found[1], _sound(values.get(found[2] or found[3], ""))), template)


def elisions(language: str) -> list[list[str]]:
    """Return the same rules for a script: [word before a value, its other form, pattern of the sound after it]."""
    return [list(each) for each in _FOR_SCRIPTS.get(language, ())]


def _sound(value: object) -> str:
    """Return a value in lower case without accents and opening quotes: "Íñigo" as "inigo"."""
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
