"""No page of a closed night fails, and no result depends on who is still there, whatever happened at the desk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.leagues.core.models import PresentRow
from scorekeeper.leagues.money.service import saved_prizes
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.standings.night_snapshot import Seen, seen
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
            assert not champion or {line.person for line in prizes if line.place == 1} in (set(), set(champion))
        # Someone who changed partners can have been in two teams.
        assert night.mixed or len({line.person for line in prizes}) == len(prizes), "paid twice"
        everything = -sum(line.cents for line in saved_prizes(db.session(), at.night))
        for table in night_results(night.night).tables:
            shown = sum(round(100 * float(line.prize or 0)) for line in table.lines)
            # A pot can be won by somebody without a game, who isn't ranked.
            assert -sum(line.cents for line in prizes) <= shown <= everything, "not each prize once"
        paths = night.pages()
        db.session.remove()
    reader = FlaskClient(app)
    reader.set_cookie(COOKIE, WORD)
    # A person who was merged into another is found there.
    assert not {path: status for path in paths if (status := reader.get(path).status_code) not in (200, 302)}


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


@pytest.mark.parametrize("kind", PLANS)
def test_no_page_of_a_closed_night_fails(app: Flask, kind: str) -> None:
    check(app, kind, 0)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_no_page_of_many_closed_nights_fails(app: Flask, part: int) -> None:
    for seed in range(1 + part, 1 + NIGHTS, 10):
        check(app, list(PLANS)[seed % len(PLANS)], seed)
