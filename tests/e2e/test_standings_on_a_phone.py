"""On a phone, the standings show what the season ranks by at once, and every other column by scrolling aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.taps import press
from tests.e2e.test_open_club import NAMES, RESULTS, open_club

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTH = 360
LOOK = """(table) => {
  const box = table.parentElement, seen = [];
  const heads = [...table.querySelectorAll("thead .n")], name = table.querySelector("tbody th");
  const inside = (element) => {
    const { left, right } = element.getBoundingClientRect(), edge = box.getBoundingClientRect();
    const covered = getComputedStyle(name).position === "sticky" && element !== name
      && left < name.getBoundingClientRect().right - 1;
    return left > edge.left - 1 && right < edge.right + 1 && !covered;
  };
  const first = inside(heads[0]) && inside(name);
  for (const head of heads) {
    box.scrollLeft = head.offsetLeft + head.offsetWidth - box.clientWidth;
    if (inside(head) && inside(name)) seen.push(head.textContent);
  }
  const wide = document.documentElement.scrollWidth > innerWidth;
  return { first, seen, heads: heads.map((head) => head.textContent), wide };
}"""


def season_by_points(desk: Page) -> str:
    """Start a season that ranks by total points and drops a night, with one closed night; return its address."""
    press(desk.get_by_role("link", name="Elm Lanes"))
    press(desk.get_by_role("link", name="Start a season"))
    desk.get_by_label("Season name").fill("2026/27")
    desk.evaluate("""() => {
      for (const box of document.querySelectorAll("details")) box.open = true;
      document.querySelector("[name=count-order]").value = "points";
      document.querySelector("[name=count-drop_nights]").value = "1";
    }""")
    press(desk.get_by_role("button", name="Start season"))
    press(desk.get_by_role("link", name="Import past results"))
    desk.get_by_role("textbox").first.fill(RESULTS)
    press(desk.get_by_role("button", name="Preview"))
    press(desk.get_by_role("button", name="Import"))
    desk.wait_for_url("**/seasons/*")
    return desk.url


def test_every_column_can_be_seen_beside_its_name(open_phone: OpenPhone) -> None:
    desk = open_phone()
    desk.goto("/leagues")
    desk.get_by_role("textbox").first.fill("Elm Lanes")
    press(desk.get_by_role("button", name="Create league"))
    desk.wait_for_url("**/leagues/*")
    league = desk.url
    press(desk.get_by_role("link", name="Add players"))
    desk.get_by_label("Names").fill("\n".join(NAMES))
    press(desk.get_by_role("button", name="Add players"))
    season = season_by_points(desk)
    open_club(desk, league, "elm-lanes")
    desk.set_viewport_size({"width": WIDTH, "height": 640})
    for path in (season, "/clubs/elm-lanes", "/clubs/elm-lanes/seasons/1", "/embed/elm-lanes/standings"):
        desk.goto(path)
        told = desk.locator("table.standings").first.evaluate(LOOK)
        assert told["first"], path
        assert told["heads"][:3] == ["Points", "Avg", "Games"], path
        assert "Dropped nights" in told["heads"], path
        assert told["seen"] == told["heads"], path
        assert not told["wide"], path
