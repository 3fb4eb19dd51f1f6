"""Offline changes, such as corrections and undos, are saved once each and in order. Either all are saved, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.games.test_offline_sync import ALL, FIRST, SECOND, send, told, waits
from tests.support.game import contents, play, totals, undo
from tests.support.game_steps import let_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

THIRD = {"dealer": 1, "bidder": 2, "bid": 3, "points": ALL}
CORRECTED = FIRST | {"bid": 3, "points": ALL | {"low": 1}}


def edit(kind: str, number: int = 0, **fields: Any) -> dict[str, Any]:
    """Return a change of the kind `kind` to hand `number`, as an offline phone sends it.

    `fields` are further fields of the change, such as the corrected hand.
    """
    return {"id": f"phone-{kind}-{number}", "number": number, "kind": kind, **fields}


@pytest.fixture
def second(client: Phone, other: Phone, board: Page) -> Phone:
    """Return Bob's phone, which is also a scorer of the game."""
    let_in(client, other, board, "1")
    return other


def test_changes_are_saved_in_order(client: Phone, board: Page) -> None:
    """Offline changes are saved in order: a hand, its correction, and another hand that is undone and played again."""
    answer = send(
        client,
        board,
        waits(1, FIRST),
        edit("correct", 1, of="phone-made-1", hand=CORRECTED),
        waits(2, SECOND),
        edit("undo", 2, of="phone-made-2"),
        waits(2, SECOND | {"bid": 3}, "phone-again"),
    )
    assert answer.status_code == 200, answer.text
    assert told(answer)["state"]["totals"] == [4, -2]
    assert [line["seq"] for line in told(answer)["state"]["lines"]] == [2, 6]
    assert totals(client.see(board.path)) == ["4", "−2"]


def test_changes_sent_again_change_nothing(app: Flask, client: Phone, board: Page) -> None:
    """If a phone sends offline changes again, nothing changes, and the response is the same.

    If new changes follow the old ones, only the new ones have an effect.
    """
    board = play(client, board, 0, 4, "AAAA")
    changes = [edit("correct", 1, of=3, hand=CORRECTED), waits(2, SECOND), edit("undo", 2, of="phone-made-2")]
    first = send(client, board, *changes, version=3)
    assert first.status_code == 200, first.text
    before = contents(app)
    again = send(client, board, *changes, version=3)
    assert (again.status_code, told(again)) == (200, told(first))
    assert contents(app) == before
    more = send(client, board, *changes, waits(2, SECOND, "phone-again"), version=3)
    assert told(more)["state"]["totals"] == [4, 3]


def test_an_edit_with_other_content_is_refused(app: Flask, client: Phone, board: Page) -> None:
    board = play(client, board, 0, 4, "AAAA")
    send(client, board, edit("correct", 1, of=3, hand=CORRECTED), version=3)
    before = contents(app)
    answer = send(client, board, edit("correct", 1, of=3, hand=FIRST | {"bid": 2}), version=3)
    assert (answer.status_code, told(answer)["trouble"], told(answer)["number"]) == (409, "other", 1)
    assert contents(app) == before


def test_a_saved_hand_is_undone(client: Phone, board: Page) -> None:
    board = play(client, board, 0, 4, "AAAA")
    answer = send(client, board, edit("undo", 1, of=3), waits(1, FIRST | {"bid": 2}), version=3)
    assert told(answer)["state"]["number"] == 2
    assert answer.status_code == 200


def test_an_undo_that_had_arrived_counts_as_done(app: Flask, client: Phone, board: Page) -> None:
    """If a phone sends an undo again because the response was lost, no other hand is undone."""
    board = play(client, board, 0, 4, "AAAA")
    undo(client, board)
    before = contents(app)
    assert send(client, board, edit("undo", 1, of=3), version=3).status_code == 200
    assert contents(app) == before


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (edit("dealer", dealer=2), {"dealer": 2}),
        (edit("misdeal"), {"dealer": 0}),
        (edit("adjust", side=1, points=-2, reason="a revoke"), {"totals": [4, -2]}),
        (edit("concede", winner=1), {"outcome": {"winner": 1, "rule": "conceded"}}),
        (edit("abandon"), {"outcome": {"winner": None, "rule": "abandoned"}}),
        (edit("delete", 1, of=3), {"totals": [0, 0], "number": 1}),
    ],
)
def test_every_kind_of_change_is_made(
    client: Phone, board: Page, change: dict[str, Any], after: dict[str, Any]
) -> None:
    board = play(client, board, 0, 4, "AAAA")
    answer = send(client, board, change, version=3)
    assert answer.status_code == 200, answer.text
    assert told(answer)["state"].items() >= after.items()


def test_a_stopped_game_is_resumed(client: Phone, board: Page) -> None:
    answer = send(client, board, edit("abandon"), edit("reopen"), waits(1, FIRST))
    assert told(answer)["state"]["totals"] == [4, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        [waits(1, FIRST), edit("correct", 1, of="phone-made-1", hand=FIRST | {"bid": 9})],
        [waits(1, FIRST), edit("correct", 1, of="unknown-hand", hand=FIRST)],
        [waits(1, FIRST), edit("adjust", side=7, points=1, reason="why")],
        [waits(1, FIRST), edit("adjust", side=0, points=1, reason="")],
        [edit("dealer", dealer=9)],
        [edit("concede", winner=9)],
        [edit("undo", 1, of=999)],
    ],
)
def test_one_refused_change_keeps_all_out(
    app: Flask, client: Phone, board: Page, changes: list[dict[str, Any]]
) -> None:
    before = contents(app)
    answer = send(client, board, *changes)
    assert (answer.status_code, told(answer)["trouble"]) in ((422, "refused"), (404, "refused"), (409, "moved"))
    assert contents(app) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        edit("unknown"),
        edit("undo", 1),
        edit("undo", 1, of=True),
        edit("undo", 1, of="x"),
        edit("undo", 1, of=3, more=1),
        edit("correct", 1, of=3, hand={"x_note": 1}),
        edit("dealer", dealer="2"),
        edit("dealer", dealer=10**30),
        edit("adjust", side=0, points=1, reason=5),
        {**edit("misdeal"), "id": "short"},
        {**edit("misdeal"), "number": -1},
        "undo",
    ],
)
def test_an_incomplete_change_is_unread(app: Flask, client: Phone, board: Page, change: Any) -> None:
    before = contents(app)
    answer = send(client, board, waits(1, FIRST), edit("misdeal", 7), change)
    assert (answer.status_code, told(answer)["trouble"]) == (422, "unread")
    assert contents(app) == before


def correct_there(phone: Phone, path: str) -> None:
    """Correct the first hand on the phone `phone`, in the game at `path`."""
    page = phone.see(f"{path}/hands/3/correction")
    fields: dict[str, Any] = {"bid": "2", "mode": "points"}
    reviewed = phone.submit(page, f"{path}/hands/3/correction", 200, **fields)
    phone.submit(reviewed, f"{path}/hands/3/correction", **fields)


def play_there(phone: Phone, path: str) -> None:
    """Save the next hand on the phone `phone`, in the game at `path`."""
    play(phone, phone.see(path), 1, 2, "BBBB")


def undo_there(phone: Phone, path: str) -> None:
    """Undo the last hand on the phone `phone`, in the game at `path`."""
    undo(phone, phone.see(path))


@pytest.mark.parametrize(
    ("meanwhile", "change", "saved"),
    [
        (correct_there, edit("correct", 1, of=3, hand=CORRECTED), False),
        (correct_there, edit("undo", 1, of=3), False),
        (correct_there, edit("delete", 1, of=3), False),
        (play_there, edit("correct", 1, of=3, hand=CORRECTED), True),
        (play_there, edit("undo", 1, of=3), False),
        (play_there, edit("delete", 1, of=3), True),
        (play_there, edit("adjust", side=0, points=1, reason="why"), False),
        (undo_there, edit("correct", 1, of=3, hand=CORRECTED), False),
        (undo_there, edit("undo", 1, of=3), True),
        (undo_there, edit("dealer", dealer=2), False),
    ],
)
def test_what_another_phone_changed_is_not_overwritten(
    app: Flask,
    client: Phone,
    second: Phone,
    board: Page,
    meanwhile: Callable[[Phone, str], None],
    change: dict[str, Any],
    saved: bool,
) -> None:
    board = play(client, board, 0, 4, "AAAA")
    meanwhile(second, board.path)
    before = contents(app)
    answer = send(client, board, change, version=3)
    if saved:
        assert answer.status_code == 200, answer.text
    else:
        assert (answer.status_code, told(answer)["trouble"]) == (409, "moved")
        assert contents(app) == before


def test_hands_that_another_phone_has_too_come_first(client: Phone, second: Phone, board: Page) -> None:
    """If another phone saved the same hand meanwhile, a phone's offline correction of that hand still counts."""
    play(second, second.see(board.path), 0, 4, "AAAA")
    answer = send(client, board, waits(1, FIRST), edit("correct", 1, of="phone-made-1", hand=CORRECTED))
    assert answer.status_code == 200, answer.text
    assert told(answer)["state"]["totals"] == [3, 1]


def test_a_hand_that_differs_keeps_edits_out(app: Flask, client: Phone, second: Phone, board: Page) -> None:
    play(second, second.see(board.path), 0, 3, "AAAB")
    before = contents(app)
    answer = send(client, board, waits(1, FIRST), edit("correct", 1, of="phone-made-1", hand=CORRECTED))
    assert (answer.status_code, told(answer)["trouble"], told(answer)["number"]) == (409, "moved", 1)
    assert contents(app) == before


def test_a_hand_brings_its_auction_and_its_cards(client: Phone, board: Page) -> None:
    calls = [4]
    piles = [["AS", "2S", "JS", "TS", "TH"], ["TD"]]
    hand = FIRST | {"bidder": 0, "bid": 4, "trump": "S", "calls": calls, "captured": piles}
    assert send(client, board, waits(1, hand)).status_code == 200
    (saved,) = told(client.get(f"{board.path}/record.json"))["hands"]
    assert (saved["calls"], saved["captured"]) == (calls, piles)
