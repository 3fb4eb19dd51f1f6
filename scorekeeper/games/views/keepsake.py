"""What is looked at and printed: the race of a game, and its sheet on paper. Nothing here changes anything."""

from __future__ import annotations

from flask import render_template

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.views.blueprint import bp


@bp.get("/games/<game_id>/race")
def race(game_id: str) -> str:
    return render_template("games/race.html", page=queries.race_page(queries.snapshot_of(game_id, this_device())))
