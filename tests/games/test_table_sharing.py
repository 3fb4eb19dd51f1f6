"""Sharing the home table with other phones by a link, and taking it over with its backup code."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from scorekeeper.games.services.sharing import MOST_PHONES
from scorekeeper.people.models import HomeLinkRow
from scorekeeper.web.extensions import writing
from tests.support.game import CLEAN, contents, path_of, play, play_all, start
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


@pytest.fixture
def finished(client: Phone) -> Page:
    """Return the board of a finished game on the phone that has the home table."""
    return play_all(client, start(client), CLEAN)


def link(phone: Phone, score: str = "1") -> str:
    """Make a link to the home table and return its path.

    With `score` "1", phones that join with the link can score. With `score` "", those phones can only view the table.
    """
    page = phone.submit(phone.see("/table/phones"), "/table/links", 200, score=score)
    found = re.search(r"/table/join/[\w-]+", page.text + "".join(str(each.get("value")) for each in page.all("input")))
    assert found is not None
    return found[0]


def join(phone: Phone, path: str) -> Page:
    """Open a link to a home table, and join the home table."""
    return phone.submit(phone.see(path), "/table/join")


def test_a_phone_that_only_views_is_not_led_to_a_running_game(client: Phone, other: Phone) -> None:
    start(client)
    join(other, link(client, ""))
    assert other.see("/").all("a", class_="game")
    assert "Continue" not in other.see("/").text
    assert "Continue" in client.see("/").text


def forged(phone: Phone, address: str, **fields: object) -> int:
    """Post a form that the phone wasn't offered, and return the status of the response."""
    values = phone.see("/recovery").form("/recovery").values
    return phone.post(address, data={**values, **fields}).status_code


def table_code(phone: Phone) -> str:
    """Make a backup code for the home table and return it."""
    return words(phone.submit(phone.see("/table/phones"), "/table/code").one("p", class_="code-word"))


def numbers(phone: Phone) -> str:
    """Return the text of the home table's list of players with their numbers."""
    return words(phone.see("/table").one("table", class_="numbers"))


def test_a_phone_that_joined_sees_the_table_and_scores(client: Phone, other: Phone, finished: Page) -> None:
    running = start(client)
    join(other, link(client))
    assert numbers(other) == numbers(client)
    assert any(each.get("href") == path_of(running) for each in other.see("/").all("a"))
    play(other, other.see(path_of(running)), 0, 3, "AAAB")
    own = start(other)
    assert path_of(own) in {str(each.get("href")) for each in client.see("/table/games").all("a")}


def test_a_phone_that_may_only_look_cannot_score(app: Flask, client: Phone, other: Phone, finished: Page) -> None:
    running = start(client)
    forged(client, f"{path_of(running)}/watching/void")
    join(other, link(client, ""))
    assert numbers(other) == numbers(client)
    before = contents(app)["game_event"]
    assert other.see(path_of(running)).all("form", action=f"{path_of(running)}/bid") == []
    assert forged(other, f"{path_of(running)}/bid", call="0:3", client_id="tap-of-a-watcher", version=1) == 403
    assert contents(app)["game_event"] == before
    assert other.see("/table/games").all("a", href="/table/games?pick=1") == []
    own = start(other)
    assert path_of(own) not in {str(each.get("href")) for each in client.see("/table/games").all("a")}


def test_a_link_works_once(app: Flask, client: Phone, other: Phone, finished: Page) -> None:
    third: Phone = app.test_client()  # type: ignore[assignment]
    path = link(client)
    join(other, path)
    assert other.get(path).status_code == 303
    assert third.get(path).status_code == 404
    assert third.see("/table").all("table", class_="numbers") == []


def test_a_removed_or_old_link_opens_nothing(app: Flask, client: Phone, other: Phone, finished: Page) -> None:
    removed = link(client)
    client.submit(client.see("/table/phones"), "/table/links/void")
    old = link(client)
    with app.app_context(), writing() as session:
        session.execute(update(HomeLinkRow).values(made_at=datetime.now(UTC) - timedelta(hours=25)))
    for path in (removed, old, "/table/join/nothing"):
        assert other.get(path).status_code == 404
        assert forged(other, "/table/join", secret=path.rsplit("/", 1)[-1]) == 404


def test_opening_a_link_changes_nothing(app: Flask, client: Phone, other: Phone, finished: Page) -> None:
    path = link(client)
    before = contents(app)
    other.see(path)
    assert contents(app) == before


def test_the_keeper_removes_phones_and_decides_who_scores(client: Phone, other: Phone, finished: Page) -> None:
    running = start(client)
    join(other, link(client))
    (phone,) = [
        action
        for form in client.see("/table/phones").all("form")
        if (action := form.get("action") or "").endswith("/void")
    ]
    client.submit(client.see("/table/phones"), phone.removesuffix("/void"), score="")
    assert other.see(path_of(running)).all("form", action=f"{path_of(running)}/bid") == []
    client.submit(client.see("/table/phones"), phone.removesuffix("/void"), score="1")
    assert other.see(path_of(running)).all("form", action=f"{path_of(running)}/bid")
    client.submit(client.see("/table/phones"), phone)
    assert other.see("/table").all("table", class_="numbers") == []
    assert other.see(path_of(running)).all("form", action=f"{path_of(running)}/bid") == []


def test_only_the_keeper_shares(app: Flask, client: Phone, other: Phone, finished: Page) -> None:
    join(other, link(client))
    before = contents(app)
    for address in ("/table/links", "/table/links/void", "/table/code", "/table/phones/1/void"):
        assert forged(other, address) == 403
    assert contents(app) == before
    assert other.see("/table/phones").all("p", class_="code-word") == []


@pytest.mark.slow
def test_a_phone_leaves_and_has_its_own_table_again(client: Phone, other: Phone, finished: Page) -> None:
    play_all(other, start(other, ("Eve", "Fay", "Gus", "Hal")), CLEAN)
    own = numbers(other)
    join(other, link(client))
    assert numbers(other) == numbers(client)
    (table,) = [field.get("value") for field in other.see("/table/phones").all("input") if field.get("name") == "table"]
    other.submit(other.see("/table/phones"), "/table/switch", table=table)
    assert numbers(other) == own
    (table,) = [field.get("value") for field in other.see("/table/phones").all("input") if field.get("name") == "table"]
    other.submit(other.see("/table/phones"), "/table/switch", table=table)
    other.submit(other.see("/table/phones"), "/table/leaving")
    assert numbers(other) == own


def test_the_keeper_cannot_leave(app: Flask, client: Phone, finished: Page) -> None:
    before = contents(app)["home_phone"]
    assert forged(client, "/table/leaving") == 422
    assert contents(app)["home_phone"] == before


def test_the_backup_code_takes_over_the_table(client: Phone, other: Phone, finished: Page) -> None:
    running = start(client)
    code, before = table_code(client), numbers(client)
    page = other.submit(other.see("/recovery"), "/recovery", code=code)
    assert page.path == "/table/phones"
    assert words(page.one("p", class_="code-word")) != code
    assert numbers(other) == before
    other.submit(other.see(f"{path_of(running)}/table"), f"{path_of(running)}/deletion")
    game = path_of(finished).rsplit("/", 1)[-1]
    other.submit(other.see("/table/games?pick=1"), "/table/games", game=game, do="delete")
    assert client.get(path_of(finished)).status_code == 404
    # The old phone can finish what it has, but no longer decides.
    assert forged(client, "/table/links") == 403
    client.submit(client.see("/recovery"), "/recovery", 422, code=code)


def test_a_former_main_phone_that_may_only_look_starts_a_game_at_its_own_table(
    client: Phone, other: Phone, finished: Page
) -> None:
    other.submit(other.see("/recovery"), "/recovery", code=table_code(client))
    (phone,) = {
        action.removesuffix("/void")
        for form in other.see("/table/phones").all("form")
        if (action := form.get("action") or "").endswith("/void")
    }
    other.submit(other.see("/table/phones"), phone, score="")
    own = start(client)
    assert path_of(own) not in {str(each.get("href")) for each in other.see("/table/games").all("a")}


def test_the_code_of_a_game_leads_to_its_table_but_not_to_its_keeper(
    client: Phone, other: Phone, finished: Page
) -> None:
    running = start(client)
    code = words(client.see(f"{path_of(running)}/table").one("p", class_="code-word"))
    other.submit(other.see("/recovery"), "/recovery", code=code)
    assert numbers(other) == numbers(client)
    assert forged(other, "/table/links") == 403
    assert client.get("/table/phones").status_code == 200


@pytest.mark.slow
def test_a_table_has_only_so_many_phones(app: Flask, client: Phone, other: Phone, finished: Page) -> None:
    for _ in range(MOST_PHONES - 1):
        phone = app.test_client()
        join(phone, link(client))  # type: ignore[arg-type]
    path = link(client)
    before = contents(app)["home_phone"]
    other.submit(other.see(path), "/table/join", 422)
    assert contents(app)["home_phone"] == before


def test_a_table_is_named_after_the_people_who_were_added_first(client: Phone, finished: Page) -> None:
    """A home table with five people is named after all five. With six people, the name has four of them and "2 more".

    So a name never ends in "1 more".
    """
    for name, says in (
        ("Eve", "Ann, Bob, Cid, Dee and Eve"),
        ("Fay", "Ann, Bob, Cid, Dee and 2 more"),
    ):
        client.submit(client.see("/table/people"), "/table/people", name=name)
        assert words(client.see("/table/phones").all("p", class_="aside")[0]) == says
