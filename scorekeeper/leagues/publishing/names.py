"""Shorten the names of a league for the public. Pure functions."""

import re
import unicodedata
from collections.abc import Callable, Mapping

from scorekeeper.i18n.catalog import N_

SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|[2-9](?:nd|rd|th)|esq|md)\.?", re.IGNORECASE)
"""Pattern of what may follow a last name."""
SAINTS = frozenset(("st", "ste", "saint", "sainte"))
"""Words with which a last name of two words begins."""
FULL, SHORT, INITIALS = "full", "short", "initials"
STYLES: Mapping[str, str] = {
    FULL: N_("Full names"),
    SHORT: N_("First name and initial (Ann B.)"),
    INITIALS: N_("Initials (A. B.)"),
}
"""Styles in which names can be shown, each with its label. The style that shows the most of a name comes first."""


def public_names(names: Mapping[int, str], style: str) -> Mapping[int, str]:
    """Return the public name of each person, by id. `style` is a key of `STYLES`.

    No two people get the same shortened name. If two names would be the same, the person who joined later gets a number
    after the name. Ids increase in the order of joining. So nobody's name changes when somebody joins.
    """
    if style == FULL:
        return dict(names)
    shorten = SHORTENERS[style]
    taken: set[str] = set()
    public = {}
    for person in sorted(names):
        public[person] = _free(shorten(names[person]), taken)
        taken.add(public[person].casefold())
    return public


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free.casefold() in taken:
        number += 1
        free = f"{name} {number}"
    return free


def _words(name: str) -> list[str]:
    """Return the words of a name, first name first, without phone numbers and the host part of mail addresses."""
    seen = "".join(" " if unicodedata.category(letter) in ("Cf", "Cc") else letter for letter in name)
    last, comma, first = seen.partition(",")
    if comma and not SUFFIX.fullmatch(first.strip()):
        seen = f"{first} {last}"
    words = seen.replace(",", " ").partition("@")[0].split()
    if len(words) == 1:
        words = [word for word in re.split(r"[._-]", words[0]) if word]
    words = [word for word in words if sum(letter.isdigit() for letter in word) < 3]
    # "Bob Smith Jr." and "Sam St. Pierre"
    if len(words) > 2 and SUFFIX.fullmatch(words[-1]):
        words.pop()
    if len(words) > 2 and words[-2].rstrip(".").casefold() in SAINTS:
        words.pop()
    return words


def _short(name: str) -> str:
    first, *others = _words(name) or [""]
    if others:
        return f"{first} {_initial(others[-1])}"
    # Chinese, Japanese and Korean names have no space between the parts.
    return _initial(first) if unicodedata.east_asian_width(first[:1] or " ") == "W" else first


def _initials(name: str) -> str:
    words = _words(name)
    return " ".join(map(_initial, words[:1] + words[1:][-1:]))


def _initial(word: str) -> str:
    """Return the first letter of a word, including any accents on it, followed by a dot.

    A number, as in "Guest 3", is returned unchanged.
    """
    if re.fullmatch(r"[0-9]+", word):
        return word
    letters = unicodedata.normalize("NFC", word)
    start = next((at for at, letter in enumerate(letters) if letter.isalnum()), 0)
    end = start + 1
    while end < len(letters) and unicodedata.combining(letters[end]):
        end += 1
    return f"{letters[start:end].upper()}."


SHORTENERS: Mapping[str, Callable[[str], str]] = {SHORT: _short, INITIALS: _initials}
