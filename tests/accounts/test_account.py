"""The page of an account: the devices signed in to it, the ways to sign in, and its history."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text, update
from sqlalchemy.exc import DBAPIError

from scorekeeper import create_app
from scorekeeper.accounts.models import AccountEventRow, SessionRow
from scorekeeper.accounts.sessions import FRESH, KEPT
from scorekeeper.db.tokens import new_code, read_code
from scorekeeper.web.extensions import db, writing
from scorekeeper.web.request_log import network
from tests.conftest import settings_in
from tests.support.directors import (
    COOKIE,
    NAME,
    OTHER,
    PASSWORD,
    is_in,
    log_of,
    printed_on,
    sign_in,
    sign_up,
    word_of,
)
from tests.support.game import contents
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone


def lines(device: Phone) -> list[str]:
    """Return the names of the account's signed-in devices, in the order in which the account page lists them."""
    return [words(line) for line in device.see("/account").all("ul", class_="lines")[-1].iter("b")]


def grow_old(app: Flask, by: timedelta) -> None:
    """Move the start of every session into the past by the time `by`."""
    with app.app_context(), writing() as session:
        for row in session.scalars(select(SessionRow)):
            row.made_at -= by


def test_every_device_is_listed_and_each_can_be_signed_out(laptop: Phone, phone: Phone) -> None:
    sign_up(laptop)
    sign_in(phone)
    assert lines(laptop) == ["Firefox, Linux", "Chrome, Android"]
    assert lines(phone) == ["Chrome, Android", "Firefox, Linux"]
    page = laptop.see("/account")
    (action,) = [form.get("action", "") for form in page.all("form") if "/sessions/" in form.get("action", "")][:1]
    assert "That device is signed out." in laptop.submit(page, action).text
    assert not is_in(phone)
    assert lines(laptop) == ["Firefox, Linux"]
    assert log_of(laptop)[0] == "Signed out another device"


def test_signing_out_everywhere_ends_this_one_too(laptop: Phone, phone: Phone) -> None:
    """Signing out everywhere also ends the session of the device that asked for it.

    Somebody who copied that session's cookie is signed out, too.
    """
    sign_up(laptop)
    sign_in(phone)
    copied = word_of(laptop)
    page = laptop.submit(laptop.see("/account"), "/account/sessions/end")
    assert words(page.one("p", class_="notice")) == "You're signed out everywhere."
    assert word_of(laptop) == ""
    laptop.set_cookie(COOKIE, copied)
    assert not is_in(laptop)
    assert not is_in(phone)


def test_what_the_browser_kept_goes_with_the_session(laptop: Phone) -> None:
    """Signing out clears the browser's cache but not its storage, which may have hands that haven't been sent yet."""
    sign_up(laptop)
    token = laptop.see("/account").form("/account/sign-out").values["csrf_token"]
    answer = laptop.post("/account/sign-out", data={"csrf_token": token})
    assert answer.headers["Clear-Site-Data"] == '"cache"'


def test_signing_out_ends_it_in_every_process(
    app: Flask, laptop: Phone, tmp_path: Path, new_phone: Callable[[], Phone]
) -> None:
    """After a sign-out, a second application on the same database refuses the session that it accepted before."""
    sign_up(laptop)
    other = create_app(settings_in(tmp_path)).test_client()
    other.set_cookie(COOKIE, word_of(laptop))
    assert other.get("/account").status_code == 200
    laptop.submit(laptop.see("/account"), "/account/sign-out")
    assert other.get("/account").status_code == 303
    with other.application.app_context():
        db.engine.dispose()


def test_a_new_password_signs_out_everywhere_else(laptop: Phone, phone: Phone) -> None:
    sign_up(laptop)
    sign_in(phone)
    page = laptop.see("/account")
    done = laptop.submit(page, "/account/password", current_password=PASSWORD, new_password=OTHER)
    assert "Password changed." in done.text
    assert not is_in(phone)
    sign_in(phone, status=422)
    sign_in(phone, password=OTHER)
    assert "Password changed" in log_of(laptop)


def test_a_new_password_needs_the_one_from_now(laptop: Phone) -> None:
    """A person must enter the current password to set a new one. A new password that is too short is refused.

    After an error, the page marks the wrong field as invalid. A wrong current password also makes the form stay
    expanded.
    """
    sign_up(laptop)
    page = laptop.see("/account")
    wrong = laptop.submit(page, "/account/password", 422, current_password=OTHER, new_password=OTHER)
    assert wrong.one("input", name="current-password").get("aria-invalid") == "true"
    assert "That's not your current password. Try again." in wrong.text
    assert "open" in wrong.all("details")[0].attrib
    short = laptop.submit(page, "/account/password", 422, current_password=PASSWORD, new_password="short")
    assert short.one("input", name="new-password").get("aria-invalid") == "true"
    sign_in(laptop, password=PASSWORD)
    assert log_of(laptop)[1] == "Refused: wrong password"


@pytest.mark.parametrize(
    "path",
    [
        "/account/password",
        "/account/code/new",
        "/account/sessions/end",
        "/account/sessions/99/end",
    ],
)
def test_only_who_signed_in_just_now_changes_what_opens_the_account(app: Flask, laptop: Phone, path: str) -> None:
    """Only a person who signed in recently can change the password, printed code or sessions of an account.

    Otherwise somebody who finds the laptop unlocked could take over the account.
    """
    sign_up(laptop)
    page = laptop.see("/account")
    token = str(page.form("/account/sign-out").values["csrf_token"])
    grow_old(app, FRESH + timedelta(seconds=1))
    before = contents(app)
    answer = laptop.post(path, data={"csrf_token": token, "current-password": PASSWORD, "new-password": OTHER})
    assert answer.status_code == 303
    assert answer.location.startswith("/account/sign-in")
    assert contents(app) == before
    stale = laptop.see("/account")
    assert "Sign in again to change this" in stale.text
    assert not [form for form in stale.all("form") if form.get("action") == path]
    again = laptop.see("/account/sign-in")
    assert again.one("input", name="username").get("value") == NAME
    laptop.submit(again, "/account/sign-in", current_password=PASSWORD)
    assert "current-password" in laptop.see("/account").form("/account/password").names


def test_the_printed_code_opens_the_account_once(app: Flask, laptop: Phone, phone: Phone) -> None:
    """A printed code opens an account only once. The person who uses the code gets a new one.

    Using the code signs out all other devices.
    """
    code = sign_up(laptop)
    assert code not in str(contents(app))
    page = phone.see("/account/code")
    shouted = code.replace("-", " ").upper()
    opened = phone.submit(page, "/account/code", 200, username=NAME, code=shouted, new_password=OTHER)
    new = printed_on(opened)
    assert new != code
    assert is_in(phone)
    assert not is_in(laptop)
    assert log_of(phone)[0] == "Opened with the printed code"
    again = laptop.see("/account/code")
    for used, status in ((code, 422), (new, 200)):
        laptop.submit(again, "/account/code", status, username=NAME, code=used, new_password=OTHER)


def test_the_paper_says_where_the_code_is_entered_and_with_which_name(laptop: Phone) -> None:
    """The page with a printed code also shows the account's name and the address of the page for entering the code.

    After years, the printed page may be all that the person still has.
    """
    sign_up(laptop)
    page = laptop.submit(laptop.see("/account"), "/account/code/new", 200)
    told = words(page.one("dl"))
    assert told == f"Name {NAME} Enter it at http://localhost/account/code"


def test_a_wrong_code_says_the_same_whoever_it_is(laptop: Phone, phone: Phone) -> None:
    code = sign_up(laptop)
    page = phone.see("/account/code")
    told = set()
    for name, typed in (("Nobody", code), (NAME, new_code()), (NAME, ""), (NAME, "x" * 60), ("", code)):
        answer = phone.submit(page, "/account/code", 422, username=name, code=typed, new_password=OTHER)
        assert answer.one("input", name="code").get("aria-invalid") == "true"
        told.add(answer.text)
    assert len(told) == 1
    assert not is_in(phone)
    assert log_of(laptop)[:3] == ["Refused: wrong printed code"] * 3


@pytest.mark.parametrize(("slip", "password"), [("", "short"), ("x", OTHER)])
def test_a_printed_code_is_typed_once(laptop: Phone, phone: Phone, slip: str, password: str) -> None:
    """If the server refuses a form with a printed code, the form still contains the code that the person typed.

    The server refuses a code with an extra letter, and a new password that is too short.
    """
    typed = slip + sign_up(laptop).upper()
    page = phone.see("/account/code")
    answer = phone.submit(page, "/account/code", 422, username=NAME, code=typed, new_password=password)
    assert answer.one("input", name="code").get("value") == typed
    assert answer.one("input", name="new-password").get("value") == ""


def test_a_new_printed_code_ends_the_one_before(laptop: Phone, phone: Phone) -> None:
    first = sign_up(laptop)
    second = printed_on(laptop.submit(laptop.see("/account"), "/account/code/new", 200))
    page = phone.see("/account/code")
    phone.submit(page, "/account/code", 422, username=NAME, code=first, new_password=OTHER)
    phone.submit(page, "/account/code", 200, username=NAME, code=second, new_password=OTHER)


def test_a_code_is_read_however_it_is_written() -> None:
    code = new_code()
    assert len(code) == 34
    assert (
        read_code(code)
        == read_code(code.upper().replace("-", ""))
        == read_code(f" {code.replace('-', ' - ')}\n")
        == code
    )
    for wrong in ("", "-", code[:-1], code + "x", "é" * 28):
        assert read_code(wrong) == ""


def test_the_log_says_where_from_and_no_more(laptop: Phone, phone: Phone) -> None:
    sign_up(laptop)
    phone.environ_base["REMOTE_ADDR"] = "203.0.113.77"
    sign_in(phone, password=OTHER, status=422)
    text = laptop.see("/account").text
    assert "Refused: wrong password Chrome, Android, 203.0.113.0/24" in text
    assert "203.0.113.77" not in text


@pytest.mark.parametrize(
    ("address", "known"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/48"),
        ("", ""),
        ("unix:", ""),
    ],
)
def test_of_an_address_only_the_network_is_kept(address: str, known: str) -> None:
    assert network(address) == known


def test_the_log_is_kept_for_90_days(app: Flask, laptop: Phone) -> None:
    """A sign-in deletes the lines of an account's log that are older than 90 days.

    Younger lines are kept, and the database refuses to change any line.
    """
    sign_up(laptop)
    now = datetime.now(UTC)
    with app.app_context(), writing() as session:
        account = session.scalars(select(AccountEventRow.account_id)).first()
        for days in (KEPT + timedelta(days=1), KEPT - timedelta(days=1)):
            session.add(AccountEventRow(account_id=account, at=now - days, kind="out_all", address="", agent=""))
    assert log_of(laptop).count("Signed out everywhere") == 1
    with app.app_context(), pytest.raises(DBAPIError, match="never changed"), writing() as session:
        session.execute(update(AccountEventRow).values(kind="x"))
    sign_in(laptop)
    with app.app_context():
        kept = db.session.scalars(text("SELECT kind FROM account_event WHERE kind = 'out_all'")).all()
    assert len(kept) == 1


def test_the_day_of_the_last_use_is_noted_once(app: Flask, laptop: Phone) -> None:
    sign_up(laptop)
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    with app.app_context(), writing() as session:
        session.execute(update(SessionRow).values(seen_on=yesterday))
    laptop.see("/account")
    with app.app_context():
        assert db.session.scalars(select(SessionRow.seen_on)).all() == [datetime.now(UTC).date()]
    before = contents(app)
    laptop.see("/account")
    assert contents(app) == before
