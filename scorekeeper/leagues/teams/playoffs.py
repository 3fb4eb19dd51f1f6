"""Compare the playoffs with what they were built on, which may have changed since: the standings, or a round before.

The log line that made the seeds has the part of the standings that they came from (`standing`). So has the line of a
director who kept the seeds after a change. The line of a director who kept a later round of teams has the matches that
would have followed from the results of that moment.

Start the playoffs of a season, start their next round, and replace a qualifier who can't play.

Players and pairs play one knockout night. Teams play one night for each round, because a match takes several tables.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from itertools import zip_longest
from typing import Any

from msgspec import Struct
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.leagues.core.access import take_charge_of_season
from scorekeeper.leagues.core.models import (
    LeagueEventRow,
    LineupRow,
    NightRow,
    PersonRow,
    PresentRow,
    SeasonRow,
    SquadRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import OTHER_TEAM, TEAM, at_desk, note, people_at
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.standings.table_results import last_begun
from scorekeeper.leagues.teams.matches import fixtures_of, fixtures_on, squads_of
from scorekeeper.leagues.teams.service import clear_seating, new_fixture, new_playoff_night
from scorekeeper.leagues.teams.standings import (
    Status,
    TeamPlayoffs,
    is_of_teams,
    next_in_line,
    options_of,
    ranked_units,
    seeded_teams,
    settings_of,
    status_of,
    team_playoffs,
    teams_in,
)
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.extensions import writing

KINDS = ("playoffs_started", "qualifier_replaced", "seeds_kept", "seeds_redone")
"""Kinds of the log lines with a `standing`: a list of people, pairs or teams, each as a list of public ids."""
Standing = list[list[str]]
ROUND_KEPT = "playoff_round_kept"
"""Kind of the log line of a director who kept a round of team playoffs that no longer fits."""


class MovedSeed(Struct, frozen=True):
    """A place in the standings, from 1, that someone else has now. `now` and `was` are row ids; () if it is empty.

    The ids are those of people or, if fixed teams play, of the teams.
    """

    place: int
    now: Unit
    was: Unit


class MovedRound(Struct, frozen=True):
    """A round of team playoffs, from 2, whose matches no longer follow from the results of the round before it.

    `now` are the matches that follow from them, and `was` are the matches that were made, as row ids of both teams, in
    the same order.
    """

    stage: int
    now: tuple[Unit, ...]
    was: tuple[Unit, ...]


def moved_round(session: Session, season: SeasonRow) -> MovedRound | None:
    """Return the first round of team playoffs that no longer fits and that no director kept, or None."""
    if not is_of_teams(season):
        return None
    state = team_playoffs(session, season)
    for stage, (now, matches) in enumerate(zip(state.due, state.rounds, strict=False), start=1):
        was = tuple((match.home, match.away) for match in matches)
        if stage > 1 and [*map(set, now)] != [*map(set, was)]:
            moved = MovedRound(stage, now, was)
            if matches_now(session, season, moved) != _kept(session, season).get(stage):
                return moved
    return None


def nights_from(session: Session, season: SeasonRow, stage: int) -> list[NightRow]:
    """Return the nights of a round of team playoffs and of all later rounds, in order."""
    nights = [row.night_id for row in fixtures_of(session, season) if row.stage >= stage]
    return [session.get_one(NightRow, night) for night in dict.fromkeys(nights) if night is not None]


def matches_now(session: Session, season: SeasonRow, moved: MovedRound) -> Standing:
    """Return the matches that follow from the results now, as public ids of both teams."""
    return _as_ids(session, season, list(moved.now))


def _kept(session: Session, season: SeasonRow) -> dict[int, Standing]:
    """Return the matches of each round of the playoffs in spite of which it was last kept, by number of the round."""
    nights = select(NightRow.id).where(NightRow.season_id == season.id, NightRow.playoff.is_(True))
    query = select(LeagueEventRow.data).where(LeagueEventRow.night_id.in_(nights), LeagueEventRow.kind == ROUND_KEPT)
    lines = session.scalars(query.order_by(LeagueEventRow.id))
    return {data["first"]: data["matches"] for data in lines if "first" in data and "matches" in data}


def standing_now(session: Session, season: SeasonRow, most: int | None = None) -> Standing:
    """Return the people, pairs or teams that qualify by the current standings, best first.

    `most` is how many of the standings are wanted if it isn't the number that qualifies; teams ignore it.
    """
    return _as_ids(session, season, _units(session, season, most))


def moved_seeds(session: Session, season: SeasonRow) -> tuple[MovedSeed, ...]:
    """Return the places in the standings from which the seeds came and that someone else has now; () if none has moved.

    Return () before the playoffs, and once another night of the season was opened after they had started: the standings
    then go on without them.
    """
    nights = select(NightRow).where(NightRow.season_id == season.id, NightRow.number > 0).order_by(NightRow.number)
    rows = session.scalars(nights).all()
    started = [night.id for night in rows if night.playoff]
    if not started or any(not night.playoff and night.id > started[0] for night in rows):
        return ()
    query = select(LeagueEventRow.data).where(LeagueEventRow.night_id.in_(started), LeagueEventRow.kind.in_(KINDS))
    lines = [data["standing"] for data in session.scalars(query.order_by(LeagueEventRow.id)) if "standing" in data]
    if not lines:
        return ()
    was = _as_units(session, season, lines[-1])
    now = [tuple(sorted(unit)) for unit in _units(session, season, len(was))]
    pairs = enumerate(zip_longest(now, was, fillvalue=()), start=1)
    return tuple(MovedSeed(place, new, old) for place, (new, old) in pairs if new != old)


def _units(session: Session, season: SeasonRow, most: int | None) -> list[Unit]:
    if is_of_teams(season):
        return [(team,) for team in seeded_teams(session, season)]
    return list(ranked_units(session, season)[: settings_of(season).qualify if most is None else most])


def _as_ids(session: Session, season: SeasonRow, units: list[Unit]) -> Standing:
    model = SquadRow if is_of_teams(season) else PersonRow
    wanted = [each for unit in units for each in unit]
    ids = dict(session.execute(select(model.id, model.public_id).where(model.id.in_(wanted))).all())
    return [[ids[each] for each in unit] for unit in units]


def _as_units(session: Session, season: SeasonRow, standing: Standing) -> list[Unit]:
    """Return the row ids of the people or teams with these public ids; for a merged person, the one they became."""
    known = [public for unit in standing for public in unit]
    if is_of_teams(season):
        query = select(SquadRow.public_id, SquadRow.id).where(SquadRow.public_id.in_(known))
        rows = dict(session.execute(query).all())
    else:
        people = select(PersonRow).where(PersonRow.public_id.in_(known))
        rows = {person.public_id: person.merged_into or person.id for person in session.scalars(people)}
    return [tuple(sorted(rows[public] for public in unit if public in rows)) for unit in standing]


SEEDS_FIXED = Phrase("The playoffs have started, so the seeds can't change.")


@use_case
def start_playoffs(
    *,
    season: str,
    day: date,
    device: str,
    reason: str = "",
    pairs: bool | None = None,
    now: datetime | None = None,
) -> str:
    """Open a playoff night, and return its public id.

    The first call starts the playoffs. If fixed teams play, each later call starts the next round. A `reason` is needed
    only if the season isn't over yet. `pairs` says whether people who qualified individually play in pairs or in
    singles; None means the usual way (`qualifiers.ways_of`).

    Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation`. The codes of `RuleViolation` are "not_held" (this
    season has no playoffs), "season_closed", "night_open", "reason_missing", "started", "too_few" (fewer than two
    qualify), "outdated" (a round no longer fits the results before it), and "over".
    """
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.DIRECTOR)
        status = status_of(session, row)
        _demand_ready(row, status, reason)
        early = status.early and not status.started
        made: dict[str, Any] = {} if status.started else {"standing": standing_now(session, row)}
        night = (
            _start_teams(session, row, status, day)
            if is_of_teams(row)
            else _start(session, row, status, day, pairs=pairs)
        )
        why, when = reason if early else "", now or datetime.now(UTC)
        note(
            session,
            league,
            "playoffs_started",
            device=device,
            now=when,
            night=night,
            reason=why,
            season=row.public_id,
            number=night.number,
            early=early,
            **made,
        )
        return night.public_id


def _demand_ready(season: SeasonRow, status: Status, reason: str) -> None:
    if not status.settings.held:
        raise RuleViolation("not_held", "This season has no playoffs.")
    if season.closed_at is not None:
        raise RuleViolation("season_closed", "This season is closed.")
    if status.open_night:
        raise RuleViolation(
            "night_open", Phrase("Night %(number)s is still open. Close it first.", number=status.open_night)
        )
    if status.early and not status.started and not reason.strip():
        message = Phrase("The season isn't over yet. Enter a reason for starting the playoffs now.")
        raise RuleViolation("reason_missing", message, field="reason")
    if status.started and not is_of_teams(season):
        raise RuleViolation("started", "The playoffs have already started.")


def _start(session: Session, season: SeasonRow, status: Status, day: date, *, pairs: bool | None) -> NightRow:
    """Open a knockout night, check in the qualified people or pairs as seeds, and return the night.

    Raises `RuleViolation` if fewer than two qualify.
    """
    units = ranked_units(session, season)[: status.settings.qualify]
    teams = teams_in(season, units, pairs=pairs)
    if len(teams) < 2:
        raise RuleViolation("too_few", "Too few players are ranked for playoffs.")
    size = len(teams[0])
    plan = NightPlan(
        format=KNOCKOUT.key,
        options=options_of(status.settings),
        rounds=(len(teams) - 1).bit_length(),
        together="alone" if size == 1 else "fixed",
        sizes=(2 * size,),
    )
    night = new_playoff_night(session, season, plan.to_json(), day)
    seat_seeds(session, night, teams)
    return night


def in_pairs(night: NightRow) -> bool:
    """Return whether a playoff night of players or pairs is played in pairs."""
    return NightPlan.from_json(night.plan).together == "fixed"


def seat_seeds(session: Session, night: NightRow, teams: Sequence[Unit]) -> None:
    """Check in the people of `teams` for a playoff night, and give them the seeds 1, 2, 3 … in the order of `teams`.

    Everybody who already had a seed on the night is removed first.
    """
    session.execute(delete(PresentRow).where(PresentRow.night_id == night.id, PresentRow.team.is_not(None)))
    here = {row.person_id: row for row in session.scalars(select(PresentRow).where(PresentRow.night_id == night.id))}
    for seed, team in enumerate(teams, start=1):
        for person in team:
            row = here.get(person) or PresentRow(night_id=night.id, person_id=person, from_round=1)
            row.team, row.to_round = seed, None
            session.add(row)


def _start_teams(session: Session, season: SeasonRow, status: Status, day: date) -> NightRow:
    """Open a night with the matches of the next playoff round, and return the night.

    Before the first round, this also saves the seeds of the qualified teams. Raises `RuleViolation` if fewer than two
    teams qualify, or if the playoffs are over.
    """
    if not status.started:
        seed_teams(session, season)
    elif moved_round(session, season) is not None:
        raise RuleViolation("outdated", "A round no longer fits the results before it. Look at it first.")
    now = team_playoffs(session, season)
    if not now.coming:
        raise RuleViolation("over", "The playoffs are over.")
    night = new_playoff_night(session, season, dict(season.plan), day)
    add_matches(session, season, night, now)
    return night


def seed_teams(session: Session, season: SeasonRow) -> None:
    """Save the seeds of the teams that qualify by the standings. Raises `RuleViolation` if fewer than two do."""
    seeds = seeded_teams(session, season)
    if len(seeds) < 2:
        raise RuleViolation("too_few", "Too few teams are ranked for playoffs.")
    for squad in session.scalars(select(SquadRow).where(SquadRow.season_id == season.id)):
        squad.seed = seeds.index(squad.id) + 1 if squad.id in seeds else None
    session.flush()


def add_matches(session: Session, season: SeasonRow, night: NightRow, now: TeamPlayoffs) -> None:
    """Add the matches of the coming playoff round to a night. `now` are the playoffs so far."""
    stage = len(now.rounds) + 1
    for number, (home, away) in enumerate(now.coming, start=1):
        match = new_fixture(season, stage, stage, number, home, away)
        match.night_id = night.id
        session.add(match)


@use_case
def replace_qualifier(*, night: str, person: str, device: str, now: datetime | None = None) -> None:
    """Remove a qualifier who can't play from the playoffs, so that lower seeds move up. `person` is a public id.

    With fixed partners, both partners are removed. The next player or pair in the standings gets the last seed, unless
    the season's settings say that nobody is added. Raises the errors of `at_desk`. Also raises `RuleViolation` if a
    round has started, if the season is played by teams, or if the person isn't in the playoffs.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        session, season = desk.session, desk.season
        if not desk.night.playoff or is_of_teams(season) or last_begun(desk.session, desk.night):
            raise RuleViolation("begun", SEEDS_FIXED)
        (who,) = people_at(desk, [person])
        query = select(PresentRow.person_id).where(PresentRow.night_id == desk.night.id, PresentRow.team.is_not(None))
        seeded = set(session.scalars(query))
        ranked = ranked_units(session, season)
        qualified = [unit for unit in ranked if set(unit) <= seeded]
        gone = next((unit for unit in qualified if who.id in unit), None)
        if gone is None:
            raise RuleViolation("not_seeded", Phrase("%(name)s isn't in the playoffs.", name=who.name))
        units = [unit for unit in qualified if unit != gone]
        came: Unit = ()
        if status_of(session, season).settings.absent == "next":
            # Anyone replaced before is above the last one who took a place.
            below = ranked[ranked.index(qualified[-1]) + 1 :]
            came = next((unit for unit in below if not set(unit) & seeded), ())
        seat_seeds(session, desk.night, teams_in(season, [*units, came] if came else units, pairs=in_pairs(desk.night)))
        clear_seating(desk, 0)
        ids = dict(
            session.execute(select(PersonRow.id, PersonRow.public_id).where(PersonRow.id.in_((*gone, *came)))).all()
        )
        last = ranked.index(came or qualified[-1]) + 1
        desk.note(
            "qualifier_replaced",
            people=[ids[each] for each in gone],
            came=[ids[each] for each in came],
            standing=standing_now(session, season, max(last, status_of(session, season).settings.qualify)),
        )


@use_case
def replace_team(*, night: str, gone: str, came: str, device: str, now: datetime | None = None) -> None:
    """Replace one team with another in tonight's playoff match and all later ones.

    `gone` is the public id of the team that can't play. `came` is the public id of the new team. If `came` is empty,
    the next team in the standings is taken. If teams qualify by division, a team of the same division is preferred. The
    new team takes over the seed and all earlier results in the playoffs.

    Raises the errors of `at_desk`. Also raises `RuleViolation` if a round of the night has started, if `gone` doesn't
    play tonight, or if `came` has already been in these playoffs.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        session, season = desk.session, desk.season
        if not desk.night.playoff or not is_of_teams(season):
            raise RuleViolation("no_teams", "This season has no teams.")
        if last_begun(desk.session, desk.night):
            raise RuleViolation("begun", "A round has started, so tonight's matches can't change.")
        squads = {squad.public_id: squad for squad in squads_of(session, season).values()}
        old = squads.get(gone)
        tonight = fixtures_on(session, desk.night.id)
        match = next((row for row in tonight if old and old.id in (row.home_id, row.away_id)), None)
        if old is None or match is None:
            raise RuleViolation("not_seeded", "That team doesn't play tonight.")
        waiting = next_in_line(session, season, old)
        new = next((squad for squad in waiting if came in ("", squad.public_id)), None)
        if new is None:
            raise RuleViolation("no_other_team", "Choose a team that isn't in the playoffs.")
        side = int(match.away_id == old.id)
        session.execute(delete(LineupRow).where(LineupRow.fixture_id == match.id, LineupRow.side == side))
        match.home_id, match.away_id = (match.home_id, new.id) if side else (new.id, match.away_id)
        match.forfeit = None if match.forfeit == side else match.forfeit
        row, other = session.get_one(SquadRow, old.id), session.get_one(SquadRow, new.id)
        other.seed, row.seed = row.seed, -(row.seed or 0)
        clear_seating(desk, 0)
        desk.note("team_replaced", texts={TEAM: old.name, OTHER_TEAM: new.name})
