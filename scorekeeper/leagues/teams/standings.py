"""Find out who qualifies for the playoffs of a season, and what is left to play.

Read the standings of a season's teams by division, and export them.

Pages, files, chat messages, embedded pages, the feed and the API all use the same `Division`s, so they can't disagree.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile

from msgspec import Struct, structs
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.core.access import NoSuchLeagueError, season_at
from scorekeeper.leagues.core.models import LeagueRow, NightRow, SeasonRow
from scorekeeper.leagues.schedule.formats.knockout import RESEED, THIRD, Pairing
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.standings.columns import Sheet, workbook
from scorekeeper.leagues.standings.fixture_race import TeamOutlook
from scorekeeper.leagues.standings.pages import Division, TeamLine
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.queries import needs_words, team_lines
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.standings_cache import season_standings
from scorekeeper.leagues.standings.table import ties_of
from scorekeeper.leagues.standings.wording import plus_minus, tie_line
from scorekeeper.leagues.teams.fixtures import Match, play_off, playoff_pairings, seeds_of, table_of, team_race
from scorekeeper.leagues.teams.matches import Squad, divisions_of, fixtures_of, scored, squads_of
from scorekeeper.leagues.teams.pages import COLUMNS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.csv_cells import csv_file
from scorekeeper.web.extensions import db

FEWEST_SIDES = 2
"""Fewest sides of a knockout."""


class Status(Struct, frozen=True):
    """What is left to play before the playoffs of a season, and the playoff nights so far."""

    settings: PlayoffSettings
    nights_left: int
    matches_left: int
    open_night: int
    """Number of the first night that is still open, 0 if none is."""
    started: tuple[NightRow, ...]
    """The playoff nights that were opened so far, in order."""

    @property
    def early(self) -> bool:
        """Return whether anything is still left to play before the playoffs."""
        return bool(self.nights_left or self.matches_left)


def is_of_teams(season: SeasonRow) -> bool:
    """Return whether fixed teams play in this season."""
    return season.plan.get("format") == TEAM_MATCH.key


def settings_of(season: SeasonRow) -> PlayoffSettings:
    """Return the settings of the playoffs and of team matches."""
    return PlayoffSettings.from_json(season.playoffs or {})


def options_of(settings: PlayoffSettings) -> dict[str, int]:
    """Return the values of a knockout night's options according to the playoff settings, by key of the option."""
    return {THIRD.key: int(settings.third), RESEED.key: int(settings.reseed)}


def status_of(session: Session, season: SeasonRow) -> Status:
    """Return what is left to play before the playoffs of a season, and the playoff nights so far.

    Takes a few queries.
    """
    settings = settings_of(season)
    query = select(NightRow).where(NightRow.season_id == season.id, NightRow.number > 0).order_by(NightRow.number)
    nights = session.scalars(query).all()
    matches = season_matches(session, season) if is_of_teams(season) else []
    return Status(
        settings,
        0 if matches else max(settings.nights - sum(not night.playoff for night in nights), 0),
        sum(match.score is None for match in matches),
        next((night.number for night in nights if night.closed_at is None), 0),
        tuple(night for night in nights if night.playoff),
    )


def season_matches(session: Session, season: SeasonRow) -> list[Match]:
    """Return the team matches of a season. Playoff matches are left out."""
    return scored(session, [row for row in fixtures_of(session, season) if not row.stage])


def ranked_units(session: Session, season: SeasonRow) -> tuple[Unit, ...]:
    """Return the row ids of the ranked people of a season, best first.

    Each entry is a tuple: one person, or both partners if the season has fixed partners.
    """
    standings = season_standings(session, season)
    return tuple(row.unit for row in standings.teams or standings.people if row.place is not None)


def heads_up(season: SeasonRow) -> bool:
    """Return whether the season's game can be played by two players against each other.

    In any other game, the knockout is played in pairs, even if people qualify individually (`teams_in`).
    """
    return _seats(season, 2, "alone")


def _seats(season: SeasonRow, players: int, kind: str) -> bool:
    return any((each.players, each.kind) == (players, kind) for each in PRESETS[season.preset].seatings)


def ways_of(season: SeasonRow, units: Sequence[Unit]) -> tuple[bool, ...]:
    """Return how people who qualified individually can play the knockout: in pairs (True), in singles (False), or both.

    The usual way comes first: pairs, if the season is played by partners. `units` are those who qualify, best first.
    Return () for fixed partners, who stay together.
    """
    if not units or len(units[0]) > 1:
        return ()
    if len(units) < 2 * FEWEST_SIDES or not _seats(season, 2 * FEWEST_SIDES, "partners"):
        return (False,)
    if not heads_up(season):
        return (True,)
    return (False, True) if NightPlan.from_json(season.plan).solo else (True, False)


def teams_in(season: SeasonRow, units: Sequence[Unit], *, pairs: bool | None = None) -> list[Unit]:
    """Return the sides of the knockout, best seed first.

    `units` are the people or pairs who qualify, best first. With `pairs`, single people are put into pairs; None means
    the usual way (`ways_of`), and a game that needs partners is always played in pairs. The best person gets the worst
    as a partner, the second best gets the second worst, and so on. If the number of people is odd, the last person is
    left out.
    """
    if not units or len(units[0]) > 1:
        return list(units)
    if heads_up(season) and not (ways_of(season, units)[0] if pairs is None else pairs):
        return list(units)
    half = len(units) // 2
    return [(*units[seed], *units[2 * half - 1 - seed]) for seed in range(half)]


def rows_of(
    season: SeasonRow, squads: Mapping[int, Squad], group: Sequence[int], matches: Sequence[Match]
) -> tuple[StandingRow, ...]:
    """Return the standings of some teams, best first. `group` has their row ids.

    A match counts if at least one of these teams played in it.
    """
    rows = table_of(
        [match for match in matches if match.home in group or match.away in group],
        StandingSettings.from_json(season.counting),
        settings_of(season).match,
        season=season.public_id,
        tags={squad.id: squad.public_id for squad in squads.values()},
    )
    return tuple(row for row in rows if row.person in group)


def seeded_teams(session: Session, season: SeasonRow) -> list[int]:
    """Return the row ids of the teams that qualify by the current standings, best seed first."""
    settings, squads = settings_of(season), squads_of(session, season)
    matches = season_matches(session, season)
    groups = list(divisions_of(squads).values()) if settings.scope == "division" else [list(squads)]
    ranked = [[row.person for row in rows_of(season, squads, group, matches)] for group in groups]
    return seeds_of(ranked, settings.qualify)


def next_in_line(session: Session, season: SeasonRow, gone: Squad | None = None) -> list[Squad]:
    """Return the teams that can replace the team `gone` in the playoffs, best first.

    A team that has ever been in these playoffs is left out. Teams that haven't played any match are at the end. If
    teams qualify by division and `gone` is given, the teams in its division are listed first.
    """
    squads = squads_of(session, season)
    rows = rows_of(season, squads, list(squads), season_matches(session, season))
    ranked = list(dict.fromkeys([*(row.person for row in rows), *squads]))
    waiting = [squads[team] for team in ranked if squads[team].seed is None]
    if gone is not None and settings_of(season).scope == "division":
        waiting.sort(key=lambda squad: squad.division != gone.division)
    return waiting


class TeamPlayoffs(Struct, frozen=True):
    """The playoffs of a season of fixed teams.

    `rounds` has the matches of each round so far. `placed` has the teams in groups by how far they got, best first.
    """

    rounds: tuple[tuple[Match, ...], ...]
    due: tuple[tuple[tuple[int, int], ...], ...]
    """The matches of each round that follow from the results of the rounds before it, as row ids of both teams.

    Ends with the round after the last one that has all its results.
    """
    placed: tuple[tuple[int, ...], ...]
    seeds: tuple[int, ...] = ()
    pairings: tuple[tuple[Pairing, ...], ...] = ()
    """The playoffs as in a picture, of the teams in the order of `seeds`."""

    @property
    def coming(self) -> tuple[tuple[int, int], ...]:
        """Return the row ids of the home and visiting team of each match of the next round.

        Return () while a round is in progress, and after the final.
        """
        return self.due[-1] if len(self.due) > len(self.rounds) else ()

    @property
    def champion(self) -> int | None:
        """Return the row id of the team that won the playoffs, or None before the final is over."""
        done = all(match.score for played in self.rounds for match in played)
        return self.placed[0][0] if self.rounds and done and not self.coming else None


def team_playoffs(session: Session, season: SeasonRow) -> TeamPlayoffs:
    """Return the playoffs of a season of fixed teams. All fields are empty before the playoffs start.

    If a team was replaced, its earlier matches count for the team that took over the seed.
    """
    drawn = {squad.id: squad.seed for squad in squads_of(session, season).values() if squad.seed is not None}
    seeds = {seed: team for team, seed in drawn.items() if seed > 0}
    if len(seeds) < 2:
        return TeamPlayoffs((), (), ())
    rows = [row for row in fixtures_of(session, season) if row.stage]
    now = {team: seeds[abs(seed)] for team, seed in drawn.items()}
    played = {
        match.id: structs.replace(match, home=now[match.home], away=now[match.away]) for match in scored(session, rows)
    }
    rounds = tuple(
        tuple(played[row.id] for row in rows if row.stage == stage) for stage in sorted({row.stage for row in rows})
    )
    done = list(takewhile(lambda matches: all(match.score for match in matches), rounds))
    settings = settings_of(season)
    order = [seeds[seed] for seed in sorted(seeds)]
    states = [play_off(order, done[:count], settings.match, options_of(settings)) for count in range(len(done) + 1)]
    shown = rounds[: len(done) + 1]
    return TeamPlayoffs(
        rounds,
        tuple(tuple(coming) for coming, _placed in states),
        states[-1][1],
        tuple(order),
        playoff_pairings(order, shown, settings.match, options_of(settings)),
    )


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
