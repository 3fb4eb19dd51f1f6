"""Who owns a league: a device, which can be exchanged or released, or an account.

A league that came from elsewhere, or whose director has another computer now, gets the device that directs it. Who
has the terminal of the server gives out an address with a word, as on the card of a table (`card_tokens`): made from
the installation's key, the league, who directs it now and how often it was handed over. So it opens once, also where
the league comes back to the device that it came from.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from scorekeeper.accounts.actor import Actor
from scorekeeper.db.retry import use_case
from scorekeeper.games.services.recovery import add_code, with_code
from scorekeeper.games.services.sharing import remove_links
from scorekeeper.games.store.audit import note as note_game
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.access import (
    RELEASED,
    NoSuchLeagueError,
    NotAllowedError,
    is_released,
    league_at,
    take_charge,
)
from scorekeeper.leagues.core.audit_log import note
from scorekeeper.leagues.core.models import (
    LeagueEventRow,
    LeagueRow,
    TableRow,
    scope_of,
)
from scorekeeper.leagues.core.roles import Role, give_role, has_owner, role_in
from scorekeeper.leagues.members.invitations import end_invitations
from scorekeeper.leagues.nights.card_tokens import same_word, word_of
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing

KIND = "handed_over"
"""The line of the log that says it."""


def handover_path(session: Session, league: str, key: str) -> str:
    """Return the path that lets one device direct the league; `key` is the installation's secret key."""
    row = league_at(session, league)
    return f"/leagues/{row.public_id}/direct/{_word(session, row, key)}"


def hands_over(session: Session, league: LeagueRow, word: str, key: str) -> bool:
    """Return whether `word` lets a device direct the league now."""
    return same_word(word, _word(session, league, key))


@use_case
def take_over(*, league: str, word: str, key: str, device: str, now: datetime | None = None) -> None:
    """Let `device` direct the league from now on, its games too. Raises `NoSuchLeagueError`, `NotAllowedError`."""
    with writing() as session:
        row = session.get_one(LeagueRow, league_at(session, league).id, with_for_update=True)
        if row.device == device:
            return
        if not hands_over(session, row, word, key):
            raise NotAllowedError
        when = now or datetime.now(UTC)
        _give(session, row, device, device, when)
        note(session, row, KIND, device=device, now=when)


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
        when = now or datetime.now(UTC)
        _give(session, row, f"{RELEASED}{secrets.token_hex(16)}", device, when)
        note(session, row, "device_released", device=device, now=when)


@use_case
def keep_in_account(*, league: str, actor: Actor, now: datetime | None = None) -> bool:
    """Let the account that is signed in own the league, besides the device that directs it.

    Return whether that is a right it had not before. Done twice, it is done once. Raises `NoSuchLeagueError`, and
    `NotAllowedError` for who does not own it or is not signed in.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, actor.device, Role.OWNER)
        if actor.account is None:
            raise NotAllowedError
        if role_in(session, actor.account, row.id) is Role.OWNER:
            return False
        give_role(session, actor.account, row.id, Role.OWNER, when)
        note(session, row, "kept_in_account", device=actor.device or "", now=when)
        return True


def checked(session: Session, league: str, word: str, key: str) -> LeagueRow:
    """Return the league that `word` hands over; raises `NoSuchLeagueError` where it hands over none."""
    row = league_at(session, league)
    if not hands_over(session, row, word, key):
        raise NoSuchLeagueError
    return row


def _give(session: Session, league: LeagueRow, to: str, device: str, now: datetime) -> None:
    """Let the device `to` have the league and its games, and the one before nothing of it that it may have kept.

    That is invitations, score links, and codes for a lost phone.
    """
    before, league.device = league.device, to
    end_invitations(session, league, device, now)
    of_league = select(TableRow.game_id).where(scope_of(league.id)["tables"])
    given = update(GameRow).where(GameRow.id.in_(of_league), GameRow.device == before).values(device=to)
    games = session.scalars(given.returning(GameRow.id)).all()
    for game in games:
        remove_links(session, game, device, now)
    for game in with_code(session, games):
        add_code(session, game, now)
        note_game(session, game, "code_made", device=device, now=now)


def _word(session: Session, league: LeagueRow, key: str) -> str:
    before = select(func.count()).where(LeagueEventRow.league_id == league.id, LeagueEventRow.kind == KIND)
    return word_of("direct a league", league.public_id, league.device, session.scalar(before), key=key)
