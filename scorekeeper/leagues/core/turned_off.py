"""Turn a league off or on again, which only the operator may do. Nothing can be changed in a league that is off."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.games.store.hooks import FrozenGameError, guard, keeper
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.audit_log import note
from scorekeeper.leagues.core.models import LeagueRow, NightRow, SeasonRow, TableRow
from scorekeeper.rules.game import Game
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing

KINDS = TURNED_OFF, TURNED_ON = "turned_off", "turned_on"
"""Kinds of the log lines that the operator's actions add."""


@use_case
def turn(*, league: str, because: str | None, now: datetime | None = None) -> None:
    """Turn a league (public id) off for the reason `because`, or on again if `because` is None.

    Nothing happens if the league is already on or off. Raises `NoSuchLeagueError`. Raises `RuleViolation` if the reason
    is empty or longer than 200 characters.
    """
    with writing() as session:
        row = session.get_one(LeagueRow, league_at(session, league).id, with_for_update=True)
        if (row.off_because is None) == (because is None):
            return
        reason = None if because is None else because.strip()
        if reason == "":
            raise RuleViolation("off_because", "Say why, so that the league's owners know.", field="because")
        row.off_because = reason
        kind = TURNED_ON if reason is None else TURNED_OFF
        note(session, row, kind, device="", now=now or datetime.now(UTC), reason=reason or "")


@keeper
def freeze_games(session: Session, games: Sequence[int]) -> None:
    """Raise `FrozenGameError` if one of the games (row ids) is at a table of a league that is turned off."""
    if _of_league_that_is_off(session, games):
        raise FrozenGameError(_is_off())


@guard
def keep_game_of_league_that_is_off(
    session: Session, game: int, _before: Game, _after: Game, _device: str, _now: datetime
) -> None:
    """Refuse to change a game (row id) at a table of a league that is turned off, by raising `RuleViolation`."""
    if _of_league_that_is_off(session, [game]):
        raise _is_off()


def _is_off() -> RuleViolation:
    message = "The person who runs this server turned this league off, so nothing can be changed here."
    return RuleViolation("league_off", message)


def _of_league_that_is_off(session: Session, games: Sequence[int]) -> bool:
    query = (
        select(LeagueRow.id)
        .join(SeasonRow, SeasonRow.league_id == LeagueRow.id)
        .join(NightRow, NightRow.season_id == SeasonRow.id)
        .join(TableRow, TableRow.night_id == NightRow.id)
        .where(TableRow.game_id.in_(games), LeagueRow.off_because.is_not(None))
    )
    return session.scalars(query.limit(1)).first() is not None
