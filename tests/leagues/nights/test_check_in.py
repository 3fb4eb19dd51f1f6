"""Check-in in one step, including substitutes, and the button that repeats the pairs of the previous night."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from sqlalchemy import select

from scorekeeper.leagues.core.models import PersonRow, PresentRow
from scorekeeper.leagues.nights import opening, service, tables
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, Hall, buttons, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

FIXED = NightPlan(together="fixed")


def _plays_for(hall: Hall, name: str) -> tuple[str, bool]:
    """Return a pair: the name of the absent player (regular) for whom `name` plays, and whether `name` is a guest.

    The first name is "" if the person `name` isn't a substitute.
    """
    with hall.app.app_context():
        who = db.session.scalars(select(PersonRow).where(PersonRow.name == name)).one()
        at = select(PresentRow).where(PresentRow.night_id == hall.row().id, PresentRow.person_id == who.id)
        regular = db.session.scalars(at).one().sub_for
        return ("" if regular is None else db.session.get_one(PersonRow, regular).name), who.guest


def _offered(hall: Hall) -> list[str]:
    """Return the options of the form for a new name, in order of the page.

    The first option is "not a substitute". The other options are the names of absent players, for whom the new person
    can play as a substitute.
    """
    return [words(option) for option in hall.at_desk().one("form", class_="new-name").iter("option")]


def _next_week(hall: Hall) -> Hall:
    """Open a night a week later in the same season, and return it."""
    with hall.app.app_context():
        night = service.open_night(season=hall.season, day=date(2026, 9, 8), device=DIRECTOR)
    return Hall(hall.app, hall.desk, hall.league, hall.season, night, hall.people)


def _teams(hall: Hall) -> list[set[str]]:
    """Return each pair of partners on this night as a set of names, in order of their team numbers."""
    with hall.app.app_context():
        query = select(PresentRow.team, PersonRow.name).join(PersonRow, PersonRow.id == PresentRow.person_id)
        here = db.session.execute(query.where(PresentRow.night_id == hall.row().id, PresentRow.team.is_not(None))).all()
        return [
            {name for team, name in here if team == number} for number in sorted({team or 0 for team, _name in here})
        ]


def _team(hall: Hall, *names: str) -> None:
    with hall.app.app_context():
        service.set_team(night=hall.night, people=[hall.people[name] for name in names], device=DIRECTOR)


def test_a_guest_comes_in_as_a_substitute(app: Flask, client: Phone) -> None:
    """One form adds a new person, checks them in, and can name an absent player (regular) for whom they play.

    A person who is new in the league is marked as a guest only if the form names a regular.
    """
    hall = open_hall(app, client)
    hall.check_in("Ann", "Bob")
    path = f"{hall.path}/people/new"
    hall.desk.submit(hall.at_desk(), path, name="Zed", regular=hall.people["Cid"])
    assert _plays_for(hall, "Zed") == ("Cid", True)
    hall.desk.submit(hall.at_desk(), path, name="Dee", regular=hall.people["Eve"])
    assert _plays_for(hall, "Dee") == ("Eve", False)
    hall.desk.submit(hall.at_desk(), path, name="Fay")
    assert _plays_for(hall, "Fay") == ("", False)


def test_a_refused_substitute_is_not_checked_in(app: Flask, client: Phone) -> None:
    """A substitute is refused if the regular was checked in after the page was opened.

    Nothing is saved, and the form keeps the typed name.
    """
    hall = open_hall(app, client)
    shown = hall.at_desk()
    hall.check_in("Cid")
    path = f"{hall.path}/people/new"
    page = hall.desk.submit(shown, path, 422, name="Zed", regular=hall.people["Cid"])
    assert page.form(path).values["name"] == "Zed"
    with app.app_context():
        assert db.session.scalars(select(PersonRow).where(PersonRow.name == "Zed")).all() == []


def test_the_missing_of_last_time_are_offered_first(app: Flask, client: Phone) -> None:
    """The form for a substitute first lists the players of the previous night who are absent and have no substitute."""
    hall = open_hall(app, client)
    hall.check_in("Dee", "Ida")
    later = _next_week(hall)
    assert _offered(later)[:4] == ["not a substitute", "Dee", "Ida", "Ann"]
    later.desk.submit(later.at_desk(), f"{later.path}/people/new", name="Zed", regular=later.people["Dee"])
    assert _offered(later)[:3] == ["not a substitute", "Ida", "Ann"]


def test_last_times_partners_with_one_tap(app: Flask, client: Phone) -> None:
    """One tap repeats the previous night's pairs in which both partners are checked in.

    Each pair can then be split up.
    """
    hall = open_hall(app, client, plan=FIXED)
    hall.check_in("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
    _team(hall, "Cid", "Dee")
    _team(hall, "Ann", "Bob")
    _team(hall, "Eve", "Fay")
    assert "Same partners as last time" not in buttons(hall.at_desk())
    later = _next_week(hall)
    later.check_in("Ann", "Bob", "Cid", "Dee", "Fay")
    page = later.at_desk()
    assert "Same partners as last time" in buttons(page)
    later.desk.submit(page, f"{later.path}/partners/again")
    assert _teams(later) == [{"Cid", "Dee"}, {"Ann", "Bob"}]
    page = later.at_desk()
    assert "Same partners as last time" not in buttons(page)
    later.desk.submit(page, f"{later.path}/partners", person=later.people["Cid"])
    assert _teams(later) == [{"Ann", "Bob"}]


def test_last_times_partners_are_those_of_the_latest_date(app: Flask, client: Phone) -> None:
    """A night that was opened later, and then moved to an earlier date, is the last time."""
    hall = open_hall(app, client, plan=FIXED)
    hall.check_in("Ann", "Bob")
    moved = _next_week(hall)
    moved.check_in("Ann", "Bob")
    _team(moved, "Ann", "Bob")
    assert "Same partners as last time" not in buttons(hall.at_desk())
    with app.app_context():
        opening.move_night(night=moved.night, day=date(2026, 8, 25), reason="typed wrong", device=DIRECTOR)
    assert "Same partners as last time" in buttons(hall.at_desk())


def test_a_merged_partner_is_the_person_they_became(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client, plan=FIXED)
    hall.check_in("Ann", "Bob")
    _team(hall, "Ann", "Bob")
    with app.app_context():
        people.merge_people(person=hall.people["Bob"], into=hall.people["Gus"], device=DIRECTOR)
    later = _next_week(hall)
    later.check_in("Ann", "Gus")
    later.desk.submit(later.at_desk(), f"{later.path}/partners/again")
    assert _teams(later) == [{"Ann", "Gus"}]


def test_a_game_has_the_name_of_the_person_someone_was_merged_into(app: Flask, client: Phone) -> None:
    """The seating was made before the merge, so the wrong spelling sits at the table."""
    hall = open_hall(app, client)
    hall.check_in("Ann", "Bob", "Cid", "Dee")
    hall.draw()
    with app.app_context():
        people.merge_people(person=hall.people["Bob"], into=hall.people["Gus"], device=DIRECTOR)
        game = tables.start_table(night=hall.night, table=hall.tables()[0].id, device=DIRECTOR, client_id="tap")
    board = words(hall.desk.see(f"/games/{game}").one("main"))
    assert "Gus" in board
    assert "Bob" not in board


def test_pairs_are_offered_only_where_partners_stay(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client, plan=FIXED)
    hall.check_in("Ann", "Bob")
    _team(hall, "Ann", "Bob")
    later = _next_week(hall)
    later.check_in("Ann", "Bob")
    later.desk.submit(later.at_desk(), f"{later.path}/plan", together="rotate")
    assert "Same partners as last time" not in buttons(later.at_desk())
