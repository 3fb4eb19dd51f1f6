"""Play a game in tests as a person does on the web pages. The board is the page on which a game is scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import inspect, select, table, text

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.db.tokens import hash_of, new_secret
from scorekeeper.games.forms.hand import hand_data
from scorekeeper.games.services.scoring import ClientRequest, act
from scorekeeper.games.store.event_store import read_ahead
from scorekeeper.rules.commands import EnterHand, TakeBid
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.support.page import Page, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from flask import Flask

    from tests.support.phone import Phone

FOUR = ("Ann", "Bob", "Cid", "Dee")
TOKENS = ("csrf_token", "client_id")
"""Hidden fields of the form that starts a game."""
CLEAN = ((0, 4, "AAAA"),) * 6
"""Hands with which Ann and Cid win `setback-21` by 24 to 0: the bidder's seat, the bid, and the winners of the points.

The winners are written as for `points`.
"""


def press(
    phone: Phone, page: Page, form: str, to: str, fields: Mapping[str, object] | None = None, status: int = 303
) -> Page:
    """Post a form to the address of one of its buttons instead of the form's own address, and return the next page.

    `form` is the form's own address on `page`, and `to` is the button's address. `fields` and `status` are as in
    `Phone.submit`.
    """
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
    sure: str = "",
) -> Page:
    """Start a game and return its board.

    `names` are in seat order, and `dealer` is the seat of the first dealer. `seating` is the form's value for players
    and teams, such as "4p". `rules` are the options that differ from `preset`.
    `sure` is a new name that looks like a known one.
    """
    seats = {f"name-{seat}": name for seat, name in enumerate(names)}
    options = {f"rule-{key}": value for key, value in (rules or {}).items()}
    page = phone.see("/games/new")
    tokens = {name: page.form("/games/new").values[name] for name in TOKENS}
    fields = {"preset": preset, "seating": seating, "first_dealer": dealer, "sure": sure, **tokens, **seats, **options}
    response = phone.post("/games", data=fields)
    assert response.status_code == 303, response.status
    return phone.see(response.location)


def path_of(page: Page) -> str:
    """Return the path of the game to which `page` belongs, such as "/games/abc" for the page "/games/abc/log"."""
    return "/".join(page.path.split("/")[:3])


def bid(phone: Phone, board: Page, seat: int, value: int | str, trump: str | None = None, status: int = 303) -> Page:
    """Choose a bid in the bid step, and return the board with the points step."""
    return phone.submit(board, f"{path_of(board)}/bid", status, call=f"{seat}:{value}", trump=trump)


def points(told: str, preset: str = "setback-21") -> dict[str, str]:
    """Return the form fields that say which side won each point.

    `told` has one character for each point of `preset`, in the order of the points: the letter of the side, or "-" for
    nobody.
    """
    keys = [category.key for category in PRESETS[preset].categories]
    return {key: "none" if side == "-" else str("ABCDEFGH".index(side)) for key, side in zip(keys, told, strict=True)}


def check(phone: Phone, board: Page, fields: Mapping[str, object], status: int = 200) -> Page:
    """Enter who won each point in the points step, and return the page with the preview of the new score.

    `fields` are form fields, such as those that `points` returns.
    """
    return phone.submit(board, f"{path_of(board)}/hands", status, **{"mode": "points", "seen": "", **fields})


def save(phone: Phone, checked: Page, fields: Mapping[str, object] | None = None, status: int = 303) -> Page:
    """Save the hand that is previewed on the page `checked`, and return the board.

    `fields` replace values of the form. If the page asks whether an unusual hand is right, the answer is yes.
    """
    sure = checked.form(f"{path_of(checked)}/hands").values["seen"]
    return phone.submit(
        checked, f"{path_of(checked)}/hands", status, **{"mode": "points", "sure": sure, **(fields or {})}
    )


def play(phone: Phone, board: Page, seat: int, value: int | str, told: str, trump: str | None = None) -> Page:
    """Save one hand as this phone would, without the pages in between, and return the board.

    `told` says which side won each point, as for `points`.
    """
    fields = {"mode": "points", "bidder": str(seat), "bid": str(value), **({"trump": trump} if trump else {})}
    fields |= points(told, "bowers-12" if len(told) == 5 else "setback-21")
    cookie = phone.get_cookie(COOKIE)
    assert cookie, "this phone has not started or joined a game"
    game_id = path_of(board).removeprefix("/games/")
    with phone.application.app_context():
        found = read_ahead(game_id)
        assert found, game_id
        for command in (TakeBid(seat, value, trump), EnterHand(hand_data(fields, found.game.table))):
            act(public_id=game_id, command=command, request=ClientRequest(hash_of(cookie.value), new_secret()))
    return phone.see(path_of(board))


def play_all(phone: Phone, board: Page, hands: Sequence[tuple[int, int | str, str]]) -> Page:
    """Enter one hand after another, and return the last board.

    Each of the `hands` is (seat, bid, winners of the points), as for `play`.
    """
    for seat, value, told in hands:
        board = play(phone, board, seat, value, told)
    return board


def undo(phone: Phone, board: Page) -> Page:
    """Undo the last hand and return the board."""
    return phone.submit(board, f"{path_of(board)}/undos")


def totals(board: Page) -> list[str]:
    """Return the scores on the board as strings, in the order of the sides."""
    return [words(score) for score in board.all("p", class_="score")]


def notices(board: Page) -> list[str]:
    """Return the messages that the board shows above the list of hands."""
    return [words(notice) for notice in board.all("p", class_="notice")]


def sheet(board: Page) -> list[str]:
    """Return the text of each line in the list of hands, oldest first."""
    rows = board.one("table", class_="sheet").findall("tbody/tr")
    return [words(row).removeprefix("Correct hand ") for row in reversed(rows)]


def buttons(page: Page) -> list[str]:
    """Return the labels of the buttons of a page."""
    return [words(button) for button in page.all("button")]


def contents(app: Flask) -> dict[str, list[str]]:
    """Return a dict of all rows in the database by table name; each row is a string, and the rows are sorted."""
    with app.app_context():
        return {
            name: sorted(repr(tuple(row)) for row in db.session.execute(select(text("*")).select_from(table(name))))
            for name in inspect(db.engine).get_table_names()
        }
