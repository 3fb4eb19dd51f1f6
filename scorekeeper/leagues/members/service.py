"""Create, cancel and accept invitations to a role in a league. Each use case is one transaction.

An invitation is a link that gives a role to one account. It can be used only once. The database keeps only a hash of
its token.

Change roles in a league, and delete accounts with all their roles.

Change the owner of a league: replace its device, remove its device, or save the league to an account.

A league is handed over with a link that the operator gets from the command line. This is needed for an imported league,
or if the owner has a new device. The token in the link is not stored. It is derived from the secret key, the league,
its current device, and the number of earlier handovers. So a link works only once, even if the league returns to an
earlier device.
"""

import secrets
from datetime import UTC, datetime

from msgspec import Struct
from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from scorekeeper.accounts.devices import Actor
from scorekeeper.accounts.models import KnownDeviceRow
from scorekeeper.accounts.service import Opened, close_account, make_account
from scorekeeper.accounts.sessions import Caller
from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import hash_of, new_secret
from scorekeeper.games.services.recovery import add_code, with_code
from scorekeeper.games.services.sharing import remove_links
from scorekeeper.games.store.audit import note as note_game
from scorekeeper.games.store.audit import note_all
from scorekeeper.games.store.models import GameRow, ScorerRow
from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.core.access import (
    RELEASED,
    NoSuchLeagueError,
    NotAllowedError,
    is_released,
    league_at,
    refuse_off,
    same_word,
    take_charge,
    token_word_of,
)
from scorekeeper.leagues.core.models import (
    LeagueEventRow,
    LeagueRow,
    TableRow,
    scope_of,
)
from scorekeeper.leagues.core.roles import (
    InvitationRow,
    Role,
    RoleRow,
    give_role,
    has_owner,
    is_open,
    role_in,
    role_named,
    word_of,
)
from scorekeeper.leagues.core.unit_of_work import CALLED, note
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import check_name
from scorekeeper.web.extensions import db, writing

MOST_OPEN = 50
"""Most open invitations of a league."""


class DeadInvitationError(Exception):
    """The invitation is unknown, used, canceled or expired."""


class Invited(Struct, frozen=True):
    """An open invitation, with its league and its role."""

    league: str
    """Public id of the league."""
    name: str
    """Name of the league."""
    role: Role
    called: str
    """Name under which the owner invited the person."""


@use_case
def invite(*, league: str, role: Role, called: str, device: str, now: datetime | None = None) -> str:
    """Create an invitation to a role for the person named `called`, and return its token. The token is not stored.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` for an invalid name or too many open
    invitations.
    """
    when = now or datetime.now(UTC)
    word = new_secret()
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        if role is Role.NOBODY:
            raise RuleViolation("role", "Choose a role.", field="role")
        name = _called(called)
        waiting = select(func.count()).where(InvitationRow.league_id == row.id, is_open(when))
        if (session.scalar(waiting) or 0) >= MOST_OPEN:
            message = Phrase("There are already %(most)s open invitations. Cancel one first.", most=MOST_OPEN)
            raise RuleViolation("invitations", message, field="role")
        session.add(
            InvitationRow(league_id=row.id, secret=hash_of(word), role=word_of(role), called=name, made_at=when)
        )
        note(session, row, "invited", device=device, now=when, texts={CALLED: name}, role=word_of(role))
    return word


@use_case
def take_back(*, league: str, invitation: int, device: str, now: datetime | None = None) -> None:
    """Cancel an open invitation (row id). Nothing happens if the invitation was used or canceled, or has expired.

    Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        found = session.scalars(
            select(InvitationRow).where(
                InvitationRow.id == invitation, InvitationRow.league_id == row.id, is_open(when)
            )
        ).first()
        if found is None:
            return
        _end(session, row, found, device, when)


def invited(*, word: str, now: datetime | None = None) -> Invited:
    """Return the open invitation with the token `word`, without using it. Raises `DeadInvitationError`."""
    session = db.session()
    row = _open_one(session, word, now or datetime.now(UTC))
    league = session.get_one(LeagueRow, row.league_id)
    return Invited(league.public_id, league.name, role_named(row.role), row.called)


@use_case
def accept(*, word: str, account: int, device: str, now: datetime | None = None) -> str:
    """Give an account (row id) the role of an invitation, and return the league's public id.

    `word` is the token of the invitation. If the account already has this role or a higher role, or if `device` owns
    the league, the invitation stays open. Raises `DeadInvitationError`.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        league, row = _locked(session, word, when)
        before = Role.OWNER if league.device == device else role_in(session, account, league.id)
        if before < role_named(row.role):
            _take(session, league, row, account, device, before, when)
        return league.public_id


@use_case
def accept_anew(*, word: str, name: str, password: str, caller: Caller, now: datetime | None = None) -> Opened:
    """Create an account for an invited person, sign the person in, and give the account the role of the invitation.

    `word` is the token of the invitation. `name` must come from `checked_name`, and `password` must be hashed. Raises
    `DeadInvitationError` or `Refused`.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        league, row = _locked(session, word, when)
        opened = make_account(session, name, password, caller, when)
        _take(session, league, row, opened.account, caller.device, Role.NOBODY, when)
        return opened


def end_invitations(session: Session, league: LeagueRow, device: str, now: datetime) -> None:
    """Cancel all open invitations to a league. The caller's transaction commits the change."""
    waiting = select(InvitationRow).where(InvitationRow.league_id == league.id, is_open(now)).order_by(InvitationRow.id)
    for invitation in session.scalars(waiting).all():
        _end(session, league, invitation, device, now)


def _end(session: Session, league: LeagueRow, invitation: InvitationRow, device: str, now: datetime) -> None:
    invitation.ended_at = now
    texts = {CALLED: invitation.called}
    note(session, league, "invitation_void", device=device, now=now, texts=texts, role=invitation.role)


def _open_one(session: Session, word: str, now: datetime) -> InvitationRow:
    query = select(InvitationRow).where(InvitationRow.secret == hash_of(word), is_open(now))
    row = session.scalars(query.execution_options(populate_existing=True)).first()
    if row is None:
        raise DeadInvitationError
    return row


def _locked(session: Session, word: str, now: datetime) -> tuple[LeagueRow, InvitationRow]:
    """Lock the league of an invitation, and return the league and the invitation. `word` is the invitation's token.

    To avoid a deadlock, the league is locked first. The invitation is then read again. Raises `DeadInvitationError`,
    and `TurnedOffError` if the league is turned off.
    """
    league = session.get_one(LeagueRow, _open_one(session, word, now).league_id, with_for_update=True)
    refuse_off(league)
    return league, _open_one(session, word, now)


def _take(
    session: Session,
    league: LeagueRow,
    row: InvitationRow,
    account: int,
    device: str,
    before: Role,
    now: datetime,
) -> None:
    row.ended_at = now
    give_role(session, account, league.id, role_named(row.role), now, row.called)
    note(
        session,
        league,
        "joined",
        device=device,
        now=now,
        account=account,
        texts={CALLED: row.called},
        role=row.role,
        before=word_of(before),
    )


def _called(name: str) -> str:
    try:
        return check_name(name)
    except RuleViolation as violation:
        missing = violation.code == "name_missing"
        message = N_("Enter the name of the person you're inviting.") if missing else violation.message
        raise RuleViolation(violation.code, message, field="called") from None


@use_case
def change_role(*, league: str, member: int, role: Role, device: str, now: datetime | None = None) -> None:
    """Change the role of a member (id of a `RoleRow`). `Role.NOBODY` removes the role.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` if nobody would own the league afterwards.
    """
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        found = session.scalars(select(RoleRow).where(RoleRow.id == member, RoleRow.league_id == row.id)).first()
        if found is None or role_named(found.role) is role:
            return
        refusal = Phrase("Make someone else an owner first. Otherwise nobody could run the league.")
        _replace(session, row, found, role, device, now or datetime.now(UTC), refusal)


@use_case
def delete_account(*, account: int, caller: Caller, now: datetime | None = None) -> None:
    """Delete an account (row id) and all its roles in leagues.

    Raises `RuleViolation` if a league would have no owner afterwards. The owner can be another account or a device.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        held = session.scalars(select(RoleRow).where(RoleRow.account_id == account).order_by(RoleRow.league_id)).all()
        for member in held:
            league = session.get_one(LeagueRow, member.league_id, with_for_update=True)
            refusal = Phrase(
                "%(league)s: make someone else an owner first. Otherwise nobody could run the league.",
                league=league.name,
            )
            _replace(session, league, member, Role.NOBODY, caller.device, when, refusal)
        close_account(session, account, caller, when)


def _replace(
    session: Session, league: LeagueRow, member: RoleRow, role: Role, device: str, now: datetime, refusal: Phrase
) -> None:
    """Change or remove the role of `member`.

    If the member was an owner, all open invitations are canceled, because the former owner may know their links. A
    league must still have an account or a device as its owner. Otherwise `RuleViolation` is raised with the message
    `refusal`.
    """
    before, called = member.role, member.called
    if role_named(before) is Role.OWNER:
        if is_released(league) and not has_owner(session, league.id, but=member.id):
            raise RuleViolation("last_owner", refusal)
        end_invitations(session, league, device, now)
    if role is Role.NOBODY:
        _remove_phones(session, league, member.account_id, device, now)
        session.delete(member)
    else:
        member.role, member.since = word_of(role), now
    texts, after = {CALLED: called}, word_of(role)
    note(session, league, "role_changed", device=device, now=now, texts=texts, before=before, after=after)


def _remove_phones(session: Session, league: LeagueRow, account: int, device: str, now: datetime) -> None:
    """Stop the phones of an account (row id) from scoring at the league's tables. The league's own device is kept.

    These are the phones that may score because of the account's role, and the phones of this account that scanned a
    table card.
    """
    games = select(TableRow.game_id).where(scope_of(league.id)["tables"])
    devices = select(KnownDeviceRow.device).where(
        KnownDeviceRow.account_id == account, KnownDeviceRow.device != league.device
    )
    away = session.execute(
        update(ScorerRow)
        .where(
            ScorerRow.game_id.in_(games),
            or_(ScorerRow.account_id == account, ScorerRow.device.in_(devices)),
            ScorerRow.revoked_at.is_(None),
        )
        .values(revoked_at=now)
        .returning(ScorerRow.game_id, ScorerRow.seat)
    ).all()
    note_all(session, [(game, seat) for game, seat in away], "sent_away", device=device, now=now)


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
    return token_word_of("direct a league", league.public_id, league.device, session.scalar(before), key=key)
