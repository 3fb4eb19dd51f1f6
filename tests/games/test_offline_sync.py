"""Hands entered offline are saved once each and in order. Either all of them are saved, or none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.games.store import event_store
from tests.support.game import bid, contents, path_of, play, totals, undo

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

    from tests.support.page import Page
    from tests.support.phone import Phone

ALL = {"high": 0, "low": 0, "jack": 0, "game": 0}
FIRST = {"dealer": 3, "bidder": 0, "bid": 4, "points": ALL}
SECOND = {"dealer": 0, "bidder": 1, "bid": 2, "points": {"high": 1, "low": 1, "jack": None, "game": 0}}


def waits(number: int, hand: dict[str, Any], client_id: str = "") -> dict[str, Any]:
    """Return an offline hand as the phone sends it. `number` is the number of the hand, from 1.

    If `client_id` is "", the hand's id is made from its number.
    """
    return {"id": client_id or f"phone-made-{number}", "number": number, "hand": hand}


def told(answer: TestResponse) -> dict[str, Any]:
    """Return the response's body, parsed from JSON."""
    return dict(json.loads(answer.text))


def send(phone: Phone, board: Page, *hands: Any, version: Any = 1, token: str = "") -> TestResponse:
    """Send offline hands from a phone that last saw `version` of the game, and return the response.

    If `token` is "", a fresh CSRF token is used.
    """
    path = f"{path_of(board)}/waiting"
    word = token or str(phone.see("/").form("/games/import").values["csrf_token"])
    return phone.post(path, json={"version": version, "hands": list(hands)}, headers={"X-CSRFToken": word})


def test_hands_are_saved_in_order(client: Phone, board: Page) -> None:
    answer = send(client, board, waits(1, FIRST), waits(2, SECOND))
    assert answer.status_code == 200
    assert told(answer)["saved"] == ["phone-made-1", "phone-made-2"]
    assert told(answer)["state"]["totals"] == [5, 2]
    assert totals(client.see(board.path)) == ["5", "2"]


def test_hands_sent_again_change_nothing(app: Flask, client: Phone, board: Page) -> None:
    first = send(client, board, waits(1, FIRST))
    before = contents(app)
    again = send(client, board, waits(1, FIRST))
    assert (again.status_code, told(again)) == (200, told(first))
    assert contents(app) == before
    more = send(client, board, waits(1, FIRST), waits(2, SECOND))
    assert told(more)["state"]["totals"] == [5, 2]


def test_an_undone_hand_sent_again_stays_undone(app: Flask, client: Phone, board: Page) -> None:
    send(client, board, waits(1, FIRST))
    undo(client, client.see(board.path))
    before = contents(app)
    assert send(client, board, waits(1, FIRST)).status_code == 200
    assert contents(app) == before


def test_an_id_with_other_content_is_refused(app: Flask, client: Phone, board: Page) -> None:
    send(client, board, waits(1, FIRST))
    before = contents(app)
    for other in (waits(1, SECOND | {"dealer": 3}, "phone-made-1"), waits(2, FIRST, "phone-made-1")):
        answer = send(client, board, other)
        assert (answer.status_code, told(answer)["trouble"]) == (409, "other")
    assert contents(app) == before


def test_a_saved_hand_counts_as_done(app: Flask, client: Phone, board: Page) -> None:
    """A hand that the server already has is accepted but not saved twice.

    A phone sends such a hand if the response to its first request was lost.
    """
    play(client, board, 0, 4, "AAAA")
    before = contents(app)
    assert send(client, board, waits(1, FIRST), version=1).status_code == 200
    assert contents(app) == before


@pytest.mark.parametrize("hand", [SECOND | {"dealer": 3}, FIRST | {"points": ALL | {"low": 1}}])
def test_a_different_hand_is_not_overwritten(app: Flask, client: Phone, board: Page, hand: dict[str, Any]) -> None:
    play(client, board, 0, 4, "AAAA")
    before = contents(app)
    answer = send(client, board, waits(1, hand), waits(2, SECOND))
    assert (answer.status_code, told(answer)["trouble"], told(answer)["number"]) == (409, "moved", 1)
    assert told(answer)["state"]["totals"] == [4, 0]
    assert contents(app) == before


def test_a_bid_whose_answer_was_lost_does_no_harm(client: Phone, board: Page) -> None:
    bid(client, board, 2, 3)
    assert told(send(client, board, waits(1, FIRST), version=1))["state"]["totals"] == [4, 0]


def test_an_undo_keeps_later_hands_out(app: Flask, client: Phone, board: Page) -> None:
    board = play(client, board, 0, 4, "AAAA")
    undo(client, board)
    before = contents(app)
    answer = send(client, board, waits(2, SECOND), version=3)
    assert (answer.status_code, told(answer)["trouble"]) == (409, "moved")
    assert contents(app) == before


def test_one_refused_hand_keeps_all_out(app: Flask, client: Phone, board: Page) -> None:
    before = contents(app)
    answer = send(client, board, waits(1, FIRST), waits(2, SECOND | {"bid": 9}))
    assert (answer.status_code, told(answer)["trouble"], told(answer)["number"]) == (422, "refused", 2)
    assert contents(app) == before


def test_a_full_log_keeps_hands_on_the_phone(
    app: Flask, client: Phone, board: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_store, "MOST_EVENTS", 2)
    before = contents(app)
    answer = send(client, board, waits(1, FIRST), waits(2, SECOND))
    assert (answer.status_code, told(answer)["trouble"]) == (422, "refused")
    assert "history is full (2 entries)" in str(told(answer)["why"])
    assert contents(app) == before


def test_a_hand_after_the_end_is_refused(client: Phone, board: Page) -> None:
    """If seven offline hands are sent and the sixth ends the game, none of the seven is saved."""
    hands = [waits(number + 1, FIRST | {"dealer": (3 + number) % 4}) for number in range(7)]
    answer = send(client, board, *hands)
    assert (answer.status_code, told(answer)["trouble"], told(answer)["number"]) == (409, "refused", 7)
    assert told(send(client, board, *hands[:6]))["state"]["outcome"]["winner"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "sent",
    [
        [],
        [waits(1, FIRST), waits(2, SECOND, "phone-made-1")],
        [waits(1, FIRST, "short")],
        [waits(1, FIRST, "with.a.full.stop")],
        [waits(0, FIRST)],
        [waits(1, {"bidder": 0})],
        [waits(1, FIRST | {"x_note": 1})],
        [waits(1, FIRST, "x" * 44)],
        ["hand"],
        [waits(1, FIRST), waits(3, SECOND)],
        [waits(number, FIRST) for number in range(1, 300)],
    ],
)
def test_incomplete_requests_are_refused(app: Flask, client: Phone, board: Page, sent: list[Any]) -> None:
    before = contents(app)
    refused = send(client, board, *sent)
    assert (refused.status_code, told(refused)["trouble"]) == (422, "unread")
    assert "stay on this phone" in told(refused)["why"]
    assert send(client, board, waits(1, FIRST), version="1").status_code == 422
    assert contents(app) == before


def test_an_unknown_version_is_refused(client: Phone, board: Page) -> None:
    """If a phone has seen a later version of the game than the server has, its hands are refused.

    This happens after an older backup was restored on the server.
    """
    assert told(send(client, board, waits(1, FIRST), version=9))["trouble"] == "moved"


def test_each_refusal_is_json(client: Phone, other: Phone, board: Page) -> None:
    """When the server refuses offline hands, the response is JSON.

    So if a phone gets an HTML page, it must come from another server, such as a Wi-Fi login page.
    """
    assert told(send(other, board, waits(1, FIRST))) == {"trouble": "watching"}
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/deletion")
    assert told(send(client, board, waits(1, FIRST))) == {"trouble": "gone"}


def test_an_old_page_gets_a_fresh_token(client: Phone, board: Page) -> None:
    assert send(client, board, waits(1, FIRST), token="old").status_code == 400
    token = told(client.get(f"{board.path}/waiting"))["token"]
    assert send(client, board, waits(1, FIRST), token=token).status_code == 200


def test_the_bundle_has_each_step_without_a_score(client: Phone, board: Page) -> None:
    """For offline play, a phone downloads the bid step for each dealer and the points step for each bidder.

    The downloaded steps don't contain the score, which is sent as a separate item of the same file.
    """
    play(client, board, 0, 4, "AAAA")
    kit = told(client.get(f"{board.path}/kit.json"))
    assert kit["state"]["totals"] == [4, 0]
    dealt = [[name for name in kit["state"]["names"] if f"{name}</bdi> deals" in step] for step in kit["bids"]]
    assert dealt == [["Ann"], ["Bob"], ["Cid"], ["Dee"]]
    assert sorted(kit["points"]) == ["0", "1", "2", "3"]
    assert not [step for step in [*kit["bids"], *kit["points"].values()] if "data-state" in step]
    assert kit["words"]["many"] == "{n} hands waiting"


def test_the_bundle_after_an_undo(client: Phone, board: Page) -> None:
    """After an undo, the bid steps that a phone downloads for offline play don't mention the undo."""
    undo(client, play(client, board, 0, 4, "AAAA"))
    kit = told(client.get(f"{board.path}/kit.json"))
    assert kit["state"]["totals"] == [0, 0]
    assert not [step for step in kit["bids"] if "undone" in step]


def test_the_service_worker_names_existing_files(client: Phone) -> None:
    """Every file that the service worker should store exists.

    If one file were missing, the service worker would store no files at all.
    """
    response = client.get("/sw.js")
    assert response.mimetype == "text/javascript"
    assert response.headers["Cache-Control"] == "no-cache"
    named = response.text.split("const SHELL = ")[1].split(";\n")[0]
    files = [part for part in named.split('"') if part.startswith("/static/")]
    assert len(files) > 10
    assert {client.get(file).status_code for file in files} == {200}
