"""Every error has a page with one clear sentence and a link, and none shows a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import pytest
from flask import abort
from sqlalchemy.exc import OperationalError

from scorekeeper.web.errors import PROBLEMS
from tests.support.page import Page

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

pytestmark = pytest.mark.new_app


@pytest.fixture
def breaking(app: Flask) -> Flask:
    """Return `app` with errors handled as in production, and with extra routes that raise errors."""
    app.testing = False

    @app.get("/abort/<int:status>")
    def aborting(status: int) -> NoReturn:
        abort(status)

    @app.get("/abort/said")
    def said() -> NoReturn:
        abort(409, description="Hand 4 was entered by another phone: <b>3</b> for Bob.")

    @app.get("/broken")
    def broken() -> NoReturn:
        raise RuntimeError("secret trace")

    @app.get("/locked")
    def locked() -> NoReturn:
        raise OperationalError("INSERT secret", {}, Exception("database is locked"))

    return app


@pytest.mark.parametrize("status", sorted(PROBLEMS))
def test_each_error_has_a_page_with_a_way_on(breaking: Flask, client: Phone, status: int) -> None:
    page = client.see(f"/abort/{status}", status=status)
    problem = PROBLEMS[status]
    assert page.h1 == problem.heading
    assert problem.says in page.text
    assert problem.advice in page.text
    assert page.all("a", href="/"), "no way on"


@pytest.mark.parametrize(("status", "like"), [(401, 400), (410, 400), (418, 400), (502, 500)])
def test_a_rare_error_looks_like_its_kind(breaking: Flask, client: Phone, status: int, like: int) -> None:
    assert client.see(f"/abort/{status}", status=status).h1 == PROBLEMS[like].heading


def test_an_error_says_what_the_page_knows(breaking: Flask, client: Phone) -> None:
    page = client.see("/abort/said", status=409)
    assert "Hand 4 was entered by another phone: <b>3</b> for Bob." in page.text
    assert PROBLEMS[409].says not in page.text


def test_a_mistake_of_ours_is_logged_under_the_number_that_is_shown(
    breaking: Flask, client: Phone, caplog: pytest.LogCaptureFixture
) -> None:
    page = client.see("/broken", status=500)
    number = page.text.split("give this number: ")[1].split(".")[0]
    assert len(number) == 8
    record = next(record for record in caplog.records if number in record.getMessage())
    assert "GET /broken" in record.getMessage()
    assert record.exc_info is not None
    for secret in ("secret trace", "RuntimeError", "Traceback"):
        assert secret not in page.response.text


def test_a_busy_database_asks_for_patience(breaking: Flask, client: Phone) -> None:
    page = client.see("/locked", status=503)
    assert page.h1 == PROBLEMS[503].heading
    assert "secret" not in page.response.text
    assert page.response.headers["Retry-After"] == "2"


def test_an_error_of_the_error_page_is_still_a_page(
    breaking: Flask, client: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.web.errors.render_template", lambda *_, **__: abort(400))
    page = client.see("/broken", status=500)
    assert page.h1 == PROBLEMS[500].heading
    assert page.all("a", href="/")


def test_method_not_allowed_says_which_are(client: Phone) -> None:
    response = client.post("/")
    assert response.status_code == 405
    assert "GET" in response.headers["Allow"]


def test_a_form_without_its_token_gets_advice(client: Phone, a_form: str) -> None:
    response = client.post(a_form)
    page = Page(response)
    assert page.status == 400
    assert page.h1 == "Please send that again"
    assert "Nothing was saved." in page.text
    assert "reload the page" in page.text


def test_a_form_with_the_token_of_another_phone_is_refused(client: Phone, app: Flask, a_form: str) -> None:
    other = app.test_client().get("/")
    token = next(field.get("value") for field in Page(other).all("input", name="csrf_token"))
    assert client.post(a_form, data={"csrf_token": token}).status_code == 400


def test_a_form_of_two_megabytes_is_refused(client: Phone, a_form: str) -> None:
    page = Page(client.post(a_form, data={"name": "x" * 2_000_000}))
    assert page.status == 413
    assert page.h1 == PROBLEMS[413].heading


@pytest.mark.parametrize(
    ("referer", "back"),
    [
        ("http://localhost/games/abc?x=1", "/games/abc?x=1"),
        ("http://localhost//evil.example/", None),
        ("https://evil.example/games", None),
        ("http://localhost/nowhere", None),
        ("", None),
    ],
)
def test_the_way_back_leads_to_our_own_pages_only(client: Phone, referer: str, back: str | None) -> None:
    page = Page(client.get("/nowhere", headers={"Referer": referer}))
    assert [link.get("href") for link in page.all("a") if link.text == "Go back"] == ([back] if back else [])


@pytest.fixture
def a_form(client: Phone) -> str:
    """Return the address to which the home page's first form with the method POST is sent."""
    page = client.see("/")
    actions = [form.get("action") for form in page.all("form") if form.get("method") == "post"]
    assert actions
    assert actions[0]
    return actions[0]
