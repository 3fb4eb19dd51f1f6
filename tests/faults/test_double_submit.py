"""A form that reaches the server several times at once, as with a bad signal or a double tap, is saved once."""

from __future__ import annotations

import json
import re
import threading
from contextlib import ExitStack, closing
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.server import running
from tests.support.wire_phone import Answer, WirePhone

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.database

TOOK = {"high": 0, "low": 0, "jack": "none", "game": 1}


@pytest.mark.slow
def test_a_form_that_arrives_twice_is_done_once(tmp_path: Path) -> None:
    with (
        running(tmp_path, "--workers", "2") as server,
        closing(WirePhone(server.url)) as phone,
        closing(WirePhone(server.url)) as echo,
    ):
        game = phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), seating="4p", first_dealer=3)
        echo.cookies, echo.token = phone.cookies, phone.token
        for hand in range(4):
            version = 1 + 2 * hand
            assert both(phone, echo, f"{game}/bid", version=version, call="0:2") == [303, 303]
            seen = phone.look(game, version + 1, TOOK)
            fields = {"mode": "points", "seen": seen, "sure": seen, **TOOK}
            assert both(phone, echo, f"{game}/hands", version=version + 1, **fields) == [303, 303]
        assert both(phone, echo, f"{game}/undos", version=9) == [303, 303]
        assert phone.get(f"{game}/record.json").body.count('"bidder"') == 3
        assert phone.get(f"{game}/log").body.count("<li>") == 1 + 4 + 1, "the start, four hands, one undo"


@pytest.mark.slow
def test_two_forms_for_one_hand_are_not_two_hands(tmp_path: Path) -> None:
    with running(tmp_path) as server, closing(WirePhone(server.url)) as phone, closing(WirePhone(server.url)) as tab:
        game = phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), seating="4p", first_dealer=3)
        tab.cookies, tab.token = phone.cookies, phone.token
        assert phone.bid(game, 1, 0, 2).status == 303
        seen = phone.look(game, 2, TOOK)
        answers = together(
            lambda: phone.post(f"{game}/hands", mode="points", version=2, seen=seen, sure=seen, **TOOK),
            lambda: tab.post(f"{game}/hands", mode="points", version=2, seen=seen, sure=seen, **TOOK),
        )
        assert sorted(answer.status for answer in answers) == [303, 409]
        assert phone.get(f"{game}/record.json").body.count('"bidder"') == 1


@pytest.mark.slow
def test_phones_that_write_without_a_pause_lose_and_double_nothing(tmp_path: Path) -> None:
    """If three windows of a phone adjust one score at the same time, each accepted adjustment counts once.

    An adjustment that the server refused doesn't count.
    """
    with running(tmp_path, "--workers", "2") as server, closing(WirePhone(server.url)) as phone:
        fields = {"rule-target": 999, "seating": "4p", "first_dealer": 3}
        game = phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), **fields)
        answers = [status for each in together(*[lambda: add_points(server.url, phone, game)] * 3) for status in each]
        assert set(answers) == {303, 409}
        record = json.loads(phone.get(f"{game}/record.json").body)
        assert [each["points"] for each in record["x_adjustments"]] == [1] * answers.count(303)
        assert phone.get(f"{game}/log").body.count("<li>") == 1 + answers.count(303)


def add_points(url: str, owner: WirePhone, game: str) -> list[int]:
    """Add a point to the first side's score twelve times, in a new window of the phone `owner`.

    Return the status of each reply.
    """
    answers = []
    with closing(WirePhone(url)) as phone:
        phone.cookies, phone.token = owner.cookies, owner.token
        for _ in range(12):
            fields = {"side": 0, "sign": "+", "points": 1, "reason": "a bet"}
            shown = phone.get(f"{game}/adjustments").body
            looked = phone.post(f"{game}/adjustments", version=hidden(shown, "version"), seen="", **fields)
            if looked.status == 200:
                seen = {name: hidden(looked.body, name) for name in ("version", "seen")}
                looked = phone.post(f"{game}/adjustments", **seen, **fields)
            answers.append(looked.status)
    return answers


def hidden(page: str, name: str) -> str:
    """Return the value of the hidden field `name` on a page."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, page
    return found[1]


def both(phone: WirePhone, echo: WirePhone, path: str, **fields: Any) -> list[int]:
    """Send the same form over two connections at the same moment, and return the statuses of the two replies."""
    sent = {"client_id": f"the-same-tap-{fields['version']}", **fields}
    return [answer.status for answer in together(lambda: phone.post(path, **sent), lambda: echo.post(path, **sent))]


def together(*asks: Any) -> list[Any]:
    """Call these functions at the same moment, each in a thread.

    Return the results in the order in which the calls finish.
    """
    answers: list[Any] = []
    start = threading.Barrier(len(asks))

    def ask(one: Any) -> None:
        start.wait()
        answers.append(one())

    threads = [threading.Thread(target=ask, args=(one,)) for one in asks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    return answers


@pytest.mark.slow
def test_ten_parallel_sends_of_one_tap_are_one_hand(tmp_path: Path) -> None:
    """If a hand is sent ten times at once under the same id, it is saved once.

    All ten requests get the same reply, so the phone need not know which of them was first.
    """
    with ExitStack() as stack:
        server = stack.enter_context(running(tmp_path, "--workers", "2"))
        phone, *echoes = (stack.enter_context(closing(WirePhone(server.url))) for _ in range(10))
        game = phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), seating="4p", first_dealer=3)
        assert phone.bid(game, 1, 0, 2).status == 303
        seen = phone.look(game, 2, TOOK)
        for echo in echoes:
            echo.cookies, echo.token = phone.cookies, phone.token

        def send(each: WirePhone) -> Answer:
            fields = {"mode": "points", "version": 2, "number": 1, "seen": seen, "sure": seen, **TOOK}
            return each.post(f"{game}/hands", client_id="one-tap-ten-times", **fields)

        answers = together(*(partial(send, each) for each in (phone, *echoes)))
        assert [answer.status for answer in answers] == [303] * 10
        assert phone.get(f"{game}/record.json").body.count('"bidder"') == 1
