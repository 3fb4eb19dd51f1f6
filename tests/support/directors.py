"""What directors do in the tests."""

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
    """Make an account there; return its printed code."""
    page = device.submit(device.see("/account/sign-up"), "/account/sign-up", 200, username=name, new_password=password)
    return printed_on(page)


def printed_on(page: Page) -> str:
    """Return the code that the page shows."""
    assert page.h1 == "Your printed code"
    return words(page.one("p", class_="printed"))


def sign_in(device: Phone, name: str = NAME, password: str = PASSWORD, status: int = 303) -> Page:
    """Sign in there; return the page that comes."""
    page = device.see("/account/sign-in")
    return device.submit(page, "/account/sign-in", status, username=name, current_password=password)


def is_in(device: Phone) -> bool:
    """Return whether the device is signed in."""
    return device.get("/account").status_code == 200


def word_of(device: Phone) -> str:
    """Return the secret in the cookie of the device; empty without one."""
    cookie = device.get_cookie(COOKIE)
    return "" if cookie is None else cookie.value


def log_of(device: Phone) -> list[str]:
    """Return what the account's page says happened, the newest first."""
    return [words(line) for line in device.see("/account").one("ol", class_="log").iter("b")]
