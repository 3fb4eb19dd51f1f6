"""A side of a table doesn't come or leaves, and forfeits the game."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.nights import closing, service, tables
from scorekeeper.leagues.publishing import service as publishing
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.teams.matches import fixtures_on, scored
from scorekeeper.leagues.transfer.archive import bring_in, pack, read_archive, unpack
from scorekeeper.rules.commands import EnterHand
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.leagues.teams.team_season import TeamSeason
from tests.support.league_night import DIRECTOR, NAMES, Hall, buttons, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

EIGHT = NAMES[:8]


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night of one round with eight people at two tables; table 2 has a score."""
    hall = open_hall(app, client, plan=NightPlan(rounds=1))
    hall.check_in(*EIGHT)
    hall.draw()
    with app.app_context():
        other = hall.tables()[1]
        tables.tell_result(night=hall.night, table=other.id, totals=(21, 13), device=DIRECTOR)
    return hall


def _forfeit(hall: Hall, side: str, status: int = 303, **more: str) -> Page:
    table = hall.tables()[0]
    action = f"{hall.path}/rounds/1/forfeits"
    return hall.desk.submit(hall.at_desk(), action, status, forfeit=f"{table.id}-{side}", **more)


def _sides(hall: Hall) -> list[str]:
    """Return the names of the two sides of table 1."""
    page = hall.at_desk("?open=forfeits")
    (fold,) = page.all("details", id="forfeits")
    names = [words(button).partition(": ")[2] for button in fold.iter("button") if "-" in str(button.get("value"))]
    return [name for name in names if name]


def test_a_side_forfeits_in_two_taps_and_it_is_said_everywhere(hall: Hall) -> None:
    """The other side wins with the points that win a game. Standings count it, honors don't."""
    gone, came = _sides(hall)
    page = _forfeit(hall, "0")
    assert f"Forfeit: {gone}" in page.text
    table = hall.tables()[0]
    assert (table.points, table.forfeit, table.done) == ((0, 21), 0, True)
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR)
        league = hall.league
        publishing.save_club(league=league, is_open=True, slug="fire-hall", names="full", device=DIRECTOR)
        told = night_results(hall.night)
    says = f"Round 1, table 1: {gone} forfeited, so {came} won."
    assert [(each.round, each.table, each.gone, each.came) for each in told.forfeits] == [(1, 1, gone, came)]
    assert says in told.text
    for path in (
        f"{hall.path}/results",
        f"{hall.path}/tv",
        "/clubs/fire-hall/seasons/1/nights/1",
        "/embed/fire-hall/last-night",
        "/clubs/fire-hall/feed.atom",
    ):
        assert says in hall.desk.get(path).text, path
    assert f"Forfeit: {gone}" in hall.desk.see(hall.path).text
    file = hall.desk.get(f"{hall.path}/results/forfeits.csv").data.decode("utf-8-sig")
    (line,) = csv.DictReader(io.StringIO(file))
    assert line == {"Round": "1", "Table": "1", "Date": "2026-09-01", "Forfeited by": gone, "Winner": came}
    games = json.loads(hall.desk.get("/api/1/clubs/fire-hall/seasons/1/nights/1/games").text)["rounds"][0]["games"]
    assert [[side["forfeited"] for side in game["sides"]] for game in games] == [[True, False], [False, False]]
    (points,) = (honor for honor in told.honors if honor.key == "points")
    assert [holder.where for holder in points.holders] == ["round 1, table 2"]
    rows = {line.name: line for line in told.tables[0].lines}
    for name in came.split(" and "):
        assert (rows[name].values["Points"], rows[name].values["Wins"]) == (21, 1)
        assert "won by forfeit" in hall.desk.see(f"/people/{hall.people[name]}").text
    for name in gone.split(" and "):
        assert (rows[name].values["Points"], rows[name].values["Losses"]) == (0, 1)
        assert "forfeited" in hall.desk.see(f"/people/{hall.people[name]}").text
    assert "forfeited round 1, table 1" in hall.desk.see(f"/leagues/{hall.league}/log").text


def test_a_forfeit_is_undone(hall: Hall) -> None:
    """The table waits for its game again, and can be forfeited by the other side, for other points."""
    page = _forfeit(hall, "0")
    assert "Undo forfeit (Table 1)" in buttons(page)
    page = _forfeit(hall, "")
    table = hall.tables()[0]
    assert (table.game, table.forfeit, table.done) == ("", None, False)
    assert "Undo forfeit (Table 1)" not in buttons(page)
    _forfeit(hall, "1", points="9")
    table = hall.tables()[0]
    assert (table.points, table.forfeit) == ((9, 0), 1)
    assert "undid the forfeit at round 1, table 1" in hall.desk.see(f"/leagues/{hall.league}/log").text


def test_a_game_with_hands_keeps_its_score(hall: Hall) -> None:
    """A side that leaves during the game loses, even if it's ahead. After undoing, the game goes on."""
    table = hall.tables()[0]
    with hall.app.app_context():
        game = tables.start_table(night=hall.night, table=table.id, device=DIRECTOR, client_id="tap")
        hand = EnterHand({"bidder": 0, "bid": 4, "points": dict.fromkeys(("high", "low", "jack", "game"), 0)})
        scoring.act(public_id=game, command=hand, request=ClientRequest(DIRECTOR, "hand", None))
    _forfeit(hall, "0")
    table = hall.tables()[0]
    assert (table.points, table.forfeit, table.hands) == ((4, 0), 0, 1)
    assert table.verdict is not None
    assert table.verdict.winner == 1
    _forfeit(hall, "")
    table = hall.tables()[0]
    assert (table.points, table.forfeit, table.done, table.game) == ((4, 0), None, False, game)


def test_a_score_entered_later_replaces_a_forfeit(hall: Hall) -> None:
    """They came after all and played: the score counts, and nothing says forfeit anymore."""
    _forfeit(hall, "0")
    table = hall.tables()[0]
    with hall.app.app_context():
        tables.tell_result(night=hall.night, table=table.id, totals=(21, 8), reason="came late", device=DIRECTOR)
        closing.close_night(night=hall.night, device=DIRECTOR)
        assert night_results(hall.night).forfeits == ()
    assert hall.tables()[0].forfeit is None


def test_what_can_not_be_forfeited_is_refused(hall: Hall) -> None:
    with hall.app.app_context(), pytest.raises(RuleViolation, match="is over"):
        tables.forfeit_table(night=hall.night, table=hall.tables()[1].id, side=0, device=DIRECTOR)
    assert "Only a table with two sides" in _forfeit(hall, "2", 422).text
    assert "Enter the points as a whole number." in _forfeit(hall, "0", 422, points="many").text


def test_only_tables_of_two_sides_are_offered(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client, plan=NightPlan(rounds=1, together="alone", sizes=(3,)))
    hall.check_in(*NAMES[:3])
    hall.draw()
    assert not hall.at_desk().all("details", id="forfeits")
    with app.app_context(), pytest.raises(RuleViolation, match="two sides"):
        tables.forfeit_table(night=hall.night, table=hall.tables()[0].id, side=0, device=DIRECTOR)


def test_a_table_of_a_team_match_counts_as_the_settings_say(app: Flask, client: Phone, elsewhere: Flask) -> None:
    """The team gets the points that the season gives for a table of a forfeit. An archive keeps the forfeit."""
    with app.app_context():
        season = TeamSeason(app, client, "Ape", "Bee", "Cat", "Dog", qualify=2, forfeit=15)
        night = season.open(1)
        service.check_in(night=night, people=[season.hall.people[name] for name in NAMES[:8]], device=DIRECTOR)
        service.draw(night=night, seed=1, device=DIRECTOR)
        session = db.session()
        for table in tables_of(session, night_at(session, night)):
            tables.forfeit_table(night=night, table=table.id, side=1, device=DIRECTOR)
        closing.close_night(night=night, device=DIRECTOR)
        matches = scored(session, fixtures_on(session, night_at(session, night).id))
        assert [match.score and (match.score.tables, match.score.points) for match in matches] == [
            ((1, 0), (15, 0))
        ] * 2
        packed = pack(read_archive(session, season.hall.league))
    with elsewhere.app_context():
        bring_in(unpack(packed))
        session = db.session()
        assert [table.forfeit for table in tables_of(session, night_at(session, night))] == [1, 1]
