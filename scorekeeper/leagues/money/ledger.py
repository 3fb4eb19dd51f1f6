"""Read the accounts and the cash box of a season from the database. Merged people share one account."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import MoneyRow, NightRow, PaymentRow, PersonRow, SeasonRow, TableRow
from scorekeeper.leagues.money.balances import CHARGED, Account, CashBox, Item, Kind, accounts, cash_box, fees_covered
from scorekeeper.leagues.money.ranking import fee_payers
from scorekeeper.leagues.money.service import Till
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.standings.standings_cache import Roster, roster_of


class Ledger(Struct, frozen=True):
    """The accounts of a season, its cash box, and the people of the league."""

    accounts: tuple[Account, ...]
    box: CashBox
    roster: Roster

    def owes(self, person: int) -> int:
        """Return the cents that a person (row id) owes. The result is negative if the person paid in advance."""
        return next((account.owes for account in self.accounts if account.person == person), 0)


def ledger_of(session: Session, season: SeasonRow) -> Ledger:
    """Return the accounts and the cash box of a season. The function runs six queries."""
    roster = roster_of(session, season.league_id)
    nights = {
        night.id: night
        for night in session.scalars(
            select(NightRow).where(NightRow.season_id == season.id, NightRow.number > 0).order_by(NightRow.number)
        )
    }
    money: defaultdict[int, list[MoneyRow]] = defaultdict(list)
    rows = select(MoneyRow).join(NightRow, NightRow.id == MoneyRow.night_id).where(NightRow.season_id == season.id)
    for row in session.scalars(rows.order_by(MoneyRow.id)):
        money[row.night_id].append(row)
    fees = tuple(_open_fees(session, season, nights))
    items = [*_charges(nights, money, _shared(session, season)), *fees, *_payments(session, season, nights)]
    merged = roster.merged
    listed = accounts(item._replace(person=merged.get(item.person, item.person)) for item in items)
    till = Till()
    for night in nights:
        till.after(money[night])
    box = cash_box(
        listed,
        kitty=till.kitty,
        pots=sum(till.pots.values()),
        tonight=sum(item.cents for item in fees),
        prizes={nights[night].number: cents for night, rows in money.items() if (cents := _paid_out(rows))},
    )
    return Ledger(listed, box, roster)


def _paid_out(money: Sequence[MoneyRow]) -> int:
    """Return the cents that a night paid as prizes and from side pots."""
    return -sum(row.cents for row in money if row.kind in ("prize", "pot_prize"))


def _shared(session: Session, season: SeasonRow) -> set[int]:
    """Return the row ids of the nights of which some sets (failed bids) come from paper, which doesn't say who bid."""
    on_paper = select(TableRow.night_id).join(NightRow, NightRow.id == TableRow.night_id)
    return set(session.scalars(on_paper.where(NightRow.season_id == season.id, TableRow.paper_sets.is_not(None))))


def _charges(
    nights: Mapping[int, NightRow], money: Mapping[int, Sequence[MoneyRow]], shared: Collection[int]
) -> Iterator[Item]:
    """Yield what players owe for closed nights: the entry fee, and a charge for each set (failed bid).

    `nights` maps row ids to nights. `money` maps the row id of each night to the `MoneyRow`s of the night. On the
    nights `shared` (row ids), partners share the cost of some sets, so that no line can name a number of sets.
    """
    for night in nights.values():
        for row in money.get(night.id, ()):
            if row.kind in ("entry", "sets") and row.person_id is not None:
                sets = int(row.what) if row.kind == "sets" and night.id not in shared else 0
                yield Item(row.person_id, night.day, night.number, cast(Kind, row.kind), row.cents, sets)


def _open_fees(session: Session, season: SeasonRow, nights: Mapping[int, NightRow]) -> Iterator[Item]:
    """Yield the entry fees that people owe for nights that are still open."""
    fee = MoneySettings.from_json(season.money).entry_fee
    still_open = [night.id for night in nights.values() if night.closed_at is None]
    if fee and still_open:
        for night, person in fee_payers(session, still_open):
            yield Item(person, nights[night].day, nights[night].number, "entry", fee)


def _payments(session: Session, season: SeasonRow, nights: Mapping[int, NightRow]) -> Iterator[Item]:
    for row in session.scalars(select(PaymentRow).where(PaymentRow.season_id == season.id).order_by(PaymentRow.id)):
        night = None if row.night_id is None else nights.get(row.night_id)
        number = 0 if night is None else night.number
        kind = cast(Kind, row.kind)
        yield Item(
            row.person_id, row.day, number, kind, row.cents, what=row.what, payment=row.id, corrects=row.corrects or 0
        )


class NightFee(NamedTuple):
    """The entry fee of one person for one night, in cents.

    `paid` is the part of the `due` fee that is paid, at the desk or through the accounts. `at_desk` is what the desk of
    the night took, which can be more than is due.
    """

    due: int
    paid: int
    at_desk: int

    @property
    def left(self) -> int:
        """Return the cents that are still due."""
        return self.due - self.paid


def night_fees(session: Session, season: SeasonRow, night: NightRow) -> Mapping[int, NightFee]:
    """Return the entry fees of a night by row id of the person, so that they agree with the accounts of the season.

    Everyone is in it who owes the fee or has paid it at the desk. Merged people are one person. Takes five queries.
    """
    of_season = (NightRow.season_id == season.id, NightRow.number > 0)
    nights = {row.id: row for row in session.scalars(select(NightRow).where(*of_season).order_by(NightRow.number))}
    gone = select(PersonRow.id, PersonRow.merged_into).where(PersonRow.league_id == season.league_id)
    merged = {person: into for person, into in session.execute(gone.where(PersonRow.merged_into.is_not(None))) if into}
    # Summed up by the database: a season has thousands of rows.
    entries = (
        select(MoneyRow.night_id, MoneyRow.person_id, func.sum(MoneyRow.cents))
        .where(MoneyRow.night_id.in_(nights), MoneyRow.kind == "entry")
        .group_by(MoneyRow.night_id, MoneyRow.person_id)
    )
    due: defaultdict[int, dict[int, int]] = defaultdict(dict)
    charged = [(of_night, person, cents) for of_night, person, cents in session.execute(entries) if person is not None]
    fee = MoneySettings.from_json(season.money).entry_fee
    still_open = [row.id for row in nights.values() if row.closed_at is None]
    if fee and still_open:
        charged += [(of_night, person, fee) for of_night, person in fee_payers(session, still_open)]
    for of_night, person, cents in sorted(charged, key=lambda row: nights[row[0]].number):
        fees = due[merged.get(person, person)]
        fees[of_night] = fees.get(of_night, 0) + cents
    at_desk: defaultdict[int, dict[int, int]] = defaultdict(dict)
    paid: defaultdict[int, int] = defaultdict(int)
    payments = (
        select(PaymentRow.night_id, PaymentRow.person_id, PaymentRow.kind, func.sum(PaymentRow.cents))
        .where(PaymentRow.season_id == season.id, PaymentRow.kind.not_in(CHARGED))
        .group_by(PaymentRow.night_id, PaymentRow.person_id, PaymentRow.kind)
    )
    for taken_on, payer, kind, cents in session.execute(payments):
        person = merged.get(payer, payer)
        if kind == "fee" and taken_on is not None:
            at_desk[person][taken_on] = at_desk[person].get(taken_on, 0) + cents
        else:
            paid[person] += cents
    fees_of_night = {}
    for person in due.keys() | at_desk.keys():
        fees, taken = due[person], at_desk[person]
        if night.id in fees or taken.get(night.id):
            covered = fees_covered(fees, taken, paid[person])
            fees_of_night[person] = NightFee(fees.get(night.id, 0), covered.get(night.id, 0), taken.get(night.id, 0))
    return fees_of_night
