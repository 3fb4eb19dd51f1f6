"""A night of team matches is reported by its matches and teams, wherever the night is reported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.nights import closing, service, tables
from scorekeeper.leagues.publishing.service import save_club
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.results.views import card_of
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.teams.matches import fixtures_on, set_forfeit
from scorekeeper.web.extensions import db
from tests.leagues.teams.team_season import TeamSeason
from tests.support.league_night import NAMES
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

OPEN = "/clubs/elm/seasons/2/nights/1"


@pytest.fixture
def season(app: Flask, client: Phone) -> TeamSeason:
    with app.app_context():
        season = TeamSeason(app, client, "Ape", "Bee", "Cod", "Dog", qualify=2)
        save_club(league=season.hall.league, is_open=True, slug="elm", names="full", **season.by)
    return season


@pytest.fixture
def night(app: Flask, season: TeamSeason) -> str:
    """Return a closed night with two matches."""
    with app.app_context():
        night = season.open(1)
        season.play(night, "AD")
    return night


def test_everything_that_reports_a_night_reports_its_matches_first(
    app: Flask, client: Phone, season: TeamSeason, night: str
) -> None:
    with app.app_context():
        told = night_results(night)
        card = card_of(told)
    scores = [f"{match.home} {match.shown} {match.away}" for match in told.matches]
    assert told.won == "; ".join(scores)
    assert told.about == f"Matches: {told.won}"
    assert not told.winners
    assert [(row[1], row[2]) for row in card.rows] == [
        (f"{match.home} – {match.away}", match.shown) for match in told.matches
    ]
    assert card.headline == told.about
    lines = [f"{match.home} – {match.away}: {match.score}" for match in told.matches]
    assert told.text.splitlines()[1:4] == [*lines, "Players"]
    for path in (f"/nights/{night}/results", f"/nights/{night}", OPEN):
        page = client.see(path)
        shown = [words(item) for item in page.one("ul", class_="matches")]
        assert shown == [f"{match.home} – {match.away} {match.score}" for match in told.matches], path
        ranking = "podium" if path == f"/nights/{night}" else "ranking"
        source = client.get(path).text
        assert source.index('class="panel matches"') < source.index(ranking), path
        assert "Winner" not in page.text, path
    tv = client.see(f"/nights/{night}/tv")
    assert [words(item) for item in tv.one("ol", class_="ranks")] == [
        f"{match.home} {match.shown} {match.away}" for match in told.matches
    ]
    for path in ("/embed/elm/last-night", "/clubs/elm/feed.atom"):
        text = client.get(path).text
        assert all(line.split(": ")[1] in text for line in lines), path
        assert told.won in text, path
        assert "Winner" not in text, path
    answer = json.loads(client.get(f"/api/1{OPEN}").text)
    assert [[side["team"]["name"] for side in match["sides"]] for match in answer["matches"]] == [
        list(match.teams) for match in told.matches
    ]
    assert all(sum(side["won"] for side in match["sides"]) == 1 for match in answer["matches"])
    games = json.loads(client.get(f"/api/1{OPEN}/games").text)["rounds"][0]["games"]
    assert [tuple(side["team"] for side in game["sides"]) for game in games] == [match.teams for match in told.matches]
    assert told.won in client.see(f"/leagues/{season.hall.league}").text


def test_tables_have_the_names_of_their_teams_and_an_open_night_its_score_so_far(
    app: Flask, client: Phone, season: TeamSeason
) -> None:
    with app.app_context():
        night = season.open(1)
        everybody = [season.hall.people[name] for name in NAMES[:8]]
        service.check_in(night=night, people=everybody, **season.by)
        service.draw(night=night, seed=1, **season.by)
        first = tables_of(db.session(), night_at(db.session(), night))[0]
        tables.tell_result(night=night, table=first.id, totals=(3, 21), **season.by)
        told = night_results(night)
        played, waiting = told.matches
    assert (played.shown, played.winner, waiting.shown, waiting.score) == ("3–21", 1, "–", "")
    assert told.about == f"Matches: {played.home} 3–21 {played.away}"
    page = client.see(f"/nights/{night}")
    assert [words(item) for item in page.one("ul", class_="matches")] == [
        f"{played.home} – {played.away} at table 1 {played.score}",
        f"{waiting.home} – {waiting.away} at table 2",
    ]
    for path in (f"/nights/{night}", f"/nights/{night}/tv", f"/nights/{night}/tables/{first.id}"):
        text = client.see(path).text
        assert played.home in text, path
        assert played.away in text, path
    desk = season.hall.desk.see(f"/nights/{night}/desk")
    sides = [words(side) for side in desk.all("span", class_="who-sits")]
    assert [side.split()[0] for side in sides[:2]] == list(played.teams)


def test_a_night_of_forfeits_only_has_results(app: Flask, client: Phone, season: TeamSeason) -> None:
    with app.app_context():
        night = season.open(1)
        for row in fixtures_on(db.session(), night_at(db.session(), night).id):
            set_forfeit(night=night, match=row.public_id, side=1, **season.by)
        closing.close_night(night=night, anyway=True, **season.by)
        told = night_results(night)
    assert not told.tables
    assert [match.score.split(". ")[1] for match in told.matches] == [
        f"{match.away} forfeited." for match in told.matches
    ]
    for path in ("results", "tv", "results.csv", "results.png", ""):
        assert client.get(f"/nights/{night}/{path}".rstrip("/")).status_code == 200, path
    assert told.matches[0].score in client.see(f"/nights/{night}/results").text


def test_the_final_names_the_champions(app: Flask, client: Phone, season: TeamSeason, night: str) -> None:
    with app.app_context():
        final = season.start(1)
        season.play(final, "A")
        told = night_results(final)
        best = next(match for match in told.matches if match.playoff)
        assert best.winner is not None
        champion = best.teams[best.winner]
        assert told.champion == champion
        assert told.about == f"Champions: {champion}"
        assert told.text.splitlines()[1] == told.about
        assert not night_results(night).champion
    brackets = [
        words(client.see(path).one("section", class_="bracket"))
        for path in (
            f"/seasons/{season.season}/playoffs",
            f"/seasons/{season.season}",
            "/clubs/elm",
            "/clubs/elm/seasons/2",
        )
    ]
    assert brackets == brackets[:1] * 4
    for path in (f"/nights/{final}/results", f"/nights/{final}", f"/nights/{final}/tv"):
        assert champion in words(client.see(path).all("p", class_="won")[0]), path


def test_the_season_page_has_the_standings_of_teams_first(
    app: Flask, client: Phone, season: TeamSeason, night: str
) -> None:
    page = client.see(f"/seasons/{season.season}")
    tables = page.all("table")
    assert "Team" in words(tables[0])
    message = words(page.all("textarea")[0])
    assert message.index("Ape") < message.index("Players") < message.index("Ann")
