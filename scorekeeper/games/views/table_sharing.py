"""Share a home table (a group that plays at home) by links, and show its phones and its backup code."""

from __future__ import annotations

from flask import Response, current_app, make_response, redirect, render_template, url_for
from werkzeug.exceptions import Forbidden, NotFound
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games import table_queries
from scorekeeper.games.forms.our_table import ShowOddsForm, SwitchTableForm, TableLinkForm
from scorekeeper.games.services import table_recovery, table_sharing
from scorekeeper.games.services.sharing import LINK_LASTS, DeadLinkError
from scorekeeper.games.services.table_sharing import NoTableError, NotTheKeeperError
from scorekeeper.games.views.blueprint import bp
from scorekeeper.games.views.home_parts import table_ways
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.errors import Problem, error_page, expected
from scorekeeper.web.links import code_of, only_here
from scorekeeper.web.rate_limit import HANDS, limited
from scorekeeper.web.request_log import WRONG_LINK, refused_because

DEAD = Problem(
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
    secret = table_sharing.make_table_link(device=this_device() or "", may_score=score)
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
    table_sharing.remove_table_link(device=this_device() or "")
    return _to_phones()


@bp.get("/table/join/<secret>")
def open_table(secret: str) -> AnyResponse:
    """Show a page that asks for confirmation before the phone joins a home table.

    Without the confirmation, a link preview in a chat would use up the link.
    """
    try:
        invitation = table_sharing.open_table_link(secret=secret, device=this_device())
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
        table_sharing.open_table_link(secret=secret, device=this_device())
        table_sharing.join_table(secret=secret, device=known_device())
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
    table_sharing.remove_phone(device=this_device() or "", phone=phone_id)
    return _to_phones()


@bp.post("/table/phones/<int:phone_id>")
@limited(HANDS)
def change_table_phone(phone_id: int) -> AnyResponse:
    score = TableLinkForm().score.data == "1"
    table_sharing.let_score(device=this_device() or "", phone=phone_id, may_score=score)
    return _to_phones()


@bp.post("/table/chances")
@limited(HANDS)
def show_odds() -> AnyResponse:
    table_sharing.show_odds(device=this_device() or "", shown=ShowOddsForm().show.data == "1")
    return redirect(url_for("games.table_phones", _anchor="chances"), 303)


@bp.post("/table/leaving")
@limited(HANDS)
def leave_table() -> AnyResponse:
    try:
        table_sharing.leave_table(device=this_device() or "")
    except RuleViolation as violation:
        return _phones_page(violation)
    return redirect(url_for("games.home"), 303)


@bp.post("/table/switch")
@limited(HANDS)
def switch_table() -> AnyResponse:
    table_sharing.switch_table(device=this_device() or "", public_id=SwitchTableForm().table.data or "")
    return redirect(url_for("games.our_table"), 303)


@bp.post("/table/code")
@limited(HANDS)
def make_table_code() -> AnyResponse:
    table_recovery.make_table_code(device=this_device() or "")
    return redirect(url_for("games.table_phones", _anchor="code"), 303)


def _dead_link() -> Response:
    refused_because(WRONG_LINK)
    return error_page(DEAD, 404)


def _to_phones() -> AnyResponse:
    return redirect(url_for("games.table_phones"), 303)
