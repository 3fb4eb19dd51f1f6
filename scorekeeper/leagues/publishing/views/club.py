"""Show the pages of open clubs to people, to other websites, and their settings to owners.

Forms of open clubs.

Put the standings of a club (a league with public pages) into a picture, for the previews of links in chats.

Pages of open clubs (public leagues): the list, a club, its seasons.

The pages are the same for all readers and use no cookies.

Pages that other websites may show in a frame, without scripts, forms or cookies. No other page may be framed.

The page on which owners make a league public or private.

Remember which leagues a phone has visited, list them on the home page, and remove them from the list.
"""

from collections.abc import Callable, Sequence
from typing import Any

from flask import Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse
from wtforms import BooleanField, RadioField, StringField

from scorekeeper.accounts.devices import this_device
from scorekeeper.games.presenters.social_image import drawable
from scorekeeper.games.views.start import HomePart, home_part
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.sentences import join_names
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.blueprint import bp, digits
from scorekeeper.leagues.publishing import service
from scorekeeper.leagues.publishing.addresses import CLUB, LONGEST, keep_visited, visited_here
from scorekeeper.leagues.publishing.names import SHORT, STYLES
from scorekeeper.leagues.publishing.pages import OpenNightPage, SeasonStandingsPage
from scorekeeper.leagues.publishing.queries.club import (
    MovedClubError,
    club_list,
    club_night_version,
    club_page,
    club_version,
    schedule_of_club,
    season_of_club,
)
from scorekeeper.leagues.publishing.queries.night import club_settings, home_clubs, last_night_page, night_of_club
from scorekeeper.leagues.results import views
from scorekeeper.leagues.results.views import ROWS, ResultCard, card_of
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from scorekeeper.web.forms import AppForm, printable
from scorekeeper.web.headers import let_be_framed
from scorekeeper.web.links import code_of, is_file, only_here
from scorekeeper.web.rate_limit import COSTLY, asker, spend
from scorekeeper.web.shared import shared


class ClubForm(AppForm):
    """The form to make a league public or private, and to choose its public address and how names are shown."""

    is_open = BooleanField(
        N_("Make league public"),
        description=N_(
            "Anyone can see your results: on this server's home page, in search engines, and in other programs "
            "that read them."
        ),
    )
    slug = StringField(
        N_("Address"),
        default="",
        filters=[printable, str.strip],
        render_kw={"maxlength": LONGEST, "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"},
    )
    names = RadioField(N_("Names"), choices=dict(STYLES), default=SHORT, validate_choice=False)


class ForgetForm(AppForm):
    """The form to remove a league from this phone's list of visited leagues."""

    token = StringField(default="", filters=[printable])


Row = tuple[str, str, str]
"""A row of the picture: rank, name and score."""


def season_card(page: SeasonStandingsPage) -> ResultCard:
    """Return the contents of the picture of a season's standings.

    The picture has the top rows and names the last night that the standings include.
    """
    club, season = (text if drawable(text) else "" for text in (page.club.name, page.season.name))
    # A name in letters that the font lacks would be a row of boxes: the rest of the picture says enough.
    rows = tuple(row for row in leaders(page) if drawable(row[1]))
    return ResultCard(club, season, _("Standings"), rows, page.after)


def night_card(page: OpenNightPage) -> ResultCard:
    """Return the contents of the picture of a night's results, with public names."""
    return card_of(page.results)


def leaders(page: SeasonStandingsPage) -> Sequence[Row]:
    """Return the top rows of the main standings on the page: of teams, of partners, or of players.

    If the season has several divisions, return the first team of each division.
    """
    if len(page.teams) > 1:
        best = [(division.name, line) for division in page.teams for line in division.lines[:1] if line.place]
        return [(line.place, f"{line.name} ({name})", line.cells[0]) for name, line in best[:ROWS]]
    if page.teams:
        return [(line.place, line.name, line.cells[0]) for line in page.teams[0].lines if line.place][:ROWS]
    ranked = page.tables[0].shown.lines if page.tables else ()
    return [(line.place, join_names([person.name for person in line.people]), line.cells[0]) for line in ranked[:ROWS]]


def about_season(page: SeasonStandingsPage) -> str:
    """Return the top of the standings as one line for link previews: "After night 3. 1. Ann 21.00, 2. Bob 13.00"."""
    told = ", ".join(f"{place}. {name} {score}" for place, name, score in leaders(page)[:3])
    return f"{page.after} {told}".strip()


LONGEST_SEARCH = 40


@bp.errorhandler(MovedClubError)
def moved(error: MovedClubError) -> AnyResponse:
    """Redirect from a former address of a club to the same page under its current address."""
    where: dict[str, Any] = {**(request.view_args or {}), "club": error.slug}
    asked = request.query_string.decode("ascii", "ignore")
    return redirect(url_for(request.endpoint or "", **where) + (f"?{asked}" if asked else ""), 301)


@bp.get("/clubs")
def clubs() -> str:
    search = request.args.get("q", "")[:LONGEST_SEARCH]
    page = club_list(search, digits(request.args.get("page", "")) or 1)
    return render_template("leagues/publishing/clubs.html", page=page, search=search)


@bp.get("/clubs/<club>")
def club(club: str) -> Response:
    def draw(version: str) -> str:
        page = club_page(club, version)
        about = "" if page.current is None else about_season(page.current)
        return render_template("leagues/publishing/club.html", page=page, about=about)

    return shared(club_version, club, draw=draw)


@bp.get("/clubs/<club>/seasons/<int:season>")
def club_season(club: str, season: int) -> Response:
    def draw(version: str) -> str:
        page = season_of_club(club, season, version)
        return render_template("leagues/publishing/season.html", page=page, about=about_season(page))

    return shared(club_version, club, draw=draw)


@bp.get("/clubs/<club>/seasons/<int:season>/nights/<int:night>")
def club_night(club: str, season: int, night: int) -> Response:
    def draw(version: str) -> str:
        page = night_of_club(club, season, night, version)
        return render_template("leagues/publishing/night.html", page=page)

    return shared(club_night_version, club, season, night, draw=draw)


@bp.get("/clubs/<club>/seasons/<int:season>/picture.png")
def club_season_picture(club: str, season: int) -> Response:
    """Return the standings of a season as a picture, for link previews."""
    return _picture(
        lambda version: views.draw(season_card(season_of_club(club, season, version))),
        shared_by=(club_version, club),
    )


@bp.get("/clubs/<club>/seasons/<int:season>/nights/<int:night>/picture.png")
def club_night_picture(club: str, season: int, night: int) -> Response:
    """Return the results of a night as a picture, for link previews."""
    return _picture(
        lambda version: views.draw(night_card(night_of_club(club, season, night, version))),
        shared_by=(club_night_version, club, season, night),
    )


def _picture(drawn: Callable[[str], bytes], *, shared_by: tuple[Any, ...]) -> Response:
    """Return a PNG picture, which is drawn once for each version and language and then cached for all readers.

    `shared_by` has a function, followed by its arguments. The function returns a version, which changes whenever the
    picture changes. `drawn` is called with that version, and returns the PNG file.
    """

    def paid(version: str) -> bytes:
        if not is_file():
            spend(COSTLY, asker())  # not if the browser or the cache has it already
        return drawn(version)

    response = shared(*shared_by, draw=paid)
    response.mimetype = "image/png"
    response.vary.add("Accept-Language")
    return response


@bp.get("/clubs/<club>/poster")
def poster(club: str) -> Response:
    """Show a poster for printing, with the club's address as a QR code."""
    url = url_for("leagues.club", club=club, _external=True)

    def draw(version: str) -> str:
        page = club_page(club, version)
        return render_template(
            "leagues/publishing/poster.html", page=page, url=url, code=code_of(url), note=only_here()
        )

    return shared(club_version, club, draw=draw)


@bp.get("/embed/<club>/standings")
def embed_standings(club: str) -> Response:
    return _embedded(
        club, lambda version: render_template("leagues/publishing/embed_standings.html", page=club_page(club, version))
    )


@bp.get("/embed/<club>/last-night")
def embed_last_night(club: str) -> Response:
    return _embedded(
        club, lambda _version: render_template("leagues/publishing/embed_last_night.html", page=last_night_page(club))
    )


@bp.get("/embed/<club>/schedule")
def embed_schedule(club: str) -> Response:
    return _embedded(
        club, lambda _version: render_template("leagues/publishing/embed_schedule.html", page=schedule_of_club(club))
    )


def _embedded(club: str, draw: Callable[[str], str]) -> Response:
    response = shared(club_version, club, draw=draw)
    let_be_framed()
    return response


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


AN_HOUR = "private, max-age=3600"


@home_part
def clubs_part() -> HomePart:
    """Return the part of the home page with the leagues that this phone has visited and the open clubs."""
    return HomePart("leagues/publishing/_home.html", home_clubs(visited_here(), this_device()))


@bp.get("/visited/leagues/<league_id>")
def league_visited(league_id: str) -> Response:
    league_at(db.session(), league_id)
    return _visited(league_id)


@bp.get("/visited/clubs/<club>")
def club_visited(club: str) -> Response:
    club_version(club)
    return _visited(CLUB + club)


@bp.post("/visited/removal")
def forget_visited() -> AnyResponse:
    """Remove a league from this phone's list of visited leagues."""
    response = redirect(url_for("games.home"), 303)
    gone = ForgetForm().token.data
    keep_visited(response, [mark for mark in visited_here() if mark != gone])
    return response


def _visited(mark: str) -> Response:
    """Return an empty response that puts a league or club first in the phone's list of visited leagues.

    `mark` identifies the league or club, as in `visited_here`. Browsers cache the response for an hour, or until the
    list changes. A request from a page of another site changes nothing.
    """
    # The list is in a cookie: once it changes, the cached response is not used again.
    response = Response(status=204, headers={"Cache-Control": AN_HOUR, "Vary": "Cookie"})
    known = visited_here()
    ours = request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
    if ours and known[:1] != [mark]:
        keep_visited(response, [mark, *known])
    return response
