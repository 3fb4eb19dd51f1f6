"""Personal links, and the answers to planned nights that players, helpers and directors enter."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.leagues.calendar import links, service
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import AnswerRow, LeagueEventRow, PersonalLinkRow, PersonRow
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.nights import tables
from scorekeeper.leagues.people.service import PersonData, add_people, change_person, merge_people
from scorekeeper.leagues.privacy.data_export import own_data
from scorekeeper.leagues.privacy.service import make_anonymous
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.web.extensions import db
from tests.leagues.calendar.people import FIRST, answered, link_of, plan, reply
from tests.support.league_night import DIRECTOR, NAMES, buttons, open_hall
from tests.support.phone import Phone

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.league_night import Hall


def test_a_player_answers_and_changes_the_answer(app: Flask, client: Phone) -> None:
    """Any phone that has a player's personal link can enter and change the player's answer, without an account."""
    hall = open_hall(app, client)
    planned = plan(hall)
    path, phone = link_of(hall, "Ann"), Phone(app)
    for says in ("yes", "maybe", "no"):
        page = phone.submit(phone.see(path), path, planned=planned, says=says, note="late")
        assert answered(hall) == {"Ann": (says, "late", False)}
        pressed = [button.get("value") for button in page.all("button") if button.get("aria-pressed") == "true"]
        assert pressed == [says]


def test_a_substitute_is_named(app: Flask, client: Phone) -> None:
    """A substitute's name is saved only with the answer "substitute", by which a player sends somebody else.

    Players can't name themselves as their own substitutes.
    """
    hall = open_hall(app, client)
    planned = plan(hall)
    path = link_of(hall, "Ann")
    client.submit(client.see(path), path, says="substitute", planned=planned, sub="bob")
    assert "substitute: Bob" in client.see(f"/planned/{planned}").text
    client.submit(client.see(path), path, says="yes", planned=planned, sub="bob")
    assert "substitute: Bob" not in client.see(f"/planned/{planned}").text
    client.submit(client.see(path), path, 422, says="substitute", planned=planned, sub="Ann")


def test_looking_changes_nothing(app: Flask, client: Phone) -> None:
    """Opening a personal link enters no answer, because programs open links for previews."""
    hall = open_hall(app, client)
    planned = plan(hall)
    path = link_of(hall, "Ann")
    for query in ("", f"?planned={planned}&says=yes", f"?saved={planned}"):
        assert Phone(app).get(path + query).status_code == 200
    assert answered(hall) == {}


def test_wrong_answers_are_refused(app: Flask, client: Phone) -> None:
    """An answer that is invalid or has too long a note is refused.

    A request gets a 404 if the night is unknown, or if the token in the address is wrong or belongs to another person.
    """
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
    """Players can't answer for a night that is canceled or open.

    Once the night is open, the player's personal page links to the page of the night.
    """
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
    """Only people with a role in the league see the note of a player's answer.

    The note is not on another player's page, on public pages, in the history or in the calendars.
    """
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
    """Personal pages and calendars stay out of caches, referrers and search engines, even if the token is wrong."""
    hall = open_hall(app, client)
    for path in (link_of(hall, "Ann"), link_of(hall, "Ann", links.CALENDAR), f"/me/{hall.people['Ann']}/wrong"):
        headers = Phone(app).get(path).headers
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "strict-origin"
        assert headers["X-Robots-Tag"] == "noindex"


def test_links_are_made_printed_and_revoked(app: Flask, client: Phone) -> None:
    """Personal links can be made, copied, printed and revoked.

    A revoked link never works again, and a new link differs from the old one.
    """
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
    """The sheet for printing personal links is split into parts of at most 100 QR codes.

    Otherwise, a single request might have to draw a thousand codes.
    """
    hall = open_hall(app, client)
    with app.app_context():
        add_people(league=hall.league, people=[PersonData(name=f"P {each}") for each in range(95)], device=DIRECTOR)
        links.make_links(league=hall.league, people=[], device=DIRECTOR)
    sheets = [client.see(f"/leagues/{hall.league}/links/sheet?part={part}") for part in (1, 2, 3)]
    assert [len(sheet.all("div", class_="code")) for sheet in sheets] == [100, 4, 4]


def test_a_long_season_shows_the_next_nights(app: Flask, client: Phone) -> None:
    """A player's page shows the next ten nights, and says how many more there are."""
    hall = open_hall(app, client)
    for week in range(12):
        plan(hall, FIRST + timedelta(weeks=week))
    page = client.see(link_of(hall, "Ann"))
    assert len(page.all("section")) == 10
    assert "2 more nights" in page.text


def test_nothing_in_the_database_opens_a_page(app: Flask, client: Phone) -> None:
    """The token of a personal link isn't in the database, so a stolen copy of the database opens no page."""
    hall = open_hall(app, client)
    word = link_of(hall, "Ann").rpartition("/")[2]
    with app.app_context():
        every = [list(db.session.execute(select(table))) for table in db.metadata.sorted_tables]
    assert word not in repr(every)


def test_merged_people_keep_their_links_and_answers(app: Flask, client: Phone) -> None:
    """After two people are merged, the duplicate's personal link opens the page of the remaining person.

    If both people answered, the remaining person's answer is kept.
    """
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
    """A person made anonymous has no answers and no link.

    Their name is also removed from other people's answers and from the details of planned nights.
    """
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
    """A retired player's personal page says that the player is retired, and offers no answers.

    The directors' list of personal links doesn't contain a retired player.
    """
    hall = open_hall(app, client)
    planned = plan(hall)
    path = link_of(hall, "Ann")
    page = client.see(path)
    with app.app_context():
        change_person(person=hall.people["Ann"], told=PersonData(name="Ann", active=False), device=DIRECTOR)
    client.submit(page, path, 422, planned=planned, says="yes")
    assert not client.see(path).all("button", name="says")
    assert "Ann" not in client.see(f"/leagues/{hall.league}/links").text


def test_revoking_all_links_revokes_those_of_retired_people(app: Flask, client: Phone) -> None:
    """The button to revoke all links revokes those of retired players, too, even if no other player has a link."""
    hall = open_hall(app, client)
    path = link_of(hall, "Ann")
    with app.app_context():
        change_person(person=hall.people["Ann"], told=PersonData(name="Ann", active=False), device=DIRECTOR)
    client.see(path)
    page = f"/leagues/{hall.league}/links"
    shown = client.submit(client.see(page), f"{page}/void")
    client.see(path, 404)
    assert "Revoke all links" not in shown.text


def test_the_desk_counts_and_enters_answers(app: Flask, client: Phone) -> None:
    """On a planned night's page, a director sees the number of each answer, and can enter and remove answers.

    An answer that a director entered is marked as such.
    """
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
    """Plan a night, enter people's answers, open the night, and return its path.

    The people in `yes` answer "yes", and Hal answers that Ida will be Hal's substitute.
    """
    planned = plan(hall)
    reply(hall, planned, "yes", *yes)
    reply(hall, planned, "substitute", "Hal", sub="Ida")
    with hall.app.app_context():
        return f"/nights/{nights.open_night(season=hall.season, day=FIRST, device=DIRECTOR)}"


def test_everyone_who_said_yes_is_checked_in_at_once(app: Flask, client: Phone) -> None:
    """One button checks in everyone who said yes, and another button undoes these check-ins.

    People who were checked in before stay checked in.
    """
    hall = open_hall(app, client)
    path = opened(hall, *NAMES[:5])
    desk = client.see(f"{path}/desk")
    shown = [button.get("value") for button in desk.all("button", name="person") if not button.get("formaction")]
    assert shown[:5] == [hall.people[name] for name in NAMES[:5]]
    assert "needs a substitute: Ida" in desk.text
    client.submit(desk, f"{path}/people", person=hall.people["Ann"])
    desk = client.submit(client.see(f"{path}/desk"), f"{path}/people/expected")
    assert "5 here" in desk.text
    assert "Undo" in buttons(desk)
    assert "4 players checked in." in desk.text
    with app.app_context():
        nights.set_team(night=path.rpartition("/")[2], people=[hall.people["Bob"], hall.people["Cid"]], device=DIRECTOR)
    desk = client.see(f"{path}/desk")
    assert "4 players checked in. You can undo 2: the others have a partner, substitute or left." in desk.text
    with app.app_context():
        nights.set_team(night=path.rpartition("/")[2], people=[hall.people["Bob"]], device=DIRECTOR)
    desk = client.submit(client.see(f"{path}/desk"), f"{path}/people/expected/void")
    assert "1 here" in desk.text
    assert "Undo" not in buttons(desk)
    with app.app_context():
        kinds = db.session.scalars(select(LeagueEventRow.kind).order_by(LeagueEventRow.id)).all()
    assert [kind for kind in kinds if kind.startswith("expected")] == ["expected_in", "expected_out"]


def test_a_round_that_began_is_not_undone(app: Flask, client: Phone) -> None:
    """After a table has started, the check-ins of everyone who answered yes can't be undone with one button anymore."""
    hall = open_hall(app, client)
    path = opened(hall, *NAMES[:4])
    desk = client.submit(client.see(f"{path}/desk"), f"{path}/people/expected")
    client.submit(desk, f"{path}/draw")
    with app.app_context():
        night = path.rpartition("/")[2]
        (table,) = (each for each in tables_of(db.session(), night_at(db.session(), night)) if each.round == 1)
        tables.start_table(night=night, table=table.id, device=DIRECTOR, client_id="tap-of-table")
    assert "Undo" not in buttons(client.see(f"{path}/desk"))


@pytest.mark.slow
def test_the_export_of_a_person_has_their_answers(app: Flask, client: Phone) -> None:
    """The export of a person's data has the person's own answers, including notes.

    It also has other people's answers that name the person, without notes.
    """
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
