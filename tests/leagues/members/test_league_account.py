"""A league kept in the account of its director, who directs it from a second computer; and nobody else does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from scorekeeper.accounts.actor import Actor
from scorekeeper.leagues.core.access import NotAllowedError
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueRow, TableRow
from scorekeeper.leagues.members.ownership import keep_in_account
from scorekeeper.leagues.transfer.archive import read_archive
from scorekeeper.leagues.transfer.demo_removal import remove_demo
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


def test_a_second_computer_directs_the_league_once_it_is_kept(
    hall: Hall, client: Phone, new_phone: Callable[[], Phone]
) -> None:
    """Its people, its seasons and its desk; until the director signs out there."""
    second = new_phone()
    sign_up(client)
    sign_in(second)
    second.see(f"{hall.league}/seasons", 403)
    kept = client.submit(client.see(hall.league), f"{hall.league}/account")
    assert "This league is in your account" in kept.text
    assert hall.league in [link.get("href") for link in second.see("/leagues").all("a", class_="game")]
    page = second.submit(second.see(f"{hall.league}/people"), f"{hall.league}/people", names="Zoe")
    assert "1 name was added." in page.text
    second.see(f"{hall.league}/seasons")
    assert "keeps the league in an account" in client.see(f"{hall.league}/log").text
    second.submit(second.see("/account"), "/account/sign-out")
    second.see(f"{hall.league}/seasons", 403)
    second.submit(page, f"{hall.league}/people", 403, names="Yves")
    assert hall.league not in [link.get("href") for link in second.see("/leagues").all("a", class_="game")]
    client.see(f"{hall.league}/seasons")


def test_who_keeps_a_league_in_an_account_gets_a_new_session_with_it(hall: Hall, client: Phone) -> None:
    """Whoever had the cookie from before is not to own the league as well; kept twice, it is the same cookie."""
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


def test_a_second_computer_runs_the_desk_of_a_night(
    app: Flask, hall: Hall, client: Phone, new_phone: Callable[[], Phone]
) -> None:
    """It opens the desk, and says that a result is right, as the director's own device does."""
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


def test_the_log_holds_who_was_signed_in_and_an_archive_does_not(app: Flask, hall: Hall, client: Phone) -> None:
    """An account is nobody in another score book."""
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


def test_it_is_kept_once(app: Flask, hall: Hall, client: Phone) -> None:
    sign_up(client)
    page = client.see(hall.league)
    client.submit(page, f"{hall.league}/account")
    before = contents(app)
    client.submit(page, f"{hall.league}/account")
    assert contents(app) == before


def test_nobody_keeps_the_league_of_another(
    app: Flask, hall: Hall, client: Phone, new_phone: Callable[[], Phone]
) -> None:
    """A director of another account, a guest, and the device itself while nobody is signed in."""
    other = new_phone()
    sign_up(other, "Bob")
    assert "in my account" not in other.see(hall.league).text
    before = contents(app)
    for phone in (other, new_phone(), client):
        token = str(phone.see("/leagues").form("/leagues").values["csrf_token"])
        assert phone.post(f"{hall.league}/account", data={"csrf_token": token}).status_code == 403
    assert contents(app) == before


def test_the_device_directs_as_before_without_an_account(hall: Hall, client: Phone) -> None:
    assert "account" not in client.see(hall.league).text
    client.see(f"{hall.league}/seasons")


def test_a_demo_that_was_kept_is_removed_all_the_same(app: Flask, hall: Hall, client: Phone) -> None:
    sign_up(client)
    client.submit(client.see(hall.league), f"{hall.league}/account")
    with app.app_context():
        with writing() as session:
            session.execute(update(LeagueRow).values(demo=True))
        assert remove_demo() == 0
    assert contents(app)["league_role"] == []
    client.see("/account")


def test_outside_a_request_the_device_alone_counts(app: Flask, hall: Hall) -> None:
    with app.app_context(), pytest.raises(NotAllowedError):
        keep_in_account(league=hall.league.rsplit("/", 1)[1], actor=Actor("somebody's", 1))
