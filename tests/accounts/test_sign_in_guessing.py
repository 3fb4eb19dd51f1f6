"""Strangers who guess passwords have to wait, but the director doesn't."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.accounts.devices import COOKIE as DEVICE_COOKIE
from scorekeeper.db.tokens import hash_of, new_code
from scorekeeper.web.rate_limit import CODE_BY_ADDRESS, SIGN_IN, SIGN_IN_BY_NAME, SIGN_UP, connect
from tests.support.directors import NAME, OTHER, PASSWORD, is_in, sign_in, sign_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone


@pytest.fixture
def app(app: Flask) -> Flask:
    """Return the application with rate limits on."""
    app.config["LIMITS"] = True
    connect(app)
    return app


def from_address(device: Phone, address: str) -> Phone:
    """Make the requests of `device` come from the IP address `address`, and return the device."""
    device.environ_base["REMOTE_ADDR"] = address
    return device


def test_who_guesses_passwords_waits(phone: Phone) -> None:
    for _ in range(SIGN_IN.amount):
        sign_in(phone, "Nobody", OTHER, 422)
    page = sign_in(phone, "Nobody", OTHER, 429)
    assert "Too many sign-in attempts" in page.text
    assert 0 < int(page.response.headers["Retry-After"]) <= 60


def test_many_who_guess_from_everywhere_wait_and_the_director_does_not(
    laptop: Phone, new_phone: Callable[[], Phone]
) -> None:
    """The sign-in limits by name and by address don't apply to a device on which the director signed in before."""
    sign_up(laptop)
    laptop.submit(laptop.see("/account"), "/account/sign-out")
    for guess in range(SIGN_IN_BY_NAME.amount):
        sign_in(from_address(new_phone(), f"203.0.113.{guess}"), NAME, OTHER, 422)
    sign_in(from_address(new_phone(), "203.0.113.99"), NAME, OTHER, 429)
    stranger = new_phone()
    for _ in range(SIGN_IN.amount):
        sign_in(stranger, "Nobody", OTHER, 422)
    sign_in(stranger, "Nobody", OTHER, 429)
    sign_in(laptop)
    assert is_in(laptop)


def test_a_device_that_was_let_in_once_does_not_guess_for_ever(laptop: Phone) -> None:
    """On a device on which the director signed in before, too many wrong passwords make even the right one wait.

    Before this limit is reached, the right password resets the count.
    """
    sign_up(laptop)
    for _ in range(SIGN_IN_BY_NAME.amount - 1):
        sign_in(laptop, password=OTHER, status=422)
    sign_in(laptop)
    for _ in range(SIGN_IN_BY_NAME.amount):
        sign_in(laptop, password=OTHER, status=422)
    sign_in(laptop, status=429)


def test_who_finds_a_device_open_does_not_guess_the_password_for_ever(laptop: Phone) -> None:
    """The form for a new password limits how often somebody may guess the current password.

    Once the limit is reached, even the right password has to wait.
    """
    sign_up(laptop)
    page = laptop.see("/account")
    for status in [*[422] * SIGN_IN_BY_NAME.amount, 429]:
        laptop.submit(page, "/account/password", status, current_password=OTHER, new_password=OTHER)
    refused = laptop.submit(page, "/account/password", 429, current_password=PASSWORD, new_password=OTHER)
    assert "Too many sign-in attempts" in refused.text


def test_no_name_is_counted_as_something_else(laptop: Phone, new_phone: Callable[[], Phone]) -> None:
    """Strangers who sign in with names like "session 1" don't use up the tries of a director's device or session.

    The server counts the tries of a device or session under keys that look like such names.
    """
    sign_up(laptop)
    cookie = laptop.get_cookie(DEVICE_COOKIE)
    assert cookie is not None
    names = (f"{NAME} at {hash_of(cookie.value)}", "session 1")
    for name in names:
        for guess in range(SIGN_IN_BY_NAME.amount):
            sign_in(from_address(new_phone(), f"203.0.{guess}.7"), name, OTHER, 422)
    sign_in(laptop)
    page = laptop.see("/account")
    laptop.submit(page, "/account/password", current_password=PASSWORD, new_password=OTHER)


def test_being_let_in_to_one_account_helps_with_no_other(laptop: Phone, phone: Phone) -> None:
    sign_up(laptop)
    sign_up(phone, "Bob")
    for _ in range(SIGN_IN.amount):
        sign_in(phone, NAME, OTHER, 422)
    sign_in(phone, NAME, OTHER, 429)


def test_who_guesses_codes_waits(laptop: Phone, phone: Phone) -> None:
    sign_up(laptop)
    page = phone.see("/account/code")
    for status in [*[422] * CODE_BY_ADDRESS.amount, 429]:
        phone.submit(page, "/account/code", status, username=NAME, code=new_code(), new_password=OTHER)


def test_nobody_makes_accounts_all_day(phone: Phone) -> None:
    page = phone.see("/account/sign-up")
    for _ in range(SIGN_UP.amount):
        phone.submit(page, "/account/sign-up", 422, username="Bob", new_password="a slip")
    for number, status in enumerate([*[200] * SIGN_UP.amount, 429]):
        phone.submit(page, "/account/sign-up", status, username=f"Bob {number}", new_password=OTHER)
