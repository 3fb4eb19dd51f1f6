"""Show "Our table", the pages of a home table (a group that plays at home): results, people, and all games."""

from __future__ import annotations

from flask import Response, abort, make_response, redirect, render_template, url_for
from werkzeug.exceptions import Forbidden
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import table_queries
from scorekeeper.games.forms.our_table import Asked, PickedGamesForm, asked_games
from scorekeeper.games.services.table_history import CHANGES, NotYourTableError, change_games
from scorekeeper.games.table_queries import NoSuchPlayerError
from scorekeeper.games.views.blueprint import bp
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.web.errors import expected
from scorekeeper.web.rate_limit import COSTLY, HANDS, asker, limited, spend

ONLY_LOOKS = N_(
    "This phone can see the table but not change it. "
    "To keep score, get a link from the table's main phone: Our table, then Share the table."
)


@bp.errorhandler(NotYourTableError)
def not_your_table(error: NotYourTableError) -> Response:
    return expected(Forbidden(description=_(ONLY_LOOKS)))


def _asked() -> Asked:
    """Return the filter in the query string of the current request.

    If the statistics aren't in the cache, the request counts toward the limit of costly requests.
    """
    asked = asked_games()
    if asked.recounts:
        spend(COSTLY, asker())
    return asked


@bp.get("/table")
def our_table() -> str:
    return render_template("games/our_table/table.html", page=table_queries.our_table_page(this_device(), _asked()))


@bp.get("/table/players/<player_id>")
def table_player(player_id: str) -> AnyResponse:
    try:
        page = table_queries.player_page(this_device(), player_id, _asked())
    except NoSuchPlayerError:
        abort(404, description=_("That player isn't at this phone's table."))
    return make_response(render_template("games/our_table/player.html", page=page))


@bp.get("/table/games")
def table_history() -> str:
    return render_template("games/our_table/history.html", page=table_queries.history_page(this_device(), _asked()))


@bp.post("/table/games")
@limited(HANDS)
def change_table_games() -> AnyResponse:
    form = PickedGamesForm()
    do = form.do.data or ""
    if do not in CHANGES:
        abort(422, description=_("Choose what to do with the games. Nothing was changed."))
    change_games(do=do, public_ids=form.chosen, device=this_device() or "")
    # Restored and shown games are in the list of all games.
    return redirect(url_for("games.table_history"), 303)
