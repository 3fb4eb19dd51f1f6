"""The same form arrives twice at the same moment, at two workers: bad signal, and an impatient finger."""

from __future__ import annotations

import threading
from contextlib import closing
from typing import TYPE_CHECKING, Any

from tests.server import running
from tests.wire import Answer, WirePhone

if TYPE_CHECKING:
    from pathlib import Path

TOOK = {"high": 0, "low": 0, "jack": "none", "game": 1}


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


def both(phone: WirePhone, echo: WirePhone, path: str, **fields: Any) -> list[int]:
    """Send one tap over two connections at once and return the statuses of the answers."""
    sent = {"client_id": f"the-same-tap-{fields['version']}", **fields}
    return [answer.status for answer in together(lambda: phone.post(path, **sent), lambda: echo.post(path, **sent))]


def together(*asks: Any) -> list[Answer]:
    """Return what came back of requests that were sent at the same moment."""
    answers: list[Answer] = []
    start = threading.Barrier(len(asks))

    def ask(one: Any) -> None:
        start.wait()
        answers.append(one())

    threads = [threading.Thread(target=ask, args=(one,)) for one in asks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    return answers
