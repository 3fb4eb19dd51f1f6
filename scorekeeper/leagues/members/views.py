"""Forms for roles and invitations.

Pages for roles, invitations and deleting an account.
"""

from types import SimpleNamespace

from flask import Response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse
from wtforms import HiddenField, StringField

from scorekeeper.accounts import sessions
from scorekeeper.accounts.devices import known_device, this_actor, this_device
from scorekeeper.accounts.forms import SignUpForm
from scorekeeper.accounts.passwords import Refused, check_new, checked_name, hashed
from scorekeeper.accounts.queries import name_of
from scorekeeper.accounts.sessions import NotSignedInError, this_session
from scorekeeper.accounts.views import (
    freshly_signed_in,
    keep_session,
    show_code,
    signed_out,
    strangers_turn,
    this_caller,
    told,
)
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.leagues.core.access import head_of, league_at
from scorekeeper.leagues.core.blueprint import bp, kept_nowhere
from scorekeeper.leagues.core.roles import INVITATION_LASTS, Role, role_named, word_of
from scorekeeper.leagues.members import service
from scorekeeper.leagues.members.queries import SAYS, label_of, leaving_page, roles_page
from scorekeeper.leagues.members.service import DeadInvitationError, Invited
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.errors import Problem, Way, error_page
from scorekeeper.web.extensions import db
from scorekeeper.web.forms import AppForm, at_most, printable
from scorekeeper.web.links import code_of, only_here
from scorekeeper.web.rate_limit import SIGN_UP, spend
from scorekeeper.web.request_log import WRONG_LINK, refused_because

LONGEST = 100
"""Most characters of a posted token that are read; the token of an invitation has fewer."""


class InvitationForm(AppForm):
    """The form to accept an invitation with the signed-in account."""

    secret = HiddenField(default="", filters=[at_most(LONGEST)])


class InvitedSignUpForm(SignUpForm, InvitationForm):
    """The form to accept an invitation with a new account."""


class RoleForm(AppForm):
    """The form to choose a role."""

    role = StringField()

    @property
    def chosen(self) -> Role:
        """Return the chosen role, or `NOBODY` if the value is unknown."""
        return role_named(self.role.data or "")


class InviteForm(RoleForm):
    """The form to invite a person to a role."""

    called = StringField(
        N_("Name"),
        filters=[printable, str.strip],
        render_kw={
            "maxlength": 40,
            "required": True,
            "dir": "auto",
            "autocomplete": "off",
            "autocapitalize": "words",
            "spellcheck": "false",
        },
    )


@bp.get("/leagues/<league_id>/roles")
def roles(league_id: str) -> Response:
    return _roles(league_id)


@bp.post("/leagues/<league_id>/invitations")
def invite(league_id: str) -> Response:
    """Create an invitation and show its link. The link is shown only now, because its token is not stored."""
    form = InviteForm()
    role, called = form.chosen, form.called.data or ""
    try:
        word = service.invite(league=league_id, role=role, called=called, device=this_device() or "")
    except RuleViolation as violation:
        form.called.data = called[:40]
        form.refuse("called", spoken(violation.message))
        return _roles(league_id, form)
    url = url_for("leagues.invitation", secret=word, _external=True)
    link = SimpleNamespace(
        league=head_of(league_at(db.session(), league_id), this_device()),
        called=called,
        label=label_of(role),
        says=_(SAYS[role]),
        url=url,
        code=code_of(url),
        days=INVITATION_LASTS.days,
        # Warning that other phones can't open the link; empty if they can.
        note=only_here(),
    )
    return kept_nowhere(render_template("leagues/members/invitation_link.html", page=link))


@bp.post("/leagues/<league_id>/invitations/<int:invitation_id>/void")
def take_invitation_back(league_id: str, invitation_id: int) -> AnyResponse:
    service.take_back(league=league_id, invitation=invitation_id, device=this_device() or "")
    return redirect(url_for("leagues.roles", league_id=league_id), 303)


@bp.post("/leagues/<league_id>/roles/<int:role_id>")
def change_role(league_id: str, role_id: int) -> AnyResponse:
    role = RoleForm().chosen
    service.change_role(league=league_id, member=role_id, role=role, device=this_device() or "")
    return _back(league_id)


@bp.post("/leagues/<league_id>/device/void")
def release_device(league_id: str) -> AnyResponse:
    try:
        service.release(league=league_id, device=this_device() or "")
    except RuleViolation as violation:
        return _roles(league_id, device_error=spoken(violation.message))
    return _back(league_id)


def _roles(league_id: str, form: InviteForm | None = None, device_error: str = "") -> Response:
    """Return the page of roles. If `form` is given, the invitation form shows its refused values again.

    `device_error` says why the league's device couldn't be removed, or is "".
    """
    page = roles_page(league_id, this_device(), device_error=device_error)
    blank = InviteForm(formdata=None, role=word_of(Role.HELPER))
    shown = render_template("leagues/members/roles.html", page=page, form=form or blank)
    return kept_nowhere(shown, 422 if form or device_error else 200)


def _back(league_id: str) -> AnyResponse:
    """Redirect to the page of roles after a change.

    Readers who gave up their own role as owner are redirected to the league's page.
    """
    still = head_of(league_at(db.session(), league_id), this_device()).owns
    return redirect(url_for("leagues.roles" if still else "leagues.league", league_id=league_id), 303)


@bp.post("/leagues/<league_id>/account")
def keep_in_account(league_id: str) -> AnyResponse:
    put_in_account(league_id)
    return redirect(url_for("leagues.league", league_id=league_id), 303)


def put_in_account(league_id: str) -> None:
    """Make the signed-in account an owner of the league that this device owns. Raises what `keep_in_account` raises."""
    gained = service.keep_in_account(league=league_id, actor=this_actor())
    session = this_session()
    if session is not None and gained:
        keep_session(sessions.renew(session_id=session.id))


DEAD = Problem(
    N_("This invitation no longer works"),
    N_("It was already used or canceled, or it's more than two weeks old. Nothing was changed."),
    N_("If you used it, the league is in your account. If not, ask an owner for a new one."),
)


@bp.get("/invitations/<secret>")
def invitation(secret: str) -> Response:
    """Show a page that asks for confirmation before an invitation is accepted.

    Without the confirmation, a link preview in a chat would accept the invitation.
    """
    try:
        return _asked(service.invited(word=secret), secret)
    except DeadInvitationError:
        return _dead()


@bp.post("/invitations")
def accept() -> AnyResponse:
    """Accept an invitation with the signed-in account. If nobody is signed in, show the invitation again."""
    secret = InvitationForm().secret.data or ""
    session = this_session()
    if session is None:
        return redirect(url_for("leagues.invitation", secret=secret), 303)
    try:
        league = service.accept(word=secret, account=session.account, device=known_device())
    except DeadInvitationError:
        return _dead()
    keep_session(sessions.renew(session_id=session.id))
    return redirect(url_for("leagues.league", league_id=league), 303)


@bp.post("/invitations/account")
def accept_anew() -> AnyResponse:
    """Create an account and accept the invitation with it. This works even while sign-up is closed."""
    form = InvitedSignUpForm()
    secret, password = form.secret.data or "", form.new_password.data
    try:
        given = service.invited(word=secret)
        called = checked_name(form.username.data)
        check_new(password, called)
        spend(SIGN_UP, f"invitation {secret}")  # not by address, because a hall shares one
        with strangers_turn():
            opened = service.accept_anew(word=secret, name=called, password=hashed(password), caller=this_caller())
    except DeadInvitationError:
        return _dead()
    except Refused as refused:
        form.refuse(refused.field, refused.says)
        return _asked(given, secret, form)
    return show_code(opened, url_for("leagues.league", league_id=given.league))


def _asked(given: Invited, secret: str, form: InvitedSignUpForm | None = None) -> Response:
    session = this_session()
    page = SimpleNamespace(
        league=given.name,
        label=label_of(given.role),
        says=_(SAYS[given.role]),
        secret=secret,
        # Name of the signed-in account, or empty.
        signed_in="" if session is None else name_of(session.account),
    )
    blank = InvitedSignUpForm(formdata=None, secret=secret, username=given.called)
    shown = render_template("leagues/members/invitation.html", page=page, form=form or blank, **told())
    return kept_nowhere(shown, 422 if form else 200)


def _dead() -> Response:
    refused_because(WRONG_LINK)
    to_leagues = url_for("leagues.home")
    if this_session() is not None:
        return error_page(DEAD, 404, on=Way(_("Leagues"), to_leagues))
    return error_page(DEAD, 404, on=Way(_("Sign in"), url_for("accounts.sign_in", back=to_leagues)))


@bp.get("/account/deletion")
def ask_to_leave() -> AnyResponse:
    """Ask for confirmation before the account is deleted. The reader must have signed in recently."""
    try:
        page = leaving_page(freshly_signed_in().account)
    except NotSignedInError:
        return _to_sign_in()
    return kept_nowhere(render_template("leagues/members/account_deletion.html", page=page))


@bp.post("/account/deletion")
def leave() -> AnyResponse:
    try:
        account = freshly_signed_in().account
    except NotSignedInError:
        return _to_sign_in()
    try:
        service.delete_account(account=account, caller=this_caller())
    except RuleViolation as violation:
        page = leaving_page(account, spoken(violation.message))
        return kept_nowhere(render_template("leagues/members/account_deletion.html", page=page), 422)
    return signed_out(done="deleted")


def _to_sign_in() -> AnyResponse:
    return redirect(url_for("accounts.sign_in", back=url_for("leagues.ask_to_leave")), 303)
