"""Find or make a phone's home table and its people, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.tokens import new_public_id
from scorekeeper.people.models import HomePersonRow, HomePhoneRow, HomeTableRow
from scorekeeper.people.names import KnownPerson, match


class NoSuchPersonError(Exception):
    """The phone's home table has no such person, or the phone isn't allowed to see them."""


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
    """Return the row id of the home table that a phone used last, or None if the phone belongs to no table.

    `device` is the hash of the phone's token, or None. With `to_score`, tables where the phone may not score are
    ignored.
    """
    if device is None:
        return None
    return session.connection().execute(_CURRENT_TO_SCORE if to_score else _CURRENT, {"device": device}).scalar()


def scores_at(session: Session, table: int, device: str) -> bool:
    """Return whether a phone belongs to a home table and may score there. `device` is the hash of its token."""
    at = (HomePhoneRow.table_id == table, HomePhoneRow.device == device, HomePhoneRow.left_at.is_(None))
    return session.scalar(select(HomePhoneRow.id).where(*at, HomePhoneRow.may_score)) is not None


def make_table(session: Session, device: str, now: datetime) -> int:
    """Make the first home table of a phone, and return the table's row id. The phone becomes the table's main phone.

    `device` is the hash of the phone's token.
    """
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
    """Make a home table the current table of a phone that belongs to it. `device` is the hash of the phone's token."""
    at = (HomePhoneRow.table_id == table, HomePhoneRow.device == device)
    session.execute(update(HomePhoneRow).where(*at).values(used_at=now))


def known_people(session: Session, table: int) -> tuple[KnownPerson, ...]:
    """Return the people of a home table, in the order in which they were added.

    Hidden and merged people are included.
    """
    return tuple(KnownPerson(*row) for row in session.connection().execute(_PEOPLE, {"home": table}))


def people_called(
    session: Session, table: int, names: Sequence[str], now: datetime, seated: Collection[int] = ()
) -> tuple[KnownPerson, ...]:
    """Return a person of a home table for each of `names`, in the same order. No person is returned twice.

    People with new names are added to the table. Hidden people with one of the names are no longer hidden, because they
    play again. `seated` has the ids of people who already have a seat, and these people are never returned.
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
        by_id |= {person: replace(by_id[person], hidden=False) for person in back}
    new = iter(added)
    return tuple(
        by_id[person] if person is not None else KnownPerson((row := next(new)).id, row.name) for person in found
    )
