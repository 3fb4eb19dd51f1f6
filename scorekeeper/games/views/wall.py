"""The pages on the wall: one game or several, for a hall to read; and the page that asks which."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.access import NoSuchGameError
from scorekeeper.games.views.blueprint import bp
from scorekeeper.games.views.watch import shared
from scorekeeper.games.wall import read_ids, wall_page, wall_version
from scorekeeper.language import _


@bp.get("/watch/<game_id>/tv")
def tv(game_id: str) -> Response:
    return _wall([(game_id, queries.watched_version(game_id))])


@bp.get("/watch/tv")
def wall() -> AnyResponse:
    games = _watched(read_ids(request.args.getlist("games")))
    if not games:
        abort(404, description=_("None of these games can be watched."))
    return _wall(games)


@bp.get("/tv")
def choose_wall() -> AnyResponse:
    """Ask which games go on the wall; where that is said, lead there."""
    asked = request.args.getlist("games")
    if not any(asked):
        return make_response(render_template("games/tv_choice.html", page=queries.wall_choice(this_device())))
    games = [game for game, _version in _watched(read_ids(asked))]
    if not games:
        page = queries.wall_choice(this_device(), typed=asked[-1], error=_("There is no such game. See the address."))
        return make_response(render_template("games/tv_choice.html", page=page), 422)
    look = "light" if request.args.get("look") == "light" else None
    return redirect(url_for("games.wall", games=",".join(games), look=look), 303)


def _watched(ids: Sequence[str]) -> list[tuple[str, str]]:
    """Those of the games that can be watched, with their versions."""
    games = []
    for game_id in ids:
        try:
            games.append((game_id, queries.watched_version(game_id)))
        except NoSuchGameError:
            continue
    return games


def _wall(games: Sequence[tuple[str, str]]) -> Response:
    version = wall_version(games)

    def draw() -> str:
        snapshots = [queries.snapshot_of(game_id, None) for game_id, _version in games]
        page = wall_page(snapshots, address=request.full_path.removesuffix("?"), version=version)
        return render_template("games/tv.html", page=page)

    return shared(version, draw)
