"""Name people, nights and feeds on open pages by ids that don't lead back to the league's own pages.

Public ids are short enough to try them all, so a plain hash of one could be undone, and with it the shortened name of a
person. These are derived with the installation's secret key: they stay until it changes.
"""

from __future__ import annotations

from uuid import UUID, uuid5

from scorekeeper.leagues.core.link_tokens import word_of
from scorekeeper.web.extensions import installation_key

LENGTH = 16
"""Characters of an id; each has 6 bits."""
NAMESPACE = UUID("6f1b2b1e-5f0a-4d0e-9c37-2a7d8f6f9a51")
"""Ids of feeds and entries are made in it."""


def open_id(kind: str, public_id: str) -> str:
    """Return the id that open pages show in place of a public id.

    `kind` says what it is the id of, such as "person", "team" or "night": the same public id gives another for each.
    """
    return word_of("open", kind, public_id, key=installation_key())[:LENGTH]


def person_id(public_id: str) -> str:
    """Return the id that open pages show for a person."""
    return open_id("person", public_id)


def urn(public_id: str) -> str:
    """Return the lasting id of a feed or an entry; it stays if the club gets another address."""
    return f"urn:uuid:{uuid5(NAMESPACE, open_id('feed', public_id))}"
