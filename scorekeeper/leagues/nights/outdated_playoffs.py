"""Keep the playoffs as they are after what they were built on has changed, or play them again from there.

`stage` is the number of the round of teams that no longer fits the results of the round before it (`moved_round`), or
0 for seeds that no longer fit the standings (`moved_seeds`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.access import take_charge_of_season
from scorekeeper.leagues.core.audit_log import note
from scorekeeper.leagues.core.models import NightRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk
from scorekeeper.leagues.nights.removal import discard, money_on
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.teams.moved_playoffs import (
    ROUND_KEPT,
    MovedRound,
    matches_now,
    moved_round,
    moved_seeds,
    nights_from,
    standing_now,
)
from scorekeeper.leagues.teams.playoffs import add_matches, in_pairs, seat_seeds, seed_teams
from scorekeeper.leagues.teams.qualifiers import (
    is_of_teams,
    ranked_units,
    settings_of,
    status_of,
    team_playoffs,
    teams_in,
)
from scorekeeper.leagues.teams.service import release, remove_rounds
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing


@use_case
def keep_playoffs(*, season: str, reason: str, device: str, stage: int = 0, now: datetime | None = None) -> None:
    """Keep the seeds of the playoffs, or a round of them, although they no longer fit, and log the reason.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` without a reason, or if they fit.
    """
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.DIRECTOR)
        if not reason.strip():
            raise RuleViolation(
                "reason_missing", "Enter a reason for keeping the playoffs as they are.", field="reason"
            )
        (night, *_later), moved = _to_decide(session, row, stage)
        told: dict[str, Any] = (
            {"first": stage, "matches": matches_now(session, row, moved)}
            if isinstance(moved, MovedRound)
            else {"standing": standing_now(session, row, moved)}
        )
        kind, when = ROUND_KEPT if stage else "seeds_kept", now or datetime.now(UTC)
        note(session, league, kind, device=device, now=when, night=night, reason=reason, **told)


@use_case
def redo_playoffs(
    *, season: str, listed: Collection[int], device: str, stage: int = 0, now: datetime | None = None
) -> str:
    """Play the playoffs again, from new seeds or from a round on; return the public id of the night of that round.

    The games of that night are removed, and so are all later nights of the playoffs. `listed` are the ids of their
    started tables that the director was shown. Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation`
    if the playoffs fit, if another table has started, if one of these nights is closed, if there is money on one of
    the later nights, or if too few qualify.
    """
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.DIRECTOR)
        nights, _moved = _to_decide(session, row, stage)
        for each in nights:
            if each.closed_at is not None:
                message = Phrase("Night %(number)s is closed. Reopen it first.", number=each.number)
                raise RuleViolation("night_closed", message)
            if each is not nights[0] and money_on(session, each.id):
                message = Phrase("There is money on night %(number)s. Undo it first.", number=each.number)
                raise RuleViolation("night_money", message)
        desks = [Desk(session, league, row, night, device, now or datetime.now(UTC)) for night in nights]
        tables = [tables_of(session, night) for night in nights]
        if {table.id for each in tables for table in each if table.game} != set(listed):
            raise RuleViolation("listed", "Another table has started since. Check the list again.")
        results = [remove_rounds(desk, 1, each) for desk, each in zip(desks, tables, strict=True)]
        for desk, gone in zip(desks[1:], results[1:], strict=True):
            if gone:
                desk.note("rounds_undone", first=1, results=gone)
            discard(desk)
        if stage:
            _match_again(session, row, nights[0])
            desks[0].note("playoff_round_redone", first=stage, results=results[0])
        else:
            _seed_again(session, row, nights[0])
            desks[0].note("seeds_redone", results=results[0], standing=standing_now(session, row))
        return nights[0].public_id


def _seed_again(session: Session, season: SeasonRow, night: NightRow) -> None:
    if not is_of_teams(season):
        units = ranked_units(session, season)[: settings_of(season).qualify]
        seat_seeds(session, night, teams_in(season, units, pairs=in_pairs(night)))
        return
    seed_teams(session, season)
    _match_again(session, season, night)


def _match_again(session: Session, season: SeasonRow, night: NightRow) -> None:
    """Make the matches of the last night of team playoffs again."""
    release(session, night)
    session.flush()
    add_matches(session, season, night, team_playoffs(session, season))


def _to_decide(session: Session, season: SeasonRow, stage: int) -> tuple[Sequence[NightRow], MovedRound | int]:
    """Return the nights of the playoffs from the outdated round on, and what has moved.

    That is the outdated round or, if the seeds are, the number of places of the standings that matter for them.
    """
    nights = status_of(session, season).started
    seeds = moved_seeds(session, season)
    if not stage and seeds:
        return nights, max(settings_of(season).qualify, seeds[-1].place)
    moved = moved_round(session, season) if stage and not seeds else None
    if moved is None or moved.stage != stage:
        raise RuleViolation("seeds_fit", "The results have changed again. Look at the playoffs again.")
    return nights_from(session, season, stage), moved
