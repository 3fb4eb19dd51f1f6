"""One group plays three evenings, the second offline and the third on another phone; all numbers are checked."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from scorekeeper import create_app
from scorekeeper.config import from_environment
from scorekeeper.games.store.models import GameRow
from scorekeeper.web.extensions import db, writing
from tests.e2e.pocket import PREPARED, SENT, Pocket, record, start
from tests.e2e.taps import expect_totals, owner_of, press, press_save, take_bid
from tests.e2e.test_offline import badge, ready
from tests.support import databases
from tests.support.naive_count import Told
from tests.support.server import running
from tests.support.table_numbers import Seen, check_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.e2e.wifi import Wifi
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

POINTS = ("High", "Low", "Jack", "Game")
GROUP = ("Ann", "Bob", "Cid", "Dee")
TURNED = ("Ann", "Cid", "Bob", "Dee")
WITH_EVE = ("Ann", "Bob", "Cid", "Eve")
WIN = [(0, 4, "AAAA")] * 4


@dataclass
class Group:
    """The group of players at the tested server, and all hands that they have tapped so far."""

    server: Server
    evening: int = 1
    tapped: dict[str, tuple[int, list[tuple[int, int, str]]]] = field(default_factory=dict)
    """Maps the path of a game to (evening, hands). Evenings count from 1. A hand is (bidder's seat, bid, winners)."""
    follows: dict[str, str] = field(default_factory=dict)
    """Maps the path of each game that was started with "Play again" to the path of the game before it."""

    def begin(self, page: Page, names: Sequence[str]) -> None:
        """Start a game from the home page with these players, in seat order."""
        page.goto("/")
        self._sits_down(start(page, "Setback", names), names)

    def again(self, page: Page) -> None:
        """Start the next game with "Play again" on the end page."""
        shown, before = page.url, self.path
        press(page.get_by_role("button", name="Play again"))
        expect(page).not_to_have_url(shown)
        ready(page)
        self._sits_down(re.sub(r"^https?://[^/]+", "", page.url), self.names)
        self.follows[self.path] = before

    def _sits_down(self, path: str, names: Sequence[str]) -> None:
        self.path, self.names = path, tuple(names)
        self.sides = [f"{names[side]} and {names[side + 2]}" for side in (0, 1)]
        assert path not in self.tapped
        self.tapped[path] = self.evening, []

    @property
    def hands(self) -> list[tuple[int, int, str]]:
        """The current game's hands, each as (bidder, bid, winners).

        This is the stored list, so a test can append a hand to the list.
        """
        return self.tapped[self.path][1]

    def play(self, page: Page, hands: Sequence[tuple[int, int, str]]) -> None:
        """Enter hands, and check the totals after each hand.

        Each hand is (bidder, bid, winners). The winners are a string with a letter for each of `POINTS`: A or B for a
        side, "-" for nobody.
        """
        for bidder, bid, took in hands:
            take_bid(page, self.names[bidder], bid)
            self.take(page, (bidder, bid, took))

    def take(self, page: Page, hand: tuple[int, int, str]) -> None:
        """Enter the winners of a hand whose bid is already entered, and save the hand.

        The third item of `hand` has a letter for each of `POINTS`: A or B for a side, "-" for nobody.
        """
        for point, letter in zip(POINTS, hand[2], strict=True):
            press(owner_of(page, point, {"A": self.sides[0], "B": self.sides[1], "-": ""}[letter]))
        press_save(page)
        self.hands.append(hand)
        expect_totals(page, *self.totals())

    def totals(self) -> list[int]:
        """Return the totals of both sides after all hands of the current game.

        A side scores the points that it took. But if the bidder's side is set, it loses as many points as it bid.
        """
        totals = [0, 0]
        for bidder, bid, took in self.hands:
            got = [took.count("A"), took.count("B")]
            if got[bidder % 2] < bid:
                got[bidder % 2] = -bid
            totals = [total + points for total, points in zip(totals, got, strict=True)]
        return totals

    def told(self) -> list[Told]:
        """Return all games as the server exports them.

        Check that each game has exactly the hands that were tapped.
        """
        told = []
        for path, (evening, hands) in self.tapped.items():
            exported = record(self.server, path)
            assert [_tapped(hand) for hand in exported["hands"]] == hands, path
            told.append(Told(_id(path), evening, exported, follows=_id(self.follows.get(path, ""))))
        return told


def _id(path: str) -> str:
    """Return the public id of the game at `path`."""
    return path.rsplit("/", 1)[-1]


def _tapped(hand: dict[str, Any]) -> tuple[int, int, str]:
    letters = (
        "-" if hand["points"][point.lower()] is None else "AB"[hand["points"][point.lower()]] for point in POINTS
    )
    return hand["bidder"], hand["bid"], "".join(letters)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the data folder of this test's own server."""
    return tmp_path / "instance"


@pytest.fixture
def server(folder: Path) -> Iterator[Server]:
    """Yield a server that only this test uses, because the test changes dates in the database."""
    with running(folder) as server:
        yield server


@contextmanager
def book(folder: Path) -> Iterator[None]:
    """Enter an application context that uses the database of the server with its data in `folder`."""
    app = create_app(from_environment(databases.variables_for(folder), instance=folder))
    with app.app_context():
        yield
    with app.app_context():  # after the session gave its connection back
        db.engine.dispose()


def a_week_later(folder: Path) -> None:
    """Make all games a week older by moving their dates back, as if a week had passed."""
    with book(folder), writing() as session:
        for game in session.scalars(select(GameRow)):
            game.started_at -= timedelta(days=7)
            game.updated_at -= timedelta(days=7)


def test_three_evenings(
    pocket: Pocket, air: Wifi, server: Server, folder: Path, browser: Browser, tmp_path: Path
) -> None:
    group = Group(server)
    code = first_evening(pocket, group)
    a_week_later(folder)
    group.evening = 2
    second_evening(pocket, air, group)
    group.told()
    a_week_later(folder)
    group.evening = 3
    other = Pocket(browser, tmp_path / "second", air)
    try:
        page = third_evening(other, group, code)
        check_table(Seen(lambda path: page.context.request.get(path).text()), group.told())
        with book(folder):
            started = db.session().scalars(select(GameRow.public_id)).all()
        assert sorted(started) == sorted(map(_id, group.tapped))
    finally:
        other.close()


def first_evening(pocket: Pocket, group: Group) -> str:
    """Play two games with a signal, and return a new backup code for the home table."""
    page = pocket.open()
    group.begin(page, GROUP)
    group.play(page, [(1, 3, "ABAB"), (0, 3, "AAAB"), *WIN])
    expect(page.locator(".outcome h2")).to_have_text("Ann and Cid win")
    group.again(page)
    group.play(page, [(2, 2, "AB-A"), *([(3, 4, "BBBB")] * 5)])
    expect(page.locator(".outcome h2")).to_have_text("Bob and Dee win")
    page.goto("/table/phones")
    press(page.get_by_role("button", name="Make code"))
    code = page.locator("p.code-word").inner_text()
    page.goto("/")
    page.evaluate(PREPARED)
    pocket.close()
    return code


def second_evening(pocket: Pocket, air: Wifi, group: Group) -> None:
    """Play three games without a signal, with an undo, a correction and an auction, and then send the games."""
    air.lead_to("")
    page = pocket.open()
    group.begin(page, TURNED)
    group.play(page, [(1, 2, "BBAA"), (0, 4, "AAAB")])
    press(page.get_by_role("button", name="Undo hand 2").first)
    group.hands.pop()
    expect_totals(page, *group.totals())
    group.play(page, WIN)
    correct_first_hand(page, group)
    group.play(page, [(2, 4, "AAAA")])
    expect(page.locator(".outcome h2")).to_have_text("Ann and Bob win")
    group.again(page)
    by_auction(page, group)
    group.play(page, [(1, 4, "BBBB")] * 5)
    expect(page.locator(".outcome h2")).to_have_text("Cid and Dee win")
    pocket.close()
    page = pocket.open()
    group.begin(page, WITH_EVE)
    group.play(page, [(3, 2, "BB-A"), *([(3, 4, "BBBB")] * 5)])
    expect(page.locator(".outcome h2")).to_have_text("Bob and Eve win")
    assert badge(page).inner_text()
    air.lead_to(group.server.url)
    page.evaluate(SENT)
    page.goto("/")
    expect(page.locator("a.game")).to_have_count(5)
    pocket.close()


def correct_first_hand(page: Page, group: Group) -> None:
    """Correct the first hand so that side A wins Low."""
    press(page.get_by_role("link", name="Correct hand 1", exact=True))
    press(owner_of(page, "Low", group.sides[0]))
    press(page.get_by_role("button", name="Review").and_(page.locator(".main")))
    press(page.locator(".effect").get_by_role("button", name="Save"))
    bidder, bid, took = group.hands[0]
    group.hands[0] = bidder, bid, f"{took[0]}A{took[2:]}"
    expect_totals(page, *group.totals())


def by_auction(page: Page, group: Group) -> None:
    """Play a hand whose bid is entered call by call, and go back to entering only the winning bid."""
    press(page.get_by_role("link", name="Bid player by player"))
    turn = page.locator(".turn bdi")
    name = turn.inner_text()
    press(page.get_by_role("button", name="Pass"))
    expect(turn).not_to_have_text(name)
    name = turn.inner_text()
    press(page.get_by_role("button", name=f"{name} bids 3"))
    for _seat in range(2):
        expect(turn).not_to_have_text(name)
        said = turn.inner_text()
        press(page.get_by_role("button", name="Pass"))
        expect(turn.filter(has_text=said)).not_to_be_attached()
    expect(page.get_by_role("heading", name="Who took what")).to_be_attached()
    group.take(page, (group.names.index(name), 3, "BABB"))
    press(page.get_by_role("link", name="Enter the winning bid"))


def third_evening(pocket: Pocket, group: Group, code: str) -> Page:
    """Use the backup code to move the group's home table to another phone, play on that phone, and return its page."""
    page = pocket.open()
    press(page.get_by_role("link", name="Lost your phone?"))
    page.get_by_label("Backup code").fill(code)
    press(page.get_by_role("button", name="Take over"))
    expect(page.get_by_role("region", name="Phones at this table")).to_contain_text("main phone")
    group.begin(page, TURNED)
    group.play(page, [*WIN, (2, 4, "AAAA"), (0, 3, "AAAB")])
    expect(page.locator(".outcome h2")).to_have_text("Ann and Bob win")
    return page
