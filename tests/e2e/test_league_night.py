"""A whole league night has 5 tables, 20 players and 4 rounds; one player is late, one leaves, and one substitutes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import play, press

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Locator, Page

    from tests.e2e.conftest import OpenPhone

NAMES = "Ann Bob Cid Dee Eve Fay Gus Hal Ida Jim Kay Lea Mae Ned Oda Pat Rex Tom Uma Vic Lou"
"""Names of the league's players. Rex is absent and the new player Sue plays for Rex; Lou comes late."""

ROUNDS: tuple[tuple[str, ...], ...] = (
    ("Ann Bob Cid Dee", "Eve Fay Gus Hal", "Ida Jim Kay Lea", "Mae Ned Oda Pat", "Sue Tom Uma Vic"),
    ("Ann Cid Bob Dee", "Eve Gus Fay Hal", "Ida Kay Jim Lea", "Mae Oda Ned Pat", "Sue Uma Tom Vic"),
    ("Ann Bob Dee Cid", "Eve Fay Hal Gus", "Ida Jim Lea Kay", "Mae Ned Pat Oda", "Sue Lou Uma Vic"),
    ("Ann Eve Bob Fay", "Cid Gus Dee Hal", "Ida Mae Jim Ned", "Kay Oda Lea Pat", "Sue Uma Lou Vic"),
)
"""For each round, the players at each table in seat order; the first and the third player are partners.

Lou sits out round 2, and Tom leaves after that round.
"""
SCORES: tuple[tuple[tuple[int, int], ...], ...] = (
    ((24, 0), (21, 10), (12, 21), (21, 15), (21, 17)),
    ((21, 14), (9, 21), (21, 11), (13, 21), (21, 16)),
    ((10, 21), (21, 13), (21, 19), (21, 8), (14, 21)),
    ((21, 12), (15, 21), (21, 5), (11, 21), (21, 20)),
)
"""For each round, the final score at each table.

The points of table 5 in round 1 are first entered for the wrong sides, and corrected later.
"""
STANDINGS = """
1 Lou 21.00 42 2 2–0
2 Jim 20.50 82 4 3–1
3 Pat 19.50 78 4 3–1
4 Rex 19.25 77 4 3–1
5 Ann 19.00 76 4 3–1
6 Gus 19.00 76 4 3–1
7 Tom 19.00 38 2 1–1
8 Ida 18.75 75 4 3–1
9 Cid 18.50 74 4 2–2
10 Vic 18.50 74 4 1–3
11 Hal 18.25 73 4 3–1
12 Oda 17.75 71 4 3–1
13 Uma 17.75 71 4 1–3
14 Lea 16.00 64 4 2–2
15 Bob 15.75 63 4 3–1
16 Eve 15.75 63 4 2–2
17 Mae 15.00 60 4 2–2
18 Kay 13.25 53 4 0–4
19 Fay 11.00 44 4 0–4
20 Ned 10.25 41 4 0–4
21 Dee 9.75 39 4 0–4
"""
"""Rows of rank, name, points per game, points, games, and games won and lost. Sue's games count for Rex.

Ann, Gus and Tom have the same points per game. Tom is last of the three, with only one win. Ann and Gus have the same
number of wins and never played against each other, so Ann is first by a point differential of 29 to 21.
"""


class Night:
    """A league night, with a page for the director's browser and a page for the phone at each table."""

    def __init__(self, desk: Page, phones: list[Page]) -> None:
        self.desk = desk
        self.phones = phones
        self.path = ""
        self.cards: list[str] = []

    def at_desk(self, round_number: int | None = None) -> Locator:
        """Open the page from which the night is directed, and return its main part.

        `round_number`, from 1, is the round to show; if None, the page chooses the round.
        """
        self.desk.goto(f"{self.path}/desk" + (f"?round={round_number}" if round_number else ""))
        return self.desk.get_by_role("main")

    def seats(self) -> list[list[str]]:
        """Return the names at each table of the round that the director's page shows, in seat order."""
        tables = []
        for line in self.desk.locator(".grid .line").all():
            told = line.locator(".who-sits").all_inner_texts()
            sides = [re.sub(r" \(for \w+\)", "", text).split(", ") for text in told]
            tables.append([person for pair in zip(*sides, strict=True) for person in pair])
        return tables

    def arrange(self, index: int) -> None:
        """Swap people in a round until everyone sits as `ROUNDS` says.

        The first swap is done by taps, and the others by requests to the server. `index` is the number of the round,
        from 0.
        """
        self.at_desk(index + 1)
        ids = dict(
            self.desk.locator("#swap select[name=one] option").evaluate_all(
                "all => all.filter(each => each.value).map(each => [each.textContent.split(' (')[0], each.value])"
            )
        )
        token = self.desk.locator("#swap [name=csrf_token]").input_value()
        address = self.desk.locator("#swap form").get_attribute("action") or ""
        wanted = [person for table in ROUNDS[index] for person in table.split()]
        now = [person for table in self.seats() for person in table]
        changes = 0
        for seat, person in enumerate(wanted):
            other = now[seat]
            if other == person:
                continue
            if not changes:
                self.change_places(person, other)
            else:
                tap = f"change-{index}-{changes}-of-{person}"
                sent = {"csrf_token": token, "client_id": tap, "one": ids[person], "other": ids[other]}
                answer = self.desk.request.post(
                    address, form=sent, headers={"Origin": self.desk.url.split("/nights/")[0]}, max_redirects=0
                )
                assert answer.status == 303, answer.text()
            changes += 1
            if person in now:
                now[now.index(person)] = other
            now[seat] = person
        self.at_desk(index + 1)
        assert [" ".join(table) for table in self.seats()] == list(ROUNDS[index])

    def change_places(self, one: str, other: str) -> None:
        """Swap the seats of two people by taps on the director's page."""
        press(self.desk.locator("#swap > summary"))
        for field, person in (("one", one), ("other", other)):
            options = self.desk.locator(f"#swap [name={field}]")
            label = options.locator("option", has_text=re.compile(rf"^{person} \(")).inner_text()
            options.select_option(label=label)
        press(self.desk.get_by_role("button", name="Swap players"))
        expect(self.desk.locator("#swap:not([open])")).to_be_attached()

    def scan(self, table: int) -> Page:
        """Scan a table's card with the table's phone, start scoring with one tap, and return the phone's page.

        `table` is the number of the table, from 0.
        """
        phone = self.phones[table]
        phone.goto(self.cards[table])
        press(phone.get_by_role("button", name="Score this table").first)
        expect(phone).to_have_url(re.compile(r"/games/\w+$"))
        return phone

    def tell(self, index: int, table: int) -> None:
        """Scan a table's card with its phone, and enter the table's final score from `SCORES`.

        `index` is the number of the round, and `table` is the number of the table. Both numbers count from 0.
        """
        phone = self.phones[table]
        phone.goto(self.cards[table])
        folded = phone.locator("summary", has_text="Enter final score")
        if folded.count():  # while the last round waits for its confirmation
            press(folded)
        for side, points in enumerate(SCORES[index][table]):
            phone.locator(f"[name=points-{side}]").fill(str(points))
        press(phone.get_by_role("button", name="Save final score"))
        if SCORES[index][table] == (21, 20):  # a win by one needs an answer
            press(phone.get_by_role("button", name=re.compile("^Time ran out")))
        expect(phone.locator(".result .pts")).to_have_text([str(points) for points in SCORES[index][table]])


def standings(page: Page) -> list[str]:
    """Return the rows of the standings as text.

    Each row begins with the rank as a number, without any words that the page shows beside the rank.
    """
    rows = page.locator("table.standings:not(.grid) tbody tr").all()
    cells = [[cell.strip() for cell in row.locator("th, td").all_inner_texts()] for row in rows]
    return [" ".join([re.sub(r"\D.*", "", place, flags=re.DOTALL), *others]) for place, *others in cells]


def set_up(night: Night, money: Mapping[str, str] | None = None, *, arrive: bool = True) -> None:
    """Create a league with its people and a season, open a night, and check in twenty people.

    Rex and Lou aren't checked in. Sue is added as a new player and substitutes for Rex. `money` maps the label of each
    field to fill in under "Money" in the season form to the value to type. If `arrive` is false, nobody is checked in.
    """
    desk = night.desk
    desk.goto("/leagues")
    desk.get_by_label("League name").fill("Fire Hall")
    press(desk.get_by_role("button", name="Create league"))
    press(desk.get_by_role("link", name="Add players"))
    desk.get_by_label("Names").fill(NAMES.replace(" ", "\n"))
    press(desk.get_by_role("button", name="Add players"))
    press(desk.get_by_role("link", name="Fire Hall"))
    press(desk.get_by_role("link", name="Start a season"))
    desk.get_by_label("Season name").fill("2026/27")
    if money:
        press(desk.locator("summary", has_text="Money"))
        for label, text in money.items():
            desk.get_by_label(label).fill(text)
    press(desk.get_by_role("button", name="Start season"))
    press(desk.get_by_role("button", name="Open a night"))
    expect(desk.get_by_role("heading", name="Desk: Fire Hall, night 1")).to_be_visible()
    night.path = re.sub(r"/desk.*", "", desk.url)
    door = desk.locator("#door")
    if not arrive:
        return
    for count, name in enumerate((name for name in NAMES.split() if name not in ("Rex", "Lou")), 1):
        press(door.get_by_role("button", name=name, exact=True))
        expect(door.locator("h2 small")).to_have_text(f"{count} here")
    door.get_by_label("New player").fill("Sue")
    press(door.get_by_role("button", name="Add and check in"))
    expect(door.locator("h2 small")).to_have_text("20 here")
    press(desk.locator("#here summary"))
    subs = desk.locator("#subs")
    subs.get_by_label("Substitute").select_option(label="Sue")
    subs.get_by_label("Plays for").select_option(label="Rex")
    press(desk.get_by_role("button", name="Save substitute"))
    expect(desk.get_by_role("button", name="Stop substituting")).to_be_visible()
    expect(desk.locator("#subs .held")).to_contain_text("Sue for Rex")


def first_round(night: Night) -> None:
    """Score the five tables of round 1, and check in a late player.

    Table 1 is scored hand by hand, tables 2 to 4 on their phones, and table 5 from paper.
    """
    desk = night.desk
    night.arrange(0)
    phone = night.scan(0)
    late = night.at_desk()
    late.get_by_label("Find a name").fill("lo")
    desk.keyboard.press("Enter")
    expect(late.get_by_text("Lou has no seat yet.").first).to_be_visible()
    press(late.get_by_role("button", name="Redo seating from round 2"))
    expect(late.get_by_text("Lou has no seat yet.")).to_have_count(0)
    ours = "Ann and Cid"
    for hand in range(6):
        says = f"Made it! {ours} score 4, from {4 * hand} to {4 * hand + 4}."
        won = f"{ours} win. {ours} made their bid of 4 and won 24 to 0. " if hand == 5 else ""
        play(phone, "Ann", 4, (ours,) * 4, won + says)
    for table in (1, 2, 3):
        night.tell(0, table)
    press(night.phones[1].get_by_role("button", name="Confirm for Eve and Gus"))
    press(night.phones[1].get_by_role("button", name="Confirm as Fay"))
    expect(night.phones[1].locator("p.yes")).to_have_count(2)
    expect(night.phones[1].get_by_text("Confirmed by Fay")).to_have_count(1)
    by_keyboard(night)


def by_keyboard(night: Night) -> None:
    """Enter table 5's score from paper on the director's page, by keyboard alone.

    The points of the two sides are swapped on purpose, as if by a typing mistake.
    """
    desk = night.desk
    night.at_desk(1)
    desk.get_by_label("Table 2: Eve and Gus").focus()
    for _table in range(3):
        desk.keyboard.press("ArrowDown")
    for points in reversed(SCORES[0][4]):
        desk.keyboard.type(str(points))
        desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    expect(desk.locator("#round h2 small")).to_have_text("all done")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.database
def test_a_night_from_check_in_to_the_standings(open_phone: OpenPhone) -> None:
    desk, guest = open_phone(), open_phone()
    desk.set_viewport_size({"width": 1280, "height": 800})
    night = Night(desk, [open_phone() for _table in range(5)])
    set_up(night)
    press(desk.get_by_role("button", name="Make the seating"))
    expect(desk.locator(".rounds a")).to_have_count(4)
    guest.goto(night.path)
    expect(guest.get_by_role("heading", name="Your seat in round 1")).to_be_visible()
    desk.goto(f"{night.path}/cards")
    night.cards = [link.get_attribute("href") or "" for link in desk.locator(".way-there a").all()]
    assert len(night.cards) == 5

    first_round(night)
    night.arrange(1)
    assert "Lou" in desk.locator("#round .byes").inner_text()
    for table in range(5):
        night.tell(1, table)
    here = night.at_desk()
    press(here.locator("#here summary"))
    press(here.locator("#here").get_by_role("button", name="Tom", exact=True))
    expect(here.get_by_text("Tom has left but still has a seat.").first).to_be_visible()
    press(here.get_by_role("button", name="Redo seating from round 3"))
    expect(here.get_by_text("Tom has left but still has a seat.")).to_have_count(0)
    for index in (2, 3):
        night.arrange(index)
        for table in range(5):
            night.tell(index, table)

    end = night.at_desk()
    press(end.get_by_role("button", name="Close night"))
    expect(end.get_by_text("This night is closed. Its results count.")).to_be_visible()
    expect(guest.get_by_text("This night is over.")).to_be_visible()
    press(end.get_by_text("Reopen", exact=True))
    end.get_by_label("Reason", exact=True).first.fill("Table 5 was written the wrong way round.")
    press(end.get_by_role("button", name="Reopen night"))
    expect(end.get_by_role("button", name="Close night")).to_be_visible()
    correct = night.at_desk(1)
    for side, (name, points) in enumerate(zip(("Sue and Uma", "Tom and Vic"), SCORES[0][4], strict=True)):
        expect(correct.get_by_label(f"Table 5: {name}")).to_have_value(str(SCORES[0][4][1 - side]))
        correct.get_by_label(f"Table 5: {name}").fill(str(points))
    correct.get_by_label("Reason for the change").fill("Written the wrong way round.")
    press(correct.get_by_role("button", name="Save scores"))
    expect(correct.get_by_label("Reason for the change")).to_have_value("")
    press(correct.get_by_role("button", name="Close night"))
    expect(correct.get_by_text("This night is closed. Its results count.")).to_be_visible()

    press(desk.get_by_role("navigation").get_by_role("link", name="Standings"))
    expect(desk.locator("table.standings:not(.grid) tbody tr")).to_have_count(21)
    assert standings(desk) == STANDINGS.strip().splitlines()
