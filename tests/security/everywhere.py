"""Fill a database with an object for every address, for tests that open all addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from scorekeeper.leagues.core.models import NightRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.members.service import invite
from scorekeeper.leagues.nights.tables import card_word
from scorekeeper.leagues.publishing.service import save_club
from scorekeeper.web.assets import current_version
from scorekeeper.web.extensions import db
from tests.support.game import bid, play, start
from tests.support.game_steps import score_link
from tests.support.league import Hall, make_hall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flask import Flask

    from tests.support.phone import Phone

WON = (22, 15)


class Address(NamedTuple):
    """An address to request: the name of its route, its method and its path."""

    endpoint: str
    method: str
    path: str


@dataclass(frozen=True)
class Book:
    """A database with a game and a league.

    The game has a hand and a bid in play. The league has a closed night, and an open night with people at its tables.
    """

    app: Flask
    phone: Phone
    """The phone that started the game and directs the league."""
    game: str
    """Path of the page on which the game is scored."""
    hall: Hall
    values: Mapping[str, Sequence[str | int]]
    """Maps the name of a variable part of paths, such as "game_id", to the values that are tried for that part."""

    def addresses(self, *methods: str) -> list[Address]:
        """Return all addresses that accept one of these methods.

        Each route is listed with each combination of `values` for its variable parts.
        """
        found = []
        for rule in self.app.url_map.iter_rules():
            for values in self._ways(sorted(rule.arguments)):
                built = rule.build(values)
                assert built is not None, rule
                found += [
                    Address(rule.endpoint, method, built[1]) for method in methods if method in (rule.methods or ())
                ]
        return sorted(set(found))

    def _ways(self, names: Sequence[str]) -> list[dict[str, str | int]]:
        ways: list[dict[str, str | int]] = [{}]
        for name in names:
            # What nobody told of yet: there is nothing behind it, but an answer.
            ways = [{**way, name: value} for way in ways for value in self.values.get(name, (1,))]
        return ways


def open_book(app: Flask, phone: Phone, names: Sequence[str], league: str = "Fire Hall") -> Book:
    """Fill the app's database with a game and a league, and return it as a `Book`.

    `names` are the four players of the game and of the league, and `league` is the league's name.
    """
    board = bid(phone, play(phone, start(phone, names), 0, 3, "AAAB"), 1, 2)
    hall = make_hall(app, phone, names, name=f"{league} 2026")
    over = hall.night((names, WON))
    seated = hall.night((names, ()), close=False)
    with hall.book() as people:
        night = db.session.scalars(select(NightRow).where(NightRow.public_id == seated)).one()
        tables = db.session.scalars(select(TableRow.id).where(TableRow.night_id == night.id)).all()
        word = card_word(night, 1, app.config["SECRET_KEY"])
        league_id = hall.league.split("/")[2]
        save_club(league=league_id, is_open=True, slug="fire-hall", names="full", device=hall.device)
        invitation = invite(league=league_id, role=Role.HELPER, called=names[1], device=hall.device)
    values: dict[str, Sequence[str | int]] = {
        "game_id": [board.path.split("/")[2]],
        "seq": [3],
        "report": [1],
        "phone_id": [1],
        "rules_id": [1],
        "preset": ["setback-21"],
        "secret": [score_link(phone, board).split("/")[-1], invitation],
        "league_id": [hall.league.split("/")[2]],
        "season_id": [hall.season.split("/")[2]],
        "night_id": [over, seated],
        "person_id": [people[names[0]]],
        "number": [1],
        "table": list(tables),
        "word": [word],
        "club": ["fire-hall"],
        "season": [1],
        "night": [1],
        "who": ["people", "partners"],
        "version": [_version(app)],
        "filename": ["css/app.css", "js/games/board.js", "icons/icon.svg"],
    }
    return Book(app, phone, board.path, hall, values)


def _version(app: Flask) -> str:
    with app.test_request_context():
        return current_version()
