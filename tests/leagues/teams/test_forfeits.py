"""A team doesn't come, and forfeits its match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import SquadRow
from scorekeeper.leagues.nights import closing, service
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.teams import matches
from scorekeeper.leagues.teams.fixtures import BOTH, Match, MatchScore
from scorekeeper.leagues.teams.matches import fixtures_on, scored
from scorekeeper.leagues.transfer.archive import bring_in, pack, read_archive, unpack
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.leagues.teams.team_season import TeamSeason
from tests.support.league_night import NAMES
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


def sides(night: str) -> dict[str, tuple[str, int]]:
    """Return the match (public id) and the side of each team that plays on a night."""
    session = db.session()
    names = dict(session.execute(select(SquadRow.id, SquadRow.name)).all())
    rows = fixtures_on(session, night_at(session, night).id)
    return {names[team]: (row.public_id, side) for row in rows for side, team in enumerate((row.home_id, row.away_id))}


def scored_on(night: str) -> dict[str, Match]:
    """Return the matches of a night by public id."""
    rows = fixtures_on(db.session(), night_at(db.session(), night).id)
    return {row.public_id: match for row, match in zip(rows, scored(db.session(), rows), strict=True)}


@pytest.fixture
def season(app: Flask, client: Phone) -> TeamSeason:
    with app.app_context():
        return TeamSeason(app, client, "Ape", "Bee", "Cat", "Dog", qualify=2, forfeit=21)


def test_a_match_is_forfeited_and_the_forfeit_undone(app: Flask, client: Phone, season: TeamSeason) -> None:
    with app.app_context():
        night = season.open(1)
        gone, came = NAMES[:2], NAMES[2:8]
        service.check_in(night=night, people=[season.hall.people[name] for name in came], **season.by)
        match, side = sides(night)["Ape"]
        number = [row.public_id for row in fixtures_on(db.session(), night_at(db.session(), night).id)].index(match) + 1
    desk = f"/nights/{night}/desk"
    refused = client.submit(client.see(desk), f"/nights/{night}/draw", 422)
    assert "Ape: only 0 of 2 players are here." in refused.text
    told = client.submit(refused, f"/nights/{night}/forfeits", match=match, side=str(side))
    assert "Ape forfeited" in told.text
    client.submit(client.see(desk), f"/nights/{night}/forfeits", 422, match=match, side="7")
    assert "Ape forfeited" in client.see(f"/nights/{night}").text
    client.submit(client.see(desk), f"/nights/{night}/draw")
    with app.app_context():
        (table,) = tables_of(db.session(), night_at(db.session(), night))
        assert table.number == 3 - number, "the other match keeps its table"
    # Undone before the players are there: there is no one to seat.
    refused = client.submit(client.see(desk), f"/nights/{night}/forfeits", 422, match=match, side="")
    assert "Ape: only 0 of 2" in refused.text
    with app.app_context():
        service.check_in(night=night, people=[season.hall.people[name] for name in gone], **season.by)
    client.submit(client.see(desk), f"/nights/{night}/forfeits", match=match, side="")
    with app.app_context():
        assert [table.number for table in tables_of(db.session(), night_at(db.session(), night))] == [1, 2]
        season.play(night, "BC")
        assert [each.score.forfeit for each in scored_on(night).values() if each.score] == [None, None]
    log = client.see(f"/leagues/{season.hall.league}/log").text
    assert "recorded that Ape forfeited" in log
    assert "undid the forfeit by Ape" in log


def test_a_forfeit_counts_and_is_said_in_archives_too(
    app: Flask, client: Phone, season: TeamSeason, elsewhere: Flask
) -> None:
    with app.app_context():
        night = season.open(1)
        match, side = sides(night)["Ape"]
        other = next(name for name, (at, _side) in sides(night).items() if at == match and name != "Ape")
        matches.set_forfeit(night=night, match=match, side=side, **season.by)
        season.play(night, "B")
        won = (0, 1) if side == 0 else (1, 0)
        assert scored_on(night)[match].score == MatchScore(won, (21 * won[0], 21 * won[1]), (0, 0), side)
    page = client.see(f"/seasons/{season.season}/teams")
    assert "Ape forfeited" in page.text
    assert "If a team forfeits, the other team wins every table, with 21 points each." in page.text
    rows = [[words(cell) for cell in row] for row in page.one("table").iter("tr")]
    lines = {row[1]: row for row in rows}
    assert lines[other][2:5] == ["2", "1", "1–0"]
    assert lines["Ape"][2:5] == ["0", "1", "0–1"]
    for path in (f"/nights/{night}/results", f"/nights/{night}/desk", f"/seasons/{season.season}/playoffs"):
        client.see(path)
    assert "Ape forfeited" in client.see(f"/nights/{night}").text
    with app.app_context():
        packed = pack(read_archive(db.session(), season.hall.league))
    with elsewhere.app_context():
        bring_in(unpack(packed))
        assert scored_on(night)[match].score == MatchScore(won, (21 * won[0], 21 * won[1]), (0, 0), side)


def test_both_teams_lose_a_match_to_which_neither_came(
    app: Flask, client: Phone, season: TeamSeason, elsewhere: Flask
) -> None:
    """Neither team gets points or wins a table, and nobody wins. The same holds in an archive."""
    with app.app_context():
        night = season.open(1)
        match, _side = sides(night)["Ape"]
        other = next(name for name, (at, _side) in sides(night).items() if at == match and name != "Ape")
    desk = f"/nights/{night}/desk"
    told = client.submit(client.see(desk), f"/nights/{night}/forfeits", match=match, side="2")
    assert "Both teams forfeited." in told.text
    with app.app_context():
        season.play(night, "B")
        nothing = MatchScore((0, 0), (0, 0), (0, 0), BOTH)
        assert scored_on(night)[match].score == nothing
        packed = pack(read_archive(db.session(), season.hall.league))
    page = client.see(f"/seasons/{season.season}/teams")
    assert "Both teams forfeited." in page.text
    lines = {row[1]: row for row in [[words(cell) for cell in row] for row in page.one("table").iter("tr")]}
    assert [lines[team][2:5] for team in ("Ape", other)] == [["0", "1", "0–1"]] * 2
    assert "recorded that both teams forfeited the match" in client.see(f"/leagues/{season.hall.league}/log").text
    with elsewhere.app_context():
        bring_in(unpack(packed))
        assert scored_on(night)[match].score == nothing


def test_a_match_that_has_begun_is_not_forfeited(app: Flask, client: Phone, season: TeamSeason) -> None:
    with app.app_context():
        night = season.open(1)
        season.play(night, "B")
        closing.reopen_night(night=night, reason="they left", **season.by)
        match, side = sides(night)["Ape"]
        with pytest.raises(RuleViolation, match="has started"):
            matches.set_forfeit(night=night, match=match, side=side, **season.by)


def test_a_forfeit_without_points_still_decides() -> None:
    score = MatchScore((0, 2), (0, 0), (0, 0), 0)
    assert [score.winner("points"), score.winner("tables"), score.goes_on("points")] == [1, 1, 1]
    assert Match(1, 1, 5, 6, score).score is score
