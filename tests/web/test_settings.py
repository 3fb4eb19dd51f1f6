"""A phone's settings are chosen in a form, stored in a cookie, and applied to all pages except shared pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.config import asset_folder
from scorekeeper.web.locale import LANGUAGES
from scorekeeper.web.settings import ALLOWED, COOKIE, PhoneSettings, settings_from
from tests.support.game import path_of, start
from tests.support.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.phone import Phone

CHANGED: dict[str, Any] = {"look": "dark", "language": "fr", "awake": "off", "buzz": "off", "currency": "CAD"}
CHANGED |= {"quiet": "on", "sound": "on", "keys": "off"}
USUAL = {
    "look": "",
    "language": "",
    "awake": "on",
    "quiet": "off",
    "sound": "off",
    "buzz": "on",
    "keys": "on",
    "currency": "",
}


@pytest.fixture
def board(client: Phone) -> Page:
    """Return the page on which a new game is scored (its board)."""
    return start(client)


@pytest.fixture
def other(new_phone: Callable[[], Phone]) -> Phone:
    """Return a phone that didn't start the game of the fixture `board`."""
    return new_phone()


def chosen(page: Page) -> dict[str, str | list[str]]:
    """Return a dict from the name of each field on the settings page to its value."""
    values = page.form("/settings").values
    return {name: values[name] for name in ALLOWED}


def theme_colours(page: Page) -> list[tuple[str | None, str | None]]:
    """Return (color, media query or None) for each color that the page sets for the browser's toolbar."""
    return [(meta.get("content"), meta.get("media")) for meta in page.all("meta", name="theme-color")]


def test_at_first_everything_is_as_usual(client: Phone) -> None:
    """A new phone has the default settings: the theme of the system and the language of the browser.

    By default, the screen stays on, and the phone vibrates.
    """
    page = client.see("/settings")
    assert page.h1 == "Settings"
    assert chosen(page) == USUAL
    assert "data-theme" not in page.one("html").attrib
    assert page.one("meta", name="color-scheme").get("content") == "light dark"
    assert len(theme_colours(page)) == 2


def test_what_was_chosen_is_kept_for_a_year(client: Phone) -> None:
    response = client.post("/settings", data={**client.see("/settings").form("/settings").values, **CHANGED})
    (cookie,) = [value for value in response.headers.getlist("Set-Cookie") if value.startswith(f"{COOKIE}=")]
    assert {"Max-Age=31536000", "SameSite=Lax", "HttpOnly", "Path=/"} <= set(cookie.split("; "))
    assert chosen(client.see("/settings")) == CHANGED
    assert "Set-Cookie" not in client.get("/settings").headers


def test_on_https_it_is_kept_for_this_host_alone(client: Phone) -> None:
    """Over HTTPS, settings in the cookie that is used over plain HTTP are ignored.

    Anyone on the network path could have set that cookie. Settings that are saved over HTTPS are in another cookie,
    which only this host can set.
    """
    client.set_cookie(COOKIE, "look=dark")
    page = Page(client.get("/settings", base_url="https://localhost"))
    values = {**page.form("/settings").values, "look": "light"}
    response = client.post(
        "/settings", data=values, base_url="https://localhost", headers={"Origin": "https://localhost"}
    )
    (cookie,) = [line for line in response.headers.getlist("Set-Cookie") if "look" in line]
    assert page.one("html").get("data-theme") is None
    assert cookie.startswith(f"__Host-{COOKIE}=")
    assert "Secure" in cookie.split("; ")
    assert Page(client.get("/settings", base_url="https://localhost")).one("html").get("data-theme") == "light"
    assert client.see("/settings").one("html").get("data-theme") == "dark"


@pytest.mark.parametrize(("look", "colour"), [("dark", "#0f211b"), ("light", "#1d5340")])
def test_the_server_says_how_the_page_looks(client: Phone, look: str, colour: str) -> None:
    """The server puts the chosen theme into each page, so that the page doesn't appear in another theme at first.

    The colors of the browser's toolbar and form controls match the theme.
    """
    page = client.submit(client.see("/settings"), "/settings", look=look)
    assert page.one("html").get("data-theme") == look
    assert page.one("meta", name="color-scheme").get("content") == look
    assert theme_colours(page) == [(colour, None)]


@pytest.mark.parametrize("cookie", ["", "look=blue&language=xx&awake=&buzz=maybe", "\x7f;;=", "look", "x" * 3000])
def test_an_odd_cookie_is_as_none(client: Phone, cookie: str) -> None:
    client.set_cookie(COOKIE, cookie)
    assert chosen(client.see("/settings")) == USUAL


def test_values_that_no_page_offers_are_as_usual() -> None:
    assert settings_from([("look", "blue"), ("language", "de"), ("other", "on")]) == PhoneSettings()
    assert ALLOWED["language"] == ("", *LANGUAGES)
    assert PhoneSettings() == PhoneSettings(**{name: values[0] for name, values in ALLOWED.items()})


@pytest.mark.parametrize(
    ("came_from", "back"),
    [
        ("/games/new", "/games/new"),
        ("/games/{id}/table?watch=1", "/games/{id}/table?watch=1"),
        ("/games/{id}/hands", "/games/{id}"),
        ("/settings", "/"),
        ("/nowhere/at/all", "/"),
    ],
)
def test_the_way_leads_back(client: Phone, board: Page, came_from: str, back: str) -> None:
    """Saving the settings leads back to the page from which they were opened.

    If that page was the response to a form of a game, it leads to the board of the game instead. If the settings
    weren't opened from a page of the app, it leads to the home page.
    """
    game = path_of(board).split("/")[2]
    page = Page(client.get("/settings", headers={"Referer": "http://localhost" + came_from.format(id=game)}))
    response = client.post("/settings", data=page.form("/settings").values)
    assert (response.status_code, response.location) == (303, back.format(id=game))


@pytest.mark.parametrize(
    "elsewhere", ["//evil.example/x", "/\\evil.example", "https://evil.example/", "/\t/evil.example", "games/new", ""]
)
def test_the_way_never_leads_elsewhere(client: Phone, elsewhere: str) -> None:
    fields = {**client.see("/settings").form("/settings").values, "back": elsewhere}
    assert client.post("/settings", data=fields).location == "/"


def test_a_page_for_everybody_knows_no_cookie(client: Phone, other: Phone, board: Page) -> None:
    """A page that is the same for all phones ignores a phone's settings, because caches give it to other phones.

    The address of such a page can contain settings instead.
    """
    watched = path_of(board).replace("/games/", "/watch/")
    client.submit(client.see("/settings"), "/settings", **CHANGED)
    assert client.get(watched).data == other.get(watched).data
    assert Page(other.get(f"{watched}?look=dark")).one("html").get("data-theme") == "dark"
    assert not Page(other.get(watched)).all("a", href="/settings"), "it would do nothing here"


def scripts(page: Page) -> set[str]:
    """Return the file names of the scripts that a page loads."""
    return {str(script.get("src")).rsplit("/", 1)[-1] for script in page.all("script")}


def test_the_screen_is_kept_on_only_where_a_game_is_scored(client: Phone, other: Phone, board: Page) -> None:
    """The screen stays on only on a phone that scores a game, and only if this setting is on."""
    assert "wake-lock.js" in scripts(board)
    assert "wake-lock.js" not in scripts(other.see(board.path))
    client.submit(client.see("/settings"), "/settings", awake="off")
    assert "wake-lock.js" not in scripts(client.see(board.path))


def test_the_phone_is_told_to_vibrate_unless_it_was_turned_off(client: Phone, board: Page) -> None:
    assert "data-buzz" in board.one("p", class_="says").attrib
    client.submit(client.see("/settings"), "/settings", buzz="off")
    assert "data-buzz" not in client.see(board.path).one("p", class_="says").attrib


def test_sound_is_off_until_somebody_wants_it(client: Phone, other: Phone, board: Page) -> None:
    assert "data-sound" not in board.one("p", class_="says").attrib
    client.submit(client.see("/settings"), "/settings", sound="on")
    assert "data-sound" in client.see(board.path).one("p", class_="says").attrib
    watched = other.see(board.path.replace("/games/", "/watch/") + "?sound=on").one("p", class_="says").attrib
    assert not {"data-sound", "data-buzz"} & set(watched)


def test_quiet_mode_turns_all_of_it_off(client: Phone, board: Page) -> None:
    """Quiet mode turns off sound and vibration, whatever is chosen for each of these settings."""
    client.submit(client.see("/settings"), "/settings", sound="on", buzz="on", quiet="on")
    page = client.see(board.path)
    assert not {"data-sound", "data-buzz"} & set(page.one("p", class_="says").attrib)
    assert "data-quiet" in page.one("html").attrib


def test_keys_enter_hands_unless_it_was_turned_off(client: Phone, board: Page) -> None:
    assert "data-keys" in board.one("p", class_="says").attrib
    client.submit(client.see("/settings"), "/settings", keys="off")
    assert "data-keys" not in client.see(board.path).one("p", class_="says").attrib


def test_dark_is_the_same_by_system_and_by_hand() -> None:
    """The dark theme has the same colors whether the system or the setting chooses it.

    The style sheet must list the colors twice.
    """
    style = (asset_folder("static") / "css" / "app.css").read_text()
    by_system, by_hand = (
        re.findall(r"--[a-z0-9-]+: [^;]+", re.split(re.escape(start), style)[1].split("}")[0])
        for start in (":root:not([data-theme]) {", "[data-theme=dark] {")
    )
    assert len(by_system) > 20
    assert by_hand == by_system


def test_the_manifest_names_what_can_be_installed(client: Phone) -> None:
    """The manifest of the installable app has the app's names, start page and colors, and icons of the stated sizes."""
    home = client.see("/")
    url = str(home.one("link", rel="manifest").get("href"))
    response = client.get(url)
    assert response.mimetype == "application/manifest+json"
    manifest = json.loads(response.text)
    assert (manifest["name"], manifest["short_name"]) == ("Setback Scorekeeper", "Scorekeeper")
    assert (manifest["id"], manifest["start_url"], manifest["scope"]) == ("/", "/", "/")
    assert manifest["display"] == "standalone"
    assert (manifest["theme_color"], "(prefers-color-scheme: light)") in theme_colours(home)
    assert manifest["background_color"] in (asset_folder("static") / "css" / "app.css").read_text()
    assert [icon.get("purpose", "any") for icon in manifest["icons"]] == ["any", "any", "maskable"]
    for icon in manifest["icons"]:
        drawn = client.get(str(Path(url).parent / icon["src"]))
        assert drawn.mimetype == icon["type"]
        width, height = (int.from_bytes(drawn.data[at : at + 4], "big") for at in (16, 20))
        assert icon["sizes"] == f"{width}x{height}"
