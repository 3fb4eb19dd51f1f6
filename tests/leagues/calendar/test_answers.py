"""Personal links, and the answers that come through them and from the desk."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from scorekeeper.leagues.calendar import links, service
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import AnswerRow, LeagueEventRow, PersonalLinkRow, PersonRow
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.nights import tables
from scorekeeper.leagues.people.service import PersonData, add_people, change_person, merge_people
from scorekeeper.leagues.privacy.anonymize import make_anonymous
from scorekeeper.leagues.privacy.data_export import own_data
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.web.extensions import db
from tests.leagues.calendar.people import FIRST, answered, link_of, plan, reply
from tests.support.league_night import DIRECTOR, NAMES, buttons, open_hall
from tests.support.phone import Phone

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.league_night import Hall


def test_a_player_answers_and_changes_the_answer(app: Flask, client: Phone) -> None:
    """By one button each, without an account, on any phone that has the link."""
    hall = open_hall(app, client)
    planned = plan(hall)
    path, phone = link_of(hall, "Ann"), Phone(app)
    for says in ("yes", "maybe", "no"):
        page = phone.submit(phone.see(path), path, planned=planned, says=says, note="late")
        assert answered(hall) == {"Ann": (says, "late", False)}
        pressed = [button.get("value") for button in page.all("button") if button.get("aria-pressed") == "true"]
        assert pressed == [says]


def test_a_substitute_is_named(app: Flask, client: Phone) -> None:
    """Only with the answer that needs one, and never oneself or somebody of another league."""
    hall = open_hall(app, client)
    planned = plan(hall)
    path = link_of(hall, "Ann")
    client.submit(client.see(path), path, says="substitute", planned=planned, sub="bob")
    assert "substitute: Bob" in client.see(f"/planned/{planned}").text
    client.submit(client.see(path), path, says="yes", planned=planned, sub="bob")
    assert "substitute: Bob" not in client.see(f"/planned/{planned}").text
    client.submit(client.see(path), path, 422, says="substitute", planned=planned, sub="Ann")


def test_looking_changes_nothing(app: Flask, client: Phone) -> None:
    """Link previews open the address; they must not answer."""
    hall = open_hall(app, client)
    planned = plan(hall)
    path = link_of(hall, "Ann")
    for query in ("", f"?planned={planned}&says=yes", f"?saved={planned}"):
        assert Phone(app).get(path + query).status_code == 200
    assert answered(hall) == {}


def test_wrong_answers_are_refused(app: Flask, client: Phone) -> None:
    """With the reason at that night; a wrong token or another league's night is not found."""
    hall = open_hall(app, client)
    planned = plan(hall)
    path = link_of(hall, "Ann")
    client.submit(client.see(path), path, 422, planned=planned, says="surely")
    client.submit(client.see(path), path, 422, planned=planned, says="yes", note="x" * 101)
    client.submit(client.see(path), path, 404, planned="nothing", says="yes")
    client.see(path[:-1] + ("a" if path[-1] != "a" else "b"), 404)
    client.see(f"/me/{hall.people['Bob']}/{path.rpartition('/')[2]}", 404)
    assert answered(hall) == {}


def test_answers_end_when_the_night_opens(app: Flask, client: Phone) -> None:
    """The page then leads to the night; a canceled night and one that is over can't be answered either."""
    hall = open_hall(app, client)
    planned = plan(hall)
    path = link_of(hall, "Ann")
    page = client.see(path)
    with app.app_context():
        service.set_state(planned=planned, state="canceled", device=DIRECTOR)
    client.submit(page, path, 422, planned=planned, says="yes")
    with app.app_context():
        service.set_state(planned=planned, state="planned", device=DIRECTOR)
        night = nights.open_night(season=hall.season, day=FIRST, device=DIRECTOR)
    client.submit(page, path, 422, planned=planned, says="yes")
    assert f"/nights/{night}" in client.see(path).response.text
    assert answered(hall) == {}


def test_others_see_neither_notes_nor_answers(app: Flask, client: Phone) -> None:
    """Not on another player's page, not on public pages, not in the history, not in the calendars."""
    hall = open_hall(app, client)
    planned = plan(hall)
    ann, bob, phone = link_of(hall, "Ann"), link_of(hall, "Bob"), Phone(app)
    phone.submit(phone.see(ann), ann, planned=planned, says="no", note="in the hospital")
    pages = [bob, f"/planned/{planned}", f"/seasons/{hall.season}/schedule", f"/leagues/{hall.league}/log"]
    pages += [f"/leagues/{hall.league}/log.csv", f"/leagues/{hall.league}/calendar.ics"]
    pages.append(link_of(hall, "Bob", links.CALENDAR))
    for path in pages:
        assert "hospital" not in phone.get(path).text, path
    assert "hospital" in client.see(f"/planned/{planned}").text


def test_a_personal_page_is_kept_out_of_caches_and_referrers(app: Flask, client: Phone) -> None:
    """Also its calendar, and an address with a wrong token."""
    hall = open_hall(app, client)
    for path in (link_of(hall, "Ann"), link_of(hall, "Ann", links.CALENDAR), f"/me/{hall.people['Ann']}/wrong"):
        headers = Phone(app).get(path).headers
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "strict-origin"
        assert headers["X-Robots-Tag"] == "noindex"


def test_links_are_made_printed_and_revoked(app: Flask, client: Phone) -> None:
    """By directors; a revoked link stays dead, and a new one is another."""
    hall = open_hall(app, client)
    page = f"/leagues/{hall.league}/links"
    made = client.submit(client.see(page), page)
    copied = made.one("textarea")
    assert copied.text is not None
    assert copied.text.strip().count("\n") == len(NAMES) - 1
    sheet = client.see(f"{page}/sheet")
    assert len(sheet.all("div", class_="code")) == len(NAMES)
    assert sheet.response.headers["Cache-Control"] == "no-store"
    old = link_of(hall, "Ann")
    client.submit(client.see(page), f"{page}/void", person=hall.people["Ann"])
    client.see(old, 404)
    client.submit(client.see(page), page, person=hall.people["Ann"])
    new = link_of(hall, "Ann")
    assert new != old
    client.see(new)
    client.see(old, 404)
    client.submit(client.see(page), f"{page}/void", person=None)
    client.see(new, 404)


def test_a_large_league_prints_its_links_in_parts(app: Flask, client: Phone) -> None:
    """So that no request draws a thousand codes."""
    hall = open_hall(app, client)
    with app.app_context():
        add_people(league=hall.league, people=[PersonData(name=f"P {each}") for each in range(95)], device=DIRECTOR)
        links.make_links(league=hall.league, people=[], device=DIRECTOR)
    sheets = [client.see(f"/leagues/{hall.league}/links/sheet?part={part}") for part in (1, 2, 3)]
    assert [len(sheet.all("div", class_="code")) for sheet in sheets] == [100, 4, 4]


def test_a_long_season_shows_the_next_nights(app: Flask, client: Phone) -> None:
    """And how many more there are."""
    hall = open_hall(app, client)
    for week in range(12):
        plan(hall, FIRST + timedelta(weeks=week))
    page = client.see(link_of(hall, "Ann"))
    assert len(page.all("section")) == 10
    assert "2 more nights" in page.text


def test_nothing_in_the_database_opens_a_page(app: Flask, client: Phone) -> None:
    """A stolen copy of it has no token."""
    hall = open_hall(app, client)
    word = link_of(hall, "Ann").rpartition("/")[2]
    with app.app_context():
        every = [list(db.session.execute(select(table))) for table in db.metadata.sorted_tables]
    assert word not in repr(every)


def test_merged_people_keep_their_links_and_answers(app: Flask, client: Phone) -> None:
    """The link of the duplicate leads to the person they are; an answer they gave themselves wins."""
    hall = open_hall(app, client)
    first, second = plan(hall), plan(hall, FIRST + timedelta(weeks=1))
    link = link_of(hall, "Bob")
    reply(hall, first, "yes", "Ann", "Bob")
    reply(hall, first, "no", "Bob", note="his")
    reply(hall, second, "maybe", "Bob")
    reply(hall, second, "substitute", "Cid", sub="Bob")
    with app.app_context():
        merge_people(person=hall.people["Bob"], into=hall.people["Ann"], device=DIRECTOR)
        rows = db.session.execute(
            select(PersonRow.name, AnswerRow.says).join(AnswerRow, AnswerRow.person_id == PersonRow.id)
        ).all()
        assert sorted(map(tuple, rows)) == [("Ann", "maybe"), ("Ann", "yes"), ("Cid", "substitute")]
    assert "substitute: Ann" in client.see(f"/planned/{second}").text
    assert "Ann" in Phone(app).see(link).text
    page = f"/leagues/{hall.league}/links"
    client.submit(client.see(page), f"{page}/void", person=hall.people["Ann"])
    client.see(link, 404)


def test_anonymous_people_have_no_answers_and_no_link(app: Flask, client: Phone) -> None:
    """Nor does another answer name them as the substitute, or in its note."""
    hall = open_hall(app, client)
    planned = plan(hall, place="At Ann's", note="Ann brings pie")
    link = link_of(hall, "Ann")
    reply(hall, planned, "yes", "Ann")
    reply(hall, planned, "substitute", "Bob", sub="Ann", note="ask Ann")
    with app.app_context():
        make_anonymous(person=hall.people["Ann"], reason="asked", device=DIRECTOR, tap="forget")
    client.see(link, 404)
    assert answered(hall).keys() == {"Bob"}
    assert "Ann" not in client.see(f"/planned/{planned}").text
    assert "Ann" not in client.see(f"/seasons/{hall.season}/schedule").text


def test_retired_people_are_told_so(app: Flask, client: Phone) -> None:
    """They see the nights and can't answer, and get no new link."""
    hall = open_hall(app, client)
    planned = plan(hall)
    path = link_of(hall, "Ann")
    page = client.see(path)
    with app.app_context():
        change_person(person=hall.people["Ann"], told=PersonData(name="Ann", active=False), device=DIRECTOR)
    client.submit(page, path, 422, planned=planned, says="yes")
    assert not client.see(path).all("button", name="says")
    assert "Ann" not in client.see(f"/leagues/{hall.league}/links").text


def test_the_desk_counts_and_enters_answers(app: Flask, client: Phone) -> None:
    """By names, with a mark; somebody's answer can be removed again."""
    hall = open_hall(app, client)
    planned = plan(hall)
    path = f"/planned/{planned}"
    reply(hall, planned, "yes", *NAMES[:3])
    form = f"{path}/answers"
    page = client.submit(client.see(path), form, person=hall.people["Dee"], says="substitute", note="knee")
    counts = [item.find("b").text for item in page.one("ul", class_="counts")]  # type: ignore[union-attr]
    assert counts == ["3", "0", "0", "1", str(len(NAMES) - 4)]
    assert answered(hall)["Dee"] == ("substitute", "knee", True)
    client.submit(client.see(path), form, person=hall.people["Dee"], says="")
    assert "Dee" not in answered(hall)
    client.submit(client.see(path), form, 422, person="", says="yes")


def opened(hall: Hall, *yes: str) -> str:
    """Let these people say yes, open the night, and return its path."""
    planned = plan(hall)
    reply(hall, planned, "yes", *yes)
    reply(hall, planned, "substitute", "Hal", sub="Ida")
    with hall.app.app_context():
        return f"/nights/{nights.open_night(season=hall.season, day=FIRST, device=DIRECTOR)}"


def test_everyone_who_said_yes_is_checked_in_at_once(app: Flask, client: Phone) -> None:
    """And undone at once, but for people who were checked in otherwise."""
    hall = open_hall(app, client)
    path = opened(hall, *NAMES[:5])
    desk = client.see(f"{path}/desk")
    shown = [button.get("value") for button in desk.all("button", name="person")]
    assert shown[:5] == [hall.people[name] for name in NAMES[:5]]
    assert "needs a substitute: Ida" in desk.text
    client.submit(desk, f"{path}/people", person=hall.people["Ann"])
    desk = client.submit(client.see(f"{path}/desk"), f"{path}/people/expected")
    assert "5 here" in desk.text
    assert "Undo" in buttons(desk)
    desk = client.submit(desk, f"{path}/people/expected/void")
    assert "1 here" in desk.text
    assert "Undo" not in buttons(desk)
    with app.app_context():
        kinds = db.session.scalars(select(LeagueEventRow.kind).order_by(LeagueEventRow.id)).all()
    assert kinds[-2:] == ["expected_in", "expected_out"]


def test_a_round_that_began_is_not_undone(app: Flask, client: Phone) -> None:
    """Those who play stay."""
    hall = open_hall(app, client)
    path = opened(hall, *NAMES[:4])
    desk = client.submit(client.see(f"{path}/desk"), f"{path}/people/expected")
    client.submit(desk, f"{path}/draw")
    with app.app_context():
        night = path.rpartition("/")[2]
        (table,) = (each for each in tables_of(db.session(), night_at(db.session(), night)) if each.round == 1)
        tables.start_table(night=night, table=table.id, device=DIRECTOR, client_id="tap-of-table")
    assert "Undo" not in buttons(client.see(f"{path}/desk"))


def test_the_export_of_a_person_has_their_answers(app: Flask, client: Phone) -> None:
    """With the note of their own answers, and without that of others."""
    hall = open_hall(app, client)
    planned = plan(hall)
    reply(hall, planned, "no", "Ann", note="knee")
    reply(hall, planned, "substitute", "Bob", sub="Ann", note="secret")
    link_of(hall, "Ann")
    with app.app_context():
        ann = db.session.scalars(select(PersonRow).where(PersonRow.name == "Ann")).one()
        data = own_data(db.session(), ann)
        assert [(row["answer"], row["own"], row["as_substitute"], row["note"]) for row in data["answers"]] == [
            ("no", True, False, "knee"),
            ("substitute", False, True, ""),
        ]
        assert [row["active"] for row in data["links"]] == [True]
        assert db.session.get_one(PersonalLinkRow, ann.id).made_at <= datetime.now(UTC)
