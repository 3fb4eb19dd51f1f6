"""An error page that answers a form leads to an address that GET can open, so that Back and reload show it again."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode
from datetime import timedelta
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import unquote

import pytest
from flask import abort
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import TooManyRequests

from scorekeeper.web import form_answers
from scorekeeper.web.errors import PROBLEMS
from scorekeeper.web.extensions import db
from tests.support.page import Page

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

pytestmark = pytest.mark.new_app

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Referer": "http://localhost/games/new?watch=1"}


@pytest.fixture
def breaking(app: Flask) -> Flask:
    """Return `app` with errors handled as in production, and with extra addresses that refuse every form."""
    app.testing = False
    app.config["WTF_CSRF_CHECK_DEFAULT"] = False

    @app.post("/abort/<int:status>")
    def aborting(status: int) -> NoReturn:
        abort(status)

    @app.post("/abort/said/<int:times>")
    def said(times: int) -> NoReturn:
        abort(403, description="Hand 4 is Bob's. " * times)

    @app.post("/locked")
    def locked() -> NoReturn:
        raise OperationalError("INSERT secret", {}, Exception("database is locked"))

    @app.post("/hurried")
    def hurried() -> NoReturn:
        raise TooManyRequests(retry_after=17)

    return app


def sent(phone: Phone, path: str) -> str:
    """Send a form to `path` as a browser does, check that the answer is a redirect, and return where it leads."""
    answer = phone.post(path, headers=BROWSER)
    assert answer.status_code == 303
    assert answer.get_data() == b""
    assert "Retry-After" not in answer.headers
    return answer.location


@pytest.mark.parametrize("status", sorted(PROBLEMS))
def test_each_error_page_can_be_opened_again(breaking: Flask, client: Phone, status: int) -> None:
    """It has the address of the page with the form, and shows the same as the form's own answer does."""
    address = sent(client, f"/abort/{status}")
    assert address.startswith("/games/new?watch=1&problem=")
    itself = Page(client.post(f"/abort/{status}", headers={"Referer": BROWSER["Referer"]}))
    assert itself.status == status
    for page in (client.see(address, status=status), client.see(address, status=status)):
        assert page.h1 == itself.h1 == PROBLEMS[status].heading
        assert page.one("main").text == itself.one("main").text
        assert [link.get("href") for link in page.all("a") if link.text == "Go back"] == ["/games/new?watch=1"]


def test_the_page_speaks_the_language_of_the_browser(breaking: Flask, client: Phone) -> None:
    address = sent(client, "/abort/404")
    spanish = Page(client.get(address, headers={"Accept-Language": "es"}))
    assert spanish.h1 == "Página no encontrada"


def test_the_page_says_how_long_to_wait(breaking: Flask, client: Phone) -> None:
    assert client.get(sent(client, "/hurried")).headers["Retry-After"] == "17"


def test_scripts_and_programs_get_the_page_itself(breaking: Flask, client: Phone) -> None:
    assert client.post("/hurried", headers={"Accept": "*/*"}).headers["Retry-After"] == "17"
    assert client.post("/hurried").status_code == 429


def test_without_a_database_the_page_is_there(breaking: Flask, client: Phone) -> None:
    """Nothing is asked of the database to show it."""
    address = sent(client, "/locked")
    asked: list[str] = []
    with breaking.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", lambda *told: asked.append(str(told[2])))
    page = client.see(address, status=503)
    assert page.h1 == PROBLEMS[503].heading
    assert page.response.headers["Retry-After"] == "2"
    assert asked == []


def test_without_cookies_the_page_is_there(app: Flask) -> None:
    """A browser that refuses cookies has its forms refused, and reads why."""
    browser = app.test_client(use_cookies=False)
    answer = browser.post("/games", headers=BROWSER)
    assert Page(browser.get(answer.location)).h1 == "Please send that again"


def test_after_an_hour_or_with_another_token_the_plain_page_is_shown(
    breaking: Flask, client: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = sent(client, "/abort/403")
    assert client.see(f"{address[:-4]}AAA=").h1 == "New game"
    monkeypatch.setattr(form_answers, "LASTS", timedelta(seconds=-1))
    assert client.see(address).h1 == "New game"


def test_an_address_holds_one_error_and_no_earlier_answer(breaking: Flask, client: Phone) -> None:
    """A form on a page that is itself an answer leads to the plain page's address, with the error."""
    came = {
        **BROWSER,
        "Referer": "http://localhost/games/new?watch=1&answer=an-earlier-answer&problem=an-earlier-answer",
    }
    location = client.post("/abort/403", headers=came).location
    assert location.startswith("/games/new?watch=1&problem=")
    assert "an-earlier-answer" not in location  # a short word could be in the new token by chance


def test_the_address_is_unreadable(breaking: Flask, client: Phone) -> None:
    token = unquote(sent(client, "/abort/said/1").partition("problem=")[2])
    with breaking.app_context():
        told = json.loads(zlib.decompress(form_answers._cipher_with(form_answers.PROBLEM).decrypt(token)))
    assert "Hand 4 is Bob" in told[0]["problem"]["says"]
    assert b"Hand 4" not in urlsafe_b64decode(token)  # the space: a word could be there by chance


def test_a_page_with_much_text_stays_where_it_is(
    breaking: Flask, client: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address that is too long would be refused."""
    monkeypatch.setattr(form_answers, "LONGEST", 200)
    answer = client.post("/abort/said/50", headers=BROWSER)
    assert answer.status_code == 403
    assert "Hand 4 is Bob" in answer.text


def test_the_log_tells_of_a_refused_form_once(breaking: Flask, client: Phone, caplog: pytest.LogCaptureFixture) -> None:
    """It has the status of the error, not that of the redirect, and looking at the page again is no refusal."""
    breaking.config["REQUEST_LOG"] = True
    with caplog.at_level("INFO", "scorekeeper"):
        client.get(sent(client, "/abort/403"))
    told = [record.told for record in caplog.records if hasattr(record, "told")]
    assert [(each["method"], each["status"]) for each in told if "why" in each] == [("POST", 403)]
    assert [(each["method"], each["status"]) for each in told if "why" not in each] == [("POST", 403), ("GET", 200)]
