"""The bell of a timed and of a progressive night, with a phone at each table, one of them without a signal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.night_over_the_wire import night_over_the_wire
from tests.e2e.taps import choose, expect_totals, press, press_save, take_bid

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.database]

RUNG = "The bell has rung. Finish this hand: it's the last one."


class Hall:
    """A night with a page for the desk and one for the phone at each table, which keeps score there."""

    def __init__(self, open_phone: OpenPhone, server: Server, tables: int, **plan: object) -> None:
        self.night, cookies = night_over_the_wire(server.url, 4 * tables, **plan)
        desk = f"{self.night}/desk"
        self.desk = open_phone()
        self.desk.context.add_cookies(cookies)  # type: ignore[arg-type]
        self.desk.goto(f"{self.night}/cards")
        self.cards = [link.get_attribute("href") or "" for link in self.desk.locator(".way-there a").all()]
        self.desk.goto(desk)
        self.phones = [open_phone() for _table in range(tables)]
        for at_table, card in zip(self.phones, self.cards, strict=True):
            at_table.goto(card)
            press(at_table.get_by_role("button", name="Score this table").first)
            expect(at_table).to_have_url(re.compile(r"/games/\w+$"))

    def ring(self) -> None:
        """Ring the bell at the desk."""
        self.desk.reload()
        press(self.desk.get_by_role("button", name="Ring bell"))
        expect(self.desk.get_by_role("button", name="Undo bell")).to_be_visible()


def play(phone: Page, winner: int = 0) -> None:
    """Save a hand whose four points all go to one side."""
    side = sides(phone)[winner]
    take_bid(phone, side.split(" and ")[0], 2)
    choose(phone, side, side, side, side)
    press_save(phone)


def sides(phone: Page) -> tuple[str, str]:
    """Return the names of the two sides on the board."""
    first, second = phone.title().split(" – ")[0].rsplit(", ", 1)
    return re.sub(r" −?\d+$", "", first), re.sub(r" −?\d+$", "", second)


def test_the_bell_of_a_timed_night(open_phone: OpenPhone, server: Server) -> None:
    """Each phone shows the clock and the bell at once, and saves its last hand, or says that there is none.

    It then offers no other hand. A phone that was offline plays on. Of its hands after the bell, one counts.
    """
    timed = {"format": "timed", "timed-minutes": 20, "timed-one_more": 1}
    hall = Hall(open_phone, server, 3, **timed)
    playing, between, away = hall.phones
    hall.desk.reload()
    press(hall.desk.get_by_role("button", name="Start the clock: 20 minutes"))
    for page in (hall.desk, playing):
        expect(page.locator("time.clock")).to_contain_text(re.compile(r"Bell at \d.* 1\d:\d\d left"))
    for phone in hall.phones:
        play(phone)
        expect_totals(phone, 4, 0)
    expect(away.locator("html[data-offline=ready]")).to_be_attached()
    away.context.set_offline(True)
    hall.ring()
    expect(hall.desk.locator(".last-hands form")).to_have_count(3)
    for phone in (playing, between):
        expect(phone.locator("form.notice", has_text=RUNG)).to_be_visible()
    play(playing, winner=1)
    expect_totals(playing, 4, 4)
    expect(playing.locator("form.notice")).to_have_text("The bell has rung, and it's tied. Play one more hand.")
    play(playing, winner=1)
    expect(playing.locator(".outcome")).to_contain_text("win")
    press(between.get_by_role("button", name="No hand in progress"))
    expect(between.locator(".outcome")).to_contain_text("win")
    for _hand in range(3):
        play(away, winner=1)
    expect_totals(away, 4, 12)
    away.context.set_offline(False)
    expect(away.locator(".waiting")).to_contain_text("Hands after your table's last one don't count")
    expect_totals(away, 4, 8)
    expect(away.locator(".outcome")).to_contain_text("win")
    hall.desk.reload()
    expect(hall.desk.get_by_role("link", name="Round 1")).to_contain_text("✓")


def test_the_bell_of_a_progressive_night(open_phone: OpenPhone, server: Server) -> None:
    """The desk is told to ring when table 1 has finished. A phone can't change a result once round 2 is seated."""
    hall = Hall(open_phone, server, 2, **{"format": "progressive", "progressive-hands": 1})
    head, other = hall.phones
    play(other)
    play(head)
    expect(head.locator(".outcome")).to_contain_text("win")
    expect(other.locator(".outcome")).to_have_count(0)
    expect(hall.desk.get_by_text("Table 1 has finished. Ring the bell for the other tables.")).to_be_visible()
    hall.ring()
    expect(other.locator("form.notice", has_text=RUNG)).to_be_visible()
    play(other)
    expect(other.locator(".outcome")).to_contain_text("win")
    hall.desk.reload()
    press(hall.desk.get_by_role("button", name="Make seating for round 2"))
    expect(hall.desk.get_by_text("The seating is made.")).to_be_visible()
    press(other.get_by_role("button", name="Resume the game"))
    expect(other.get_by_text("The next round is set, so only the desk can change this result.")).to_be_visible()
