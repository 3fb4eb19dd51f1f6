"""A night: opened, people checked in, rounds drawn. Each function is one transaction.

A round is begun when a game was started at one of its tables. Begun rounds stay as they are; all that comes later is
drawn anew whenever it is asked for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Select, delete, func, select
from sqlalchemy.orm import Session

from scorekeeper.addresses import new_public_id
from scorekeeper.extensions import writing
from scorekeeper.leagues.access import NoSuchLeagueError, night_at, person_at, take_charge, take_charge_of_season
from scorekeeper.leagues.drawing import Asked, asked_of, begun_rounds
from scorekeeper.leagues.evening import Evening
from scorekeeper.leagues.ledger import note, told_before
from scorekeeper.leagues.models import ByeRow, LeagueRow, NightRow, PersonRow, PresentRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.people import PersonData, write_down
from scorekeeper.leagues.roles import Role
from scorekeeper.leagues.schedule.plan import RoundPlan
from scorekeeper.retrying import use_case
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

MOST_HERE = 240
"""People at one night: to draw for more, and to show who meets whom, keeps the score book busy too long."""
MOST_PARTNERS = 3
NO_SUB = Phrase("A substitute is there, and whom they play for is not.")
DRAWS = 4
"""How often a draw is begun anew because the night was changed meanwhile."""


@dataclass(frozen=True, slots=True)
class Desk:
    """A night in the hands of who may work at it: its rows, locked, and who does what when."""

    session: Session
    league: LeagueRow
    season: SeasonRow
    night: NightRow
    device: str
    now: datetime

    def note(self, kind: str, *, reason: str = "", tap: str = "", **data: Any) -> None:
        """Write a line of the league's log."""
        note(
            self.session,
            self.league,
            kind,
            device=self.device,
            now=self.now,
            night=self.night,
            reason=reason,
            tap=tap,
            **data,
        )

    def did(self, kind: str, tap: str, **data: object) -> bool:
        """Return whether this tap wrote such a line already: a form that was sent twice does nothing twice."""
        told = told_before(self.session, self.league, kind, tap, self.night)
        return told is not None and data.items() <= told.items()


@contextlib.contextmanager
def at_desk(
    night: str, device: str, now: datetime | None, need: Role, *, closed: bool | None = False
) -> Iterator[Desk]:
    """Give the night at the address `night` to who is at least `need` to its league, in a transaction.

    Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` where it is closed and must not be (or, with
    `closed`, is open and must not be; None takes both).
    """
    with writing() as session:
        row = night_at(session, night)
        season = session.get_one(SeasonRow, row.season_id)
        league = take_charge(session, season.league_id, device, need)
        session.refresh(row)
        if closed and row.closed_at is None:
            raise RuleViolation("night_open", "This night is not closed.")
        if closed is False and row.closed_at is not None:
            raise RuleViolation("night_closed", "This night is closed. Open it again first.")
        yield Desk(session, league, season, row, device, now or datetime.now(UTC))


@use_case
def open_night(*, season: str, day: date, device: str, now: datetime | None = None) -> str:
    """Open a night of the season and return its public id.

    An open night of that day is returned instead. Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation`
    where the season is closed.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.DIRECTOR)
        if row.closed_at is not None:
            raise RuleViolation("season_closed", "This season is closed.")
        nights = select(NightRow).where(NightRow.season_id == row.id)
        same = session.scalars(nights.where(NightRow.day == day, NightRow.closed_at.is_(None))).first()
        if same is not None:
            return same.public_id
        last = session.scalar(select(func.max(NightRow.number)).where(NightRow.season_id == row.id)) or 0
        night = NightRow(
            season_id=row.id,
            public_id=new_public_id(),
            number=last + 1,
            day=day,
            plan=row.plan,
            version=0,
            cards=0,
        )
        session.add(night)
        session.flush()
        on = day.isoformat()
        note(session, league, "night_opened", device=device, now=when, night=night, number=night.number, day=on)
        return night.public_id


@use_case
def plan_night(*, night: str, plan: Evening, device: str, now: datetime | None = None) -> None:
    """Play another format, or another number of rounds, than the season usually does. Raises as `at_desk` does.

    What is drawn and not begun is taken down.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        begun = begun_rounds(desk.session, desk.night)
        if begun and Evening.from_json(desk.night.plan).format != plan.format:
            raise RuleViolation("format_begun", "The format stays once a round was begun.", field="format")
        if plan.rounds < len(begun):
            message = Phrase("%(begun)s rounds were begun already.", begun=len(begun))
            raise RuleViolation("rounds", message, field="rounds")
        before, desk.night.plan = desk.night.plan, plan.to_json()
        _take_down(desk.session, desk.night, len(begun))
        desk.note("night_planned", before=before, **plan.to_json())


@use_case
def check_in(*, night: str, people: Sequence[str], device: str, now: datetime | None = None) -> None:
    """Note that these people are there; from the next round that is not begun on, if they come late.

    Raises as `at_desk` does. Somebody who is there already stays as they are; somebody who left is back.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        _let_in(desk, _people(desk, list(dict.fromkeys(people))))


@use_case
def let_in_named(*, night: str, person: str, device: str, now: datetime | None = None) -> None:
    """Let in somebody whose name was typed and stands in the book.

    Raises as `check_in` does, and `RuleViolation` where they are here already: it may be another one of that name.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        people = _people(desk, [person])
        for each in people:
            row = _present(desk, each.id)
            if row is not None and row.to_round is None:
                message = Phrase(
                    "%(name)s is here already. If this is somebody else, add a last name or a place.", name=each.name
                )
                raise RuleViolation("here_already", message)
        _let_in(desk, people)


@use_case
def let_in_new(*, night: str, told: PersonData, device: str, now: datetime | None = None) -> None:
    """Add somebody to the league who was never there, and let them in: both, or neither.

    Raises as `at_desk` and `people.add_people` do.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        _let_in(desk, write_down(desk.session, desk.league, [told], device=device, now=desk.now))


def _let_in(desk: Desk, people: Sequence[PersonRow]) -> None:
    next_round = len(begun_rounds(desk.session, desk.night)) + 1
    here = select(func.count()).where(PresentRow.night_id == desk.night.id, PresentRow.to_round.is_(None))
    room = MOST_HERE - (desk.session.scalar(here) or 0)
    came = []
    for person in people:
        row = _present(desk, person.id)
        if row is None:
            row = PresentRow(night_id=desk.night.id, person_id=person.id, from_round=next_round)
            desk.session.add(row)
        elif row.to_round is None:
            continue
        else:
            row.to_round = None
            if row.sub_for is not None and any(each.to_round is None for each in _chair(desk, row.sub_for, row)):
                _stand_up(desk, row, next_round)
        came.append(person.name)
    if len(came) > max(0, room):
        raise RuleViolation("people", Phrase("A night has room for %(most)s people.", most=MOST_HERE))
    if came:
        desk.note("checked_in", names=came, from_round=next_round)
    for person in people:
        _relieve(desk, person, next_round)


def _relieve(desk: Desk, person: PersonRow, from_round: int) -> None:
    """Let nobody play for somebody who is there themselves; the rounds before stay as they were played."""
    stood_in = select(PresentRow).where(PresentRow.night_id == desk.night.id, PresentRow.sub_for == person.id)
    for row in desk.session.scalars(stood_in).all():
        _stand_up(desk, row, from_round)


def _stand_up(desk: Desk, row: PresentRow, from_round: int) -> None:
    """Let a substitute play for themselves from this round on."""
    sub, regular = (desk.session.get_one(PersonRow, person) for person in (row.person_id, row.sub_for))
    row.sub_for = None
    for seat in desk.session.scalars(_seats_of(desk, sub).where(TableRow.round >= from_round)):
        seat.sub_for = None
    desk.note("sub_set", name=sub.name, regular=None, person=sub.public_id, before=regular.public_id)


@use_case
def check_out(*, night: str, person: str, device: str, now: datetime | None = None) -> None:
    """Note that somebody plays no more from the next round on; one who sat in no round was never there.

    Raises as `at_desk` does.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        (who,) = _people(desk, [person])
        row = _present(desk, who.id)
        if row is None:
            return
        begun = len(begun_rounds(desk.session, desk.night))
        if begun < row.from_round:
            desk.session.delete(row)
        else:
            row.to_round = begun
        desk.note("checked_out", name=who.name, after_round=begun)


@use_case
def set_sub(*, night: str, person: str, regular: str | None, device: str, now: datetime | None = None) -> None:
    """Say for whom somebody plays that night, or with None that they play for themselves. Raises as `at_desk` does.

    It holds for every table of the night where they sit, also those that were played; but for those up to the last
    round of the regular, or of somebody who stood in before and left. Also raises `RuleViolation` where the regular is
    there, or somebody who stands in for them.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        (who,) = _people(desk, [person])
        other = None if regular is None else _people(desk, [regular])[0]
        row = _present(desk, who.id)
        if row is None or (other is not None and other.id == who.id):
            raise RuleViolation("sub", NO_SUB, field="regular")
        seats = _seats_of(desk, who)
        if other is not None:
            seats = seats.where(TableRow.round > _played_until(desk, row, other))
        before = None if row.sub_for is None else desk.session.get_one(PersonRow, row.sub_for).public_id
        row.sub_for = None if other is None else other.id
        for seat in desk.session.scalars(seats):
            seat.sub_for = row.sub_for
        regular_name = None if other is None else other.name
        desk.note("sub_set", name=who.name, regular=regular_name, person=who.public_id, before=before)


@use_case
def set_team(*, night: str, people: Sequence[str], device: str, now: datetime | None = None) -> None:
    """Let two or three people be fixed partners that night; one alone is in no team. Raises as `at_desk` does."""
    if len(people) > MOST_PARTNERS:
        raise RuleViolation("team", "Partners are two or three.", field="team")
    with at_desk(night, device, now, Role.HELPER) as desk:
        rows = [_present(desk, person.id) for person in _people(desk, people)]
        if any(row is None for row in rows) or len(set(people)) != len(people):
            raise RuleViolation("team", "Partners are people who are there.", field="team")
        present = desk.session.scalars(select(PresentRow).where(PresentRow.night_id == desk.night.id)).all()
        left = {row.team for row in rows if row is not None}
        before = _teams(desk.session, [row for row in present if row.team is not None and row.team in left])
        number = 1 + max((row.team or 0 for row in present), default=0)
        for row in present:
            if row.team is not None and row.team in left:
                row.team = None
        for chosen in rows:
            assert chosen is not None
            chosen.team = number if len(rows) > 1 else None
        desk.note("team_set", people=list(people), before=before)


@use_case
def draw(*, night: str, device: str, seed: int, now: datetime | None = None) -> None:
    """Draw the rounds that are not begun, for the people who are there now; what was drawn of them is taken down.

    A draw can take seconds, and nobody waits to write meanwhile: what it is made from is read before, and looked at
    again when it is written down. Raises as `at_desk` does, and `RuleViolation` where nothing can be drawn.
    """
    asked: Asked | None = None
    plans: tuple[RoundPlan, ...] = ()
    for left in range(DRAWS, -1, -1):
        with at_desk(night, device, now, Role.DIRECTOR) as desk:
            current = asked_of(desk.session, desk.season, desk.night, seed)
            if current == asked:
                _put_up_all(desk, plans, seed)
                return
        if left:
            asked, plans = current, current.draw()
    raise RuleViolation("night_changed", "The night was changed meanwhile. Draw again.")


def _put_up_all(desk: Desk, plans: Sequence[RoundPlan], seed: int) -> None:
    begun = len(begun_rounds(desk.session, desk.night))
    last = desk.session.scalar(select(func.max(TableRow.round)).where(TableRow.night_id == desk.night.id)) or 0
    _take_down(desk.session, desk.night, begun)
    for number, plan in enumerate(plans, begun + 1):
        put_up(desk, number, plan)
    desk.note("drawn", first=begun + 1, rounds=len(plans), seed=seed, before=max(0, last - begun))


@use_case
def swap(
    *,
    night: str,
    round_number: int,
    one: str,
    other: str,
    device: str,
    tap: str = "",
    now: datetime | None = None,
) -> None:
    """Let two people change places in a round: two seats, or a seat and a bye. Raises as `at_desk` does.

    A table whose game was begun stays as it is. The same tap again does not change them back.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        if desk.did("swapped", tap, round=round_number, people=[one, other]):
            return
        first, second = (_place(desk, round_number, person) for person in _people(desk, [one, other]))
        if first is second or (isinstance(first, ByeRow) and isinstance(second, ByeRow)):
            raise RuleViolation(
                "place", "That would change nothing: choose two people with different places.", field="person"
            )
        places = [_seated(desk.session, place) for place in (first, second)]
        first.person_id, second.person_id = second.person_id, first.person_id
        if isinstance(first, SeatRow) and isinstance(second, SeatRow):
            first.sub_for, second.sub_for = second.sub_for, first.sub_for
        else:
            for place in (first, second):
                if isinstance(place, SeatRow):  # nobody plays for another while they sit out: a bye does not say so
                    place.sub_for = _stands_in(desk, place.person_id, round_number)
        desk.note("swapped", round=round_number, people=[one, other], before=places, after=places[::-1], tap=tap)


@use_case
def new_cards(*, night: str, device: str, tap: str = "", now: datetime | None = None) -> None:
    """Make the cards of the tables anew: those that were printed open nothing any more. Raises as `at_desk` does.

    The same tap again makes none: those of the first may be printed by now.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        if desk.did("cards_made", tap):
            return
        desk.night.cards += 1
        desk.note("cards_made", before=desk.night.cards - 1, after=desk.night.cards, tap=tap)


@use_case
def ring(*, night: str, device: str, rung: bool = True, now: datetime | None = None) -> None:
    """Ring the bell of the round that is being played, or take it back. Raises as `at_desk` does."""
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        desk.night.bell_at = desk.now if rung else None
        desk.note("bell", rung=rung)


def put_up(desk: Desk, number: int, plan: RoundPlan) -> None:
    """Write a drawn round into the night."""
    subs = {
        row.person_id: row.sub_for
        for row in desk.session.scalars(select(PresentRow).where(PresentRow.night_id == desk.night.id))
    }
    for table in plan.tables:
        row = TableRow(night_id=desk.night.id, round=number, number=table.number, kind=table.kind, confirmed={})
        desk.session.add(row)
        desk.session.flush()
        desk.session.add_all(
            SeatRow(table_id=row.id, seat=seat, person_id=person, sub_for=subs.get(person))
            for seat, person in enumerate(table.seats)
        )
    desk.session.add_all(ByeRow(night_id=desk.night.id, round=number, person_id=person) for person in plan.byes)


def _take_down(session: Session, night: NightRow, begun: int) -> None:
    later = select(TableRow.id).where(TableRow.night_id == night.id, TableRow.round > begun)
    session.execute(delete(SeatRow).where(SeatRow.table_id.in_(later)))
    session.execute(delete(TableRow).where(TableRow.night_id == night.id, TableRow.round > begun))
    session.execute(delete(ByeRow).where(ByeRow.night_id == night.id, ByeRow.round > begun))


def _people(desk: Desk, people: Sequence[str]) -> list[PersonRow]:
    rows = [person_at(desk.session, person) for person in people]
    if any(row.league_id != desk.league.id or row.merged_into is not None for row in rows):
        raise NoSuchLeagueError
    return rows


def _present(desk: Desk, person: int) -> PresentRow | None:
    query = select(PresentRow).where(PresentRow.night_id == desk.night.id, PresentRow.person_id == person)
    return desk.session.scalars(query).first()


def _seats_of(desk: Desk, person: PersonRow) -> Select[SeatRow]:
    return (
        select(SeatRow)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .where(TableRow.night_id == desk.night.id, SeatRow.person_id == person.id)
    )


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
            message = Phrase("%(name)s plays for %(regular)s already.", name=name, regular=regular.name)
            raise RuleViolation("sub", message, field="regular")
        rounds.append(each.to_round)
    return max(rounds)


def _stands_in(desk: Desk, person: int, round_number: int) -> int | None:
    """For whom somebody plays in a round, as `set_sub` has it; people are ids."""
    row = _present(desk, person)
    if row is None or row.sub_for is None:
        return None
    before = (each.to_round or 0 for each in _chair(desk, row.sub_for, row))
    return row.sub_for if round_number > max(before, default=0) else None


def _teams(session: Session, rows: Sequence[PresentRow]) -> list[list[str]]:
    """Who are fixed partners, by their addresses."""
    people = {row.id: row.public_id for row in _rows(session, [row.person_id for row in rows])}
    return [
        [people[row.person_id] for row in rows if row.team == team] for team in sorted({row.team or 0 for row in rows})
    ]


def _rows(session: Session, people: Sequence[int]) -> Sequence[PersonRow]:
    return session.scalars(select(PersonRow).where(PersonRow.id.in_(people))).all()


def _seated(session: Session, place: SeatRow | ByeRow) -> int:
    """The number of the table, 0 for who sits out."""
    return session.get_one(TableRow, place.table_id).number if isinstance(place, SeatRow) else 0


def _place(desk: Desk, round_number: int, person: PersonRow) -> SeatRow | ByeRow:
    seat = (
        select(SeatRow)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .where(
            TableRow.night_id == desk.night.id,
            TableRow.round == round_number,
            TableRow.game_id.is_(None),
            SeatRow.person_id == person.id,
        )
    )
    bye = select(ByeRow).where(
        ByeRow.night_id == desk.night.id, ByeRow.round == round_number, ByeRow.person_id == person.id
    )
    found = desk.session.scalars(seat).first() or desk.session.scalars(bye).first()
    if found is None:
        message = Phrase("%(name)s has no free place in that round.", name=person.name)
        raise RuleViolation("place", message, field="person")
    return found
