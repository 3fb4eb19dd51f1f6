"""The game log shows each change with the score before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.games.test_correction import addresses
from tests.games.test_correction import check as check_correction
from tests.games.test_correction import save as save_correction
from tests.support.game import bid, path_of, play, play_all, undo
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone


def log(phone: Phone, board: Page) -> list[str]:
    """Return the entries of the game log without their times, oldest first."""
    page = phone.see(f"{path_of(board)}/log")
    entries = page.one("ol", class_="log").findall("li")
    told = [" | ".join(words(part) for part in entry if part.get("class") != "meta") for entry in entries]
    return list(reversed(told))


def test_the_log_starts_with_the_players(client: Phone, board: Page) -> None:
    """The log starts with the game, the players and the first dealer."""
    assert log(client, board) == ["Setback started: Ann, Bob, Cid and Dee. Dee deals first."]
    assert client.see(f"{board.path}/log").all("time")


def test_a_hand_with_the_score_before_and_after(client: Phone, board: Page) -> None:
    """The log's entry for a hand has its bid, its winners, and the score before and after."""
    board = play(client, board, 0, 3, "AA-B", trump="H")
    assert log(client, board)[1:] == [
        "Hand 1. Dee dealt, Ann bid 3 in hearts. Ann and Cid: High, Low. Bob and Dee: Game. Not out: Jack. Set!"
        " | Before0 to 0After−3 to 1",
    ]


def test_points_that_nobody_took(client: Phone, board: Page) -> None:
    """The log says "Not out" for a jack that wasn't dealt, and "Nobody scored Game" if the card points are tied."""
    board = play(client, board, 0, 2, "AA--")
    assert "Ann and Cid: High, Low. Not out: Jack. Nobody scored Game." in log(client, board)[1]


def test_undo_and_redo(client: Phone, board: Page) -> None:
    """The log describes a hand in full both when the hand is undone and when the hand is redone."""
    board = undo(client, play(client, board, 0, 3, "AAAB"))
    client.submit(board, f"{board.path}/redos")
    hand = "Dee dealt, Ann bid 3. Ann and Cid: High, Low, Jack. Bob and Dee: Game."
    assert log(client, board)[2:] == [
        f"Undid hand 1. {hand} | Before3 to 1After0 to 0",
        f"Redid hand 1. {hand} | Before0 to 0After3 to 1",
    ]


def test_a_correction_shows_both_versions(client: Phone, board: Page) -> None:
    board = play_all(client, board, ((0, 3, "AAAB"), (1, 2, "BBAA")))
    save_correction(client, check_correction(client, client.see(addresses(board)[0]), {"low": "1"}))
    assert log(client, board)[-1] == (
        "Corrected hand 1. | Before"
        "Dee dealt, Ann bid 3. Ann and Cid: High, Low, Jack. Bob and Dee: Game. Score: 5 to 3."
        "After"
        "Dee dealt, Ann bid 3. Ann and Cid: High, Jack. Bob and Dee: Low, Game."
        " New score: −1 to 4. Game continues."
    )


def test_changes_at_the_table(client: Phone, board: Page) -> None:
    """The log shows changes of a name, a player and the dealer, a misdeal, and how a game was ended and resumed."""
    table = f"{board.path}/table"
    client.submit(client.see(table), f"{board.path}/names", name_1="Rob")
    client.submit(client.see(table), f"{board.path}/seats", seat="3", name="Eve")
    client.submit(client.see(table), f"{board.path}/dealer", dealer="2")
    client.submit(bid(client, client.see(board.path), 0, 3), f"{board.path}/bid/void")
    client.submit(client.see(table), f"{board.path}/misdeal")
    stopped = client.submit(client.see(table), f"{board.path}/abandonment", sure="1")
    client.submit(stopped, f"{board.path}/reopening")
    client.submit(client.see(table), f"{board.path}/concession", sure="1", winner="1")
    assert log(client, board)[1:] == [
        "Name changed in seat 2. | BeforeBobAfterRob",
        "Substitute in seat 4. | BeforeDeeAfterEve",
        "Dealer changed. | BeforeEve to dealAfterCid to deal",
        "Ann bid 3.",
        "Bid undone.",
        "Misdeal. Cid deals again.",
        "Game ended without a winner. | Before0 to 0AfterNo winner. The table ended the game without a winner.",
        "The game goes on. | Before0 to 0After0 to 0",
        "Game conceded. | Before0 to 0AfterRob and Eve win. Ann and Cid conceded.",
    ]


def test_the_end_with_its_reason(client: Phone, board: Page) -> None:
    """The last entry of a finished game's log names the winner and the reason."""
    board = play_all(client, board, ((0, 4, "AAAA"),) * 6)
    assert log(client, board)[-1].endswith("AfterAnn and Cid win. Ann and Cid made their bid of 4 and won 24 to 0.")
