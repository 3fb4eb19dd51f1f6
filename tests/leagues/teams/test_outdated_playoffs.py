"""A night is corrected after the playoffs were built on it: seeds or later rounds are kept, or made again."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import FixtureRow, PersonRow, PresentRow, SquadRow
from scorekeeper.leagues.nights import closing, outdated, service, tables
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.teams import playoffs
from scorekeeper.leagues.teams import service as teams
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.leagues.teams.team_season import TeamSeason
from tests.support.league import Hall, make_hall
from tests.support.league_night import DIRECTOR, NAMES, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

TABLES = [(("Ann", "Eve", "Bob", "Fay"), (21, 5)), (("Cid", "Gus", "Dee", "Hal"), (21, 9))]


def score(hall: Hall, night: str, totals: tuple[int, int]) -> None:
    """Enter or correct the score of the first table of a night."""
    for table in tables_of(db.session(), night_at(db.session(), night))[:1]:
        tables.tell_result(night=night, table=table.id, totals=totals, reason="misread", device=hall.device)


def seeds(night: str) -> list[str]:
    """Return the names of the seeds of a playoff night, in order."""
    at = night_at(db.session(), night)
    query = select(PersonRow.name).join(PresentRow, PresentRow.person_id == PersonRow.id)
    return list(db.session.scalars(query.where(PresentRow.night_id == at.id).order_by(PresentRow.team)))


@pytest.fixture
def solo(app: Flask, client: Phone) -> tuple[Hall, str, str]:
    """Return a league of eight, a night that it reopened, and the playoff night of its best two, which was played.

    On the night, the losers of the first table have become the winners.
    """
    hall = make_hall(app, client, NAMES[:8], **{"playoff-nights": "1", "playoff-qualify": "2"})
    night = hall.night(*TABLES)
    with hall.book():
        season = hall.season.removeprefix("/seasons/")
        final = playoffs.start_playoffs(season=season, day=date(2026, 11, 1), device=hall.device)
        assert set(seeds(final)) == {"Ann", "Bob"}
        service.draw(night=final, seed=1, device=hall.device)
        score(hall, final, (21, 17))
        closing.reopen_night(night=night, device=hall.device, reason="sides swapped")
    assert "no longer fit" not in client.see(f"/nights/{night}/desk").text
    with hall.book():
        score(hall, night, (5, 23))
    return hall, night, final


def test_seeds_that_no_longer_fit_are_said_and_kept_with_a_reason(solo: tuple[Hall, str, str]) -> None:
    hall, night, final = solo
    page = f"{hall.season}/playoffs"
    with hall.book():
        first, second = seeds(final)
    for path in (f"/nights/{night}/desk", f"/nights/{final}/desk", page):
        text = hall.phone.see(path).text
        assert "The playoff seeds no longer fit the standings: number 1 is now" in text, path
        assert f", not {first}; number 2 is now" in text
        assert f", not {second}." in text
    assert "Enter a reason" in hall.phone.submit(hall.phone.see(page), f"{page}/kept", 422, reason="").text
    told = hall.phone.submit(hall.phone.see(page), f"{page}/kept", reason="The trophy is engraved")
    assert "no longer fit" not in told.text
    assert "no longer fit" not in hall.phone.see(f"/nights/{night}/desk").text
    with hall.book():
        assert seeds(final) == [first, second]
        score(hall, night, (21, 5))
    # What was kept no longer fits either.
    assert f"number 1 is now {first}, not" in hall.phone.see(page).text
    assert "kept the seeds of the playoffs" in (log := hall.phone.see(f"{hall.league}/log").text)
    assert "The trophy is engraved" in log


def test_a_season_that_goes_on_leaves_its_playoffs_alone(solo: tuple[Hall, str, str]) -> None:
    hall, _night, _final = solo
    page = f"{hall.season}/playoffs"
    assert "no longer fit" in hall.phone.see(page).text
    with hall.book():
        season = hall.season.removeprefix("/seasons/")
        service.open_night(season=season, day=date(2026, 11, 8), device=hall.device)
    assert "no longer fit" not in hall.phone.see(page).text


def test_playoffs_are_seeded_and_played_again(solo: tuple[Hall, str, str]) -> None:
    hall, night, final = solo
    page = hall.phone.see(f"{hall.season}/playoffs")
    assert "Round 1, table 1: 21 to 17" in page.text
    with hall.book(), pytest.raises(RuleViolation, match="Another table has started"):
        outdated.redo_playoffs(season=hall.season.removeprefix("/seasons/"), listed=[], device=hall.device)
    desk = hall.phone.submit(page, f"{hall.season}/playoffs/redone")
    assert desk.path == f"/nights/{final}/desk"
    assert "no longer fit" not in desk.text
    with hall.book():
        again = seeds(final)
        assert set(again) == {"Eve", "Fay"}
        assert not tables_of(db.session(), night_at(db.session(), final))
        service.draw(night=final, seed=1, device=hall.device)
        score(hall, final, (21, 17))
        for each in (night, final):
            closing.close_night(night=each, device=hall.device)
    assert f"Champion: {again[0]}" in hall.phone.see(f"{hall.season}/playoffs").text


def test_playoffs_of_a_closed_night_are_reopened_first(solo: tuple[Hall, str, str]) -> None:
    hall, _night, final = solo
    with hall.book():
        closing.close_night(night=final, device=hall.device)
    page = hall.phone.see(f"{hall.season}/playoffs")
    refused = hall.phone.submit(page, f"{hall.season}/playoffs/redone", 422)
    assert "Night 2 is closed. Reopen it first." in refused.text


def started(app: Flask, client: Phone) -> tuple[TeamSeason, str]:
    """Return a season of four teams and the night of its semifinals, Ape – Dog and Bee – Cat, won by Ape and Bee."""
    season = TeamSeason(app, client, "Ape", "Bee", "Cat", "Dog", qualify=4)
    for day, winners in ((1, "AB"), (2, "AB"), (3, "AB")):
        night = service.open_night(season=season.season, day=date(2026, 9, day), **season.by)
        season.play(night, winners)
    semifinals = season.start(1)
    assert season.matches(1) == ["Ape – Dog", "Bee – Cat"]
    season.play(semifinals, "AB")
    return season, semifinals


def test_a_round_of_teams_that_no_longer_fits_is_kept_or_made_again(app: Flask, client: Phone) -> None:
    with app.app_context():
        season, semifinals = started(app, client)
        final = season.start(8)
        assert season.matches(2) == ["Ape – Bee"]
        closing.reopen_night(night=semifinals, reason="swapped", **season.by)
    page = f"/seasons/{season.season}/playoffs"
    assert "no longer fits" not in client.see(page).text
    with app.app_context():
        season.play(semifinals, "AC")
    told = "Round 2 of the playoffs no longer fits the results before it: it would be Ape vs. Cat, not Ape vs. Bee."
    for path in (page, f"/nights/{semifinals}/desk", f"/nights/{final}/desk"):
        assert told in client.see(path).text, path
    assert "Enter a reason" in client.submit(client.see(page), f"{page}/kept", 422, reason="").text
    stale = client.see(page)
    assert "no longer fits" not in client.submit(stale, f"{page}/kept", reason="The final is over").text
    assert "have changed again" in client.submit(stale, f"{page}/kept", 422, reason="Twice").text
    with app.app_context():
        assert season.matches(2) == ["Ape – Bee"]
        season.correct(semifinals, "CD")
    # What was kept no longer fits either.
    again = client.see(page)
    assert re.search(r"it would be (Cat vs. Dog|Dog vs. Cat), not Ape vs. Bee", again.text)
    client.submit(again, f"{page}/redone")
    assert "no longer fits" not in client.see(page).text
    log = client.see(f"/leagues/{season.hall.league}/log").text
    assert "kept round 2 of the playoffs, although the results before it had changed." in log
    assert "made the matches of round 2 of the playoffs again" in log
    with app.app_context():
        assert season.matches(2) in (["Cat – Dog"], ["Dog – Cat"])
        season.play(final, "D")
    assert "Champions: Dog" in client.see(page).text


def test_a_semifinal_that_is_reopened_leaves_the_bracket(app: Flask, client: Phone) -> None:
    with app.app_context():
        season, semifinals = started(app, client)
        final = season.start(8)
        season.play(final, "A")
        closing.reopen_night(night=semifinals, reason="swapped", **season.by)
    page = f"/seasons/{season.season}/playoffs"
    assert "Champion" not in client.see(page).text
    assert "no longer fits" not in client.see(page).text
    with app.app_context():
        season.play(semifinals, "BD")
    # The final counts as it was played until a director decides.
    told = client.see(page)
    assert "Champions: Ape" in told.text
    sides = [words(side) for side in told.one("ol", class_="cup").iter("p")]
    assert sides[-2:] == ["Ape 1 (winner)", "Bee 0"]
    assert "Night 5 is closed. Reopen it first." in client.submit(client.see(page), f"{page}/redone", 422).text


def test_later_nights_are_removed_with_the_round(app: Flask, client: Phone) -> None:
    with app.app_context():
        season = TeamSeason(app, client, "Ape", "Bee", "Cat", qualify=3)
        nights = []
        for day in (1, 2, 3):
            nights.append(service.open_night(season=season.season, day=date(2026, 9, day), **season.by))
            season.play(nights[-1], "AB")
        semifinal = season.start(1)
        assert season.matches(1) == ["Bee – Cat"]
        season.play(semifinal, "B")
        final = season.start(8)
        season.play(final, "A")
        for night in nights:
            season.correct(night, "C")
        for night in (semifinal, final):
            closing.reopen_night(night=night, reason="swapped", **season.by)
    page = client.see(f"/seasons/{season.season}/playoffs")
    assert "Night 4, round 1, table 1: " in page.text
    assert "Night 5, round 1, table 1: " in page.text
    assert "Night 5 is removed." in page.text
    client.submit(page, f"/seasons/{season.season}/playoffs/redone")
    with app.app_context():
        assert season.matches(1) == ["Ape – Bee"]
        assert season.matches(2) == []
    client.see(f"/nights/{final}", 404)


def test_teams_are_seeded_again(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client)
    by: Any = {"device": DIRECTOR}
    with app.app_context():
        season = seasons.open_season(
            league=hall.league,
            name="Teams",
            rules=PRESETS["setback-21"],
            counting=StandingSettings(),
            plan=NightPlan(format="team_match", rounds=1),
            playoffs=PlayoffSettings(nights=1, qualify=2),
            **by,
        )
        for name, four in (("Owls", NAMES[:4]), ("Elks", NAMES[4:8])):
            teams.save_squad(season=season, squad=None, name=name, division="", players=four, **by)
        teams.make_matches(season=season, double=False, **by)
        night = service.open_night(season=season, day=date(2026, 9, 8), **by)
        everybody = [hall.people[name] for name in NAMES[:8]]
        service.check_in(night=night, people=everybody, **by)
        service.draw(night=night, seed=1, **by)
        for table in tables_of(db.session(), night_at(db.session(), night)):
            tables.tell_result(night=night, table=table.id, totals=(21, 5), **by)
        closing.close_night(night=night, **by)
        final = playoffs.start_playoffs(season=season, day=date(2026, 9, 15), **by)
        closing.reopen_night(night=night, reason="sides swapped", **by)
        for table in tables_of(db.session(), night_at(db.session(), night)):
            tables.tell_result(night=night, table=table.id, totals=(5, 21), reason="swapped", **by)
        closing.close_night(night=night, **by)
        order = select(SquadRow.name).where(SquadRow.seed.is_not(None)).order_by(SquadRow.seed)
        before = list(db.session.scalars(order))
    page = client.see(f"/seasons/{season}/playoffs")
    assert f"number 1 is now {before[1]}, not {before[0]}" in page.text
    client.submit(page, f"/seasons/{season}/playoffs/redone")
    with app.app_context():
        assert list(db.session.scalars(order)) == before[::-1]
        (match,) = db.session.scalars(select(FixtureRow).where(FixtureRow.stage == 1)).all()
        assert db.session.get_one(SquadRow, match.home_id).name == before[1]
        assert match.night_id == night_at(db.session(), final).id
