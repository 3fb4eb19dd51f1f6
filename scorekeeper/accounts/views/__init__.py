"""The pages of directors: read what was sent, let the service do it, show the page."""

from __future__ import annotations

from scorekeeper.accounts.views import door, keys, mine
from scorekeeper.accounts.views.blueprint import bp

__all__ = ["bp", "door", "keys", "mine"]
