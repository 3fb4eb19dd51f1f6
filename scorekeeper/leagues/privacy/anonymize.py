"""Make a player anonymous: remove the name from the database, and keep results, standings and money."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.append_only import opened
from scorekeeper.db.retry import use_case
from scorekeeper.games.store.models import EventRow
from scorekeeper.games.store.redaction import hold, rename, with_company
from scorekeeper.leagues.calendar.answers import forget
from scorekeeper.leagues.calendar.links import switch_off
from scorekeeper.leagues.core.access import person_at, take_charge
from scorekeeper.leagues.core.audit_log import note, request_key, told_before
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueTextRow, PersonRow, SeatRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.privacy.name_history import Called, called
from scorekeeper.leagues.privacy.redaction import ANONYMOUS, Renaming, anonymous_name
from scorekeeper.leagues.privacy.text_fields import Text, texts_of
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing

KIND = "made_anonymous"
"""Kind of the log line about making a player anonymous."""


def is_anonymous(session: Session, person: PersonRow) -> bool:
    """Return True if a person was made anonymous and has not been renamed since."""
    if not ANONYMOUS.fullmatch(person.name) or person.nickname:
        return False
    query = select(LeagueEventRow.data).where(LeagueEventRow.league_id == person.league_id, LeagueEventRow.kind == KIND)
    return any(data.get("person") == person.public_id for data in session.scalars(query))


def planned(session: Session, person: PersonRow) -> tuple[Called, Renaming]:
    """Return all names of a person, and the `Renaming` by which an anonymous name would replace them.

    The person must not be merged into another.
    """
    taken = session.scalars(select(PersonRow.name).where(PersonRow.league_id == person.league_id)).all()
    told = called(session, person)
    return told, Renaming(told.names, anonymous_name(taken), told.others)


@use_case
def make_anonymous(
    *, person: str, reason: str, device: str, tap: str, titles: bool = True, now: datetime | None = None
) -> str:
    """Remove the names of a person (public id) everywhere in the league, and return the person's new name.

    The names of people merged into that person are removed too. With `titles`, the names are also removed from titles
    (`Text.title`), such as the names of seasons and teams. `tap` is the id of the form. A second call changes nothing
    and returns the same name.

    Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` if `reason` is blank.
    """
    with writing() as session:
        row = person_at(session, person)
        league = take_charge(session, row.league_id, device, Role.OWNER, even_off=True)
        session.refresh(row)
        if row.merged_into is not None:
            row = session.get_one(PersonRow, row.merged_into)
        key = request_key(KIND, tap)
        if told_before(session, league, key) is not None or is_anonymous(session, row):
            return row.name
        if not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for the league history.", field="reason")
        # Lock the games, because a table may be renaming a player at this moment.
        seated = _games_of(session, row)
        hold(session, seated)
        told, renaming = planned(session, row)
        hold(session, with_company(session, (), told.players) - seated)
        rename(session, told.players, renaming.to)
        texts = [text for text in texts_of(session, row.league_id, told, renaming) if titles or not text.title]
        for each in told.people:
            each.name, each.nickname, each.notes, each.active = renaming.to, "", "", False
        forget(session, [each.id for each in told.people])
        switch_off(session, row)
        session.flush()
        _write(session, told, renaming.to, texts)
        why, when = renaming.in_text(reason.strip()), now or datetime.now(UTC)
        note(session, league, KIND, device=device, now=when, reason=why, key=key, person=row.public_id)
        return renaming.to


def _games_of(session: Session, person: PersonRow) -> set[int]:
    ids = select(PersonRow.id).where((PersonRow.id == person.id) | (PersonRow.merged_into == person.id))
    query = (
        select(TableRow.game_id)
        .join(SeatRow, SeatRow.table_id == TableRow.id)
        .where(SeatRow.person_id.in_(ids), TableRow.game_id.is_not(None))
    )
    return {game for game in session.scalars(query) if game is not None}


def _write(session: Session, told: Called, to: str, texts: Sequence[Text]) -> None:
    """Replace every former name of a person in the league's log with `to`, and save the reworded `texts`.

    `told` has the person's former names. In `texts`, the names have already been replaced.
    """
    own = [person.id for person in told.people]
    for row in session.scalars(select(LeagueTextRow).where(LeagueTextRow.person_id.in_(own))):
        row.text = "…" if row.key.startswith("nickname") else to
    adjusted = any(text.model is EventRow for text in texts)
    with opened(session, EventRow.__tablename__) if adjusted else nullcontext():
        for text in texts:
            text.write(session)
