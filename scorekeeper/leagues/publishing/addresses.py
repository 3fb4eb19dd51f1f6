"""Make the addresses of open clubs, and remember which a phone has visited.

Make and check the readable part of a club's address. Pure functions.

Make the ids of people, nights and feeds on open pages, from which nobody can find the league's own pages.

The cookie with the leagues that a phone has visited, so that the home page can link to them without an account.
"""

import re
from collections.abc import Collection, Sequence
from datetime import timedelta
from uuid import UUID, uuid5

from werkzeug.wrappers import Response

from scorekeeper.leagues.core.access import token_word_of
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import installation_key
from scorekeeper.web.settings import sent_cookie, set_cookie
from scorekeeper.web.text import plain_words

LONGEST = 40
SHORTEST = 3
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
USUAL = "club"
"""Slug for a name without Latin letters."""


def slug_of(text: str) -> str:
    """Return `text` as a slug: in lower case, without accents, and with hyphens for all other characters.

    A slug that would be too short gets "club" in front. If nothing is left of the text, the slug is "club".
    """
    plain = plain_words(text)[:LONGEST].strip("-")
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


LENGTH = 16
"""Length of an id in characters. Each character has 6 bits."""
NAMESPACE = UUID("6f1b2b1e-5f0a-4d0e-9c37-2a7d8f6f9a51")
"""UUID namespace in which the ids of feeds and entries are made."""


def open_id(kind: str, public_id: str) -> str:
    """Return the id that open pages show in place of a public id.

    `kind` is the kind of thing that has the public id, such as "person", "team" or "night". The same public id gives a
    different open id for each kind.
    """
    return token_word_of("open", kind, public_id, key=installation_key())[:LENGTH]


def person_id(public_id: str) -> str:
    """Return the id that open pages show for the person with this public id."""
    return open_id("person", public_id)


def urn(public_id: str) -> str:
    """Return the id of a feed or feed entry about the league or night with this public id.

    The id stays the same when the club changes its address.
    """
    return f"urn:uuid:{uuid5(NAMESPACE, open_id('feed', public_id))}"


COOKIE = "scorekeeper_visited"
LASTS = timedelta(days=400)
MOST = 10
CLUB = "~"
"""In the cookie, this character comes before the slug of a club. A league is saved as its public id."""
TOKEN = re.compile(r"~?[A-Za-z0-9_-]{3,40}")


def visited_here() -> Sequence[str]:
    """Return the leagues and clubs that this phone has visited, newest first, from the phone's cookie.

    Each one is given by its mark: the public id of a league, or `CLUB` followed by the slug of a club.
    """
    told = sent_cookie(COOKIE).split(".")[:MOST]
    return [each for each in dict.fromkeys(told) if TOKEN.fullmatch(each)]


def keep_visited(response: Response, marks: Sequence[str]) -> None:
    """Save visited leagues and clubs in the cookie of the phone that gets `response`.

    `marks` identify the leagues and clubs as in `visited_here`, newest first.
    """
    set_cookie(response, COOKIE, ".".join(list(dict.fromkeys(marks))[:MOST]), LASTS)
