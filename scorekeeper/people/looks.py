"""Check how a person is shown beside the name: a color, and one emoji."""

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
"""Colors by their key, which `static/css/games/faces.css` has as the class `tint-<key>`."""

LONGEST_EMOJI = 16
"""Code points; a family of four has eleven."""
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_JOINER, _AS_EMOJI = "\u200d", "\ufe0f"
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff]")
_TAGS = re.compile("[\U000e0020-\U000e007f]+")


@dataclass(frozen=True, slots=True)
class PersonLook:
    """How a person is shown: a key of `COLORS` or "", an emoji or "", the public id of a photo or ""."""

    color: str = ""
    emoji: str = ""
    photo: str = ""


def check_color(key: str) -> str:
    """Return a key of `COLORS`, or "" for none. Raises `RuleViolation` for anything else."""
    if key and key not in COLORS:
        raise RuleViolation("color", "Choose one of the colors.", field="color")
    return key


def check_emoji(text: str) -> str:
    """Return `text`, trimmed, if it is one emoji or empty. Raises `RuleViolation` for anything else."""
    trimmed = text.strip()
    if trimmed and (len(trimmed) > LONGEST_EMOJI or not _is_emoji(trimmed)):
        raise RuleViolation("emoji", "Enter one emoji, or leave the field empty.", field="emoji")
    return trimmed


def _is_emoji(text: str) -> bool:
    """Return whether `text` is a flag, or symbols joined into one picture."""
    if _FLAG.fullmatch(text):
        return True
    pictures = _TAGS.sub("", _SKIN.sub("", text.replace(_AS_EMOJI, ""))).split(_JOINER)
    return all(
        len(picture) == 1 and unicodedata.category(picture) == "So" and not _FLAG.match(picture * 2)
        for picture in pictures
    )
