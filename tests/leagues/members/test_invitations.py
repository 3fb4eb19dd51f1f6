"""Invitations to help with a league, which are created, accepted and canceled, and the roles that they give."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select, update

from scorekeeper.accounts.devices import COOKIE as DEVICE_COOKIE
from scorekeeper.accounts.models import AccountRow, SessionRow
from scorekeeper.accounts.sessions import FRESH
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.roles import INVITATION_LASTS, InvitationRow, RoleRow
from scorekeeper.leagues.members.service import MOST_OPEN, handover_path
from scorekeeper.leagues.nights.tables import card_word
from scorekeeper.web import rate_limit
from scorekeeper.web.extensions import db, writing
from scorekeeper.web.rate_limit import SIGN_UP
from tests.support.directors import NAME, OTHER, PASSWORD, printed_on, sign_in, sign_up
from tests.support.league import NAMES
from tests.support.page import way_named
from tests.support.phone import device_word
from tests.support.quick_passwords import taken

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.league import Hall
    from tests.support.phone import Phone


@pytest.fixture
def rita(new_phone: Callable[[], Phone]) -> Phone:
    """Return a phone without any game or league."""
    return new_phone()


TYPED: dict[str, Any] = {"new-password": PASSWORD}


def invite(hall: Hall, role: str = "helper", called: str = "Rita") -> str:
    """Create an invitation on the league's own device (which runs the league without an account).

    Return the path of the invitation. `called` is the name of the invited person.
    """
    page = hall.phone.see(f"{hall.league}/roles")
    made = hall.phone.submit(page, f"{hall.league}/invitations", 200, called=called, role=role)
    assert made.response.headers["Cache-Control"] == "no-store"
    (link,) = [str(field.get("value")) for field in made.all("input", type="url")]
    return link.removeprefix("http://localhost")


def join(phone: Phone, link: str, name: str = "Rita B.", status: int = 200) -> None:
    """Accept the invitation `link` by creating an account called `name`."""
    page = phone.see(link)
    phone.submit(page, "/invitations/account", status, username=name, **TYPED)


def give_role(hall: Hall, role: str, by: Phone | None = None, *, status: int = 303) -> str:
    """Post the form that sets the role of the first member in the list, and return the text of the response.

    The role "nobody" removes the role. `by` is the phone that sets the role, or None for the league's own device.
    """
    owner = by or hall.phone
    page = owner.see(f"{hall.league}/roles")
    change = next(str(form.get("action")) for form in page.all("form") if "/roles/" in str(form.get("action")))
    data = {"csrf_token": page.form(change).values["csrf_token"], "role": role}
    answer = owner.post(change, data=data, headers={"Origin": "http://localhost"})
    assert answer.status_code == status
    return answer.text


def test_invitation_survives_a_busy_server(hall: Hall, rita: Phone) -> None:
    """While the server is busy checking the passwords of strangers, accepting an invitation fails with status 503.

    Later, the same invitation can be accepted.
    """
    link = invite(hall)
    with taken(known=False):
        join(rita, link, status=503)
    join(rita, link)


def test_the_league_says_that_only_one_device_can_run_it_until_an_account_owns_it(hall: Hall, rita: Phone) -> None:
    told = "Only this device can run this league."
    assert told in hall.phone.see(hall.league).text
    assert told not in rita.see(hall.league).text
    join(rita, invite(hall))
    assert told in hall.phone.see(hall.league).text, "helpers don't open nights"
    give_role(hall, "owner")
    assert told not in hall.phone.see(hall.league).text


def test_invitation_allows_an_account_while_sign_up_is_closed(hall: Hall, rita: Phone) -> None:
    """An invited person can create an account while sign-up is closed, and can then help with the league.

    The league's history shows the name in the invitation. Only owners can see the account's name.
    """
    link = invite(hall)
    page = rita.see(link)
    assert "Help run" in page.text
    assert "checks people in, enters scores" in page.text
    page = rita.submit(page, "/invitations/account", 200, username="Rita B.", **TYPED)
    assert hall.league in [each.get("href") for each in page.all("a")]
    assert hall.league in [each.get("href") for each in rita.see("/leagues").all("a")]
    night = hall.night((NAMES, ()), close=False)
    rita.submit(rita.see(f"/nights/{night}/desk"), f"/nights/{night}/people/new", name="Zoe")
    assert "Your role in this league: helper." in rita.see(hall.league).text
    rita.see(f"{hall.league}/roles", 403)
    log = hall.phone.see(f"{hall.league}/log").text
    assert "invited Rita as helper." in log
    assert re.search(r" Rita (added|checked in) Zoe", log)
    assert "Rita joined as helper." in log
    assert "Rita B." not in log  # account names stay private
    assert "Rita B." in hall.phone.see(f"{hall.league}/roles").text


def test_invitation_that_no_phone_can_open_says_so(hall: Hall) -> None:
    """If the app's address works only on its own computer, the page warns that no phone can open a new invitation."""
    page = hall.phone.see(f"{hall.league}/roles")
    made = hall.phone.submit(page, f"{hall.league}/invitations", 200, called="Rita")
    assert "Other phones can't open Scorekeeper's links yet." in made.text


def test_invitation_works_once_and_viewing_does_not_use_it(
    hall: Hall, rita: Phone, new_phone: Callable[[], Phone]
) -> None:
    """An invitation works once, and viewing doesn't use it up, because programs open links for previews."""
    link = invite(hall)
    late = new_phone()
    page = late.see(link)
    rita.see(link)
    join(rita, link)
    used = late.see(link, 404)
    assert "This invitation no longer works" in used.text
    assert way_named(used, "Sign in") == "/account/sign-in?back=/leagues"
    assert way_named(rita.see(link, 404), "Leagues") == "/leagues"  # some keep the link to get back to the league
    late.submit(page, "/invitations/account", 404, username="Eve", **TYPED)
    with hall.app.app_context():
        assert db.session.scalar(select(func.count()).select_from(AccountRow)) == 1


@pytest.mark.usefixtures("open_sign_up")
def test_accepting_with_an_account_renews_the_session(app: Flask, hall: Hall, rita: Phone) -> None:
    """Accepting an invitation while signed in makes a new session, and the old cookie no longer works.

    The new session doesn't count as a fresh sign-in.
    """
    sign_up(rita)
    with app.app_context(), writing() as session:
        session.execute(update(SessionRow).values(made_at=datetime.now(UTC) - 2 * FRESH))
    before = rita.get_cookie("scorekeeper_account")
    assert before is not None
    link = invite(hall, "director")
    page = rita.see(link)
    assert f"Accept as {NAME}" in page.text
    assert "Start a season" not in rita.submit(page, "/invitations").text
    after = rita.get_cookie("scorekeeper_account")
    assert after is not None
    assert after.value != before.value
    assert "Sign in again to change this" in rita.see("/account").text
    rita.set_cookie("scorekeeper_account", before.value)
    assert "Signed in as" not in rita.get("/account").text


@pytest.mark.usefixtures("open_sign_up")
def test_signing_in_leads_back_to_the_invitation(app: Flask, hall: Hall, rita: Phone) -> None:
    """Signing in from an invitation leads back to the invitation, which can then be accepted."""
    sign_up(rita)
    rita.submit(rita.see("/account"), "/account/sign-out")
    link = invite(hall)
    (way,) = [str(each.get("href")) for each in rita.see(link).all("a") if "/sign-in" in str(each.get("href"))]
    page = rita.see(way)
    page = rita.submit(page, "/account/sign-in", username=NAME, current_password=PASSWORD)
    assert page.path == link
    assert rita.submit(page, "/invitations").path == hall.league


@pytest.mark.parametrize("end", ["canceled", "too old"])
def test_invitation_ends(app: Flask, hall: Hall, rita: Phone, end: str) -> None:
    """An invitation stops working when the owner cancels it, or when it expires after `INVITATION_LASTS`."""
    link = invite(hall)
    if end == "canceled":
        page = hall.phone.see(f"{hall.league}/roles")
        (back,) = [str(form.get("action")) for form in page.all("form") if "/invitations/" in str(form.get("action"))]
        hall.phone.submit(page, back)
        assert "canceled the invitation for Rita." in hall.phone.see(f"{hall.league}/log").text
    else:
        with app.app_context(), writing() as session:
            session.execute(
                update(InvitationRow).values(made_at=datetime.now(UTC) - INVITATION_LASTS - timedelta(minutes=1))
            )
    rita.see(link, 404)
    assert "Open invitations" not in [heading.text for heading in hall.phone.see(f"{hall.league}/roles").all("h2")]


def test_removed_role_ends_with_the_next_request(hall: Hall, rita: Phone) -> None:
    """As soon as a helper's role is removed, the helper can't open the page for running a night (the desk).

    The helper also can't score games that they opened from the desk before.
    """
    join(rita, invite(hall))
    night = hall.night((NAMES, ()), close=False)
    desk = rita.see(f"/nights/{night}/desk")
    (table,) = [field.get("value") for field in desk.all("button", name="table")]
    game = rita.submit(desk, f"/nights/{night}/games", table=table)
    assert game.all("form", method="post")
    give_role(hall, "nobody")
    rita.see(f"/nights/{night}/desk", 403)
    assert not rita.see(game.path).all("form", method="post")
    assert hall.league not in [each.get("href") for each in rita.see("/leagues").all("a")]
    assert "removed the role of Rita." in hall.phone.see(f"{hall.league}/log").text


@pytest.mark.parametrize("how", ["another cookie", "the account was recovered"])
def test_removed_role_ends_scoring_on_changed_devices(
    hall: Hall, rita: Phone, new_phone: Callable[[], Phone], how: str
) -> None:
    """After a helper's role is removed, the helper's phone can't score, even if its device cookie has changed.

    The same is true if the helper's account was recovered on another phone.
    """
    page = rita.submit(rita.see(invite(hall)), "/invitations/account", 200, username="Rita B.", **TYPED)
    night = hall.night((NAMES, ()), close=False)
    if how == "another cookie":
        rita.set_cookie(DEVICE_COOKIE, device_word("made up"))
    desk = rita.see(f"/nights/{night}/desk")
    (table,) = [field.get("value") for field in desk.all("button", name="table")]
    game = rita.submit(desk, f"/nights/{night}/games", table=table)
    if how == "the account was recovered":
        other = new_phone()
        fields: dict[str, Any] = {"username": "Rita B.", "code": printed_on(page), "new-password": OTHER}
        other.submit(other.see("/account/code"), "/account/code", 200, **fields)
    assert rita.see(game.path).all("form", method="post")
    give_role(hall, "nobody")
    assert not rita.see(game.path).all("form", method="post")


def test_removed_role_ends_scoring_by_a_table_card(app: Flask, hall: Hall, rita: Phone) -> None:
    """Removing a role ends scoring even on a phone that scanned the table's card before it accepted the invitation."""
    night = hall.night((NAMES, ()), close=False)
    with app.app_context():
        word = card_word(night_at(db.session(), night), 1, str(app.secret_key))
    card = f"/nights/{night}/cards/1/{word}"
    game = rita.submit(rita.see(card), card)
    join(rita, invite(hall))
    assert rita.see(game.path).all("form", method="post")
    give_role(hall, "nobody")
    assert not rita.see(game.path).all("form", method="post")


def test_owner_changes_roles_including_their_own(hall: Hall, rita: Phone) -> None:
    """An owner can change every role, including the owner's own role.

    An owner who gives up the role is sent to the league's page.
    """
    join(rita, invite(hall, "director"))
    page = hall.phone.see(f"{hall.league}/roles")
    (change,) = [str(form.get("action")) for form in page.all("form") if "/roles/" in str(form.get("action"))]
    data = {"csrf_token": page.form(change).values["csrf_token"], "role": "owner"}
    hall.phone.post(change, data=data, headers={"Origin": "http://localhost"})
    page = rita.see(f"{hall.league}/roles")
    assert "you" in page.text
    data = {"csrf_token": page.form(change).values["csrf_token"], "role": "helper"}
    answer = rita.post(change, data=data, headers={"Origin": "http://localhost"})
    assert answer.location == hall.league
    assert "changed the role of Rita from owner to helper." in hall.phone.see(f"{hall.league}/log").text


@pytest.mark.parametrize("role", ["nobody", "director"])
def test_former_owner_cannot_return_by_an_invitation(hall: Hall, rita: Phone, role: str) -> None:
    """When an owner loses the role, open invitations stop working, because the former owner may know their links."""
    join(rita, invite(hall, "owner"))
    link = invite(hall, "owner", called="Nobody in particular")
    rita.see(link)
    give_role(hall, role)
    rita.see(link, 404)
    assert "canceled the invitation for Nobody in particular." in hall.phone.see(f"{hall.league}/log").text


def test_invitations_stay_open_when_a_helper_leaves(hall: Hall, rita: Phone) -> None:
    """When a helper or director loses the role, open invitations still work, because only owners see their links."""
    join(rita, invite(hall))
    link = invite(hall, called="Vera")
    give_role(hall, "director")
    give_role(hall, "nobody")
    rita.see(link)


def test_last_owner_keeps_the_role(hall: Hall, rita: Phone, new_phone: Callable[[], Phone]) -> None:
    """The last owner can't give up the role until there is a second owner.

    Here the league's own device, which could run the league without an account, was removed before.
    """
    join(rita, invite(hall, "owner"))
    vera = new_phone()
    join(vera, invite(hall), "Vera")
    hall.phone.submit(hall.phone.see(f"{hall.league}/roles"), f"{hall.league}/device/void")
    for role in ("nobody", "director"):
        assert "Make someone else an owner first" in give_role(hall, role, rita, status=422)
    page = rita.see(f"{hall.league}/roles")
    his = [str(form.get("action")) for form in page.all("form") if "/roles/" in str(form.get("action"))][1]
    data = {"csrf_token": page.form(his).values["csrf_token"], "role": "owner"}
    rita.post(his, data=data, headers={"Origin": "http://localhost"})
    give_role(hall, "nobody", rita)
    vera.see(f"{hall.league}/roles")


@pytest.mark.usefixtures("open_sign_up")
def test_owner_does_not_use_up_an_invitation(app: Flask, hall: Hall, rita: Phone) -> None:
    """If an owner accepts an invitation, the invitation isn't used up and still works for the invited person."""
    link = invite(hall)
    sign_up(hall.phone)
    hall.phone.submit(hall.phone.see(link), "/invitations")
    join(rita, link, "Vera")
    with app.app_context():
        assert db.session.scalars(select(RoleRow.role)).all() == ["helper"]


def test_invalid_invitation_shows_an_error(app: Flask, hall: Hall) -> None:
    """An invitation without a valid name or role is refused.

    When the number of open invitations has reached the limit, another invitation is refused, too.
    """
    page = hall.phone.see(f"{hall.league}/roles")
    for fields, says in (
        ({"called": "  ", "role": "helper"}, "Enter the name of the person you're inviting."),
        ({"called": "Rita", "role": "nobody"}, "Choose a role."),
        ({"called": "Rita", "role": None}, "Choose a role."),
        ({"called": "R" * 41, "role": "helper"}, "40 characters"),
    ):
        assert says in hall.phone.submit(page, f"{hall.league}/invitations", 422, **fields).text
    with app.app_context(), writing() as session:
        assert session.scalar(select(func.count()).select_from(InvitationRow)) == 0
        (league,) = session.scalars(select(RoleRow.league_id)).all() or (1,)
        session.add_all(
            InvitationRow(league_id=league, secret=f"{n}", role="helper", called="X", made_at=datetime.now(UTC))
            for n in range(MOST_OPEN)
        )
    again = hall.phone.submit(page, f"{hall.league}/invitations", 422, called="Rita", role="helper")
    assert "already 50 open invitations" in again.text


def test_only_owners_invite_or_change_roles(hall: Hall, rita: Phone) -> None:
    """People who aren't owners can neither open the page of roles nor use its forms."""
    rita.see("/leagues")
    page = hall.phone.see(f"{hall.league}/roles")
    mine = rita.see("/games/new")
    token = next(str(field.get("value")) for field in mine.all("input", name="csrf_token"))
    rita.see(page.path, 403)
    for path in ("invitations", "invitations/1/void", "roles/1"):
        data = {"csrf_token": token, "called": "Eve", "role": "owner"}
        assert rita.post(f"{hall.league}/{path}", data=data).status_code == 403
    assert rita.post("/invitations", data={"csrf_token": token, "secret": "x"}).status_code == 303


def test_taken_account_name_is_refused(hall: Hall, rita: Phone, new_phone: Callable[[], Phone]) -> None:
    """An invited person who chooses a taken account name gets an error, and the invitation still works."""
    join(rita, invite(hall))
    other, link = new_phone(), invite(hall, called="Another Rita")
    page = other.submit(other.see(link), "/invitations/account", 422, username="rita b.", **TYPED)
    assert "That name is taken." in page.text
    sign_in(other, "Rita B.")
    assert other.see(link).all("form", action="/invitations")


def test_league_device_can_be_removed(app: Flask, hall: Hall, rita: Phone) -> None:
    """The league's own device, which runs the league without an account, can be removed once an account is an owner.

    After that, the device can only view the league.
    """
    night = hall.night((NAMES, ()), close=False)
    game = hall.hands(night, 0, count=1)
    page = hall.phone.see(f"{hall.league}/roles")
    refused = hall.phone.submit(page, f"{hall.league}/device/void", 422)
    assert "Save the league to an account first" in refused.text
    hall.phone.see(f"{hall.league}/seasons")
    join(rita, invite(hall, "owner"))
    assert hall.phone.submit(page, f"{hall.league}/device/void").path == hall.league
    hall.phone.see(f"{hall.league}/seasons", 403)
    assert not hall.phone.see(f"/games/{game}").all("form", method="post")
    page = rita.see(f"{hall.league}/roles")
    assert "The device that runs the league" not in page.text
    assert "Only accounts run the league now." in rita.see(f"{hall.league}/log").text
    rita.see(f"/nights/{night}/desk")


def test_invitations_are_not_limited_by_address(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """Many people at one network address can accept invitations, because everyone in a hall shares one address.

    If too many account names are tried with one invitation, further attempts are refused with 429.
    """
    links = [invite(hall, called=f"Helper {number}") for number in range(SIGN_UP.amount + 2)]
    app.config["LIMITS"] = True
    rate_limit.connect(app)
    last = links.pop()
    for number, link in enumerate(links):
        join(new_phone(), link, f"Rita {number}")
    guesser = new_phone()
    for status in [*[422] * SIGN_UP.amount, 429]:
        join(guesser, last, "Rita 0", status)
    app.extensions["limiter"].storage.engine.dispose()


def test_removed_device_keeps_no_working_link(
    app: Flask, hall: Hall, rita: Phone, new_phone: Callable[[], Phone]
) -> None:
    """After the league's device is removed, its score links, backup codes and invitations no longer work.

    The device may have been sold.
    """
    night = hall.night((NAMES, ()), close=False)
    game = hall.hands(night, 0, count=1)
    table = hall.phone.submit(hall.phone.see(f"/games/{game}/table"), f"/games/{game}/recovery")
    (code,) = set(re.findall(r"\b\w{4}-\w{4}-\w{4}\b", table.text))
    made = hall.phone.submit(table, f"/games/{game}/score-links", 200)
    (link,) = [str(field.get("value")).removeprefix("http://localhost") for field in made.all("input", type="url")]
    join(rita, invite(hall, "owner"))
    invitation = invite(hall, "owner")
    hall.phone.submit(hall.phone.see(f"{hall.league}/roles"), f"{hall.league}/device/void")
    buyer = new_phone()
    buyer.see(link, 404)
    buyer.see(invitation, 404)
    assert "No game has that code." in buyer.submit(buyer.see("/recovery"), "/recovery", 422, code=code).text
    log = rita.see(f"/games/{game}/log").text
    assert "Unused score link removed." in log


def test_handover_link_works_once(app: Flask, hall: Hall, rita: Phone) -> None:
    """A link that hands a league over to another device works once.

    The used link doesn't work again, even after the league is handed back.
    """

    def word() -> str:
        with app.app_context():
            return handover_path(db.session(), hall.league.rpartition("/")[2], str(app.secret_key))

    there = word()
    rita.submit(rita.see(there), there)
    back = word()
    hall.phone.submit(hall.phone.see(back), back)
    hall.phone.see(f"{hall.league}/roles")
    rita.see(there, 404)
    assert word() not in (there, back)
