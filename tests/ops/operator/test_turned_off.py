"""A league that the operator turned off can be read, but nothing in it changes and its public page is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.members.service import handover_path
from scorekeeper.rules.commands import EnterHand
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.ops.operator.conftest import CLUB
from tests.support.game import contents
from tests.support.league import ALL_FOUR
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.league import Hall
    from tests.support.phone import Phone

WHY = "It sells things."


def turn_off(operator: Phone, hall: Hall, because: str = WHY, status: int = 303) -> None:
    """Turn the league off on the operator's page."""
    path = hall.league.replace("/leagues/", "/server/leagues/") + "/off"
    operator.submit(operator.see("/server"), path, status, because=because)


def test_nothing_changes_until_it_is_turned_on_again(app: Flask, hall: Hall, operator: Phone) -> None:
    form = hall.phone.see(f"{hall.league}/people")
    turn_off(operator, hall)
    before = contents(app)
    page = hall.phone.submit(form, form.path, 403, names="Max")
    assert page.h1 == "This league is turned off"
    assert WHY in page.text
    assert contents(app) == before
    assert hall.phone.see(hall.season).h1
    operator.submit(operator.see("/server"), hall.league.replace("/leagues/", "/server/leagues/") + "/on")
    hall.phone.submit(hall.phone.see(f"{hall.league}/people"), form.path, names="Max")
    assert "Max" in hall.phone.see(f"{hall.league}/people").text


def test_a_game_of_the_league_takes_no_hand(app: Flask, hall: Hall, operator: Phone) -> None:
    night = hall.night((("Ann", "Bob", "Cid", "Dee"), ()), close=False)
    game = hall.hands(night, 0, count=1)
    turn_off(operator, hall)
    hand = EnterHand({"bidder": 0, "bid": 4, "points": dict.fromkeys(ALL_FOUR, 0)})
    with app.app_context(), pytest.raises(RuleViolation, match="turned this league off"):
        scoring.act(public_id=game, command=hand, request=ClientRequest(hall.device, "late", None))
    assert hall.phone.see(f"/games/{game}").one("main") is not None


def test_its_public_page_is_gone_and_comes_back(hall: Hall, operator: Phone) -> None:
    assert hall.phone.see(CLUB).h1 == "Fire Hall"
    turn_off(operator, hall)
    hall.phone.see(CLUB, 404)
    hall.phone.see(f"{CLUB}/feed.atom", 404)
    assert "Fire Hall" not in hall.phone.see("/clubs").text
    operator.submit(operator.see("/server"), hall.league.replace("/leagues/", "/server/leagues/") + "/on")
    assert hall.phone.see(CLUB).h1 == "Fire Hall"


def test_a_phone_that_visited_its_public_page_finds_no_way_there(
    hall: Hall, operator: Phone, new_phone: Callable[[], Phone]
) -> None:
    phone = new_phone()
    assert phone.get(f"/visited{CLUB}").status_code == 204
    assert CLUB in [link.get("href") for link in phone.see("/").all("a")]
    turn_off(operator, hall)
    assert CLUB not in [link.get("href") for link in phone.see("/").all("a")]


def test_everyone_sees_the_reason_and_the_history_names_nobody(hall: Hall, operator: Phone) -> None:
    turn_off(operator, hall)
    assert f"The person who runs this server turned this league off: {WHY}" in words(
        hall.phone.see(hall.league).one("main")
    )
    history = hall.phone.see(f"{hall.league}/log").one("ol", class_="log")
    first = words(history[0])
    assert "The person who runs the server turned the league off. ReasonIt sells things." in first
    rows = hall.phone.get(f"{hall.league}/log.csv").text.splitlines()
    assert "The person who runs the server" in next(row for row in rows if "turned the league off" in row)
    assert "Another phone (1)" not in "".join(rows)


def test_a_player_can_still_be_made_anonymous(hall: Hall, operator: Phone) -> None:
    """Privacy doesn't wait for the operator, and the operator's reason loses the name, too."""
    turn_off(operator, hall, because="Ann cheats.")
    person = hall.person("Ann")
    page = hall.phone.see(f"{person}/anonymous")
    hall.phone.submit(page, page.path, reason="asked")
    assert "Ann" not in hall.phone.see(hall.league).text


def test_nobody_takes_it_over(app: Flask, hall: Hall, operator: Phone) -> None:
    """A link that was made before doesn't give the league to another device."""
    league = hall.league.removeprefix("/leagues/")
    with app.app_context():
        path = handover_path(db.session(), league, str(app.secret_key))
    turn_off(operator, hall)
    page = operator.see(path)
    refused = operator.submit(page, page.form(path).action if path in page.text else path, 403)
    assert refused.h1 == "This league is turned off"


def test_a_reason_is_needed(hall: Hall, operator: Phone) -> None:
    turn_off(operator, hall, because="  ", status=422)
    assert hall.phone.see(CLUB).h1 == "Fire Hall"
