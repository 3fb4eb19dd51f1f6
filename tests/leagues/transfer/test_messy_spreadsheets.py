"""Twelve messy spreadsheets can be imported through the pages with at most three taps after the first preview."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.leagues.core.access import season_at
from scorekeeper.leagues.core.models import NightRow, PersonRow
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.standings_cache import season_standings
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.leagues.transfer.messy import CLUB, FOLDER, SHEETS, Messy
from tests.support.league_night import DIRECTOR, WORD, buttons

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

MOST_TAPS = 3


@pytest.fixture
def season(app: Flask, client: Phone) -> str:
    """Return the path of a season without nights, in a league that has the people in `CLUB`."""
    client.set_cookie(COOKIE, WORD)
    with app.app_context():
        league = seasons.make_league(name="Thursday Setback", device=DIRECTOR, client_id="make")
        people.add_people(league=league, people=[PersonData(name=name) for name in CLUB], device=DIRECTOR)
        return seasons.open_season(
            league=league,
            name="2026/27",
            rules=PRESETS["setback-21"],
            counting=StandingSettings(order="points"),
            plan=NightPlan(),
            device=DIRECTOR,
        )


def _imported(client: Phone, path: str, sheet: Messy) -> tuple[Page, int]:
    """Upload a spreadsheet, give the answers in `sheet.taps`, and import the spreadsheet.

    Return the last preview, and the number of taps after the first preview.
    """
    file = (io.BytesIO((FOLDER / sheet.name).read_bytes()), sheet.name)
    page = client.submit(client.see(path), path, 200, file=file)
    taps = len(sheet.taps) + 1
    said: dict[str, Any] = dict(sheet.taps)
    # Without an answer about its dates a table can't be imported; who somebody is can be said while importing.
    if any(not field.startswith("who-") for field in sheet.taps):
        page, taps, said = client.submit(page, path, 200, **said), taps + 1, {}
    client.submit(page, path, confirmed="1", **said)
    return page, taps


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_messy_spreadsheet_is_imported(app: Flask, client: Phone, season: str, sheet: Messy) -> None:
    """The nights and points of a messy spreadsheet are imported.

    No players are added except the new players that the preview named.
    """
    page, taps = _imported(client, f"/seasons/{season}/results/import", sheet)
    assert taps <= MOST_TAPS
    for name in sheet.new:
        assert name in page.text
    added = [button for button in buttons(page) if "Import" in button]
    assert bool(sheet.new) == ("new player" in added[0])
    with app.app_context():
        days = db.session.scalars(select(NightRow.day).order_by(NightRow.number)).all()
        there = set(db.session.scalars(select(PersonRow.name)))
        standings = season_standings(db.session(), season_at(db.session(), season))
        points = {standings.roster.people[row.person].name: row.points for row in standings.people}
    assert tuple(days) == sheet.nights
    assert there == {*CLUB, *sheet.new}
    assert {name: points[name] for name in sheet.points} == sheet.points
    assert f"{sheet.skipped} line will be skipped" in page.text if sheet.skipped else "will be skipped" not in page.text


@pytest.mark.parametrize(
    "sheet", [each for each in SHEETS if not each.name.endswith("xlsx")], ids=lambda each: each.name
)
def test_file_is_the_one_that_its_module_makes(sheet: Messy) -> None:
    assert (FOLDER / sheet.name).read_bytes() == sheet.content()


def test_there_are_twelve() -> None:
    assert len(SHEETS) == 12
