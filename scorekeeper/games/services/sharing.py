"""Let other phones score or watch a game, or remove them. Each public function is one transaction."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import hash_of
from scorekeeper.games.store.access import AccessLevel, admit, standing_of
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.models import GameRow, ScoreLinkRow, ScorerRow
from scorekeeper.web.extensions import db, writing

SECRET_BYTES = 24
"""Bytes of a token: 192 random bits are too many to guess, and still give a QR code with large squares."""
LINK_LASTS = timedelta(hours=24)


class DeadLinkError(Exception):
    """The link is unknown, used, removed or too old."""


@dataclass(frozen=True, slots=True)
class Invitation:
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
