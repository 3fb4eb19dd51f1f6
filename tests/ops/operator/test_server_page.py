"""The operator's page: who may open it, what it says about the server and its leagues, and how it invites directors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper import __version__
from scorekeeper.accounts import service
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.ops.operator import queries
from tests.support.directors import NAME, is_in, log_of, sign_in, sign_up
from tests.support.page import way_named, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.league import Hall
    from tests.support.page import Page
    from tests.support.phone import Phone


def listed(page: Page) -> list[str]:
    """Return what the page says about each league, without its buttons."""
    return [words(line[0]) for line in page.all("li") if str(line.get("id")).startswith("league-")]


def test_only_an_operator_may_open_it(app: Flask, hall: Hall, operator: Phone, new_phone: Callable[[], Phone]) -> None:
    stranger, director = new_phone(), new_phone()
    sign_up(director, "Otto K.")
    assert stranger.get("/server").location.startswith("/account/sign-in")
    assert director.get("/server").status_code == 403
    assert hall.phone.get("/server").status_code == 303
    assert operator.see("/server").h1 == "This server"
    assert way_named(operator.see("/account"), "This server") == "/server"
    assert way_named(director.see("/account"), "This server") is None


@pytest.mark.parametrize(
    "path", ["maintenance", "maintenance/end", "directors", "leagues/{league}/off", "leagues/{league}/on"]
)
def test_only_an_operator_may_change_anything(
    hall: Hall, operator: Phone, new_phone: Callable[[], Phone], path: str
) -> None:
    director = new_phone()
    sign_up(director, "Otto K.")
    token = director.see("/account").form("/account/sign-out").values["csrf_token"]
    address = f"/server/{path.format(league=hall.league.removeprefix('/leagues/'))}"
    sent = {"csrf_token": token, "because": "Hello.", "name": "Max"}
    assert director.post(address, data=sent).status_code == 403
    assert not operator.see("/server").all("b", role="status")
    assert hall.phone.get("/clubs/fire-hall").status_code == 200


def test_the_right_ends_with_the_command_and_when_the_account_is_locked(app: Flask, operator: Phone) -> None:
    with app.app_context():
        service.set_operator(name=NAME, may=False)
    assert operator.get("/server").status_code == 403
    assert log_of(operator)[0] == "This account may no longer open the server page"
    with app.app_context():
        service.set_operator(name=NAME, may=True)
    assert operator.get("/server").status_code == 303, "an old session must not gain the right"
    sign_in(operator)
    assert operator.get("/server").status_code == 200
    with app.app_context():
        service.lock(name=NAME)
    assert operator.get("/server").status_code == 303


def test_it_says_how_the_server_is_and_what_each_league_has_stored(hall: Hall, operator: Phone) -> None:
    hall.night((("Ann", "Bob", "Cid", "Dee"), ()), close=False)
    page = operator.see("/server")
    facts = {words(name): words(value) for name, value in page.one("dl", class_="facts")}
    assert facts["Version"] == __version__
    assert facts["Newest backup"] == "none in the data folder"
    assert facts["Database"].endswith("MB")
    (line,) = listed(page)
    assert "4 players, 1 season, 2 nights, 2 tables. Last night: September 2, 2026. Public page" in line


def test_leagues_are_found_by_name_and_shown_page_by_page(
    app: Flask, operator: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "SIZE", 2)
    with app.app_context():
        for name in ("Élan", "Moose", "Zeta"):
            seasons.make_league(name=name, device="d" * 64, client_id=name)
    names = [line.split(" Since ")[0] for line in listed(operator.see("/server"))]
    assert names == ["Zeta", "Moose"]
    assert [line.split(" Since ")[0] for line in listed(operator.see("/server?page=2"))] == ["Élan"]
    assert [line.split(" Since ")[0] for line in listed(operator.see("/server?q=elan"))] == ["Élan"]
    assert not listed(operator.see("/server?q=nothing&page=99999999"))
    assert len(listed(operator.see("/server?page=x&q=%00"))) == 2


def test_an_invited_director_opens_the_account_with_the_link(
    operator: Phone, new_phone: Callable[[], Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = operator.submit(operator.see("/server"), "/server/directors", 422, name=NAME)
    assert refused.one("p", class_="error") is not None
    shown = operator.submit(refused, "/server/directors", 200, name="Max")
    link = str(shown.one("input", readonly="").get("value")).removeprefix("http://localhost")
    phone = new_phone()
    phone.submit(phone.see(link), link, 200, new_password="five sleepy badgers")
    assert is_in(phone)
    assert link.rsplit("/", 1)[1] not in operator.get("/server").text
