"""Find the rounds that were seated from results that have changed since. Keep them as seated, or take them back.

Where a round depends on who won the round before it, the log line of its seating has these winners (`DRAWN`). If a
winner has changed since, the director decides: the round stays (`KEPT`, with the winners of that moment), or the round
and all later ones are taken back and seated again.

Keep the playoffs as they are after what they were built on has changed, or play them again from there.

`stage` is the number of the round of teams that no longer fits the results of the round before it (`moved_round`), or
0 for seeds that no longer fit the standings (`moved_seeds`).
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.leagues.core.access import take_charge_of_season
from scorekeeper.leagues.core.models import LeagueEventRow, NightRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk, note
from scorekeeper.leagues.nights.opening import discard, money_on
from scorekeeper.leagues.nights.places import DRAWN, KEPT, RESTORED
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import winners_in
from scorekeeper.leagues.standings.table_results import TableState, results_of, tables_of
from scorekeeper.leagues.teams.playoffs import (
    ROUND_KEPT,
    MovedRound,
    add_matches,
    in_pairs,
    matches_now,
    moved_round,
    moved_seeds,
    nights_from,
    seat_seeds,
    seed_teams,
    standing_now,
)
from scorekeeper.leagues.teams.service import release, remove_rounds
from scorekeeper.leagues.teams.standings import (
    is_of_teams,
    ranked_units,
    settings_of,
    status_of,
    team_playoffs,
    teams_in,
)
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.extensions import writing


class OutdatedRound(Struct, frozen=True):
    """The first round of a night that no longer fits the results of the round before it.

    `changed` has the tables of the round before whose winner has changed, each with the side that had won when the
    round was seated.
    """

    number: int
    changed: tuple[tuple[TableState, int], ...]


def outdated_round(session: Session, night: NightRow, tables: Sequence[TableState]) -> OutdatedRound | None:
    """Return the first round that no longer fits, or None. `tables` are the tables of the night. Takes one query.

    A table without a winner changes nothing, because it is still being corrected.
    """
    form = FORMATS[NightPlan.from_json(night.plan).format]
    if not form.needs_winner:
        return None
    for number, (winners, _kept) in sorted(_built_on(session, night).items()):
        here = sum(table.round == number for table in tables)
        # Four people who change partners share one table in any case.
        if not here or (form.new_partners and here == 1):
            continue
        changed = tuple(
            (table, was)
            for table in tables
            if table.round == number - 1
            and (was := winners.get(str(table.number))) is not None
            and table.verdict is not None
            and table.verdict.winner not in (None, was)
        )
        if changed:
            return OutdatedRound(number, changed)
    return None


def is_kept(session: Session, night: NightRow, number: int) -> bool:
    """Return whether a director kept the seating of a round that no longer fits. Takes one query."""
    return _built_on(session, night).get(number, ({}, False))[1]


def _built_on(session: Session, night: NightRow) -> Mapping[int, tuple[Mapping[str, Any], bool]]:
    """Return the winners from whom each round was last seated, by table, and whether it was kept since then."""
    query = select(LeagueEventRow.kind, LeagueEventRow.data).where(
        LeagueEventRow.night_id == night.id, LeagueEventRow.kind.in_((DRAWN, KEPT, RESTORED))
    )
    built: dict[int, tuple[Mapping[str, Any], bool]] = {}
    for kind, data in session.execute(query.order_by(LeagueEventRow.id)):
        first, winners = data.get("first"), data.get("winners")
        if isinstance(first, int) and isinstance(winners, dict):  # an imported league can have other lines
            built[first] = winners, kind == KEPT
    return built


@use_case
def keep_round(*, night: str, number: int, reason: str, device: str, now: datetime | None = None) -> None:
    """Keep the seating of a round, and of all later ones, although it no longer fits, and log the reason.

    Raises what `at_desk` raises. Raises `RuleViolation` without a reason, or if that round isn't the one to decide.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        if not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for keeping the seating.", field="reason")
        tables = _to_decide(desk, number)
        desk.note(KEPT, reason=reason, first=number, winners=winners_in(results_of(tables, number - 1)))


@use_case
def take_rounds_back(
    *, night: str, number: int, listed: Collection[int], device: str, now: datetime | None = None
) -> None:
    """Remove a round that no longer fits and all later ones, with their games, so that they can be seated again.

    `listed` are the ids of the started tables of these rounds that the director was shown. Raises what `at_desk`
    raises. Raises `RuleViolation` if that round isn't the one to decide, or if another table has started.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        tables = _to_decide(desk, number)
        if {table.id for table in tables if table.round >= number and table.game} != set(listed):
            raise RuleViolation("listed", "Another table has started since. Check the list again.")
        results = remove_rounds(desk, number, tables)
        desk.note("rounds_undone", first=number, results=results)


def _to_decide(desk: Desk, number: int) -> Sequence[TableState]:
    tables = tables_of(desk.session, desk.night)
    found = outdated_round(desk.session, desk.night, tables)
    if found is None or found.number != number:
        raise RuleViolation("not_outdated", "The results have changed again. Look at the round again.")
    return tables


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
        (night, *_later), moved = _playoffs_to_decide(session, row, stage)
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
        nights, _moved = _playoffs_to_decide(session, row, stage)
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


def _playoffs_to_decide(session: Session, season: SeasonRow, stage: int) -> tuple[Sequence[NightRow], MovedRound | int]:
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
