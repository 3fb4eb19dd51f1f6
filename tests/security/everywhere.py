"""A database with content for every address, for tests that open them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from scorekeeper.leagues.core.models import NightRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.members.invitations import invite
from scorekeeper.leagues.nights.card_tokens import card_word
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
    """One way to ask for something."""

    endpoint: str
    method: str
    path: str


@dataclass(frozen=True)
class Book:
    """A game with a hand and a bid, a league with a night that is over and one at whose tables people sit."""

    app: Flask
    phone: Phone
    """Started the game and directs the league."""
    game: str
    """Path of its board."""
    hall: Hall
    values: Mapping[str, Sequence[str | int]]
    """What stands in an address, by the name of its place; with several, each is an address of its own."""

    def addresses(self, *methods: str) -> list[Address]:
        """Return every address for these methods, with something behind it wherever there can be."""
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
    """Return a book in which four people have these names, at a table and in a league of that name."""
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
