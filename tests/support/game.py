"""Moves at a table, as a person makes them on the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import inspect, select, table, text

from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.support.page import Page, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from flask import Flask

    from tests.support.phone import Phone

FOUR = ("Ann", "Bob", "Cid", "Dee")
CLEAN = ((0, 4, "AAAA"),) * 6
"""Hands with which Ann and Cid win `setback-21` by 24 to 0: bidder's seat, bid, who took which."""


def press(
    phone: Phone, page: Page, form: str, to: str, fields: Mapping[str, object] | None = None, status: int = 303
) -> Page:
    """Send the form `form` of `page` with a button that leads `to` another address; as `Phone.submit` otherwise."""
    sent: dict[str, Any] = {**page.form(form).values, **(fields or {})}
    response = phone.post(to, data=sent)
    assert response.status_code == status, f"{to}: {response.status}"
    return phone.see(response.location) if status == 303 else Page(response)


def start(
    phone: Phone,
    names: Sequence[str] = FOUR,
    *,
    preset: str = "setback-21",
    seating: str = "4p",
    dealer: int = 3,
    rules: Mapping[str, object] | None = None,
) -> Page:
    """Start a game and return its board."""
    seats = {f"name-{seat}": name for seat, name in enumerate(names)}
    options = {f"rule-{key}": value for key, value in (rules or {}).items()}
    fields = {"preset": preset, "seating": seating, "first_dealer": dealer, **seats, **options}
    page = phone.submit(phone.see("/games/new"), "/games/new", 200, choose=preset)
    return press(phone, page, "/games/new", "/games", fields)


def path_of(page: Page) -> str:
    """Return the address of the game that `page` belongs to."""
    return "/".join(page.path.split("/")[:3])


def bid(phone: Phone, board: Page, seat: int, value: int | str, trump: str | None = None, status: int = 303) -> Page:
    """Tap a bid; return the board with the points step."""
    return phone.submit(board, f"{path_of(board)}/bid", status, call=f"{seat}:{value}", trump=trump)


def points(told: str, preset: str = "setback-21") -> dict[str, str]:
    """Return the fields that say who took which: a side's letter for each point in order, "-" for nobody."""
    keys = [category.key for category in PRESETS[preset].categories]
    return {key: "none" if side == "-" else str("ABCDEFG".index(side)) for key, side in zip(keys, told, strict=True)}


def check(phone: Phone, board: Page, fields: Mapping[str, object], status: int = 200) -> Page:
    """Tap winners in the points step, have their effect said, and return the page with it."""
    return phone.submit(board, f"{path_of(board)}/hands", status, **{"mode": "points", "seen": "", **fields})


def save(phone: Phone, checked: Page, fields: Mapping[str, object] | None = None, status: int = 303) -> Page:
    """Tap "Save" on a page that was checked, with some `fields` changed, and return the board; an odd hand is meant."""
    sure = checked.form(f"{path_of(checked)}/hands").values["seen"]
    return phone.submit(
        checked, f"{path_of(checked)}/hands", status, **{"mode": "points", "sure": sure, **(fields or {})}
    )


def play(phone: Phone, board: Page, seat: int, value: int | str, told: str, trump: str | None = None) -> Page:
    """Play one hand from the bid to the saved points and return the board."""
    preset = "bowers-12" if len(told) == 5 else "setback-21"
    return save(phone, check(phone, bid(phone, board, seat, value, trump), points(told, preset)))


def play_all(phone: Phone, board: Page, hands: Sequence[tuple[int, int | str, str]]) -> Page:
    """Play hands one after another and return the last board."""
    for seat, value, told in hands:
        board = play(phone, board, seat, value, told)
    return board


def undo(phone: Phone, board: Page) -> Page:
    """Take the last hand back."""
    return phone.submit(board, f"{path_of(board)}/undos")


def totals(board: Page) -> list[str]:
    """Return the big numbers, by side."""
    return [words(score) for score in board.all("p", class_="score")]


def notices(board: Page) -> list[str]:
    """Return what the table is told above the sheet."""
    return [words(notice) for notice in board.all("p", class_="notice")]


def sheet(board: Page) -> list[str]:
    """Return the lines of the sheet of hands, the oldest first."""
    rows = board.one("table", class_="sheet").findall("tbody/tr")
    return [words(row).removeprefix("Correct hand ") for row in reversed(rows)]


def buttons(page: Page) -> list[str]:
    """Return what the buttons of a page say."""
    return [words(button) for button in page.all("button")]


def contents(app: Flask) -> dict[str, list[str]]:
    """Return the content of all tables."""
    with app.app_context():
        return {
            name: sorted(repr(tuple(row)) for row in db.session.execute(select(text("*")).select_from(table(name))))
            for name in inspect(db.engine).get_table_names()
        }
