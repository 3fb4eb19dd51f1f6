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
    """Return `text` as a slug: lower case, without accents, hyphens for everything else; "club" if nothing is left."""
    plain = re.sub(r"[^a-z0-9]+", "-", unaccented(text)).strip("-")[:LONGEST].strip("-")
    return plain if len(plain) >= SHORTEST else f"{USUAL}-{plain}".strip("-")


def free_slug(name: str, taken: Collection[str]) -> str:
    """Return the slug of a league's name, with a number if it is one of `taken`."""
    slug, number = slug_of(name), 1
    free = slug
    while free in taken:
        number += 1
        free = f"{slug[: LONGEST - 5].strip('-')}-{number}"
    return free


def checked_slug(text: str) -> str:
    """Return a typed slug in lower case. Raises `RuleViolation` with the field "slug"."""
    slug = text.strip().lower()
    if not SHORTEST <= len(slug) <= LONGEST or not SLUG.fullmatch(slug):
        raise RuleViolation(
            "slug", "Use 3 to 40 letters, digits and hyphens for the address, such as “thursday-setback”.", field="slug"
        )
    return slug
