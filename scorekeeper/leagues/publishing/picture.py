"""Put the standings of a club (a league with public pages) into a picture, for the previews of links in chats."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.games.presenters.social_image import drawable
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import join_names
from scorekeeper.leagues.publishing.pages import OpenNightPage, SeasonStandingsPage
from scorekeeper.leagues.results.picture import ROWS, ResultCard, card_of

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
