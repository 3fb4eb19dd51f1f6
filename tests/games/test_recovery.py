"""Backup codes, with which another phone can take over a game from a lost phone."""

from __future__ import annotations

import secrets
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING

import pytest

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.db.tokens import ALPHABET
from scorekeeper.games.services.recovery import LENGTH, PLACE, SECRET, read_code, spelled
from scorekeeper.games.views.sharing import NO_CODE
from scorekeeper.web.rate_limit import CODE_BY_ADDRESS, CODE_BY_GAME, CODE_FIRST
from tests.support.game import bid, contents, path_of, play, start
from tests.support.game_steps import let_in, log_of, send_away
from tests.support.page import Page, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

WRONG = "No game has that code."


def code_of(phone: Phone, board: Page) -> str:
    """Return the backup code that the game menu shows, with the hyphens between its groups of letters."""
    return words(phone.see(f"{path_of(board)}/table").one("p", class_="code-word"))


def enter(phone: Phone, code: str, status: int = 303) -> Page:
    """Enter a backup code on the page for backup codes, and return the page that follows."""
    return phone.submit(phone.see("/recovery"), "/recovery", status, code=code)


def test_a_new_game_shows_its_code_until_it_is_on_paper(client: Phone, other: Phone) -> None:
    """The board shows the backup code to the phone that started the game only, also during and after hands."""
    board = start(client)
    code = code_of(client, board)
    assert read_code(code) is not None
    told = f"Backup code for this game and your table, in case this phone is lost: {code}"
    for text in (other.see(board.path).text, client.get(board.path.replace("/games/", "/watch/")).text):
        assert "Backup code" not in text
        assert code[-4:] not in text
    let_in(client, other, board)
    during = bid(client, board, 0, 2)
    assert "Backup code" not in other.see(board.path).text
    after = play(client, during, 0, 2, "AB--")
    for page in (board, during, after, client.see(board.path)):
        assert told in page.text
    noted = client.submit(after, f"{board.path}/recovery/noted")
    for page in (noted, client.see(board.path), play(client, noted, 1, 2, "BA--")):
        assert "Backup code" not in page.text
    assert code_of(client, board) == code
    assert client.see("/").one("a", href="/recovery").text


def test_a_rematch_has_a_code_to_note_only_if_the_game_before_had(client: Phone, board: Page) -> None:
    """The code of the first game opens its rematches, too. In a game that is over there is nothing to note."""
    for noted in (False, True):
        over = client.submit(client.see(f"{board.path}/table"), f"{board.path}/abandonment", sure="1")
        assert "Backup code" not in over.text
        board = client.submit(over, f"{board.path}/rematch")
        assert ("Backup code" in board.text) is not noted
        if not noted:
            client.submit(board, f"{board.path}/recovery/noted")


def test_every_page_with_the_code_says_that_it_opens_the_table(client: Phone, other: Phone, board: Page) -> None:
    """The code of a game lets another phone keep score at the whole table, and nobody is surprised by that."""
    menu = client.see(f"{board.path}/table")
    opens = "see all games of your table and keep score there"
    assert opens in words(menu.one("details", id="lost"))
    assert opens in client.see("/help/lost-phone").text
    assert "see all games of its table and keep score there" in other.see("/recovery").text
    table = enter(other, code_of(client, board))
    assert "The table's other games are under Our table." in words(table.one("details", id="lost"))


def test_a_lost_key_ends_the_codes_only(app: Flask, client: Phone, other: Phone, board: Page) -> None:
    """After the server's secret key changes, phones can still score their games, but old backup codes stop working."""
    code = code_of(client, board)
    app.config["SECRET_KEY"] = secrets.token_urlsafe(48)
    play(client, client.see(board.path), 0, 3, "AAAB")
    assert WRONG in enter(other, code, 422).text
    enter(other, code_of(client, board))


def test_another_phone_takes_over_with_the_code(client: Phone, other: Phone, board: Page) -> None:
    """A phone that enters a game's backup code can do everything that the game's first phone can do.

    The game is on the new phone's home page. The old phone can still score until the new phone removes it.
    """
    play(client, board, 0, 3, "AAAB")
    code = code_of(client, board)
    table = enter(other, code)
    assert table.path == f"{board.path}/table"
    lost = table.one("details", id="lost")
    assert [link.get("href") for link in lost.iter("a") if words(link) == "Back to the game"] == [board.path]
    assert "This phone now runs the game." in words(lost)
    assert [words(item) for item in table.all("b") if "phone" in words(item)] == ["Previous phone"]
    again = other.see(f"{board.path}/table?lost=1")
    assert "This phone now runs the game." not in again.text, "said once, when it is news"
    assert other.see("/").one("a", class_="game").get("href") == board.path
    play(client, client.see(board.path), 1, 2, "BBBA")
    client.post(f"{board.path}/deletion", data={})
    client.see(f"{board.path}/table").form(f"{board.path}/names")
    send_away(other, board)
    client.see(f"{board.path}/table", 403)
    other.see(f"{board.path}/table").form(f"{board.path}/deletion")


def test_a_code_works_once_and_is_logged(client: Phone, other: Phone, new_phone: Callable[[], Phone]) -> None:
    """A backup code works once, its use is logged, and the new phone is shown the next code."""
    board = start(client)
    code = code_of(client, board)
    enter(other, code)
    assert log_of(other, board)[0].endswith("Backup code entered. Another phone took over the game.")
    assert WRONG in enter(new_phone(), code, 422).text
    assert WRONG in enter(other, code, 422).text
    third = new_phone()
    fresh = code_of(other, board)
    assert fresh != code
    assert enter(third, fresh).path == f"{board.path}/table"


def test_rematches_go_along(client: Phone, other: Phone, board: Page) -> None:
    """A phone that enters the backup code of the first game also takes over all rematches of that game.

    That phone can also open the menus of other games at the first phone's home table, but can't delete those games.
    """
    code = code_of(client, board)
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/abandonment", sure="1")
    second = client.submit(client.see(board.path), f"{board.path}/rematch")
    alone = start(client)
    assert enter(other, code).path == f"{second.path}/table"
    for game in (board, second):
        other.see(f"{game.path}/table").form(f"{game.path}/deletion")
        assert "Another phone took over the game" in log_of(other, game)[0]
    menu = other.see(f"{alone.path}/table")
    assert not menu.all("form", action=f"{alone.path}/deletion")


def test_a_former_scorer_is_not_listed_as_another_phone(client: Phone, other: Phone, board: Page) -> None:
    let_in(client, other, board, "1")
    table = enter(other, code_of(client, board))
    assert [words(item) for item in table.all("b") if "phone" in words(item)] == ["Previous phone"]


def test_the_main_phone_uses_up_no_code(client: Phone, board: Page) -> None:
    code = code_of(client, board)
    assert enter(client, code).path == f"{board.path}/table"
    assert code_of(client, board) == code


def test_a_new_code_replaces_the_old_one(client: Phone, other: Phone, board: Page) -> None:
    """After a new backup code is made for a game, the old code can't be used anymore."""
    code = code_of(client, board)
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/recovery")
    assert WRONG in enter(other, code, 422).text
    assert enter(other, code_of(client, board)).path == f"{board.path}/table"


@pytest.mark.parametrize("typed", ["", "kmpt", "kmpt-7wxn-4rqh-9", "kmpt-7wxn-4rq0", "ä" * 12, "²" * 12, "x" * 5000])
def test_an_invalid_code_is_refused(other: Phone, typed: str) -> None:
    """If the entered characters can't be a backup code, the page says what a backup code looks like.

    The phone gets no cookie.
    """
    page = enter(other, typed, 422)
    assert "A code has twelve letters and digits" in page.text
    assert "It never contains A, E, I, L, O, U, Y, 0 or 1" in page.text
    assert other.get_cookie(COOKIE) is None


def test_the_refusal_names_the_unused_letters() -> None:
    said = set(NO_CODE.split("never contains ")[1].rstrip(".").replace(" or ", ", ").lower().split(", "))
    assert said == set(ascii_lowercase + digits) - set(ALPHABET)


def test_a_wrong_code_changes_nothing(app: Flask, client: Phone, other: Phone, board: Page) -> None:
    """A wrong code changes nothing, and the message doesn't reveal whether a game ever had that code.

    A code with one wrong letter, a code of no game and the code of a deleted game get the same message.
    """
    code = code_of(client, board).replace("-", "")
    off = code[:-1] + ALPHABET[ALPHABET.index(code[-1]) - 1]
    before = contents(app)
    assert WRONG in enter(other, off, 422).text
    assert WRONG in enter(other, code[::-1], 422).text
    assert contents(app) == before
    assert other.get_cookie(COOKIE) is None
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/deletion")
    assert WRONG in enter(other, code, 422).text


def test_a_code_is_read_as_people_write_it(client: Phone, other: Phone, board: Page) -> None:
    code = code_of(client, board)
    assert enter(other, f"  {code.upper().replace('-', ' . ')} ").path == f"{board.path}/table"
    assert spelled(read_code(code) or "") == code


def test_no_code_is_stored(app: Flask, client: Phone, board: Page) -> None:
    """The database has the part of a backup code that names the game, but not the secret part."""
    code = code_of(client, board).replace("-", "")
    stored = str(contents(app))
    assert code[:PLACE] in stored
    assert code[PLACE:] not in stored


def test_guessing_takes_too_long() -> None:
    """The probability of guessing a backup code within a year is as low as the docstring of `services.recovery` says.

    For one game, the probability is 1 in 1.6 million. For any one of 10,000 games, it is less than 1%.
    """
    codes = len(ALPHABET) ** SECRET
    a_year = CODE_BY_GAME.amount * 3600 // CODE_BY_GAME.seconds * 24 * 365
    assert (a_year, LENGTH) == (175_200, 12)
    assert 1_600_000 < codes / a_year < 1_620_000
    assert 0.006 < 10_000 * a_year / codes < 0.0063
    by_thousand_networks = (CODE_BY_GAME.amount + 1000 * CODE_FIRST.amount) * 24 * 365
    assert 10_000 < codes / by_thousand_networks < 11_000
    an_hour = CODE_BY_ADDRESS.amount * 3600 // CODE_BY_ADDRESS.seconds
    assert round(10_000 * CODE_BY_GAME.amount / an_hour) == 667
