"""Make the ids of people, nights and feeds on open pages, from which nobody can find the league's own pages."""

from __future__ import annotations

from uuid import UUID, uuid5

from scorekeeper.leagues.core.link_tokens import word_of
from scorekeeper.web.extensions import installation_key

LENGTH = 16
"""Length of an id in characters. Each character has 6 bits."""
NAMESPACE = UUID("6f1b2b1e-5f0a-4d0e-9c37-2a7d8f6f9a51")
"""UUID namespace in which the ids of feeds and entries are made."""


def open_id(kind: str, public_id: str) -> str:
    """Return the id that open pages show in place of a public id.

    `kind` is the kind of thing that has the public id, such as "person", "team" or "night". The same public id gives a
    different open id for each kind.
    """
    return word_of("open", kind, public_id, key=installation_key())[:LENGTH]


def person_id(public_id: str) -> str:
    """Return the id that open pages show for the person with this public id."""
    return open_id("person", public_id)


def urn(public_id: str) -> str:
    """Return the id of a feed or feed entry about the league or night with this public id.

    The id stays the same when the club changes its address.
    """
    return f"urn:uuid:{uuid5(NAMESPACE, open_id('feed', public_id))}"
