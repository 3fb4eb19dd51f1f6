"""Substitutes of a night. A regular has one seat per round, played by them or by their substitute.

A substitute takes the regular's places in the coming rounds and the regular's fixed partners, and gives them back.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.models import LeagueEventRow, PersonRow, PresentRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk, people_at, present_row, seats_of
from scorekeeper.leagues.nights.places import give_places
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

INVALID_SUBSTITUTE = Phrase("The substitute must be here, and the regular must be away.")


@use_case
def set_sub(*, night: str, person: str, regular: str | None, device: str, now: datetime | None = None) -> None:
    """Set which regular a substitute plays for that night. If `regular` is None, the substitute plays for themselves.

    The change also applies to the tables that the substitute has finished, but not to rounds in which the regular or an
    earlier substitute had the regular's seat. In rounds that haven't started, the substitute gets the regular's places
    and partners, and nobody else moves (`give_places`). Raises what `at_desk` raises. Raises `RuleViolation` if the
    substitute isn't checked in, if the regular is checked in, or if another substitute plays for the regular.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        (who,) = people_at(desk, [person])
        set_sub_there(desk, who, None if regular is None else people_at(desk, [regular])[0])


def set_sub_there(desk: Desk, who: PersonRow, other: PersonRow | None) -> None:
    """Let the substitute `who` play for the regular `other`. If `other` is None, the substitute plays for themselves.

    Runs in the transaction of `desk`. Raises `RuleViolation` as `set_sub` does.
    """
    row = present_row(desk, who.id)
    if row is None or (other is not None and other.id == who.id):
        raise RuleViolation("sub", INVALID_SUBSTITUTE, field="regular")
    seats = seats_of(desk, who)
    if other is not None:
        seats = seats.where(TableRow.round > _played_until(desk, row, other))
    before = None if row.sub_for is None else desk.session.get_one(PersonRow, row.sub_for).public_id
    if other is not None and other.id != row.sub_for:
        return_places(desk, row)
    row.sub_for = None if other is None else other.id
    for seat in desk.session.scalars(seats):
        seat.sub_for = row.sub_for
    after = None if other is None else other.public_id
    desk.note("sub_set", person=who.public_id, regular=after, before=before)
    if other is not None:
        # An earlier substitute who has left may have the regular's places.
        earlier = (desk.session.get_one(PersonRow, each.person_id) for each in _check_ins_of(desk, other.id, row))
        for each in dict.fromkeys((*earlier, other)):
            give_places(desk, each, who)


def return_places(desk: Desk, row: PresentRow) -> None:
    """Give the coming places and partners of a substitute, whose check-in is `row`, back to a regular who had left."""
    if row.sub_for is not None:
        sub, regular = (desk.session.get_one(PersonRow, person) for person in (row.person_id, row.sub_for))
        left = select(LeagueEventRow.data).where(
            LeagueEventRow.night_id == desk.night.id, LeagueEventRow.kind == "checked_out"
        )
        # Nobody who comes late for the first time takes a seat that was never theirs.
        if any(data.get("person") == regular.public_id for data in desk.session.scalars(left)):
            give_places(desk, sub, regular)


def end_substitution_for(desk: Desk, person: PersonRow, from_round: int) -> None:
    """End the substitution for a regular who was just checked in, from round `from_round` on.

    A regular who had left gets their places and partners back.
    """
    substitutes = select(PresentRow).where(PresentRow.night_id == desk.night.id, PresentRow.sub_for == person.id)
    for row in desk.session.scalars(substitutes).all():
        return_places(desk, row)
        _end_substitution(desk, row, from_round)


def end_if_seat_taken(desk: Desk, row: PresentRow, from_round: int) -> None:
    """End the substitution of a person who is checked in again, if someone else now has the regular's seat.

    `row` is the check-in of that person. They play for themselves from round `from_round` on.
    """
    if row.sub_for is not None and any(each.to_round is None for each in _check_ins_of(desk, row.sub_for, row)):
        _end_substitution(desk, row, from_round)


def regular_of(desk: Desk, person: int, round_number: int) -> int | None:
    """Return the id of the regular for whom a person (id) plays in a round; None if they aren't substituting."""
    row = present_row(desk, person)
    if row is None or row.sub_for is None:
        return None
    before = (each.to_round or 0 for each in _check_ins_of(desk, row.sub_for, row))
    return row.sub_for if round_number > max(before, default=0) else None


def _end_substitution(desk: Desk, row: PresentRow, from_round: int) -> None:
    """End the substitution of the check-in `row`, from round `from_round` on."""
    sub, regular = (desk.session.get_one(PersonRow, person) for person in (row.person_id, row.sub_for))
    row.sub_for = None
    for seat in desk.session.scalars(seats_of(desk, sub).where(TableRow.round >= from_round)):
        seat.sub_for = None
    desk.note("sub_set", person=sub.public_id, regular=None, before=regular.public_id)


def _check_ins_of(desk: Desk, regular: int, but: PresentRow) -> Sequence[PresentRow]:
    """Return check-ins of a regular (id) and their substitutes on the night of `desk`, except the check-in `but`."""
    query = select(PresentRow).where(
        PresentRow.night_id == desk.night.id,
        PresentRow.id != but.id,
        (PresentRow.person_id == regular) | (PresentRow.sub_for == regular),
    )
    return desk.session.scalars(query).all()


def _played_until(desk: Desk, row: PresentRow, regular: PersonRow) -> int:
    """Return the last round in which someone else had the regular's seat; 0 if nobody else had it.

    `row` is the check-in of the new substitute. Raises `RuleViolation` if someone else still has the seat.
    """
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
