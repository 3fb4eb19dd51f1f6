"""If a game went on while a phone was offline, a player chooses between the phone's hands and the saved ones."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from tests.games.test_offline_sync import send, told, waits
from tests.games.test_offline_sync_conflicts import LATER, NEXT, OTHER, SAME
from tests.rules.client import RULES_JS, in_quickjs
from tests.support.game import buttons, contents, notices, path_of, play, play_all, sheet, totals, undo
from tests.support.game_steps import let_in, log_of, send_away
from tests.support.page import Page, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

TAIL = (waits(1, SAME), waits(2, NEXT), waits(3, LATER))
"""Three hands of an offline phone, after which the score is 8 to 3. Only hand 1 is the same as in `BOOK`."""
BOOK = ((0, 4, "AAAA"), (1, 3, "BBBA"), (2, 2, "AABA"), (3, 2, "BBAA"))
"""Hands saved on the server while a phone was offline, as (bidder's seat, bid, winners of High, Low, Jack and Game).

After these hands, the score is 10 to 6.
"""


@pytest.fixture
def second(client: Phone, other: Phone, board: Page) -> Phone:
    """Return Bob's phone, which is a scorer of the game.

    While this phone was offline, another phone saved the hands of `BOOK`.
    """
    let_in(client, other, board, "1")
    play_all(client, board, BOOK)
    return other


def look(phone: Phone, board: Page, *hands: Any, status: int = 200) -> Page:
    """Send offline hands to the comparison page, and return this page, which shows them beside the saved hands."""
    return ask(phone, f"{path_of(board)}/tail", sent(board, *hands), status)


def sent(board: Page, *hands: Any) -> str:
    """Return these offline hands as JSON text, in the form in which a phone sends them."""
    return json.dumps({"game": path_of(board).split("/")[2], "version": 1, "hands": hands})


def ask(phone: Phone, address: str, told: str, status: int = 200, **more: str) -> Page:
    """Send offline hands to `address`, and return the page that follows.

    `told` is the text of the hands, made by `sent` or `packed`. `more` are further form fields, and `status` is the
    expected status.
    """
    token = str(phone.see("/").form("/games/import").values["csrf_token"])
    answer = phone.post(address, data={"csrf_token": token, "sent": told, **more})
    assert answer.status_code == status, answer.status
    return phone.see(answer.location) if status == 303 else Page(answer)


def rows(page: Page) -> list[str]:
    """Return the rows of the comparison as text, one for each hand, in order."""
    return [words(item) for item in page.one("ol", class_="tail").findall("li")]


def accept(phone: Phone, page: Page, board: Page, status: int = 303) -> Page:
    """On the comparison page `page`, accept the offline hands in place of the saved ones, and return the next page."""
    return phone.submit(page, f"{path_of(board)}/tail/acceptance", status)


def discard(phone: Phone, page: Page, board: Page, status: int = 303) -> Page:
    """On the comparison page `page`, decide that the offline hands don't count, and return the next page."""
    return phone.submit(page, f"{path_of(board)}/tail/void", status)


def test_both_versions_are_shown_hand_by_hand(app: Flask, second: Phone, board: Page) -> None:
    """The comparison page shows the number, bid and score of each hand, both on the phone and on the server.

    It also shows both results. Opening the page stores nothing.
    """
    before = contents(app)
    page = look(second, board, *TAIL)
    one, two, three, four = rows(page)
    assert "Hand 1 ✓ both agree" in one
    assert "This phone Dee" not in one
    assert "This phone Ann dealt, Bob bid 2." in two
    assert "Score: 5 to 2. Already saved Ann dealt, Bob bid 3." in two
    assert "Score: 8 to 3. Already saved Bob dealt, Cid bid 2." in three
    assert "This phone doesn't have this hand Already saved Cid dealt, Dee bid 2." in four
    end = words(page.one("section", class_="tail-end"))
    assert "This phone New score: 8 to 3. Game continues." in end
    assert "Already saved New score: 10 to 6. Game continues." in end
    assert "This replaces hands 2 to 4 on the server." in page.text
    assert contents(app) == before


def test_accepted_hands_count_from_the_first_difference(client: Phone, second: Phone, board: Page) -> None:
    """If a phone's offline hands are accepted, they replace the saved hands from the first different hand on.

    Equal hands before that are marked as agreed. Replaced hands stay in the log. If the phone sends its hands again,
    the server doesn't ask for another decision.
    """
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
    """If a player decides that offline hands don't count, the score stays the same, and the log keeps these hands.

    If the phone sends the same hands again, they still don't count, and the response lists them under "set_aside".
    """
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


def test_a_bid_is_discarded_with_the_hands_before_it(second: Phone, board: Page) -> None:
    """When the phone sends hands and learns that some were discarded, it also drops its bid for the next hand.

    After an answer without discarded hands, the bid stays.
    """
    script = "(rules, sent) => sent.map(({ answer, hands }) => rules.afterSending(answer, hands))"
    after = in_quickjs(RULES_JS.read_text(), script)
    hands = [hand | {"at": at} for at, hand in enumerate(TAIL, 1)]
    agreed = told(send(second, board, TAIL[0]))
    assert after([{"answer": agreed, "hands": hands}]) == [
        {"saved": hands[:1], "kept": {"state": agreed["state"], "since": 1}}
    ]
    discard(second, look(second, board, *TAIL), board)
    gone = told(send(second, board, *TAIL))
    heard = {"saved": hands, "set_aside": gone["set_aside"]}
    dropped = {"state": gone["state"], "since": 3, "bid": None, "heard": heard}
    assert after([{"answer": gone, "hands": hands}]) == [{"saved": hands, "kept": dropped}]


def test_setting_hands_aside_makes_no_page_old(client: Phone, second: Phone, board: Page) -> None:
    open_page = client.see(board.path)
    discard(second, look(second, board, *TAIL), board)
    assert totals(play(client, open_page, 0, 2, "ABAA")) == ["13", "7"]


@pytest.mark.parametrize("settle", [accept, discard])
def test_a_game_that_moved_on_since_is_shown_again(
    app: Flask, client: Phone, second: Phone, board: Page, settle: Callable[..., Page]
) -> None:
    """If the game changed after the comparison page was opened, a decision on that page is refused with status 409.

    Nothing is stored. The response compares the hands with the latest version of the game, for another decision.
    """
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
    """Offline hands from hand 3 on can't count if hand 2 was undone on the server.

    The page says so, and the only decision that it offers is to keep the saved hands.
    """
    now = client.see(board.path)
    for _ in range(3):
        now = undo(client, now)
    page = look(second, board, waits(3, LATER))
    assert "Hand 2 was undone. Redo it first." in page.text
    assert buttons(page) == ["Use the hands already saved"]
    assert totals(discard(second, page, board)) == ["4", "0"]


def test_saved_hands_need_no_decision(second: Phone, board: Page) -> None:
    """If the server already has all offline hands, the comparison page isn't shown, and the phone goes to the board."""
    assert totals(ask(second, f"{path_of(board)}/tail", sent(board, waits(1, SAME)), 303)) == ["10", "6"]


def test_an_id_with_other_content_is_refused(app: Flask, second: Phone, board: Page) -> None:
    discard(second, look(second, board, *TAIL), board)
    before = contents(app)
    look(second, board, waits(2, OTHER), status=409)
    assert contents(app) == before


def packed(text: str, kind: str = "z") -> str:
    """Return the part of a QR code's link after the "#", for the hands in `text`.

    The part starts with `kind`. The rest is the text in Base64. If `kind` is "z", the text is compressed first.
    """
    data = text.encode()
    if kind == "z":
        small = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        data = small.compress(data) + small.flush()
    return kind + base64.urlsafe_b64encode(data).decode().rstrip("=")


@pytest.mark.parametrize("kind", ["z", "j"])
def test_a_code_brings_hands_to_another_phone(client: Phone, other: Phone, board: Page, kind: str) -> None:
    """A phone that scans the QR code of an offline phone shows the hands in words, and saves them with one tap.

    If the first phone sends the same hands later, each hand still counts once.
    """
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
    """A hand that was moved with a QR code isn't marked as agreed by both phones.

    Such a hand may come from the same phone that already saved it.
    """
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
    assert "If no hands appear here" in page.text
