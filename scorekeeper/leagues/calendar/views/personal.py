"""Views for players' personal pages and calendars, and for the personal links that directors hand out."""

from __future__ import annotations

from flask import Response, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.leagues.calendar import answers, links
from scorekeeper.leagues.calendar.feed import calendar_file
from scorekeeper.leagues.calendar.forms import AnswerForm, LinkPeopleForm
from scorekeeper.leagues.calendar.pages import LinksPage
from scorekeeper.leagues.calendar.queries.feeds import personal_calendar, personal_calendar_version
from scorekeeper.leagues.calendar.queries.personal import links_page, links_sheet, personal_page
from scorekeeper.leagues.calendar.replies import REPLIES
from scorekeeper.leagues.calendar.views.planned import ICS, night_address
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import digits, kept_nowhere
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.links import only_here
from scorekeeper.web.locale import page_language
from scorekeeper.web.rate_limit import ANSWERS, costly, spend


@bp.get("/me/<person_id>/<token>")
def personal(person_id: str, token: str) -> AnyResponse:
    """Show a player's upcoming nights. Opening the page must save nothing, because link previews also open the page."""
    page = personal_page(person_id, token, _key(), saved=request.args.get("saved", "")[:16])
    return make_response(render_template("leagues/calendar/personal.html", page=page, replies=REPLIES))


@bp.post("/me/<person_id>/<token>")
def answer(person_id: str, token: str) -> AnyResponse:
    """Save a player's answer about a night, and show the player's page again."""
    form = AnswerForm()
    planned = form.planned.data or ""
    spend(ANSWERS, person_id)
    try:
        answers.answer(person=person_id, token=token, planned=planned, told=form.told, key=_key())
    except RuleViolation as violation:
        page = personal_page(person_id, token, _key(), error=spoken(violation.message), about=planned)
        return make_response(render_template("leagues/calendar/personal.html", page=page, replies=REPLIES), 422)
    here = url_for("leagues.personal", person_id=person_id, token=token, saved=planned, _anchor=f"night-{planned}")
    return redirect(here, 303)


@bp.get("/me/<person_id>/calendar/<token>.ics")
def own_calendar(person_id: str, token: str) -> AnyResponse:
    """Return a player's calendar. Nights have a reminder unless they were canceled or the player declined them."""
    version = f"{personal_calendar_version(person_id, token, _key())}-{page_language()}"
    if request.if_none_match.contains_weak(version):
        response = Response(status=304)
    else:
        name, nights = personal_calendar(person_id, token, _key())
        reminder = _("League night: %(league)s", league=name)
        response = Response(calendar_file(name, nights, night_address, reminder=reminder), content_type=ICS)
    response.set_etag(version, weak=True)
    return response


@bp.get("/leagues/<league_id>/links")
def personal_links(league_id: str) -> AnyResponse:
    return kept_nowhere(render_template("leagues/calendar/links.html", page=_links(league_id)))


@bp.post("/leagues/<league_id>/links")
def make_links(league_id: str) -> AnyResponse:
    """Make personal links for the chosen players. If no players were chosen, make links for all active players.

    Players who already have a link keep it.
    """
    people = LinkPeopleForm().person.data or ()
    links.make_links(league=league_id, people=people, device=this_device() or "")
    return redirect(url_for("leagues.personal_links", league_id=league_id), 303)


@bp.post("/leagues/<league_id>/links/void")
def revoke_links(league_id: str) -> AnyResponse:
    """Revoke the personal links of the chosen players. If no player was chosen, revoke those of everybody."""
    people = LinkPeopleForm().person.data or ()
    links.revoke_links(league=league_id, people=people, device=this_device() or "")
    return redirect(url_for("leagues.personal_links", league_id=league_id), 303)


@bp.get("/leagues/<league_id>/links/sheet")
@costly
def links_to_print(league_id: str) -> AnyResponse:
    page = links_sheet(_links(league_id), digits(request.args.get("part", "")) or 1)
    return kept_nowhere(render_template("leagues/calendar/links_sheet.html", page=page))


def _links(league_id: str) -> LinksPage:
    def address(person: str, token: str) -> str:
        return url_for("leagues.personal", person_id=person, token=token, _external=True)

    return links_page(league_id, this_device(), _key(), address, only_here())


def _key() -> str:
    return str(current_app.secret_key)
