"""What a director may choose: a name, and a password that is long enough and not one that everybody tries first.

Names stand on the page as they were typed, and folded where two that look alike must be one.
"""

from __future__ import annotations

import unicodedata

from scorekeeper.accounts.common_passwords import is_common
from scorekeeper.i18n.catalog import _

LONGEST_NAME = 40
LONGEST_FOLDED = 160
"""A character can fold to many; as long as the column."""
SHORTEST, LONGEST = 12, 200
"""Characters of a password."""


class Refused(Exception):
    """What was typed cannot be taken; nothing was changed.

    `field` is the name of the field where it is said, `says` a sentence in the reader's language.
    """

    def __init__(self, field: str, says: str) -> None:
        super().__init__(says)
        self.field = field
        self.says = says


def checked_name(typed: str) -> str:
    """Return `typed` without spaces around it and with single ones inside. Raises `Refused` where it is no name."""
    name = " ".join(visible(unicodedata.normalize("NFC", typed[: 4 * LONGEST_NAME])).split())
    if not name or not any(character.isalnum() for character in name):
        raise Refused("name", _("Use letters or digits in the name."))
    if len(name) > LONGEST_NAME or len(folded(name)) > LONGEST_FOLDED:
        raise Refused("name", _("That name is too long. Use %(most)s characters or fewer.", most=LONGEST_NAME))
    return name


def check_new(password: str, name: str) -> None:
    """Raise `Refused` unless `password` may be that of the director `name`."""
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
    """Return what stands for `name`: the same for "Rita  B." and "ＲＩＴＡ b.", with spaces of any kind."""
    compatible = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name[: 8 * LONGEST_NAME]).casefold())
    return " ".join(visible(compatible).split())


def visible(text: str) -> str:
    """Return `text` with a space for each control character, and without those that only steer the writing."""
    kept = (" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    return "".join(c for c in kept if unicodedata.category(c) not in {"Cf", "Cs", "Co", "Cn"})
