"""Fixtures for tests of accounts: open sign-up, fast password hashing, and two devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.quick_passwords import quick_passwords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask

    from tests.support.phone import Phone


@pytest.fixture(autouse=True)
def no_work() -> Iterator[None]:
    """Use fast password hashing in every test of this folder."""
    with quick_passwords():
        yield


@pytest.fixture
def app(app: Flask) -> Flask:
    """Return the application with sign-up open to everyone."""
    app.config["SIGN_UP"] = True
    return app


@pytest.fixture
def laptop(client: Phone) -> Phone:
    """Return a device whose requests come from Firefox on Linux."""
    return named(client, "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")


@pytest.fixture
def phone(new_phone: Callable[[], Phone]) -> Phone:
    """Return a second device, whose requests come from Chrome on Android."""
    return named(
        new_phone(),
        "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36",
    )


def named(device: Phone, user_agent: str) -> Phone:
    """Make `device` send `user_agent` as its User-Agent header with each request, and return the device."""
    device.environ_base["HTTP_USER_AGENT"] = user_agent
    return device
