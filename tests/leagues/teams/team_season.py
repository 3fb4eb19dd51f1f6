"""A season of fixed teams for tests, with one match of one table for each two teams."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import FixtureRow, SquadRow
from scorekeeper.leagues.nights import closing, service, tables
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.teams import playoffs
from scorekeeper.leagues.teams import service as teams
from scorekeeper.leagues.teams.matches import fixtures_on
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, NAMES, open_hall

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


class TeamSeason:
    """A season of fixed teams of two, each with one match a night, in which the first night is decided."""

    def __init__(self, app: Flask, client: Phone, *names: str, **playoff: Any) -> None:
        hall = open_hall(app, client)
        self.hall, self.names = hall, names
        self.by: Any = {"device": DIRECTOR}
        self.season = seasons.open_season(
            league=hall.league,
            name="Teams",
            rules=PRESETS["setback-21"],
            counting=StandingSettings(),
            plan=NightPlan(format="team_match", rounds=1, options={"tables": 1}),
            playoffs=PlayoffSettings(nights=1, **playoff),
            **self.by,
        )
        for name, first in zip(names, NAMES[: 2 * len(names) : 2], strict=True):
            players = (first, NAMES[NAMES.index(first) + 1])
            teams.save_squad(season=self.season, squad=None, name=name, division="", players=players, **self.by)
        teams.make_matches(season=self.season, double=False, **self.by)

    def play(self, night: str, winners: str) -> None:
        """Let the teams whose names begin with these letters win on a night that is open, and close it.

        The team that comes first in the alphabet wins a match of two others.
        """
        session = db.session()
        at = night_at(session, night)
        if not tables_of(session, at):
            everybody = [self.hall.people[name] for name in NAMES[: 2 * len(self.names)]]
            service.check_in(night=night, people=everybody, **self.by)
            service.draw(night=night, seed=1, **self.by)
        names = dict(session.execute(select(SquadRow.id, SquadRow.name)).all())
        matches = fixtures_on(session, at.id)
        for table in tables_of(session, at):
            match = matches[table.number - 1]
            home, away = ((names[team][0] not in winners, names[team]) for team in (match.home_id, match.away_id))
            totals = (21, 5) if home < away else (5, 21)
            tables.tell_result(night=night, table=table.id, totals=totals, reason="swapped", **self.by)
        closing.close_night(night=night, **self.by)

    def correct(self, night: str, winners: str) -> None:
        closing.reopen_night(night=night, reason="swapped", **self.by)
        self.play(night, winners)

    def open(self, day: int) -> str:
        return service.open_night(season=self.season, day=date(2026, 9, day), **self.by)

    def start(self, day: int) -> str:
        return playoffs.start_playoffs(season=self.season, day=date(2026, 10, day), reason="snow", **self.by)

    def matches(self, stage: int) -> list[str]:
        """Return the matches of a round of the playoffs, such as "Ape – Bee"."""
        names = dict(db.session.execute(select(SquadRow.id, SquadRow.name)).all())
        rows = select(FixtureRow).where(FixtureRow.stage == stage).order_by(FixtureRow.number)
        return [f"{names[row.home_id]} – {names[row.away_id]}" for row in db.session.scalars(rows)]
