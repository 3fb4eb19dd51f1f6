"""Substitutes of a night. A regular has one seat per round, played by them or by their substitute."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.models import PersonRow, PresentRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk, people_at, present_row, seats_of
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

INVALID_SUBSTITUTE = Phrase("The substitute must be here, and the regular must be away.")


@use_case
def set_sub(*, night: str, person: str, regular: str | None, device: str, now: datetime | None = None) -> None:
    """Set the regular that a substitute plays for that night, or None if they play for themselves.

    It applies to all of the substitute's tables that night, finished ones too, except rounds up to the last one that
    the regular or an earlier substitute attended. Raises what `at_desk` raises, and `RuleViolation` if the regular or
    another substitute of theirs is checked in.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        (who,) = people_at(desk, [person])
        set_sub_there(desk, who, None if regular is None else people_at(desk, [regular])[0])


def set_sub_there(desk: Desk, who: PersonRow, other: PersonRow | None) -> None:
    """Set the regular whom the substitute `who` plays for, in the transaction of `desk`.

    Raises `RuleViolation` as `set_sub` does.
    """
    row = present_row(desk, who.id)
    if row is None or (other is not None and other.id == who.id):
        raise RuleViolation("sub", INVALID_SUBSTITUTE, field="regular")
    seats = seats_of(desk, who)
    if other is not None:
        seats = seats.where(TableRow.round > _played_until(desk, row, other))
    before = None if row.sub_for is None else desk.session.get_one(PersonRow, row.sub_for).public_id
    row.sub_for = None if other is None else other.id
    for seat in desk.session.scalars(seats):
        seat.sub_for = row.sub_for
    after = None if other is None else other.public_id
    desk.note("sub_set", person=who.public_id, regular=after, before=before)


def end_substitution_for(desk: Desk, person: PersonRow, from_round: int) -> None:
    """End any substitution for this person, who was just checked in, from this round on."""
    substitutes = select(PresentRow).where(PresentRow.night_id == desk.night.id, PresentRow.sub_for == person.id)
    for row in desk.session.scalars(substitutes).all():
        _end_substitution(desk, row, from_round)


def end_if_seat_taken(desk: Desk, row: PresentRow, from_round: int) -> None:
    """Let a returning substitute play for themselves if the regular's seat has since been taken."""
    if row.sub_for is not None and any(each.to_round is None for each in _check_ins_of(desk, row.sub_for, row)):
        _end_substitution(desk, row, from_round)


def regular_of(desk: Desk, person: int, round_number: int) -> int | None:
    """Return the id of the regular that a person (their id) plays for in a round, or None."""
    row = present_row(desk, person)
    if row is None or row.sub_for is None:
        return None
    before = (each.to_round or 0 for each in _check_ins_of(desk, row.sub_for, row))
    return row.sub_for if round_number > max(before, default=0) else None


def _end_substitution(desk: Desk, row: PresentRow, from_round: int) -> None:
    """End a substitution from this round on."""
    sub, regular = (desk.session.get_one(PersonRow, person) for person in (row.person_id, row.sub_for))
    row.sub_for = None
    for seat in desk.session.scalars(seats_of(desk, sub).where(TableRow.round >= from_round)):
        seat.sub_for = None
    desk.note("sub_set", person=sub.public_id, regular=None, before=regular.public_id)


def _check_ins_of(desk: Desk, regular: int, but: PresentRow) -> Sequence[PresentRow]:
    """Return the check-ins of a regular (their id) and their substitutes that night, except `but`."""
    query = select(PresentRow).where(
        PresentRow.night_id == desk.night.id,
        PresentRow.id != but.id,
        (PresentRow.person_id == regular) | (PresentRow.sub_for == regular),
    )
    return desk.session.scalars(query).all()


def _played_until(desk: Desk, row: PresentRow, regular: PersonRow) -> int:
    """Return the last round in which someone else had the regular's seat, or 0. Raises if someone still has it."""
    rounds = [0]
    for each in _check_ins_of(desk, regular.id, row):
        if each.to_round is None and each.person_id == regular.id:
            raise RuleViolation("sub", INVALID_SUBSTITUTE, field="regular")
        if each.to_round is None:
            name = desk.session.get_one(PersonRow, each.person_id).name
            message = Phrase("%(name)s already plays for %(regular)s.", name=name, regular=regular.name)
            raise RuleViolation("sub", message, field="regular")
        rounds.append(each.to_round)
    return max(rounds)
