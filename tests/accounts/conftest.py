"""Directors of a server with open sign-up, with fast password hashing."""

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
    """Let a password be checked in a moment."""
    with quick_passwords():
        yield


@pytest.fixture
def app(app: Flask) -> Flask:
    """Return the application, open to everybody who wants an account."""
    app.config["SIGN_UP"] = True
    return app


@pytest.fixture
def laptop(client: Phone) -> Phone:
    """Return a device that makes itself known by its browser."""
    return named(client, "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")


@pytest.fixture
def phone(new_phone: Callable[[], Phone]) -> Phone:
    """Return another."""
    return named(
        new_phone(),
        "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36",
    )


def named(device: Phone, user_agent: str) -> Phone:
    """Let `device` send that with each request, and return it."""
    device.environ_base["HTTP_USER_AGENT"] = user_agent
    return device
