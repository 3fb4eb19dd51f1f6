"""One transaction on a night: `Desk` has its locked rows and the device that makes the change."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.access import NoSuchLeagueError, night_at, person_at, take_charge
from scorekeeper.leagues.core.audit_log import NO_TEXTS, note, request_key, told_before
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, PresentRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing


@dataclass(frozen=True, slots=True)
class Desk:
    """The locked rows of a night, with the device and the time of the change."""

    session: Session
    league: LeagueRow
    season: SeasonRow
    night: NightRow
    device: str
    now: datetime

    def note(
        self, kind: str, *, reason: str = "", key: str | None = None, texts: Mapping[str, str] = NO_TEXTS, **data: Any
    ) -> None:
        """Add a line to the league's log, as `audit_log.note` does."""
        note(
            self.session,
            self.league,
            kind,
            device=self.device,
            now=self.now,
            night=self.night,
            reason=reason,
            key=key,
            texts=texts,
            **data,
        )

    def key(self, kind: str, tap: str, *said: object) -> str | None:
        """Return the `request_key` of a form on this night."""
        return request_key(kind, tap, self.night.public_id, *said)

    def did(self, key: str | None) -> bool:
        """Return True if the form with this key was already handled."""
        return told_before(self.session, self.league, key) is not None


@contextlib.contextmanager
def at_desk(
    night: str, device: str, now: datetime | None, need: Role, *, closed: bool | None = False
) -> Iterator[Desk]:
    """Open a transaction on a night (public id) for a device with at least the role `need`.

    The night must be open; with `closed=True` it must be closed, and with `closed=None` it may be either. Raises
    `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation`.
    """
    with writing() as session:
        desk = desk_of(session, night, device, now, need)
        if closed and desk.night.closed_at is None:
            raise RuleViolation("night_open", "This night isn't closed.")
        if closed is False and desk.night.closed_at is not None:
            raise RuleViolation("night_closed", "This night is closed. Reopen it first.")
        yield desk


def desk_of(session: Session, night: str, device: str, now: datetime | None, need: Role = Role.NOBODY) -> Desk:
    """Return the `Desk` of the night with this public id, open or closed, and lock its league.

    Raises `NoSuchLeagueError`, or `NotAllowedError` if the device has less than the role `need`.
    """
    row = night_at(session, night)
    season = session.get_one(SeasonRow, row.season_id)
    league = take_charge(session, season.league_id, device, need)
    session.refresh(row)
    return Desk(session, league, season, row, device, now or datetime.now(UTC))


def people_at(desk: Desk, people: Sequence[str]) -> list[PersonRow]:
    """Return the people with these public ids, in the same order.

    Raises `NoSuchLeagueError` if an id is unknown, belongs to another league, or was merged into another person.
    """
    rows = [person_at(desk.session, person) for person in people]
    if any(row.league_id != desk.league.id or row.merged_into is not None for row in rows):
        raise NoSuchLeagueError
    return rows


def present_row(desk: Desk, person: int) -> PresentRow | None:
    """Return the `PresentRow` of a person (id), None if they were not checked in."""
    query = select(PresentRow).where(PresentRow.night_id == desk.night.id, PresentRow.person_id == person)
    return desk.session.scalars(query).first()


def seats_of(desk: Desk, person: PersonRow) -> Select[SeatRow]:
    """Return the query for a person's seats on this night."""
    return (
        select(SeatRow)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .where(TableRow.night_id == desk.night.id, SeatRow.person_id == person.id)
    )
