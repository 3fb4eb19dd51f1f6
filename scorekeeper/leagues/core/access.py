"""Decide who may do what in a league. No other module decides that.

Anyone with the address of a league, season or night may read it. The device that created the league owns it, unless
another device took the league over. An account has the role that an owner gave to it. Each use case states the `Role`
that it needs.

Make the header of every league page: the league, the reader's role, and the list of seasons.

Derive the tokens in links from the installation's secret key, so that no token is stored.

Such a link can be shown and printed again. It stops working when a part that its token is derived from changes.
"""

import base64
import hashlib
import hmac
from typing import TypeVar

from flask import has_request_context
from msgspec import Struct
from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from scorekeeper.accounts.devices import this_account
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, SeasonRow
from scorekeeper.leagues.core.roles import Role, leagues_of, role_in
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import day_text

T = TypeVar("T")

RELEASED = "released-"
"""Prefix of `LeagueRow.device` if no device owns the league. No hash of a device starts with it."""


class NoSuchLeagueError(Exception):
    """There is no league, season, night or person with this public id."""


class NotAllowedError(Exception):
    """The reader's role in the league is too low for the request."""

    def __init__(self, need: Role = Role.OWNER) -> None:
        """Store `need`, the lowest role that is allowed."""
        super().__init__(need)
        self.need = need


class TurnedOffError(Exception):
    """The operator turned the league off, so nothing in it can be changed."""

    def __init__(self, because: str) -> None:
        """Store `because`, the reason that the operator gave."""
        super().__init__(because)
        self.because = because


def role_of(league: LeagueRow, device: str | None) -> Role:
    """Return the role of the reader in a league. `device` is the hash of the reader's device, or None if unknown.

    The device that owns the league has the role `OWNER`. On any other device, the role is that of the signed-in
    account. If `device` is None, the role is `NOBODY`, even if the reader is signed in. Pages that are cached for all
    readers therefore pass None. The role is read on every request, so a removed role ends at once.
    """
    if not device:
        return Role.NOBODY
    if league.device == device:
        return Role.OWNER
    account = _account()
    return Role.NOBODY if account is None else role_in(db.session(), account, league.id)


def is_released(league: LeagueRow) -> bool:
    """Return True if no device owns the league."""
    return league.device.startswith(RELEASED)


def demand(league: LeagueRow, device: str | None, need: Role) -> None:
    """Raise `NotAllowedError` if the device and its signed-in account both lack the role `need`."""
    if role_of(league, device) < need:
        raise NotAllowedError(need)


def has_role(device: str) -> ColumnElement[bool]:
    """Return the SQL condition that selects the leagues that the reader helps to run.

    These are the leagues that the device `device` owns, and the leagues in which the signed-in account has a role.
    """
    account = _account()
    made = LeagueRow.device == device
    return made if account is None else or_(made, LeagueRow.id.in_(leagues_of(account)))


def league_at(session: Session, public_id: str) -> LeagueRow:
    """Return the league with the public id `public_id`. Raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(LeagueRow).where(LeagueRow.public_id == public_id)).first())


def season_at(session: Session, public_id: str) -> SeasonRow:
    """Return the season with the public id `public_id`. Raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(SeasonRow).where(SeasonRow.public_id == public_id)).first())


def night_at(session: Session, public_id: str) -> NightRow:
    """Return the night with the public id `public_id`. Raises `NoSuchLeagueError`, also for a removed night."""
    return _found(session.scalars(select(NightRow).where(NightRow.public_id == public_id, NightRow.number > 0)).first())


def person_at(session: Session, public_id: str) -> PersonRow:
    """Return the row of the person with this public id, even if the person was merged into another one.

    Raises `NoSuchLeagueError` if nobody has this id.
    """
    return _found(session.scalars(select(PersonRow).where(PersonRow.public_id == public_id)).first())


def take_charge(
    session: Session, league_id: int, device: str | None, need: Role, *, even_off: bool = False
) -> LeagueRow:
    """Lock a league (row id) until the transaction ends, and return it, freshly read.

    Each use case that changes a league starts with this call. Raises `NotAllowedError` if the reader's role is lower
    than `need`, and `TurnedOffError` if the operator turned the league off, unless `even_off` is true.
    """
    league = session.get_one(LeagueRow, league_id, with_for_update=True)
    demand(league, device, need)
    if not even_off:
        refuse_off(league)
    return league


def refuse_off(league: LeagueRow) -> None:
    """Raise `TurnedOffError` if the operator turned the league off."""
    if league.off_because is not None:
        raise TurnedOffError(league.off_because)


def _account() -> int | None:
    return this_account() if has_request_context() else None


def take_charge_of_season(
    session: Session, public_id: str, device: str | None, need: Role
) -> tuple[LeagueRow, SeasonRow]:
    """Lock the league of a season (public id), and return the league and the season, both freshly read.

    Raises `NoSuchLeagueError`, and what `take_charge` raises.
    """
    season = season_at(session, public_id)
    league = take_charge(session, season.league_id, device, need)
    session.refresh(season)
    return league, season


def _found(row: T | None) -> T:
    if row is None:
        raise NoSuchLeagueError
    return row


class LeagueHead(Struct, frozen=True):
    """The header of a league page: the league and the reader's role."""

    id: str
    name: str
    role: Role
    """The reader's role in the league."""
    off_because: str | None = None
    """Why the operator turned the league off; None for a league that isn't turned off."""

    @property
    def helps(self) -> bool:
        """Return True if the reader may check people in and enter results at any table (at least a helper)."""
        return self.role >= Role.HELPER

    @property
    def directs(self) -> bool:
        """Return True if the reader may run nights (at least a director)."""
        return self.role >= Role.DIRECTOR

    @property
    def owns(self) -> bool:
        """Return True if the reader may change the league, its money and its people."""
        return self.role >= Role.OWNER

    def demand(self, need: Role) -> None:
        """Raise `NotAllowedError` if the reader has less than the role `need`.

        Call this before a page says what is wrong with a form: who may not post it gets no page.
        """
        if self.role < need:
            raise NotAllowedError(need)


class SeasonCard(Struct, frozen=True):
    """A season as shown in a list of seasons."""

    id: str
    name: str
    nights: int
    first: str
    last: str
    """`first` and `last` are the days of the first and the last night, as text; empty without nights."""
    running: bool
    open_night: str
    """Public id of the open night, or empty."""


def head_of(row: LeagueRow, device: str | None) -> LeagueHead:
    """Return the header of a league page. `device` is the hash of the reader's device, or None if unknown."""
    return LeagueHead(row.public_id, row.name, role_of(row, device), row.off_because)


def owned(session: Session, league_id: int, device: str | None) -> LeagueHead:
    """Return the header of a league (row id) for a page that only owners may see. Raises `NotAllowedError`."""
    row = session.get_one(LeagueRow, league_id)
    demand(row, device, Role.OWNER)
    return head_of(row, device)


def season_cards(session: Session, league_id: int) -> tuple[SeasonCard, ...]:
    """Return the seasons of a league (row id), newest first. The function runs only two queries."""
    nights = (
        select(NightRow.season_id, func.count(), func.min(NightRow.day), func.max(NightRow.day))
        .join(SeasonRow, SeasonRow.id == NightRow.season_id)
        .where(SeasonRow.league_id == league_id, NightRow.number > 0)
        .group_by(NightRow.season_id)
    )
    spans = {season: (count, day_text(first), day_text(last)) for season, count, first, last in session.execute(nights)}
    still_open = (
        select(NightRow.public_id)
        .where(NightRow.season_id == SeasonRow.id, NightRow.closed_at.is_(None))
        .order_by(NightRow.number.desc())
        .limit(1)
        .scalar_subquery()
    )
    seasons = select(SeasonRow.id, SeasonRow.public_id, SeasonRow.name, SeasonRow.closed_at, still_open)
    return tuple(
        SeasonCard(public_id, name, *spans.get(key, (0, "", "")), closed_at is None, night or "")
        for key, public_id, name, closed_at, night in session.execute(
            seasons.where(SeasonRow.league_id == league_id).order_by(SeasonRow.id.desc())
        )
    )


WORD_BYTES = 18


def token_word_of(*parts: object, key: str) -> str:
    """Return a 144-bit token derived from the secret key and `parts`. The first part is the purpose of the token."""
    digest = hmac.new(key.encode(), "\n".join(map(str, parts)).encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:WORD_BYTES]).decode()


def same_word(word: str, right: str) -> bool:
    """Return whether two tokens are equal. The comparison takes constant time."""
    return hmac.compare_digest(word.encode("utf-8", "replace"), right.encode())
