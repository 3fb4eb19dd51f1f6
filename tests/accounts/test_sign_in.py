"""Directors sign up, sign in and sign out with a name and a password."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.accounts import passwords
from scorekeeper.web.settings_page import nearest_page
from tests.support.directors import COOKIE, NAME, OTHER, PASSWORD, is_in, log_of, sign_in, sign_up, word_of
from tests.support.game import contents
from tests.support.page import Page, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone


def test_a_director_signs_up_out_and_in(laptop: Phone) -> None:
    sign_up(laptop)
    page = laptop.see("/account")
    assert NAME in page.text
    door = laptop.submit(page, "/account/sign-out")
    assert words(door.one("p", class_="notice")) == "You're signed out."
    assert not laptop.see("/account/sign-in?done=nothing").all("p", class_="notice")
    assert not is_in(laptop)
    assert sign_in(laptop).path == "/account"
    assert log_of(laptop) == [
        "Signed in with the password",
        "Signed out",
        "Signed in with the password",
        "Account created",
    ]


def test_after_signing_out_back_shows_no_answer_to_a_form(laptop: Phone) -> None:
    """The next person at this device can't go back to the printed code, nor open its address."""
    form = laptop.see("/account/sign-up").form("/account/sign-up").values
    fields = {**form, "username": NAME, "new-password": PASSWORD}
    answer = laptop.post("/account/sign-up", data=fields, headers={"Accept": "text/html"})
    assert laptop.see(answer.location).h1 == "Your printed code"
    laptop.submit(laptop.see("/account"), "/account/sign-out")
    assert laptop.see(answer.location).h1 != "Your printed code"


def test_who_is_not_signed_in_is_asked_to_and_led_back(laptop: Phone) -> None:
    sign_up(laptop)
    laptop.delete_cookie(COOKIE)
    asked = laptop.get("/account")
    assert asked.location == "/account/sign-in?back=/account"
    page = laptop.see("/account/sign-in?back=/games/new")
    assert laptop.submit(page, "/account/sign-in", username=NAME, current_password=PASSWORD).path == "/games/new"


@pytest.mark.parametrize(
    "back",
    [
        *("//evil.example", "//evil.example/account", "https://evil.example/account", "/\\evil.example/account"),
        *("javascript:alert(1)", "///evil.example/account", "/\t/evil.example/account"),
    ],
)
def test_nobody_is_led_to_another_site(app: Flask, laptop: Phone, back: str) -> None:
    sign_up(laptop)
    laptop.get("/account/sign-in", query_string={"back": back})
    page = laptop.see("/account/sign-in")
    form = page.form("/account/sign-in").values
    sent = {**form, "back": back, "username": NAME, "current-password": PASSWORD}
    location = laptop.post("/account/sign-in", data=sent).location
    with app.test_request_context():
        assert location == nearest_page(back) == "/"


def test_the_cookie_is_of_256_bits_and_out_of_reach_of_scripts(app: Flask, laptop: Phone) -> None:
    """The session cookie has 256 bits and expires. Scripts can't read the cookie.

    The database contains neither the cookie's value nor the password.
    """
    form = laptop.see("/account/sign-up").form("/account/sign-up").values
    response = laptop.post("/account/sign-up", data={**form, "username": NAME, "new-password": PASSWORD})
    (cookie,) = [line for line in response.headers.getlist("Set-Cookie") if line.startswith(f"{COOKIE}=")]
    assert {"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=15552000"} <= {word.strip() for word in cookie.split(";")}
    assert len(word_of(laptop)) == 43
    assert word_of(laptop) not in str(contents(app))
    assert PASSWORD not in str(contents(app))


def test_on_https_the_cookie_is_bound_to_the_host(laptop: Phone) -> None:
    secure = "https://localhost"
    page = Page(laptop.get("/account/sign-up", base_url=secure))
    form = {**page.form("/account/sign-up").values, "username": NAME, "new-password": PASSWORD}
    response = laptop.post("/account/sign-up", data=form, base_url=secure, headers={"Origin": secure})
    (cookie,) = [line for line in response.headers.getlist("Set-Cookie") if "scorekeeper_account=" in line]
    told = {word.strip() for word in cookie.split(";")}
    assert cookie.startswith("__Host-scorekeeper_account=")
    assert {"Secure", "Path=/"} <= told
    assert not any(word.startswith("Domain") for word in told)
    assert laptop.get("/account", base_url=secure).status_code == 200


def test_each_sign_in_has_a_new_session_and_ends_the_one_before(app: Flask, laptop: Phone) -> None:
    """Each sign-in starts a new session and ends the earlier session of the same browser.

    So a cookie from before the sign-in is useless, even if an attacker planted it.
    """
    laptop.set_cookie(COOKIE, "planted")
    sign_up(laptop)
    first = word_of(laptop)
    assert first != "planted"
    sign_in(laptop)
    assert word_of(laptop) != first
    laptop.set_cookie(COOKIE, first)
    assert not is_in(laptop)


def test_whoever_is_wrong_is_told_the_same(laptop: Phone, phone: Phone) -> None:
    """The sign-in error is the same for a wrong password, an unknown name and empty fields.

    So the error doesn't reveal which names exist.
    """
    sign_up(laptop)
    told = set()
    for name, password in ((NAME, OTHER), ("Nobody", PASSWORD), ("Nobody", OTHER), ("", ""), (NAME, "x" * 5000)):
        page = sign_in(phone, name, password, 422)
        told.add(page.text)
        assert "Wrong name or password. Try again." in page.text
        assert page.one("input", name="current-password").get("aria-invalid") == "true"
    assert len(told) == 1
    assert not is_in(phone)
    assert log_of(laptop)[:2] == ["Refused: wrong password"] * 2


def test_a_name_that_nobody_has_costs_the_same_work(
    laptop: Phone, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed sign-in checks exactly one password hash, even if no account has the name."""
    sign_up(laptop)
    checked: list[str] = []
    real = passwords.HASHER

    class Counted:
        """A password hasher that records the hashes that it checks."""

        def verify(self, kept: str, password: str) -> bool:
            checked.append(kept)
            return real.verify(kept, password)

        def __getattr__(self, name: str) -> object:
            return getattr(real, name)

    monkeypatch.setattr(passwords, "HASHER", Counted())
    for name in (NAME, "Nobody"):
        checked.clear()
        sign_in(phone, name, OTHER, 422)
        assert len(checked) == 1, name
        assert checked[0].startswith("$argon2id$")


@pytest.mark.parametrize(
    "name", ["rita b.", "RITA  B.", " Rita\u00a0B. ", "Ｒｉｔａ B.", "Ri\u200bta B.", "Rita\u2003B."]
)
def test_names_that_look_alike_are_one(laptop: Phone, phone: Phone, name: str) -> None:
    """Names that look alike are the same name at sign-in and at sign-up, so nobody can pose as another director."""
    sign_up(laptop)
    page = phone.see("/account/sign-up")
    refused = phone.submit(page, "/account/sign-up", 422, username=name, new_password=OTHER)
    assert "That name is taken." in refused.text
    sign_in(phone, name)
    assert NAME in phone.see("/account").text


@pytest.mark.parametrize("name", ["", "   ", "...", "\u200b\u200b", "\u202e", "x" * 41, "ﷺ" * 40, "\x00\x07"])
def test_a_name_that_is_none_is_refused_where_it_stands(laptop: Phone, name: str) -> None:
    page = laptop.submit(laptop.see("/account/sign-up"), "/account/sign-up", 422, username=name, new_password=PASSWORD)
    assert page.one("input", name="username").get("aria-invalid") == "true"


def test_the_whole_world_has_names(laptop: Phone) -> None:
    for name in ("María José", "Ngô", "李雷", "Ольга", "רִיטָה", "O’Neill <script>", "Рита 2"):
        sign_up(laptop, name)
        assert name in laptop.see("/account").text


def test_where_it_is_closed_nobody_signs_up(app: Flask, laptop: Phone) -> None:
    """Nobody can sign up on a server with closed sign-up. The sign-in page explains how to get an account instead."""
    app.config["SIGN_UP"] = False
    before = contents(app)
    assert "scorekeeper director add" in laptop.see("/account/sign-in").text
    laptop.see("/account/sign-up", 404)
    token = str(laptop.see("/account/sign-in").form("/account/sign-in").values["csrf_token"])
    sent = {"csrf_token": token, "username": NAME, "new-password": PASSWORD}
    assert laptop.post("/account/sign-up", data=sent).status_code == 404
    assert contents(app) == before


def test_browsers_can_fill_in_the_fields(laptop: Phone) -> None:
    """The fields for names, passwords and codes have `autocomplete`, so that password managers recognize them."""
    door = laptop.see("/account/sign-in")
    assert door.one("input", name="username").get("autocomplete") == "username"
    assert door.one("input", name="current-password").get("autocomplete") == "current-password"
    assert laptop.see("/account/sign-up").one("input", name="new-password").get("autocomplete") == "new-password"
    assert laptop.see("/account/code").one("input", name="code").get("autocomplete") == "one-time-code"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://192.168.1.20:8000", True),
        ("http://hall-pc.local", True),
        ("http://localhost:8000", False),
        ("http://127.0.0.1:8000", False),
        ("https://192.168.1.20:8443", False),
    ],
)
def test_where_a_password_could_be_overheard_it_is_said(laptop: Phone, address: str, told: bool) -> None:
    for path in ("/account/sign-in", "/account/sign-up", "/account/code"):
        assert ("isn't encrypted" in Page(laptop.get(path, base_url=address)).text) == told, path


def test_no_page_of_an_account_is_kept_by_a_cache(laptop: Phone) -> None:
    sign_up(laptop)
    for path in ("/account", "/account/sign-in", "/account/sign-up", "/account/code"):
        assert laptop.get(path).headers["Cache-Control"] == "no-store", path


def test_two_directors_have_nothing_of_each_other(laptop: Phone, phone: Phone, new_phone: Callable[[], Phone]) -> None:
    """A director can't end another director's session by guessing the session's number."""
    sign_up(laptop)
    sign_up(phone, "Bob")
    sign_in(new_phone(), "Bob")
    token = str(laptop.see("/account").form("/account/sign-out").values["csrf_token"])
    for number in range(1, 5):
        laptop.post(f"/account/sessions/{number}/end", data={"csrf_token": token})
    assert is_in(phone)
    assert "Signed out another device" not in log_of(phone)
