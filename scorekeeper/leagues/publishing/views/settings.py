"""The page on which owners make a league public or private."""

from __future__ import annotations

from flask import make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.publishing import service
from scorekeeper.leagues.publishing.forms import ClubForm
from scorekeeper.leagues.publishing.queries.settings import club_settings
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.links import only_here


@bp.route("/leagues/<league_id>/club", methods=["GET", "POST"])
def club_form(league_id: str) -> AnyResponse:
    page, values = club_settings(league_id, this_device())
    form = ClubForm(data=values)
    status = 200
    if form.is_submitted():
        try:
            service.save_club(
                league=league_id,
                is_open=bool(form.is_open.data),
                slug=form.slug.data or "",
                names=form.names.data or "",
                device=this_device() or "",
            )
            return redirect(url_for("leagues.club_form", league_id=league_id), 303)
        except RuleViolation as violation:
            form.refuse(violation.field or "slug", spoken(violation.message))
            status = 422
    return make_response(
        render_template("leagues/publishing/settings.html", page=page, form=form, note=only_here()), status
    )
