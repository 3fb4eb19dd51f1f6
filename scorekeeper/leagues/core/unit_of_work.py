"""Write the log of a league: who changed what, when and why, with the values before and after.

Lines are added, but never changed or deleted. A line contains the ids of people, not their names. Typed texts and the
names before and after a renaming are in `LeagueTextRow`.

Change a night in one transaction. A `Desk` has the night's locked rows and the device that makes the change.

Turn a league off or on again, which only the operator may do. Nothing can be changed in a league that is off.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Select, select, update
from sqlalchemy.orm import Session

from scorekeeper.accounts.devices import account_at_hand
from scorekeeper.db.database import use_case
from scorekeeper.games.store.access import FrozenGameError, guard, keeper
from scorekeeper.leagues.core.access import NoSuchLeagueError, league_at, night_at, person_at, take_charge
from scorekeeper.leagues.core.models import (
    ByeRow,
    ClubRow,
    LeagueEventRow,
    LeagueRow,
    LeagueTextRow,
    MoneyRow,
    NightRow,
    PersonRow,
    PresentRow,
    SeasonRow,
    SeatRow,
    TableRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import publish_soon, writing

REASON_LENGTH = 200
REASON, CALLED, POT, TEAM, OTHER_TEAM, SIGNED = "reason", "called", "pot", "team", "other_team", "signed"
"""Keys of a log line's texts.

The texts are a reason, the name that an owner gave to a helper or director, the name of a side pot, and team names.
"""
TITLES = frozenset((CALLED, POT, TEAM, OTHER_TEAM, SIGNED))
"""Keys of a log line's texts that are names. The texts with other keys are sentences."""
NO_TEXTS: Mapping[str, str] = MappingProxyType({})
KINDS = TURNED_OFF, TURNED_ON = "turned_off", "turned_on"
"""Kinds of the log lines that the operator's actions add."""
PUBLISHED_AFTER = frozenset(("night_closed", "club_changed", "made_anonymous", *KINDS))
"""Kinds of the log lines after which the league's public pages are published again, where the operator wants it.

They have results that count now, or may no longer show what they showed.
"""


def note(
    session: Session,
    league: LeagueRow,
    kind: str,
    *,
    device: str,
    now: datetime,
    night: NightRow | None = None,
    reason: str = "",
    key: str | None = None,
    account: int | None = None,
    texts: Mapping[str, str] = NO_TEXTS,
    renamed: PersonRow | None = None,
    **data: Any,
) -> None:
    """Add a line of this `kind` to the league's log. If `night` is given, increase the version of that night.

    `data` must contain ids, not names. `texts` has the typed texts of the line, by key. If a person was renamed,
    `renamed` is that person, and `texts` has the names before and after. `key` is the form's `request_key`. `account`
    is an account id, and is needed only if the account signed in during this request. Raises `RuleViolation` for a long
    reason. The caller's transaction commits the line.
    """
    if len(reason) > REASON_LENGTH:
        raise RuleViolation("reason_long", "Use at most 200 characters for the reason.", field="reason")
    if night is not None:
        night.version += 1
    line = LeagueEventRow(
        league_id=league.id,
        night_id=None if night is None else night.id,
        at=now,
        device=device,
        account_id=account_at_hand() if account is None else account,
        kind=kind,
        data=data,
        request_key=key,
    )
    session.add(line)
    was_public = (data.get("before") or {}).get("open") if kind == "club_changed" else False
    if kind in PUBLISHED_AFTER and (was_public or is_public(session, league.id)):
        publish_soon(session)
    written = {key: text for key, text in {REASON: reason.strip(), **texts}.items() if text}
    if written:
        session.flush()
        about = {"event_id": line.id, "person_id": renamed and renamed.id}
        session.add_all(LeagueTextRow(**about, key=key, text=text) for key, text in written.items())


def is_public(session: Session, league: int) -> bool:
    """Return whether a league (row id) has public pages."""
    return bool(session.scalar(select(ClubRow.is_open).where(ClubRow.league_id == league)))


def request_key(kind: str, tap: str, *said: object) -> str | None:
    """Return a key that identifies a form and its content, or None if the form has no id.

    `kind` is the kind of the log line, `tap` is the id of the form, and `said` is the content of the form. If a phone
    sends the same form twice, both requests have the same key. The same form with other content gets another key.
    """
    return hashlib.sha256(json.dumps([kind, tap, *said]).encode()).hexdigest() if tap else None


def told_before(session: Session, league: LeagueRow, key: str | None) -> dict[str, Any] | None:
    """Return the data of the log line with the request key `key`, or None if there is no such line."""
    if key is None:
        return None
    query = select(LeagueEventRow.data).where(LeagueEventRow.league_id == league.id, LeagueEventRow.request_key == key)
    return session.scalars(query).first()


class Desk(Struct, frozen=True):
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


def carry_nights_over(session: Session, league: int) -> None:
    """Put people in place of those who were merged into them, on all open nights of a league (row id).

    So players who are checked in, seated or in a pot under the name that is gone can be checked out, swapped and paid.
    """
    nights = select(NightRow.id).join(SeasonRow, SeasonRow.id == NightRow.season_id)
    open_ones = nights.where(SeasonRow.league_id == league, NightRow.closed_at.is_(None))
    there: dict[Any, ColumnElement[bool]] = {
        SeatRow: SeatRow.table_id.in_(select(TableRow.id).where(TableRow.night_id.in_(open_ones))),
        **{model: model.night_id.in_(open_ones) for model in (PresentRow, ByeRow, MoneyRow)},
    }
    gone = select(PersonRow.id).where(PersonRow.league_id == league, PersonRow.merged_into.is_not(None))
    people = [model.person_id for model in there]
    for column in (*people, PresentRow.sub_for, ByeRow.sub_for, SeatRow.sub_for):
        into = select(PersonRow.merged_into).where(PersonRow.id == column).scalar_subquery()
        moved = update(column.class_).where(there[column.class_], column.in_(gone))
        session.execute(moved.values({column.key: into}))
    for model in (PresentRow, SeatRow):  # nobody plays for themselves
        session.execute(update(model).where(there[model], model.sub_for == model.person_id).values(sub_for=None))


def seats_of(desk: Desk, person: PersonRow) -> Select[SeatRow]:
    """Return the query for a person's seats on this night."""
    return (
        select(SeatRow)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .where(TableRow.night_id == desk.night.id, SeatRow.person_id == person.id)
    )


@use_case
def turn(*, league: str, because: str | None, now: datetime | None = None) -> None:
    """Turn a league (public id) off for the reason `because`, or on again if `because` is None.

    Nothing happens if the league is already on or off. Raises `NoSuchLeagueError`. Raises `RuleViolation` if the reason
    is empty or longer than 200 characters.
    """
    with writing() as session:
        row = session.get_one(LeagueRow, league_at(session, league).id, with_for_update=True)
        if (row.off_because is None) == (because is None):
            return
        reason = None if because is None else because.strip()
        if reason == "":
            raise RuleViolation("off_because", "Say why, so that the league's owners know.", field="because")
        row.off_because = reason
        kind = TURNED_ON if reason is None else TURNED_OFF
        note(session, row, kind, device="", now=now or datetime.now(UTC), reason=reason or "")


@keeper
def freeze_games(session: Session, games: Sequence[int]) -> None:
    """Raise `FrozenGameError` if one of the games (row ids) is at a table of a league that is turned off."""
    if _of_league_that_is_off(session, games):
        raise FrozenGameError(_is_off())


@guard
def keep_game_of_league_that_is_off(
    session: Session, game: int, _before: Game, _after: Game, _device: str, _now: datetime
) -> None:
    """Refuse to change a game (row id) at a table of a league that is turned off, by raising `RuleViolation`."""
    if _of_league_that_is_off(session, [game]):
        raise _is_off()


def _is_off() -> RuleViolation:
    message = "The person who runs this server turned this league off, so nothing can be changed here."
    return RuleViolation("league_off", message)


def _of_league_that_is_off(session: Session, games: Sequence[int]) -> bool:
    query = (
        select(LeagueRow.id)
        .join(SeasonRow, SeasonRow.league_id == LeagueRow.id)
        .join(NightRow, NightRow.season_id == SeasonRow.id)
        .join(TableRow, TableRow.night_id == NightRow.id)
        .where(TableRow.game_id.in_(games), LeagueRow.off_because.is_not(None))
    )
    return session.scalars(query.limit(1)).first() is not None
