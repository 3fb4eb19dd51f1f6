"""Who works for a league: invited, changed, sent away."""

from __future__ import annotations

from flask import Response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.header import head_of
from scorekeeper.leagues.core.requests import kept_nowhere
from scorekeeper.leagues.core.roles import INVITATION_LASTS, Role, word_of
from scorekeeper.leagues.members import invitations, ownership
from scorekeeper.leagues.members.forms import InviteForm, RoleForm
from scorekeeper.leagues.members.pages import InvitationLinkPage
from scorekeeper.leagues.members.queries import SAYS, label_of, roles_page
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db
from scorekeeper.web.links import code_of, only_here


@bp.get("/leagues/<league_id>/roles")
def roles(league_id: str) -> Response:
    return _roles(league_id)


@bp.post("/leagues/<league_id>/invitations")
def invite(league_id: str) -> Response:
    """Show the link this once, so the answer to the form is the page itself."""
    form = InviteForm()
    role, called = form.chosen, form.called.data or ""
    try:
        word = invitations.invite(league=league_id, role=role, called=called, device=this_device() or "")
    except RuleViolation as violation:
        form.called.data = called[:40]
        form.refuse("called", spoken(violation.message))
        return _roles(league_id, form)
    url = url_for("leagues.invitation", secret=word, _external=True)
    link = InvitationLinkPage(
        league=head_of(league_at(db.session(), league_id), this_device()),
        called=called,
        label=label_of(role),
        says=_(SAYS[role]),
        url=url,
        code=code_of(url),
        days=INVITATION_LASTS.days,
        note=only_here(),
    )
    return kept_nowhere(render_template("leagues/invitation_link.html", page=link))


@bp.post("/leagues/<league_id>/invitations/<int:invitation_id>/void")
def take_invitation_back(league_id: str, invitation_id: int) -> AnyResponse:
    invitations.take_back(league=league_id, invitation=invitation_id, device=this_device() or "")
    return redirect(url_for("leagues.roles", league_id=league_id), 303)


@bp.post("/leagues/<league_id>/roles/<int:role_id>")
def change_role(league_id: str, role_id: int) -> AnyResponse:
    role = RoleForm().chosen
    invitations.change_role(league=league_id, member=role_id, role=role, device=this_device() or "")
    return _back(league_id)


@bp.post("/leagues/<league_id>/device/void")
def release_device(league_id: str) -> AnyResponse:
    try:
        ownership.release(league=league_id, device=this_device() or "")
    except RuleViolation as violation:
        return _roles(league_id, device_error=spoken(violation.message))
    return _back(league_id)


def _roles(league_id: str, form: InviteForm | None = None, device_error: str = "") -> Response:
    """Return the page with the form that was refused, or a blank one."""
    page = roles_page(league_id, this_device(), device_error=device_error)
    blank = InviteForm(formdata=None, role=word_of(Role.HELPER))
    shown = render_template("leagues/roles.html", page=page, form=form or blank)
    return kept_nowhere(shown, 422 if form or device_error else 200)


def _back(league_id: str) -> AnyResponse:
    """Lead on to the league for who gave their own role away: nothing else of it is theirs."""
    still = head_of(league_at(db.session(), league_id), this_device()).owns
    return redirect(url_for("leagues.roles" if still else "leagues.league", league_id=league_id), 303)
