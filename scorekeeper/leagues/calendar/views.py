"""Views of the schedule and of personal links.

Add the next nights to the home page, for people who run a league.

Views of the schedule, of planned nights, and of the calendars that phones subscribe to.

Views for players' personal pages and calendars, and for the personal links that directors hand out.
"""

from collections.abc import Callable
from typing import Any

from flask import Response, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games.views.start import HomePart, home_part
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.leagues.calendar import links, service
from scorekeeper.leagues.calendar.feed import calendar_file
from scorekeeper.leagues.calendar.forms import AnswerForm, DetailsForm, LinkPeopleForm, PlanForm, StateForm
from scorekeeper.leagues.calendar.pages import LinksPage, PlannedPage, SchedulePage
from scorekeeper.leagues.calendar.personal import links_page, links_sheet, personal_page
from scorekeeper.leagues.calendar.queries import (
    league_calendar,
    league_calendar_version,
    next_nights_run,
    personal_calendar,
    personal_calendar_version,
    planned_page,
    schedule_page,
    usual_place,
)
from scorekeeper.leagues.calendar.settings import HINTS, REPLIES, clock, dates
from scorekeeper.leagues.core.blueprint import bp, digits, kept_nowhere
from scorekeeper.leagues.core.roles import Role
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.links import only_here
from scorekeeper.web.locale import page_language
from scorekeeper.web.rate_limit import ANSWERS, costly, spend
from scorekeeper.web.shared import shared


@home_part
def coming_nights() -> HomePart:
    """Return the part of the home page with the next night of each league that the user helps to run."""
    return HomePart("leagues/calendar/_home.html", next_nights_run(this_device()))


ICS = "text/calendar; charset=utf-8"


@bp.get("/seasons/<season_id>/schedule")
def schedule(season_id: str) -> AnyResponse:
    page = schedule_page(season_id, this_device())
    return _schedule(page, PlanForm(data={"zone": page.zone, "place": usual_place(season_id)}))


@bp.post("/seasons/<season_id>/schedule")
def plan_nights(season_id: str) -> AnyResponse:
    """Plan one night or a series of nights.

    A series is first shown for review. When the director confirms it, only the selected dates are planned.
    """
    form = PlanForm()
    try:
        told, series = form.told, dates(form.told.day, form.weeks, until=form.until.data, count=form.nights)
        if form.weeks and not form.reviewed.data:
            page = schedule_page(season_id, this_device(), days=series)
            page.league.demand(Role.DIRECTOR)
            return _schedule(page, form)
        service.plan_nights(
            season=season_id,
            days=form.ticked if form.reviewed.data else series,
            told=told,
            zone=form.zone.data or "",
            device=this_device() or "",
            another=form.another.data or form.reviewed.data,
            tap=form.request_key,
        )
    except RuleViolation as violation:
        twice = violation.code == "night_there"
        page = schedule_page(season_id, this_device(), error=spoken(violation.message), twice=twice)
        page.league.demand(Role.DIRECTOR)
        return _schedule(page, form, 422)
    return redirect(url_for("leagues.schedule", season_id=season_id), 303)


def _schedule(page: SchedulePage, form: PlanForm, status: int = 200) -> AnyResponse:
    html = render_template("leagues/calendar/schedule.html", page=page, form=form, zones=HINTS)
    return make_response(html, status)


@bp.get("/planned/<planned_id>")
def planned(planned_id: str) -> AnyResponse:
    return _planned(planned_page(planned_id, this_device()))


@bp.post("/planned/<planned_id>")
def change_planned(planned_id: str) -> AnyResponse:
    form = DetailsForm()

    def change() -> None:
        service.change_night(planned=planned_id, told=form.told, device=this_device() or "", another=form.another.data)

    return _saved(planned_id, "details", change, form)


@bp.post("/planned/<planned_id>/state")
def set_planned_state(planned_id: str) -> AnyResponse:
    """Cancel, restore or delete a planned night. After a deletion, show the schedule."""
    state = StateForm().state.data or ""
    done = _saved(
        planned_id,
        "state",
        lambda: service.set_state(planned=planned_id, state=state, device=this_device() or ""),
    )
    if state == service.DELETED and done.status_code == 303:
        page = planned_page(planned_id, this_device())
        return redirect(url_for("leagues.schedule", season_id=page.season_id), 303)
    return done


@bp.post("/planned/<planned_id>/answers")
def answer_for(planned_id: str) -> AnyResponse:
    """Save an answer that a helper enters for a player. If no answer was chosen, delete the saved answer."""
    form = AnswerForm()
    told = form.told if form.says.data else None
    person, device = form.person.data or "", this_device() or ""

    def save() -> None:
        if not person:
            raise RuleViolation("person", "Choose a player first.", field="person")
        service.answer_for(planned=planned_id, person=person, told=told, device=device)

    return _saved(planned_id, "answers", save, need=Role.HELPER)


def _saved(
    planned_id: str, part: str, act: Callable[[], Any], form: DetailsForm | None = None, *, need: Role = Role.DIRECTOR
) -> AnyResponse:
    """Save a change by calling `act`, and then show the planned night.

    If `act` raises `RuleViolation`, the error message is shown next to the form named `part`, to a reader with the role
    `need`. `form` has the entered values, so that the page can show them again.
    """
    try:
        act()
    except RuleViolation as violation:
        twice = violation.code == "night_there"
        error = spoken(violation.message)
        page = planned_page(planned_id, this_device(), error=error, part=part, twice=twice)
        page.league.demand(need)
        return _planned(page, form, 422)
    return redirect(url_for("leagues.planned", planned_id=planned_id, _anchor=part), 303)


def _planned(page: PlannedPage, form: DetailsForm | None = None, status: int = 200) -> AnyResponse:
    starts = None if page.starts is None else clock(page.starts)
    saved = {"day": page.day, "starts": starts, "place": page.place, "note": page.line.note}
    shown = form or DetailsForm(formdata=None, data=saved)
    html = render_template("leagues/calendar/planned.html", page=page, form=shown, replies=REPLIES)
    return make_response(html, status)


@bp.get("/leagues/<league_id>/calendar.ics")
def calendar(league_id: str) -> Response:
    """Return the calendar file of a league. The file is created only once for each version of the calendar."""

    def draw(_version: str) -> bytes:
        name, nights = league_calendar(league_id)
        return calendar_file(name, nights, night_address)

    response = shared(league_calendar_version, league_id, draw=draw)
    response.headers["Content-Type"] = ICS
    return response


def night_address(planned_id: str) -> str:
    """Return the full address (URL) of the page of a planned night."""
    return url_for("leagues.planned", planned_id=planned_id, _external=True)


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
        service.answer(person=person_id, token=token, planned=planned, told=form.told, key=_key())
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
