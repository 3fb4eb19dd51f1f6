"""Find the person with a given name in a league.

Add, change and merge the players of a league. Each use case is one transaction.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.store.access import acquaintance
from scorekeeper.leagues.calendar.service import carry_over
from scorekeeper.leagues.core.access import league_at, person_at, take_charge
from scorekeeper.leagues.core.models import LeagueRow, PersonRow, PresentRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import carry_nights_over, note
from scorekeeper.leagues.teams.service import carry_teams_over
from scorekeeper.people.tables import folded
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import check_name, tidy_name
from scorekeeper.web.extensions import writing
from scorekeeper.web.text import likely_names


@acquaintance
def person_called(session: Session, beside: Sequence[int], name: str) -> int | None:
    """Return the row id of the person with this name or nickname; None if nobody or more than one person has it.

    `beside` has the row ids of people at the same table. Only their league is searched.
    """
    leagues = select(PersonRow.league_id).where(PersonRow.id.in_(beside))
    rows = session.scalars(select(PersonRow).where(PersonRow.league_id.in_(leagues)))
    meant = {row.merged_into or row.id for row in rows if folded(name) in (folded(row.name), folded(row.nickname))}
    return meant.pop() if len(meant) == 1 else None


NOTES_LENGTH = 500
MOST_PEOPLE = 1_000
"""Most people of a league."""


class PersonData(Struct, frozen=True, kw_only=True):
    """The details of a player that an owner can change."""

    name: str
    nickname: str = ""
    guest: bool = False
    active: bool = True
    notes: str = ""


@use_case
def add_people(
    *,
    league: str,
    people: Sequence[PersonData],
    device: str,
    imported: bool = False,
    now: datetime | None = None,
) -> tuple[str, ...]:
    """Add all these people to the league (public id), and return their public ids in the same order.

    With `imported`, the people are marked as one import, which can be removed again as a whole.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` if the league would be too large, or if a
    name is invalid or taken. If the data of one person is wrong, the attribute `hand` of the error is the index of
    that person in `people`. After an error, nobody is added.
    """
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        more = {"brought_in": new_public_id()} if imported else {}
        added = write_down(session, row, people, device=device, now=now or datetime.now(UTC), **more)
        return tuple(person.public_id for person in added)


def write_down(
    session: Session, league: LeagueRow, people: Sequence[PersonData], *, device: str, now: datetime, **more: Any
) -> list[PersonRow]:
    """Add people in the caller's transaction and return their rows. `more` is added to the data of the log entry.

    Raises `RuleViolation` as `add_people` does.
    """
    taken = _names(session, league)
    if len(taken) + len(people) > MOST_PEOPLE:
        raise RuleViolation("people", Phrase("A league can have at most %(most)s players.", most=MOST_PEOPLE))
    added = []
    for index, told in enumerate(people):
        checked = _checked(told, taken, index)
        taken[checked.name.casefold()] = checked.name
        person = _row(league, checked)
        session.add(person)
        added.append(person)
    if added:
        session.flush()
        ids = [person.public_id for person in added]
        note(session, league, "people_added", device=device, now=now, people=ids, **more)
    return added


def refuse_alike(names: Sequence[str], known: Sequence[str]) -> None:
    """Raise `RuleViolation` if a new name looks like a known one, so that nobody is in the league twice."""
    for name, likely in likely_names(names, known).items():
        if likely:
            message = Phrase(
                "“%(name)s” looks like %(known)s, who is already in this league. If it's someone else, say so below.",
                name=name[:60],
                known=likely[0],
            )
            raise RuleViolation("name_alike", message, field="name")


@use_case
def change_person(*, person: str, told: PersonData, device: str, now: datetime | None = None) -> None:
    """Change the details of a person (public id) to `told`. Raises what `add_people` raises."""
    with writing() as session:
        row = person_at(session, person)
        league = take_charge(session, row.league_id, device, Role.OWNER)
        session.refresh(row)
        taken = _names(session, league)
        taken.pop(tidy_name(row.name).casefold(), None)
        checked = _checked(told, taken, None)
        before = {key: getattr(row, key) for key in PersonData.__struct_fields__}
        after = {key: getattr(checked, key) for key in before}
        changed = {key: value for key, value in after.items() if value != before[key]}
        if not changed:
            return
        for key, value in changed.items():
            setattr(row, key, value)
        # Everyone may read the history, but only owners may read notes.
        told_of = {key: [before[key], value] for key, value in changed.items() if key != "notes"}
        texts = {
            f"{key}.{place}": told_of[key][at]
            for key in ("name", "nickname")
            if key in told_of
            for at, place in enumerate(("before", "after"))
        }
        note(
            session,
            league,
            "person_changed",
            device=device,
            now=now or datetime.now(UTC),
            texts=texts,
            renamed=row,
            person=row.public_id,
            changed={key: None if isinstance(pair[0], str) else pair for key, pair in told_of.items()},
        )


@use_case
def merge_people(*, person: str, into: str, device: str, now: datetime | None = None) -> None:
    """Merge `person` into the person `into` (public ids). From then on, all games of `person` count for `into`.

    Raises `RuleViolation` if one of the two was merged before, if they are in different leagues, or if both were
    checked in on the same night. Also raises what `add_people` raises.
    """
    with writing() as session:
        gone, kept = person_at(session, person), person_at(session, into)
        league = take_charge(session, gone.league_id, device, Role.OWNER)
        session.refresh(gone)
        session.refresh(kept)
        if gone.id == kept.id or kept.league_id != league.id or gone.merged_into or kept.merged_into:
            raise RuleViolation("merge", "Choose another player in this league.", field="into")
        if _nights(session, gone) & _nights(session, kept):
            message = Phrase(
                "%(one)s and %(other)s were there on the same night, so they can't be the same player.",
                one=gone.name,
                other=kept.name,
            )
            raise RuleViolation("merge_same_night", message, field="into")
        gone.merged_into = kept.id
        for earlier in session.scalars(select(PersonRow).where(PersonRow.merged_into == gone.id)):
            earlier.merged_into = kept.id
        carry_over(session, gone, kept)
        carry_teams_over(session, gone, kept)
        carry_nights_over(session, league.id)
        when = now or datetime.now(UTC)
        note(session, league, "people_merged", device=device, now=when, gone=gone.public_id, kept=kept.public_id)


def all_of(session: Session, person: PersonRow) -> list[int]:
    """Return the row id of a person, followed by the row ids of all people merged into them."""
    return [person.id, *session.scalars(select(PersonRow.id).where(PersonRow.merged_into == person.id))]


def _nights(session: Session, person: PersonRow) -> set[int]:
    query = select(PresentRow.night_id).where(PresentRow.person_id.in_(all_of(session, person)))
    return set(session.scalars(query))


def _names(session: Session, league: LeagueRow) -> dict[str, str]:
    """Return the names in use in a league, each under its case-folded form."""
    query = select(PersonRow.name).where(PersonRow.league_id == league.id, PersonRow.merged_into.is_(None))
    return {tidy_name(name).casefold(): name for name in session.scalars(query)}


def _checked(told: PersonData, taken: dict[str, str], index: int | None) -> PersonData:
    name = _named(told.name, "name", index)
    nickname = _named(told.nickname, "nickname", index) if told.nickname.strip() else ""
    if name.casefold() in taken:
        message = Phrase("%(name)s is already in this league. Add an initial.", name=taken[name.casefold()])
        raise RuleViolation("name_twice", message, field="name", hand=index)
    notes = told.notes.strip()
    if len(notes) > NOTES_LENGTH:
        message = Phrase("Notes can have at most %(most)s characters.", most=NOTES_LENGTH)
        raise RuleViolation("notes_long", message, field="notes", hand=index)
    return PersonData(name=name, nickname=nickname, guest=told.guest, active=told.active, notes=notes)


def _named(name: str, field: str, index: int | None) -> str:
    try:
        return check_name(name)
    except RuleViolation as violation:
        missing = violation.code == "name_missing"
        message = "A player needs a name." if missing else violation.message
        raise RuleViolation(violation.code, message, field=field, hand=index) from None


def _row(league: LeagueRow, told: PersonData) -> PersonRow:
    return PersonRow(
        league_id=league.id,
        public_id=new_public_id(),
        name=told.name,
        nickname=told.nickname,
        active=told.active,
        guest=told.guest,
        notes=told.notes,
    )
