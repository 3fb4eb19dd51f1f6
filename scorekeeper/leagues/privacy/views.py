"""Pages to download the data about a player and to make them anonymous."""

from __future__ import annotations

from flask import make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.privacy import anonymize as service
from scorekeeper.leagues.privacy.data_files import pack
from scorekeeper.leagues.privacy.forms import AnonymousForm
from scorekeeper.leagues.privacy.queries import anonymous_page, person_data
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db
from scorekeeper.web.rate_limit import costly


@bp.get("/people/<person_id>/data.zip")
@costly
def person_file(person_id: str) -> AnyResponse:
    data = person_data(person_id, this_device())
    # Packing may take longer than the idle limit of a PostgreSQL transaction.
    db.session.rollback()
    response = make_response(pack(data))
    response.headers["Content-Type"] = "application/zip"
    response.headers["Content-Disposition"] = f'attachment; filename="person-{data["person"][0]["address"]}.zip"'
    return response


@bp.route("/people/<person_id>/anonymous", methods=["GET", "POST"])
def make_anonymous(person_id: str) -> AnyResponse:
    """On GET, show a review. On POST, make the player anonymous."""
    device, form = this_device(), AnonymousForm()
    if not form.is_submitted():
        page = anonymous_page(person_id, device)
        return make_response(render_template("leagues/privacy/anonymize.html", page=page, form=form))
    tap, reason = form.request_key, form.reason.data or ""
    try:
        service.make_anonymous(person=person_id, reason=reason, device=device or "", tap=tap, titles=form.with_titles)
    except RuleViolation as violation:
        form.refuse("reason", spoken(violation.message))
        page = anonymous_page(person_id, device, client_id=tap)
        return make_response(render_template("leagues/privacy/anonymize.html", page=page, form=form), 422)
    return redirect(url_for("leagues.person", person_id=person_id), 303)
