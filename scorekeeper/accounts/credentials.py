"""Check the name and password that a director chooses.

Pages show names as typed; the folded form decides whether two names are the same.
"""

from __future__ import annotations

import unicodedata

from scorekeeper.accounts.common_passwords import is_common
from scorekeeper.i18n.catalog import _

LONGEST_NAME = 40
LONGEST_FOLDED = 160
"""Longest folded name, the length of the column; one character can fold to several."""
SHORTEST, LONGEST = 12, 200
"""Fewest and most characters of a password."""


class Refused(Exception):
    """The input was refused; nothing was changed.

    `field` is the name of the field to show it at, `says` a sentence in the reader's language.
    """

    def __init__(self, field: str, says: str) -> None:
        super().__init__(says)
        self.field = field
        self.says = says


def checked_name(typed: str) -> str:
    """Return `typed` with single spaces. Raises `Refused` if it isn't a valid name."""
    name = " ".join(visible(unicodedata.normalize("NFC", typed[: 4 * LONGEST_NAME])).split())
    if not name or not any(character.isalnum() for character in name):
        raise Refused("name", _("Use letters or digits in the name."))
    if len(name) > LONGEST_NAME or len(folded(name)) > LONGEST_FOLDED:
        raise Refused("name", _("That name is too long. Use %(most)s characters or fewer.", most=LONGEST_NAME))
    return name


def check_new(password: str, name: str) -> None:
    """Raise `Refused` unless `password` is acceptable for the director `name`."""
    if len(password) < SHORTEST:
        raise Refused(
            "new-password",
            _(
                "That's too short. Use at least %(least)s characters. A few words are easy to remember.",
                least=SHORTEST,
            ),
        )
    if len(password) > LONGEST:
        raise Refused("new-password", _("That's too long. Use %(most)s characters or fewer.", most=LONGEST))
    if is_common(password, name):
        raise Refused("new-password", _("That password is easy to guess. Choose another one."))


def folded(name: str) -> str:
    """Return the folded form of `name`: the same for "Rita  B." and "ＲＩＴＡ b.", with any kind of space."""
    compatible = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name[: 8 * LONGEST_NAME]).casefold())
    return " ".join(visible(compatible).split())


def visible(text: str) -> str:
    """Return `text` with spaces for control characters, and without invisible formatting characters."""
    kept = (" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    return "".join(c for c in kept if unicodedata.category(c) not in {"Cf", "Cs", "Co", "Cn"})
