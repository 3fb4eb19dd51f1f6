"""Read the teams, matches and lineups of a season. The result of a match is added up from its tables.

Record that a team, or both teams, forfeit a match of a night, because they don't come, or undo that.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.leagues.core.models import (
    FixtureRow,
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
from scorekeeper.leagues.core.unit_of_work import TEAM, Desk, at_desk
from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.formats.team_match import TABLES, TEAM_MATCH
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.teams.fixtures import BOTH, Match, MatchScore, forfeited
from scorekeeper.rules.phrase import Phrase, RuleViolation


class Squad(Struct, frozen=True):
    """A team of a season.

    `players` has the row ids of the team's players, with the captain first. A merged player is listed by the id of the
    person they were merged into. `seed` is the team's seed in the playoffs, where 1 is the best, or None for a team
    without a seed. A negative seed means that the team was replaced in the playoffs.
    """

    id: int
    public_id: str
    name: str
    division: str
    seed: int | None
    players: tuple[int, ...]


def squads_of(session: Session, season: SeasonRow) -> Mapping[int, Squad]:
    """Return the teams of a season by row id, in the order in which they were added. Takes two queries."""
    rows = session.scalars(select(SquadRow).where(SquadRow.season_id == season.id).order_by(SquadRow.id)).all()
    players: defaultdict[int, list[int]] = defaultdict(list)
    query = (
        select(SquadPersonRow.squad_id, SquadPersonRow.person_id, PersonRow.merged_into)
        .join(SquadRow, SquadRow.id == SquadPersonRow.squad_id)
        .join(PersonRow, PersonRow.id == SquadPersonRow.person_id)
        .where(SquadRow.season_id == season.id)
        .order_by(SquadPersonRow.place, SquadPersonRow.id)
    )
    for squad, person, merged in session.execute(query):
        players[squad].append(merged or person)
    return {
        row.id: Squad(row.id, row.public_id, row.name, row.division, row.seed, tuple(dict.fromkeys(players[row.id])))
        for row in rows
    }


def divisions_of(squads: Mapping[int, Squad]) -> Mapping[str, list[int]]:
    """Return the row ids of each division's teams, by the name of the division, in alphabetical order.

    Teams without a division are listed under "".
    """
    divisions: defaultdict[str, list[int]] = defaultdict(list)
    for squad in squads.values():
        divisions[squad.division].append(squad.id)
    return {name: divisions[name] for name in sorted(divisions)}


def fixtures_of(session: Session, season: SeasonRow) -> Sequence[FixtureRow]:
    """Return all matches of a season. The regular matches come first, by match day, and then the playoffs, by round."""
    query = select(FixtureRow).where(FixtureRow.season_id == season.id)
    return session.scalars(query.order_by(FixtureRow.stage, FixtureRow.round, FixtureRow.number)).all()


def fixtures_on(session: Session, night: int) -> Sequence[FixtureRow]:
    """Return the matches of one night, in the order of their tables. `night` is the id of the night."""
    query = select(FixtureRow).where(FixtureRow.night_id == night)
    return session.scalars(query.order_by(FixtureRow.stage, FixtureRow.round, FixtureRow.number)).all()


def tables_per_match(night: NightRow) -> int:
    """Return the number of tables at which each match of a night is played."""
    return NightPlan.from_json(night.plan).options.get(TABLES.key, TABLES.default)


def scored(session: Session, rows: Sequence[FixtureRow]) -> list[Match]:
    """Return a `Match` for each row, with a score if its night is closed. Takes two queries.

    If `rows` has one match of a night, it must have all of that night's matches. The reason is that tables are assigned
    to the matches of a night in order.
    """
    ids = {row.night_id for row in rows if row.night_id is not None}
    nights = session.scalars(select(NightRow).where(NightRow.id.in_(ids), NightRow.closed_at.is_not(None))).all()
    tables: defaultdict[int, list[TableRow]] = defaultdict(list)
    played = [night.id for night in nights]
    for table in session.scalars(select(TableRow).where(TableRow.night_id.in_(played), TableRow.points.is_not(None))):
        tables[table.night_id].append(table)
    scores: dict[int, MatchScore] = {}
    for night in nights:
        count = tables_per_match(night)
        on_night = [row for row in rows if row.night_id == night.id]
        for index, row in enumerate(on_night):
            own = [table for table in tables[night.id] if index * count < table.number <= (index + 1) * count]
            if row.forfeit is not None:
                points = PlayoffSettings.from_json(session.get_one(SeasonRow, row.season_id).playoffs or {}).forfeit
                scores[row.id] = forfeited(row.forfeit, count * NightPlan.from_json(night.plan).rounds, points)
            elif own:
                scores[row.id] = _score(own)
    return [Match(row.id, row.round, row.home_id, row.away_id, scores.get(row.id)) for row in rows]


def _score(tables: Sequence[TableRow]) -> MatchScore:
    def both(column: str) -> tuple[int, int]:
        return (
            sum(getattr(table, column)[0] for table in tables),
            sum(getattr(table, column)[1] for table in tables),
        )

    won = [table.winner for table in tables]
    return MatchScore((won.count(0), won.count(1)), both("points"), both("sets"))


def lineups_on(session: Session, night: NightRow) -> Mapping[tuple[int, int], tuple[int, ...]]:
    """Return the row ids of the players on each side of each match of a night.

    The keys are (row id of the match, side), where the side is 0 for home or 1 for visitors. The players are those
    chosen for the lineup, without those who have left. If nobody was chosen, the first players of the team who are
    checked in play. A side may have too few players.
    """
    rows = fixtures_on(session, night.id)
    chosen: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    query = select(LineupRow).where(LineupRow.fixture_id.in_([row.id for row in rows]))
    for line in session.scalars(query.order_by(LineupRow.place)):
        chosen[line.fixture_id, line.side].append(line.person_id)
    here, came = people_on(session, night)
    squads = squads_of(session, session.get_one(SeasonRow, night.season_id)) if rows else {}
    size = 2 * tables_per_match(night)
    lineups: dict[tuple[int, int], tuple[int, ...]] = {}
    for row in rows:
        for side, squad in enumerate((row.home_id, row.away_id)):
            may_play = here | set(squads[squad].players) - came
            picked = chosen.get((row.id, side)) or [person for person in squads[squad].players if person in here]
            lineups[row.id, side] = tuple(person for person in picked if person in may_play)[:size]
    return lineups


def people_on(session: Session, night: NightRow) -> tuple[set[int], set[int]]:
    """Return the row ids of the people who are here, and of all who came to a night. Takes one query."""
    query = select(PresentRow.person_id, PresentRow.to_round).where(PresentRow.night_id == night.id)
    came = dict(session.execute(query).all())
    return {person for person, last in came.items() if last is None}, {*came}


Pairs = tuple[Unit, ...]


def matches_on(session: Session, season: SeasonRow, night: NightRow) -> tuple[tuple[Pairs, Pairs], ...]:
    """Return a night's matches as (home team's pairs, visitors' pairs), where a pair is the ids of two partners.

    A forfeited match has no pairs. Raises `RuleViolation` if too few players of a side are checked in.
    """
    size = 2 * tables_per_match(night)
    lineups = lineups_on(session, night)
    squads = squads_of(session, season)
    matches: list[tuple[Pairs, Pairs]] = []
    for row in fixtures_on(session, night.id):
        if row.forfeit is not None:
            matches.append(((), ()))
            continue
        sides = []
        for side, squad in enumerate((row.home_id, row.away_id)):
            people = lineups[row.id, side]
            if len(people) < size:
                message = Phrase(
                    "%(team)s: only %(here)s of %(size)s players are here. Check in the others, choose a substitute, "
                    "or put an absent player into the lineup, and forfeit that table.",
                    team=squads[squad].name,
                    here=len(people),
                    size=size,
                )
                raise RuleViolation("lineup", message, field="lineup")
            sides.append(tuple((people[at], people[at + 1]) for at in range(0, size, 2)))
        matches.append((sides[0], sides[1]))
    return tuple(matches)


@use_case
def set_forfeit(*, night: str, match: str, side: int | None, device: str, now: datetime | None = None) -> None:
    """Record who forfeits a match: 0 for home, 1 for visitors, or `BOTH`; with None, the match is played.

    The tables of a forfeited match are removed, and all others keep theirs. If the night has a seating, a match that is
    played after all gets its tables again. `night` and `match` are public ids. Raises the errors of `at_desk`, and
    `RuleViolation` if the match isn't on that night, if a game of it has started, if too few players are here, or if
    the playoffs would have no winner.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        session = desk.session
        rows = fixtures_on(session, desk.night.id)
        row = next((each for each in rows if each.public_id == match), None)
        if row is None or side not in (None, 0, 1, BOTH):
            raise RuleViolation("no_match", "This match isn't on this night anymore. Reload the page.")
        if row.forfeit == side:
            return
        if row.stage and side == BOTH:
            message = "A match of the playoffs needs a winner, so only one team can forfeit it."
            raise RuleViolation("forfeit_both", message)
        gone = row.forfeit if side is None else side
        each, first = tables_per_match(desk.night), rows.index(row) * tables_per_match(desk.night) + 1
        own = (TableRow.night_id == desk.night.id, TableRow.number.between(first, first + each - 1))
        if session.scalars(select(TableRow.id).where(*own, TableRow.game_id.is_not(None))).first() is not None:
            raise RuleViolation("match_begun", "This match has started. Enter the scores of its tables.")
        row.forfeit = side
        if side is None:
            _seat_again(desk, range(first, first + each))
        else:
            session.execute(delete(SeatRow).where(SeatRow.table_id.in_(select(TableRow.id).where(*own))))
            session.execute(delete(TableRow).where(*own))
            session.execute(delete(LineupRow).where(LineupRow.fixture_id == row.id))
        teams = (row.home_id, row.away_id) if gone == BOTH else ((row.home_id, row.away_id)[gone or 0],)
        names = " – ".join(session.get_one(SquadRow, team).name for team in teams)
        done = "forfeit_undone" if side is None else "forfeit_both" if side == BOTH else "forfeit_set"
        desk.note(done, texts={TEAM: names})


def _seat_again(desk: Desk, numbers: range) -> None:
    """Seat the match of these tables in all rounds of the night, if the night has a seating."""
    session, plan = desk.session, NightPlan.from_json(desk.night.plan)
    seated = select(TableRow.round).where(TableRow.night_id == desk.night.id).distinct()
    if not (rounds := session.scalars(seated).all()):
        return
    matches = matches_on(session, desk.season, desk.night)
    night = Night(rounds=max(rounds), matches=matches, options=plan.options)
    for number, coming in enumerate(TEAM_MATCH.next_rounds(night), start=1):
        for table in coming.tables:
            if table.number not in numbers:
                continue
            row = TableRow(night_id=desk.night.id, round=number, number=table.number, kind=table.kind, confirmed={})
            session.add(row)
            session.flush()
            session.add_all(
                SeatRow(table_id=row.id, seat=seat, person_id=person) for seat, person in enumerate(table.seats)
            )
