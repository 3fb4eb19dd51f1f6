"""Check the color and the emoji that are shown beside a person's name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

COLORS: Mapping[str, Phrase] = {
    "red": Phrase("Red"),
    "orange": Phrase("Orange"),
    "yellow": Phrase("Yellow"),
    "green": Phrase("Green"),
    "teal": Phrase("Teal"),
    "blue": Phrase("Blue"),
    "purple": Phrase("Purple"),
    "pink": Phrase("Pink"),
    "brown": Phrase("Brown"),
    "gray": Phrase("Gray"),
}
"""Maps the key of each color to its name. `static/css/games/faces.css` has a class `tint-<key>` for each color."""

LONGEST_EMOJI = 16
"""Most code points of an emoji. An emoji that shows a family of four has eleven."""
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_JOINER, _AS_EMOJI = "\u200d", "\ufe0f"
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff]")
_TAGS = re.compile("[\U000e0020-\U000e007f]+")


@dataclass(frozen=True, slots=True)
class PersonLook:
    """The look of a person.

    `color` is a key of `COLORS`, and `photo` is the public id of a photo. Each field is "" if the person has none.
    """

    color: str = ""
    emoji: str = ""
    photo: str = ""


def check_color(key: str) -> str:
    """Return `key` if it is a key of `COLORS` or empty. Otherwise, raise `RuleViolation`."""
    if key and key not in COLORS:
        raise RuleViolation("color", "Choose one of the colors.", field="color")
    return key


def check_emoji(text: str) -> str:
    """Return `text` without surrounding spaces if it is a single emoji or empty. Otherwise, raise `RuleViolation`."""
    trimmed = text.strip()
    if trimmed and (len(trimmed) > LONGEST_EMOJI or not _is_emoji(trimmed)):
        raise RuleViolation("emoji", "Enter one emoji, or leave the field empty.", field="emoji")
    return trimmed


def _is_emoji(text: str) -> bool:
    """Return whether `text` is a single emoji: a flag, a symbol, or several symbols joined into one picture."""
    if _FLAG.fullmatch(text):
        return True
    pictures = _TAGS.sub("", _SKIN.sub("", text.replace(_AS_EMOJI, ""))).split(_JOINER)
    return all(
        len(picture) == 1 and unicodedata.category(picture) == "So" and not _FLAG.match(picture * 2)
        for picture in pictures
    )
