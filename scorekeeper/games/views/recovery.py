"""Take over a game or a home table from a lost phone with its backup code."""

from __future__ import annotations

from flask import current_app, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games.forms.sharing import RecoveryForm
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.services import recovery, table_recovery
from scorekeeper.games.views.blueprint import bp
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.web.rate_limit import (
    CODE_BY_ADDRESS,
    CODE_BY_GAME,
    CODE_BY_NETWORK,
    CODE_FIRST,
    count,
    limited,
    spend,
    surroundings,
)
from scorekeeper.web.request_log import refused_because

NO_CODE = N_(
    "That isn't a valid code. "
    "A code has twelve letters and digits, like kmpt-7wxn-4rqh. It never contains A, E, I, L, O, U, Y, 0 or 1."
)
WRONG = N_("No game has that code. Check it for a mistake. A newer code may also have replaced it.")


@bp.get("/recovery")
def lost_phone() -> str:
    return render_template("games/recovery.html", form=RecoveryForm())


@bp.post("/recovery")
@limited(CODE_BY_ADDRESS)
@limited(CODE_BY_NETWORK, by=surroundings)
def recover() -> AnyResponse:
    form = RecoveryForm()
    code = recovery.read_code(form.code.data or "")
    if code is None:
        return _again(form, NO_CODE)
    if count(CODE_FIRST, surroundings()):
        spend(CODE_BY_GAME, recovery.place_of(code))
    key = current_app.config["SECRET_KEY"]
    try:
        if table_recovery.is_table_code(code, key):
            table_recovery.take_over_table(code=code, key=key, device=known_device())
            return redirect(url_for("games.table_phones"), 303)
        if not recovery.is_good(code, key):
            raise recovery.WrongCodeError
        game_id = recovery.take_over(code=code, key=key, device=known_device())
    except recovery.WrongCodeError:
        refused_because("wrong code")
        return _again(form, WRONG)
    return redirect(f"{url_for('games.table', game_id=game_id)}?lost=1&score=1#lost", 303)


@bp.post("/games/<game_id>/recovery")
def new_code(game_id: str) -> AnyResponse:
    recovery.make_code(public_id=game_id, device=this_device() or "")
    return redirect(f"{url_for('games.table', game_id=game_id)}?lost=1#lost", 303)


def first_code(snapshot: Snapshot) -> str:
    """Return a sentence with the backup code for a phone that has just started the game, or "" in all other cases."""
    if not snapshot.started or snapshot.game.version > 1:
        return ""
    code = recovery.code_of(snapshot.public_id, current_app.config["SECRET_KEY"])
    # People copy it by hand, so it must not break over two lines.
    spelled = recovery.spelled(code).replace("-", "\N{NON-BREAKING HYPHEN}")
    return _("Backup code, in case this phone is lost. Write this down: %(code)s", code=spelled) if code else ""


def _again(form: RecoveryForm, error: str) -> AnyResponse:
    form.refuse("code", _(error))
    return make_response(render_template("games/recovery.html", form=form), 422)
