"""The game menu, which changes names, substitutes and the dealer, and ends or deletes the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.game import bid, buttons, contents, notices, play, play_all, sheet, start, totals
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


@pytest.fixture
def table(client: Phone, board: Page) -> Page:
    """Return the game menu of a game with one hand played."""
    play(client, board, 0, 3, "AAAB")
    return client.see(f"{board.path}/table")


def action(page: Page, name: str) -> str:
    """Return the address to which the game menu `page` sends the action `name`."""
    return page.path.replace("/table", f"/{name}")


def test_a_player_is_renamed_everywhere(client: Phone, table: Page) -> None:
    """After a player is renamed, earlier hands show the new name too."""
    board = client.submit(table, action(table, "names"), name_0="Anna")
    assert board.h1 == "Anna and Cid 3, Bob and Dee 1"
    assert "Anna 3" in sheet(board)[0]


def test_two_players_can_swap_names(client: Phone, table: Page) -> None:
    """Two players' names can be swapped with one form, without a temporary third name."""
    board = client.submit(table, action(table, "names"), name_0="Cid", name_2="Ann")
    assert board.h1 == "Cid and Ann 3, Bob and Dee 1"


def test_unchanged_names_write_nothing(client: Phone, app: Flask, table: Page) -> None:
    before = contents(app)
    client.submit(table, action(table, "names"))
    assert contents(app) == before


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "Every seat needs a name."),
        (" ", "Every seat needs a name."),
        ("x" * 41, "A name can have at most 40 characters."),
        ("Bob", "Two players are named Bob. Add an initial."),
        ("a\x00b", "A name can't have invisible control characters."),
    ],
)
@pytest.mark.parametrize("how", ["names", "seats"])
def test_an_invalid_name_is_refused(client: Phone, app: Flask, table: Page, how: str, name: str, says: str) -> None:
    """An invalid name is refused, both when players are renamed and when a substitute is entered.

    Nothing is stored, not even the valid names in the same form.
    """
    before = contents(app)
    fields = {"name-0": name, "name-1": "Bob", "name-3": "Deedee"} if how == "names" else {"seat": "0", "name": name}
    page = client.submit(table, action(table, how), 422, **fields)
    assert words(page.one("p", role="alert")) == says
    assert page.h1 == table.h1
    assert contents(app) == before


def test_a_substitute_takes_over_the_score(client: Phone, table: Page) -> None:
    board = client.submit(table, action(table, "seats"), seat="2", name="Eve")
    assert board.h1 == "Ann and Eve 3, Bob and Dee 1"
    assert "Eve" in [option.get("value") for option in client.see(table.path).one("datalist", id="known-names")]


@pytest.mark.slow
@pytest.mark.parametrize("seat", [None, "", "4", "-1", "²", "9" * 5000, "Ann"])
def test_a_seat_must_be_chosen(client: Phone, app: Flask, table: Page, seat: str | None) -> None:
    """A substitute is refused unless a valid seat is chosen, so that nobody is replaced by accident."""
    before = contents(app)
    page = client.submit(table, action(table, "seats"), 422, seat=seat, name="Eve")
    assert words(page.one("p", role="alert"))
    assert contents(app) == before


def test_change_the_dealer(client: Phone, table: Page) -> None:
    """After the dealer is changed, the new dealer deals the current hand.

    The player after the new dealer deals the next hand.
    """
    board = client.submit(table, action(table, "dealer"), dealer="3")
    assert "Hand 2 Dee deals Ann bids first" in board.text
    assert "Hand 3 Ann deals" in play(client, board, 0, 2, "AABB").text


def test_setting_the_same_dealer_writes_nothing(client: Phone, app: Flask, table: Page) -> None:
    before = contents(app)
    client.submit(table, action(table, "dealer"))
    assert contents(app) == before


@pytest.mark.parametrize("dealer", [None, "", "4", "²", "-1", "9" * 5000])
def test_a_dealer_must_be_chosen(client: Phone, app: Flask, table: Page, dealer: str | None) -> None:
    """A forged form that names no valid dealer is refused, and the page gives the reason."""
    before = contents(app)
    page = client.submit(table, action(table, "dealer"), 422, dealer=dealer)
    assert notices(page)
    assert contents(app) == before


def test_a_misdeal_is_dealt_again_by_the_same_player(client: Phone, board: Page) -> None:
    """After a misdeal, the same player deals again and the bid is discarded."""
    bid(client, board, 1, 3)
    again = client.submit(client.see(f"{board.path}/table"), f"{board.path}/misdeal")
    assert "Hand 1 Dee deals" in again.text
    assert "bid 3" not in again.text


def test_a_side_concedes(client: Phone, table: Page) -> None:
    """A side can concede, and the button for it names the side that wins."""
    assert "Bob and Dee concede: Ann and Cid win" in buttons(table)
    board = client.submit(table, action(table, "concession"), sure="1", winner="0")
    assert "Ann and Cid win" in board.text
    assert "Bob and Dee conceded." in board.text
    assert totals(board) == ["3", "1"]
    assert "Ann and Cid won by concession." in client.see("/").text


@pytest.mark.parametrize(
    ("end", "fields", "says"),
    [
        ("concession", {"winner": "0"}, "Ann and Cid win. Bob and Dee conceded."),
        ("abandonment", {}, "No winner. The table ended the game without a winner."),
    ],
)
def test_an_early_end_is_confirmed_first(
    client: Phone, app: Flask, table: Page, end: str, fields: dict[str, str], says: str
) -> None:
    """Before a game is ended early, a page shows the result and asks for one more tap."""
    before = contents(app)
    asked = client.submit(table, action(table, end), 200, **fields)
    assert asked.h1 == "End this game?"
    assert says in asked.text
    assert "The score stays as it is: Ann and Cid 3, Bob and Dee 1." in asked.text
    assert contents(app) == before
    over = client.submit(asked, action(table, end))
    assert says.split(". ")[1] in over.text
    assert totals(over) == ["3", "1"]


def test_with_many_sides_everyone_concedes(client: Phone) -> None:
    """With more than two sides, a side can't concede alone, so no single player can end the game.

    All other sides can only concede together to one side, which then wins.
    """
    board = start(client, ("Ann", "Bob", "Cid"), seating="3")
    page = client.see(f"{board.path}/table")
    assert "Everyone concedes to Cid" in buttons(page)
    assert "Cid wins" in client.submit(page, f"{board.path}/concession", sure="1", winner="2").text


@pytest.mark.parametrize("winner", [None, "2", "²", "-1"])
def test_conceding_to_an_unknown_side_is_refused(client: Phone, app: Flask, table: Page, winner: str | None) -> None:
    before = contents(app)
    client.submit(table, action(table, "concession"), 422, winner=winner)
    assert contents(app) == before


def test_end_a_game_without_a_winner(client: Phone, table: Page) -> None:
    board = client.submit(table, action(table, "abandonment"), sure="1")
    assert "The table ended the game without a winner." in board.text
    assert "No winner" in client.see("/").text


def test_after_the_end_nothing_can_be_conceded_or_dealt(client: Phone, app: Flask, board: Page) -> None:
    """After the end of a game, the menu doesn't offer to concede, to change the dealer or to enter a misdeal.

    Forms of a page that was opened before the end are refused.
    """
    table = client.see(f"{board.path}/table")
    over = play_all(client, board, ((0, 4, "AAAA"),) * 6)
    page = client.see(table.path)
    assert not [label for label in buttons(page) if "concede" in label or "deals" in label or "Misdeal" in label]
    before = contents(app)
    version = page.form(action(page, "names")).values["version"]
    for name, field in (("concession", "winner"), ("abandonment", "x"), ("dealer", "dealer"), ("misdeal", "x")):
        late = client.submit(table, action(table, name), 409, version=version, **{field: "1"})
        assert "The game is over. Undo the last hand to go on." in notices(late)
    assert contents(app) == before
    assert totals(over) == ["24", "0"]


def test_a_page_works_for_one_change(client: Phone, app: Flask, table: Page) -> None:
    """An opened game menu can be used for one change. A second change from the same page is refused as out of date."""
    client.submit(table, action(table, "names"), name_0="Anna")
    before = contents(app)
    late = client.submit(table, action(table, "dealer"), 409, dealer="3")
    assert "so this change wasn't saved" in notices(late)[0]
    assert contents(app) == before


def test_a_deleted_game_is_hidden_from_everyone(client: Phone, other: Phone, table: Page) -> None:
    """A deleted game's pages are gone for every phone until the game is restored."""
    home = client.submit(table, action(table, "deletion"))
    for name in ("", "/log", "/record.json", "/table", "/preview"):
        for phone in (client, other):
            phone.see(table.path.replace("/table", name), 404)
    board = client.submit(home, action(table, "deletion/void"))
    assert totals(board) == ["3", "1"]
    other.see(board.path)
