"""Who plays for whom on a night: a regular has one chair a round, and it goes where their substitute goes."""

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

NO_SUB = Phrase("The substitute must be here, and the regular must be away.")


@use_case
def set_sub(*, night: str, person: str, regular: str | None, device: str, now: datetime | None = None) -> None:
    """Say for whom somebody plays that night, or with None that they play for themselves. Raises as `at_desk` does.

    It holds for every table of the night where they sit, also those that were played; but for those up to the last
    round of the regular, or of somebody who stood in before and left. Also raises `RuleViolation` where the regular is
    there, or somebody who stands in for them.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        (who,) = people_at(desk, [person])
        other = None if regular is None else people_at(desk, [regular])[0]
        row = present_row(desk, who.id)
        if row is None or (other is not None and other.id == who.id):
            raise RuleViolation("sub", NO_SUB, field="regular")
        seats = seats_of(desk, who)
        if other is not None:
            seats = seats.where(TableRow.round > _played_until(desk, row, other))
        before = None if row.sub_for is None else desk.session.get_one(PersonRow, row.sub_for).public_id
        row.sub_for = None if other is None else other.id
        for seat in desk.session.scalars(seats):
            seat.sub_for = row.sub_for
        after = None if other is None else other.public_id
        desk.note("sub_set", person=who.public_id, regular=after, before=before)


def relieve(desk: Desk, person: PersonRow, from_round: int) -> None:
    """Let nobody play for somebody who is there themselves; the rounds before stay as they were played."""
    stood_in = select(PresentRow).where(PresentRow.night_id == desk.night.id, PresentRow.sub_for == person.id)
    for row in desk.session.scalars(stood_in).all():
        _stand_up(desk, row, from_round)


def give_way(desk: Desk, row: PresentRow, from_round: int) -> None:
    """Let a substitute who comes back play for themselves where the regular's chair was taken meanwhile."""
    if row.sub_for is not None and any(each.to_round is None for each in _chair(desk, row.sub_for, row)):
        _stand_up(desk, row, from_round)


def stands_in(desk: Desk, person: int, round_number: int) -> int | None:
    """For whom somebody plays in a round, as `set_sub` has it; people are ids."""
    row = present_row(desk, person)
    if row is None or row.sub_for is None:
        return None
    before = (each.to_round or 0 for each in _chair(desk, row.sub_for, row))
    return row.sub_for if round_number > max(before, default=0) else None


def _stand_up(desk: Desk, row: PresentRow, from_round: int) -> None:
    """Let a substitute play for themselves from this round on."""
    sub, regular = (desk.session.get_one(PersonRow, person) for person in (row.person_id, row.sub_for))
    row.sub_for = None
    for seat in desk.session.scalars(seats_of(desk, sub).where(TableRow.round >= from_round)):
        seat.sub_for = None
    desk.note("sub_set", person=sub.public_id, regular=None, before=regular.public_id)


def _chair(desk: Desk, regular: int, but: PresentRow) -> Sequence[PresentRow]:
    """Who was in a regular's chair this night, the regular and those who stood in, `but` for one of them."""
    query = select(PresentRow).where(
        PresentRow.night_id == desk.night.id,
        PresentRow.id != but.id,
        (PresentRow.person_id == regular) | (PresentRow.sub_for == regular),
    )
    return desk.session.scalars(query).all()


def _played_until(desk: Desk, row: PresentRow, regular: PersonRow) -> int:
    """The last round in which another one was in the chair of a regular, 0 for none; raises while one is."""
    rounds = [0]
    for each in _chair(desk, regular.id, row):
        if each.to_round is None and each.person_id == regular.id:
            raise RuleViolation("sub", NO_SUB, field="regular")
        if each.to_round is None:
            name = desk.session.get_one(PersonRow, each.person_id).name
            message = Phrase("%(name)s already plays for %(regular)s.", name=name, regular=regular.name)
            raise RuleViolation("sub", message, field="regular")
        rounds.append(each.to_round)
    return max(rounds)
