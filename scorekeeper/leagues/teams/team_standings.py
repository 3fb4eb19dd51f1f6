"""Read the standings of a season's teams by division, and export them.

Pages, files, chat messages, embedded pages, the feed and the API all use the same `Division`s, so they can't disagree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.core.access import NoSuchLeagueError, season_at
from scorekeeper.leagues.core.models import LeagueRow, SeasonRow
from scorekeeper.leagues.standings.export import Sheet, workbook
from scorekeeper.leagues.standings.fixture_race import TeamOutlook
from scorekeeper.leagues.standings.pages import Division, TeamLine
from scorekeeper.leagues.standings.queries import team_lines
from scorekeeper.leagues.standings.race_words import needs_words
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.table import ties_of
from scorekeeper.leagues.standings.wording import plus_minus, tie_line
from scorekeeper.leagues.teams.fixtures import Match, team_race
from scorekeeper.leagues.teams.matches import Squad, divisions_of, fixtures_of, scored, squads_of
from scorekeeper.leagues.teams.pages import COLUMNS
from scorekeeper.leagues.teams.qualifiers import is_of_teams, rows_of, settings_of
from scorekeeper.web.csv_cells import csv_file
from scorekeeper.web.extensions import db

Squads = Mapping[int, Squad]


def team_standings(session: Session, season: SeasonRow) -> tuple[Division, ...]:
    """Return the standings of a season's teams, with a `Division` for each division.

    Return () if the season has no teams or no matches yet.
    """
    if not is_of_teams(season):
        return ()
    rows = [row for row in fixtures_of(session, season) if not row.stage]
    return divisions(season, squads_of(session, season), scored(session, rows))


def divisions(season: SeasonRow, squads: Squads, matches: Sequence[Match]) -> tuple[Division, ...]:
    """Return the standings of each division, in alphabetical order, or () if there are no matches yet.

    `matches` are all matches of the season except the playoffs.
    """
    if not matches:
        return ()
    return tuple(_division(season, squads, name, teams, matches) for name, teams in divisions_of(squads).items())


def _division(season: SeasonRow, squads: Squads, name: str, teams: Sequence[int], matches: Sequence[Match]) -> Division:
    own = [match for match in matches if match.home in teams]
    rows = rows_of(season, squads, teams, own)
    settings = settings_of(season)
    names = {row.unit: isolated(squads[row.person].name) for row in rows}
    ranked = {row.person for row in rows}
    unplayed = [team for team in teams if team not in ranked]
    race: Mapping[int, TeamOutlook] = {}
    # Whether a team is among the best of the season depends on all divisions, which don't meet.
    if settings.held and rows and (settings.scope == "division" or len(teams) == len(squads)):
        race = team_race(teams, own, rows, settings.qualify)
    order = [*(row.person for row in rows), *unplayed]
    told = (_race_line(race[team], isolated(squads[team].name)) for team in order if team in race)
    return Division(
        name,
        (*(_line(squads[row.person], row) for row in rows), *(_unplayed(squads[team]) for team in unplayed)),
        tuple(filter(None, told)),
        tuple(spoken(tie_line(tie, names)) for tie in ties_of(rows)),
    )


def _line(squad: Squad, row: StandingRow) -> TeamLine:
    record = "–".join(map(str, row.record))
    return TeamLine(
        id=squad.public_id,
        rank=row.place,
        name=squad.name,
        cells=(str(row.points), str(row.games), record, spoken(plus_minus(row.difference))),
        values=dict(
            zip(
                COLUMNS,
                (int(row.points), row.games, row.wins, row.losses, row.draws, row.difference),
                strict=True,
            )
        ),
    )


def _unplayed(squad: Squad) -> TeamLine:
    return TeamLine(squad.public_id, None, squad.name, ("0", "0", "0–0", "0"), dict.fromkeys(COLUMNS, 0))


def _race_line(told: TeamOutlook, name: str) -> str:
    if told.state == "through":
        return _("%(name)s: qualified", name=name)
    if told.state == "out":
        return _("%(name)s: out", name=name)
    if told.sure is None and told.least is None:
        return ""
    return needs_words(name, "match", told.matches, told.sure, told.least)


def standings_text(title: str, told: Sequence[Division]) -> str:
    """Return the standings as a chat message with the first line `title`, or "" if there are no teams."""
    lines = team_lines(told)
    return "\n".join((title, *lines)) if lines else ""


def standings_csv(season_id: str) -> bytes:
    """Return the standings of a season's teams as a CSV file.

    Raises `NoSuchLeagueError` if there is no such season, or if the season has no teams.
    """
    sheet, _title = _sheet(season_id)
    return csv_file(sheet.head, sheet.lines)


def standings_xlsx(season_id: str) -> bytes:
    """Return the standings of a season's teams as an Excel workbook.

    Raises `NoSuchLeagueError` if there is no such season, or if the season has no teams.
    """
    sheet, title = _sheet(season_id)
    return workbook(title, (sheet,))


def _sheet(season_id: str) -> tuple[Sheet, str]:
    """Return the standings of a season's teams as a sheet of a workbook, and the title of the file.

    Raises `NoSuchLeagueError` if there is no such season, or if the season has no teams.
    """
    session = db.session()
    season = season_at(session, season_id)
    if not is_of_teams(season):
        raise NoSuchLeagueError
    head = [_("Rank"), _("Team"), _("Division"), *map(_, COLUMNS.values())]
    lines = [
        (line.rank, line.name, division.name, *line.values.values())
        for division in team_standings(session, season)
        for line in division.lines
    ]
    return Sheet(_("Teams"), head, lines), f"{session.get_one(LeagueRow, season.league_id).name}, {season.name}"
