"""Add up the closed seasons of a league: the champions of each, and the nights, games and titles of each player.

A process keeps what it calculated until the league's log has a line that may change it: one without a night, such as a
merge, or one of a night of a closed season. So an evening of an open season costs one short query for each page.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from msgspec import Struct
from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import Recent
from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.leagues.core.models import LeagueEventRow, NightRow, SeasonRow
from scorekeeper.leagues.publishing.pages import AllTime, Career, SeasonEnd
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.standings.queries import decider_of
from scorekeeper.leagues.standings.standings_cache import Roster, SeasonStandings, season_standings
from scorekeeper.leagues.teams.matches import divisions_of, squads_of
from scorekeeper.leagues.teams.standings import is_of_teams, rows_of, season_matches, team_playoffs

REMEMBERED = 64
"""Number of leagues whose closed seasons a process keeps in memory."""


class Champion(Struct, frozen=True):
    """A player, a pair or a team that won a season. `name` is the name of a team, and `people` are its players."""

    people: Unit
    name: str = ""


class Totals(Struct):
    """What a player did in all closed seasons."""

    nights: int = 0
    wins: int = 0
    losses: int = 0
    ties: int = 0
    unknown: int = 0
    best: int | None = None
    titles: int = 0


Known = tuple[tuple[tuple[int, tuple[Champion, ...]], ...], dict[int, Totals]]
"""The champions of each closed season, by id of the season, newest first; and the totals by id of the person."""


def all_time(session: Session, seasons: Sequence[tuple[SeasonRow, int]], roster: Roster) -> AllTime | None:
    """Return the closed seasons of a league, or None if it has none. Takes one query if nothing has changed.

    `seasons` are all seasons of one league with their numbers, newest first. `roster` has the names to show.
    """
    closed = {season.id: (season, number) for season, number in seasons if season.closed_at is not None}
    if not closed:
        return None
    ends, careers = _known(session, [season for season, _number in closed.values()])

    def named(champion: Champion) -> str:
        return (
            isolated(champion.name)
            if champion.name
            else join_names([isolated(roster.called(each)) for each in champion.people])
        )

    lines = [
        Career(roster.called(person), each.titles, each.nights, _record(each), each.best)
        for person, each in careers.items()
    ]
    return AllTime(
        tuple(
            SeasonEnd(closed[season][1], closed[season][0].name, "; ".join(map(named, champions)))
            for season, champions in ends
        ),
        tuple(sorted(lines, key=lambda line: (-line.titles, -line.nights, line.name.casefold()))),
    )


def _record(totals: Totals) -> str:
    told = (totals.wins, totals.losses, *((totals.ties,) if totals.ties else ()))
    return "–".join(map(str, told)) if any(told) or not totals.unknown else "–"


def _known(session: Session, closed: Sequence[SeasonRow]) -> Known:
    league, mark = closed[0].league_id, _mark(session, closed)
    known = _leagues.get(session, league)
    if known is None or known[0] != mark:
        known = (mark, _calculated(session, closed))
        _leagues.keep(session, league, known)
    return known[1]


def _mark(session: Session, closed: Sequence[SeasonRow]) -> Hashable:
    nights = select(NightRow.id).where(NightRow.season_id.in_([season.id for season in closed]))
    last = select(func.max(LeagueEventRow.id)).where(
        LeagueEventRow.league_id == closed[0].league_id,
        or_(LeagueEventRow.night_id.is_(None), LeagueEventRow.night_id.in_(nights)),
    )
    return session.scalar(last), tuple(season.id for season in closed)


def _calculated(session: Session, closed: Sequence[SeasonRow]) -> Known:
    ends: list[tuple[int, tuple[Champion, ...]]] = []
    careers: defaultdict[int, Totals] = defaultdict(Totals)
    for season in closed:
        standings = season_standings(session, season)
        champions = tuple(_champions(session, season, standings))
        ends.append((season.id, champions))
        for row in standings.people:
            totals = careers[row.person]
            totals.nights += len(row.nights)
            for _night, sums in row.nights.tallies:
                totals.wins += sums.wins
                totals.losses += sums.losses
                totals.unknown += sums.unknown
                totals.ties += sums.played - sums.wins - sums.losses - sums.unknown
        for row in standings.teams or standings.people:
            for person in row.unit:
                careers[person].best = min(filter(None, (careers[person].best, row.place)), default=None)
        for person in {person for champion in champions for person in champion.people}:
            careers[person].titles += 1
            careers[person].best = 1
    return tuple(ends), dict(careers)


def _champions(session: Session, season: SeasonRow, standings: SeasonStandings) -> Iterator[Champion]:
    """Yield who won a season: its playoffs, its last night if that was a knockout, or else the standings."""
    if is_of_teams(season):
        squads = squads_of(session, season)
        won = team_playoffs(session, season).champion
        if won is None:
            matches = season_matches(session, season)
            groups = [rows_of(season, squads, teams, matches) for teams in divisions_of(squads).values()]
            first = [row.person for rows in groups for row in rows if row.place == 1]
        else:
            first = [won]
        yield from (Champion(squads[team].players, squads[team].name) for team in first)
        return
    decider = decider_of(standings)
    if decider is not None and decider.bracket is not None and decider.bracket.champion:
        merged = standings.roster.merged
        yield Champion(tuple(merged.get(person, person) for person in decider.bracket.champion))
        return
    yield from (Champion(row.unit) for row in standings.teams or standings.people if row.place == 1)


_leagues: Recent[int, tuple[Hashable, Known]] = Recent(REMEMBERED)
"""By id of the league: the mark (`_mark`) and the closed seasons that were calculated last."""
