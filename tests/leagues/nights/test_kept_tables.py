"""A player can keep the same table all night, and the seating avoids partners of earlier nights."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.models import PersonRow
from scorekeeper.leagues.nights import service, tables
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


def _tables_of(hall: Hall, name: str) -> set[int]:
    """Return the numbers of all tables at which the player called `name` sits during the night."""
    with hall.app.app_context():
        who = next(key for key, known in _ids(hall).items() if known == name)
    return {table.number for table in hall.tables() if who in table.seats}


def _ids(hall: Hall) -> dict[int, str]:
    return dict(db.session.execute(select(PersonRow.id, PersonRow.name)).all())


def _keep(hall: Hall, name: str, table: str, status: int = 303) -> str:
    """Let a player keep a table for the night, and return the text of the page for running the night (the desk).

    `table` is the table's number. If it is "", the player no longer keeps a table.
    """
    path = f"{hall.path}/kept-tables"
    fields = {"person": hall.people[name], "table": table}
    page = hall.desk.submit(hall.at_desk(), path, status, **fields)
    return page.text


def test_someone_stays_at_a_table(app: Flask, client: Phone) -> None:
    """In the next seating, a player who keeps a table sits there in every round.

    The desk and the rotation page say that the player stays at the table.
    """
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:8])
    hall.draw()
    _keep(hall, "Ann", "2")
    assert "stays at table 2" in hall.at_desk().text
    fields = [field for template in hall.at_desk().all("template") for field in template.iter("input")]
    assert [field.get("value") for field in fields if field.get("name") == "table"] == ["2"], "to undo the next tap"
    assert ("isn't seated at the table they keep" in hall.at_desk().text) is (_tables_of(hall, "Ann") != {2})
    hall.draw(seed=2)
    assert _tables_of(hall, "Ann") == {2}
    assert "Ann stays at table 2." in hall.desk.see(f"{hall.path}/rotation").text
    _keep(hall, "Ann", "")
    assert "stays at table 2" not in hall.at_desk().text


def test_another_number_of_rounds_keeps_the_table(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:8])
    _keep(hall, "Ann", "2")
    hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", rounds="4")
    hall.draw()
    assert (_tables_of(hall, "Ann"), len(hall.tables())) == ({2}, 8)


def test_a_table_is_kept_by_one_person(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client)
    hall.check_in("Ann", "Bob")
    _keep(hall, "Ann", "2")
    assert "Two players can't both keep table 2." in _keep(hall, "Bob", "2", 422)
    assert "Check in this player first." in _keep(hall, "Cid", "1", 422)


def test_a_format_that_cannot_keep_tables_says_so(app: Flask, client: Phone) -> None:
    """While a player keeps a table, the night can't be changed to a format in which nobody can keep a table.

    In such a format, the desk (the page for running the night) has no form for keeping a table.
    """
    hall = open_hall(app, client)
    hall.check_in("Ann")
    _keep(hall, "Ann", "2")
    refused = hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", 422, format="progressive")
    assert "Nobody can keep a table in this format." in refused.text
    _keep(hall, "Ann", "")
    hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", format="progressive")
    assert f"{hall.path}/kept-tables" not in hall.at_desk().response.text


def test_a_missing_table_is_refused_when_seating(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:8])
    _keep(hall, "Ann", "7")
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/draw", 422)
    assert "Ann stays at table 7, but the last one is 2." in page.text


@pytest.mark.slow
def test_partners_of_the_first_night_are_not_partners_on_the_second(app: Flask, client: Phone) -> None:
    """Partners on one night aren't paired again on the next night, and the rotation page says so.

    Eight people play two rounds on each of two nights.
    """
    hall = open_hall(app, client, plan=NightPlan(rounds=2))
    hall.check_in(*NAMES[:8])
    hall.draw()
    with app.app_context():
        for table in hall.tables():
            tables.tell_result(night=hall.night, table=table.id, totals=(21, 13), device=DIRECTOR)
        night = service.open_night(season=hall.season, day=date(2026, 9, 8), device=DIRECTOR)
    later = Hall(app, hall.desk, hall.league, hall.season, night, hall.people)
    later.check_in(*NAMES[:8])
    for seed in range(3):
        later.draw(seed=seed)
        assert "No one is paired with a partner from an earlier night." in later.desk.see(f"{later.path}/rotation").text
    assert "earlier night" not in hall.desk.see(f"{hall.path}/rotation").text


def test_the_desk_says_who_sits_out_before_the_seating(app: Flask, client: Phone) -> None:
    """Before the seating is made, the desk says how many people will sit out and which table sizes would avoid that.

    Setback to 21 has no tables of six, so for six single players the desk suggests tables of four and two.
    """
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:4])
    assert "each round" not in words(hall.at_desk().one("section", id="draw"))
    hall.check_in(*NAMES[4:6])
    says = words(hall.at_desk().one("section", id="draw"))
    assert "6 are here: 2 sit out each round. Change tables" in says
    hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", together="alone", sizes="4")
    says = words(hall.at_desk().one("section", id="draw"))
    assert "Set players per table to “4, 2” and nobody sits out." in says
    hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", together="alone", sizes="4, 2")
    assert "each round" not in words(hall.at_desk().one("section", id="draw"))


def test_pairs_sit_out_at_tables_of_six(app: Flask, client: Phone) -> None:
    """Two or three players can't be two pairs, so a game that has such tables suggests none of them."""
    hall = open_hall(app, client, plan=NightPlan(rounds=2, sizes=(6,), pairs=True), preset="smear-4")
    hall.check_in(*NAMES[:7])
    assert "7 are here: 1 sits out each round." in words(hall.at_desk().one("section", id="draw"))
