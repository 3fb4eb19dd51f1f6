"""Offline hands of a game that went on are shown beside the saved ones, and count or are set aside."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from tests.games.test_offline_sync import send, told, waits
from tests.games.test_offline_sync_conflicts import LATER, NEXT, OTHER, SAME
from tests.support.game import buttons, contents, notices, path_of, play, play_all, sheet, totals, undo
from tests.support.game_steps import let_in, log_of, send_away
from tests.support.page import Page, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

TAIL = (waits(1, SAME), waits(2, NEXT), waits(3, LATER))
"""Agrees with the book on hand 1, differs in hand 2, and goes on; 8 to 3 in the end."""
BOOK = ((0, 4, "AAAA"), (1, 3, "BBBA"), (2, 2, "AABA"), (3, 2, "BBAA"))
"""10 to 6 after four hands."""


@pytest.fixture
def second(client: Phone, other: Phone, board: Page) -> Phone:
    """Return Bob's phone, a scorer; the other phone went on by four hands without it."""
    let_in(client, other, board, "1")
    play_all(client, board, BOOK)
    return other


def look(phone: Phone, board: Page, *hands: Any, status: int = 200) -> Page:
    """Open the page that shows these hands beside the saved ones."""
    return ask(phone, f"{path_of(board)}/tail", sent(board, *hands), status)


def sent(board: Page, *hands: Any) -> str:
    """Return hands as the phone sends them."""
    return json.dumps({"game": path_of(board).split("/")[2], "version": 1, "hands": hands})


def ask(phone: Phone, address: str, told: str, status: int = 200, **more: str) -> Page:
    """Send hands from a page with a fresh token."""
    token = str(phone.see("/").form("/games/import").values["csrf_token"])
    answer = phone.post(address, data={"csrf_token": token, "sent": told, **more})
    assert answer.status_code == status, answer.status
    return phone.see(answer.location) if status == 303 else Page(answer)


def rows(page: Page) -> list[str]:
    """Return the text of each row."""
    return [words(item) for item in page.one("ol", class_="tail").findall("li")]


def accept(phone: Phone, page: Page, board: Page, status: int = 303) -> Page:
    """Make the phone's hands count."""
    return phone.submit(page, f"{path_of(board)}/tail/acceptance", status)


def discard(phone: Phone, page: Page, board: Page, status: int = 303) -> Page:
    """Set the phone's hands aside."""
    return phone.submit(page, f"{path_of(board)}/tail/void", status)


def test_both_versions_are_shown_hand_by_hand(app: Flask, second: Phone, board: Page) -> None:
    """Number, bid and score, on the phone and on the server, and both results; nothing is stored."""
    before = contents(app)
    page = look(second, board, *TAIL)
    one, two, three, four = rows(page)
    assert "Hand 1 ✓ both agree" in one
    assert "This phone Dee" not in one
    assert "This phone Ann dealt, Bob bid 2." in two
    assert "5 to 2 Server Ann dealt, Bob bid 3." in two
    assert "8 to 3 Server Bob dealt, Cid bid 2." in three
    assert "This phone doesn't have this hand Server Cid dealt, Dee bid 2." in four
    end = words(page.one("section", class_="tail-end"))
    assert "This phone New score: 8 to 3. Game continues." in end
    assert "Server New score: 10 to 6. Game continues." in end
    assert "This replaces hands 2 to 4 on the server." in page.text
    assert contents(app) == before


def test_accepted_hands_count_from_the_first_difference(client: Phone, second: Phone, board: Page) -> None:
    """Hand 1 is checked, 2 to 4 are deleted and stay in the log, and the phone may forget its own."""
    now = accept(second, look(second, board, *TAIL), board)
    assert totals(now) == ["8", "3"]
    first, *rest = sheet(now)
    assert "both phones agree" in first
    assert len(rest) == 2
    log = log_of(client, board)
    assert "Bob's phone was offline. From hand 2 on, its hands count." in " ".join(log)
    assert sum("Undid" in line for line in log) == 3
    answer = send(second, board, *TAIL)
    assert (answer.status_code, told(answer)["set_aside"]) == (200, [])


def test_accepting_twice_accepts_once(app: Flask, second: Phone, board: Page) -> None:
    page = look(second, board, *TAIL)
    accept(second, page, board)
    before = contents(app)
    assert totals(accept(second, page, board)) == ["8", "3"]
    assert contents(app) == before


def test_hands_set_aside_stay_in_the_log(app: Flask, client: Phone, second: Phone, board: Page) -> None:
    """The score stays, and the phone may forget them; sent again, they do not come back."""
    now = discard(second, look(second, board, *TAIL), board)
    assert totals(now) == ["10", "6"]
    assert "both phones agree" in sheet(now)[0]
    log = " ".join(log_of(client, board))
    assert "Bob's phone saved hand 2 offline. It doesn't count. Ann dealt, Bob bid 2." in log
    assert "Bob's phone saved hand 3 offline. It doesn't count. Bob dealt, Cid bid 3." in log
    before = contents(app)
    answer = send(second, board, *TAIL)
    assert answer.status_code == 200
    assert told(answer)["saved"] == ["phone-made-1", "phone-made-2", "phone-made-3"]
    assert told(answer)["set_aside"] == ["phone-made-2", "phone-made-3"]
    assert contents(app) == before


def test_setting_hands_aside_makes_no_page_old(client: Phone, second: Phone, board: Page) -> None:
    open_page = client.see(board.path)
    discard(second, look(second, board, *TAIL), board)
    assert totals(play(client, open_page, 0, 2, "ABAA")) == ["13", "7"]


@pytest.mark.parametrize("settle", [accept, discard])
def test_a_game_that_moved_on_since_is_shown_again(
    app: Flask, client: Phone, second: Phone, board: Page, settle: Callable[..., Page]
) -> None:
    """409, nothing stored, and the page with the latest version, ready for a decision."""
    page = look(second, board, *TAIL)
    undo(client, client.see(board.path))
    before = contents(app)
    late = settle(second, page, board, 409)
    assert "Someone else changed the game first" in notices(late)[0]
    assert len(rows(late)) == 3
    assert contents(app) == before
    settle(second, late, board)
    assert contents(app) != before


def test_an_undone_hand_leaves_a_gap(client: Phone, second: Phone, board: Page) -> None:
    """Hands from 3 on cannot count while there is no hand 2: the page says so, and they can be set aside."""
    now = client.see(board.path)
    for _ in range(3):
        now = undo(client, now)
    page = look(second, board, waits(3, LATER))
    assert "Hand 2 was undone. Redo it first." in page.text
    assert buttons(page) == ["Use the server's hands"]
    assert totals(discard(second, page, board)) == ["4", "0"]


def test_saved_hands_need_no_decision(second: Phone, board: Page) -> None:
    """The answer leads back to the board, which sends them."""
    assert totals(ask(second, f"{path_of(board)}/tail", sent(board, waits(1, SAME)), 303)) == ["10", "6"]


def test_an_id_with_other_content_is_refused(app: Flask, second: Phone, board: Page) -> None:
    discard(second, look(second, board, *TAIL), board)
    before = contents(app)
    look(second, board, waits(2, OTHER), status=409)
    assert contents(app) == before


def packed(text: str, kind: str = "z") -> str:
    """Return the part of a code behind the #."""
    data = text.encode()
    if kind == "z":
        small = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        data = small.compress(data) + small.flush()
    return kind + base64.urlsafe_b64encode(data).decode().rstrip("=")


@pytest.mark.parametrize("kind", ["z", "j"])
def test_a_code_brings_hands_to_another_phone(client: Phone, other: Phone, board: Page, kind: str) -> None:
    """Shown in words and saved by one tap; the first phone, back online, sends them too, and each counts once."""
    let_in(client, other, board, "1")
    page = ask(other, "/carry", packed(sent(board, waits(1, SAME), waits(2, NEXT)), kind))
    assert "Dee dealt, Ann bid 4." in rows(page)[0]
    assert buttons(page) == ["Save 2 hands"]
    assert totals(other.submit(page, f"{path_of(board)}/carried")) == ["5", "2"]
    assert told(send(client, board, waits(1, SAME), waits(2, NEXT)))["state"]["totals"] == [5, 2]
    assert "both phones agree" not in " ".join(sheet(client.see(board.path)))
    again = ask(other, "/carry", packed(sent(board, waits(1, SAME))))
    assert "All of these hands are already saved." in again.text


def test_a_carried_hand_is_no_check(client: Phone, second: Phone, board: Page) -> None:
    """The phone that saved it may be the one it came from."""
    page = ask(second, "/carry", packed(sent(board, *TAIL)))
    assert totals(accept(second, page, board)) == ["8", "3"]
    assert "both phones agree" not in sheet(client.see(board.path))[0]
    assert "Another phone was offline. From hand 2 on" in " ".join(log_of(client, board))


def test_a_watching_phone_only_shows_carried_hands(app: Flask, client: Phone, other: Phone, board: Page) -> None:
    page = ask(other, "/carry", packed(sent(board, waits(1, SAME))))
    assert buttons(page) == []
    assert "Hand 1: Dee dealt, Ann bid 4." in words(page.one("textarea"))
    play(client, board, 1, 2, "BBAA")
    compared = ask(other, "/carry", packed(sent(board, waits(1, SAME))))
    assert buttons(compared) == []
    assert len(notices(compared)) == 1
    before = contents(app)
    let_in(client, other, board)
    page = ask(other, "/carry", packed(sent(board, waits(1, SAME))))
    send_away(client, board)
    other.submit(page, f"{path_of(board)}/tail/acceptance", 403)
    assert contents(app)["game_event"] == before["game_event"]


@pytest.mark.parametrize(
    "code", ["", "z", "j", "zAAAA", "z!!", "jW10", "x", "[" * 5000, packed("[]"), packed("1" * 200_000)]
)
def test_an_incomplete_code_is_refused(client: Phone, board: Page, code: str) -> None:
    assert "was incomplete" in ask(client, "/carry", code, 422).text


def test_a_code_of_a_deleted_game(client: Phone, board: Page) -> None:
    told = json.dumps({"game": "zzzzzzzzzz", "version": 1, "hands": [waits(1, SAME)]})
    ask(client, "/carry", packed(told), 404)


def test_the_page_for_codes_needs_a_script(client: Phone) -> None:
    page = client.see("/carry")
    assert "needs JavaScript" in page.text
