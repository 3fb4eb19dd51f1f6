"""What a helper, a director and an owner may do, each signed in on a separate device."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.accounts.models import AccountRow
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.roles import Role, give_role, role_named, word_of
from scorekeeper.leagues.nights.service import open_night
from scorekeeper.web.extensions import writing
from tests.support.directors import PASSWORD, sign_up
from tests.support.league import NAMES
from tests.support.page import way_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.league import Hall
    from tests.support.phone import Phone

DESK = ("bell", "closing", "draw", "new-cards", "plan", "rounds/1/started", "rounds/1/swap")
"""Ends of the addresses of forms that the desk page must not offer to a helper."""


pytestmark = pytest.mark.usefixtures("open_sign_up")


@pytest.fixture
def as_role(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> Callable[[Role], Phone]:
    """Return a function that takes a role, signs in a new device with that role, and returns the device."""

    def signed_in(role: Role) -> Phone:
        computer = new_phone()
        name = f"Ada {word_of(role)}"
        sign_up(computer, name)
        with app.app_context(), writing() as session:
            account = session.scalars(select(AccountRow.id).where(AccountRow.name == name)).one()
            give_role(session, account, league_at(session, hall.league.split("/")[2]).id, role, datetime.now(UTC))
        return computer

    return signed_in


def test_helper_checks_people_in_and_enters_results(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    """A helper can check people in and enter results.

    The desk doesn't show a helper the forms that are only for directors.
    """
    night = hall.night((NAMES, ()), close=False)
    desk = f"/nights/{night}/desk"
    helper = as_role(Role.HELPER)
    page = helper.see(desk)
    offered = [form.get("action", "").removeprefix(f"/nights/{night}/") for form in page.all("form", method="post")]
    assert not set(DESK) & set(offered), offered
    assert f"/nights/{night}/cards" not in [link.get("href") for link in page.all("a")]
    page = helper.submit(page, f"/nights/{night}/people/new", name="Zoe")
    assert "1 here" not in page.text
    assert "Zoe" in page.text
    fields: dict[str, Any] = {
        name: "21" if name.endswith("-0") else "13"
        for name in page.form(f"/nights/{night}/rounds/1/results").names
        if "points" in name
    }
    page = helper.submit(page, f"/nights/{night}/rounds/1/results", **fields)
    assert "all done" in page.text


def test_helper_reads_who_makes_the_seating(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    """A helper's desk has no button for the seating, and says instead that a director makes the seating."""
    with hall.book():
        night = open_night(season=hall.season.removeprefix("/seasons/"), day=date(2026, 9, 1), device=hall.device)
    told = "A director makes the seating."
    assert told in as_role(Role.HELPER).see(f"/nights/{night}/desk").text
    assert told not in hall.phone.see(f"/nights/{night}/desk").text


def test_helper_cannot_do_anything_else(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    """A helper can't make the seating or close a night, and can't change the kitty, players or seasons.

    The error says which role is needed.
    """
    night = hall.night((NAMES, ()), close=False)
    helper = as_role(Role.HELPER)
    page = helper.see(f"/nights/{night}/desk")
    token = page.form(f"/nights/{night}/people/new").values["csrf_token"]
    for ending in DESK:
        answer = helper.post(f"/nights/{night}/{ending}", data={"csrf_token": token, "rounds": "3", "seed": "1"})
        assert answer.status_code in (403, 422), ending
    refused = helper.post(f"/nights/{night}/draw", data={"csrf_token": token, "seed": "1"})
    assert refused.status_code == 403
    assert "Only a director of this league can do that." in refused.text
    for path in (f"{hall.league}/archive.zip", f"{hall.league}/seasons", f"{hall.person('Ann')}/details"):
        assert "Only an owner of this league can do that." in helper.see(path, 403).text
    assert helper.post(f"/nights/{night}/money/jar", data={"csrf_token": token}).status_code == 403


def test_director_runs_the_night_but_not_the_league(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    """A director can open, run and close a night, but can't edit players or start and close seasons."""
    director = as_role(Role.DIRECTOR)
    page = director.submit(director.see(hall.season), f"{hall.season}/nights", day="2026-09-01")
    assert page.path.endswith("/desk")
    night = page.path.removesuffix("/desk")
    page = director.submit(page, f"{night}/people/new", name="Zoe")
    page = director.submit(page, f"{night}/plan")
    page = director.submit(page, f"{night}/closing")
    assert "This night is closed" in page.text
    director.see(f"{hall.league}/seasons", 403)
    assert "Edit" not in director.see(f"{hall.league}/people").text
    assert f"{hall.season}/closing" not in [
        form.get("action") for form in director.see(hall.season).all("form", method="post")
    ]


def test_signing_in_leads_back_to_the_desk(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    """If a helper is signed out during a night, signing in again leads back to the desk."""
    night = hall.night((NAMES, ()), close=False)
    desk = f"/nights/{night}/desk"
    helper = as_role(Role.HELPER)
    page = helper.see(desk)
    helper.submit(helper.see("/account"), "/account/sign-out")
    door = f"/account/sign-in?back={desk}"
    assert way_named(helper.see(desk, 403), "Sign in") == door
    assert way_named(helper.submit(page, f"/nights/{night}/people/new", 403, name="Zoe"), "Sign in") == door
    back = helper.submit(
        helper.see(door), "/account/sign-in", username=f"Ada {word_of(Role.HELPER)}", current_password=PASSWORD
    )
    assert back.path == desk


def test_signed_in_reader_is_not_told_to_sign_in(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    page = as_role(Role.HELPER).see(f"{hall.league}/roles", 403)
    assert page.h1 == "You can't do that with this account"
    assert "Ask an owner of the league to invite you." in page.text
    assert way_named(page, "Sign in") is None


def test_owner_does_everything_the_league_device_does(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    """A signed-in owner can back up the league, rename a player and close a season."""
    owner = as_role(Role.OWNER)
    assert owner.get(f"{hall.league}/archive.zip").status_code == 200
    owner.see(f"{hall.league}/seasons")
    page = owner.see(f"{hall.person('Ann')}/details")
    assert "Anna" in owner.submit(page, page.path, name="Anna").text
    assert "Closed" in owner.submit(owner.see(hall.season), f"{hall.season}/closing").text


@pytest.mark.parametrize("role", Role)
def test_role_is_read_from_its_stored_name(role: Role) -> None:
    """A role is read from its stored name, and an unknown name gives no rights."""
    assert role_named(word_of(role)) is role
    assert role_named("emperor") is Role.NOBODY
