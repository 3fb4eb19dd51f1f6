"""A form that is answered with a page leads to an address that GET can open, so that Back and reload show that page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

from scorekeeper.web import form_answers
from scorekeeper.web.extensions import db, writing
from scorekeeper.web.form_answers import LASTS, FormAnswerRow
from tests.support.game import path_of, start

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from werkzeug.test import TestResponse

    from tests.support.phone import Phone

pytestmark = pytest.mark.database

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Referer": "http://localhost/games/new?watch=1"}


def send(phone: Phone, path: str, form: str, to: str, **fields: object) -> TestResponse:
    """Send the form `form` of the page at `path` to the address `to`, as a browser does."""
    values = dict(phone.see(path).form(form).values)
    values.update({name.replace("_", "-"): str(value) for name, value in fields.items()})
    return phone.post(to, data=values, headers=BROWSER)


def nameless(phone: Phone) -> TestResponse:
    """Try to start a game whose third player has no name."""
    names = {f"name_{seat}": name for seat, name in enumerate(("Ann", "Bob", "", "Dee"))}
    return send(phone, "/games/new", "/games/new", "/games", **names)


def rows(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(FormAnswerRow)) or 0


def test_a_form_with_a_fault_leads_back_to_its_page(client: Phone) -> None:
    """The address is that of the page with the form. It shows what was typed and what is missing, each time."""
    answer = nameless(client)
    assert answer.status_code == 303
    assert answer.location.startswith("/games/new?watch=1&answer=")
    for page in (client.see(answer.location), client.see(answer.location)):
        assert "Every seat needs a name" in page.text
        assert page.form("/games/new").values["name-3"] == "Dee"


def test_a_review_has_the_address_of_its_form(client: Phone) -> None:
    """The same address answers GET and POST, so the review is there and not at the page before."""
    game = path_of(start(client))
    answer = send(client, f"{game}/house-rules", f"{game}/house-rules", f"{game}/house-rules", rule_target=31)
    assert answer.status_code == 303
    assert answer.location.startswith(f"{game}/house-rules?answer=")
    assert "31" in client.see(answer.location).text


def test_scripts_and_programs_get_the_page_itself(client: Phone) -> None:
    values = client.see("/games/new").form("/games/new").values
    assert client.post("/games", data=values, headers={"Accept": "*/*"}).status_code == 422
    assert client.post("/games", data=values).status_code == 422


def test_only_that_browser_can_open_the_page(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """Another browser gets the plain form, even if it has answers of its own, and so does another address."""
    address = nameless(client).location
    other = new_phone()
    nameless(other)
    assert "Every seat needs a name" not in other.see(address).text
    assert "Every seat needs a name" not in client.see(address.replace("watch=1", "watch=2")).text
    assert "Every seat needs a name" in client.see(address).text


def test_the_page_is_unreadable_in_the_database(app: Flask, client: Phone) -> None:
    token = nameless(client).location.partition("answer=")[2]
    with app.app_context():
        row = db.session.scalars(select(FormAnswerRow)).one()
        assert token not in row.key
        assert b"Every seat needs a name" not in row.data  # the spaces: a word could be there by chance


def test_after_an_hour_the_plain_form_is_shown(app: Flask, client: Phone) -> None:
    address = nameless(client).location
    with app.app_context(), writing() as session:
        session.execute(update(FormAnswerRow).values(made_at=datetime.now(UTC) - LASTS - timedelta(seconds=1)))
    page = client.see(address)
    assert page.h1 == "New game"
    assert "Every seat needs a name" not in page.text


def test_only_the_latest_pages_are_kept(app: Flask, client: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_answers, "MOST", 2)
    addresses = [nameless(client).location for _ in range(4)]
    assert rows(app) == 2
    shown = [client.see(address).text for address in addresses]
    assert ["Every seat needs a name" in text for text in shown] == [False, False, True, True]


def test_a_page_that_may_not_be_stored_still_may_not(client: Phone) -> None:
    game = path_of(start(client))
    answer = send(client, f"{game}/table", f"{game}/score-links", f"{game}/score-links")
    assert answer.status_code == 303
    shown = client.get(answer.location)
    assert shown.headers["Cache-Control"] == "no-store"
    assert "/score/" in shown.text
