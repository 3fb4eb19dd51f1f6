"""Import all views of games, so that the blueprint has them."""

from scorekeeper.games.views import corrections, offline, offline_kits, our_table, play, reports, sharing, start, table
from scorekeeper.games.views.blueprint import bp

__all__ = ["bp", "corrections", "offline", "offline_kits", "our_table", "play", "reports", "sharing", "start", "table"]
