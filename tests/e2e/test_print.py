"""Printouts take few pages of A4 or US Letter, and are black on white in every theme."""

from __future__ import annotations

import io
import re
from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from scorekeeper import create_app
from scorekeeper.accounts.devices import COOKIE
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.ops.boot import boot
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import press
from tests.e2e.test_league_night import NAMES, Night, set_up
from tests.support.league_night import DIRECTOR, WORD
from tests.support.quick_draws import quick_draws
from tests.support.server import running

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = pytest.mark.slow

LONG_NAMES = ("Bartholomew Featherstonehaugh", "Wilhelmina von Hohenzollern", "Christabel Montgomery", "Desmond")
TYPICAL = [
    hand(place % 4, 2, place % 2, 1 - place % 2, None, place % 2 if place % 8 < 4 else None)
    | {"trump": "CDHS"[place % 4]}
    for place in range(20)
]
"""Twenty hands in which both sides make some bids and are set on others; nobody has won after them."""
SIZES = ("A4", "Letter")
BLANKS = (
    "/rules/setback-21/sheet",
    "/rules/setback-21/sheet?players=7",
    "/rules/somerset-66/sheet?players=5",
    "/rules/smear-52/sheet",
    "/rules/pitch-11/sheet?players=3&rule-target=31&rule-win_by=1&rule-max_sets=&rule-draw=yes&rule-negative=floor_zero"
    "&rule-redeal=ten&rule-low=dealt&rule-dealer_may_raise=yes&rule-game_minimum=41",
)


def pages(page: Page, size: str) -> list[str]:
    """Return the text of each printed page when the page is printed on paper of this size."""
    return [sheet.extract_text() for sheet in PdfReader(io.BytesIO(page.pdf(format=size))).pages]


@pytest.mark.parametrize("size", SIZES)
def test_blank_sheets_fill_one_page(page: Page, size: str) -> None:
    """A blank score sheet with twenty rows fills one page, for any number of players and any length of rules."""
    for address in BLANKS:
        page.goto(address)
        (told,) = pages(page, size)
        assert "\n20" in told, address
        page.emulate_media(media="print")
        height = page.evaluate("document.querySelector('.paper').getBoundingClientRect().height / 96 * 25.4")
        page.emulate_media(media="screen")
        assert 250 < height < 278, f"{address}: {height:.0f} mm"


@pytest.mark.parametrize("size", SIZES)
def test_a_finished_game_of_twenty_hands_is_one_page(open_phone: OpenPhone, server: Server, size: str) -> None:
    """For a finished game of twenty hands, the score sheet fits on one printed page, and so does the board.

    No buttons are printed. Even with the dark theme, colors are printed as black on white.
    """
    page = open_phone(dark=True)
    board = bring_in(page, server, record(TYPICAL, players=LONG_NAMES, x_conceded=0))
    page.goto(f"{board}/sheet")
    (sheet,) = pages(page, size)
    page.goto(board)
    (printed,) = pages(page, size)
    for told in (sheet, printed):
        assert LONG_NAMES[0] in told
        assert "Longest streak of made bids" in told
        assert "To 21, bid to go out, win by 2" in told
        assert "\n20" in told
        for button in ("Play again", "Print", "Undo", "Save", "Scorekeeper"):
            assert button not in told
    page.emulate_media(media="print", color_scheme="dark")
    colours = page.evaluate(
        "[...document.querySelectorAll('body, .total, .score, .sheet td, .outcome h2')].map("
        "(part) => [getComputedStyle(part).color, getComputedStyle(part).backgroundColor].join(' on '))"
    )
    white = ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    assert all(told.partition(" on ")[2] in white and told.startswith(("rgb(0", "rgb(34")) for told in colours), colours


def test_a_long_game_takes_few_pages(page: Page, server: Server) -> None:
    """A game of a hundred hands prints on at most three pages, each with the table header."""
    hands = [hand(place % 4, 2, place % 2, place % 2, None, 1 - place % 2) for place in range(100)]
    many = record(hands)
    many["ruleset"]["options"] = {"target": 999}
    page.goto(f"{bring_in(page, server, many)}/sheet")
    printed = pages(page, "Letter")
    assert len(printed) <= 3
    assert all("Dealer" in told for told in printed)


@pytest.mark.parametrize("preset", ["setback-21", "setback-7-pitch", "ten-point-52", "smear-52", "somerset-66"])
def test_a_rule_card_prints_on_one_page(page: Page, preset: str) -> None:
    """Even the longest rule card prints on one page, on A4 and on US Letter."""
    page.goto(f"/rules/{preset}")
    assert [len(pages(page, size)) for size in SIZES] == [1, 1]


def test_the_rotation_of_a_small_night_fits_on_one_page(page: Page) -> None:
    """A seating plan for twelve people and four rounds prints on one page, with "Who plays whom" below it."""
    night = Night(page, [])
    set_up(night)
    for left, name in enumerate(NAMES.split()[:8], 1):
        press(page.locator("#here").get_by_role("button", name=name, exact=True))
        expect(page.locator("#door h2 small")).to_have_text(f"{20 - left} here")
    press(page.get_by_role("button", name="Make the seating"))
    expect(page.get_by_text("The seating is made.")).to_be_visible()
    page.goto(f"{night.path}/rotation")
    for size in SIZES:
        (told,) = pages(page, size)
        assert "Who plays whom" in told


def test_results_standings_receipt_and_accounts_are_one_page_each(browser: Browser, tmp_path: Path) -> None:
    """Of twenty players, ten nights and six prizes, with the reasons for the prizes and the rules of the season."""
    chance = Random(6)
    boot(settings_in(tmp_path))
    app = create_app(settings_in(tmp_path))
    with app.app_context(), quick_draws():
        league = seasons.make_league(name="Grange Hall Setback", device=DIRECTOR, client_id="make")
        data = [PersonData(name=f"{name} Featherstone") for name in NAMES.split()[:20]]
        ids = people.add_people(league=league, people=data, device=DIRECTOR)
        shares = [{"percent": share} for share in (30, 25, 20, 12, 8, 5)]
        season = seasons.open_season(
            league=league,
            name="Fall 2026",
            rules=PRESETS["setback-21"],
            counting=StandingSettings(),
            plan=NightPlan(rounds=4),
            money={"entry_fee": 500, "per_set": 25, "payout": shares},
            device=DIRECTOR,
        )
        at: dict[str, Any] = {"device": DIRECTOR}
        for week in range(10):
            day = date(2026, 9, 3) + timedelta(weeks=week)
            at["night"] = nights.open_night(season=season, day=day, device=DIRECTOR, another=True)
            nights.check_in(people=ids, **at)
            nights.draw(seed=1, **at)
            for place, table in enumerate(tables_of(db.session(), night_at(db.session(), at["night"]))):
                points = (21 + place % 4, chance.randint(0, 19))
                tables.tell_result(table=table.id, totals=points if place % 2 else points[::-1], **at)
            closing.close_night(**at)
        db.engine.dispose()
    with running(tmp_path) as server:
        context = browser.new_context(base_url=server.url)
        context.add_cookies([{"name": COOKIE, "value": WORD, "url": server.url}])
        page = context.new_page()
        night, accounts = f"/nights/{at['night']}", f"/seasons/{season}/money"
        for path in (f"{night}/results", f"/seasons/{season}", f"{night}/money", accounts):
            page.goto(path)
            for size in SIZES:
                told = pages(page, size)
                assert (path, len(told)) == (path, 1), told[-1]
                assert "Featherstone" in told[0], path
        for path in (f"{night}/results", f"/seasons/{season}"):
            page.goto(path)
            receipt = PdfReader(io.BytesIO(page.pdf(width="80mm", height="297mm"))).pages[0].extract_text()
            assert len(re.findall(r"\d–\d", receipt)) >= 20, path  # the column at the right
        context.close()
