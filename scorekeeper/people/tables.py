"""Find or make a phone's home table and the people at it, within the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.tokens import new_public_id
from scorekeeper.people.models import HomePersonRow, HomePhoneRow, HomeTableRow
from scorekeeper.people.names import KnownPerson, match


class NoSuchPersonError(Exception):
    """Nobody at this phone's table has that id, or this phone may not see them."""


# Built once: building a short query takes longer than running it.
_CURRENT = (
    select(HomePhoneRow.table_id)
    .where(HomePhoneRow.device == bindparam("device"), HomePhoneRow.left_at.is_(None))
    .order_by(HomePhoneRow.used_at.desc(), HomePhoneRow.id.desc())
    .limit(1)
)
_CURRENT_TO_SCORE = _CURRENT.where(HomePhoneRow.may_score)
_PEOPLE = (
    select(HomePersonRow.id, HomePersonRow.name, HomePersonRow.joined_into, HomePersonRow.hidden)
    .where(HomePersonRow.table_id == bindparam("home"))
    .order_by(HomePersonRow.id)
)


def current_table(session: Session, device: str | None, *, to_score: bool = False) -> int | None:
    """Return the row id of the table that a phone used last, None if it has none.

    With `to_score`, tables at which the phone may not score are left out.
    """
    if device is None:
        return None
    return session.connection().execute(_CURRENT_TO_SCORE if to_score else _CURRENT, {"device": device}).scalar()


def scores_at(session: Session, table: int, device: str) -> bool:
    """Return whether a phone is at a table and may score there."""
    at = (HomePhoneRow.table_id == table, HomePhoneRow.device == device, HomePhoneRow.left_at.is_(None))
    return session.scalar(select(HomePhoneRow.id).where(*at, HomePhoneRow.may_score)) is not None


def make_table(session: Session, device: str, now: datetime) -> int:
    """Make the first table of a phone, which becomes its main phone, and return the table's row id."""
    table = HomeTableRow(public_id=new_public_id(), name="", created_at=now, made_by=device)
    session.add(table)
    session.flush()
    session.add(
        HomePhoneRow(
            table_id=table.id, device=device, keeper=True, may_score=True, since=now, left_at=None, used_at=now
        )
    )
    session.flush()
    return table.id


def use_table(session: Session, table: int, device: str, now: datetime) -> None:
    """Make `table` the current table of a phone that is at it."""
    at = (HomePhoneRow.table_id == table, HomePhoneRow.device == device)
    session.execute(update(HomePhoneRow).where(*at).values(used_at=now))


def known_people(session: Session, table: int) -> tuple[KnownPerson, ...]:
    """Return the people of a table, hidden and merged ones too, in the order in which they were added."""
    return tuple(KnownPerson(*row) for row in session.connection().execute(_PEOPLE, {"home": table}))


def people_called(
    session: Session, table: int, names: Sequence[str], now: datetime, seated: Collection[int] = ()
) -> tuple[KnownPerson, ...]:
    """Return a person of the table for each name, all different; new names are added to the table.

    People in `seated` are not returned. Hidden people are shown again, since they play.
    """
    known = known_people(session, table)
    by_id = {person.id: person for person in known}
    found = match(names, known, seated)
    added = [
        HomePersonRow(
            table_id=table,
            public_id=new_public_id(),
            name=name,
            color="",
            emoji="",
            photo_id=None,
            joined_into=None,
            added_at=now,
            hidden=False,
        )
        for name, person in zip(names, found, strict=True)
        if person is None
    ]
    if added:
        session.add_all(added)
        session.flush()
    back = [person for person in found if person is not None and by_id[person].hidden]
    if back:
        session.execute(update(HomePersonRow).where(HomePersonRow.id.in_(back)).values(hidden=False))
    new = iter(added)
    return tuple(
        by_id[person] if person is not None else KnownPerson((row := next(new)).id, row.name) for person in found
    )
