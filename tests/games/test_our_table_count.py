"""After three evenings, every number on the home table's pages equals the result of a separate, simple count."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.games.store.models import GameRow
from scorekeeper.web.extensions import writing
from tests.support.game import CLEAN, path_of, play, play_all, start
from tests.support.naive_count import Told
from tests.support.table_numbers import check_filtered, check_table

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

SEATINGS = (("Ann", "Bob", "Cid", "Dee"), ("Ann", "Cid", "Bob", "Dee"), ("Dee", "Cid", "Eve", "Ann"))
KEYS = ("high", "low", "jack", "game")


def random_record(chance: Random, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the record of a finished game of Setback to 21, with random hands, played by `names`."""
    hands: list[dict[str, Any]] = []
    totals = [0, 0]
    while True:
        seat, bid = chance.randrange(4), chance.choice((2, 2, 3, 3, 4))
        points = {key: seat % 2 if chance.random() < 0.7 else 1 - seat % 2 for key in KEYS}
        took = [sum(side == owner for owner in points.values()) for side in (0, 1)]
        made = took[seat % 2] >= bid
        took[seat % 2] = took[seat % 2] if made else -bid
        totals = [total + points for total, points in zip(totals, took, strict=True)]
        hands.append({"bidder": seat, "bid": bid, "points": points})
        if made and totals[seat % 2] >= 21 and totals[seat % 2] - totals[1 - seat % 2] >= 2:
            break
    return {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": "setback-21", "options": {}},
        "players": list(names),
        "sides": [[0, 2], [1, 3]],
        "first_dealer": 3,
        "hands": hands,
    }


class Evenings:
    """Three evenings that are played on one phone, with a record of what was played."""

    def __init__(self, app: Flask, phone: Phone) -> None:
        self.app, self.phone = app, phone
        self.told: list[Told] = []
        self.chance = Random(17)
        self._first()
        self._week_later()
        self._second()
        self._week_later()
        self._third()

    def _first(self) -> None:
        """Play one game hand by hand, with one hand undone, and import three more games."""
        phone = self.phone
        board = play_all(phone, start(phone), [(0, 2, "ABBB"), (1, 4, "BBBA"), (2, 3, "AAAB")])
        board = phone.submit(phone.see(board.path), f"{path_of(board)}/undos")
        self._note(play_all(phone, board, [(2, 4, "AAAA")] * 6), 1)
        for names in SEATINGS:
            self._import(names, 1)

    def _second(self) -> None:
        """Play three games. Then import a fourth game, and hide it.

        In the first game, Eve takes Ann's seat. The second game ends because a side concedes. The third is stopped.
        """
        phone = self.phone
        board = play_all(phone, start(phone), [(0, 2, "AABB"), (0, 3, "BBBB")])
        board = phone.submit(phone.see(f"{path_of(board)}/table"), f"{path_of(board)}/seats", seat=0, name="Eve")
        self._note(play_all(phone, board, [(0, 4, "AAAA")] * 6), 2, before={0: (2, "Ann")})
        board = play(phone, start(phone), 1, 2, "BBAA")
        confirm = phone.submit(phone.see(f"{path_of(board)}/table"), f"{path_of(board)}/concession", 200, winner=1)
        self._note(phone.submit(confirm, f"{path_of(board)}/concession"), 2)
        board = play(phone, start(phone), 3, 3, "BBAA")
        confirm = phone.submit(phone.see(f"{path_of(board)}/table"), f"{path_of(board)}/abandonment", 200)
        self._note(phone.submit(confirm, f"{path_of(board)}/abandonment"), 2, counts=False)
        self._import(SEATINGS[1], 2)
        self.told[-1].hidden = True
        page = phone.see("/table/games?pick=1")
        phone.submit(page, "/table/games", game=self.told[-1].id, do="hide")

    def _third(self) -> None:
        """Play a series of two games, and leave another game unfinished. Import a tie and twelve more games."""
        phone = self.phone
        self._note(board := play_all(phone, start(phone), CLEAN), 3)
        first = self.told[-1].id
        self._note(play_all(phone, phone.submit(board, f"{path_of(board)}/rematch"), CLEAN), 3, follows=first)
        self._import(SEATINGS[0], 3, winner=None, ended_by="agreed")
        for number in range(12):
            self._import(SEATINGS[number % 2], 3)
        self._note(play(phone, start(phone), 0, 3, "AAAB"), 3, counts=False)

    def _import(self, names: tuple[str, ...], evening: int, **end: object) -> None:
        record = random_record(self.chance, names) | end
        if end:
            record["hands"] = record["hands"][:3]
        phone = self.phone
        self._note(phone.submit(phone.see("/"), "/games/import", text=json.dumps(record)), evening)

    def _note(self, board: Page, evening: int, **how: Any) -> None:
        path = path_of(board)
        record = json.loads(self.phone.get(f"{path}/record.json").text)
        self.told.append(Told(path.rsplit("/", 1)[-1], evening, record, **how))

    def _week_later(self) -> None:
        with self.app.app_context(), writing() as session:
            for game in session.scalars(select(GameRow)):
                game.started_at -= timedelta(days=7)
                game.updated_at -= timedelta(days=7)


@pytest.mark.slow
def test_every_number_equals_a_naive_count(app: Flask, client: Phone) -> None:
    told = Evenings(app, client).told
    check_table(client, told)
    check_filtered(client, told, "Ann", "Eve")
