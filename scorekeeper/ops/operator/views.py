"""Forms of the operator's page.

Show the operator's page and carry out what it offers.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse
from wtforms import IntegerField, StringField

from scorekeeper.accounts import service
from scorekeeper.accounts.devices import send_device
from scorekeeper.accounts.passwords import Refused
from scorekeeper.accounts.queries import is_operator
from scorekeeper.accounts.service import LINK_LASTS
from scorekeeper.accounts.sessions import NotSignedInError, SignedIn, send_session
from scorekeeper.accounts.views import freshly_signed_in, signed_in
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.leagues.core import unit_of_work
from scorekeeper.leagues.core.access import NoSuchLeagueError
from scorekeeper.leagues.core.blueprint import kept_nowhere
from scorekeeper.ops.operator.queries import DirectorLink, server_page
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import LONGEST_SENTENCE, turn_maintenance
from scorekeeper.web.forms import AppForm, at_most, printable
from scorekeeper.web.links import code_of, only_here


class SearchForm(AppForm):
    """The search for a league, in the address of the page."""

    q = StringField(default="", filters=[printable, str.strip, at_most(60)])
    page = IntegerField(default=1)


class BecauseForm(AppForm):
    """A sentence for players: why a league is turned off, or why saving is paused."""

    because = StringField(N_("Reason"), default="", filters=[printable, str.strip, at_most(LONGEST_SENTENCE)])


class NewDirectorForm(AppForm):
    """The name of a new director."""

    name = StringField(
        N_("Name"),
        default="",
        filters=[printable, at_most(100)],
        render_kw={"maxlength": 40, "autocomplete": "off", "dir": "auto", "required": True},
    )


bp = Blueprint("operator", __name__)
bp.after_request(send_session)
bp.after_request(send_device)


@bp.errorhandler(NotSignedInError)
def ask_to_sign_in(_error: NotSignedInError) -> AnyResponse:
    """Redirect to the sign-in page. After the sign-in, the browser returns to the operator's page."""
    return redirect(url_for("accounts.sign_in", back=url_for("operator.overview")), 303)


@bp.errorhandler(NoSuchLeagueError)
def no_such_league(_error: NoSuchLeagueError) -> AnyResponse:
    abort(404)


@bp.get("/server")
def overview() -> Response:
    """Show the server's health and its leagues to an operator."""
    return _overview(operator())


@bp.post("/server/leagues/<league_id>/off")
def turn_off(league_id: str) -> AnyResponse:
    """Turn a league off, for a reason that everyone who opens the league sees."""
    session = operator(freshly_signed_in())
    try:
        unit_of_work.turn(league=league_id, because=BecauseForm().because.data or "")
    except RuleViolation as violation:
        return _overview(session, errors={league_id: spoken(violation.message)})
    return _back_to(league_id)


@bp.post("/server/leagues/<league_id>/on")
def turn_on(league_id: str) -> AnyResponse:
    """Turn a league on again."""
    operator(freshly_signed_in())
    unit_of_work.turn(league=league_id, because=None)
    return _back_to(league_id)


@bp.post("/server/maintenance")
def pause() -> AnyResponse:
    """Turn on maintenance mode."""
    operator(freshly_signed_in())
    turn_maintenance(because=BecauseForm().because.data or "")
    return redirect(url_for("operator.overview", _anchor="saving"), 303)


@bp.post("/server/maintenance/end")
def resume() -> AnyResponse:
    """Turn off maintenance mode. An older sign-in is enough, because nobody can sign in during maintenance."""
    operator()
    turn_maintenance(because=None)
    return redirect(url_for("operator.overview", _anchor="saving"), 303)


@bp.post("/server/directors")
def invite() -> AnyResponse:
    """Create an account for a new director, and show the link that opens it. The link is shown only now."""
    session = operator(freshly_signed_in())
    form = NewDirectorForm()
    called = form.name.data or ""
    try:
        word = service.add_account(name=called)
    except Refused as refused:
        form.refuse("name", refused.says)
        return _overview(session, form)
    url = url_for("accounts.open_by_link", word=word, _external=True)
    link = DirectorLink(called, url, code_of(url), LINK_LASTS.days, only_here())
    return kept_nowhere(render_template("operator/director_link.html", page=link))


def _back_to(league_id: str) -> AnyResponse:
    """Redirect to the page and the search from which a league was changed."""
    asked = SearchForm(formdata=request.args)
    page = (asked.page.data or 1) if "page" in request.args else None
    return redirect(url_for("operator.overview", q=asked.q.data or None, page=page, _anchor=f"league-{league_id}"), 303)


def operator(session: SignedIn | None = None) -> SignedIn:
    """Return the session of this request, which may be given as `session`. Abort with 403 if it isn't an operator's.

    Raises `NotSignedInError` if nobody is signed in.
    """
    session = session or signed_in()
    if not is_operator(session.account):
        abort(403, description=_("Only the person who runs this server can open this page."))
    return session


def _overview(
    session: SignedIn, form: NewDirectorForm | None = None, errors: Mapping[str, str] | None = None
) -> Response:
    asked = SearchForm(formdata=request.args)
    page = server_page(
        current_app,
        search=asked.q.data or "",
        number=asked.page.data or 1,
        fresh=session.fresh(datetime.now(UTC)),
        errors=errors or {},
    )
    shown = render_template("operator/server.html", page=page, form=form or NewDirectorForm(formdata=None))
    return kept_nowhere(shown, 422 if form or errors else 200)
