"""Set up teams and their matches, choose lineups, and open playoff nights. Each use case is one transaction."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.store.audit import note as note_game
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.access import NoSuchLeagueError, take_charge_of_season
from scorekeeper.leagues.core.models import (
    ByeRow,
    FixtureRow,
    LeagueRow,
    LineupRow,
    NightRow,
    PersonRow,
    PresentRow,
    SeasonRow,
    SeatRow,
    SquadPersonRow,
    SquadRow,
    TableRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import TEAM, Desk, at_desk, note, people_at, request_key, told_before
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.standings.table_results import TableState, last_begun
from scorekeeper.leagues.teams.fixtures import match_days
from scorekeeper.leagues.teams.matches import divisions_of, fixtures_on, people_on, squads_of, tables_per_match
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import check_name
from scorekeeper.web.extensions import writing

MOST_TEAMS, MOST_PLAYERS = 64, 24
"""Maximum number of teams in a season, and maximum number of players in a team."""
SAID = 10
"""Most unknown names in a message."""


@use_case
def save_squad(
    *,
    season: str,
    squad: str | None,
    name: str,
    division: str,
    players: Sequence[str],
    device: str,
    tap: str = "",
    now: datetime | None = None,
) -> None:
    """Add a team to a season, or change a team if its public id is given as `squad`.

    `players` are names, with the captain first. A repeated request with the same `tap` changes nothing. Raises
    `NoSuchLeagueError` or `NotAllowedError`.

    Also raises `RuleViolation` for a name that is invalid, taken or unknown, for too many teams or players, and for a
    season that is closed or isn't played by teams. Once the matches are made, `RuleViolation` is also raised for a new
    team, or for a team that would move to another division.
    """
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.OWNER)
        key = request_key("squad_saved", tap, name, division, list(players))
        if told_before(session, league, key) is not None:
            return
        _demand_teams(row)
        known = {each.public_id: each for each in _squads(session, row)}
        if squad is not None and squad not in known:
            raise NoSuchLeagueError
        old = None if squad is None else known[squad]
        if not name.strip():
            raise RuleViolation("name_missing", "Enter a name for the team.", field="name")
        checked = check_name(name)
        others = [each for each in known.values() if each is not old]
        if checked.casefold() in {each.name.casefold() for each in others}:
            raise RuleViolation(
                "name_twice", Phrase("There's already a team named %(name)s.", name=checked), field="name"
            )
        group = check_name(division) if division.strip() else ""
        if _has_matches(session, row) and (old is None or old.division != group):
            raise RuleViolation("matches_made", "The schedule is made, so teams and divisions can't change now.")
        people = _named(session, league, row, players, old)
        if old is None:
            if len(others) >= MOST_TEAMS:
                raise RuleViolation("teams", Phrase("A season can have at most %(most)s teams.", most=MOST_TEAMS))
            old = SquadRow(season_id=row.id, public_id=new_public_id(), name=checked, division=group)
            session.add(old)
        old.name, old.division = checked, group
        session.flush()
        session.execute(delete(SquadPersonRow).where(SquadPersonRow.squad_id == old.id))
        session.add_all(
            SquadPersonRow(squad_id=old.id, person_id=person.id, place=place) for place, person in enumerate(people)
        )
        ids = [person.public_id for person in people]
        when, texts = now or datetime.now(UTC), {TEAM: checked}
        note(
            session,
            league,
            "squad_saved",
            device=device,
            now=when,
            key=key,
            texts=texts,
            season=row.public_id,
            people=ids,
        )


def _demand_teams(season: SeasonRow) -> None:
    if season.plan.get("format") != TEAM_MATCH.key:
        raise RuleViolation("no_teams", "This season has no teams.")
    if season.closed_at is not None:
        raise RuleViolation("season_closed", "This season is closed.")


def _squads(session: Session, season: SeasonRow) -> Sequence[SquadRow]:
    return session.scalars(select(SquadRow).where(SquadRow.season_id == season.id).order_by(SquadRow.id)).all()


def _has_matches(session: Session, season: SeasonRow) -> bool:
    return session.scalars(select(FixtureRow.id).where(FixtureRow.season_id == season.id)).first() is not None


def _named(
    session: Session, league: LeagueRow, season: SeasonRow, names: Sequence[str], squad: SquadRow | None
) -> list[PersonRow]:
    """Find the people of the league who have these names. `squad` is the team they are for, or None for a new team.

    Raises `RuleViolation` for an unknown name, a wrong number of players, or a person in another team of the season.
    """
    query = select(PersonRow).where(PersonRow.league_id == league.id, PersonRow.merged_into.is_(None))
    known = {person.name.casefold(): person for person in session.scalars(query)}
    wanted = list(dict.fromkeys(name.strip().casefold() for name in names if name.strip()))
    typed = {name.strip().casefold(): name.strip()[:40] for name in names}
    unknown = [typed[name] for name in wanted if name not in known]
    if unknown:
        names = ", ".join(unknown[:SAID])
        message = Phrase("The league doesn't have these players yet: %(names)s. Add them first.", names=names)
        raise RuleViolation("player_unknown", message, field="players")
    if not 2 <= len(wanted) <= MOST_PLAYERS:
        message = Phrase("A team has 2 to %(most)s players.", most=MOST_PLAYERS)
        raise RuleViolation("players", message, field="players")
    taken = {
        person: other.name
        for other in squads_of(session, season).values()
        if squad is None or other.id != squad.id
        for person in other.players
    }
    for name in wanted:
        if known[name].id in taken:
            message = Phrase("%(name)s already plays for %(team)s.", name=known[name].name, team=taken[known[name].id])
            raise RuleViolation("player_twice", message, field="players")
    return [known[name] for name in wanted]


@use_case
def remove_squad(*, season: str, squad: str, device: str, now: datetime | None = None) -> None:
    """Remove a team from a season. `season` and `squad` are public ids.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Also raises `RuleViolation` if the matches of the season are
    already made, or if the season is closed or isn't played by teams.
    """
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.OWNER)
        _demand_teams(row)
        found = next((each for each in _squads(session, row) if each.public_id == squad), None)
        if found is None:
            raise NoSuchLeagueError
        if _has_matches(session, row):
            raise RuleViolation("matches_made", "The schedule is made, so teams and divisions can't change now.")
        session.execute(delete(SquadPersonRow).where(SquadPersonRow.squad_id == found.id))
        session.delete(found)
        when, texts = now or datetime.now(UTC), {TEAM: found.name}
        note(session, league, "squad_removed", device=device, now=when, texts=texts, season=row.public_id)


@use_case
def make_matches(*, season: str, double: bool, device: str, now: datetime | None = None) -> None:
    """Make all matches of a season. Each team meets every other team in its division once or, with `double`, twice.

    Raises the same errors as `save_squad`. Also raises `RuleViolation` if the matches are already made, or if a
    division has only one team.
    """
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.OWNER)
        _demand_teams(row)
        if _has_matches(session, row):
            raise RuleViolation("matches_made", "The schedule is already made.")
        divisions = divisions_of(squads_of(session, row))
        if not divisions or any(len(teams) < 2 for teams in divisions.values()):
            raise RuleViolation("teams", "Each division needs at least two teams.")
        days = [match_days(teams, double=double) for teams in divisions.values()]
        made = 0
        for day in range(max(map(len, days))):
            matches = [match for each in days if day < len(each) for match in each[day]]
            for number, (home, away) in enumerate(matches, start=1):
                session.add(new_fixture(row, 0, day + 1, number, home, away))
                made += 1
        when = now or datetime.now(UTC)
        note(session, league, "matches_made", device=device, now=when, season=row.public_id, matches=made)


def new_fixture(season: SeasonRow, stage: int, day: int, number: int, home: int, away: int) -> FixtureRow:
    """Make the row of a match between two teams, without adding it to the session. `home` and `away` are row ids.

    `stage` is 0 for a regular match, otherwise the round of the playoffs. `day` is the number of the match day, or the
    same as `stage` in the playoffs. `number` is the position of the match within its day, counted from 1.
    """
    return FixtureRow(
        season_id=season.id,
        public_id=new_public_id(),
        stage=stage,
        round=day,
        number=number,
        home_id=home,
        away_id=away,
    )


def assign_next(session: Session, season: SeasonRow, night: NightRow) -> None:
    """Assign matches to `night`, which was just opened.

    These are the matches of the first match day that has matches without a night.
    """
    waiting = select(FixtureRow).where(
        FixtureRow.season_id == season.id, FixtureRow.stage == 0, FixtureRow.night_id.is_(None)
    )
    rows = session.scalars(waiting.order_by(FixtureRow.round)).all()
    for row in rows:
        if row.round == rows[0].round:
            row.night_id = night.id


def release(session: Session, night: NightRow) -> None:
    """Remove all matches from a night that is about to be deleted, and delete the lineups of these matches.

    Playoff matches are deleted completely, because new matches are made when the playoff round is started again.
    """
    rows = fixtures_on(session, night.id)
    session.execute(delete(LineupRow).where(LineupRow.fixture_id.in_([row.id for row in rows])))
    for row in rows:
        if row.stage:
            session.delete(row)
        else:
            row.night_id = row.forfeit = None


@use_case
def choose_matches(*, night: str, matches: Sequence[str], device: str, now: datetime | None = None) -> None:
    """Choose which matches of the season are played on a night, in place of the earlier choice.

    `matches` are public ids. Raises the errors of `at_desk`. Also raises `RuleViolation` if a round has started, or if
    a match is already on another night.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        session = desk.session
        _demand_teams(desk.season)
        if last_begun(desk.session, desk.night):
            raise RuleViolation("begun", "A round has started, so tonight's matches can't change.")
        query = select(FixtureRow).where(FixtureRow.season_id == desk.season.id, FixtureRow.stage == 0)
        rows = session.scalars(query).all()
        if set(matches) - {row.public_id for row in rows}:
            raise NoSuchLeagueError
        for row in rows:
            if row.public_id in matches:
                if row.night_id not in (None, desk.night.id):
                    raise RuleViolation(
                        "match_elsewhere", "One of these matches is already on another night. Reload the page."
                    )
                row.night_id = desk.night.id
            elif row.night_id == desk.night.id:
                session.execute(delete(LineupRow).where(LineupRow.fixture_id == row.id))
                row.night_id = row.forfeit = None
        clear_seating(desk, 0)
        desk.note("matches_chosen", matches=len(matches))


@use_case
def set_lineup(
    *, night: str, match: str, side: int, people: Sequence[str], device: str, now: datetime | None = None
) -> None:
    """Set who plays for one side of a match on a night.

    `match` is a public id, and `side` is 0 for home or 1 for visitors. `people` are public ids. The first two are
    partners, then the next two, and so on. Everybody who is checked in may play as a substitute. Two players must be
    here; the seats of others of the team, who didn't come, stay empty.

    Raises the errors of `at_desk`. Also raises `RuleViolation` for a wrong number of players, or if a player isn't
    checked in or is in another lineup.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        session = desk.session
        _demand_teams(desk.season)
        rows = fixtures_on(session, desk.night.id)
        row = next((row for row in rows if row.public_id == match), None)
        if row is None or side not in (0, 1):
            raise NoSuchLeagueError
        chosen = [person.id for person in people_at(desk, people)]
        size = 2 * tables_per_match(desk.night)
        if len(set(chosen)) != size or len(chosen) != size:
            message = Phrase("Choose %(size)s different players.", size=size)
            raise RuleViolation("lineup", message, field="lineup")
        squad = session.get_one(SquadRow, row.away_id if side else row.home_id)
        here, came = people_on(session, desk.night)
        own = set(squads_of(session, desk.season)[squad.id].players)
        if not set(chosen) <= here | own - came or len(here.intersection(chosen)) < 2:
            raise RuleViolation("lineup", "Check players in before you put them in a lineup.", field="lineup")
        session.execute(delete(LineupRow).where(LineupRow.fixture_id == row.id, LineupRow.side == side))
        others = select(LineupRow.person_id).where(LineupRow.fixture_id.in_([each.id for each in rows]))
        if set(chosen) & set(session.scalars(others)):
            raise RuleViolation("lineup", "Someone is in two lineups.", field="lineup")
        session.add_all(
            LineupRow(fixture_id=row.id, side=side, place=place, person_id=person)
            for place, person in enumerate(chosen)
        )
        clear_seating(desk, last_begun(desk.session, desk.night))
        desk.note("lineup_set", texts={TEAM: squad.name}, people=list(people))


def clear_seating(desk: Desk, begun: int) -> None:
    """Delete the seating of all rounds that haven't started.

    `begun` is the number of the last round that has started, or 0 if none has.
    """
    later = select(TableRow.id).where(TableRow.night_id == desk.night.id, TableRow.round > begun)
    desk.session.execute(delete(SeatRow).where(SeatRow.table_id.in_(later)))
    desk.session.execute(delete(TableRow).where(TableRow.night_id == desk.night.id, TableRow.round > begun))
    desk.session.execute(delete(ByeRow).where(ByeRow.night_id == desk.night.id, ByeRow.round > begun))


def remove_rounds(desk: Desk, number: int, tables: Sequence[TableState]) -> list[list[Any]]:
    """Remove the round `number` and all later ones with their games; return what their games were, for the log.

    `tables` are the tables of the night. In the result, each game is its round, its table and its points by side. The
    people of the night come and leave no later than in that round, which is the next to be seated.
    """
    gone = [table for table in tables if table.round >= number and table.game]
    for game in desk.session.scalars(
        select(GameRow).where(GameRow.public_id.in_([table.game for table in gone]))
    ).all():
        game.deleted_at = desk.now
        note_game(desk.session, game.id, "deleted", device=desk.device, now=desk.now)
    clear_seating(desk, number - 1)
    if (desk.night.started_round or 0) >= number:
        desk.night.started_round = number - 1
    desk.night.bell_at = desk.night.clock_at = None
    for row in desk.session.scalars(select(PresentRow).where(PresentRow.night_id == desk.night.id)):
        row.from_round = min(row.from_round, number)
        row.to_round = None if row.to_round is None else min(row.to_round, number - 1)
    return [[table.round, table.number, list(table.points)] for table in gone]


def carry_teams_over(session: Session, gone: PersonRow, kept: PersonRow) -> None:
    """Put the person `kept` in place of the person `gone` in all teams and lineups.

    This is part of merging `gone` into `kept`. If the two were in different teams of the same season, `kept` stays in
    the team where they were, and `gone` is removed from the other team.
    """
    teams = set(session.scalars(select(SquadPersonRow.squad_id).where(SquadPersonRow.person_id == kept.id)))
    seasons = select(SquadRow.season_id).where(SquadRow.id.in_(teams))
    # Someone who was in two teams of a season under two names stays in the one of the name that is kept.
    double = select(SquadRow.id).where(SquadRow.season_id.in_(seasons))
    session.execute(
        delete(SquadPersonRow).where(SquadPersonRow.person_id == gone.id, SquadPersonRow.squad_id.in_(double))
    )
    for model in (SquadPersonRow, LineupRow):
        session.execute(update(model).where(model.person_id == gone.id).values(person_id=kept.id))


def new_playoff_night(session: Session, season: SeasonRow, plan: dict[str, object], day: date) -> NightRow:
    """Add an open playoff night to a season, and return it. `plan` is the plan of the night as JSON."""
    numbers = select(func.max(NightRow.number)).where(NightRow.season_id == season.id, NightRow.number > 0)
    night = NightRow(
        season_id=season.id,
        public_id=new_public_id(),
        number=(session.scalar(numbers) or 0) + 1,
        day=day,
        plan=plan,
        version=0,
        cards=0,
        playoff=True,
    )
    session.add(night)
    session.flush()
    return night
