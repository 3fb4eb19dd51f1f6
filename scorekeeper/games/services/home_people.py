"""Add, change, merge, hide and delete the people of a home table. Each public function is one transaction.

Only phones that may score at the table can change its people. Names, colors and photos aren't part of a game's log, so
the log doesn't change, but pages that show them are marked as outdated (`redaction.hold`). `device` is the phone's
hash, and `person` is the public id of a person at the phone's current home table.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.services.creation import home_table
from scorekeeper.games.store.hand_notes import hold, rename
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.people.models import HomePersonRow, HomePhotoRow
from scorekeeper.people.tables import (
    KnownPerson,
    NoSuchPersonError,
    check_color,
    check_emoji,
    current_table,
    folded,
    known_people,
    look_alike,
    people_called,
)
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import check_name
from scorekeeper.web.extensions import db, writing
from scorekeeper.web.uploads import KIND, photo_from

PHOTO_SIDE = 192
"""Width and height of a stored photo in pixels: four times the largest picture on a page, for sharp screens."""
MOST_PEOPLE = 200
"""Number of people at a home table above which `add_person` adds no more. New games can still add people."""


def refuse_alike(device: str, names: Sequence[str], sure: Collection[str]) -> None:
    """Raise `RuleViolation` (field "name-<seat>") if a new name looks like a person at the phone's home table.

    Otherwise, the person would be there twice, with half of the games each. `names` are the names by seat, and `sure`
    has the names about which the player was asked already.
    """
    session = db.session()
    table = current_table(session, device, to_score=True)
    if table is not None:
        _refuse_alike(names, known_people(session, table), sure, "name-{}")


def _refuse_alike(names: Sequence[str], known: Sequence[KnownPerson], sure: Collection[str], field: str) -> None:
    if found := look_alike(names, known, sure):
        message = Phrase(
            "“%(name)s” looks like %(known)s, who already plays here. If it's someone else, tap the button again.",
            name=names[found[0]],
            known=found[1],
        )
        raise RuleViolation("name_alike", message, field=field.format(found[0]))


@use_case
def add_person(*, device: str, name: str, sure: Collection[str] = (), now: datetime | None = None) -> None:
    """Add a person to the phone's current home table. If a hidden person has that name, that person is shown again.

    Raises `RuleViolation` for an invalid name, a name that is taken, a name that looks like another and isn't in
    `sure`, or too many people.
    """
    checked, moment = _checked(name), now or datetime.now(UTC)
    with writing() as session:
        table = home_table(session, device, moment)
        known = known_people(session, table)
        if any(folded(each.name) == folded(checked) and not each.hidden and not each.joined_into for each in known):
            raise _name_taken(checked)
        _refuse_alike([checked], known, sure, "name")
        if len(known) >= MOST_PEOPLE:
            message = Phrase("This table already has %(most)s players. Delete or merge some first.", most=MOST_PEOPLE)
            raise RuleViolation("people_many", message, field="name")
        people_called(session, table, [checked], moment)


@use_case
def change_person(*, device: str, person: str, name: str, color: str, emoji: str) -> None:
    """Change a person's name in all games of the home table, and the color and emoji shown beside the name.

    Raises `NoSuchPersonError`, and `RuleViolation` for an invalid value or a name that is taken.
    """
    checked = _checked(name)
    look = check_color(color), check_emoji(emoji)
    with writing() as session:
        row = _own(session, device, person)
        others = known_people(session, row.table_id)
        if any(
            folded(each.name) == folded(checked) and row.id not in (each.id, each.joined_into) and not each.joined_into
            for each in others
        ):
            raise _name_taken(checked)
        if checked != row.name:
            _rename(session, row.id, checked)
        row.name, row.color, row.emoji = checked, *look
        _renew_pages(session, row.table_id)


@use_case
def merge_person(*, device: str, person: str, into: str) -> None:
    """Merge the person `person` into the person `into` of the same home table.

    All games of `person` now belong to `into`, whose name doesn't change. If `into` has no color, emoji or photo,
    `into` gets the color, emoji or photo of `person`. Raises `NoSuchPersonError`. Raises `RuleViolation` if `into` is
    empty or the same person, or if the two people ever played in the same game.
    """
    with writing() as session:
        row = _own(session, device, person)
        other = _own(session, device, into) if into else None
        if other is None or other.id == row.id:
            raise RuleViolation("merge_whom", "Choose the other name first.", field="into")
        if _played_together(session, row, other):
            message = Phrase(
                "%(one)s and %(other)s played in the same game, so they can't be the same person.",
                one=row.name,
                other=other.name,
            )
            raise RuleViolation("merge_two", message, field="into")
        _rename(session, row.id, other.name)
        session.execute(update(PlayerRow).where(PlayerRow.home_person_id == row.id).values(home_person_id=other.id))
        session.execute(update(HomePersonRow).where(HomePersonRow.joined_into == row.id).values(joined_into=other.id))
        other.color, other.emoji = other.color or row.color, other.emoji or row.emoji
        photo = row.photo_id
        row.photo_id, row.joined_into = None, other.id
        if other.photo_id is None:
            other.photo_id, photo = photo, None
        session.flush()
        _delete_photo(session, photo)
        _renew_pages(session, row.table_id)


@use_case
def hide_person(*, device: str, person: str, hidden: bool) -> None:
    """Stop offering a person for new games. If `hidden` is False, offer the person again.

    Raises `NoSuchPersonError`.
    """
    with writing() as session:
        _own(session, device, person).hidden = hidden


@use_case
def delete_person(*, device: str, person: str) -> None:
    """Delete a person who has never played, and the people who were merged into that person.

    Raises `NoSuchPersonError`, and `RuleViolation` for a person who has played, because their games need them.
    """
    with writing() as session:
        row = _own(session, device, person)
        if session.scalars(select(PlayerRow.id).where(PlayerRow.home_person_id == row.id).limit(1)).first():
            message = Phrase("%(name)s has played, so you can't delete the name. Hide it instead.", name=row.name)
            raise RuleViolation("person_played", message)
        remove_person(session, row)


def remove_person(session: Session, row: HomePersonRow) -> None:
    """Delete a person, their photo, and the people who were merged into them. Doesn't commit.

    The person must not have a seat in any game.
    """
    photo = row.photo_id
    session.execute(delete(HomePersonRow).where(HomePersonRow.joined_into == row.id))
    session.delete(row)
    session.flush()
    _delete_photo(session, photo)


@use_case
def set_photo(*, device: str, person: str, data: bytes | None) -> None:
    """Set the photo of a person from the uploaded file `data`, or remove the photo if `data` is None.

    Raises `NoSuchPersonError`, and `PhotoRefusedError` if the file is not a photo or is too large.
    """
    # Decoding takes a while, and other writers wait for the transaction.
    square = None if data is None else photo_from(data, side=PHOTO_SIDE, square=True).data
    with writing() as session:
        row = _own(session, device, person)
        before, row.photo_id = row.photo_id, None
        if square is not None:
            photo = HomePhotoRow(public_id=new_public_id(), content_type=KIND, data=square)
            session.add(photo)
            session.flush()
            row.photo_id = photo.id
        session.flush()
        _delete_photo(session, before)
        _renew_pages(session, row.table_id)


def _own(session: Session, device: str, person: str) -> HomePersonRow:
    """Return the row of a person at the phone's current home table, locked. Raises `NoSuchPersonError`."""
    table = current_table(session, device, to_score=True)
    query = select(HomePersonRow).where(
        HomePersonRow.public_id == person, HomePersonRow.table_id == table, HomePersonRow.joined_into.is_(None)
    )
    row = session.scalars(query.with_for_update()).first()
    if row is None:
        raise NoSuchPersonError
    return row


def _rename(session: Session, person: int, name: str) -> None:
    """Change the name of a person to `name` in all of their games, except in league games."""
    own = (PlayerRow.home_person_id == person, PlayerRow.person_id.is_(None))
    rename(session, session.scalars(select(PlayerRow.id).where(*own)).all(), name)


def _renew_pages(session: Session, table: int) -> None:
    hold(session, session.scalars(select(GameRow.id).where(GameRow.home_table_id == table)).all())


def _played_together(session: Session, one: HomePersonRow, other: HomePersonRow) -> bool:
    """Return whether two people have seats in the same game of their home table."""
    query = select(PlayerRow.id, PlayerRow.home_person_id).where(PlayerRow.home_person_id.in_((one.id, other.id)))
    person = dict(session.execute(query).all())
    games = session.scalars(select(GameRow.players).where(GameRow.home_table_id == one.table_id))
    return any({one.id, other.id} <= {person.get(player) for player in players} for players in games)


def _delete_photo(session: Session, photo: int | None) -> None:
    if photo is not None:
        session.execute(delete(HomePhotoRow).where(HomePhotoRow.id == photo))


def _checked(name: str) -> str:
    if not name.strip():
        raise RuleViolation("name_missing", "Enter a name.", field="name")
    try:
        return check_name(name)
    except RuleViolation as violation:
        raise RuleViolation(violation.code, violation.message, field="name") from None


def _name_taken(name: str) -> RuleViolation:
    message = Phrase(
        "There's already a player named %(name)s. If they're the same person, merge the two names.", name=name
    )
    return RuleViolation("name_twice", message, field="name")
