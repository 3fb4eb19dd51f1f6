"""Read the money of a night for its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.games.presenters.agreements import amount_text, cents_text
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.header import head_of
from scorekeeper.leagues.core.models import LeagueRow, MoneyRow, NightRow, PersonRow, SeasonRow
from scorekeeper.leagues.money.fee_payers import fee_payers
from scorekeeper.leagues.money.pages import Amount, FeePayer, FeesPanel, MoneyPage, PotForm, PotPlayer, PrizeChange
from scorekeeper.leagues.money.payments import fees_paid
from scorekeeper.leagues.money.ranking import prize_reasons, ranking_of
from scorekeeper.leagues.money.receipt import receipt
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
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.night_snapshot import Known
from scorekeeper.leagues.standings.paper_sets import tables_without_sets
from scorekeeper.leagues.standings.roster import Roster, roster_of
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import day_text
from scorekeeper.web.text import unaccented


def money_page(night_id: str, device: str | None, *, error: str = "", part: str = "") -> MoneyPage:
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
    after.after(rows if closed else [row for row in rows if row.kind == NOTED])
    lines, wrong = _receipt(session, night, roster.called) if closed else ((), "")
    kinds = {row.kind for row in rows}
    return MoneyPage(
        league=head_of(session.get_one(LeagueRow, season.league_id), device),
        night_id=night.public_id,
        title=_("Money: night %(number)s", number=night.number),
        night=_("Night %(number)s", number=night.number),
        day=day_text(night.day),
        season=season.name,
        season_id=season.public_id,
        played_for=settings != MoneySettings(),
        by_bracket=NightPlan.from_json(night.plan).format == KNOCKOUT.key,
        closed=closed,
        receipt=lines,
        reasons=_reasons(session, season, night, rows, roster) if lines else (),
        sets_missing=_sets_missing(session, night) if settings.per_set else "",
        still_due=_still_due(session, night, rows) if lines else "",
        wrong=wrong,
        corrected=_corrected(session, night, roster) if lines else (),
        noted=tuple(Amount(row.what, cents_text(row.cents)) for row in rows if row.kind == NOTED),
        till=_till(before, after, [pot.name for pot in settings.pots]),
        pots=() if closed else _pots(session, season, night, rows, before),
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

    `people` has everyone in the league, by id.
    """
    fee = MoneySettings.from_json(season.money).entry_fee
    if not fee:
        return None
    due: Counter[int] = Counter()
    if night.closed_at is None:
        for _night, person in fee_payers(session, (night.id,)):
            due[people[person].id] += fee
    else:
        for row in rows_of(session, night):
            if row.kind == "entry" and row.person_id is not None:
                due[people[row.person_id].id] += row.cents
    paid: Counter[int] = Counter()
    for person, cents in fees_paid(session, night).items():
        paid[people[person].id] += cents
    owing = [person for person, cents in due.items() if paid[person] < cents]
    return FeesPanel(
        fee=amount_text(fee),
        owing=_payers(people, owing, due),
        paid=_payers(people, [person for person, cents in paid.items() if cents > 0 and person not in owing], due),
        players=len(due),
        due=amount_text(sum(due[person] - paid[person] for person in owing)),
    )


def _still_due(session: Session, night: NightRow, rows: Iterable[MoneyRow]) -> str:
    """Return the total of a closed night's unpaid entry fees, as text; empty if everyone has paid.

    `rows` are the money rows of the night.
    """
    paid = fees_paid(session, night)
    fees = [(row.person_id or 0, row.cents) for row in rows if row.kind == "entry"]
    due = sum(max(cents - paid.get(person, 0), 0) for person, cents in fees)
    return amount_text(due) if due else ""


def _payers(people: Mapping[int, Known], ids: Iterable[int], due: Mapping[int, int]) -> tuple[FeePayer, ...]:
    rows = sorted((people[person] for person in ids), key=lambda known: (unaccented(known.name), known.id))
    return tuple(FeePayer(row.public_id, row.name, "" if row.id in due else _("owes no fee")) for row in rows)


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
    session: Session, season: SeasonRow, night: NightRow, rows: Sequence[MoneyRow], before: Till
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
            amount_text(before.pots.get(pot.name, 0)),
            tuple(
                PotPlayer(row.public_id, row.name, (pot.name, row.id) in paid, (pot.name, row.id) in won)
                for row in people
            ),
            len(players_in(session, season, night, pot.name)),
        )
        for pot in pots
    )
