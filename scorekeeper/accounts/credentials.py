"""Check the name and password that a director chooses.

Pages show a name as it was typed; two names are the same if their folded forms (`folded`) are equal.
"""

from __future__ import annotations

import unicodedata

from scorekeeper.accounts.common_passwords import is_common
from scorekeeper.i18n.catalog import _

LONGEST_NAME = 40
LONGEST_FOLDED = 160
"""Most characters of a name normalized by `folded`, which can be longer than the name as typed."""
SHORTEST, LONGEST = 12, 200
"""Fewest and most characters of a password."""


class Refused(Exception):
    """The input was refused, and nothing was changed.

    `field` is the name of the form field that is wrong. `says` is the error message, in the reader's language.
    """

    def __init__(self, field: str, says: str) -> None:
        super().__init__(says)
        self.field = field
        self.says = says


def checked_name(typed: str) -> str:
    """Return the typed name without extra spaces.

    Raises `Refused` if the name is too long, or has no letter or digit.
    """
    name = " ".join(visible(unicodedata.normalize("NFC", typed[: 4 * LONGEST_NAME])).split())
    if not name or not any(character.isalnum() for character in name):
        raise Refused("name", _("Use letters or digits in the name."))
    if len(name) > LONGEST_NAME or len(folded(name)) > LONGEST_FOLDED:
        raise Refused("name", _("That name is too long. Use %(most)s characters or fewer.", most=LONGEST_NAME))
    return name


def check_new(password: str, name: str) -> None:
    """Raise `Refused` if a new password is too short, too long, or easily guessed.

    `name` is the director's name, because a password made from the name is easily guessed.
    """
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
    """Return `name` in a normalized form, for comparing names.

    For example, "Rita  B." and "ＲＩＴＡ b." have the same normalized form.
    """
    compatible = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name[: 8 * LONGEST_NAME]).casefold())
    return " ".join(visible(compatible).split())


def visible(text: str) -> str:
    """Replace each control character in `text` with a space, and remove invisible formatting characters."""
    kept = (" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    return "".join(c for c in kept if unicodedata.category(c) not in {"Cf", "Cs", "Co", "Cn"})
