"""A timed and a progressive night with five phones, one at each table and one of them without a signal at the bell."""

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


TABLES = 5
LONGER_THAN_A_NOTICE = 7_000
"""Milliseconds after which the notice that hands are saved is gone from a phone."""


class Hall:
    """A night with a page for the desk, one for the TV, and one for the phone of each table, which keeps score."""

    def __init__(self, open_phone: OpenPhone, server: Server, **plan: object) -> None:
        self.night, cookies = night_over_the_wire(server.url, 4 * TABLES, **plan)
        self.desk, self.tv = open_phone(), open_phone()
        self.desk.context.add_cookies(cookies)  # type: ignore[arg-type]
        self.desk.goto(f"{self.night}/cards")
        self.cards = [link.get_attribute("href") or "" for link in self.desk.locator(".way-there a").all()]
        self.desk.goto(f"{self.night}/desk")
        self.tv.goto(f"{self.night}/tv")
        self.phones = [open_phone() for _table in range(TABLES)]
        for table in range(TABLES):
            self.scan(table)

    def scan(self, table: int) -> None:
        """Scan the card of a table with its phone, and start to keep score there."""
        phone = self.phones[table]
        phone.goto(self.cards[table])
        press(phone.get_by_role("button", name="Score this table").first)
        expect(phone).to_have_url(re.compile(r"/games/\w+$"))
        expect(phone.get_by_role("heading", name="Winning bid")).to_be_attached()

    def at_desk(self, round_number: int) -> list[tuple[str, str]]:
        """Open a round at the desk, and return the people of both sides at each of its tables."""
        self.desk.goto(f"{self.night}/desk?round={round_number}")
        sides = [line.locator(".who-sits").all_inner_texts() for line in self.desk.locator(".grid .line").all()]
        return [(one, other) for one, other in sides]

    def take_away(self, table: int) -> Page:
        """Take the signal from the phone at a table, once it can do without, and return the phone."""
        phone = self.phones[table]
        expect(phone.locator("html[data-offline=ready]")).to_be_attached()
        phone.context.set_offline(True)
        return phone

    def ring(self) -> None:
        """Ring the bell at the desk."""
        self.desk.goto(f"{self.night}/desk")
        press(self.desk.get_by_role("button", name="Ring bell"))
        expect(self.desk.get_by_role("button", name="Undo bell")).to_be_visible()

    def end_at_desk(self, table: int) -> None:
        """End the game of a table at the desk as it is."""
        self.desk.goto(f"{self.night}/desk")
        press(self.desk.get_by_role("button", name=f"End game Table {table + 1}"))
        expect(self.desk.get_by_role("button", name=f"End game Table {table + 1}")).to_have_count(0)

    def expect_round_over(self, number: int) -> None:
        """Check that the desk has the results of all tables of a round."""
        self.desk.goto(f"{self.night}/desk?round={number}")
        expect(self.desk.locator("#round h2")).to_have_text(re.compile(rf"Round {number}\s+all done"))

    def expect_same_clock(self, *away: Page) -> str:
        """Check that the desk, the TV and all phones but those `away` count down to the same moment; return it."""
        due = self.desk.locator("time.clock").get_attribute("datetime") or ""
        for page in (self.desk, self.tv, *self.phones):
            if page not in away:
                expect(page.locator("time.clock")).to_have_attribute("datetime", due)
                expect(page.locator("time.clock")).to_contain_text(re.compile(r"Bell at \d.* \d+:\d\d left"))
        return due


def expect_rung(phone: Page) -> None:
    """Check that a phone says that its hand is the last one."""
    expect(phone.locator("form.notice", has_text=RUNG)).to_be_visible()


def expect_over(phone: Page) -> None:
    """Check that a phone shows the end of its game, and offers no other hand."""
    expect(phone.locator(".outcome")).to_contain_text("win")
    expect(phone.get_by_role("heading", name="Winning bid")).to_have_count(0)


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
    """The desk, the TV and each phone show the same clock and the bell at once, without being opened again.

    A phone saves its last hand, or says that there is none, or the desk does. It then offers no other hand. A phone
    that was offline plays on. Of its hands after the bell, one counts. Then the next round has its own clock.
    """
    hall = Hall(open_phone, server, **{"format": "timed", "timed-minutes": 20, "timed-one_more": 1})
    playing, tied, between, forgotten, away = hall.phones
    hall.desk.reload()
    press(hall.desk.get_by_role("button", name="Start the clock: 20 minutes"))
    first_due = hall.expect_same_clock()
    press(hall.desk.get_by_role("button", name="5 more minutes"))
    expect(hall.desk.locator("time.clock")).not_to_have_attribute("datetime", first_due)
    assert hall.expect_same_clock() > first_due
    for phone in hall.phones:
        play(phone)
        expect_totals(phone, 4, 0)
    hall.take_away(4)
    hall.ring()
    expect(hall.desk.locator(".last-hands form")).to_have_count(TABLES)
    expect(hall.tv.locator(".rung")).to_have_text("Time! Finish the hand.")
    expect(hall.tv.locator("time.clock")).to_have_count(0)
    for phone in (playing, tied, between, forgotten):
        expect_rung(phone)
        expect(phone.locator("time.clock")).to_have_count(0)

    play(playing)
    expect_totals(playing, 8, 0)
    expect_over(playing)
    play(tied, winner=1)
    expect_totals(tied, 4, 4)
    expect(tied.locator("form.notice")).to_have_text("The bell has rung, and it's tied. Play one more hand.")
    play(tied, winner=1)
    expect_over(tied)
    press(between.get_by_role("button", name="No hand in progress"))
    expect_over(between)
    hall.end_at_desk(3)
    expect_over(forgotten)
    expect(hall.desk.locator(".last-hands form")).to_have_count(1)

    for _hand in range(3):
        play(away, winner=1)
        expect(away.locator("time.clock")).to_contain_text("Bell at ")
    away.reload()
    expect_totals(away, 4, 12)
    expect(away.locator("time.clock")).to_contain_text("Bell at ")
    away.context.set_offline(False)
    lost = away.locator(".waiting")
    expect(lost).to_contain_text("Not counted: hand 4. The bell had rung.")
    expect_totals(away, 4, 8)
    expect_over(away)
    away.wait_for_timeout(LONGER_THAN_A_NOTICE)
    expect(lost).to_contain_text("Not counted: hand 4.")
    away.reload()
    expect(lost).to_contain_text("Not counted: hand 4.")
    press(lost.get_by_role("button", name="Got it"))
    expect(lost).to_be_hidden()
    away.reload()
    expect_over(away)
    expect(away.locator("html[data-offline=ready]")).to_be_attached()
    expect(lost).to_have_count(0)
    hall.expect_round_over(1)

    seats = hall.at_desk(2)
    for table, phone in enumerate(hall.phones):
        hall.scan(table)
        assert sides(phone) == tuple(" and ".join(side.split(", ")) for side in seats[table])
        expect(phone.locator("form.notice", has_text=RUNG)).to_have_count(0)
    hall.desk.reload()
    press(hall.desk.get_by_role("button", name="Start the clock: 20 minutes"))
    hall.expect_same_clock()


def test_the_bell_of_a_progressive_night(open_phone: OpenPhone, server: Server) -> None:
    """The desk is told to ring when table 1 has finished. Winners move up, and losers stay, or leave table 1.

    A phone can't change a result once round 2 is seated: neither one that was there, nor one that comes back with the
    last hand of a game that the desk has ended without it.
    """
    hall = Hall(open_phone, server, **{"format": "progressive", "progressive-hands": 1})
    head, second, third, fourth, away = hall.phones
    before = hall.at_desk(1)
    for phone in (second, third, fourth, away):
        play(phone)
        expect_totals(phone, 4, 0)
    hall.take_away(4)
    play(head)
    expect_over(head)
    expect(second.locator(".outcome")).to_have_count(0)
    expect(hall.desk.get_by_text("Table 1 has finished. Ring the bell for the other tables.")).to_be_visible()
    hall.ring()
    expect(hall.tv.locator(".rung")).to_have_text("Time! Finish the hand.")
    for phone in (second, third, fourth):
        expect_rung(phone)
    for phone in (second, third):
        play(phone)
        expect_over(phone)
    play(fourth, winner=1)
    expect_totals(fourth, 4, 4)
    play(fourth, winner=1)
    expect_over(fourth)
    for _hand in range(2):
        play(away, winner=1)
    expect_totals(away, 4, 8)
    hall.end_at_desk(4)
    hall.expect_round_over(1)
    press(hall.desk.get_by_role("button", name="Make seating for round 2"))
    expect(hall.desk.get_by_text("The seating is made.")).to_be_visible()
    winners = (0, 0, 0, 1, 0)
    won, lost = (
        [set(table[side ^ flip].split(", ")) for table, side in zip(before, winners, strict=True)] for flip in (0, 1)
    )
    moved = [won[0] | won[1], lost[1] | won[2], lost[2] | won[3], lost[3] | won[4], lost[4] | lost[0]]
    after = hall.at_desk(2)
    assert [{*one.split(", "), *other.split(", ")} for one, other in after] == moved
    press(second.get_by_role("button", name="Resume the game"))
    expect(second.get_by_text("The next round is set, so only the desk can change this result.")).to_be_visible()

    away.context.set_offline(False)
    expect(away.locator(".waiting")).to_contain_text("Hands after your table's last one don't count")
    expect_totals(away, 4, 0)
    expect_over(away)
    assert hall.at_desk(2) == after
    expect(hall.desk.get_by_text("no longer fits")).to_have_count(0)
    for table, phone in enumerate(hall.phones):
        hall.scan(table)
        assert sides(phone) == tuple(" and ".join(side.split(", ")) for side in after[table])
