"""Save what people pay and owe: entry fees paid on a night, and payments and charges from the season's money page.

Payments are never changed or deleted. Undoing a payment adds a reversing entry with the opposite amount, so that the
accounts show both. Each use case is one transaction and writes a line to the league's log.
"""

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.leagues.core.access import NoSuchLeagueError, person_at, take_charge_of_season
from scorekeeper.leagues.core.models import LeagueRow, PaymentRow, PersonRow, PresentRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk, note, people_at, request_key, told_before
from scorekeeper.leagues.money.ledger import ledger_of, night_fees
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.rules.money import MOST_CENTS
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.extensions import writing

FEE, PAYMENT, CHARGE = "fee", "payment", "charge"
NOTE_LENGTH = 120
MOST_PAYMENTS = 20_000
"""Most payments of one season; reading more would keep the server busy too long."""


@use_case
def set_fees(*, night: str, people: Sequence[str], paid: bool, device: str, now: datetime | None = None) -> list[str]:
    """Save whether these people (public ids) paid the entry fee of a night. Return what `take_fees` returns.

    With `paid` False, undo the payments that they made. The night may be open or closed. A repeated request changes
    nothing.

    Raises what `at_desk` raises. If `paid` is true, also raises what `take_fees` raises.
    """
    with at_desk(night, device, now, Role.HELPER, closed=None) as desk:
        rows = people_at(desk, list(dict.fromkeys(people)))
        if paid:
            return take_fees(desk, rows)
        _give_back(desk, rows)
        return []


def take_fees(desk: Desk, people: Sequence[PersonRow]) -> list[str]:
    """Save that these people paid what is left of the entry fee of the night, in the caller's transaction.

    People who already paid are skipped. Return the public ids of those whose fee was paid through the accounts, so that
    nothing may be taken from them. Raises `RuleViolation` if the season has no entry fee, if it has too many payments,
    or if one of these people was never checked in on the night.
    """
    fee = MoneySettings.from_json(desk.season.money).entry_fee
    if not fee:
        raise RuleViolation("no_fee", "This season has no entry fee.")
    here = (
        select(func.coalesce(PersonRow.merged_into, PersonRow.id))
        .join(PresentRow, PresentRow.person_id == PersonRow.id)
        .where(PresentRow.night_id == desk.night.id)
    )
    if not {person.id for person in people} <= set(desk.session.scalars(here)):
        raise RuleViolation("not_here", "Check in these players first.")
    fees = night_fees(desk.session, desk.season, desk.night)
    # People without a fee, such as substitutes, can still pay one; the desk then says so.
    left = {person.id: fees[person.id].left if person.id in fees else fee for person in people}
    new = [person for person in people if left[person.id] > 0]
    _room(desk.session, desk.season, len(new))
    desk.session.add_all(_fee(desk, person.id, left[person.id]) for person in new)
    for cents in dict.fromkeys(left[person.id] for person in new):
        desk.note("fees_paid", people=[person.public_id for person in new if left[person.id] == cents], cents=cents)
    return [person.public_id for person in people if left[person.id] <= 0 and fees[person.id].at_desk <= 0]


def _give_back(desk: Desk, people: Sequence[PersonRow]) -> None:
    taken_back = select(PaymentRow.corrects).where(PaymentRow.corrects.is_not(None))
    owner = func.coalesce(PersonRow.merged_into, PersonRow.id)
    query = (
        select(PaymentRow, owner)
        .join(PersonRow, PersonRow.id == PaymentRow.person_id)
        .where(
            PaymentRow.night_id == desk.night.id,
            PaymentRow.kind == FEE,
            PaymentRow.corrects.is_(None),
            PaymentRow.id.not_in(taken_back),
            owner.in_([person.id for person in people]),
        )
    )
    found = desk.session.execute(query.order_by(PaymentRow.id)).all()
    desk.session.add_all(_fee(desk, row.person_id, -row.cents, corrects=row.id) for row, _owner in found)
    if found:
        owners = {of for _row, of in found}
        undone = [person.public_id for person in people if person.id in owners]
        desk.note("fees_undone", people=undone, cents=sum(row.cents for row, _owner in found))


def _fee(desk: Desk, person: int, cents: int, *, corrects: int | None = None) -> PaymentRow:
    return PaymentRow(
        season_id=desk.season.id,
        night_id=desk.night.id,
        person_id=person,
        kind=FEE,
        cents=cents,
        # By the clock on the wall: a night ends when it is tomorrow already by UTC.
        day=desk.night.day if desk.night.closed_at is None else desk.now.astimezone().date(),
        what="",
        corrects=corrects,
    )


@use_case
def save_payment(
    *,
    season: str,
    people: Sequence[str],
    cents: int,
    day: date,
    device: str,
    charge: bool = False,
    what: str = "",
    owing: int | None = None,
    tap: str = "",
    now: datetime,
) -> None:
    """Save that each of these people (public ids) paid `cents`. With `charge`, save that each of them owes `cents`.

    A payment of negative cents is a refund. `what` is a note. If `owing` is given, nothing is saved unless each person
    still owes exactly that many cents. `tap` identifies the request, so that a repeated request adds nothing.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` for an invalid amount, a note that is too
    long, no people, a season with too many payments, or a person who doesn't owe exactly `owing`.
    """
    note_text = " ".join(what.split())
    kind = CHARGE if charge else PAYMENT
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.OWNER)
        key = request_key(kind, tap, season, cents, list(people))
        if told_before(session, league, key) is not None:
            return
        if not people:
            raise RuleViolation("person_missing", "Choose a player.", field="person")
        if not 0 < abs(cents) <= MOST_CENTS:
            raise RuleViolation("amount", "Enter an amount above zero, such as 12.50.", field="amount")
        if len(note_text) > NOTE_LENGTH:
            raise RuleViolation("note_long", "Shorten the note to 120 characters.", field="what")
        whom = [_player(session, league, person) for person in dict.fromkeys(people)]
        _room(session, row, len(whom))
        if owing is not None and any(ledger_of(session, row).owes(person.id) != owing for person in whom):
            raise RuleViolation("balance_changed", "The balance just changed. Check it again.")
        session.add_all(
            PaymentRow(season_id=row.id, person_id=person.id, kind=kind, cents=cents, day=day, what=note_text)
            for person in whom
        )
        note(
            session,
            league,
            f"{kind}_saved",
            device=device,
            now=now,
            reason=note_text,
            key=key,
            season=row.public_id,
            people=[person.public_id for person in whom],
            cents=cents,
            day=day.isoformat(),
        )


@use_case
def correct_payment(*, season: str, payment: int, device: str, now: datetime) -> None:
    """Undo a payment or charge by adding a reversing entry. `payment` is the row id of the payment or charge.

    A repeated request changes nothing. Raises `NotAllowedError`, or `NoSuchLeagueError` if the season has no such
    payment. Raises `NoSuchLeagueError` also for the id of a reversing entry, because a reversing entry can't be undone.
    """
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.OWNER)
        wrong = session.get(PaymentRow, payment)
        if wrong is None or wrong.season_id != row.id or wrong.corrects is not None:
            raise NoSuchLeagueError
        if session.scalars(select(PaymentRow.id).where(PaymentRow.corrects == wrong.id)).first() is not None:
            return
        session.add(
            PaymentRow(
                season_id=row.id,
                night_id=wrong.night_id,
                person_id=wrong.person_id,
                kind=wrong.kind,
                cents=-wrong.cents,
                day=now.astimezone().date(),
                what=wrong.what,
                corrects=wrong.id,
            )
        )
        person = session.get_one(PersonRow, wrong.person_id).public_id
        note(
            session,
            league,
            "payment_corrected",
            device=device,
            now=now,
            season=row.public_id,
            person=person,
            charge=wrong.kind == CHARGE,
            cents=wrong.cents,
        )


def _player(session: Session, league: LeagueRow, person: str) -> PersonRow:
    row = person_at(session, person)
    if row.league_id != league.id or row.merged_into is not None:
        raise NoSuchLeagueError
    return row


def _room(session: Session, season: SeasonRow, more: int) -> None:
    there = session.scalar(select(func.count()).where(PaymentRow.season_id == season.id)) or 0
    if there + more > MOST_PAYMENTS:
        message = Phrase("This season already has %(most)s entries, the most it can hold.", most=MOST_PAYMENTS)
        raise RuleViolation("payments", message)
