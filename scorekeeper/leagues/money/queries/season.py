"""Read the accounts of a season for its money page and as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

from scorekeeper.games.presenters.agreements import amount_text, cents_text
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.leagues.core.access import demand, season_at
from scorekeeper.leagues.core.header import head_of
from scorekeeper.leagues.core.models import LeagueRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.money.balances import Account, CashBox, Item
from scorekeeper.leagues.money.ledger import Ledger, ledger_of
from scorekeeper.leagues.money.pages import Balance, SeasonMoneyPage, StatementLine
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.money.wording import money_words
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.web.csv_cells import Cell, csv_file
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import day_text
from scorekeeper.web.text import unaccented


def season_money_page(season_id: str, device: str | None, *, who: str = "", error: str = "") -> SeasonMoneyPage:
    """Return the page with the accounts of a season.

    Every account shows its balance. Only the account of the person `who` (public id) also lists its entries. Raises
    `NoSuchLeagueError`, or `NotAllowedError` if the device belongs to neither a director nor an owner.
    """
    league, season, ledger = _read(season_id, device)
    balances = [_balance(account, ledger, who) for account in _by_name(ledger)]
    people = sorted(ledger.roster.people.values(), key=lambda who: (unaccented(who.name), who.id))
    return SeasonMoneyPage(
        league=head_of(league, device),
        season_id=season.public_id,
        season=season.name,
        accounts=tuple(sorted(balances, key=lambda balance: balance.state != "owes")),
        owed=amount_text(ledger.box.unpaid),
        box=_box(ledger.box),
        prizes=tuple((_("Night %(number)s", number=night), amount_text(cents)) for night, cents in ledger.box.prizes),
        paid_out=amount_text(sum(cents for _night, cents in ledger.box.prizes)),
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
