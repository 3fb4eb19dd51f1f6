"""No page of a closed night fails, no result depends on who is still there, and nothing is paid twice.

Places, champions, prizes, fees and the cash box are calculated a second time (`unruly_books.py`).
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from flask.testing import FlaskClient
from sqlalchemy import event, select

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.leagues.core.models import FixtureRow, NightRow, PaymentRow, PersonRow, SeasonRow, SquadRow, TableRow
from scorekeeper.leagues.money.ledger import ledger_of, night_fees
from scorekeeper.leagues.money.queries import money_page, season_money_page
from scorekeeper.leagues.money.service import prizes_before, saved_prizes
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.standings.night_snapshot import Seen, seen
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.standings_cache import season_standings
from scorekeeper.leagues.teams.standings import team_playoffs
from scorekeeper.web.extensions import db
from tests.leagues.results.unruly_books import Evening, person_ids
from tests.leagues.results.unruly_nights import DEVICE, EVERY_PLAN, PLANS, WORD, UnrulyNight
from tests.leagues.standings import second_calculation
from tests.support.quick_draws import quick_draws

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask

    from scorekeeper.leagues.results.pages import NightResults

NIGHTS = int(os.environ.get("SCOREKEEPER_UNRULY_NIGHTS", "100"))
"""Number of nights that the long test lives through, over all kinds of seasons. A season has one to three nights."""
FIRST = int(os.environ.get("SCOREKEEPER_UNRULY_SEED", "1"))
"""Seed of the first season."""
PARTS = 50
ALL_PAGES_OF, STANDINGS_OF, MANY = 20, 10, 100
"""Of so many seasons, one is read on all its pages, and one has its standings calculated a second time.

In a run of up to `MANY` nights, all seasons are read on all their pages.
"""
counted: Counter[str] = Counter()
"""What was compared, for the report at the end."""


@pytest.fixture(autouse=True)
def quick(app: Flask) -> Iterator[None]:
    """Shorten the search for a good seating, and don't wait for the disk, to save time."""

    def no_wait(connection: object, _record: object) -> None:
        connection.execute("PRAGMA synchronous = OFF")  # type: ignore[attr-defined]

    with app.app_context():
        engine = db.engine
        engine.dispose()
    on_sqlite = engine.dialect.name == "sqlite"
    if on_sqlite:
        event.listen(engine, "connect", no_wait)
    with quick_draws():
        yield
    if on_sqlite:
        event.remove(engine, "connect", no_wait)


def check(app: Flask, kind: str, seed: int, *, pages: int | None, standings: bool = True) -> None:
    """Live through a season, compare it with a second calculation, and open some of its pages, or all for None."""
    with app.app_context():
        season = UnrulyNight(kind, seed)
        season.live_through()
        public_ids = season.all_nights()
        for night in public_ids:
            check_night(season, night)
        check_accounts(season)
        if standings:
            check_standings(season)
        paths = list(dict.fromkeys(path for night in public_ids for path in season.pages(night)))
        paths = season.chance.sample(paths, len(paths) if pages is None else pages)
        counted.update(seasons=1, nights=len(public_ids), closings=season.closings, pages=len(paths))
        db.session.remove()
    reader = FlaskClient(app)
    reader.set_cookie(COOKIE, WORD)
    # A person who was merged into another is found there.
    wrong = {path: status for path in paths if (status := reader.get(path).status_code) not in (200, 302)}
    assert not wrong


def check_night(season: UnrulyNight, night: str) -> None:
    """Compare the champions, places and prizes of a night with a second calculation."""
    session, at = db.session(), seen(night)
    evening = Evening(session, night, season.told)
    mixed = night in season.mixed
    if at.bracket is not None and not mixed:
        counted["brackets"] += 1
        champion = evening.champion()
        assert at.bracket.champion == champion
        assert [set(group) for group in at.bracket.placed] == [set(group) for group in evening.bracket()]
        final = [at.bracket.seeds[seed] for seed in at.bracket.rounds[-1][0].seeds if seed is not None]
        assert not champion or champion in final, "not in the picture of the bracket"
    if season.kind == "team_match":
        assert team_playoffs(session, at.season).champion == slow_team_champion(at)
    results, closed = night_results(night), at.night.closed_at is not None
    page = money_page(night, DEVICE)
    assert not closed or bool(page.wrong) == (min(season.books.before(at.night.number + 1)) < 0)
    if not closed:
        return
    if not (mixed and evening.of_teams):
        check_places(at, evening, results)
    saved = saved_prizes(session, at.night)
    paid: Counter[int] = Counter()
    for line in saved:
        paid[line.person] -= line.cents
    assert +paid == +season.books.paid[night], "paid twice, or not at all"
    prizes = [line for line in saved if line.kind == "prize"]
    # Someone who changed partners has been in two teams.
    teams = {(each.person, *each.partners) for each in evening.played()} if evening.of_teams else set()
    most = Counter(person for person, *_partners in teams)
    won = Counter(line.person for line in prizes)
    assert mixed or all(prizes <= max(most[person], 1) for person, prizes in won.items()), "two prizes for one"
    before = {person: cents for person, cents in season.books.paid_before.get(night, {}).items() if cents}
    names = dict(session.execute(select(PersonRow.id, PersonRow.public_id)).all())
    assert prizes_before(session, at.night) == {names[person]: cents for person, cents in before.items()}
    for table in results.tables:
        shown = sum(round(100 * float(line.prize or 0)) for line in table.lines)
        assert shown == -sum(line.cents for line in prizes), "not each prize once, and no pot"
    check_sets_in_accounts(at)


def check_places(at: Seen, evening: Evening, results: NightResults) -> None:
    """Compare the places that the results of a closed night show with a second calculation."""
    counted["rankings"] += 1
    places: dict[frozenset[str], int] = {}
    above = 0
    for group in evening.places():
        places |= {frozenset(at.people[person].public_id for person in unit): above + 1 for unit in group}
        above += len(group)
    lines = results.tables[0].lines if results.tables else ()
    shown = {frozenset(person.id for person in line.people): line.rank for line in lines if line.rank is not None}
    assert shown == (places if lines else {})


def check_accounts(season: UnrulyNight) -> None:
    """Compare what each person owes, and the cash box, with a second calculation. No fee is paid twice."""
    session = db.session()
    row = session.scalars(select(SeasonRow).where(SeasonRow.public_id == season.season)).one()
    people = session.scalars(select(PersonRow).where(PersonRow.league_id == row.league_id)).all()
    now, ids = {who.id: who.merged_into or who.id for who in people}, {who.public_id: who.id for who in people}
    fee, owes, cash = season.books.settings.entry_fee, Counter[int](), 0
    due, came, left = Counter[int](), Counter[int](), Counter[int]()
    for night in season.all_nights():
        evening = Evening(session, night, season.told)
        if evening.night.closed_at is None:
            owes.update(dict.fromkeys(evening.payers(), fee))
        else:
            owes.update(season.books.charged[night])
            cash -= season.books.paid[night].total()
        entrants, _winners = season.books.pot.get(night, ([], []))
        cash += season.books.settings.pots[0].entry * len(entrants) + season.books.noted[night]
        of_night = (PaymentRow.night_id == evening.night.id, PaymentRow.kind == "fee")
        fees: Counter[int] = Counter()
        for person, cents in session.execute(select(PaymentRow.person_id, PaymentRow.cents).where(*of_night)):
            fees[person] += cents
        assert {person for person, cents in fees.items() if cents} <= set(person_ids(season.fees[night])), "fees"
        assert all(0 <= cents <= fee for cents in fees.values()), "a fee paid twice"
        for person in evening.payers():
            due[now[person]] += fee
        for person, cents in fees.items():
            came[now[person]] += cents
        for person, each in night_fees(session, row, evening.night).items():
            left[person] += each.left
        owes.subtract(fees)
        cash += fees.total()
    for who, cents in season.paid_in.items():
        came[now[ids[who]]] += cents
    assert +left == due - came, "fees left at the desks"
    for who, cents in season.owing.items():
        owes[ids[who]] += cents
    cash += season.received
    by_person: Counter[int] = Counter()
    for person, cents in owes.items():
        by_person[now[person]] += cents
    ledger = ledger_of(session, row)
    shown = {account.person: account.owes for account in ledger.accounts if account.owes}
    assert shown == {person: cents for person, cents in by_person.items() if cents}
    assert ledger.box.cash == cash
    season_money_page(season.season, DEVICE)


def check_standings(season: UnrulyNight) -> None:
    """Compare the standings of the season with a second calculation."""
    session = db.session()
    row = session.scalars(select(SeasonRow).where(SeasonRow.public_id == season.season)).one()
    people = session.scalars(select(PersonRow).where(PersonRow.league_id == row.league_id)).all()
    merged = {who.id: who.merged_into for who in people if who.merged_into is not None}
    evenings = [Evening(session, night, season.told) for night in season.all_nights()]
    played = [each for evening in evenings if not evening.night.playoff for each in evening.played(merged)]
    settings, tags = StandingSettings.from_json(row.counting), {who.id: who.public_id for who in people}
    told = season_standings(session, row)
    for rows, judge in ((told.people, second_calculation.people), (told.teams, second_calculation.teams)):
        if rows and not (rows is told.teams and season.mixed):
            counted["standings"] += 1
            judged = judge(played, settings, season.season, tags)
            expected = [(each["unit"], each["place"], each["points"], each["games"], each["wins"]) for each in judged]
            shown = [(line.unit, line.place, line.points, line.games, line.wins) for line in rows]
            assert shown == expected


def check_sets_in_accounts(at: Seen) -> None:
    """Check that accounts name a number of sets only if it is the number of the person's own ones, as the cents say."""
    session = db.session()
    ledger = ledger_of(session, at.season)
    per_set = MoneySettings.from_json(at.season.money).per_set
    lines = [item for account in ledger.accounts for item in account.items if item.kind == "sets"]
    assert all(item.cents == per_set * item.sets for item in lines if item.sets)
    on_paper = select(TableRow.id).where(TableRow.night_id == at.night.id, TableRow.paper_sets.is_not(None))
    paper = session.scalars(on_paper).first() is not None
    assert not any(item.sets for item in lines if item.night == at.night.number) or not paper


def slow_team_champion(at: Seen) -> int | None:
    """Return the team that won the final of a team season, if all its playoffs are over."""
    session = db.session()
    query = select(FixtureRow).where(FixtureRow.season_id == at.season.id, FixtureRow.stage > 0)
    rows = session.scalars(query.order_by(FixtureRow.stage, FixtureRow.number)).all()
    won = [_slow_winner(session.get_one(NightRow, row.night_id), row, at.season) for row in rows]
    seeded = select(SquadRow).where(SquadRow.season_id == at.season.id, SquadRow.seed.is_not(None))
    final = 1 if len(session.scalars(seeded).all()) == 2 else 2
    decided = (winner for row, winner in zip(rows, won, strict=True) if (row.stage, row.number) == (final, 1))
    return None if None in won else next(decided, None)


def _slow_winner(night: NightRow, row: FixtureRow, season: SeasonRow) -> int | None:
    if night.closed_at is None:
        return None
    if row.forfeit is not None:
        return (row.away_id, row.home_id)[row.forfeit]
    tables = select(TableRow).where(TableRow.night_id == night.id, TableRow.number == row.number)
    played = [table for table in db.session.scalars(tables) if table.points]
    if not played:
        return None
    points = [sum((table.points or [])[side] for table in played) for side in (0, 1)]
    won = [sum(table.winner == side for table in played) for side in (0, 1)]
    first = won if (season.playoffs or {})["match"] == "tables" else points
    return row.home_id if (first[0], points[0]) >= (first[1], points[1]) else row.away_id


@pytest.mark.parametrize("kind", PLANS)
def test_no_page_of_a_closed_night_fails(app: Flask, kind: str) -> None:
    check(app, kind, 0, pages=20)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_of_many_closed_nights_fails(
    app: Flask, part: int, record_property: Callable[[str, object], None]
) -> None:
    counted.clear()
    kinds = list(EVERY_PLAN)
    for seed in range(FIRST + part, FIRST + NIGHTS, PARTS):
        if counted["nights"] * PARTS >= NIGHTS:
            break
        turn, kind = divmod(seed, len(kinds))
        pages = None if NIGHTS <= MANY or not turn % ALL_PAGES_OF else 2
        try:
            check(app, kinds[kind], seed, pages=pages, standings=not turn % STANDINGS_OF)
        except BaseException as error:
            error.add_note(f"season {seed}: {kinds[kind]}")
            raise
    record_property("counted", list(counted.items()))
