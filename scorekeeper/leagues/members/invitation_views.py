"""An invitation to work for a league, as who got it sees it: looked at, and taken."""

from __future__ import annotations

from flask import Response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts import sessions
from scorekeeper.accounts.credentials import Refused, check_new, checked_name
from scorekeeper.accounts.devices import known_device
from scorekeeper.accounts.passwords import hashed
from scorekeeper.accounts.queries import name_of
from scorekeeper.accounts.sessions import this_session
from scorekeeper.accounts.views.requests import keep_session, strangers_turn, this_caller, told
from scorekeeper.accounts.views.sign_in import show_code
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import kept_nowhere
from scorekeeper.leagues.members import invitations
from scorekeeper.leagues.members.forms import InvitationForm, InvitedSignUpForm
from scorekeeper.leagues.members.invitations import DeadInvitationError, Invited
from scorekeeper.leagues.members.pages import InvitationPage
from scorekeeper.leagues.members.queries import SAYS, label_of
from scorekeeper.web.errors import Problem, Way, error_page
from scorekeeper.web.rate_limit import SIGN_UP, spend
from scorekeeper.web.request_log import WRONG_LINK, refused_because

DEAD = Problem(
    N_("This invitation opens nothing"),
    N_("It was used already, taken back, or is older than two weeks. Nothing was changed."),
    N_("If you used it yourself, the league is in your account. Else ask an owner of it for a new one."),
)


@bp.get("/invitations/<secret>")
def invitation(secret: str) -> Response:
    """Ask first: programs that only preview an address open it too, and must not use it up."""
    try:
        return _asked(invitations.invited(word=secret), secret)
    except DeadInvitationError:
        return _dead()


@bp.post("/invitations")
def accept() -> AnyResponse:
    """Take an invitation as who is signed in; who is not is asked to."""
    secret = InvitationForm().secret.data or ""
    session = this_session()
    if session is None:
        return redirect(url_for("leagues.invitation", secret=secret), 303)
    try:
        league = invitations.accept(word=secret, account=session.account, device=known_device())
    except DeadInvitationError:
        return _dead()
    keep_session(sessions.renew(session_id=session.id))
    return redirect(url_for("leagues.league", league_id=league), 303)


@bp.post("/invitations/account")
def accept_anew() -> AnyResponse:
    """Make an account for whom was invited, also where nobody else may, and take the invitation with it."""
    form = InvitedSignUpForm()
    secret, password = form.secret.data or "", form.new_password.data
    try:
        given = invitations.invited(word=secret)
        called = checked_name(form.username.data)
        check_new(password, called)
        spend(SIGN_UP, f"invitation {secret}")  # not by address: a hall shares one
        with strangers_turn():
            opened = invitations.accept_anew(word=secret, name=called, password=hashed(password), caller=this_caller())
    except DeadInvitationError:
        return _dead()
    except Refused as refused:
        form.refuse(refused.field, refused.says)
        return _asked(given, secret, form)
    return show_code(opened, url_for("leagues.league", league_id=given.league))


def _asked(given: Invited, secret: str, form: InvitedSignUpForm | None = None) -> Response:
    session = this_session()
    page = InvitationPage(
        league=given.name,
        label=label_of(given.role),
        says=_(SAYS[given.role]),
        secret=secret,
        signed_in="" if session is None else name_of(session.account),
    )
    blank = InvitedSignUpForm(formdata=None, secret=secret, username=given.called)
    shown = render_template("leagues/invitation.html", page=page, form=form or blank, **told())
    return kept_nowhere(shown, 422 if form else 200)


def _dead() -> Response:
    refused_because(WRONG_LINK)
    to_leagues = url_for("leagues.home")
    if this_session() is not None:
        return error_page(DEAD, 404, on=Way(_("Leagues"), to_leagues))
    return error_page(DEAD, 404, on=Way(_("Sign in"), url_for("accounts.sign_in", back=to_leagues)))
