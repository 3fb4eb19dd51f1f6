"""A winner that changes after the next round was seated: the desk says so, and the round is kept or seated again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import structs
from sqlalchemy import select

from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import LeagueEventRow
from scorekeeper.leagues.money.settings import MoneySettings, Share
from scorekeeper.leagues.nights import closing, service, tables
from scorekeeper.leagues.nights.outdated import outdated_round, take_rounds_back
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.night_snapshot import seen
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall, reason_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

MONEY = MoneySettings(entry_fee=500, payout=(Share(percent=60), Share(percent=40))).to_json()


def open_night(app: Flask, client: Phone, form: str, *, third: int = 0) -> Hall:
    """Open a night of eight people, in a knockout as four pairs, and seat its first round."""
    knockout = NightPlan(format="knockout", rounds=2, together="fixed", options={"third": third})
    plan = knockout if form == "knockout" else NightPlan(format=form, rounds=3)
    hall = open_hall(app, client, plan=plan, money=MONEY)
    hall.check_in(*NAMES[:8])
    if form == "knockout":
        with app.app_context():
            for first in range(0, 8, 2):
                pair = [hall.people[name] for name in NAMES[first : first + 2]]
                service.set_team(night=hall.night, people=pair, device=DIRECTOR)
    hall.draw()
    return hall


def score(hall: Hall, number: int, scores: Sequence[tuple[int, int]], reason: str = "") -> None:
    """Enter or correct the scores of a round, in order of the tables."""
    at = [table for table in hall.tables() if table.round == number]
    with hall.app.app_context():
        for table, totals in zip(at, scores, strict=True):
            tables.tell_result(
                night=hall.night,
                table=table.id,
                totals=totals,
                reason=reason,
                device=DIRECTOR,
                ended_by="agreed",
                winner=int(totals[1] > totals[0]),
            )


def champion(hall: Hall) -> set[str]:
    with hall.app.app_context():
        at = seen(hall.night)
        assert at.bracket is not None
        return {at.people[person].name for person in at.bracket.champion}


def winners(page: Page) -> bool:
    return "no longer fits the results: at table 1 of round 1, Gus and Hal won, not Ann and Bob." in page.text


def decide(hall: Hall, how: str, status: int = 303, **fields: str) -> Page:
    return hall.desk.submit(hall.at_desk(), f"{hall.path}/rounds/2/{how}", status, **fields)


def lines(hall: Hall, kind: str) -> list[LeagueEventRow]:
    return list(db.session.scalars(select(LeagueEventRow).where(LeagueEventRow.kind == kind)))


@pytest.mark.parametrize("third", [0, 1])
def test_a_corrected_winner_of_a_knockout_is_said_until_the_round_is_kept(
    app: Flask, client: Phone, third: int
) -> None:
    hall = open_night(app, client, "knockout", third=third)
    score(hall, 1, [(21, 13), (9, 22)])
    hall.draw()
    score(hall, 1, [(13, 21), (9, 22)], "sides swapped on the sheet")
    page = hall.at_desk()
    assert winners(page)
    assert "no seats yet" not in page.text, "said once"
    score(hall, 2, [(21, 10), (21, 8)][: 1 + third])
    page = hall.at_desk()
    assert winners(page)
    with app.app_context(), pytest.raises(RuleViolation, match="no longer fits"):
        closing.close_night(night=hall.night, device=DIRECTOR)
    assert "Enter a reason" in decide(hall, "kept", 422, reason=" ").text
    decide(hall, "kept", reason="Nobody noticed")
    page = hall.at_desk()
    assert "no longer fits" not in page.text
    assert champion(hall) == {"Ann", "Bob"}
    with app.app_context():
        (line,) = lines(hall, "seating_kept")
        assert reason_of(line) == "Nobody noticed"
        closing.close_night(night=hall.night, device=DIRECTOR)
    money = hall.desk.see(f"{hall.path}/money").text
    assert "1st place prize Ann" in money
    assert "kept the seating of round 2, although" in hall.desk.see(f"/leagues/{hall.league}/log").text


def test_a_round_that_no_longer_fits_is_taken_back_with_its_results(app: Flask, client: Phone) -> None:
    hall = open_night(app, client, "knockout")
    score(hall, 1, [(21, 13), (9, 22)])
    hall.draw()
    score(hall, 2, [(21, 10)])
    (final,) = [table for table in hall.tables() if table.round == 2]
    score(hall, 1, [(13, 21), (9, 22)], "sides swapped on the sheet")
    page = hall.at_desk()
    form = page.form(f"{hall.path}/rounds/2/redone")
    assert form.values["table"] == str(final.id)
    assert "Round 2, table 1 Ann and Bob 21 vs. Eve and Fay 10" in page.text
    with app.app_context(), pytest.raises(RuleViolation, match="Check the list again"):
        take_rounds_back(night=hall.night, number=2, listed=[], device=DIRECTOR)
    page = decide(hall, "redone")
    assert "no longer fits" not in page.text
    (again,) = [table for table in hall.tables() if table.round == 2]
    with app.app_context():
        names = {person.id: person.name for person in seen(hall.night).people.values()}
        assert {names[person] for person in again.seats} == {"Eve", "Fay", "Gus", "Hal"}
        old = db.session.scalars(select(GameRow).where(GameRow.public_id == final.game)).one()
        assert old.deleted_at is not None
        (line,) = lines(hall, "rounds_undone")
        assert line.data["results"] == [[2, 1, [21, 10]]]
    assert "In the lead:" not in hall.desk.see(hall.path).text  # nobody leads before the final
    score(hall, 2, [(21, 15)])
    assert champion(hall) == {"Gus", "Hal"}
    log = hall.desk.see(f"/leagues/{hall.league}/log").text
    assert "removed round 2 and all later ones" in log
    assert "Removed: Round 2, table 1: 21 to 10." in log


def test_a_winner_that_is_corrected_back_needs_no_decision(app: Flask, client: Phone) -> None:
    hall = open_night(app, client, "knockout")
    score(hall, 1, [(21, 13), (9, 22)])
    hall.draw()
    score(hall, 1, [(13, 21), (9, 22)], "wrong way round")
    page = hall.at_desk()
    assert winners(page)
    score(hall, 1, [(21, 14), (9, 22)], "no, right")
    assert "no longer fits" not in hall.at_desk().text
    with app.app_context():
        night = night_at(db.session(), hall.night)
        open_again = [
            structs.replace(table, verdict=table.verdict and structs.replace(table.verdict, winner=None))
            for table in tables_of(db.session(), night)
        ]
        assert outdated_round(db.session(), night, open_again) is None, "nobody has won yet"
    late = hall.desk.submit(page, f"{hall.path}/rounds/2/kept", 422, reason="too late")
    assert "The results have changed again." in late.text


def test_a_corrected_winner_of_a_progressive_night_moves_up(app: Flask, client: Phone) -> None:
    hall = open_night(app, client, "progressive")
    score(hall, 1, [(21, 13), (9, 22)])
    hall.draw()
    score(hall, 2, [(21, 13), (9, 22)])
    hall.draw()
    score(hall, 1, [(22, 13), (9, 22)], "only the points")
    assert "no longer fits" not in hall.at_desk().text
    score(hall, 1, [(22, 13), (22, 9)], "sides swapped on the sheet")
    page = hall.at_desk()
    assert "The seating from round 2 on no longer fits the results: at table 2 of round 1" in page.text
    moved = {person for table in hall.tables() if table.round == 1 for person in table.plan.sides[0]}
    decide(hall, "redone")
    after = [table for table in hall.tables() if table.round > 1]
    assert [(table.round, table.number) for table in after] == [(2, 1), (2, 2)]
    assert set(after[0].seats) == moved, "the winners of both tables"


def test_four_people_keep_their_table_whoever_won(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client, plan=NightPlan(format="progressive", rounds=3))
    hall.check_in(*NAMES[:4])
    hall.draw()
    score(hall, 1, [(21, 13)])
    hall.draw()
    score(hall, 1, [(13, 21)], "wrong way round")
    assert "no longer fits" not in hall.at_desk().text


def test_closing_a_night_without_a_decision_is_in_the_history(app: Flask, client: Phone) -> None:
    hall = open_night(app, client, "knockout")
    score(hall, 1, [(21, 13), (9, 22)])
    hall.draw()
    score(hall, 2, [(21, 10)])
    score(hall, 1, [(13, 21), (9, 22)], "wrong way round")
    page = hall.at_desk()
    assert page.form(f"{hall.path}/closing").values["outdated"] == "2"
    page = hall.desk.submit(page, f"{hall.path}/closing")
    assert winners(page), "a closed night still says so"
    assert "Round 2 no longer fit the results before it." in hall.desk.see(f"/leagues/{hall.league}/log").text
    for path in ("", "/results", "/results.csv", "/money", "/tv"):
        assert hall.desk.get(f"{hall.path}{path}").status_code == 200
    assert "Champions: Ann and Bob" in hall.desk.see(hall.path).text
