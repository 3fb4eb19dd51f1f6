"""Read what is shown about teams and playoffs, on pages of a season and on the page from which a night is run."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.sentences import isolated, join_names, score_text
from scorekeeper.i18n.sentences import number as spelled
from scorekeeper.leagues.calendar.service import PLANNED
from scorekeeper.leagues.core.access import head_of, night_at, season_at
from scorekeeper.leagues.core.models import FixtureRow, LeagueRow, NightRow, PlannedRow, PresentRow, SeasonRow, TableRow
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.standings.night_snapshot import bracket_on, champion_line, names_on, picture, seen
from scorekeeper.leagues.standings.pages import BracketRound
from scorekeeper.leagues.standings.playoff_settings import ABSENT, MATCHES, PLAYOFF_SETTINGS
from scorekeeper.leagues.standings.queries import TeamReader, read_teams_with
from scorekeeper.leagues.standings.settings import SETTINGS, StandingSettings
from scorekeeper.leagues.standings.standings_cache import Roster, roster_of
from scorekeeper.leagues.standings.table_results import last_begun, tables_of
from scorekeeper.leagues.teams.fixtures import Match
from scorekeeper.leagues.teams.matches import (
    Squad,
    fixtures_of,
    fixtures_on,
    lineups_on,
    people_on,
    scored,
    squads_of,
    tables_per_match,
)
from scorekeeper.leagues.teams.night_matches import forfeit_words, score_words
from scorekeeper.leagues.teams.pages import (
    DeskMatches,
    DeskSeeds,
    LineupChoice,
    LineupChoices,
    MatchDay,
    MatchLine,
    OutdatedPlayoffs,
    Seed,
    SquadCard,
    TeamsPage,
)
from scorekeeper.leagues.teams.playoffs import moved_round, moved_seeds, nights_from
from scorekeeper.leagues.teams.standings import (
    Status,
    TeamPlayoffs,
    divisions,
    is_of_teams,
    next_in_line,
    ranked_units,
    seeded_teams,
    settings_of,
    standings_text,
    status_of,
    team_playoffs,
    team_standings,
    teams_in,
    ways_of,
)
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import day_text

Squads = Mapping[int, Squad]


def teams_page(season_id: str, device: str | None, *, error: str = "", part: str = "") -> TeamsPage:
    """Return the page of a season's teams, with standings, matches and players. Raises `NoSuchLeagueError`.

    `part` says next to which form `error` is shown (see `TeamsPage.part`).
    """
    session = db.session()
    season = season_at(session, season_id)
    league = session.get_one(LeagueRow, season.league_id)
    squads, roster = squads_of(session, season), roster_of(session, league.id)
    rows = [row for row in fixtures_of(session, season) if not row.stage]
    matches = scored(session, rows)
    settings = settings_of(season)
    told = divisions(season, squads, matches)
    counting = StandingSettings.from_json(season.counting)
    return TeamsPage(
        league=head_of(league, device),
        season_id=season.public_id,
        season=season.name,
        closed=season.closed_at is not None,
        rule=(
            spoken(MATCHES[settings.match]),
            PLAYOFF_SETTINGS["forfeit"].says(settings),
            _("A win is worth 2 points, and a tie 1."),
            *(SETTINGS[key].says(counting) for key in ("ties", "met_all", "reapply")),
        ),
        divisions=told,
        days=_days(session, squads, rows, matches, _titles(session, season, rows)),
        squads=tuple(
            SquadCard(
                squad.public_id, squad.name, squad.division, tuple(roster.people[who].name for who in squad.players)
            )
            for squad in squads.values()
        ),
        has_playoffs=settings.held,
        text=standings_text(f"{league.name}, {season.name}", told),
        client_id=new_tap_id(),
        error=error,
        part=part,
    )


def _days(
    session: Session,
    squads: Squads,
    rows: Sequence[FixtureRow],
    matches: Sequence[Match],
    title: Callable[[FixtureRow], str],
) -> tuple[MatchDay, ...]:
    """Return the matches in groups, one group for each title, in the order of `rows`. Takes one query.

    `matches` has the `Match` of each row, in the order of `rows`. `title` returns the title of a row's group.
    """
    ids = {row.night_id for row in rows if row.night_id is not None}
    nights = dict(session.execute(select(NightRow.id, NightRow.public_id).where(NightRow.id.in_(ids))).all())
    days: dict[str, list[MatchLine]] = {}
    for row, match in zip(rows, matches, strict=True):
        days.setdefault(title(row), []).append(
            MatchLine(
                row.public_id,
                squads[row.home_id].name,
                squads[row.away_id].name,
                score_words(match, squads),
                "" if row.night_id is None else nights[row.night_id],
            )
        )
    return tuple(MatchDay(name, tuple(lines)) for name, lines in days.items())


def _titles(session: Session, season: SeasonRow, rows: Sequence[FixtureRow]) -> Callable[[FixtureRow], str]:
    """Return a function that returns the title of the match day to which a match belongs, such as "Match day 3".

    `rows` are all matches of the season. If no night has been opened for a match day, the title also has the expected
    date. The expected dates are those of the planned nights, in order. Takes one query.
    """
    planned = select(PlannedRow.day).where(
        PlannedRow.season_id == season.id, PlannedRow.state == PLANNED, PlannedRow.night_id.is_(None)
    )
    dates = session.scalars(planned.order_by(PlannedRow.day)).all()
    coming = sorted({row.round for row in rows} - {row.round for row in rows if row.night_id is not None})
    of_round = dict(zip(coming, dates, strict=False))

    def title(row: FixtureRow) -> str:
        number = _("Match day %(number)s", number=row.round)
        return f"{number}, {day_text(of_round[row.round])}" if row.round in of_round else number

    return title


def playoffs_page(season_id: str, device: str | None, *, error: str = "") -> SimpleNamespace:
    """Return the page of a season's playoffs: the rules, the seeds, and what can be started next.

    Raises `NoSuchLeagueError`.
    """
    session = db.session()
    season = season_at(session, season_id)
    league = session.get_one(LeagueRow, season.league_id)
    status, roster = status_of(session, season), roster_of(session, league.id)
    rounds = team_playoffs(session, season) if is_of_teams(season) and status.started else None
    squads = squads_of(session, season)
    champion, days, bracket = "", tuple[MatchDay, ...](), tuple[BracketRound, ...]()
    if rounds is not None:
        champion, bracket = _champions(squads, rounds.champion), team_picture(rounds, squads, status.settings.match)
        rows = [row for row in fixtures_of(session, season) if row.stage]
        days = _days(session, squads, rows, scored(session, rows), lambda row: _("Round %(number)s", number=row.stage))
    elif status.started:
        at = seen(status.started[-1].public_id)
        names = names_on(at)
        champion, bracket = champion_line(at, names), bracket_on(at, names)
    over = bool(champion) or (bool(status.started) and rounds is None) or season.closed_at is not None
    outdated = outdated_playoffs(session, season, roster)
    waiting = status.open_night or (outdated is not None and outdated.stage)
    start = "" if over or waiting or not status.settings.held else _start_label(status)
    waits = _("Night %(number)s is still open. Close it first.", number=status.open_night) if status.open_night else ""
    open_to = status.settings.held and not status.started and not is_of_teams(season)
    units = ranked_units(session, season)[: status.settings.qualify] if open_to else ()
    ways = ways_of(season, units)
    return SimpleNamespace(
        league=head_of(league, device),
        season_id=season.public_id,
        season=season.name,
        rule=status.settings.in_words(teams=is_of_teams(season)),
        seeds=_seeds(session, season, status, squads, roster),
        # True if the playoffs haven't started, so that `seeds` follow the present standings and may still change.
        provisional=not status.started,
        # Sentence about the matches or nights left before the playoffs, or an empty string.
        left="" if status.started else _left(status),
        # The rounds of playoffs between teams, with their matches; empty for other playoffs.
        days=days,
        # Public id of the latest night of the playoffs; empty before the first.
        night=status.started[-1].public_id if status.started else "",
        # The picture of the bracket; () before the playoffs.
        bracket=bracket,
        # The winner in a line, such as "Champions: Ann and Bob"; empty until there is one.
        champion=champion,
        # Label of the button that starts the playoffs or their next round; empty if neither can be started.
        start=start,
        # True if a reason must be given, because the season isn't over.
        needs_reason=status.early and not status.started,
        # Sentence that says why nothing can be started yet; empty if there is no such reason.
        waits="" if over else waits,
        today=datetime.now(UTC).astimezone().date(),
        error=error,
        # Seeds that no longer fit the standings; None if they do.
        outdated=outdated,
        ways=ways,
        # True if fixed partners qualify, who stay together.
        pairs_stay=any(len(unit) > 1 for unit in units),
    )


def team_picture(state: TeamPlayoffs, squads: Squads, match: str) -> tuple[BracketRound, ...]:
    """Return the picture of the playoffs of a team season. `match` is as in `MatchScore.winner`."""

    def scores(number: int, table: int) -> tuple[Sequence[str], int | None]:
        score = state.rounds[number - 1][table - 1].score
        if score is None:
            return (), None
        return [spelled(each) for each in (score.tables if match == "tables" else score.points)], score.goes_on(match)

    return picture(state.pairings, lambda seed: squads[state.seeds[seed]].name, scores)


def outdated_playoffs(session: Session, season: SeasonRow, roster: Roster | None = None) -> OutdatedPlayoffs | None:
    """Return what no longer fits in a season's playoffs, the seeds or else a round of teams; None if everything does.

    `roster` has the people of the league; None if they weren't read yet.
    """
    if not settings_of(season).held or season.closed_at is not None:
        return None
    seeds = moved_seeds(session, season)
    moved = None if seeds else moved_round(session, season)
    if not seeds and moved is None:
        return None
    squads = squads_of(session, season) if is_of_teams(season) else {}
    if moved is not None:
        differ = [pairs for pairs in zip(moved.now, moved.was, strict=True) if {*pairs[0]} != {*pairs[1]}]
        now, was = (
            "; ".join(
                _("%(one)s vs. %(other)s", one=squads[one].name, other=squads[other].name) for one, other in pairs
            )
            for pairs in zip(*differ, strict=True)
        )
        says = _(
            "Round %(number)s of the playoffs no longer fits the results before it: it would be %(now)s, not %(was)s.",
            number=moved.stage,
            now=now,
            was=was,
        )
        return _outdated(session, says, nights_from(session, season, moved.stage), moved.stage)
    people = roster or roster_of(session, season.league_id)

    def named(unit: Unit) -> str:
        return join_names([isolated(squads[each].name) if squads else people.named(each) for each in unit] or ["–"])

    changes = [
        _(
            "number %(place)s is now %(name)s, not %(other)s",
            place=each.place,
            name=named(each.now),
            other=named(each.was),
        )
        for each in seeds
    ]
    says = _("The playoff seeds no longer fit the standings: %(changes)s.", changes="; ".join(changes))
    return _outdated(session, says, status_of(session, season).started, 0)


def _outdated(session: Session, says: str, nights: Sequence[NightRow], stage: int) -> OutdatedPlayoffs:
    """Make the outdated seeds or round. `nights` are those of the playoffs from there on, of which the first stays."""
    gone = []
    for night in nights:
        for table in tables_of(session, night):
            score = {"round": table.round, "table": table.number, "score": score_text(table.points)}
            title = (
                _("Night %(night)s, round %(round)s, table %(table)s: %(score)s", night=night.number, **score)
                if len(nights) > 1
                else _("Round %(round)s, table %(table)s: %(score)s", **score)
            )
            gone += [(table.id, title)] if table.game else []
    removed = " ".join(_("Night %(number)s is removed.", number=night.number) for night in nights[1:])
    return OutdatedPlayoffs(says, tuple(gone), removed, stage)


def outdated_playoffs_on(night_id: str) -> OutdatedPlayoffs | None:
    """Return what no longer fits in the playoffs of a night's season, for its desk; None if all fits."""
    session = db.session()
    season = session.get_one(SeasonRow, night_at(session, night_id).season_id)
    return outdated_playoffs(session, season)


def team_champion(session: Session, season: SeasonRow) -> str:
    """Return a line that names the team that won the playoffs; "" before that. Takes two queries until they start."""
    squads = squads_of(session, season)
    if not any(squad.seed for squad in squads.values()):
        return ""
    return _champions(squads, team_playoffs(session, season).champion)


def team_bracket(session: Session, season: SeasonRow) -> tuple[BracketRound, ...]:
    """Return the picture of the playoffs of a season of teams; () before they start, which takes two queries."""
    squads = squads_of(session, season)
    if not any(squad.seed for squad in squads.values()):
        return ()
    return team_picture(team_playoffs(session, season), squads, settings_of(season).match)


read_teams_with(TeamReader(team_champion, team_standings, team_bracket))


def _champions(squads: Mapping[int, Squad], champion: int | None) -> str:
    """Return a sentence such as "Champions: Aces", or an empty string if there is no champion yet.

    `champion` is the row id of the team that won, or None.
    """
    return "" if champion is None else _("Champions: %(names)s", names=isolated(squads[champion].name))


def _start_label(status: Status) -> str:
    return _("Start next round") if status.started else _("Start playoffs")


def _left(status: Status) -> str:
    if status.matches_left:
        return ngettext("%(num)s match left before them.", "%(num)s matches left before them.", status.matches_left)
    if status.nights_left:
        return ngettext("%(num)s night left before them.", "%(num)s nights left before them.", status.nights_left)
    return ""


def _seeds(session: Session, season: SeasonRow, status: Status, squads: Squads, roster: Roster) -> tuple[Seed, ...]:
    """Return the seeds of the playoffs. Before the playoffs start, they follow the current standings."""
    if is_of_teams(season):
        drawn = sorted((squad.seed, squad.id) for squad in squads.values() if (squad.seed or 0) > 0)
        ids = [squad for _seed, squad in drawn] if status.started else seeded_teams(session, season)
        return tuple(Seed(number, squads[squad].name, "") for number, squad in enumerate(ids, start=1))
    if status.started:
        return _drawn(session, status.started[-1], roster, replaceable=False)
    units: Sequence[Unit] = teams_in(season, ranked_units(session, season)[: status.settings.qualify])
    return tuple(Seed(number, _named(roster, unit), "") for number, unit in enumerate(units, start=1))


def _named(roster: Roster, unit: Sequence[int]) -> str:
    return join_names([roster.people[person].name for person in unit])


def _drawn(session: Session, night: NightRow, roster: Roster, *, replaceable: bool) -> tuple[Seed, ...]:
    query = select(PresentRow.team, PresentRow.person_id).where(
        PresentRow.night_id == night.id, PresentRow.team.is_not(None)
    )
    teams: dict[int, list[int]] = {}
    for team, person in session.execute(query.order_by(PresentRow.team, PresentRow.id)):
        teams.setdefault(team or 0, []).append(person)
    return tuple(
        Seed(number, _named(roster, people), roster.people[people[0]].public_id if replaceable else "")
        for number, people in enumerate(teams.values(), start=1)
    )


def desk_matches(night_id: str, plan: NightPlan) -> DeskMatches | None:
    """Return the matches and lineups for the page from which a night is run (its desk).

    `night_id` is a public id, and `plan` is the night's plan. Return None if the night has no team matches, if the
    season isn't played by teams, or if the night is closed.
    """
    if plan.format != TEAM_MATCH.key:
        return None
    session = db.session()
    night = night_at(session, night_id)
    season = session.get_one(SeasonRow, night.season_id)
    if not is_of_teams(season) or night.closed_at is not None:
        return None
    squads, roster = squads_of(session, season), roster_of(session, season.league_id)
    rows = fixtures_on(session, night.id)
    free = [row for row in fixtures_of(session, season) if not row.stage and row.night_id in (None, night.id)]
    started = last_begun(session, night) > 0
    lineups, size = lineups_on(session, night), 2 * tables_per_match(night)
    here, came = ({roster.merged.get(who, who) for who in people} for people in people_on(session, night))

    def by_name(people: Iterable[int]) -> list[int]:
        return sorted(people, key=lambda person: roster.people[person].name.casefold())

    forms = []
    for row in rows:
        if row.forfeit is not None:
            continue
        for side, squad in enumerate((squads[row.home_id], squads[row.away_id])):
            own = set(squad.players)
            who = (*by_name(own & here), *by_name(here - own), *by_name(own - came))
            forms.append(
                LineupChoices(
                    row.public_id,
                    side,
                    squad.name,
                    size,
                    tuple(roster.people[person].public_id for person in lineups[row.id, side]),
                    tuple(
                        LineupChoice(
                            roster.people[each].public_id,
                            roster.people[each].name,
                            _("absent") if each not in here else "" if each in own else _("substitute"),
                        )
                        for each in who
                    ),
                )
            )
    matches = tuple(
        MatchLine(row.public_id, squads[row.home_id].name, squads[row.away_id].name, "", "", row.night_id == night.id)
        for row in free
    )
    forfeits = tuple(
        MatchLine(
            row.public_id,
            squads[row.home_id].name,
            squads[row.away_id].name,
            "",
            "",
            forfeit=forfeit_words(squads, (row.home_id, row.away_id), row.forfeit),
        )
        for row in rows
        if row.forfeit is not None
    )
    can_replace = night.playoff and not started
    tonight = [squad for row in rows for squad in (row.home_id, row.away_id)] if can_replace else []
    return DeskMatches(
        matches,
        tuple(forms),
        not started and not night.playoff,
        forfeits,
        tuple((squads[squad].public_id, squads[squad].name) for squad in tonight),
        tuple((squad.public_id, squad.name) for squad in next_in_line(session, season)) if can_replace else (),
    )


def desk_seeds(night_id: str, plan: NightPlan) -> DeskSeeds | None:
    """Return the seeds for the page from which a playoff night is run (its desk).

    `night_id` is a public id, and `plan` is the night's plan. Return None if the night isn't a playoff night, if the
    season is played by teams, if a game has started, or if the night is closed.
    """
    if plan.format != KNOCKOUT.key:
        return None
    session = db.session()
    night = night_at(session, night_id)
    season = session.get_one(SeasonRow, night.season_id)
    started = select(TableRow.id).where(TableRow.night_id == night.id, TableRow.game_id.is_not(None))
    if not night.playoff or is_of_teams(season) or night.closed_at or session.scalars(started).first() is not None:
        return None
    seeds = _drawn(session, night, roster_of(session, season.league_id), replaceable=True)
    return DeskSeeds(seeds, season.public_id, spoken(ABSENT[settings_of(season).absent]))
