"""Show one or more games on a TV, and the page to choose the games."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import list_queries, queries
from scorekeeper.games.presenters.scoreboard_tv import read_ids, wall_page, wall_version
from scorekeeper.games.store.access import NoSuchGameError
from scorekeeper.games.views.blueprint import bp
from scorekeeper.games.views.odds_ahead import prepare_odds
from scorekeeper.i18n.catalog import _
from scorekeeper.web.shared import shared


@bp.get("/watch/<game_id>/tv")
def tv(game_id: str) -> Response:
    return _wall(game_id)


@bp.get("/watch/tv")
def wall() -> AnyResponse:
    try:
        return _wall(*read_ids(request.args.getlist("games")))
    except NoSuchGameError:
        abort(404, description=_("None of those games can be watched."))


@bp.get("/tv")
def choose_wall() -> AnyResponse:
    """Show the page on which people choose games for the TV. If the query names games, redirect to their TV page."""
    typed = request.args.getlist("games")
    if not any(typed):
        return make_response(render_template("games/tv_choice.html", page=list_queries.wall_choice(this_device())))
    games = [game for game, _version in _watched(read_ids(typed))]
    if not games:
        page = list_queries.wall_choice(this_device(), typed=typed[-1], error=_("Game not found. Check the link."))
        return make_response(render_template("games/tv_choice.html", page=page), 422)
    look = "light" if request.args.get("look") == "light" else None
    return redirect(url_for("games.wall", games=",".join(games), look=look), 303)


def _watched(ids: Sequence[str]) -> list[tuple[str, str]]:
    """Return a (public id, version) pair for each of these games (public ids) that can be watched."""
    games = []
    for game_id in ids:
        try:
            games.append((game_id, queries.watched_version(game_id)))
        except NoSuchGameError:
            continue
    return games


def _wall(*ids: str) -> Response:
    def draw(version: str) -> str:
        snapshots = [queries.snapshot_of(game_id, None) for game_id, _version in _watched(ids)]
        for snapshot in snapshots:
            prepare_odds(snapshot)
        page = wall_page(snapshots, address=request.full_path.removesuffix("?"), version=version)
        return render_template("games/tv.html", page=page)

    return shared(_version_of_all, *ids, draw=draw)


def _version_of_all(*ids: str) -> str:
    """Return a string that changes when any of the games changes. Raises `NoSuchGameError` if none can be watched."""
    games = _watched(ids)
    if not games:
        raise NoSuchGameError
    return wall_version(games)
