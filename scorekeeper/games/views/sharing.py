"""Share a home table (a group that plays at home) by links, and show its phones and its backup code.

Add and remove scorers, and turn watching on or off.

Take over a game or a home table from a lost phone with its backup code.
"""

from datetime import UTC, datetime
from types import SimpleNamespace

from flask import Response, current_app, make_response, redirect, render_template, url_for
from werkzeug.exceptions import Forbidden, NotFound
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games import queries, table_queries
from scorekeeper.games.forms.base import JoinForm, RecoveryForm, read_seat
from scorekeeper.games.forms.our_table import ShowOddsForm, SwitchTableForm, TableLinkForm
from scorekeeper.games.services import recovery, sharing
from scorekeeper.games.services.sharing import LINK_LASTS, DeadLinkError, NoTableError, NotTheKeeperError
from scorekeeper.games.store.access import AccessLevel
from scorekeeper.games.views.blueprint import bp, to_board
from scorekeeper.games.views.start import table_ways
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.errors import Problem, error_page, expected
from scorekeeper.web.links import code_of, only_here
from scorekeeper.web.rate_limit import (
    CODE_BY_ADDRESS,
    CODE_BY_GAME,
    CODE_BY_NETWORK,
    CODE_FIRST,
    HANDS,
    count,
    limited,
    spend,
    surroundings,
)
from scorekeeper.web.request_log import WRONG_LINK, refused_because

DEAD_TABLE_LINK = Problem(
    N_("This link no longer works"),
    N_("It was already used, it was removed, or it is more than a day old. Nothing was changed."),
    N_("Get a new one from the table's main phone: Our table, then Share the table."),
)
NOT_KEEPER = N_("Only the table's main phone can do this.")


@bp.errorhandler(NotTheKeeperError)
def not_the_keeper(error: NotTheKeeperError) -> Response:
    return expected(Forbidden(description=_(NOT_KEEPER)))


@bp.errorhandler(NoTableError)
def no_table(error: NoTableError) -> Response:
    return expected(NotFound(description=_("This phone has no table yet. Start a game first.")))


@bp.get("/table/phones")
def table_phones() -> AnyResponse:
    return _phones_page()


def _phones_page(violation: RuleViolation | None = None) -> AnyResponse:
    error = spoken(violation.message) if violation else ""
    page = table_queries.table_phones_page(this_device(), current_app.config["SECRET_KEY"], error=error)
    if page is None:
        return redirect(url_for("games.our_table"), 303)
    return make_response(
        render_template("games/our_table/phones.html", page=page, ways=table_ways()), 422 if error else 200
    )


@bp.post("/table/links")
@limited(HANDS)
def make_table_link() -> Response:
    score = TableLinkForm().score.data == "1"
    secret = sharing.make_table_link(device=this_device() or "", may_score=score)
    url = url_for("games.open_table", secret=secret, _external=True)
    response = make_response(
        render_template(
            "games/our_table/link.html",
            url=url,
            code=code_of(url),
            note=only_here(),
            hours=round(LINK_LASTS.total_seconds() / 3600),
            score=score,
        )
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@bp.post("/table/links/void")
@limited(HANDS)
def remove_table_link() -> AnyResponse:
    sharing.remove_table_link(device=this_device() or "")
    return _to_phones()


@bp.get("/table/join/<secret>")
def open_table(secret: str) -> AnyResponse:
    """Show a page that asks for confirmation before the phone joins a home table.

    Without the confirmation, a link preview in a chat would use up the link.
    """
    try:
        invitation = sharing.open_table_link(secret=secret, device=this_device())
    except DeadLinkError:
        return _dead_link()
    if invitation.joined:
        return redirect(url_for("games.our_table"), 303)
    page = table_queries.join_table_page(secret, invitation.table, may_score=invitation.may_score)
    return make_response(render_template("games/our_table/join.html", page=page))


@bp.post("/table/join")
@limited(HANDS)
def join_table() -> AnyResponse:
    secret = TableLinkForm().secret.data or ""
    try:
        sharing.open_table_link(secret=secret, device=this_device())
        sharing.join_table(secret=secret, device=known_device())
    except DeadLinkError:
        return _dead_link()
    except RuleViolation as violation:
        return error_page(
            Problem(
                N_("That doesn't work"),
                spoken(violation.message),
                N_("On the table's main phone, open Our table and then Share the table."),
            ),
            422,
        )
    return redirect(url_for("games.our_table"), 303)


@bp.post("/table/phones/<int:phone_id>/void")
@limited(HANDS)
def remove_table_phone(phone_id: int) -> AnyResponse:
    sharing.remove_phone(device=this_device() or "", phone=phone_id)
    return _to_phones()


@bp.post("/table/phones/<int:phone_id>")
@limited(HANDS)
def change_table_phone(phone_id: int) -> AnyResponse:
    score = TableLinkForm().score.data == "1"
    sharing.let_score(device=this_device() or "", phone=phone_id, may_score=score)
    return _to_phones()


@bp.post("/table/chances")
@limited(HANDS)
def show_odds() -> AnyResponse:
    sharing.show_odds(device=this_device() or "", shown=ShowOddsForm().show.data == "1")
    return redirect(url_for("games.table_phones", _anchor="chances"), 303)


@bp.post("/table/leaving")
@limited(HANDS)
def leave_table() -> AnyResponse:
    try:
        sharing.leave_table(device=this_device() or "")
    except RuleViolation as violation:
        return _phones_page(violation)
    return redirect(url_for("games.home"), 303)


@bp.post("/table/switch")
@limited(HANDS)
def switch_table() -> AnyResponse:
    sharing.switch_table(device=this_device() or "", public_id=SwitchTableForm().table.data or "")
    return redirect(url_for("games.our_table"), 303)


@bp.post("/table/code")
@limited(HANDS)
def make_table_code() -> AnyResponse:
    recovery.make_table_code(device=this_device() or "")
    return redirect(url_for("games.table_phones", _anchor="code"), 303)


def _dead_link() -> Response:
    refused_because(WRONG_LINK)
    return error_page(DEAD_TABLE_LINK, 404)


def _to_phones() -> AnyResponse:
    return redirect(url_for("games.table_phones"), 303)


DEAD = Problem(
    N_("This link no longer works"),
    N_("It was already used, it was removed, or it is more than a day old. Nothing was changed."),
    N_("Get a new one from the phone that started the game: Menu, then Add a scorer."),
)


@bp.post("/games/<game_id>/score-links")
def make_link(game_id: str) -> Response:
    secret = sharing.make_link(public_id=game_id, device=this_device() or "")
    url = url_for("games.join", secret=secret, _external=True)
    page = SimpleNamespace(
        game_id=game_id,
        url=url,
        code=code_of(url),
        # A warning if the address works on this computer only; else empty.
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


def _to_table(game_id: str, part: str) -> AnyResponse:
    return redirect(f"{url_for('games.table', game_id=game_id)}?{part}=1#{part}", 303)


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
        if recovery.is_table_code(code, key):
            recovery.take_over_table(code=code, key=key, device=known_device())
            return redirect(url_for("games.table_phones"), 303)
        if not recovery.is_good(code, key):
            raise recovery.WrongCodeError
        game_id = recovery.take_over(code=code, key=key, device=known_device())
    except recovery.WrongCodeError:
        refused_because("wrong code")
        return _again(form, WRONG)
    return redirect(f"{url_for('games.table', game_id=game_id)}?lost=1&score=1#lost", 303)


@bp.post("/games/<game_id>/recovery/noted")
def note_code(game_id: str) -> AnyResponse:
    recovery.note_down(public_id=game_id, device=this_device() or "", now=datetime.now(UTC))
    return to_board(game_id)


@bp.post("/games/<game_id>/recovery")
def new_code(game_id: str) -> AnyResponse:
    recovery.make_code(public_id=game_id, device=this_device() or "")
    return redirect(f"{url_for('games.table', game_id=game_id)}?lost=1#lost", 303)


def _again(form: RecoveryForm, error: str) -> AnyResponse:
    form.refuse("code", _(error))
    return make_response(render_template("games/recovery.html", form=form), 422)
