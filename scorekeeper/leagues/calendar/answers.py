"""Save the answers that players give about a planned night, either themselves or through a helper."""

from __future__ import annotations

from datetime import UTC, date, datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.calendar.links import PAGE, holder_of
from scorekeeper.leagues.calendar.replies import NOTE_LENGTH, REPLIES, SUBSTITUTE, GivenAnswer
from scorekeeper.leagues.calendar.service import PLANNED, planned_at
from scorekeeper.leagues.calendar.settings import ScheduleSettings, today_in
from scorekeeper.leagues.core.access import NoSuchLeagueError, person_at, take_charge
from scorekeeper.leagues.core.audit_log import note
from scorekeeper.leagues.core.models import AnswerRow, PersonRow, PlannedRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing


@use_case
def answer(*, person: str, token: str, planned: str, told: GivenAnswer, key: str, now: datetime | None = None) -> None:
    """Save the answer `told` that a player sent from their personal page.

    `person` and `planned` are the public ids of the player and of the planned night. `token` is the token of the
    player's personal link. `key` is the installation's secret key. Raises `NoSuchLeagueError` for a wrong token or a
    night of another league. Raises `RuleViolation` if the answer is invalid or the night can no longer be answered.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        who = holder_of(session, person, token, PAGE, key)
        take_charge(session, who.league_id, None, Role.NOBODY)
        # Read again, now that nothing else changes in the league.
        who = holder_of(session, person, token, PAGE, key)
        if not who.active:
            raise RuleViolation("retired", "You're listed as retired. Tell the desk if you'd like to play again.")
        _save(session, _open_night(session, planned, who, when), who, told, when, by_desk=False)


@use_case
def answer_for(
    *, planned: str, person: str, told: GivenAnswer | None, device: str, now: datetime | None = None
) -> None:
    """Save the answer `told` that a helper enters for a player. If `told` is None, delete the answer.

    `planned` and `person` are the public ids of the planned night and of the player. Raises `NoSuchLeagueError`,
    `NotAllowedError`, or `RuleViolation` if the night can't be answered.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        season = session.get_one(SeasonRow, planned_at(session, planned).season_id)
        league = take_charge(session, season.league_id, device, Role.HELPER)
        who = person_at(session, person)
        if who.merged_into is not None:
            raise NoSuchLeagueError
        row = _open_night(session, planned, who, when)
        if told is None:
            session.execute(delete(AnswerRow).where(AnswerRow.planned_id == row.id, AnswerRow.person_id == who.id))
        else:
            _save(session, row, who, told, when, by_desk=True)
        # Everyone may read the history, but only helpers may read answers.
        day = row.day.isoformat()
        note(session, league, "answer_set", device=device, now=when, person=who.public_id, day=day)


def carry_over(session: Session, gone: PersonRow, kept: PersonRow) -> None:
    """Move the answers of `gone` to `kept`, because the person `gone` is merged into `kept`.

    If both people answered for the same night, the answer of `kept` stays. If another player named `gone` as their
    substitute, `kept` becomes the substitute.
    """
    answered = select(AnswerRow.planned_id).where(AnswerRow.person_id == kept.id)
    session.execute(delete(AnswerRow).where(AnswerRow.person_id == gone.id, AnswerRow.planned_id.in_(answered)))
    for column in (AnswerRow.person_id, AnswerRow.sub_id):
        session.execute(update(AnswerRow).where(column == gone.id).values({column.key: kept.id}))
    # Nobody plays for themselves.
    session.execute(
        update(AnswerRow).where(AnswerRow.person_id == kept.id, AnswerRow.sub_id == kept.id).values(sub_id=None)
    )


def forget(session: Session, people: list[int]) -> None:
    """Delete the answers of these people (row ids). In other people's answers, delete these people as substitutes."""
    session.execute(delete(AnswerRow).where(AnswerRow.person_id.in_(people)))
    session.execute(update(AnswerRow).where(AnswerRow.sub_id.in_(people)).values(sub_id=None))


def is_open(row: PlannedRow, today: date) -> bool:
    """Return whether players can still answer for a planned night.

    They can if the night is not before `today` and was not canceled, deleted or opened.
    """
    return row.state == PLANNED and row.night_id is None and row.day >= today


def _open_night(session: Session, planned: str, who: PersonRow, now: datetime) -> PlannedRow:
    row = planned_at(session, planned)
    season = session.get_one(SeasonRow, row.season_id)
    if season.league_id != who.league_id:
        raise NoSuchLeagueError
    session.refresh(row)
    if row.night_id is not None:
        raise RuleViolation("night_open", "This night has started. Tell the desk instead.")
    if not is_open(row, today_in(ScheduleSettings.from_json(season.schedule).zone, now)):
        raise RuleViolation("night_off", "This night is canceled or over. Nothing was saved.")
    return row


def _save(
    session: Session, planned: PlannedRow, who: PersonRow, told: GivenAnswer, now: datetime, *, by_desk: bool
) -> None:
    if told.says not in REPLIES:
        raise RuleViolation("says", "Choose an answer.", field="says")
    said = told.note.strip()
    if len(said) > NOTE_LENGTH:
        raise RuleViolation("note_long", Phrase("Use at most %(most)s characters.", most=NOTE_LENGTH), field="note")
    sub = _substitute(session, who, told)
    query = select(AnswerRow).where(AnswerRow.planned_id == planned.id, AnswerRow.person_id == who.id)
    row = session.scalars(query).first()
    if row is None:
        row = AnswerRow(planned_id=planned.id, person_id=who.id)
        session.add(row)
    row.says, row.sub_id, row.note, row.by_desk, row.at = told.says, sub, said, by_desk, now


def _substitute(session: Session, who: PersonRow, told: GivenAnswer) -> int | None:
    """Return the row id of the substitute named in an answer, or None if nobody is named or no substitute is needed.

    Raises `RuleViolation` if no other player of the league has that name.
    """
    wanted = told.sub.strip().casefold()
    if told.says != SUBSTITUTE or not wanted:
        return None
    query = select(PersonRow).where(PersonRow.league_id == who.league_id, PersonRow.merged_into.is_(None))
    found = [row.id for row in session.scalars(query) if row.name.casefold() == wanted and row.id != who.id]
    if not found:
        message = Phrase("There's no other player named %(name)s in this league.", name=told.sub.strip()[:40])
        raise RuleViolation("sub", message, field="sub")
    return found[0]
