"""The pages of leagues: read what was sent, let the service do it, show the page."""

from __future__ import annotations

from scorekeeper.leagues import closing, people, seasons, tables  # noqa: F401  their models belong to the database
from scorekeeper.leagues.views import (  # noqa: F401  and so do the addresses
    brought,
    card,
    desk,
    door,
    invitation,
    keeping,
    league,
    leaving,
    money,
    night,
    person,
    printed,
    privacy,
    results,
    roles,
    season,
    who,
    whole,
)
from scorekeeper.leagues.views.blueprint import bp

__all__ = ["bp"]
