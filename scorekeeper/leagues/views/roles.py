"""Who works for a league: invited, changed, sent away; and the page that an invitation opens."""

from __future__ import annotations

import io

import segno
from flask import Response, make_response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts import sessions
from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.accounts.names import checked_name
from scorekeeper.accounts.passwords import check_new, hashed
from scorekeeper.accounts.queries import name_of
from scorekeeper.accounts.refusal import Refused
from scorekeeper.accounts.sessions import this_session
from scorekeeper.accounts.views.asked import keep_session, this_caller, typed, typed_name
from scorekeeper.accounts.views.blueprint import told
from scorekeeper.accounts.views.door import show_code
from scorekeeper.extensions import db
from scorekeeper.games.forms import plain
from scorekeeper.language import N_, _, spoken
from scorekeeper.leagues import handover, inviting
from scorekeeper.leagues.access import league_at
from scorekeeper.leagues.inviting import DeadInvitationError, Invited
from scorekeeper.leagues.pages.roles import InvitationLinkPage, InvitationPage
from scorekeeper.leagues.queries.league import head_of
from scorekeeper.leagues.queries.roles import SAYS, label_of, roles_page
from scorekeeper.leagues.roles import role_named
from scorekeeper.leagues.views.blueprint import bp
from scorekeeper.operating.requests import WRONG_LINK, refused_because
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.errors import Problem, error_page
from scorekeeper.web.limits import SIGN_UP, asker, spend

DEAD = Problem(
    N_("This invitation opens nothing"),
    N_("It was used already, taken back, or is older than two weeks. Nothing was changed."),
    N_("Ask an owner of the league for a new one."),
)


@bp.get("/leagues/<league_id>/roles")
def roles(league_id: str) -> Response:
    return _shown(render_template("leagues/roles.html", page=roles_page(league_id, this_device())))


@bp.post("/leagues/<league_id>/invitations")
def invite(league_id: str) -> Response:
    """Show the link this once, so the answer to the form is the page itself."""
    called, chosen = plain(request.form).get("called", "").strip(), request.form.get("role", "")
    role = role_named(chosen)
    try:
        word = inviting.invite(league=league_id, role=role, called=called, device=this_device() or "")
    except RuleViolation as violation:
        page = roles_page(league_id, this_device(), called=called[:40], chosen=chosen, error=spoken(violation.message))
        return _shown(render_template("leagues/roles.html", page=page), 422)
    url = url_for("leagues.invitation", secret=word, _external=True)
    drawn = io.BytesIO()
    segno.make(url, micro=False).save(
        drawn, kind="svg", border=4, light="#fff", xmldecl=False, svgns=False, omitsize=True
    )
    link = InvitationLinkPage(
        league=head_of(league_at(db.session(), league_id), this_device()),
        called=called,
        label=label_of(role),
        says=_(SAYS[role]),
        url=url,
        code=Markup(drawn.getvalue().decode()),  # noqa: S704 -- drawn here, of squares
        days=inviting.LASTS.days,
    )
    return _shown(render_template("leagues/invitation_link.html", page=link))


@bp.post("/leagues/<league_id>/invitations/<int:invitation_id>/void")
def take_invitation_back(league_id: str, invitation_id: int) -> AnyResponse:
    inviting.take_back(league=league_id, invitation=invitation_id, device=this_device() or "")
    return redirect(url_for("leagues.roles", league_id=league_id), 303)


@bp.post("/leagues/<league_id>/roles/<int:role_id>")
def change_role(league_id: str, role_id: int) -> AnyResponse:
    """Lead on to the league for who gave their own role away: nothing else of it is theirs."""
    role = role_named(request.form.get("role", ""))
    inviting.change_role(league=league_id, member=role_id, role=role, device=this_device() or "")
    still = head_of(league_at(db.session(), league_id), this_device()).owns
    return redirect(url_for("leagues.roles" if still else "leagues.league", league_id=league_id), 303)


@bp.post("/leagues/<league_id>/device/void")
def release_device(league_id: str) -> AnyResponse:
    try:
        handover.release(league=league_id, device=this_device() or "")
    except RuleViolation as violation:
        page = roles_page(league_id, this_device(), device_error=spoken(violation.message))
        return _shown(render_template("leagues/roles.html", page=page), 422)
    still = head_of(league_at(db.session(), league_id), this_device()).owns
    return redirect(url_for("leagues.roles" if still else "leagues.league", league_id=league_id), 303)


@bp.get("/invitations/<secret>")
def invitation(secret: str) -> Response:
    """Ask first: programs that only preview an address open it too, and must not use it up."""
    try:
        return _asked(inviting.invited(word=secret), secret)
    except DeadInvitationError:
        return _dead()


@bp.post("/invitations")
def accept() -> AnyResponse:
    """Take an invitation as who is signed in; who is not is asked to."""
    secret = request.form.get("secret", "")
    session = this_session()
    if session is None:
        return redirect(url_for("leagues.invitation", secret=secret), 303)
    try:
        league = inviting.accept(word=secret, account=session.account, device=known_device())
    except DeadInvitationError:
        return _dead()
    keep_session(sessions.renew(session_id=session.id))
    return redirect(url_for("leagues.league", league_id=league), 303)


@bp.post("/invitations/account")
def accept_anew() -> AnyResponse:
    """Make an account for whom was invited, also where nobody else may, and take the invitation with it."""
    secret, name, password = request.form.get("secret", ""), typed_name(), typed("new-password")
    try:
        given = inviting.invited(word=secret)
        called = checked_name(name)
        check_new(password, called)
        spend(SIGN_UP, asker())
        opened = inviting.accept_anew(word=secret, name=called, password=hashed(password), caller=this_caller())
    except DeadInvitationError:
        return _dead()
    except Refused as refused:
        return _asked(given, secret, name=name, errors={refused.field: refused.says}, status=422)
    return show_code(opened, url_for("leagues.league", league_id=given.league))


def _asked(
    given: Invited, secret: str, *, name: str = "", errors: dict[str, str] | None = None, status: int = 200
) -> Response:
    session = this_session()
    page = InvitationPage(
        league=given.name,
        label=label_of(given.role),
        says=_(SAYS[given.role]),
        secret=secret,
        signed_in="" if session is None else name_of(session.account),
        name=name or given.called,
        errors=errors or {},
    )
    return _shown(render_template("leagues/invitation.html", page=page, **told()), status)


def _shown(page: str, status: int = 200) -> Response:
    """Return a page that no cache keeps: names of accounts and addresses that open something stand on it."""
    response = make_response(page, status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _dead() -> Response:
    refused_because(WRONG_LINK)
    return error_page(DEAD, 404)
