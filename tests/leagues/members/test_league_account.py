"""A league saved in its owner's account, so that the owner can run it from a second device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from scorekeeper.accounts.devices import Actor
from scorekeeper.leagues.core.access import NotAllowedError
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueRow, TableRow
from scorekeeper.leagues.members.service import keep_in_account
from scorekeeper.leagues.transfer.archive import read_archive
from scorekeeper.leagues.transfer.demo import remove_demo
from scorekeeper.web.extensions import db, writing
from tests.support.directors import COOKIE, is_in, sign_in, sign_up, word_of
from tests.support.game import contents
from tests.support.league import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.league import Hall
    from tests.support.phone import Phone


pytestmark = pytest.mark.usefixtures("open_sign_up")


def test_signed_in_device_runs_the_league(hall: Hall, client: Phone, new_phone: Callable[[], Phone]) -> None:
    """A second device on which the owner is signed in can change the league's people and seasons."""
    second = new_phone()
    sign_up(client)
    sign_in(second)
    second.see(f"{hall.league}/seasons", 403)
    kept = client.submit(client.see(hall.league), f"{hall.league}/account")
    assert "This league is saved in your account" in kept.text
    assert hall.league in [link.get("href") for link in second.see("/leagues").all("a", class_="game")]
    page = second.submit(second.see(f"{hall.league}/people"), f"{hall.league}/people", names="Zoe")
    assert "1 player added." in page.text
    second.see(f"{hall.league}/seasons")
    assert "saved the league to an account" in client.see(f"{hall.league}/log").text
    second.submit(second.see("/account"), "/account/sign-out")
    second.see(f"{hall.league}/seasons", 403)
    second.submit(page, f"{hall.league}/people", 403, names="Yves")
    assert hall.league not in [link.get("href") for link in second.see("/leagues").all("a", class_="game")]
    client.see(f"{hall.league}/seasons")


def test_a_league_made_while_signed_in_is_in_the_account(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """The league is saved in the account at once, and the session is renewed, as when it is saved later."""
    second = new_phone()
    sign_up(client)
    before = word_of(client)
    page = client.submit(client.see("/leagues"), "/leagues", name="Elks")
    assert "This league is saved in your account" in page.text
    assert word_of(client) != before
    sign_in(second)
    assert page.path in [link.get("href") for link in second.see("/leagues").all("a", class_="game")]
    second.see(f"{page.path}/seasons")


def test_adding_a_league_to_an_account_renews_the_session(hall: Hall, client: Phone) -> None:
    """Saving a league to an account starts a new session, so a session cookie that was stolen before stops working.

    Saving the same league again doesn't start another session.
    """
    sign_up(client)
    before = word_of(client)
    page = client.see(hall.league)
    client.submit(page, f"{hall.league}/account")
    after = word_of(client)
    assert after != before
    client.submit(page, f"{hall.league}/account")
    assert word_of(client) == after
    client.set_cookie(COOKIE, before)
    assert not is_in(client)


def test_signed_in_device_runs_a_night(app: Flask, hall: Hall, client: Phone, new_phone: Callable[[], Phone]) -> None:
    """A device on which the owner is signed in can open the page for running a night, and confirm a result there."""
    second = new_phone()
    sign_up(client)
    client.submit(client.see(hall.league), f"{hall.league}/account")
    night = hall.night((NAMES, (21, 13)), close=False)
    desk = f"/nights/{night}/desk"
    second.see(desk, 403)
    sign_in(second)
    token = str(next(form for form in second.see(desk).all("input", name="csrf_token")).get("value"))
    with app.app_context():
        table = db.session.scalars(select(TableRow.id)).one()
    sent = {"csrf_token": token, "side": "0", "seat": "0", "points": "21,13"}
    assert second.post(f"/nights/{night}/tables/{table}/confirmations", data=sent).status_code == 303
    assert new_phone().get(desk).status_code == 403


def test_archive_leaves_out_accounts(app: Flask, hall: Hall, client: Phone) -> None:
    """A league's archive has no ids of accounts, because these ids mean nothing in another database."""
    sign_up(client)
    client.submit(client.see(hall.league), f"{hall.league}/account")
    client.submit(client.see("/account"), "/account/sign-out")
    client.submit(client.see(f"{hall.league}/people"), f"{hall.league}/people", names="Zoe")
    with app.app_context():
        lines = db.session.execute(select(LeagueEventRow.kind, LeagueEventRow.account_id)).all()
        archive = read_archive(db.session(), hall.league.rsplit("/", 1)[1])
    assert [kind for kind, account in lines if account is not None] == ["kept_in_account"]
    assert len(archive.parts["log"]) == len(lines)
    assert all("account_id" not in row for row in archive.parts["log"])


def test_adding_a_league_twice_changes_nothing(app: Flask, hall: Hall, client: Phone) -> None:
    sign_up(client)
    page = client.see(hall.league)
    client.submit(page, f"{hall.league}/account")
    before = contents(app)
    client.submit(page, f"{hall.league}/account")
    assert contents(app) == before


def test_only_an_owner_adds_the_league_to_an_account(
    app: Flask, hall: Hall, client: Phone, new_phone: Callable[[], Phone]
) -> None:
    """Only an owner can save a league to an account.

    The form is refused from another account, from a phone without a role, and from the device that created the league
    while nobody is signed in on that device.
    """
    other = new_phone()
    sign_up(other, "Bob")
    assert "in my account" not in other.see(hall.league).text
    before = contents(app)
    for phone in (other, new_phone(), client):
        token = str(phone.see("/leagues").form("/leagues").values["csrf_token"])
        assert phone.post(f"{hall.league}/account", data={"csrf_token": token}).status_code == 403
    assert contents(app) == before


def test_device_runs_the_league_without_an_account(hall: Hall, client: Phone) -> None:
    assert "account" not in client.see(hall.league).text
    client.see(f"{hall.league}/seasons")


def test_demo_in_an_account_can_be_removed(app: Flask, hall: Hall, client: Phone) -> None:
    sign_up(client)
    client.submit(client.see(hall.league), f"{hall.league}/account")
    with app.app_context():
        with writing() as session:
            session.execute(update(LeagueRow).values(demo=True))
        assert remove_demo() == 0
    assert contents(app)["league_role"] == []
    client.see("/account")


def test_only_the_device_counts_outside_a_request(app: Flask, hall: Hall) -> None:
    with app.app_context(), pytest.raises(NotAllowedError):
        keep_in_account(league=hall.league.rsplit("/", 1)[1], actor=Actor("somebody's", 1))
