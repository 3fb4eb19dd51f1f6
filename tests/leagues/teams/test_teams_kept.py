"""Teams after a league is exported, a person is merged or made anonymous, or a season is closed."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.access import person_at, season_at
from scorekeeper.leagues.core.models import FixtureRow, LeagueTextRow, LineupRow, NightRow, SeasonRow, SquadRow
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.privacy.data_export import own_data
from scorekeeper.leagues.privacy.service import make_anonymous
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.teams import playoffs, service
from scorekeeper.leagues.teams.matches import squads_of
from scorekeeper.leagues.teams.standings import season_matches, settings_of, team_playoffs
from scorekeeper.leagues.transfer.archive import ArchiveError, bring_in, pack, read_archive, unpack
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, Hall, open_hall

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

TEAMS = {"Owls": ("Ann", "Bob"), "Elks": ("Cid", "Dee")}


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a season of teams in which one night is closed and the playoffs have started."""
    hall = open_hall(app, client)
    with app.app_context():
        season = seasons.open_season(
            league=hall.league,
            name="Teams",
            rules=PRESETS["setback-21"],
            counting=StandingSettings(),
            plan=NightPlan(format="team_match", options={"tables": 1}, rounds=1),
            playoffs=PlayoffSettings(nights=1, qualify=2, match="points"),
            device=DIRECTOR,
        )
        for team, names in TEAMS.items():
            service.save_squad(season=season, squad=None, name=team, division="", players=names, device=DIRECTOR)
        service.make_matches(season=season, double=False, device=DIRECTOR)
        night = nights.open_night(season=season, day=date(2026, 10, 1), device=DIRECTOR)
        nights.check_in(
            night=night, people=[hall.people[name] for name in ("Ann", "Bob", "Cid", "Dee", "Eve")], device=DIRECTOR
        )
        match, home = db.session.execute(
            select(FixtureRow.public_id, SquadRow.name).join(SquadRow, SquadRow.id == FixtureRow.home_id)
        ).one()
        lineup = [hall.people["Eve"], hall.people["Bob"]]
        service.set_lineup(night=night, match=match, side=int(home != "Owls"), people=lineup, device=DIRECTOR)
        nights.draw(night=night, device=DIRECTOR, seed=1)
        row = db.session.scalars(select(NightRow).where(NightRow.public_id == night)).one()
        (table,) = tables_of(db.session(), row)
        tables.tell_result(night=night, table=table.id, totals=(21, 9), device=DIRECTOR)
        closing.close_night(night=night, device=DIRECTOR)
        playoffs.start_playoffs(season=season, day=date(2026, 10, 8), device=DIRECTOR)
    return Hall(app, client, hall.league, season, night, hall.people)


def story(season_id: str) -> object:
    """Return the teams, matches and playoffs of a season, in a form that can be compared between databases.

    Teams have names instead of ids. The function needs an application context.
    """
    session = db.session()
    season = season_at(session, season_id)
    squads = squads_of(session, season)
    names = {squad.id: squad.name for squad in squads.values()}
    return (
        [(squad.name, squad.division, squad.seed, len(squad.players)) for squad in squads.values()],
        [(names[match.home], names[match.away], match.score) for match in season_matches(session, season)],
        [
            (names[match.home], names[match.away])
            for played in team_playoffs(session, season).rounds
            for match in played
        ],
        settings_of(season),
        [night.playoff for night in session.scalars(select(NightRow).where(NightRow.season_id == season.id))],
    )


def test_teams_are_the_same_in_another_database(hall: Hall, elsewhere: Flask) -> None:
    with hall.app.app_context():
        packed, before = pack(read_archive(db.session(), hall.league)), story(hall.season)
    with elsewhere.app_context():
        bring_in(unpack(packed))
        assert story(hall.season) == before
        assert len(db.session.scalars(select(LineupRow)).all()) == 2
        assert pack(read_archive(db.session(), hall.league)) == packed


@pytest.mark.parametrize(
    ("part", "column", "value"),
    [
        ("fixtures", "away_id", 1),
        ("fixtures", "home_id", 99),
        ("fixtures", "stage", -1),
        ("fixtures", "night_id", 1),
        ("squads", "seed", 1),
        ("lineups", "side", 2),
        ("squad_people", "person_id", 99),
    ],
)
def test_a_damaged_file_is_refused(hall: Hall, elsewhere: Flask, part: str, column: str, value: int) -> None:
    with hall.app.app_context():
        archive = unpack(pack(read_archive(db.session(), hall.league)))
    for row in archive.parts[part]:
        row[column] = value
    with elsewhere.app_context(), pytest.raises(ArchiveError):
        bring_in(archive)


def test_a_closed_season_keeps_its_teams(hall: Hall) -> None:
    """A team of a closed season can't be removed."""
    with hall.app.app_context():
        season = seasons.open_season(
            league=hall.league,
            name="Closed",
            rules=PRESETS["setback-21"],
            counting=StandingSettings(),
            plan=NightPlan(format="team_match", options={"tables": 1}, rounds=1),
            device=DIRECTOR,
        )
        service.save_squad(season=season, squad=None, name="Owls", division="", players=("Ann", "Bob"), device=DIRECTOR)
        seasons.close_season(season=season, device=DIRECTOR)
        query = select(SquadRow.public_id).join(SeasonRow).where(SeasonRow.public_id == season)
        squad = db.session.scalars(query).one()
        with pytest.raises(RuleViolation, match="This season is closed"):
            service.remove_squad(season=season, squad=squad, device=DIRECTOR)
        assert db.session.scalars(query).one() == squad


def test_a_person_gets_their_teams_and_lineups(hall: Hall) -> None:
    with hall.app.app_context():
        ann = own_data(db.session(), person_at(db.session(), hall.people["Ann"]))
        assert ann["teams"] == [{"season": "Teams", "team": "Owls", "division": "", "place": 0}]
        eve = own_data(db.session(), person_at(db.session(), hall.people["Eve"]))
        assert [each["match_day"] for each in eve["teams"]] == [1]


def test_a_merged_player_is_replaced_in_the_team(hall: Hall) -> None:
    with hall.app.app_context():
        people.merge_people(person=hall.people["Ann"], into=hall.people["Ida"], device=DIRECTOR)
        people.merge_people(person=hall.people["Dee"], into=hall.people["Hal"], device=DIRECTOR)
        session = db.session()
        ids = {person_at(session, hall.people[name]).id for name in ("Ida", "Hal")}
        season = session.scalars(select(SeasonRow).where(SeasonRow.public_id == hall.season)).one()
        squads = squads_of(session, season).values()
        assert {person for squad in squads for person in squad.players} >= ids
        assert [len(squad.players) for squad in squads] == [2, 2]


def test_someone_in_two_teams_under_two_names_stays_in_one(app: Flask, hall: Hall) -> None:
    with app.app_context():
        squad = db.session.scalars(select(SquadRow.public_id).where(SquadRow.name == "Owls")).one()
        players = ["Ann", "Bob", "Fay"]
        service.save_squad(season=hall.season, squad=squad, name="Owls", division="", players=players, device=DIRECTOR)
        squad = db.session.scalars(select(SquadRow.public_id).where(SquadRow.name == "Elks")).one()
        players = ["Cid", "Dee", "Gus"]
        service.save_squad(season=hall.season, squad=squad, name="Elks", division="", players=players, device=DIRECTOR)
        people.merge_people(person=hall.people["Fay"], into=hall.people["Gus"], device=DIRECTOR)
        season = season_at(db.session(), hall.season)
        assert [len(each.players) for each in squads_of(db.session(), season).values()] == [2, 3]


def test_a_team_named_after_someone_loses_that_name(hall: Hall) -> None:
    with hall.app.app_context():
        new = people.add_people(league=hall.league, people=[PersonData(name="Zebulon")], device=DIRECTOR)[0]
        squad = db.session.scalars(select(SquadRow.public_id).where(SquadRow.name == "Owls")).one()
        given = {"season": hall.season, "squad": squad, "division": "", "players": ["Ann", "Zebulon"]}
        service.save_squad(**given, name="Zebulon's Owls", device=DIRECTOR)  # type: ignore[arg-type]
        make_anonymous(person=new, reason="asked", device=DIRECTOR, tap="tap-forget")
        texts = [*db.session.scalars(select(SquadRow.name)), *db.session.scalars(select(LeagueTextRow.text))]
        assert not [text for text in texts if "Zebulon" in text]
