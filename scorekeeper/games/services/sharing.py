"""Let other phones score or watch a game, or remove them. Each public function is one transaction.

Let other phones join a home table, or remove them. Each public function is one transaction.
"""

import secrets
from datetime import UTC, datetime, timedelta

from msgspec import Struct
from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import hash_of
from scorekeeper.games.store.access import AccessLevel, admit, standing_of
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.models import GameRow, ScoreLinkRow, ScorerRow
from scorekeeper.people.models import HomeLinkRow, HomePhoneRow, HomeTableRow
from scorekeeper.people.tables import current_table, use_table
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.extensions import db, writing

SECRET_BYTES = 24
"""Bytes of a token: 192 random bits are too many to guess, and still give a QR code with large squares."""
LINK_LASTS = timedelta(hours=24)


class DeadLinkError(Exception):
    """The link is unknown, used, removed or too old."""


class Invitation(Struct, frozen=True):
    """The game that a score link opens, and the access level that the phone has before it joins."""

    game_id: str
    """Public id of the game."""
    standing: AccessLevel
    """Access level that the phone has before it joins."""


@use_case
def make_link(*, public_id: str, device: str, now: datetime | None = None) -> str:
    """Create a score link for a game, and return its token. An older unused link stops working.

    Only the hash of the token is stored, so the token can't be shown again. Raises `NoSuchGameError` or
    `NotYourGameError`.
    """
    secret = secrets.token_urlsafe(SECRET_BYTES)
    moment = now or datetime.now(UTC)
    with writing() as session:
        game = _own_game(session, public_id, device)
        remove_links(session, game.id, device, moment)
        session.add(ScoreLinkRow(game_id=game.id, secret=hash_of(secret), made_at=moment))
        note(session, game.id, "link_made", device=device, now=moment)
    return secret


@use_case
def remove_link(*, public_id: str, device: str, now: datetime | None = None) -> None:
    """Remove the unused score link of a game. Raises what `make_link` raises."""
    with writing() as session:
        remove_links(session, _own_game(session, public_id, device).id, device, now or datetime.now(UTC))


def open_link(*, secret: str, device: str | None, now: datetime | None = None) -> Invitation:
    """Return the game that the score link with the token `secret` opens. The link is not used up.

    A used, removed or old link still works for a phone that may already score the game. Raises `DeadLinkError`.
    """
    session = db.session()
    link = session.scalars(_link(secret)).first()
    game = None if link is None else session.get(GameRow, link.game_id)
    if link is None or game is None or game.deleted_at is not None:
        raise DeadLinkError
    standing = standing_of(session, game, device)
    if standing < AccessLevel.SCORES and not _is_open(link, now or datetime.now(UTC)):
        raise DeadLinkError
    return Invitation(game.public_id, standing)


@use_case
def join_game(*, secret: str, device: str, seat: int | None, now: datetime | None = None) -> str:
    """Let the phone `device` score the game of a score link, and return the game's public id.

    `secret` is the token of the link. `seat` is the seat of the phone's owner, or None if unknown. A seat that the
    table doesn't have counts as unknown. Nothing changes for a phone that may already score the game. For any other
    phone, a link works only once. Raises `DeadLinkError`.
    """
    moment = now or datetime.now(UTC)
    with writing() as session:
        # Lock the game before the link, as everywhere: otherwise two requests could wait for each other forever.
        known = session.scalars(_link(secret)).first()
        game = None if known is None else session.get(GameRow, known.game_id, with_for_update=True)
        link = session.scalars(_link(secret).execution_options(populate_existing=True)).first()
        if link is None or game is None or game.deleted_at is not None:
            raise DeadLinkError
        if standing_of(session, game, device) >= AccessLevel.SCORES:
            return game.public_id
        if not _is_open(link, moment):
            raise DeadLinkError
        link.used_at = moment
        owner = seat if seat in range(len(game.players)) else None
        seat_phone(session, game.id, device, owner, moment)
        note(session, game.id, "let_in", device=device, now=moment, seat=owner)
        return game.public_id


@use_case
def remove_scorer(*, public_id: str, device: str, scorer: int, now: datetime | None = None) -> None:
    """Remove another phone that scores a game. `scorer` is the row id of that phone's `ScorerRow`.

    Nothing happens if the phone has already been removed. Raises what `make_link` raises.
    """
    with writing() as session:
        game = _own_game(session, public_id, device)
        row = session.get(ScorerRow, scorer)
        if row is not None and row.game_id == game.id and row.revoked_at is None:
            row.revoked_at = now or datetime.now(UTC)
            note(session, game.id, "sent_away", device=device, now=row.revoked_at, seat=row.seat)


@use_case
def set_watching(*, public_id: str, device: str, allowed: bool, now: datetime | None = None) -> None:
    """Set whether people can watch a game by its link. Raises what `make_link` raises.

    Phones that score the game can always see it.
    """
    with writing() as session:
        game = _own_game(session, public_id, device)
        if allowed is (game.unwatched_since is None):
            return
        when = now or datetime.now(UTC)
        game.unwatched_since = None if allowed else when
        note(session, game.id, "watching_on" if allowed else "watching_off", device=device, now=when)


def copy_scorers(session: Session, before: int, after: int, device: str, now: datetime) -> None:
    """Let the phones that may score the game `before` (row id) also score the game `after` (row id).

    `device` is the phone that started the game `after`. The caller's transaction commits the change.
    """
    query = select(ScorerRow).where(ScorerRow.game_id == before, ScorerRow.revoked_at.is_(None))
    for row in session.scalars(query).all():
        seat_phone(session, after, row.device, row.seat, now)
        note(session, after, "stays", device=device, now=now, seat=row.seat)


def _own_game(session: Session, public_id: str, device: str) -> GameRow:
    query = select(GameRow).where(GameRow.public_id == public_id, GameRow.deleted_at.is_(None)).with_for_update()
    row = session.scalars(query).first()
    admit(session, row, device, AccessLevel.STARTED)
    assert row is not None
    return row


def remove_links(session: Session, game: int, device: str, now: datetime) -> None:
    """Remove the unused score links of a game (row id). The caller's transaction commits the change."""
    unused = (ScoreLinkRow.game_id == game, ScoreLinkRow.used_at.is_(None), ScoreLinkRow.revoked_at.is_(None))
    taken = session.scalars(update(ScoreLinkRow).where(*unused).values(revoked_at=now).returning(ScoreLinkRow.id)).all()
    if taken:
        note(session, game, "link_back", device=device, now=now)


def seat_phone(
    session: Session, game: int, device: str, seat: int | None, now: datetime, *, account: int | None = None
) -> None:
    """Let a phone score a game (row id). The caller's transaction commits the change.

    `seat` is the seat of the phone's owner, or None if unknown. If the phone may score because of a league role,
    `account` is the id of the account with that role. Otherwise `account` is None.
    """
    row = session.scalars(select(ScorerRow).where(ScorerRow.game_id == game, ScorerRow.device == device)).first()
    if row is None:
        row = ScorerRow(game_id=game, device=device)
        session.add(row)
    row.seat, row.account_id, row.since, row.revoked_at = seat, account, now, None


def _link(secret: str) -> Select[ScoreLinkRow]:
    return select(ScoreLinkRow).where(ScoreLinkRow.secret == hash_of(secret))


def _is_open(link: ScoreLinkRow, now: datetime) -> bool:
    return link.used_at is None and link.revoked_at is None and now - link.made_at < LINK_LASTS


MOST_PHONES = 30
"""Maximum number of phones at one home table."""


class NoTableError(Exception):
    """The phone has no home table."""


class NotTheKeeperError(Exception):
    """The phone is not the main phone of its home table, so it may not make this change."""


class TableInvitation(Struct, frozen=True):
    """The home table (row id) that a link opens, and whether the link gives the right to score."""

    table: int
    may_score: bool
    joined: bool
    """Whether this phone is at the table already, with at least the rights that the link gives."""


@use_case
def make_table_link(*, device: str, may_score: bool, now: datetime | None = None) -> str:
    """Create a link to the phone's home table, and return its token. An older unused link stops working.

    `may_score` says whether a phone that joins with the link may score. Only the hash of the token is stored, so the
    token can't be shown again. Raises what `kept_table` raises.
    """
    secret = secrets.token_urlsafe(SECRET_BYTES)
    moment = now or datetime.now(UTC)
    with writing() as session:
        table = kept_table(session, device)
        _revoke_links(session, table, moment)
        session.add(HomeLinkRow(table_id=table, secret=hash_of(secret), may_score=may_score, made_at=moment))
    return secret


@use_case
def remove_table_link(*, device: str, now: datetime | None = None) -> None:
    """Remove the unused link to the phone's home table. Raises what `kept_table` raises."""
    with writing() as session:
        _revoke_links(session, kept_table(session, device), now or datetime.now(UTC))


def open_table_link(*, secret: str, device: str | None, now: datetime | None = None) -> TableInvitation:
    """Return the home table that the link with the token `secret` opens. The link is not used up.

    A used, removed or old link still works for a phone that already has the rights that the link gives at the table.
    Raises `DeadLinkError`.
    """
    session = db.session()
    link = session.scalars(_table_link(secret)).first()
    if link is None:
        raise DeadLinkError
    phone = _phone(session, link.table_id, device)
    joined = phone is not None and phone.left_at is None and (phone.may_score or not link.may_score)
    if not joined and not _table_is_open(link, now or datetime.now(UTC)):
        raise DeadLinkError
    return TableInvitation(link.table_id, link.may_score, joined)


@use_case
def join_table(*, secret: str, device: str, now: datetime | None = None) -> None:
    """Let the phone `device` join the home table of a link. That table becomes the phone's current home table.

    `secret` is the token of the link. A link works only once, except for phones that already have the rights that the
    link gives at the table. Raises `DeadLinkError`, and `RuleViolation` if the table has too many phones.
    """
    moment = now or datetime.now(UTC)
    with writing() as session:
        link = session.scalars(_table_link(secret).with_for_update()).first()
        if link is None:
            raise DeadLinkError
        phone = _phone(session, link.table_id, device)
        if phone is not None and phone.left_at is None and (phone.may_score or not link.may_score):
            phone.used_at = moment
            return
        if not _table_is_open(link, moment):
            raise DeadLinkError
        if len(session.scalars(_phones(link.table_id)).all()) >= MOST_PHONES:
            message = Phrase("This table already has %(most)s phones. Remove one first.", most=MOST_PHONES)
            raise RuleViolation("phones_many", message)
        link.used_at = moment
        add_phone(session, link.table_id, device, moment, may_score=link.may_score)


def add_phone(session: Session, table: int, device: str, now: datetime, *, may_score: bool) -> HomePhoneRow:
    """Add a phone to a home table (row id), and make that the phone's current home table. Return the phone's row.

    A phone that is already at the table keeps its rights, and can gain the right to score. A phone that left or was
    removed gets only the rights given now. The caller's transaction commits the change.
    """
    phone = _phone(session, table, device)
    if phone is None:
        phone = HomePhoneRow(table_id=table, device=device, keeper=False, may_score=may_score, since=now, used_at=now)
        session.add(phone)
    elif phone.left_at is not None:
        phone.left_at, phone.since, phone.keeper, phone.may_score = None, now, False, may_score
    phone.may_score = phone.may_score or may_score
    phone.used_at = now
    session.flush()
    return phone


@use_case
def remove_phone(*, device: str, phone: int, now: datetime | None = None) -> None:
    """Remove another phone from a home table.

    `device` is the main phone of the table. `phone` is the row id of the phone to remove. Raises what `kept_table`
    raises.
    """
    with writing() as session:
        table = kept_table(session, device)
        row = session.get(HomePhoneRow, phone)
        if row is not None and row.table_id == table and not row.keeper:
            _leave(session, row, now or datetime.now(UTC))


@use_case
def let_score(*, device: str, phone: int, may_score: bool) -> None:
    """Set whether another phone may score at the home table. Raises what `kept_table` raises.

    `device` is the main phone of the table. `phone` is the row id of the other phone.
    """
    with writing() as session:
        table = kept_table(session, device)
        row = session.get(HomePhoneRow, phone)
        if row is not None and row.table_id == table and not row.keeper:
            row.may_score = may_score
            if not may_score:
                _free_first(session, row)


@use_case
def show_odds(*, device: str, shown: bool) -> None:
    """Set whether the home table shows the chances of winning during its games. Raises what `kept_table` raises.

    `device` is the main phone of the table.
    """
    with writing() as session:
        session.get_one(HomeTableRow, kept_table(session, device)).shows_odds = shown


@use_case
def leave_table(*, device: str, now: datetime | None = None) -> None:
    """Remove a phone from its current home table. Raises `RuleViolation` for the table's main phone."""
    with writing() as session:
        table = current_table(session, device)
        row = None if table is None else _phone(session, table, device)
        if row is None:
            return
        if row.keeper:
            message = Phrase(
                "This is the table's main phone. Before it can leave, enter the table's backup code on another phone."
            )
            raise RuleViolation("keeper_leaves", message)
        _leave(session, row, now or datetime.now(UTC))


@use_case
def switch_table(*, device: str, public_id: str, now: datetime | None = None) -> None:
    """Make the home table `public_id` the phone's current home table.

    Nothing happens if the phone has not joined that table.
    """
    with writing() as session:
        table = session.scalars(select(HomeTableRow.id).where(HomeTableRow.public_id == public_id)).first()
        phone = None if table is None else _phone(session, table, device)
        if table is not None and phone is not None and phone.left_at is None:
            use_table(session, table, device, now or datetime.now(UTC))


def kept_table(session: Session, device: str) -> int:
    """Return the row id of the phone's current home table. The phone must be the main phone of that table.

    Raises `NoTableError` for a phone without a home table, and `NotTheKeeperError` for a phone that isn't the main
    phone.
    """
    table = current_table(session, device)
    phone = None if table is None else _phone(session, table, device)
    if table is None or phone is None:
        raise NoTableError
    if not phone.keeper:
        raise NotTheKeeperError
    return table


def _leave(session: Session, phone: HomePhoneRow, now: datetime) -> None:
    phone.left_at = now
    _free_first(session, phone)


def _free_first(session: Session, phone: HomePhoneRow) -> None:
    """Let a phone create another home table after it lost the right to score at the table that it created."""
    at_first = (HomeTableRow.id == phone.table_id, HomeTableRow.made_by == phone.device)
    session.execute(update(HomeTableRow).where(*at_first).values(made_by=None))


def _phones(table: int) -> Select[HomePhoneRow]:
    return select(HomePhoneRow).where(HomePhoneRow.table_id == table, HomePhoneRow.left_at.is_(None))


def _phone(session: Session, table: int, device: str | None) -> HomePhoneRow | None:
    at_table = (HomePhoneRow.table_id == table, HomePhoneRow.device == device)
    return session.scalars(select(HomePhoneRow).where(*at_table)).first()


def _table_link(secret: str) -> Select[HomeLinkRow]:
    return select(HomeLinkRow).where(HomeLinkRow.secret == hash_of(secret))


def _table_is_open(link: HomeLinkRow, now: datetime) -> bool:
    return link.used_at is None and link.revoked_at is None and now - link.made_at < LINK_LASTS


def _revoke_links(session: Session, table: int, now: datetime) -> None:
    unused = (HomeLinkRow.table_id == table, HomeLinkRow.used_at.is_(None), HomeLinkRow.revoked_at.is_(None))
    session.execute(update(HomeLinkRow).where(*unused).values(revoked_at=now))
