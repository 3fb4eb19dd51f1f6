"""The night for everybody, on a phone and on a television: no cookie, and an unchanged night costs next to nothing."""

from __future__ import annotations

from flask import Response, render_template

from scorekeeper.games.views.watch import shared
from scorekeeper.leagues.queries.night import night_page, night_version
from scorekeeper.leagues.views.blueprint import bp


@bp.get("/nights/<night_id>")
def night(night_id: str) -> Response:
    def draw() -> str:
        return render_template("leagues/night.html", page=night_page(night_id))

    return shared(night_version(night_id), draw)


@bp.get("/nights/<night_id>/tv")
def tv(night_id: str) -> Response:
    def draw() -> str:
        return render_template("leagues/tv.html", page=night_page(night_id))

    return shared(night_version(night_id), draw)
