"""Import all views of games, so that the blueprint has them."""

from __future__ import annotations

from scorekeeper.games.views import (
    agreements,
    corrections,
    count,
    divergence,
    hand_notes,
    offline,
    offline_kits,
    our_table,
    people,
    pictures,
    play,
    recovery,
    reports,
    sharing,
    start,
    table,
    table_file,
    table_sharing,
    tv,
    watch,
)
from scorekeeper.games.views.blueprint import bp

__all__ = [
    "agreements",
    "bp",
    "corrections",
    "count",
    "divergence",
    "hand_notes",
    "offline",
    "offline_kits",
    "our_table",
    "people",
    "pictures",
    "play",
    "recovery",
    "reports",
    "sharing",
    "start",
    "table",
    "table_file",
    "table_sharing",
    "tv",
    "watch",
]
