"""Keep the seeds of the playoffs after the standings have changed, or seed and play the playoffs again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from sqlalchemy import delete
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.access import take_charge_of_season
from scorekeeper.leagues.core.audit_log import note
from scorekeeper.leagues.core.models import LineupRow, NightRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.teams.matches import fixtures_on
from scorekeeper.leagues.teams.playoffs import add_matches, in_pairs, seat_seeds, seed_teams
from scorekeeper.leagues.teams.qualifiers import (
    is_of_teams,
    ranked_units,
    settings_of,
    status_of,
    team_playoffs,
    teams_in,
)
from scorekeeper.leagues.teams.seed_standing import moved_seeds, standing_now
from scorekeeper.leagues.teams.service import remove_rounds
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing


@use_case
def keep_seeds(*, season: str, reason: str, device: str, now: datetime | None = None) -> None:
    """Keep the seeds of the playoffs although the standings have changed since, and log the reason.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` without a reason, or if the seeds fit.
    """
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.DIRECTOR)
        if not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for keeping the seeds.", field="reason")
        (night, *_later), most = _to_decide(session, row)
        when, standing = now or datetime.now(UTC), standing_now(session, row, most)
        note(session, league, "seeds_kept", device=device, now=when, night=night, reason=reason, standing=standing)


@use_case
def redo_seeds(*, season: str, listed: Collection[int], device: str, now: datetime | None = None) -> str:
    """Seed the playoffs by the current standings, and remove their games; return the public id of their night.

    `listed` are the ids of the started tables that the director was shown. Raises `NoSuchLeagueError` or
    `NotAllowedError`. Raises `RuleViolation` if the seeds fit, if another table has started, if the first night of the
    playoffs is closed, if a second night was opened, or if too few qualify.
    """
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.DIRECTOR)
        (night, *later), _most = _to_decide(session, row)
        if later:
            message = Phrase(
                "Night %(number)s continues the playoffs. Keep the seeds, or remove that night first.",
                number=later[0].number,
            )
            raise RuleViolation("later_night", message)
        if night.closed_at is not None:
            raise RuleViolation(
                "night_closed", Phrase("Night %(number)s is closed. Reopen it first.", number=night.number)
            )
        desk = Desk(session, league, row, night, device, now or datetime.now(UTC))
        tables = tables_of(session, night)
        if {table.id for table in tables if table.game} != set(listed):
            raise RuleViolation("listed", "Another table has started since. Check the list again.")
        results = remove_rounds(desk, 1, tables)
        _seed_again(session, row, night)
        desk.note("seeds_redone", results=results, standing=standing_now(session, row))
        return night.public_id


def _seed_again(session: Session, season: SeasonRow, night: NightRow) -> None:
    if not is_of_teams(season):
        units = ranked_units(session, season)[: settings_of(season).qualify]
        seat_seeds(session, night, teams_in(season, units, pairs=in_pairs(night)))
        return
    rows = fixtures_on(session, night.id)
    session.execute(delete(LineupRow).where(LineupRow.fixture_id.in_([each.id for each in rows])))
    for each in rows:
        session.delete(each)
    seed_teams(session, season)
    add_matches(session, season, night, team_playoffs(session, season))


def _to_decide(session: Session, season: SeasonRow) -> tuple[Sequence[NightRow], int]:
    """Return the nights of the playoffs, and how many places of the standings matter for their seeds."""
    moved = moved_seeds(session, season)
    if not moved:
        raise RuleViolation("seeds_fit", "The standings have changed again. Look at the playoffs again.")
    return status_of(session, season).started, max(settings_of(season).qualify, moved[-1].place)
