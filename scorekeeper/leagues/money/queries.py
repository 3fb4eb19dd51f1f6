"""Read the money of a night and of a season for their pages.

Read the money of a night for its page.

Read the accounts of a season for its money page and as CSV.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from types import SimpleNamespace

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.games.presenters.agreements import amount_text, cents_text
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.core.access import demand, head_of, night_at, season_at
from scorekeeper.leagues.core.models import LeagueRow, MoneyRow, NightRow, PersonRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.money.balances import Account, CashBox, Item
from scorekeeper.leagues.money.ledger import Ledger, NightFee, ledger_of, night_fees
from scorekeeper.leagues.money.pages import (
    Amount,
    Balance,
    FeePayer,
    FeesPanel,
    PotForm,
    PotPlayer,
    PrizeChange,
    StatementLine,
    money_words,
)
from scorekeeper.leagues.money.ranking import prize_reasons, ranking_of
from scorekeeper.leagues.money.service import (
    LAST_NIGHT,
    NOTED,
    OPEN_KITTY,
    POT_ENTRY,
    POT_PRIZE,
    Till,
    players_in,
    prizes_before,
    prizes_now,
    rows_of,
    saved_money,
    till_before,
)
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.money.takings import receipt
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.night_snapshot import Known
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.queries import tables_without_sets
from scorekeeper.leagues.standings.standings_cache import Roster, roster_of
from scorekeeper.web.csv_cells import Cell, csv_file
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import day_text
from scorekeeper.web.text import unaccented


def money_page(night_id: str, device: str | None, *, error: str = "", part: str = "") -> SimpleNamespace:
    """Return the money page of a night.

    The page of a closed night shows the receipt. The page of an open night shows the forms for the pots and the kitty.
    `error` is a message to show at the form named by `part`. Raises `NoSuchLeagueError`.
    """
    session = db.session()
    night = night_at(session, night_id)
    season = session.get_one(SeasonRow, night.season_id)
    settings = MoneySettings.from_json(season.money)
    rows = rows_of(session, night)
    roster = roster_of(session, season.league_id)
    closed = night.closed_at is not None
    before, after = till_before(session, night), till_before(session, night)
    # Until the night is closed, nobody has been paid from a pot, also if its winners are known.
    after.after(rows if closed else [row for row in rows if row.kind in (NOTED, POT_ENTRY)])
    lines, wrong = _receipt(session, night, roster.called) if closed else ((), "")
    kinds = {row.kind for row in rows}
    return SimpleNamespace(
        league=head_of(session.get_one(LeagueRow, season.league_id), device),
        night_id=night.public_id,
        title=_("Money: night %(number)s", number=night.number),
        night=_("Night %(number)s", number=night.number),
        day=day_text(night.day),
        season=season.name,
        season_id=season.public_id,
        # True if the season is played for money.
        played_for=settings != MoneySettings(),
        # True if prizes follow the bracket of a knockout.
        by_bracket=NightPlan.from_json(night.plan).format == KNOCKOUT.key,
        closed=closed,
        receipt=lines,
        reasons=_reasons(session, season, night, rows, roster) if lines else (),
        # Sentence with the number of tables whose sets (failed bids) weren't entered; empty if none, or if sets cost 0.
        sets_missing=_sets_missing(session, night) if settings.per_set else "",
        # Sum of the entry fees of a closed night that haven't been paid yet, as text; empty if there are none.
        still_due=_still_due(session, season, night) if lines else "",
        # Sentence that says why the receipt no longer balances; empty if it balances.
        wrong=wrong,
        # Players whose prizes changed when a closed night was corrected, by name; empty if none did.
        corrected=_corrected(session, night, roster) if lines else (),
        noted=tuple(Amount(row.what, cents_text(row.cents)) for row in rows if row.kind == NOTED),
        till=_till(before, after, [pot.name for pot in settings.pots]),
        pots=() if closed else _pots(session, season, night, rows, after),
        opens_kitty=OPEN_KITTY in kinds,
        last_night=LAST_NIGHT in kinds,
        client_id=new_tap_id(),
        error=error,
        part=part,
    )


def _sets_missing(session: Session, night: NightRow) -> str:
    missing = tables_without_sets(session, NightRow.id == night.id)
    return (
        ngettext(
            "No sets were entered for one table, so nobody there is charged for sets.",
            "No sets were entered for %(num)s tables, so nobody there is charged for sets.",
            missing,
        )
        if missing
        else ""
    )


def _reasons(
    session: Session, season: SeasonRow, night: NightRow, rows: Sequence[MoneyRow], roster: Roster
) -> tuple[tuple[int, str, str], ...]:
    paid = {int(row.what) for row in rows if row.kind == "prize"}
    if not paid:
        return ()
    told = prize_reasons(ranking_of(session, season, night), paid, lambda person: isolated(roster.called(person)))
    return tuple((each.place, spoken(each.who), " ".join(map(spoken, each.why))) for each in told)


def _corrected(session: Session, night: NightRow, roster: Roster) -> tuple[PrizeChange, ...]:
    """Return how the prizes of a closed night differ from those that it had paid before it was last reopened."""
    before = prizes_before(session, night)
    if not before:
        return ()
    now = prizes_now(session, night)
    query = select(PersonRow.public_id, func.coalesce(PersonRow.merged_into, PersonRow.id))
    was: Counter[int] = Counter()
    due: Counter[int] = Counter()
    for public_id, person in session.execute(query.where(PersonRow.public_id.in_(before.keys() | now.keys()))):
        was[person] += before.get(public_id, 0)
        due[person] += now.get(public_id, 0)
    changed = sorted((roster.called(person), person) for person in due if was[person] != due[person])
    return tuple(
        PrizeChange(
            name,
            amount_text(was[person]),
            amount_text(due[person]),
            _("gets %(amount)s", amount=amount_text(due[person] - was[person]))
            if due[person] > was[person]
            else _("gives back %(amount)s", amount=amount_text(was[person] - due[person])),
        )
        for name, person in changed
    )


def _receipt(session: Session, night: NightRow, name: Callable[[int], str]) -> tuple[tuple[Amount, ...], str]:
    try:
        saved = saved_money(session, night)
    except ValueError:
        wrong = _(
            "An earlier night has changed, so this night paid out more than there was. Reopen this night, then close "
            "it again."
        )
        return (), wrong
    return tuple(
        Amount(
            spoken(line.what),
            amount_text(line.cents) if line.cents >= 0 else cents_text(line.cents),
            str(line.count) if line.count else "",
            name(line.person) if line.person else "",
            line.is_sum,
        )
        for line in receipt(saved)
    ), ""


def fees_panel(session: Session, season: SeasonRow, night: NightRow, people: Mapping[int, Known]) -> FeesPanel | None:
    """Return the people who still owe the entry fee of a night and those who paid it; None if the season has no fee.

    What was paid through the accounts of the season counts, too. `people` has everyone in the league, by id.
    """
    fee = MoneySettings.from_json(season.money).entry_fee
    if not fee:
        return None
    fees = night_fees(session, season, night)
    owing = {person: each for person, each in fees.items() if each.left > 0}
    paid = {person: each for person, each in fees.items() if each.left <= 0 and (each.due or each.at_desk > 0)}
    return FeesPanel(
        fee=amount_text(fee),
        owing=_payers(people, owing),
        paid=_payers(people, paid),
        players=sum(each.due > 0 for each in fees.values()),
        due=amount_text(sum(each.left for each in owing.values())),
    )


def _still_due(session: Session, season: SeasonRow, night: NightRow) -> str:
    """Return the total of a night's unpaid entry fees, as text; empty if everyone has paid."""
    due = sum(each.left for each in night_fees(session, season, night).values())
    return amount_text(due) if due else ""


def _payers(people: Mapping[int, Known], fees: Mapping[int, NightFee]) -> tuple[FeePayer, ...]:
    rows = sorted((people[person] for person in fees), key=lambda known: (unaccented(known.name), known.id))
    return tuple(FeePayer(row.public_id, row.name, _fee_note(fees[row.id]), fees[row.id].at_desk > 0) for row in rows)


def _fee_note(fee: NightFee) -> str:
    if not fee.due:
        return _("owes no fee")
    if fee.left > 0:
        return _("%(amount)s due", amount=amount_text(fee.left)) if fee.paid else ""
    return "" if fee.at_desk > 0 else _("paid in the accounts")


def _till(before: Till, after: Till, pots: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
    names = sorted({*pots, *before.pots, *after.pots})
    return (
        (_("Kitty"), _plain(before.kitty), _plain(after.kitty)),
        *(
            (_("Pot “%(pot)s”", pot=name), _plain(before.pots.get(name, 0)), _plain(after.pots.get(name, 0)))
            for name in names
        ),
    )


def _plain(cents: int) -> str:
    return amount_text(cents) if cents >= 0 else cents_text(cents)


def _pots(
    session: Session, season: SeasonRow, night: NightRow, rows: Sequence[MoneyRow], now: Till
) -> tuple[PotForm, ...]:
    pots = MoneySettings.from_json(season.money).pots
    if not pots:
        return ()
    people = sorted(players_in(session, season, night, None), key=lambda row: (row.name.casefold(), row.id))
    paid = {(row.what, row.person_id) for row in rows if row.kind == POT_ENTRY}
    won = {(row.what, row.person_id) for row in rows if row.kind == POT_PRIZE}
    return tuple(
        PotForm(
            pot.name,
            amount_text(pot.entry),
            amount_text(now.pots.get(pot.name, 0)),
            tuple(
                PotPlayer(row.public_id, row.name, (pot.name, row.id) in paid, (pot.name, row.id) in won)
                for row in people
            ),
            len(players_in(session, season, night, pot.name)),
        )
        for pot in pots
    )


def season_money_page(season_id: str, device: str | None, *, who: str = "", error: str = "") -> SimpleNamespace:
    """Return the page with the accounts of a season.

    Every account shows its balance. Only the account of the person `who` (public id) also lists its entries. Raises
    `NoSuchLeagueError`, or `NotAllowedError` if the device belongs to neither a director nor an owner.
    """
    league, season, ledger = _read(season_id, device)
    balances = [_balance(account, ledger, who) for account in _by_name(ledger)]
    people = sorted(ledger.roster.people.values(), key=lambda who: (unaccented(who.name), who.id))
    return SimpleNamespace(
        league=head_of(league, device),
        season_id=season.public_id,
        season=season.name,
        accounts=tuple(sorted(balances, key=lambda balance: balance.state != "owes")),
        owed=amount_text(ledger.box.unpaid),
        box=_box(ledger.box),
        prizes=tuple((_("Night %(number)s", number=night), amount_text(cents)) for night, cents in ledger.box.prizes),
        paid_out=amount_text(sum(cents for _night, cents in ledger.box.prizes)),
        # The cash in the box, as text; if `missing` is true, how much more was paid out than has come in.
        cash=amount_text(ledger.box.cash),
        missing=ledger.box.cash < 0,
        players=tuple((who.public_id, who.name) for who in people if who.merged_into is None),
        today=today(),
        client_id=new_tap_id(),
        error=error,
    )


def today() -> date:
    """Return the date on the wall, on which a payment is made that is entered now."""
    return datetime.now(UTC).astimezone().date()


def money_rule(season_id: str) -> tuple[str, ...]:
    """Return sentences about how fees and prizes work in a season; () if the season isn't played for money.

    Raises `NoSuchLeagueError`.
    """
    season = season_at(db.session(), season_id)
    playoffs = PlayoffSettings.from_json(season.playoffs or {})
    return money_words(MoneySettings.from_json(season.money), playoffs=playoffs.held)


def everyone_in(season_id: str, device: str | None) -> list[str]:
    """Return the public ids of everyone who has an account in the season. Raises what `season_money_page` raises."""
    _league, _season, ledger = _read(season_id, device)
    return [ledger.roster.people[account.person].public_id for account in ledger.accounts]


def accounts_csv(season_id: str, device: str | None) -> bytes:
    """Return all entries of the accounts of a season as a CSV file. Raises what `season_money_page` raises."""
    _league, _season, ledger = _read(season_id, device)
    head = [_("Name"), _("Date"), _("Night"), _("Item"), _("Owed"), _("Paid"), _("Note")]
    lines: list[Sequence[Cell]] = [
        (
            ledger.roster.people[account.person].name,
            item.day.isoformat(),
            item.night or None,
            _what(item),
            item.charged / 100 if item.charged else None,
            item.paid / 100 if item.paid else None,
            item.what,
        )
        for account in _by_name(ledger)
        for item in account.items
    ]
    return csv_file(head, lines)


def _read(season_id: str, device: str | None) -> tuple[LeagueRow, SeasonRow, Ledger]:
    session = db.session()
    season = season_at(session, season_id)
    league = session.get_one(LeagueRow, season.league_id)
    demand(league, device, Role.DIRECTOR)
    return league, season, ledger_of(session, season)


def _by_name(ledger: Ledger) -> list[Account]:
    people = ledger.roster.people
    return sorted(ledger.accounts, key=lambda account: (unaccented(people[account.person].name), account.person))


def _balance(account: Account, ledger: Ledger, shown: str) -> Balance:
    """Return the balance of an account for the page.

    The entries of the account are included only if it belongs to the person `shown` (public id).
    """
    who = ledger.roster.people[account.person]
    corrected = {item.corrects for item in account.items}
    last = max(account.items, key=lambda item: item.payment, default=None)
    is_new = last is not None and last.kind == "payment" and not last.corrects and last.day == today()
    return Balance(
        id=who.public_id,
        name=who.name,
        state="owes" if account.owes > 0 else "ahead" if account.owes < 0 else "even",
        amount=amount_text(account.owes),
        cents=account.owes,
        charged=_signed(account.charged),
        paid=_signed(account.paid),
        undoable=last.payment if last is not None and is_new else 0,
        lines=tuple(
            StatementLine(
                day_text(item.day),
                _what(item),
                _signed(item.charged) if item.charged else "",
                _signed(item.paid) if item.paid else "",
                item.what,
                0 if item.corrects or item.payment in corrected else item.payment,
            )
            for item in (account.items if who.public_id == shown else ())
        ),
    )


def _what(item: Item) -> str:
    """Return the label of an entry in an account, such as "Night 3: 2 own sets".

    Standings count the sets of a whole side, so the label says whose sets these are, and has no number if partners
    share the cost.
    """
    labels = {
        "entry": _("Entry fee"),
        "sets": ngettext("1 own set", "%(num)s own sets", item.sets) if item.sets else _("Share of sets"),
        "fee": _("Entry fee paid"),
        "payment": _("Paid") if item.cents > 0 else _("Refund"),
        "charge": _("Charge"),
    }
    label = _("Correction") if item.corrects else labels[item.kind]
    return _("Night %(number)s: %(what)s", number=item.night, what=label) if item.night else label


def _box(box: CashBox) -> tuple[tuple[str, str], ...]:
    lines = (
        (_("Kitty"), box.kitty),
        (_("Side pots"), box.pots),
        (_("Entry fees for the open night"), box.tonight),
        (_("Dues and other charges"), box.dues),
        (_("Paid ahead"), box.ahead),
        (_("Not paid yet"), -box.unpaid),
    )
    return tuple((label, _signed(cents)) for label, cents in lines if cents)


def _signed(cents: int) -> str:
    """Return an amount of cents as text, with a minus sign if it is below zero."""
    return amount_text(cents) if cents >= 0 else cents_text(cents)
