"""The desk of a night: the night in the hands of who may work at it, in one transaction."""

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
    """A night in the hands of who may work at it: its rows, locked, and who does what when."""

    session: Session
    league: LeagueRow
    season: SeasonRow
    night: NightRow
    device: str
    now: datetime

    def note(
        self, kind: str, *, reason: str = "", key: str | None = None, texts: Mapping[str, str] = NO_TEXTS, **data: Any
    ) -> None:
        """Write a line of the league's log."""
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
        """Return the `request_key` of a form of this night."""
        return request_key(kind, tap, self.night.public_id, *said)

    def did(self, key: str | None) -> bool:
        """Return whether the form of that key wrote its line already: sent twice, it does nothing twice."""
        return told_before(self.session, self.league, key) is not None


@contextlib.contextmanager
def at_desk(
    night: str, device: str, now: datetime | None, need: Role, *, closed: bool | None = False
) -> Iterator[Desk]:
    """Give the night at the address `night` to who is at least `need` to its league, in a transaction.

    Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` where it is closed and must not be (or, with
    `closed`, is open and must not be; None takes both).
    """
    with writing() as session:
        desk = desk_of(session, night, device, now, need)
        if closed and desk.night.closed_at is None:
            raise RuleViolation("night_open", "This night isn't closed.")
        if closed is False and desk.night.closed_at is not None:
            raise RuleViolation("night_closed", "This night is closed. Reopen it first.")
        yield desk


def desk_of(session: Session, night: str, device: str, now: datetime | None, need: Role = Role.NOBODY) -> Desk:
    """Return the night at that address, open or closed, with its league locked.

    Raises `NoSuchLeagueError`, and `NotAllowedError` for who is less than `need` to the league.
    """
    row = night_at(session, night)
    season = session.get_one(SeasonRow, row.season_id)
    league = take_charge(session, season.league_id, device, need)
    session.refresh(row)
    return Desk(session, league, season, row, device, now or datetime.now(UTC))


def people_at(desk: Desk, people: Sequence[str]) -> list[PersonRow]:
    """Return the people of these addresses. Raises `NoSuchLeagueError` for one of another league, or merged away."""
    rows = [person_at(desk.session, person) for person in people]
    if any(row.league_id != desk.league.id or row.merged_into is not None for row in rows):
        raise NoSuchLeagueError
    return rows


def present_row(desk: Desk, person: int) -> PresentRow | None:
    """Return the line of a person (their id) in the list of who is there, None for who never came."""
    query = select(PresentRow).where(PresentRow.night_id == desk.night.id, PresentRow.person_id == person)
    return desk.session.scalars(query).first()


def seats_of(desk: Desk, person: PersonRow) -> Select[SeatRow]:
    """Return the query for the seats of a person at the night's tables."""
    return (
        select(SeatRow)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .where(TableRow.night_id == desk.night.id, SeatRow.person_id == person.id)
    )
