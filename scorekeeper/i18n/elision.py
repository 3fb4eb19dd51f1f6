"""Adapt short words to the sound after them. Spanish "y Inés" becomes "e Inés", French "de Ann" becomes "d’Ann"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

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
