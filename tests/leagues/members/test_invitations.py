"""Somebody is invited to work for a league, takes the invitation, and loses the role again."""

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
from scorekeeper.leagues.members.invitations import MOST_OPEN
from scorekeeper.leagues.members.ownership import handover_path
from scorekeeper.leagues.nights.card_tokens import card_word
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
    """Return the phone of somebody who never was here."""
    return new_phone()


TYPED: dict[str, Any] = {"new-password": PASSWORD}


def invite(hall: Hall, role: str = "helper", called: str = "Rita") -> str:
    """Return the path of an invitation that the device of the league makes."""
    page = hall.phone.see(f"{hall.league}/roles")
    made = hall.phone.submit(page, f"{hall.league}/invitations", 200, called=called, role=role)
    assert made.response.headers["Cache-Control"] == "no-store"
    (link,) = [str(field.get("value")) for field in made.all("input", type="url")]
    return link.removeprefix("http://localhost")


def join(phone: Phone, link: str, name: str = "Rita B.", status: int = 200) -> None:
    """Create an account with an invitation."""
    page = phone.see(link)
    phone.submit(page, "/invitations/account", status, username=name, **TYPED)


def give_role(hall: Hall, role: str, by: Phone | None = None, *, status: int = 303) -> str:
    """Give the first of those who work for the league another role; return what the answer says."""
    owner = by or hall.phone
    page = owner.see(f"{hall.league}/roles")
    change = next(str(form.get("action")) for form in page.all("form") if "/roles/" in str(form.get("action")))
    data = {"csrf_token": page.form(change).values["csrf_token"], "role": role}
    answer = owner.post(change, data=data, headers={"Origin": "http://localhost"})
    assert answer.status_code == status
    return answer.text


def test_an_invitation_waits_for_a_place(hall: Hall, rita: Phone) -> None:
    """While strangers try passwords it is refused, and still good afterwards."""
    link = invite(hall)
    with taken(known=False):
        join(rita, link, status=503)
    join(rita, link)


def test_who_is_invited_makes_an_account_though_nobody_else_may(hall: Hall, rita: Phone) -> None:
    """And is at work at once: the printed code leads on to the league, which stands among hers."""
    link = invite(hall)
    page = rita.see(link)
    assert "Work for" in page.text
    assert "checks people in, enters scores" in page.text
    page = rita.submit(page, "/invitations/account", 200, username="Rita B.", **TYPED)
    assert hall.league in [each.get("href") for each in page.all("a")]
    assert hall.league in [each.get("href") for each in rita.see("/leagues").all("a")]
    night = hall.night((NAMES, ()), close=False)
    rita.submit(rita.see(f"/nights/{night}/desk"), f"/nights/{night}/people/new", name="Zoe")
    assert "Your role in this league: helper." in rita.see(hall.league).text
    rita.see(f"{hall.league}/roles", 403)
    log = hall.phone.see(f"{hall.league}/log").text
    assert "Rita was invited: helper." in log
    assert re.search(r" Rita( · Night 1)? (Added|There from round 1 on): Zoe", log)
    assert "Rita works for the league now: helper." in log
    assert "Rita B." not in log  # what she signs in with is nobody's business
    assert "Rita B." in hall.phone.see(f"{hall.league}/roles").text


def test_an_invitation_that_no_phone_can_open_says_so(hall: Hall) -> None:
    """It was made on the computer of the desk, by the address that is good on that computer alone."""
    page = hall.phone.see(f"{hall.league}/roles")
    made = hall.phone.submit(page, f"{hall.league}/invitations", 200, called="Rita")
    assert "Other phones can't open this yet." in made.text


def test_an_invitation_is_used_once_and_a_look_uses_nothing_up(
    hall: Hall, rita: Phone, new_phone: Callable[[], Phone]
) -> None:
    """Programs that preview a link open it too; a second phone finds it used."""
    link = invite(hall)
    late = new_phone()
    page = late.see(link)
    rita.see(link)
    join(rita, link)
    used = late.see(link, 404)
    assert "This invitation opens nothing" in used.text
    assert way_named(used, "Sign in") == "/account/sign-in?back=/leagues"
    assert way_named(rita.see(link, 404), "Leagues") == "/leagues"  # who keeps the link as the way to the league
    late.submit(page, "/invitations/account", 404, username="Eve", **TYPED)
    with hall.app.app_context():
        assert db.session.scalar(select(func.count()).select_from(AccountRow)) == 1


@pytest.mark.usefixtures("open_sign_up")
def test_who_has_an_account_signs_in_and_gets_a_new_session_with_the_role(app: Flask, hall: Hall, rita: Phone) -> None:
    """The cookie from before opens nothing any more, and the right is no fresher proof of who it is than before."""
    sign_up(rita)
    with app.app_context(), writing() as session:
        session.execute(update(SessionRow).values(made_at=datetime.now(UTC) - 2 * FRESH))
    before = rita.get_cookie("scorekeeper_account")
    assert before is not None
    link = invite(hall, "director")
    page = rita.see(link)
    assert f"Yes, as {NAME}" in page.text
    assert "Start a season" not in rita.submit(page, "/invitations").text
    after = rita.get_cookie("scorekeeper_account")
    assert after is not None
    assert after.value != before.value
    assert "Sign in again to change this" in rita.see("/account").text
    rita.set_cookie("scorekeeper_account", before.value)
    assert "Signed in as" not in rita.get("/account").text


@pytest.mark.usefixtures("open_sign_up")
def test_signing_in_leads_back_to_the_invitation(app: Flask, hall: Hall, rita: Phone) -> None:
    """Where the director says yes."""
    sign_up(rita)
    rita.submit(rita.see("/account"), "/account/sign-out")
    link = invite(hall)
    (way,) = [str(each.get("href")) for each in rita.see(link).all("a") if "/sign-in" in str(each.get("href"))]
    page = rita.see(way)
    page = rita.submit(page, "/account/sign-in", username=NAME, current_password=PASSWORD)
    assert page.path == link
    assert rita.submit(page, "/invitations").path == hall.league


@pytest.mark.parametrize("end", ["taken back", "too old"])
def test_an_invitation_ends(app: Flask, hall: Hall, rita: Phone, end: str) -> None:
    """When the owner takes it back, and after two weeks."""
    link = invite(hall)
    if end == "taken back":
        page = hall.phone.see(f"{hall.league}/roles")
        (back,) = [str(form.get("action")) for form in page.all("form") if "/invitations/" in str(form.get("action"))]
        hall.phone.submit(page, back)
        assert "The invitation of Rita was taken back." in hall.phone.see(f"{hall.league}/log").text
    else:
        with app.app_context(), writing() as session:
            session.execute(
                update(InvitationRow).values(made_at=datetime.now(UTC) - INVITATION_LASTS - timedelta(minutes=1))
            )
    rita.see(link, 404)
    assert "Invited" not in [heading.text for heading in hall.phone.see(f"{hall.league}/roles").all("h2")]


def test_a_role_that_is_taken_away_is_gone_with_the_next_tap(hall: Hall, rita: Phone) -> None:
    """The desk is closed to her, and so are the games that she opened from it; the log says so."""
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
    assert "Rita works for the league no more." in hall.phone.see(f"{hall.league}/log").text


@pytest.mark.parametrize("how", ["another cookie", "the account was opened anew"])
def test_the_tables_go_with_the_role_whatever_the_device_calls_itself(
    hall: Hall, rita: Phone, new_phone: Callable[[], Phone], how: str
) -> None:
    """A cookie that no sign-in knew, and devices that the account forgot: what was let in by the role is sent away."""
    page = rita.submit(rita.see(invite(hall)), "/invitations/account", 200, username="Rita B.", **TYPED)
    night = hall.night((NAMES, ()), close=False)
    if how == "another cookie":
        rita.set_cookie(DEVICE_COOKIE, device_word("made up"))
    desk = rita.see(f"/nights/{night}/desk")
    (table,) = [field.get("value") for field in desk.all("button", name="table")]
    game = rita.submit(desk, f"/nights/{night}/games", table=table)
    if how == "the account was opened anew":
        other = new_phone()
        fields: dict[str, Any] = {"username": "Rita B.", "code": printed_on(page), "new-password": OTHER}
        other.submit(other.see("/account/code"), "/account/code", 200, **fields)
    assert rita.see(game.path).all("form", method="post")
    give_role(hall, "nobody")
    assert not rita.see(game.path).all("form", method="post")


def test_a_table_that_her_phone_scored_by_its_card_goes_with_the_role(app: Flask, hall: Hall, rita: Phone) -> None:
    """She scanned it before she was invited; who is sent home is not to sit there with the phone."""
    night = hall.night((NAMES, ()), close=False)
    with app.app_context():
        word = card_word(night_at(db.session(), night), 1, str(app.secret_key))
    card = f"/nights/{night}/cards/1/{word}"
    game = rita.submit(rita.see(card), card)
    join(rita, invite(hall))
    assert rita.see(game.path).all("form", method="post")
    give_role(hall, "nobody")
    assert not rita.see(game.path).all("form", method="post")


def test_an_owner_changes_roles_also_the_own_one(hall: Hall, rita: Phone) -> None:
    """A director becomes an owner, and gives it up: then the league is all that is left to see."""
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
    assert "Rita: helper from now on, before owner." in hall.phone.see(f"{hall.league}/log").text


@pytest.mark.parametrize("role", ["nobody", "director"])
def test_an_owner_who_goes_comes_back_by_no_invitation(hall: Hall, rita: Phone, role: str) -> None:
    """Who owned the league may have kept the words of those that wait; the log says that they end."""
    join(rita, invite(hall, "owner"))
    link = invite(hall, "owner", called="Nobody in particular")
    rita.see(link)
    give_role(hall, role)
    rita.see(link, 404)
    assert "The invitation of Nobody in particular was taken back." in hall.phone.see(f"{hall.league}/log").text


def test_the_invitations_of_an_owner_outlast_a_helper(hall: Hall, rita: Phone) -> None:
    """Who never saw their words takes none of them along."""
    join(rita, invite(hall))
    link = invite(hall, called="Vera")
    give_role(hall, "director")
    give_role(hall, "nobody")
    rita.see(link)


def test_the_last_owner_stays(hall: Hall, rita: Phone, new_phone: Callable[[], Phone]) -> None:
    """Where the device of the league let go of it; beside another owner, everybody may go."""
    join(rita, invite(hall, "owner"))
    vera = new_phone()
    join(vera, invite(hall), "Vera")
    hall.phone.submit(hall.phone.see(f"{hall.league}/roles"), f"{hall.league}/device/void")
    for role in ("nobody", "director"):
        assert "Make somebody else an owner first" in give_role(hall, role, rita, status=422)
    page = rita.see(f"{hall.league}/roles")
    his = [str(form.get("action")) for form in page.all("form") if "/roles/" in str(form.get("action"))][1]
    data = {"csrf_token": page.form(his).values["csrf_token"], "role": "owner"}
    rita.post(his, data=data, headers={"Origin": "http://localhost"})
    give_role(hall, "nobody", rita)
    vera.see(f"{hall.league}/roles")


@pytest.mark.usefixtures("open_sign_up")
def test_an_owner_who_opens_an_invitation_leaves_it_to_whom_it_is_for(app: Flask, hall: Hall, rita: Phone) -> None:
    """Who may do as much already gains nothing by it."""
    link = invite(hall)
    sign_up(hall.phone)
    hall.phone.submit(hall.phone.see(link), "/invitations")
    join(rita, link, "Vera")
    with app.app_context():
        assert db.session.scalars(select(RoleRow.role)).all() == ["helper"]


def test_silly_invitations_get_their_sentence(app: Flask, hall: Hall) -> None:
    """Nobody named, no role, a role that is none, and too many at once; nothing is made."""
    page = hall.phone.see(f"{hall.league}/roles")
    for fields, says in (
        ({"called": "  ", "role": "helper"}, "Write whom you invite."),
        ({"called": "Rita", "role": "nobody"}, "Choose what they may do."),
        ({"called": "Rita", "role": None}, "Choose what they may do."),
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
    assert "50 invitations wait already" in again.text


def test_nobody_who_only_sees_a_league_invites_or_changes(hall: Hall, rita: Phone) -> None:
    """The page of roles is the owner's, and so is what it sends."""
    rita.see("/leagues")
    page = hall.phone.see(f"{hall.league}/roles")
    mine = rita.see("/games/new")
    token = next(str(field.get("value")) for field in mine.all("input", name="csrf_token"))
    rita.see(page.path, 403)
    for path in ("invitations", "invitations/1/void", "roles/1"):
        data = {"csrf_token": token, "called": "Eve", "role": "owner"}
        assert rita.post(f"{hall.league}/{path}", data=data).status_code == 403
    assert rita.post("/invitations", data={"csrf_token": token, "secret": "x"}).status_code == 303


def test_signed_in_twice_with_one_name_is_said(hall: Hall, rita: Phone, new_phone: Callable[[], Phone]) -> None:
    """A name that somebody has is refused where it was typed, and the invitation is still there."""
    join(rita, invite(hall))
    other, link = new_phone(), invite(hall, called="Another Rita")
    page = other.submit(other.see(link), "/invitations/account", 422, username="rita b.", **TYPED)
    assert "That name is taken." in page.text
    sign_in(other, "Rita B.")
    assert other.see(link).all("form", action="/invitations")


def test_the_device_of_the_league_lets_go_of_it(app: Flask, hall: Hall, rita: Phone) -> None:
    """Once an account owns it, never before; then it reads the league as everybody does, and the owner goes on."""
    night = hall.night((NAMES, ()), close=False)
    game = hall.hands(night, 0, count=1)
    page = hall.phone.see(f"{hall.league}/roles")
    refused = hall.phone.submit(page, f"{hall.league}/device/void", 422)
    assert "Keep the league in an account first" in refused.text
    hall.phone.see(f"{hall.league}/seasons")
    join(rita, invite(hall, "owner"))
    assert hall.phone.submit(page, f"{hall.league}/device/void").path == hall.league
    hall.phone.see(f"{hall.league}/seasons", 403)
    assert not hall.phone.see(f"/games/{game}").all("form", method="post")
    page = rita.see(f"{hall.league}/roles")
    assert "The computer or phone that made the league" not in page.text
    assert "No device directs the league" in rita.see(f"{hall.league}/log").text
    rita.see(f"/nights/{night}/desk")


def test_a_hall_that_shares_an_address_signs_up_by_its_invitations(
    app: Flask, hall: Hall, new_phone: Callable[[], Phone]
) -> None:
    """One more than may sign up from an address without one; who tries names with one invitation is stopped."""
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


def test_the_device_that_let_go_kept_nothing_that_opens(
    app: Flask, hall: Hall, rita: Phone, new_phone: Callable[[], Phone]
) -> None:
    """A score link, the code for a lost phone and an invitation of before are worth nothing: the computer was sold."""
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
    assert "opens no game" in buyer.submit(buyer.see("/recovery"), "/recovery", 422, code=code).text
    log = rita.see(f"/games/{game}/log").text
    assert "The score link that nobody had used was taken back." in log


def test_an_address_that_hands_a_league_over_opens_once(app: Flask, hall: Hall, rita: Phone) -> None:
    """Also where the league comes back to the device from which it came."""

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
