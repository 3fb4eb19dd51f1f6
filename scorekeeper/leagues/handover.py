"""A league that came from elsewhere, or whose director has another computer now, gets the device that directs it.

Who has the terminal of the score book gives out an address with a word, as on the card of a table (`cards`): made from
the installation's key, the league and who directs it now. So it opens once: then somebody else directs.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from scorekeeper.extensions import writing
from scorekeeper.games.models import GameRow
from scorekeeper.leagues.access import NoSuchLeagueError, NotAllowedError, league_at, take_charge
from scorekeeper.leagues.cards import same_word, word_of
from scorekeeper.leagues.ledger import note
from scorekeeper.leagues.models import LeagueRow, TableRow
from scorekeeper.leagues.roles import Role, has_owner
from scorekeeper.leagues.rows import scope_of
from scorekeeper.retrying import use_case
from scorekeeper.rules.violation import RuleViolation

RELEASED = "released-"
"""Begins what stands where the hash of a device does, for a league that none owns; no hash begins so."""


def handover_path(session: Session, league: str, key: str) -> str:
    """Return the path that lets one device direct the league; `key` is the installation's secret key."""
    row = league_at(session, league)
    return f"/leagues/{row.public_id}/direct/{_word(row, key)}"


def hands_over(league: LeagueRow, word: str, key: str) -> bool:
    """Return whether `word` lets a device direct the league now."""
    return same_word(word, _word(league, key))


@use_case
def take_over(*, league: str, word: str, key: str, device: str, now: datetime | None = None) -> None:
    """Let `device` direct the league from now on, its games too. Raises `NoSuchLeagueError`, `NotAllowedError`."""
    with writing() as session:
        row = session.get_one(LeagueRow, league_at(session, league).id, with_for_update=True)
        if row.device == device:
            return
        if not hands_over(row, word, key):
            raise NotAllowedError
        _give(session, row, device)
        note(session, row, "handed_over", device=device, now=now or datetime.now(UTC))


@use_case
def release(*, league: str, device: str, now: datetime | None = None) -> None:
    """Let the device that made the league, or took it over, own it and its games no more: it was sold, or is shared.

    Those with a role in an account go on. Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` where no
    account owns the league, for then nobody would.
    """
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        if is_released(row):
            return
        if not has_owner(session, row.id):
            raise RuleViolation("no_owner", "Keep the league in an account first: else nobody could direct it.")
        _give(session, row, f"{RELEASED}{secrets.token_hex(16)}")
        note(session, row, "device_released", device=device, now=now or datetime.now(UTC))


def is_released(league: LeagueRow) -> bool:
    """Return whether no device owns the league."""
    return league.device.startswith(RELEASED)


def checked(session: Session, league: str, word: str, key: str) -> LeagueRow:
    """Return the league that `word` hands over; raises `NoSuchLeagueError` where it hands over none."""
    row = league_at(session, league)
    if not hands_over(row, word, key):
        raise NoSuchLeagueError
    return row


def _give(session: Session, league: LeagueRow, device: str) -> None:
    of_league = select(TableRow.game_id).where(scope_of(league.id)["tables"])
    session.execute(
        update(GameRow).where(GameRow.id.in_(of_league), GameRow.device == league.device).values(device=device)
    )
    league.device = device


def _word(league: LeagueRow, key: str) -> str:
    return word_of("direct a league", league.public_id, league.device, key=key)
