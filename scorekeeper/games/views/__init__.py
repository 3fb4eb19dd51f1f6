"""The pages of games: read what was sent, let the service do it, show the page."""

from __future__ import annotations

from scorekeeper.games.views import (
    agree,
    change,
    count,
    keepsake,
    play,
    recovery,
    share,
    start,
    table,
    tail,
    waiting,
    wall,
    watch,
)
from scorekeeper.games.views.blueprint import bp

__all__ = [
    "agree",
    "bp",
    "change",
    "count",
    "keepsake",
    "play",
    "recovery",
    "share",
    "start",
    "table",
    "tail",
    "waiting",
    "wall",
    "watch",
]
