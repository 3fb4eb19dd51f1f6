"""Change the owner of a league: replace its device, remove its device, or save the league to an account.

A league is handed over with a link that the operator gets from the command line. This is needed for an imported league,
or if the owner has a new device. The token in the link is not stored. It is derived from the secret key, the league,
its current device, and the number of earlier handovers. So a link works only once, even if the league returns to an
earlier device.
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
    refuse_off,
    take_charge,
)
from scorekeeper.leagues.core.audit_log import note
from scorekeeper.leagues.core.link_tokens import same_word, word_of
from scorekeeper.leagues.core.models import (
    LeagueEventRow,
    LeagueRow,
    TableRow,
    scope_of,
)
from scorekeeper.leagues.core.roles import Role, give_role, has_owner, role_in
from scorekeeper.leagues.members.invitations import end_invitations
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing

KIND = "handed_over"
"""Kind of the log line about a handover."""


def handover_path(session: Session, league: str, key: str) -> str:
    """Return the path of the link with which another device can take over a league (public id).

    `key` is the server's secret key.
    """
    row = league_at(session, league)
    return f"/leagues/{row.public_id}/direct/{_word(session, row, key)}"


def hands_over(session: Session, league: LeagueRow, word: str, key: str) -> bool:
    """Return whether `word` is the token of the league's current handover link. `key` is the server's secret key."""
    return same_word(word, _word(session, league, key))


@use_case
def take_over(
    *, league: str, word: str, key: str, device: str, now: datetime | None = None, in_maintenance: bool = False
) -> None:
    """Make `device` the owner of a league and of its games. `word` must be the token of the league's handover link.

    `key` is the server's secret key. Nothing happens if the device already owns the league. `in_maintenance` is true
    for the last step of an import, which would be left half done. Raises `NoSuchLeagueError`. Raises `NotAllowedError`
    for a wrong token, and `TurnedOffError` if the league is turned off.
    """
    with writing(in_maintenance=in_maintenance) as session:
        row = session.get_one(LeagueRow, league_at(session, league).id, with_for_update=True)
        if row.device == device:
            return
        if not hands_over(session, row, word, key):
            raise NotAllowedError
        refuse_off(row)
        when = now or datetime.now(UTC)
        _give(session, row, device, device, when)
        note(session, row, KIND, device=device, now=when)


@use_case
def release(*, league: str, device: str, now: datetime | None = None) -> None:
    """Remove the device that owns a league. Owners do this before they sell the device, for example.

    The league's games no longer belong to the device. Accounts keep their roles. If the league has no device, nothing
    happens. Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` if no account owns the league.
    """
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        if is_released(row):
            return
        if not has_owner(session, row.id):
            raise RuleViolation("no_owner", "Save the league to an account first. Otherwise nobody could run it.")
        when = now or datetime.now(UTC)
        _give(session, row, f"{RELEASED}{secrets.token_hex(16)}", device, when)
        note(session, row, "device_released", device=device, now=when)


@use_case
def keep_in_account(*, league: str, actor: Actor, now: datetime | None = None) -> bool:
    """Make the signed-in account of `actor` an owner of the league. The league's device stays an owner.

    Returns True if this changed anything, or False if the account already was an owner. Raises `NoSuchLeagueError`.
    Raises `NotAllowedError` if the actor is not signed in or does not own the league.
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
    """Return a league (public id), after checking that `word` is the token of its current handover link.

    `key` is the server's secret key. Raises `NoSuchLeagueError` if the token is wrong.
    """
    row = league_at(session, league)
    if not hands_over(session, row, word, key):
        raise NoSuchLeagueError
    return row


def _give(session: Session, league: LeagueRow, to: str, device: str, now: datetime) -> None:
    """Make the device `to` the owner of the league and of its games.

    Open invitations, score links and backup codes stop working, because the previous device may know them. The log says
    that `device` made the change.
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
