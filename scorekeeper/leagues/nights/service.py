"""Open and run a night: check-in, plan, seating, swaps, cards. Each function is one transaction.

A round starts with the first game at one of its tables. Rounds that have started never change; the seating of later
rounds can be remade at any time.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

from msgspec import structs
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.leagues.calendar import service as planning
from scorekeeper.leagues.core.access import take_charge_of_season
from scorekeeper.leagues.core.models import (
    ByeRow,
    NightRow,
    PersonRow,
    PresentRow,
    SeatRow,
    TableRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk, note, people_at, present_row, seats_of
from scorekeeper.leagues.money.payments import take_fees
from scorekeeper.leagues.nights.places import DRAWN, TEAM_SET, demand_partners, seating_now, team_before, write_rounds
from scorekeeper.leagues.nights.seating import (
    SeatingRequest,
    current_request,
    end_if_seat_taken,
    end_substitution_for,
    regular_of,
    return_places,
    set_sub_there,
)
from scorekeeper.leagues.nights.tables import rules_of
from scorekeeper.leagues.people.service import PersonData, refuse_alike, write_down
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import RoundPlan, winners_in
from scorekeeper.leagues.standings.table_results import last_begun
from scorekeeper.leagues.teams.service import assign_next, clear_seating
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import tidy_name
from scorekeeper.web.extensions import writing

MOST_HERE = 240
"""Most people on one night. With more, making the seating and showing who plays whom would take too long."""
MOST_PARTNERS = 4
DRAWS = 4
"""Most attempts of a request to make the seating. An attempt fails if the night changes before the seating is saved."""


@use_case
def open_night(*, season: str, day: date, device: str, another: bool = False, now: datetime | None = None) -> str:
    """Open a night of the season and return its public id.

    If that date already has an open night, return the public id of that night. If the date has a closed night, a second
    one is opened only with `another`; otherwise, `RuleViolation` with the code "night_there" is raised. Raises
    `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` if the season is closed.
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
        there = session.scalars(nights.where(NightRow.day == day, NightRow.number > 0)).first()
        if there is not None and not another:
            message = Phrase("Night %(number)s already has this date. Open another one?", number=there.number)
            raise RuleViolation("night_there", message, field="day")
        numbers = select(func.max(NightRow.number)).where(NightRow.season_id == row.id, NightRow.number > 0)
        last = session.scalar(numbers) or 0
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
        planning.tie(session, row, night)
        on = day.isoformat()
        note(session, league, "night_opened", device=device, now=when, night=night, number=night.number, day=on)
        assign_next(session, row, night)
        return night.public_id


@use_case
def plan_night(*, night: str, plan: NightPlan, device: str, now: datetime | None = None) -> None:
    """Set the format, rounds and table sizes of one night, and delete the seating of the rounds that haven't started.

    Raises what `at_desk` raises. Raises `RuleViolation` for an invalid plan, or for a change that is no longer possible
    because a round has started.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        plan = structs.replace(plan, tables=NightPlan.from_json(desk.night.plan).tables).check()
        plan.check_game(rules_of(desk.season, desk.night))
        begun = last_begun(desk.session, desk.night)
        if begun and NightPlan.from_json(desk.night.plan).format != plan.format:
            raise RuleViolation(
                "format_begun", "You can't change the format after a round has started.", field="format"
            )
        if begun and plan.format == TEAM_MATCH.key and plan.options != NightPlan.from_json(desk.night.plan).options:
            raise RuleViolation(
                "format_begun", "You can't change the tables of a match after a round has started.", field="format"
            )
        if plan.rounds < begun:
            message = Phrase("Rounds already started: %(begun)s. Plan at least that many.", begun=begun)
            raise RuleViolation("rounds", message, field="rounds")
        before, desk.night.plan = desk.night.plan, plan.to_json()
        clear_seating(desk, begun)
        desk.note("night_planned", before=before, **plan.to_json())


@use_case
def check_in(
    *, night: str, people: Sequence[str], device: str, paying: Sequence[str] = (), now: datetime | None = None
) -> list[str]:
    """Check in these people (public ids), who then play from the next round that hasn't started.

    The people in `paying` are checked in too, and also pay the entry fee. People who left are checked back in. People
    who are already checked in are skipped. Returns what `payments.take_fees` returns. Raises what `at_desk` and
    `payments.take_fees` raise.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        check_people_in(desk, people_at(desk, list(dict.fromkeys((*people, *paying)))))
        if not paying:
            return []
        desk.session.flush()
        return take_fees(desk, people_at(desk, list(dict.fromkeys(paying))))


@use_case
def let_in(
    *,
    night: str,
    told: PersonData,
    device: str,
    paid: bool = False,
    regular: str | None = None,
    another: bool = True,
    now: datetime | None = None,
) -> str:
    """Check in a person by name, and return their public id.

    `told` has the name and the other details that were typed. If nobody in the league has that name, a new player is
    added to the league. With `paid`, the person also pays the entry fee. If `regular` (public id) is given, the person
    plays for that regular tonight, and a new player is added as a guest.

    Raises what `at_desk`, `people.add_people`, `payments.take_fees` and `set_sub` raise. Raises `RuleViolation` if
    someone with that name is already checked in, or, unless `another` is true, if the name looks like one in the
    league.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        book = select(PersonRow).where(PersonRow.league_id == desk.league.id, PersonRow.merged_into.is_(None))
        people, wanted = desk.session.scalars(book).all(), tidy_name(told.name).casefold()
        known = [person for person in people if tidy_name(person.name).casefold() == wanted]
        if not (known or another):
            refuse_alike([tidy_name(told.name)], [person.name for person in people])
        row = present_row(desk, known[0].id) if known else None
        if row is not None and row.to_round is None:
            message = Phrase(
                "%(name)s is already checked in. If this is someone else, add a last name or a town.",
                name=known[0].name,
            )
            raise RuleViolation("here_already", message)
        new = structs.replace(told, guest=told.guest or regular is not None)
        came = known[:1] or write_down(desk.session, desk.league, [new], device=device, now=desk.now)
        check_people_in(desk, came)
        if regular is not None:
            set_sub_there(desk, came[0], people_at(desk, [regular])[0])
        if paid:
            desk.session.flush()
            take_fees(desk, came)
        return str(came[0].public_id)


def check_people_in(desk: Desk, people: Sequence[PersonRow], kind: str = "checked_in") -> None:
    """Check in these people, in the caller's transaction, and log one entry for all of them.

    `kind` is the kind of the log entry. From the next round on, nobody substitutes for these people anymore. Raises
    `RuleViolation` if the night would have too many people.
    """
    next_round = last_begun(desk.session, desk.night) + 1
    here = select(func.count()).where(PresentRow.night_id == desk.night.id, PresentRow.to_round.is_(None))
    room = MOST_HERE - (desk.session.scalar(here) or 0)
    came = []
    for person in people:
        row = present_row(desk, person.id)
        if row is None:
            team = team_before(desk, person)
            row = PresentRow(night_id=desk.night.id, person_id=person.id, from_round=next_round, team=team)
            desk.session.add(row)
        elif row.to_round is None:
            continue
        else:
            row.to_round = None
            end_if_seat_taken(desk, row, next_round)
        came.append(person.public_id)
    if len(came) > max(0, room):
        raise RuleViolation("people", Phrase("A night has room for %(most)s people.", most=MOST_HERE))
    if came:
        desk.note(kind, people=came, from_round=next_round)
    for person in people:
        end_substitution_for(desk, person, next_round)


@use_case
def check_out(*, night: str, person: str, device: str, now: datetime | None = None) -> None:
    """Check a person (public id) out, so that they don't play in any round that hasn't started.

    If they attended no round, their check-in is deleted, and a substitute's places go back to the regular. Raises what
    `at_desk` raises.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        (who,) = people_at(desk, [person])
        row = present_row(desk, who.id)
        if row is None:
            return
        begun = last_begun(desk.session, desk.night)
        if begun < row.from_round:
            return_places(desk, row)
            desk.session.delete(row)
        else:
            row.to_round = begun
        desk.note("checked_out", person=who.public_id, after_round=begun)


@use_case
def set_team(*, night: str, people: Sequence[str], device: str, now: datetime | None = None) -> None:
    """Make two to four people (public ids) a team of fixed partners for the night.

    Their earlier teams are dissolved. With only one person, no new team is made. Raises what `at_desk` raises. Raises
    `RuleViolation` for more than four people, for people who are not checked in, or for a change to the bracket of a
    knockout that has started.
    """
    if len(people) > MOST_PARTNERS:
        raise RuleViolation("team", "Choose two to four partners.", field="team")
    with at_desk(night, device, now, Role.HELPER) as desk:
        wanted = {person.id for person in people_at(desk, people)}
        present = desk.session.scalars(select(PresentRow).where(PresentRow.night_id == desk.night.id)).all()
        rows = [row for row in present if row.person_id in wanted]
        if len(rows) != len(people):
            raise RuleViolation("team", "Check partners in first.", field="team")
        left = {row.team for row in rows if row.team is not None}
        number = _bracket_team(desk, len(people), left) or 1 + max((row.team or 0 for row in present), default=0)
        parted = [row for row in present if row.team in left]
        before = _teams(desk.session, parted)
        for row in parted:
            row.team = None
        for row in rows:
            row.team = number if len(rows) > 1 else None
        desk.note(TEAM_SET, people=list(people), before=before)


def _bracket_team(desk: Desk, size: int, left: set[int]) -> int | None:
    """Return the team number that a changed team must keep during a knockout; None if no knockout has started.

    The number of a team decides its place in the bracket. `size` is the number of people the team will have. `left` has
    the numbers of the teams that these people belong to before the change. Raises `RuleViolation` if the change would
    alter the bracket.
    """
    if NightPlan.from_json(desk.night.plan).format != KNOCKOUT.key or not last_begun(desk.session, desk.night):
        return None
    if len(left) != 1 or size < 2:
        message = Phrase("The knockout has started. You can only add someone without a partner to a team.")
        raise RuleViolation("team", message, field="team")
    return next(iter(left))


class Drawn(NamedTuple):
    """The rounds for which a seating was made."""

    first: int | None
    """Number of the first round for which a seating was made; None if there is no such round."""
    again: bool
    """True if the new seating replaced an earlier one."""


@use_case
def draw(*, night: str, device: str, seed: int, now: datetime | None = None) -> Drawn:
    """Make the seating of every round that hasn't started, for the people who are checked in.

    Return which rounds were seated. The search for a seating can take seconds, so it runs outside the transaction. If
    its input has changed by the time the seating is saved, the search is repeated. Raises what `at_desk` raises. Raises
    `RuleViolation` if no seating is possible, partners are missing (`demand_partners`), or the input keeps changing.
    """
    asked: SeatingRequest | None = None
    plans: tuple[RoundPlan, ...] = ()
    for left in range(DRAWS, -1, -1):
        with at_desk(night, device, now, Role.DIRECTOR) as desk:
            demand_partners(desk.session, desk.night)
            current = current_request(desk.session, desk.season, desk.night, seed)
            if current == asked:
                return _save_rounds(desk, plans, current)
        if left:
            asked, plans = current, current.draw()
            if not plans and current.over:
                raise RuleViolation("over", "The knockout is over. There are no more rounds.")
    raise RuleViolation("night_changed", "The night changed while the seating was being made. Try again.")


def _save_rounds(desk: Desk, plans: Sequence[RoundPlan], asked: SeatingRequest) -> Drawn:
    """Replace the rounds that haven't started with `plans`, made for `asked`; return which rounds were seated.

    The log keeps the seating that was replaced, so that it can come back.
    """
    session, night = desk.session, desk.night
    begun = last_begun(session, night)
    last = session.scalar(select(func.max(TableRow.round)).where(TableRow.night_id == night.id)) or 0
    replaced = seating_now(session, night, begun) if last > begun else {}
    write_rounds(desk, begun, plans)
    winners = winners_in(asked.night.results[-1]) if begun else {}
    first, seed, before = begun + 1, asked.night.seed, max(0, last - begun)
    desk.note(DRAWN, first=first, rounds=len(plans), seed=seed, before=before, winners=winners, seating=replaced)
    return Drawn(begun + 1 if plans else None, again=last > begun)


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
    """Swap two people (public ids) in a round: their seats, or the seat of one person and the bye of the other.

    Someone who is here but not in that round takes the seat or bye of the other, who then sits out, unless they have
    left. `tap` identifies the request, so that a repeated request changes nothing. Raises what `at_desk` raises. Raises
    `RuleViolation` if the game at a person's table has started, or if neither person has a seat.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        key = desk.key("swapped", tap, round_number, [one, other])
        if desk.did(key):
            return
        people = people_at(desk, [one, other])
        first, second = (_place(desk, round_number, person) for person in people)
        if first is None and second is None:
            raise _no_place(people[0])
        if first is second or not (isinstance(first, SeatRow) or isinstance(second, SeatRow)):
            raise RuleViolation("place", "Choose two different players. At least one needs a seat.", field="person")
        places = [_seated(desk.session, place) for place in (first, second)]
        if first is None or second is None:
            _take_place(desk, round_number, first or second, people[first is None], people[second is None])
        else:
            first.person_id, second.person_id = second.person_id, first.person_id
        if isinstance(first, SeatRow) and isinstance(second, SeatRow):
            first.sub_for, second.sub_for = second.sub_for, first.sub_for
        else:
            for place in (first, second):
                if place is not None:
                    regular = regular_of(desk, place.person_id, round_number)
                    place.sub_for = regular if isinstance(place, SeatRow) else regular or place.person_id
        desk.note("swapped", round=round_number, people=[one, other], before=places, after=places[::-1], key=key)


@use_case
def new_cards(*, night: str, device: str, tap: str = "", now: datetime | None = None) -> None:
    """Make new table cards, so that the printed ones stop working. Raises what `at_desk` raises.

    `tap` identifies the request. A repeated request changes nothing, since the new cards may already be printed.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        key = desk.key("cards_made", tap)
        if desk.did(key):
            return
        desk.night.cards += 1
        desk.note("cards_made", before=desk.night.cards - 1, after=desk.night.cards, key=key)


@use_case
def start_round(*, night: str, number: int, device: str, started: bool = True, now: datetime | None = None) -> None:
    """Mark a round that is scored on paper as started, so that its seats can't change.

    With `started` False, remove the mark. A repeated request changes nothing. Raises what `at_desk` raises. Raises
    `RuleViolation` if `number` isn't the next round to start (or, to remove a mark, the last started round). It is also
    raised if the mark can't be removed because the game of a table in the round has started.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        row = desk.night
        begun = last_begun(desk.session, row)
        if started == (number <= begun):
            return
        if started:
            start_there(desk, number)
            return
        if number != begun:
            raise moved_on()
        row.started_round = number - 1
        if last_begun(desk.session, row) != row.started_round:
            raise RuleViolation("round", "A table of this round has a score, so the round has started.")
        row.clock_at = None
        desk.note("round_started", round=number, started=started)


def moved_on() -> RuleViolation:
    """Return the error for a form about a round that isn't the current one anymore."""
    return RuleViolation("round", "The night has moved on. Look at the round again.")


def start_there(desk: Desk, number: int) -> None:
    """Mark a round as started in the caller's transaction. Raises `RuleViolation` unless it is the next to start."""
    row = desk.night
    if number != last_begun(desk.session, row) + 1 or not _has_seating(desk.session, row, number):
        raise moved_on()
    row.started_round = number
    row.bell_at = row.clock_at = None
    desk.note("round_started", round=number, started=True)


def _has_seating(session: Session, night: NightRow, number: int) -> bool:
    query = select(TableRow.id).where(TableRow.night_id == night.id, TableRow.round == number)
    return session.scalars(query).first() is not None


def _teams(session: Session, rows: Sequence[PresentRow]) -> list[list[str]]:
    """Return the teams of these check-ins. Each team is a list of its people's public ids."""
    ids = select(PersonRow.id, PersonRow.public_id).where(PersonRow.id.in_([row.person_id for row in rows]))
    people = dict(session.execute(ids).all())
    return [
        [people[row.person_id] for row in rows if row.team == team] for team in sorted({row.team or 0 for row in rows})
    ]


def _seated(session: Session, place: SeatRow | ByeRow | None) -> int:
    """Return the number of the table that a seat belongs to, or 0 if `place` is a bye or there is none."""
    return session.get_one(TableRow, place.table_id).number if isinstance(place, SeatRow) else 0


def _place(desk: Desk, round_number: int, person: PersonRow) -> SeatRow | ByeRow | None:
    """Return a person's seat or bye in a round, or None for someone who is here but not in a coming round.

    Raises `RuleViolation` if the person can't be in that round anymore.
    """
    seat = seats_of(desk, person).where(TableRow.round == round_number, TableRow.game_id.is_(None))
    bye = select(ByeRow).where(
        ByeRow.night_id == desk.night.id, ByeRow.round == round_number, ByeRow.person_id == person.id
    )
    found = desk.session.scalars(seat).first() or desk.session.scalars(bye).first()
    row = present_row(desk, person.id)
    is_new = row is not None and row.to_round is None and round_number > last_begun(desk.session, desk.night)
    if found is None and not is_new:
        raise _no_place(person)
    return found


def _no_place(person: PersonRow) -> RuleViolation:
    message = Phrase("%(name)s can't be swapped in that round: no seat, or the game has started.", name=person.name)
    return RuleViolation("place", message, field="person")


def _take_place(
    desk: Desk, round_number: int, place: SeatRow | ByeRow | None, one: PersonRow, other: PersonRow
) -> None:
    """Give the `place` of one person in a round to another, who has none there. If the first is here, they sit out."""
    assert place is not None
    place.person_id = other.id
    row = present_row(desk, one.id)
    if row is not None and row.to_round is None:
        desk.session.add(ByeRow(night_id=desk.night.id, round=round_number, person_id=one.id))
