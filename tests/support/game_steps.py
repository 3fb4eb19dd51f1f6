"""More moves at a table: the auction, the pad of numbers, the count, what is looked at before it is saved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tests.support.game import path_of
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.support.page import Page
    from tests.support.phone import Phone


def open_auction(phone: Phone, board: Page) -> Page:
    """Ask for the auction in place of the bid step."""
    return phone.see(f"{path_of(board)}?entry=auction")


def call(phone: Phone, page: Page, value: object, status: int = 303) -> Page:
    """Tap the call of the player whose turn it is."""
    return phone.submit(page, f"{path_of(page)}/calls", status, call=value)


def call_all(phone: Phone, page: Page, calls: Iterable[object]) -> Page:
    """Open the auction, tap one call after another and return the page that stands then."""
    page = open_auction(phone, page)
    for value in calls:
        page = call(phone, page, value)
    return page


def take_back(phone: Phone, page: Page) -> Page:
    """Take the last call back."""
    return phone.submit(page, f"{path_of(page)}/calls/void")


def offered(page: Page) -> list[str]:
    """Return the calls that the auction offers."""
    return [str(button.get("value")) for button in page.all("button", name="call")]


def turn(page: Page) -> str:
    """Return whose turn it is, and what stands, without the side's letter."""
    return words(page.one("p", class_="turn"))[2:]


def heard(page: Page) -> list[str]:
    """Return the calls that were made, with who made them."""
    return [words(item)[2:] for calls in page.all("ol", class_="calls") for item in calls.findall("li")]


def pad_bid(phone: Phone, board: Page, seat: int, value: int, trump: str | None = None, status: int = 303) -> Page:
    """Choose a bidder and tap a bid on the pad of numbers; return the board with the points step."""
    return phone.submit(board, f"{path_of(board)}/bid", status, bidder=str(seat), bid=str(value), trump=trump)


def take(phone: Phone, board: Page, status: int = 303, **fields: object) -> Page:
    """Tap the points of each side, look at what they do, save, and return the board."""
    checked = look(phone, board, status=200 if status == 303 else status, **fields)
    if status != 303:
        return checked
    action = f"{path_of(board)}/hands"
    return phone.submit(checked, action, mode="taken", sure=checked.form(action).values["seen"])


def look(phone: Phone, board: Page, status: int = 200, **fields: object) -> Page:
    """Tap the points of each side and look at what they do."""
    return phone.submit(board, f"{path_of(board)}/hands", status, mode="taken", **fields)


def said(page: Page) -> str:
    """Return what the page says that a hand will do."""
    return words(page.all("output", class_="preview")[0])


def problem(page: Page) -> str:
    """Return the one message that says what is wrong."""
    return words(page.one("p", role="alert"))


def effect(page: Page) -> list[str]:
    """Return what a page says would change: a line for each hand, then its sentences."""
    section = page.one("section", class_="effect")
    rows = [" ".join(words(cell) for cell in row) for row in section.iterfind("table/tbody/tr")]
    return [*rows, *(words(line) for line in section.findall("p"))]


def look_then_save(phone: Phone, address: str, **fields: object) -> Page:
    """Enter `fields` on the page at `address`, see what they do, save it, and return the board."""
    looked = phone.submit(phone.see(address), address, 200, **fields)
    return phone.submit(looked, address)


def record_of(phone: Phone, board: Page) -> dict[str, Any]:
    """Return the record of a game as it is exported."""
    data: dict[str, Any] = json.loads(phone.get(f"{path_of(board)}/record.json").text)
    return data


def import_record(phone: Phone, record: Mapping[str, Any]) -> Page:
    """Bring a record in and return its board."""
    return phone.submit(phone.see("/"), "/games/import", text=json.dumps(record))


def log_of(phone: Phone, board: Page) -> list[str]:
    """Return what the log of a game says, the newest first."""
    page = phone.see(f"{path_of(board)}/log")
    return [words(item) for item in page.one("ol", class_="log").findall("li")]


def score_link(phone: Phone, board: Page) -> str:
    """Make a score link on the phone that started a game and return its path."""
    path = path_of(board)
    page = phone.submit(phone.see(f"{path}/table"), f"{path}/score-links", 200)
    return urlsplit(str(page.one("input", type="url").get("value"))).path


def let_in(phone: Phone, other: Phone, board: Page, seat: str = "") -> Page:
    """Let another phone score a game of `phone`, and return the board that it sees then."""
    return other.submit(other.see(score_link(phone, board)), "/score", seat=seat)


def send_away(phone: Phone, board: Page) -> Page:
    """Let the first of the other phones score no more, and return the page of the table."""
    table = phone.see(f"{path_of(board)}/table")
    (action, *_) = [form.get("action", "") for form in table.all("form") if "/phones/" in form.get("action", "")]
    return phone.submit(table, action)


def seats(names: Sequence[str]) -> dict[str, str]:
    """Return the fields of the new-game form that seat these players."""
    return {f"name-{seat}": name for seat, name in enumerate(names)}
