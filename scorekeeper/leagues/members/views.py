"""Who works for a league: invited, changed, sent away."""

from __future__ import annotations

from flask import Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games.forms import plain
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.header import head_of
from scorekeeper.leagues.core.requests import kept_nowhere
from scorekeeper.leagues.core.roles import INVITATION_LASTS, role_named
from scorekeeper.leagues.members import invitations, ownership
from scorekeeper.leagues.members.pages import InvitationLinkPage
from scorekeeper.leagues.members.queries import SAYS, label_of, roles_page
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db
from scorekeeper.web.qr import code_of
from scorekeeper.web.reachable import only_here


@bp.get("/leagues/<league_id>/roles")
def roles(league_id: str) -> Response:
    return kept_nowhere(render_template("leagues/roles.html", page=roles_page(league_id, this_device())))


@bp.post("/leagues/<league_id>/invitations")
def invite(league_id: str) -> Response:
    """Show the link this once, so the answer to the form is the page itself."""
    called, chosen = plain(request.form).get("called", "").strip(), request.form.get("role", "")
    role = role_named(chosen)
    try:
        word = invitations.invite(league=league_id, role=role, called=called, device=this_device() or "")
    except RuleViolation as violation:
        page = roles_page(league_id, this_device(), called=called[:40], chosen=chosen, error=spoken(violation.message))
        return kept_nowhere(render_template("leagues/roles.html", page=page), 422)
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
    role = role_named(request.form.get("role", ""))
    invitations.change_role(league=league_id, member=role_id, role=role, device=this_device() or "")
    return _back(league_id)


@bp.post("/leagues/<league_id>/device/void")
def release_device(league_id: str) -> AnyResponse:
    try:
        ownership.release(league=league_id, device=this_device() or "")
    except RuleViolation as violation:
        page = roles_page(league_id, this_device(), device_error=spoken(violation.message))
        return kept_nowhere(render_template("leagues/roles.html", page=page), 422)
    return _back(league_id)


def _back(league_id: str) -> AnyResponse:
    """Lead on to the league for who gave their own role away: nothing else of it is theirs."""
    still = head_of(league_at(db.session(), league_id), this_device()).owns
    return redirect(url_for("leagues.roles" if still else "leagues.league", league_id=league_id), 303)
