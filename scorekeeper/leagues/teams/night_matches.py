"""Read the team matches of a night with their scores, for everything that reports the night."""

from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.i18n.sentences import isolated, points_text
from scorekeeper.leagues.core.models import FixtureRow
from scorekeeper.leagues.results.pages import TeamMatch
from scorekeeper.leagues.results.team_nights import NO_TEAMS, TeamNight, reads_team_night
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.standings.night_snapshot import Seen
from scorekeeper.leagues.standings.playoff_settings import MATCHES, PLAYOFF_SETTINGS, PlayoffSettings
from scorekeeper.leagues.standings.table_results import TableState
from scorekeeper.leagues.teams.fixtures import BOTH, Match, MatchScore, forfeited
from scorekeeper.leagues.teams.matches import Squad, fixtures_on, scored, squads_of, tables_per_match
from scorekeeper.leagues.teams.standings import is_of_teams, settings_of, team_playoffs
from scorekeeper.web.extensions import db

Squads = Mapping[int, Squad]


def score_words(match: Match, squads: Squads) -> str:
    """Return the score of a match, such as "Tables 3–1, points 84–60", and which team forfeited it.

    Return an empty string if the match has no score yet.
    """
    if match.score is None:
        return ""
    tables, points = (points_text(*pair) for pair in (match.score.tables, match.score.points))
    words = _("Tables %(tables)s, points %(points)s", tables=tables, points=points)
    if match.score.forfeit is None:
        return words
    return f"{words}. {forfeit_words(squads, (match.home, match.away), match.score.forfeit)}"


def forfeit_words(squads: Squads, teams: tuple[int, int], side: int) -> str:
    """Return the sentence that says who forfeited a match of these `teams`. `side` is as in `MatchScore.forfeit`."""
    if side == BOTH:
        return _("Both teams forfeited.")
    return _("%(team)s forfeited.", team=isolated(squads[teams[side]].name))


@reads_team_night
def team_night(at: Seen) -> TeamNight:
    """Return the matches of a night of a team season. While the night is open, they have the scores so far.

    Takes about 8 queries, and a few more for the playoffs.
    """
    if at.plan.format != TEAM_MATCH.key or not is_of_teams(at.season):
        return NO_TEAMS
    session, settings = db.session(), settings_of(at.season)
    squads, rows, count = squads_of(session, at.season), fixtures_on(session, at.night.id), tables_per_match(at.night)
    matches = scored(session, rows)
    if at.night.closed_at is None:
        matches = [_so_far(at, index, count, row, settings) for index, row in enumerate(rows)]
    lines = tuple(
        _line(match, row, squads, settings, range(index * count + 1, (index + 1) * count + 1))
        for index, (match, row) in enumerate(zip(matches, rows, strict=True))
    )
    rule = (spoken(MATCHES[settings.match]), PLAYOFF_SETTINGS["forfeit"].says(settings))
    return TeamNight(lines, _champion(session, at, rows, squads), rule)


def _so_far(at: Seen, index: int, count: int, row: FixtureRow, settings: PlayoffSettings) -> Match:
    """Return a match of an open night with its score so far. `index` is its place, and `count` its tables a round."""
    own = [table for table in at.tables if index * count < table.number <= (index + 1) * count and table.done]
    score = None if not own else _sum(own)
    if row.forfeit is not None:
        score = forfeited(row.forfeit, count * at.plan.rounds, settings.forfeit)
    return Match(row.id, row.round, row.home_id, row.away_id, score)


def _sum(tables: Sequence[TableState]) -> MatchScore:
    won = [table.verdict.winner for table in tables if table.verdict is not None]
    home, away = (sum(table.points[side] for table in tables) for side in (0, 1))
    return MatchScore((won.count(0), won.count(1)), (home, away), (0, 0))


def _line(match: Match, row: FixtureRow, squads: Squads, settings: PlayoffSettings, numbers: range) -> TeamMatch:
    score = match.score
    home, away = squads[row.home_id], squads[row.away_id]
    shown = "–"
    if score is not None:
        one_game = sum(score.tables) <= 1 and score.forfeit is None
        shown = points_text(*(score.points if settings.match == "points" or one_game else score.tables))
    return TeamMatch(
        home=home.name,
        away=away.name,
        home_id=home.public_id,
        away_id=away.public_id,
        round=row.stage or row.round,
        playoff=bool(row.stage),
        tables=None if score is None else score.tables,
        points=None if score is None else score.points,
        winner=None if score is None else score.goes_on(settings.match) if row.stage else score.winner(settings.match),
        forfeit=row.forfeit,
        numbers=numbers,
        shown=shown,
        score=score_words(match, squads),
        where=""
        if row.forfeit is not None
        else _("at table %(number)s", number=numbers[0])
        if len(numbers) == 1
        else _("at tables %(first)s to %(last)s", first=numbers[0], last=numbers[-1]),
    )


def _champion(session: Session, at: Seen, rows: Sequence[FixtureRow], squads: Squads) -> str:
    """Return the name of the team that won the playoffs if their final is one of the matches in `rows`; else ""."""
    if not at.night.playoff or at.night.closed_at is None:
        return ""
    state = team_playoffs(session, at.season)
    is_last = any(row.stage == len(state.rounds) for row in rows)
    return squads[state.champion].name if is_last and state.champion is not None else ""
