"""The night for everybody, on a phone and on a television: no cookie, and an unchanged night costs next to nothing."""

from __future__ import annotations

from flask import Response, render_template

from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.nights.queries.night import night_page, night_version
from scorekeeper.web.shared import shared


@bp.get("/nights/<night_id>")
def night(night_id: str) -> Response:
    return _followed(night_id, "leagues/night.html")


@bp.get("/nights/<night_id>/tv")
def tv(night_id: str) -> Response:
    return _followed(night_id, "leagues/tv.html")


def _followed(night_id: str, template: str) -> Response:
    def draw(version: str) -> str:
        return render_template(template, page=night_page(night_id, version))

    return shared(night_version, night_id, draw=draw)
