"""Open a league night for the tests of its pages."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueTextRow, NightRow
from scorekeeper.leagues.nights import service
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.support.page import Page, words
from tests.support.phone import device_word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from scorekeeper.leagues.standings.table_results import TableState
    from tests.support.phone import Phone

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida")
WORD = device_word("director")
DIRECTOR = hashlib.sha256(WORD.encode()).hexdigest()


@dataclass(frozen=True)
class Hall:
    """An open league night and the director's phone; `people` maps each person's name to the public id."""

    app: Flask
    desk: Phone
    league: str
    season: str
    night: str
    people: dict[str, str]

    @property
    def path(self) -> str:
        """Return the path of the night's page."""
        return f"/nights/{self.night}"

    def at_desk(self, query: str = "") -> Page:
        """Return the desk, the page from which the night is directed; `query` is added to its address."""
        return self.desk.see(f"{self.path}/desk{query}")

    def check_in(self, *names: str) -> None:
        """Check in the people with these names."""
        with self.app.app_context():
            service.check_in(night=self.night, people=[self.people[name] for name in names], device=DIRECTOR)

    def draw(self, seed: int = 1) -> None:
        """Let the app make the seating of all rounds; the same `seed` always gives the same seating."""
        with self.app.app_context():
            service.draw(night=self.night, device=DIRECTOR, seed=seed)

    def tables(self) -> tuple[TableState, ...]:
        """Return the current state of all tables of the night."""
        with self.app.app_context():
            return tables_of(db.session(), self.row())

    def row(self) -> NightRow:
        """Return the night's database row; call this method inside the application context."""
        return db.session.scalars(select(NightRow).where(NightRow.public_id == self.night)).one()


def open_hall(
    app: Flask,
    desk: Phone,
    *,
    plan: NightPlan | None = None,
    counting: StandingSettings | None = None,
    money: Mapping[str, Any] | None = None,
    preset: str = "setback-21",
) -> Hall:
    """Open a night of a league with nine people, who aren't checked in yet, and return the night.

    `desk` becomes the director's phone. `plan`, `counting`, `money` and `preset` are settings of the season; None
    means the usual value.
    """
    desk.set_cookie(COOKIE, WORD)
    with app.app_context():
        league = seasons.make_league(name="Fire Hall", device=DIRECTOR, client_id="make")
        ids = people.add_people(league=league, people=[PersonData(name=name) for name in NAMES], device=DIRECTOR)
        season = seasons.open_season(
            league=league,
            name="2026/27",
            rules=PRESETS[preset],
            counting=counting or StandingSettings(),
            plan=plan or NightPlan(rounds=3),
            money=money,
            device=DIRECTOR,
        )
        night = service.open_night(season=season, day=date(2026, 9, 1), device=DIRECTOR)
    return Hall(app, desk, league, season, night, dict(zip(NAMES, ids, strict=True)))


def reason_of(line: LeagueEventRow) -> str:
    """Return the reason that a line of the league's log states, or "" if there is none.

    Call this function inside the application context.
    """
    query = select(LeagueTextRow.text).where(LeagueTextRow.event_id == line.id, LeagueTextRow.key == "reason")
    return db.session.scalars(query).one_or_none() or ""


def buttons(page: Page) -> list[str]:
    """Return the labels of the buttons of a page, in order, without those that only a script shows."""
    unseen = {button for template in page.all("template") for button in template.iter("button")}
    return [words(button) for button in page.all("button") if button not in unseen]
