"""Change a night in one transaction. A `Desk` has the night's locked rows and the device that makes the change."""

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
    """The locked rows of a night, with the device that makes the change and the time of the change."""

    session: Session
    league: LeagueRow
    season: SeasonRow
    night: NightRow
    device: str
    now: datetime

    def note(
        self, kind: str, *, reason: str = "", key: str | None = None, texts: Mapping[str, str] = NO_TEXTS, **data: Any
    ) -> None:
        """Add a line of this `kind` to the league's log. The parameters are those of `audit_log.note`."""
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
        """Return a key that identifies a form for this night and its content, or None if the form has no id.

        `kind` is the kind of the log line, `tap` is the id of the form, and `said` is the content of the form. If a
        phone sends the same form twice, both requests have the same key.
        """
        return request_key(kind, tap, self.night.public_id, *said)

    def did(self, key: str | None) -> bool:
        """Return whether the form with the request key `key` was already handled. For None, return False."""
        return told_before(self.session, self.league, key) is not None


@contextlib.contextmanager
def at_desk(
    night: str, device: str, now: datetime | None, need: Role, *, closed: bool | None = False
) -> Iterator[Desk]:
    """Open a transaction on a night (public id), and yield its `Desk`.

    The device must have at least the role `need`. By default, the night must be open. With `closed=True`, the night
    must be closed. With `closed=None`, the night may be open or closed. Raises `NoSuchLeagueError`,
    `NotAllowedError` or `TurnedOffError`. Raises `RuleViolation` for a night in the wrong state.
    """
    with writing() as session:
        desk = desk_of(session, night, device, now, need)
        if closed and desk.night.closed_at is None:
            raise RuleViolation("night_open", "This night isn't closed.")
        if closed is False and desk.night.closed_at is not None:
            raise RuleViolation("night_closed", "This night is closed. Reopen it first.")
        yield desk


def desk_of(session: Session, night: str, device: str, now: datetime | None, need: Role = Role.NOBODY) -> Desk:
    """Lock the league of a night (public id), and return the `Desk` of the night. The night may be open or closed.

    Raises `NoSuchLeagueError`. Raises `NotAllowedError` if the device has less than the role `need`, and
    `TurnedOffError` if the league is turned off.
    """
    row = night_at(session, night)
    season = session.get_one(SeasonRow, row.season_id)
    league = take_charge(session, season.league_id, device, need)
    session.refresh(row)
    return Desk(session, league, season, row, device, now or datetime.now(UTC))


def people_at(desk: Desk, people: Sequence[str]) -> list[PersonRow]:
    """Return the people with the public ids `people`, in the same order.

    Raises `NoSuchLeagueError` for an unknown person, for a person of another league, and for a person who was merged
    into another person.
    """
    rows = [person_at(desk.session, person) for person in people]
    if any(row.league_id != desk.league.id or row.merged_into is not None for row in rows):
        raise NoSuchLeagueError
    return rows


def present_row(desk: Desk, person: int) -> PresentRow | None:
    """Return the `PresentRow` of a person (row id), or None if the person was not checked in on this night."""
    query = select(PresentRow).where(PresentRow.night_id == desk.night.id, PresentRow.person_id == person)
    return desk.session.scalars(query).first()


def seats_of(desk: Desk, person: PersonRow) -> Select[SeatRow]:
    """Return the query for a person's seats on this night."""
    return (
        select(SeatRow)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .where(TableRow.night_id == desk.night.id, SeatRow.person_id == person.id)
    )
