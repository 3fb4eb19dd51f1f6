"""Personal links. With them, players without an account answer whether they will come and subscribe to a calendar.

The token in a link is derived from the secret key, the person, and the number of links made for the person. So no token
is stored, and a link can be shown and printed again until it is revoked. The calendar has a separate token.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.leagues.core.access import (
    NoSuchLeagueError,
    league_at,
    person_at,
    same_word,
    take_charge,
    token_word_of,
)
from scorekeeper.leagues.core.models import LeagueRow, PersonalLinkRow, PersonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import note
from scorekeeper.web.extensions import writing

Purpose = Literal["personal page", "personal calendar"]
PAGE: Purpose = "personal page"
CALENDAR: Purpose = "personal calendar"


def token_of(person: PersonRow, link: PersonalLinkRow, purpose: Purpose, key: str) -> str:
    """Return the token of a person's page or calendar. `key` is the installation's secret key.

    `purpose` says whether the token is for the page or for the calendar.
    """
    return token_word_of(purpose, person.public_id, link.serial, key=key)


def holder_of(session: Session, person: str, token: str, purpose: Purpose, key: str) -> PersonRow:
    """Return the person with the public id `person` after checking `token`, which must be that person's token.

    `purpose` says whether the token is for the page or for the calendar. `key` is the installation's secret key. For a
    person who was merged into another person, that other person is returned. Raises `NoSuchLeagueError` for a wrong or
    revoked token.
    """
    row = person_at(session, person)
    link = session.get(PersonalLinkRow, row.id)
    if link is None or not link.active or not same_word(token, token_of(row, link, purpose, key)):
        raise NoSuchLeagueError
    return row if row.merged_into is None else session.get_one(PersonRow, row.merged_into)


def calendar_token(session: Session, person: str, key: str) -> str:
    """Return the token of a person's calendar. `person` is a public id, and `key` is the installation's secret key.

    The person must have a personal link.
    """
    row = person_at(session, person)
    return token_of(row, session.get_one(PersonalLinkRow, row.id), CALENDAR, key)


@use_case
def make_links(*, league: str, people: Sequence[str], device: str, now: datetime | None = None) -> None:
    """Make personal links for those of `people` (public ids) who have none.

    If `people` is empty, links are made for all active players who have none. Raises `NoSuchLeagueError` or
    `NotAllowedError`.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.DIRECTOR)
        made = []
        for person in _people(session, row, people):
            link = session.get(PersonalLinkRow, person.id)
            if link is None:
                session.add(PersonalLinkRow(person_id=person.id, serial=1, active=True, made_at=when))
            elif link.active:
                continue
            else:
                link.serial, link.active, link.made_at = link.serial + 1, True, when
            made.append(person.public_id)
        if made:
            note(session, row, "links_made", device=device, now=when, people=made)


@use_case
def revoke_links(*, league: str, people: Sequence[str], device: str, now: datetime | None = None) -> None:
    """Revoke the personal links of these people (public ids), or of everybody in the league if `people` is empty.

    Everybody includes retired players, because their links still work. Raises what `make_links` raises.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.DIRECTOR)
        meant = _people(session, row, people, retired=True)
        gone = [person.public_id for person in meant if switch_off(session, person)]
        if gone:
            note(session, row, "links_revoked", device=device, now=when, people=gone)


def switch_off(session: Session, person: PersonRow) -> bool:
    """Revoke the personal links of a person, and return whether a link was active.

    Links of people who were merged into the person are revoked, too.
    """
    own = select(PersonRow.id).where(or_(PersonRow.id == person.id, PersonRow.merged_into == person.id))
    links = session.scalars(
        select(PersonalLinkRow).where(PersonalLinkRow.person_id.in_(own), PersonalLinkRow.active)
    ).all()
    for link in links:
        link.active = False
    return bool(links)


def _people(session: Session, league: LeagueRow, wanted: Sequence[str], *, retired: bool = False) -> list[PersonRow]:
    """Return the people with the public ids `wanted`. If `wanted` is empty, return all active players of the league.

    If `wanted` is empty and `retired` is true, also return the retired players. Raises `NoSuchLeagueError` if a person
    isn't in the league or was merged into another person.
    """
    if not wanted:
        query = select(PersonRow).where(PersonRow.league_id == league.id, PersonRow.merged_into.is_(None))
        if not retired:
            query = query.where(PersonRow.active)
        return list(session.scalars(query.order_by(PersonRow.id)))
    rows = [person_at(session, person) for person in dict.fromkeys(wanted)]
    if any(row.league_id != league.id or row.merged_into is not None for row in rows):
        raise NoSuchLeagueError
    return rows
