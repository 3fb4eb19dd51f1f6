"""Fixtures for the operator's page: a league with a public page, and an operator who is signed in on another device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.accounts import service as accounts_service
from scorekeeper.leagues.publishing import service
from tests.support.directors import NAME, sign_in, sign_up
from tests.support.league import Hall, make_hall
from tests.support.phone import Phone
from tests.support.quick_passwords import quick_passwords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask

CLUB = "/clubs/fire-hall"


@pytest.fixture(autouse=True)
def quick_checks() -> Iterator[None]:
    """Make password checks fast in every test."""
    with quick_passwords():
        yield


@pytest.fixture
def new_phone(app: Flask) -> Callable[[], Phone]:
    """Return a function that returns a phone that never opened a page of the app."""

    def make() -> Phone:
        phone = app.test_client()
        assert isinstance(phone, Phone)
        return phone

    return make


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league with a public page, four people, and a closed night with one table."""
    hall = make_hall(app, client)
    hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    with app.app_context():
        league = hall.league.removeprefix("/leagues/")
        service.save_club(league=league, is_open=True, slug="fire-hall", names="full", device=hall.device)
    return hall


@pytest.fixture
def operator(app: Flask, new_phone: Callable[[], Phone]) -> Phone:
    """Return a device on which the operator just signed in."""
    app.config["SIGN_UP"] = True
    device = new_phone()
    sign_up(device)
    with app.app_context():
        accounts_service.set_operator(name=NAME, may=True)
    sign_in(device)
    return device
