"""What a helper, a director and an owner of a league may do, each signed in on a computer that made no league."""

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

DESK = ("bell", "closing", "draw", "new-cards", "plan", "rounds/1/swap")
"""What a helper finds no form for at the desk, by the end of its address."""


pytestmark = pytest.mark.usefixtures("open_sign_up")


@pytest.fixture
def as_role(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> Callable[[Role], Phone]:
    """Return what gives a computer on which somebody with that role is signed in."""

    def signed_in(role: Role) -> Phone:
        computer = new_phone()
        name = f"Ada {word_of(role)}"
        sign_up(computer, name)
        with app.app_context(), writing() as session:
            account = session.scalars(select(AccountRow.id).where(AccountRow.name == name)).one()
            give_role(session, account, league_at(session, hall.league.split("/")[2]).id, role, datetime.now(UTC))
        return computer

    return signed_in


def test_a_helper_checks_people_in_and_enters_results(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    """At the desk, where nothing else of the night is offered."""
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


def test_a_helper_is_told_who_draws(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    """With everybody checked in nothing is left to tap; who may draw has the button there."""
    with hall.book():
        night = open_night(season=hall.season.removeprefix("/seasons/"), day=date(2026, 9, 1), device=hall.device)
    told = "A director makes the seating."
    assert told in as_role(Role.HELPER).see(f"/nights/{night}/desk").text
    assert told not in hall.phone.see(f"/nights/{night}/desk").text


def test_a_helper_does_nothing_else(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    """Whatever is sent, the night, the money, the people and the league stay as they were; the refusal says whose."""
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


def test_a_director_runs_the_night_and_not_the_league(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    """Opens it, draws, closes it; money, people and seasons are the owner's."""
    director = as_role(Role.DIRECTOR)
    page = director.submit(director.see(hall.season), f"{hall.season}/nights", day="2026-09-01")
    assert page.path.endswith("/desk")
    night = page.path.removesuffix("/desk")
    page = director.submit(page, f"{night}/people/new", name="Zoe")
    page = director.submit(page, f"{night}/plan")
    page = director.submit(page, f"{night}/closing")
    assert "This night is closed" in page.text
    director.see(f"{hall.league}/seasons", 403)
    assert "Change" not in director.see(f"{hall.league}/people").text
    assert f"{hall.season}/closing" not in [
        form.get("action") for form in director.see(hall.season).all("form", method="post")
    ]


def test_who_is_not_signed_in_is_led_to_the_door_and_from_there_back(
    hall: Hall, as_role: Callable[[Role], Phone]
) -> None:
    """A session may run out at the desk, in the middle of a round."""
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


def test_who_is_signed_in_is_not_told_to_sign_in(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    page = as_role(Role.HELPER).see(f"{hall.league}/roles", 403)
    assert page.h1 == "Not with this account", "on another phone it would be the same"
    assert "an owner of the league can invite you" in page.text
    assert way_named(page, "Sign in") is None


def test_an_owner_does_all_that_the_device_of_the_league_does(hall: Hall, as_role: Callable[[Role], Phone]) -> None:
    """The league in a file, a new season, a new name for somebody, and the end of a season."""
    owner = as_role(Role.OWNER)
    assert owner.get(f"{hall.league}/archive.zip").status_code == 200
    owner.see(f"{hall.league}/seasons")
    page = owner.see(f"{hall.person('Ann')}/details")
    assert "Anna" in owner.submit(page, page.path, name="Anna").text
    assert "Closed" in owner.submit(owner.see(hall.season), f"{hall.season}/closing").text


@pytest.mark.parametrize("role", Role)
def test_a_role_is_kept_by_its_word(role: Role) -> None:
    """And a word that stands for none gives no right."""
    assert role_named(word_of(role)) is role
    assert role_named("emperor") is Role.NOBODY
