"""Make a league in tests, and play each league night with one call."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from sqlalchemy import select

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import PersonRow, SeatRow, TableRow
from scorekeeper.leagues.nights import closing, places, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.rules.commands import EnterHand
from scorekeeper.web.extensions import db, writing
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

NAMES = ("Ann", "Bob", "Cid", "Dee")
ALL_FOUR = {"high": 0, "low": 0, "jack": 0, "game": 0}


@dataclass
class Hall:
    """A league with a season, and the director's phone."""

    app: Flask
    phone: Phone
    league: str
    """Path of the league's page."""
    season: str = ""
    """Path of the season's page; empty until there is a season."""
    days: Iterator[int] = field(default_factory=lambda: iter(range(1, 29)))

    @property
    def device(self) -> str:
        """Return the hash by which the app recognizes the director's phone."""
        cookie = self.phone.get_cookie(COOKIE)
        assert cookie is not None
        return hashlib.sha256(cookie.value.encode()).hexdigest()

    @contextmanager
    def book(self) -> Iterator[dict[str, str]]:
        """Enter the application context, and yield a dictionary that maps each person's name to the public id."""
        with self.app.app_context():
            yield dict(db.session.execute(select(PersonRow.name, PersonRow.public_id)).all())

    def person(self, name: str) -> str:
        """Return the path of the page of the person called `name`."""
        with self.book() as people:
            return f"/people/{people[name]}"

    def night(self, *results: tuple[Sequence[str], Sequence[int]], close: bool = True) -> str:
        """Play a night with one round, and return the public id of the night.

        `results` has a pair for each table: the names by seat, and the points by side. A table without points gets no
        result. Unless `close` is false, the night is closed.
        """
        season = self.season.removeprefix("/seasons/")
        with self.book() as people:
            made = nights.open_night(season=season, day=date(2026, 9, next(self.days)), device=self.device)
            names = [name for seats, _points in results for name in seats]
            nights.check_in(night=made, people=[people[name] for name in dict.fromkeys(names)], device=self.device)
            if night_at(db.session(), made).plan["together"] == "fixed":
                places.draw_partners(night=made, device=self.device, seed=1)
            nights.draw(night=made, device=self.device, seed=1)
            self._seat(made, results)
            session = db.session()
            for table, (_seats, points) in zip(tables_of(session, night_at(session, made)), results, strict=False):
                if points:
                    tables.tell_result(night=made, table=table.id, totals=points, device=self.device)
            if close:
                closing.close_night(night=made, device=self.device, anyway=True)
        return made

    def _seat(self, night: str, results: Sequence[tuple[Sequence[str], Sequence[int]]]) -> None:
        """Seat the people in `results` at the tables of round one, in place of those whom the app seated."""
        with writing() as session:
            ids = dict(session.execute(select(PersonRow.name, PersonRow.id)).all())
            rows = session.scalars(
                select(TableRow)
                .where(TableRow.night_id == night_at(session, night).id, TableRow.round == 1)
                .order_by(TableRow.number)
            ).all()
            for row, (seats, _points) in zip(rows, results, strict=True):
                for seat in session.scalars(select(SeatRow).where(SeatRow.table_id == row.id)):
                    seat.person_id = ids[seats[seat.seat]]

    def hands(self, night: str, bidder: int, *, count: int = 6, bid: int = 4, table: int = 0) -> str:
        """Start a game at a table of round one, play `count` hands, and return the game's public id.

        In each hand, the player in the seat `bidder` bids, and the bidder's side takes all points. `table` is the index
        of the table.
        """
        with self.book():
            session = db.session()
            at = tables_of(session, night_at(session, night))[table]
            game = tables.start_table(night=night, table=at.id, device=self.device, client_id=f"tap-{at.id}", key="k")
            side = bidder % 2
            data = {"bidder": bidder, "bid": bid, "points": dict.fromkeys(ALL_FOUR, side)}
            for number in range(count):
                scoring.act(
                    public_id=game,
                    command=EnterHand(data),
                    request=ClientRequest(self.device, f"hand-{at.id}-{number}", None),
                )
        return game

    def standings(self) -> Page:
        """Return the page of the season, which shows the standings."""
        return self.phone.see(self.season)


def make_hall(app: Flask, phone: Phone, names: Sequence[str] = NAMES, **season: str) -> Hall:
    """Return a league with people called `names` and a season.

    `season` are fields of the form that creates a season.
    """
    made = phone.submit(phone.see("/leagues"), "/leagues", name="Fire Hall")
    hall = Hall(app, phone, made.path)
    people = phone.see(f"{made.path}/people")
    phone.submit(people, people.path, names="\n".join(names))
    # What the form does not say is as usual; the page with all of it takes long to look at.
    fields = {"csrf_token": people.form(people.path).values["csrf_token"], "client_id": "begin-2026-27"}
    response = phone.post(f"{made.path}/seasons", data={**fields, "name": "2026/27", "night-rounds": "1", **season})
    assert response.status_code == 303, response.status
    hall.season = str(response.location)
    return hall


def table(page: Page, key: str = "people") -> list[list[str]]:
    """Return the standings on `page` as a list of rows, each of which is a list of the texts of its cells.

    The mark of a tie is removed from the rank.

    `key` is "people" for the standings of single players, or "partners" for those of partners.
    """
    (region,) = [each for each in page.all("div", class_="scroll") if each.get("aria-labelledby") == key]
    rows = [[words(cell) for cell in row] for row in region.findall("table/tbody/tr")]
    # After the rank of a tie come its mark and the link to the sentence about it.
    return [[re.split("[=*]", rank)[0].strip(), *rest] for rank, *rest in rows]
