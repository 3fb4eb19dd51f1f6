"""Check WCAG 2.2 AA on every league page in `tests/web/routes.txt`, during the first night."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import press
from tests.e2e.test_axe import filled_in, judge, judge_all, judge_on_paper
from tests.e2e.test_league_night import Night, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def end_of(link: Locator) -> str:
    """Return the last part of the path in the address of a link."""
    return (link.first.get_attribute("href") or "").split("#")[0].rsplit("/", 1)[1]


MONEY = {
    "Entry fee": "5.00",
    "Charge per set (goes in the kitty)": "0.25",
    "Prizes by place, per night": "50%\n30%\n20%",
    "Side pots": "High hand 1.00",
}


def filled(page: Page, path: str, fields: dict[str, str], button: str) -> list[str]:
    """Open the page at `path`, fill in `fields` by name, and press the button named `button`.

    Return the problems that axe finds on the next page.
    """
    page.goto(path)
    page.locator("main details").evaluate_all("all => all.forEach(each => { each.open = true; })")
    for field, text in fields.items():
        page.locator(f"main [name={field}]").fill(text)
    press(page.get_by_role("main").get_by_role("button", name=button, exact=True))
    expect(page.get_by_role("alert").or_(page.get_by_role("status")).first).to_be_attached()
    return judge(page, f"{path}, {button}")


def test_every_page_of_a_league(page: Page) -> None:
    """Axe finds no problems on any league page, during a night that is played for money and after it is closed.

    One table of the night has only a final score, and another is scored on this device. Each page is checked in light
    and dark. Printed pages and pages with a refused form are checked, too.
    """
    night = Night(page, [])
    set_up(night, MONEY)
    assert judge(page, "desk before the draw") == []
    press(page.get_by_role("button", name="Make the seating"))
    expect(page.locator(".rounds a")).to_have_count(4)
    fields = page.locator(".grid .line").first.locator("input:not([type=hidden])")
    fields.nth(0).fill("8")
    fields.nth(1).fill("3")
    press(page.get_by_role("button", name="Save scores"))
    ending = page.get_by_label("How it ended")
    expect(ending).to_be_attached()  # nobody has 21
    assert judge(page, "a row that is asked about") == []
    ending.select_option(index=1)
    press(page.get_by_role("button", name="Save scores"))
    expect(page.locator(".grid .line.done")).to_have_count(1)
    values = {"night_id": night.path.rsplit("/", 1)[1], "number": "1", "who": "people", "part": "people"}
    values["season_id"] = end_of(page.get_by_role("link", name="Standings"))
    page.goto(f"{night.path}/cards")
    values["word"] = end_of(page.locator(".way-there a"))
    page.goto(night.path)
    values["table"] = end_of(page.locator(".at h3 a"))
    season = f"/seasons/{values['season_id']}"
    page.goto(season)
    values["person_id"] = end_of(page.locator("table.standings th a"))
    values["league_id"] = end_of(page.get_by_role("link", name="Fire Hall"))
    league = f"/leagues/{values['league_id']}"
    page.goto(f"{league}/roles")
    page.get_by_label("Name").fill("Rita")
    press(page.get_by_role("button", name="Create invitation"))
    values["secret"] = page.locator("input[type=url]").input_value().rsplit("/", 1)[1]
    assert judge(page, "an invitation that was made") == []
    page.goto(f"{season}/schedule")
    page.get_by_label("Date", exact=True).fill("2199-12-01")
    press(page.get_by_role("button", name="Plan nights"))
    values["planned_id"] = end_of(page.locator(".nights-list a"))
    values |= dict.fromkeys(("token", "squad_id", "file_id", "import_id", "code"), "used-up")
    page.goto(f"{league}/club")
    page.get_by_label("Make league public").check()
    press(page.get_by_role("button", name="Save"))
    values |= {"club": end_of(page.locator("main .notice a")), "season": "1", "night": "1"}
    page.goto(season)
    press(page.get_by_role("link", name="Go to current night"))
    press(page.locator("#round .start button").first)
    page.wait_for_url("**/games/*")
    everything = filled_in(values, lambda endpoint: endpoint.startswith("leagues."))
    assert judge_all(page, everything) == []
    wrong = filled(page, f"{league}/people/import", {"text": "Nan;Nanny;yes\nAnn\nNan"}, "Preview")
    past = "date,round,table,player 1,player 2,points 1,points 2\n2026-09-01,x,1,Ann,Ann,1,2"
    wrong += filled(page, f"{season}/results/import", {"text": past}, "Preview")
    wrong += filled(page, f"{league}/roles", {"called": " "}, "Create invitation")
    wrong += filled(page, f"{league}/seasons", {"name": "Next", "night-rounds": "99"}, "Start season")
    wrong += filled(page, f"{night.path}/money", {"amount": "a lot", "reason": "Raffle"}, "Save amount")
    half = page.locator(".grid input:not([type=hidden])")
    page.goto(f"{night.path}/desk")
    wrong += filled(page, f"{night.path}/desk", {half.first.get_attribute("name") or "": "5"}, "Save scores")
    page.goto(f"/people/{values['person_id']}/merge?into=Lou")
    wrong += judge(page, "merge, before it is done")
    for path in ("cards", "rotation", "sheets", "money"):
        wrong += judge_on_paper(page, f"{night.path}/{path}")
    assert wrong + judge_on_paper(page, season) == []

    page.goto(f"{night.path}/desk")
    press(page.get_by_role("button", name="Close night anyway"))
    expect(page.get_by_text("This night is closed. Its results count.")).to_be_visible()
    assert judge_all(page, [path for path in everything if "/cards/" not in path]) == []
    wrong = judge_on_paper(page, f"{night.path}/money")
    page.goto(f"/planned/{values['planned_id']}")
    press(page.get_by_role("button", name="Cancel night"))
    expect(page.get_by_role("button", name="Restore night")).to_be_visible()
    page.goto(season)
    press(page.get_by_role("button", name="Close season"))
    expect(page.get_by_label("Reason for reopening")).to_be_attached()
    assert wrong + judge(page, "season, closed") == []
