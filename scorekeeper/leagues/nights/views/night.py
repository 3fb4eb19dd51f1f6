"""Read-only views of a night: the public page, the TV page, and the printed pages."""

from __future__ import annotations

from flask import Response, current_app, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.leagues.calendar.queries.planned import next_of
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import digits, kept_nowhere
from scorekeeper.leagues.nights.queries.night import night_page
from scorekeeper.leagues.nights.queries.printed import cards_page, rotation_page, sheets_page
from scorekeeper.leagues.standings.night_snapshot import night_version
from scorekeeper.web.links import code_of, only_here
from scorekeeper.web.shared import shared


@bp.get("/nights/<night_id>")
def night(night_id: str) -> Response:
    return _followed(night_id, "leagues/nights/night.html")


@bp.get("/nights/<night_id>/tv")
def tv(night_id: str) -> Response:
    return _followed(night_id, "leagues/nights/tv.html")


def _followed(night_id: str, template: str) -> Response:
    """Return the page of the night rendered with `template`.

    The page is the same for all visitors, and is cached until the night changes.
    """

    def draw(version: str) -> str:
        page = night_page(night_id, version)
        upcoming = next_of(page.league_id) if page.closed else ()
        return render_template(template, page=page, upcoming=upcoming)

    return shared(night_version, night_id, draw=draw)


@bp.get("/nights/<night_id>/cards")
def cards(night_id: str) -> AnyResponse:
    page = cards_page(
        night_id,
        this_device(),
        key=str(current_app.secret_key),
        address=lambda number, word: url_for(
            "leagues.card", night_id=night_id, number=number, word=word, _external=True
        ),
        short=lambda code: url_for("leagues.short_card", code=code, _external=True),
        asked=digits(request.args.get("tables", ""), 2),
        wifi=current_app.config["WIFI"],
        note=only_here(),
    )
    return kept_nowhere(render_template("leagues/nights/cards.html", page=page))  # anyone with these tokens may score


@bp.get("/nights/<night_id>/code")
def night_code(night_id: str) -> str:
    """Show the address of the night's page as a QR code, to scan from the screen or from a printed sheet."""
    url = url_for("leagues.night", night_id=night_id, _external=True)
    page = night_page(night_id, "")
    return render_template("leagues/nights/code.html", page=page, url=url, code=code_of(url), note=only_here())


@bp.get("/nights/<night_id>/rotation")
def rotation(night_id: str) -> str:
    return render_template("leagues/nights/rotation.html", page=rotation_page(night_id))


@bp.get("/nights/<night_id>/sheets")
def sheets(night_id: str) -> str:
    page = sheets_page(night_id, digits(request.args.get("round", ""), 2))
    return render_template("leagues/nights/sheets.html", page=page)
