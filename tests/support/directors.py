"""Sign up and sign in as a director, in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.page import Page, words

if TYPE_CHECKING:
    from tests.support.phone import Phone

NAME = "Rita B."
PASSWORD = "four sleepy badgers"
OTHER = "the kettle is on again"
COOKIE = "scorekeeper_account"


def sign_up(device: Phone, name: str = NAME, password: str = PASSWORD) -> str:
    """Create an account and sign in on `device`. Return the account's recovery code, which people should print."""
    page = device.submit(device.see("/account/sign-up"), "/account/sign-up", 200, username=name, new_password=password)
    return printed_on(page)


def printed_on(page: Page) -> str:
    """Return the account's recovery code, which `page` shows for printing."""
    assert page.h1 == "Your printed code"
    return words(page.one("p", class_="printed"))


def sign_in(device: Phone, name: str = NAME, password: str = PASSWORD, status: int = 303) -> Page:
    """Sign in on `device` and return the next page; `status` is the expected status of the response to the form."""
    page = device.see("/account/sign-in")
    return device.submit(page, "/account/sign-in", status, username=name, current_password=password)


def is_in(device: Phone) -> bool:
    """Return whether the device is signed in."""
    return device.get("/account").status_code == 200


def word_of(device: Phone) -> str:
    """Return the token in the session cookie of `device`, or "" if there is no such cookie."""
    cookie = device.get_cookie(COOKIE)
    return "" if cookie is None else cookie.value


def log_of(device: Phone) -> list[str]:
    """Return the lines of the log on the device's account page, newest first."""
    return [words(line) for line in device.see("/account").one("ol", class_="log").iter("b")]
