"""Add and remove scorers, and turn watching on or off."""

from __future__ import annotations

from flask import Response, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games import pages, queries
from scorekeeper.games.forms import read_seat
from scorekeeper.games.forms.sharing import JoinForm
from scorekeeper.games.services import sharing
from scorekeeper.games.store.access import AccessLevel
from scorekeeper.games.views.blueprint import bp
from scorekeeper.games.views.responses import to_board
from scorekeeper.i18n.catalog import N_
from scorekeeper.web.errors import Problem, error_page
from scorekeeper.web.links import code_of, only_here
from scorekeeper.web.request_log import WRONG_LINK, refused_because

DEAD = Problem(
    N_("This link no longer works"),
    N_("It was already used, it was removed, or it is more than a day old. Nothing was changed."),
    N_("Get a new one from the phone that started the game: Menu, then Add a scorer."),
)


@bp.post("/games/<game_id>/score-links")
def make_link(game_id: str) -> Response:
    secret = sharing.make_link(public_id=game_id, device=this_device() or "")
    url = url_for("games.join", secret=secret, _external=True)
    page = pages.ScoreLinkPage(
        game_id=game_id,
        url=url,
        code=code_of(url),
        note=only_here(),
        hours=round(sharing.LINK_LASTS.total_seconds() / 3600),
    )
    response = make_response(render_template("games/score_link.html", page=page))
    response.headers["Cache-Control"] = "no-store"
    return response


@bp.post("/games/<game_id>/score-links/void")
def take_link_back(game_id: str) -> AnyResponse:
    sharing.remove_link(public_id=game_id, device=this_device() or "")
    return _to_table(game_id, "score")


@bp.post("/games/<game_id>/phones/<int:phone_id>/void")
def send_away(game_id: str, phone_id: int) -> AnyResponse:
    sharing.remove_scorer(public_id=game_id, device=this_device() or "", scorer=phone_id)
    return _to_table(game_id, "score")


@bp.post("/games/<game_id>/watching")
def let_watch(game_id: str) -> AnyResponse:
    sharing.set_watching(public_id=game_id, device=this_device() or "", allowed=True)
    return _to_table(game_id, "watch")


@bp.post("/games/<game_id>/watching/void")
def stop_watching(game_id: str) -> AnyResponse:
    sharing.set_watching(public_id=game_id, device=this_device() or "", allowed=False)
    return _to_table(game_id, "watch")


@bp.get("/score/<secret>")
def join(secret: str) -> AnyResponse:
    """Show a page that asks for confirmation before the phone joins a game.

    Without the confirmation, a link preview in a chat would use up the link.
    """
    try:
        invitation = sharing.open_link(secret=secret, device=this_device())
    except sharing.DeadLinkError:
        return _dead_link()
    if invitation.standing >= AccessLevel.SCORES:
        return to_board(invitation.game_id)
    page = queries.join_page(invitation.game_id, secret)
    return make_response(render_template("games/join.html", page=page))


@bp.post("/score")
def let_in() -> AnyResponse:
    form = JoinForm()
    secret = form.secret.data or ""
    try:
        sharing.open_link(secret=secret, device=this_device())
        game_id = sharing.join_game(secret=secret, device=known_device(), seat=read_seat(form.seat.data or ""))
    except sharing.DeadLinkError:
        return _dead_link()
    return to_board(game_id)


def _dead_link() -> Response:
    refused_because(WRONG_LINK)
    return error_page(DEAD, 404)


def _to_table(game_id: str, part: str) -> AnyResponse:
    return redirect(f"{url_for('games.table', game_id=game_id)}?{part}=1#{part}", 303)
