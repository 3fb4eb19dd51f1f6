"""No page of a closed night fails, and no result depends on who is still there, whatever happened at the desk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.leagues.core.models import FixtureRow, NightRow, PresentRow, SeasonRow, TableRow
from scorekeeper.leagues.money.ledger import ledger_of
from scorekeeper.leagues.money.service import saved_prizes
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.standings.night_snapshot import Seen, seen
from scorekeeper.leagues.teams.standings import team_playoffs
from scorekeeper.web.extensions import db
from tests.leagues.results.unruly_nights import PLANS, WORD, UnrulyNight
from tests.support.quick_draws import quick_draws

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from scorekeeper.leagues.schedule.plan import Unit

NIGHTS = int(os.environ.get("SCOREKEEPER_UNRULY_NIGHTS", "100"))
"""Number of nights of the long test, over all kinds."""


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    """Shorten the search for a good seating, to save time."""
    with quick_draws():
        yield


def check(app: Flask, kind: str, seed: int) -> None:
    """Live through a night, compare its champions and prizes with a second calculation, and open all its pages."""
    with app.app_context():
        night = UnrulyNight(kind, seed)
        night.live_through()
        at = seen(night.night)
        prizes = [line for line in saved_prizes(db.session(), at.night) if line.kind == "prize"]
        if at.bracket is not None and not night.mixed:
            champion = slow_champion(at)
            assert at.bracket.champion == champion
            final = [at.bracket.seeds[seed] for seed in at.bracket.rounds[-1][0].seeds if seed is not None]
            assert not champion or champion in final, "not in the picture of the bracket"
            assert not champion or {line.person for line in prizes if line.place == 1} in (set(), set(champion))
        if kind == "team_match":
            assert team_playoffs(db.session(), at.season).champion == slow_team_champion(at)
        # Someone who changed partners can have been in two teams.
        assert night.mixed or len({line.person for line in prizes}) == len(prizes), "paid twice"
        everything = -sum(line.cents for line in saved_prizes(db.session(), at.night))
        for table in night_results(night.night).tables:
            shown = sum(round(100 * float(line.prize or 0)) for line in table.lines)
            # A pot can be won by somebody without a game, who isn't ranked.
            assert -sum(line.cents for line in prizes) <= shown <= everything, "not each prize once"
        check_sets_in_accounts(at)
        paths = night.pages()
        db.session.remove()
    reader = FlaskClient(app)
    reader.set_cookie(COOKIE, WORD)
    # A person who was merged into another is found there.
    assert not {path: status for path in paths if (status := reader.get(path).status_code) not in (200, 302)}


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


def slow_champion(at: Seen) -> Unit:
    """Return the only team that lost no game of a knockout, or the only one left that went home last; else ().

    A round counts once each of its tables has a winner. Teams that weren't seated, nor sat out, when they could have
    played on, have withdrawn. A team that played in the next round hasn't lost,
    even if a score was corrected since.
    """
    session = db.session()
    rows = session.scalars(select(PresentRow).where(PresentRow.night_id == at.night.id)).all()
    assert at.bracket is not None
    left, rounds = set(at.bracket.seeds), 0
    seated = {n: [table for table in at.tables if table.round == n] for n in range(1, at.begun + 1)}
    for number, tables in seated.items():
        going_on = set(at.byes.get(number, ()))
        if later := seated.get(number + 1):
            beside = later[1:] if len(tables) == 2 and not going_on else []  # the game for third place
            going_on = {person for table in later if table not in beside for person in table.seats}
            going_on |= set(at.byes.get(number + 1, ()))
        elif any(table.verdict is None or table.verdict.winner is None for table in tables):
            break
        else:
            going_on |= {p for each in tables if each.verdict for p in each.plan.sides[each.verdict.winner or 0]}
        rounds = number
        left = {team for team in left if going_on >= set(team)}
    if rounds == at.begun and len(left) > 1:
        here = {row.person_id for row in rows if row.to_round is None}
        alone = [team for team in left if here >= set(team)]
        left = set(alone) if len(alone) == 1 else left
    return next(iter(left)) if len(left) == 1 and at.begun else ()


def slow_team_champion(at: Seen) -> int | None:
    """Return the team that won the final of a team season, if all its playoffs are over."""
    session = db.session()
    query = select(FixtureRow).where(FixtureRow.season_id == at.season.id, FixtureRow.stage > 0)
    rows = session.scalars(query.order_by(FixtureRow.stage, FixtureRow.number)).all()
    nights = {row.night_id for row in rows}
    won = [_slow_winner(session.get_one(NightRow, row.night_id), row, at.season) for row in rows]
    return (
        None
        if None in won or len(nights) < 2
        else next(winner for row, winner in zip(rows, won, strict=True) if (row.stage, row.number) == (2, 1))
    )


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
    check(app, kind, 0)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_no_page_of_many_closed_nights_fails(app: Flask, part: int) -> None:
    for seed in range(1 + part, 1 + NIGHTS, 10):
        check(app, list(PLANS)[seed % len(PLANS)], seed)
