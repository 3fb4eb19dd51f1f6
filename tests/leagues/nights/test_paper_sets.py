"""Sets (lost bids) that are typed together with a final score, in seasons in which the number of sets matters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from scorekeeper.leagues.core.access import NotAllowedError, night_at
from scorekeeper.leagues.core.models import LeagueEventRow, MoneyRow, SeasonRow, TableRow
from scorekeeper.leagues.nights import closing, table_disputes, tables
from scorekeeper.leagues.nights.tables import card_word
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.queries import asks_for_sets
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.standings_cache import season_standings
from scorekeeper.leagues.standings.table_results import TableState
from scorekeeper.rules.commands import EnterResult
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, Hall, buttons, open_hall
from tests.support.page import Page
from tests.support.phone import Phone

EIGHT = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night with two tables, in a season in which a set costs 0.25."""
    hall = open_hall(app, client, plan=NightPlan(rounds=1), money={"per_set": 25})
    hall.check_in(*EIGHT)
    hall.draw()
    return hall


def _post(hall: Hall, fields: Mapping[str, str], status: int = 303) -> Page:
    typed: dict[str, Any] = dict(fields)
    return hall.desk.submit(hall.at_desk(), f"{hall.path}/rounds/1/results", status, **typed)


def _score(table: TableState, ours: str = "21", theirs: str = "9", *sets: str) -> dict[str, str]:
    told = {f"points-{table.id}-0": ours, f"points-{table.id}-1": theirs}
    return told | {f"sets-{table.id}-{side}": count for side, count in enumerate(sets)}


def _typed(page: Page, table: TableState) -> list[str | None]:
    return [page.one("input", name=f"sets-{table.id}-{side}").get("value") for side in (0, 1)]


def test_the_desk_saves_sets_with_the_score(hall: Hall) -> None:
    """If the sets of only one side are typed, the other side gets 0. If both fields are empty, no sets are saved."""
    one, other = hall.tables()
    _post(hall, _score(one, "21", "9", "", "2") | _score(other))
    one, other = hall.tables()
    assert (one.sets, one.paper_sets) == ((0, 2), (0, 2))
    assert (other.sets, other.paper_sets) == ((0, 0), None)
    assert _typed(hall.at_desk("?round=1"), one) == ["0", "2"]
    with hall.app.app_context():
        data = db.session.scalars(select(LeagueEventRow.data).where(LeagueEventRow.kind == "sets_told")).one()
    assert (data["before"], data["after"]) == (None, [0, 2])


def test_sets_are_added_to_a_saved_score_without_a_reason(hall: Hall) -> None:
    """Sets can be added to a saved score without giving a reason.

    A desk page that was opened earlier doesn't erase sets that were entered since.
    """
    one, _other = hall.tables()
    _post(hall, _score(one))
    stale = hall.at_desk("?round=1")
    with hall.app.app_context():
        tables.tell_sets(night=hall.night, table=one.id, sets=(1, 0), device=DIRECTOR)
    hall.desk.submit(stale, f"{hall.path}/rounds/1/results")
    assert hall.tables()[0].paper_sets == (1, 0)
    _post(hall, {f"sets-{one.id}-0": "3"})
    assert hall.tables()[0].paper_sets == (3, 0)


def test_emptied_sets_are_removed(hall: Hall) -> None:
    """Sets whose fields are emptied cost nothing. Sets without a score are refused, and go if the score is removed."""
    one, other = hall.tables()
    _post(hall, _score(one, "21", "9", "1", "2"))
    _post(hall, {f"sets-{one.id}-0": "", f"sets-{one.id}-1": ""})
    assert hall.tables()[0].paper_sets is None
    assert "removed the sets of round 1, table 1." in hall.desk.see(f"/leagues/{hall.league}/log").text
    assert "Enter the final score first." in _post(hall, {f"sets-{other.id}-0": "1"}, 422).text
    _post(hall, {f"sets-{one.id}-0": "1"})
    _post(hall, _score(one, "", "") | {"reason": "wrong table"})
    assert (hall.tables()[0].game, hall.tables()[0].paper_sets) == ("", None)
    _post(hall, _score(one))
    assert hall.tables()[0].paper_sets is None


def test_sets_that_cannot_be_are_refused(hall: Hall) -> None:
    one, _other = hall.tables()
    page = _post(hall, _score(one, "21", "9", "two", "0"), 422)
    assert "Enter the sets of each side, from 0 to 50." in page.text
    assert _typed(page, one) == ["two", "0"]
    assert not hall.tables()[0].done
    _post(hall, _score(one))
    with hall.app.app_context():
        for sets in ((1,), (51, 0)):
            with pytest.raises(RuleViolation):
                tables.tell_sets(night=hall.night, table=one.id, sets=sets, device=DIRECTOR)


def test_a_phone_enters_sets_with_its_final_score(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """The phone that scores a table can enter sets with the final score.

    Another phone, which has no role in the league, can't enter sets.
    """
    one, _other = hall.tables()
    hall.desk.submit(hall.at_desk(), f"{hall.path}/games", table=str(one.id))
    path = f"{hall.path}/tables/{one.id}"
    page = hall.desk.see(path)
    typed: dict[str, Any] = {"points-0": "21", "points-1": "9", "sets-1": "1"}
    page = hall.desk.submit(page, f"{path}/result", **typed)
    assert hall.tables()[0].paper_sets == (0, 1)
    assert "Sets entered: 0 – 1" in page.text
    stranger = new_phone()
    assert not stranger.see(path).all("input", name="sets-0")
    with hall.app.app_context(), pytest.raises(NotAllowedError):
        tables.tell_sets(night=hall.night, table=one.id, sets=(9, 9), device="s" * 64)


@pytest.mark.parametrize(("how", "sets"), [("keep", (0, 1)), ("take", (4, 4))])
def test_the_sets_of_a_disputed_score_are_those_of_the_phone_that_was_right(
    hall: Hall, how: str, sets: tuple[int, int]
) -> None:
    """A dispute shows the sets of both phones and changes neither. They go with the score that is kept or taken."""
    one, _other = hall.tables()
    with hall.app.app_context():
        other = "p" * 64
        for device in (DIRECTOR, other):
            word, key = _card(hall, one)
            tables.start_table(night=hall.night, table=one.id, device=device, client_id=device, word=word, key=key)
        told: dict[str, Any] = {"night": hall.night, "table": one.id}
        table_disputes.tell(
            **told, result=EnterResult((21, 9)), device=DIRECTOR, then=lambda at: tables.tell_sets_there(at, (0, 1))
        )
        with pytest.raises(RuleViolation, match="from 0 to 50"):
            table_disputes.tell(**told, result=EnterResult((21, 8)), sets=(99, 0), device=other)
        table_disputes.tell(**told, result=EnterResult((21, 8)), sets=(4, 4), device=other)
    (state, _) = hall.tables()
    assert state.dispute is not None
    assert state.paper_sets == (0, 1)
    path = f"{hall.path}/tables/{one.id}"
    page = hall.desk.see(path)
    assert "21 to 9, sets: 0 – 1 counts for now. According to another phone, it's 21 to 8, sets: 4 – 4." in page.text
    assert {"Keep 21 to 9, sets: 0 – 1", "Change to 21 to 8, sets: 4 – 4"} <= set(buttons(page))
    hall.desk.submit(page, f"{path}/settlement", how=how, reason="Asked both")
    (state, _) = hall.tables()
    assert (state.points[1], state.paper_sets) == (9 if how == "keep" else 8, sets)


def _card(hall: Hall, table: TableState) -> tuple[str, str]:
    return card_word(night_at(db.session(), hall.night), table.number, "key"), "key"


def test_partners_share_the_sets_on_the_receipt_and_the_standings_count_them(hall: Hall) -> None:
    """Partners share the price of their sets on the receipt, and the standings count those sets for both partners.

    Three sets at 0.25 cost one partner 0.38 and the other partner 0.37. If a table has no sets entered, the money page
    and the standings page say so.
    """
    one, other = hall.tables()
    _post(hall, _score(one, "21", "9", "0", "3") | _score(other))
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR)
        paid = select(MoneyRow.person_id, MoneyRow.cents, MoneyRow.what).where(MoneyRow.kind == "sets")
        rows = {person: (cents, what) for person, cents, what in db.session.execute(paid.order_by(MoneyRow.person_id))}
        assert set(rows) == set(one.seats[1::2])
        assert list(rows.values()) == [(38, "2"), (37, "1")]
        season = db.session.scalars(select(SeasonRow).where(SeasonRow.public_id == hall.season)).one()
        sets = {row.person: row.sets for row in season_standings(db.session(), season).people}
        assert {person for person, count in sets.items() if count == 3} == set(one.seats[1::2])
        assert not any(sets[person] for person in other.seats)
    assert (
        "No sets were entered for one table, so nobody there is charged for sets."
        in hall.desk.see(f"{hall.path}/money").text
    )
    page = hall.desk.see(f"/seasons/{hall.season}")
    assert "One table has no sets entered, so the set totals are incomplete." in page.text
    with hall.app.app_context():
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="sets found")
    _post(hall, {f"sets-{other.id}-0": "1", f"sets-{other.id}-1": "0"})
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR)
        assert db.session.scalars(select(TableRow.sets).order_by(TableRow.id)).all() == [[0, 3], [1, 0]]
    assert "no sets entered" not in hall.desk.see(f"{hall.path}/money").text
    assert "no sets entered" not in hall.desk.see(f"/seasons/{hall.season}").text


def test_a_season_that_needs_no_sets_does_not_ask(app: Flask, client: Phone) -> None:
    plain = open_hall(app, client, plan=NightPlan(rounds=1), counting=StandingSettings(ties=("wins",)))
    plain.check_in(*EIGHT)
    plain.draw()
    assert not [field for field in plain.at_desk().all("input") if str(field.get("name")).startswith("sets-")]
    with app.app_context():
        assert not asks_for_sets(db.session.scalars(select(SeasonRow)).one())


def test_a_game_with_hands_refuses_sets(hall: Hall) -> None:
    one, _other = hall.tables()
    with hall.app.app_context():
        tables.start_table(night=hall.night, table=one.id, device=DIRECTOR, client_id="tap")
        with pytest.raises(RuleViolation) as refused:
            tables.tell_sets(night=hall.night, table=one.id, sets=(1, 0), device=DIRECTOR)
    assert refused.value.code == "not_final"


def test_sets_that_only_break_ties_are_asked_on_request(app: Flask, client: Phone) -> None:
    """In a season that uses sets only to break ties, the director's desk page has no fields for sets at first.

    A link adds the fields. If sets have been entered for a table, the fields stay. Without the fields, the tab key
    moves quickly through the scores.
    """
    free = open_hall(app, client, plan=NightPlan(rounds=1))
    free.check_in(*EIGHT)
    free.draw()
    one, _other = free.tables()
    page = free.at_desk()
    assert {group.get("hidden") for group in page.all("div", class_="sets")} == {""}
    page = free.at_desk("?round=1&open=sets")
    free.desk.submit(page, f"{free.path}/rounds/1/results", **_score(one, "21", "9", "0", "1"))  # type: ignore[arg-type]
    assert {group.get("hidden") for group in free.at_desk().all("div", class_="sets")} == {None}


def test_the_results_say_how_many_tables_have_no_sets(hall: Hall) -> None:
    """The results say how many tables have no sets entered, because a 0 could also mean that nobody typed the sets."""
    one, other = hall.tables()
    _post(hall, _score(one, "21", "9", "1", "2") | _score(other))
    results = f"{hall.path}/results"
    told = "One table has no sets entered, so the set totals are incomplete."
    assert told in hall.desk.see(results).text
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR)
    assert told in hall.desk.see(results).text
