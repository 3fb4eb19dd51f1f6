"""Deleting an account, after which nobody can sign in to it, its name is free, and every league still has an owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from scorekeeper.accounts.models import AccountEventRow, AccountRow, KnownDeviceRow, SessionRow
from scorekeeper.accounts.sessions import FRESH
from scorekeeper.web.extensions import db, writing
from tests.support.directors import COOKIE, NAME, PASSWORD, is_in, sign_in, sign_up, word_of
from tests.support.game import contents, start
from tests.support.league import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.league import Hall
    from tests.support.page import Page
    from tests.support.phone import Phone

pytestmark = pytest.mark.usefixtures("open_sign_up")

PATH = "/account/deletion"


def keep(hall: Hall) -> None:
    """Save the league to the account that is signed in on the league's own device (which created the league)."""
    hall.phone.submit(hall.phone.see(hall.league), f"{hall.league}/account")


def leave(device: Phone, status: int = 303) -> Page:
    """Delete the account that is signed in on `device`, and return the page that follows."""
    return device.submit(device.see(PATH), PATH, status)


def invite(hall: Hall, by: Phone, called: str, role: str) -> str:
    """Create an invitation on the device `by` for the person `called`, and return its path."""
    made = by.submit(by.see(f"{hall.league}/roles"), f"{hall.league}/invitations", 200, called=called, role=role)
    (link,) = [str(field.get("value")) for field in made.all("input", type="url")]
    return link.removeprefix("http://localhost")


def owner(hall: Hall, by: Phone, device: Phone, name: str) -> Phone:
    """Sign up on `device` as `name`, make that account an owner of the league, and return the device.

    The device `by` creates the invitation for the new owner.
    """
    sign_up(device, name)
    device.submit(device.see(invite(hall, by, name, "owner")), "/invitations")
    return device


def test_deleted_account_cannot_be_opened(app: Flask, client: Phone, new_phone: Callable[[], Phone]) -> None:
    """A deleted account can't be opened by a session, a password or a recovery code.

    Its name can be used for a new account.
    """
    code = sign_up(client)
    other = new_phone()
    sign_in(other)
    cookie = word_of(client)
    door = leave(client)
    assert door.path == "/account/sign-in"
    assert "Your account is deleted." in door.text
    client.set_cookie(COOKIE, cookie)
    assert not is_in(client)
    assert not is_in(other)
    sign_in(other, status=422)
    fields: dict[str, Any] = {"username": NAME, "code": code, "new-password": PASSWORD}
    other.submit(other.see("/account/code"), "/account/code", 422, **fields)
    with app.app_context():
        for row in (SessionRow, KnownDeviceRow):
            assert db.session.scalar(select(func.count()).select_from(row)) == 0
        events = db.session.scalars(select(AccountEventRow.kind).where(AccountEventRow.account_id.is_not(None))).all()
        assert events[-1] == "deleted"
    assert NAME not in str(contents(app)["account"])
    assert sign_up(other)


def test_device_keeps_its_games_and_leagues(hall: Hall, client: Phone) -> None:
    """After an account is deleted on a device, the device can still score its games and run its leagues.

    The league's history says that the account's role was removed.
    """
    board = start(client)
    sign_up(client)
    keep(hall)
    page = client.see(PATH)
    assert "You lose your role in" in page.text
    leave(client)
    client.see(board.path).form(f"{board.path}/bid")
    client.see(f"{hall.league}/seasons")
    assert "removed the role of the signed-in owner." in client.see(f"{hall.league}/log").text
    assert NAME not in client.see(f"{hall.league}/roles").text


def test_last_owner_cannot_delete_the_account(
    app: Flask, hall: Hall, client: Phone, new_phone: Callable[[], Phone]
) -> None:
    """The last owner of a league can't delete the account until there is another owner.

    The refused attempt changes nothing.
    """
    sign_up(client)
    keep(hall)
    client.submit(client.see(f"{hall.league}/roles"), f"{hall.league}/device/void")
    before = contents(app)
    refused = leave(client, 422)
    assert "make someone else an owner first." in refused.text
    assert contents(app) == before
    vera = owner(hall, client, new_phone(), "Vera")
    leave(client)
    vera.see(f"{hall.league}/seasons")
    client.see(f"{hall.league}/seasons", 403)


def test_deleted_account_no_longer_scores_tables(hall: Hall, client: Phone, new_phone: Callable[[], Phone]) -> None:
    """After an owner's account is deleted, the owner's device can't score the tables that it started.

    Invitations that this owner created stop working, because the former owner may know their links.
    """
    night = hall.night((NAMES, ()), close=False)
    sign_up(client)
    keep(hall)
    rita = owner(hall, client, new_phone(), "Rita")
    waits = invite(hall, rita, "Max", "helper")
    desk = rita.see(f"/nights/{night}/desk")
    (table,) = [field.get("value") for field in desk.all("button", name="table")]
    game = rita.submit(desk, f"/nights/{night}/games", table=table)
    assert game.all("form", method="post")
    leave(rita)
    assert not rita.see(game.path).all("form", method="post")
    client.see(waits, 404)


def test_old_session_must_sign_in_again_to_delete(app: Flask, client: Phone) -> None:
    """A user who signed in too long ago must sign in again before deleting the account.

    After signing in, the user is back on the page that asks whether to delete the account.
    """
    sign_up(client)
    page = client.see(PATH)
    with app.app_context(), writing() as session:
        for row in session.scalars(select(SessionRow)):
            row.made_at -= FRESH
    door = client.submit(page, PATH)
    assert door.path == "/account/sign-in"
    assert client.get(PATH).status_code == 303
    back = client.submit(door, "/account/sign-in", username=NAME, current_password=PASSWORD)
    assert back.h1 == "Delete your account?"
    with app.app_context():
        assert db.session.scalars(select(AccountRow.name)).all() == [NAME]
