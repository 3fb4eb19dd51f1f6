"""Check the color and the emoji that are shown beside a person's name.

Compare people's names, and find the people of a home table by name.

Find or make a phone's home table and its people, in the caller's transaction.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from msgspec import Struct, structs
from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.tokens import new_public_id
from scorekeeper.people.models import HomePersonRow, HomePhoneRow, HomeTableRow
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import tidy_name
from scorekeeper.web.text import likely_names

COLORS: Mapping[str, Phrase] = {
    "red": Phrase("Red"),
    "orange": Phrase("Orange"),
    "yellow": Phrase("Yellow"),
    "green": Phrase("Green"),
    "teal": Phrase("Teal"),
    "blue": Phrase("Blue"),
    "purple": Phrase("Purple"),
    "pink": Phrase("Pink"),
    "brown": Phrase("Brown"),
    "gray": Phrase("Gray"),
}
"""Maps the key of each color to its name. `static/css/games/faces.css` has a class `tint-<key>` for each color."""

LONGEST_EMOJI = 16
"""Most code points of an emoji. An emoji that shows a family of four has eleven."""
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_JOINER, _AS_EMOJI = "\u200d", "\ufe0f"
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff]")
_TAGS = re.compile("[\U000e0020-\U000e007f]+")


class PersonLook(Struct, frozen=True):
    """The look of a person.

    `color` is a key of `COLORS`, and `photo` is the public id of a photo. Each field is "" if the person has none.
    """

    color: str = ""
    emoji: str = ""
    photo: str = ""


def check_color(key: str) -> str:
    """Return `key` if it is a key of `COLORS` or empty. Otherwise, raise `RuleViolation`."""
    if key and key not in COLORS:
        raise RuleViolation("color", "Choose one of the colors.", field="color")
    return key


def check_emoji(text: str) -> str:
    """Return `text` without surrounding spaces if it is a single emoji or empty. Otherwise, raise `RuleViolation`."""
    trimmed = text.strip()
    if trimmed and (len(trimmed) > LONGEST_EMOJI or not _is_emoji(trimmed)):
        raise RuleViolation("emoji", "Enter one emoji, or leave the field empty.", field="emoji")
    return trimmed


def _is_emoji(text: str) -> bool:
    """Return whether `text` is a single emoji: a flag, a symbol, or several symbols joined into one picture."""
    if _FLAG.fullmatch(text):
        return True
    pictures = _TAGS.sub("", _SKIN.sub("", text.replace(_AS_EMOJI, ""))).split(_JOINER)
    return all(
        len(picture) == 1 and unicodedata.category(picture) == "So" and not _FLAG.match(picture * 2)
        for picture in pictures
    )


class KnownPerson(Struct, frozen=True):
    """A person of a home table."""

    id: int
    name: str
    joined_into: int | None = None
    """Id of the person whom this person was merged into; None if not merged. It is never the id of a merged person."""
    hidden: bool = False


def folded(text: str) -> str:
    """Return `text` in a form for comparing names, without differences in case, spaces or how accents are stored."""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", tidy_name(text)).casefold())


def is_called(name: str, names: Sequence[str]) -> bool:
    """Return whether `name` is in `names`. Differences in case or in how accents are stored don't count."""
    return folded(name) in map(folded, names)


def look_alike(
    names: Sequence[str], people: Sequence[KnownPerson], sure: Collection[str] = ()
) -> tuple[int, str] | None:
    """Return the place in `names` of a new name that looks like a person's name, and that person's name; None if none.

    `sure` has new names that are someone else for certain. People who are in `names` themselves can't be meant.
    """
    told, everybody = set(map(folded, names)), {folded(person.name) for person in people}
    others = [person.name for person in people if not (person.hidden or person.joined_into)]
    others = [name for name in others if folded(name) not in told]
    for place, name in enumerate(names):
        if folded(name) in everybody or is_called(name, list(sure)):
            continue
        if likely := likely_names([name], others)[name]:
            return place, likely[0]
    return None


def match(names: Sequence[str], people: Sequence[KnownPerson], seated: Collection[int] = ()) -> tuple[int | None, ...]:
    """Return the id of the person for each of `names`, or None for a new name. No id is returned twice.

    The name of a merged person finds the person they were merged into, unless that person's own name is also in
    `names`. `seated` has the ids of people who already have a seat, and these ids are never returned.
    """
    found: list[int | None] = [None] * len(names)
    for merged in (False, True):
        for seat, name in enumerate(names):
            meant = (
                person.joined_into or person.id
                for person in people
                if (person.joined_into is not None) == merged and folded(person.name) == folded(name)
            )
            if found[seat] is None:
                found[seat] = next((person for person in meant if person not in found and person not in seated), None)
    return tuple(found)


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
        by_id |= {person: structs.replace(by_id[person], hidden=False) for person in back}
    new = iter(added)
    return tuple(
        by_id[person] if person is not None else KnownPerson((row := next(new)).id, row.name) for person in found
    )
