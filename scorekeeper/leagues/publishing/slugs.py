"""Make and check the readable part of a club's address. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Collection

from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.text import unaccented

LONGEST = 40
SHORTEST = 3
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
USUAL = "club"
"""Slug for a name without Latin letters."""


def slug_of(text: str) -> str:
    """Return `text` as a slug: in lower case, without accents, and with hyphens for all other characters.

    A slug that would be too short gets "club" in front. If nothing is left of the text, the slug is "club".
    """
    plain = re.sub(r"[^a-z0-9]+", "-", unaccented(text)).strip("-")[:LONGEST].strip("-")
    return plain if len(plain) >= SHORTEST else f"{USUAL}-{plain}".strip("-")


def free_slug(name: str, taken: Collection[str]) -> str:
    """Return a slug for a league's name. If the slug is in `taken`, it gets a number at the end."""
    slug, number = slug_of(name), 1
    free = slug
    while free in taken:
        number += 1
        free = f"{slug[: LONGEST - 5].strip('-')}-{number}"
    return free


def checked_slug(text: str) -> str:
    """Return a typed slug in lower case. Raises `RuleViolation` (field "slug") if the slug isn't valid."""
    slug = text.strip().lower()
    if not SHORTEST <= len(slug) <= LONGEST or not SLUG.fullmatch(slug):
        raise RuleViolation(
            "slug", "Use 3 to 40 letters, digits and hyphens for the address, such as “thursday-setback”.", field="slug"
        )
    return slug
