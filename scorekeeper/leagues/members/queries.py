"""View models of the pages for roles, invitations and deleting an account.

Read the pages about the roles in a league and about the roles of an account.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import SimpleNamespace

from msgspec import Struct
from sqlalchemy import select

from scorekeeper.accounts.devices import this_account
from scorekeeper.accounts.models import AccountRow
from scorekeeper.accounts.queries import name_of
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.leagues.core.access import is_released, league_at, owned
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.core.roles import LABELS, InvitationRow, Role, RoleRow, is_open, role_named, word_of
from scorekeeper.web.extensions import db


class RoleChoice(Struct, frozen=True):
    """A role that can be chosen, with a description of its rights."""

    value: str
    label: str
    says: str


class Member(Struct, frozen=True):
    """An account with a role in the league."""

    id: int
    name: str
    called: str
    """Name that the league's owner gave to the person; empty if it is the same as the account's name."""
    role: str
    label: str
    since: datetime
    me: bool


class Waiting(Struct, frozen=True):
    """An open invitation, which nobody has accepted yet."""

    id: int
    called: str
    label: str
    made_at: datetime


class Held(Struct, frozen=True):
    """A role that an account has in a league."""

    league: str
    """Public id of the league."""
    name: str
    label: str


SAYS: Mapping[Role, str] = {
    Role.HELPER: N_("checks people in, enters scores, starts games at tables"),
    Role.DIRECTOR: N_("runs the whole night: opens it, makes the seating, prints the cards, closes it"),
    Role.OWNER: N_("runs everything, including money, players and these roles"),
}
"""Description of the rights of each role, for pages."""


def label_of(role: Role) -> str:
    """Return the label of a role in the reader's language."""
    return _(LABELS[role])


def roles_page(league_id: str, device: str | None, *, device_error: str = "") -> SimpleNamespace:
    """Return the page with the roles of a league, for an owner. Raises `NoSuchLeagueError` or `NotAllowedError`.

    `device_error` says why the league's device couldn't be removed, or is "".
    """
    session = db.session()
    league = league_at(session, league_id)
    head = owned(session, league.id, device)
    me = this_account()
    members = (
        select(RoleRow, AccountRow.name)
        .join(AccountRow, AccountRow.id == RoleRow.account_id)
        .where(RoleRow.league_id == league.id)
        .order_by(RoleRow.id)
    )
    waiting = (
        select(InvitationRow)
        .where(InvitationRow.league_id == league.id, is_open(datetime.now(UTC)))
        .order_by(InvitationRow.id)
    )
    return SimpleNamespace(
        league=head,
        # True if a device owns the league, even when nobody is signed in on that device.
        device=not is_released(league),
        # True if the device that owns the league is the reader's device.
        by_device=league.device == device,
        members=tuple(
            Member(
                row.id,
                name,
                row.called if row.called.casefold() != name.casefold() else "",
                row.role,
                label_of(role_named(row.role)),
                row.since,
                row.account_id == me,
            )
            for row, name in session.execute(members)
        ),
        waiting=tuple(
            Waiting(row.id, row.called, label_of(role_named(row.role)), row.made_at) for row in session.scalars(waiting)
        ),
        choices=tuple(RoleChoice(word_of(role), label_of(role), _(says)) for role, says in SAYS.items()),
        device_error=device_error,
    )


def leaving_page(account: int, error: str = "") -> SimpleNamespace:
    """Return the page that asks for confirmation before an account (row id) is deleted.

    `error` says why the deletion was refused, or is "".
    """
    query = (
        select(LeagueRow.public_id, LeagueRow.name, RoleRow.role)
        .join(LeagueRow, LeagueRow.id == RoleRow.league_id)
        .where(RoleRow.account_id == account)
        .order_by(LeagueRow.id)
    )
    held = tuple(Held(league, name, label_of(role_named(role))) for league, name, role in db.session.execute(query))
    return SimpleNamespace(name=name_of(account), held=held, error=error)
