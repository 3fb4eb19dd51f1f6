"""More steps of a game in tests, such as the auction. The board is the page on which a game is scored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scorekeeper.games.logic.play_times import IN_HAND
from tests.support.game import path_of
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.support.page import Page
    from tests.support.phone import Phone


def open_auction(phone: Phone, board: Page) -> Page:
    """Open the page for entering an auction call by call, instead of only its result, and return that page."""
    return phone.see(f"{path_of(board)}?entry=auction")


def call(phone: Phone, page: Page, value: object, status: int = 303) -> Page:
    """Make the call `value` for the player whose turn it is, and return the next page."""
    return phone.submit(page, f"{path_of(page)}/calls", status, call=value)


def call_all(phone: Phone, page: Page, calls: Iterable[object]) -> Page:
    """Open the auction, make the calls one after another, and return the last page."""
    page = open_auction(phone, page)
    for value in calls:
        page = call(phone, page, value)
    return page


def take_back(phone: Phone, page: Page) -> Page:
    """Undo the last call of the auction and return the page."""
    return phone.submit(page, f"{path_of(page)}/calls/void")


def offered(page: Page) -> list[str]:
    """Return the values of the calls that the auction page offers to the next player, such as "pass"."""
    return [str(button.get("value")) for button in page.all("button", name="call")]


def turn(page: Page) -> str:
    """Return the line of the auction page that names the player whose turn it is and the highest bid.

    The letter of the player's side is left out.
    """
    return words(page.one("p", class_="turn"))[2:]


def heard(page: Page) -> list[str]:
    """Return the calls of the auction so far, each as a string that contains the player's name."""
    return [words(item)[2:] for calls in page.all("ol", class_="calls") for item in calls.findall("li")]


def pad_bid(phone: Phone, board: Page, seat: int, value: int, trump: str | None = None, status: int = 303) -> Page:
    """Choose a bidder and a bid on the number pad, and return the board with the points step."""
    return phone.submit(board, f"{path_of(board)}/bid", status, bidder=str(seat), bid=str(value), trump=trump)


def take(phone: Phone, board: Page, status: int = 303, **fields: object) -> Page:
    """Enter each side's points from `fields`, save the hand, and return the board.

    If `status` isn't 303, save nothing and return the page with the preview, whose status must be `status`.
    """
    checked = look(phone, board, status=200 if status == 303 else status, **fields)
    if status != 303:
        return checked
    action = f"{path_of(board)}/hands"
    return phone.submit(checked, action, mode="taken", sure=checked.form(action).values["seen"])


def look(phone: Phone, board: Page, status: int = 200, **fields: object) -> Page:
    """Enter each side's points from `fields`, and return the page with the preview of the hand."""
    return phone.submit(board, f"{path_of(board)}/hands", status, mode="taken", **fields)


def said(page: Page) -> str:
    """Return the text of the preview, which says what a hand would change."""
    return words(page.all("output", class_="preview")[0])


def problem(page: Page) -> str:
    """Return the error message of a page that has exactly one."""
    return words(page.one("p", role="alert"))


def effect(page: Page) -> list[str]:
    """Return the lines of a preview: one for each hand that would change, and then the sentences below them."""
    section = page.one("section", class_="effect")
    rows = [" ".join(words(cell) for cell in row) for row in section.iterfind("table/tbody/tr")]
    return [*rows, *(words(line) for line in section.findall("p"))]


def look_then_save(phone: Phone, address: str, **fields: object) -> Page:
    """Post `fields` in the form at `address`, save the change on the preview page, and return the board."""
    looked = phone.submit(phone.see(address), address, 200, **fields)
    return phone.submit(looked, address)


def record_of(phone: Phone, board: Page) -> dict[str, Any]:
    """Return the exported record of a game, without the times at which its hands were saved."""
    data: dict[str, Any] = json.loads(phone.get(f"{path_of(board)}/record.json").text)
    for hand in data.get("hands", ()):
        del hand[IN_HAND]
    return data


def import_record(phone: Phone, record: Mapping[str, Any]) -> Page:
    """Import a game from its record and return its board."""
    return phone.submit(phone.see("/"), "/games/import", text=json.dumps(record))


def log_of(phone: Phone, board: Page) -> list[str]:
    """Return the lines of a game's log, newest first."""
    page = phone.see(f"{path_of(board)}/log")
    return [words(item) for item in page.one("ol", class_="log").findall("li")]


def score_link(phone: Phone, board: Page) -> str:
    """Create a score link for a game on its main phone, and return the link's path."""
    path = path_of(board)
    page = phone.submit(phone.see(f"{path}/table"), f"{path}/score-links", 200)
    return urlsplit(str(page.one("input", type="url").get("value"))).path


def let_in(phone: Phone, other: Phone, board: Page, seat: str = "") -> Page:
    """Give the phone `other` a score link for a game of `phone`, open the link, and return the board on `other`.

    `seat` is the seat of the person who holds `other`, or "" if the seat isn't entered.
    """
    return other.submit(other.see(score_link(phone, board)), "/score", seat=seat)


def send_away(phone: Phone, board: Page) -> Page:
    """Remove the first of the other phones that may score a game, and return the page that lists these phones."""
    table = phone.see(f"{path_of(board)}/table")
    (action, *_) = [form.get("action", "") for form in table.all("form") if "/phones/" in form.get("action", "")]
    return phone.submit(table, action)


def seats(names: Sequence[str]) -> dict[str, str]:
    """Return the fields of the new-game form that name the players; `names` are in seat order."""
    return {f"name-{seat}": name for seat, name in enumerate(names)}
