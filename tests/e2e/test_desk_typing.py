"""What is typed at the desk stays until it is saved, whatever others save and whether or not the server answers."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import PATIENCE
from tests.e2e.night_over_the_wire import cards_of, night_over_the_wire, send_card
from tests.e2e.taps import press
from tests.support.server import command, kill_group, start
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page, Route

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def _desk(page: Page, url: str, night: str, cookies: list[dict[str, str]]) -> Page:
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.goto(f"{url}{night}/desk")
    return page


def _points(desk: Page, table: int) -> list[Locator]:
    return desk.locator(".grid .line").nth(table - 1).locator("[data-points]").all()


def _type(desk: Page, table: int, *points: int) -> None:
    for field, score in zip(_points(desk, table), points, strict=True):
        field.fill(str(score))


def _expect(desk: Page, table: int, *points: str) -> None:
    for field, score in zip(_points(desk, table), points, strict=True):
        expect(field).to_have_value(score)


def _save(desk: Page) -> None:
    press(desk.get_by_role("button", name="Save scores"))


def test_two_directors_type_the_same_table(open_phone: OpenPhone, server: Server) -> None:
    """What the second director typed stays, with the first score beside it, until one of the two is chosen.

    A score of which only one side is typed isn't mixed with the saved one.
    """
    night, cookies = night_over_the_wire(server.url, 12)
    first, second = (_desk(open_phone(), server.url, night, cookies) for _director in range(2))
    _type(second, 1, 14, 21)
    _points(second, 2)[0].fill("12")
    second.get_by_label("New player").fill("Max")
    _type(first, 1, 21, 9)
    _type(first, 2, 21, 5)
    _save(first)
    expect(first.get_by_text("Saved.", exact=True)).to_be_visible()
    told = second.locator(".grid .line").first.locator(".theirs")
    expect(told).to_contain_text("Someone else saved 21, 9 here.")
    _expect(second, 1, "14", "21")
    _expect(second, 2, "12", "")
    expect(second.get_by_label("New player")).to_have_value("Max")
    # Nothing is saved over the other's score by itself.
    _save(second)
    expect(second.get_by_text("aren't saved yet")).to_be_visible()
    _expect(second, 1, "14", "21")
    expect(told).to_be_visible()
    press(second.locator(".grid .line").nth(1).get_by_role("button", name="Discard mine"))
    _expect(second, 2, "21", "5")
    second.get_by_label("Reason for the change").fill("Read the sheet again.")
    _save(second)
    expect(second.get_by_text("Saved.", exact=True)).to_be_visible()
    expect(second.locator(".theirs")).to_have_count(0)
    second.reload()
    _expect(second, 1, "14", "21")
    _expect(second, 2, "21", "5")


def test_what_is_typed_survives_another_form_a_refusal_and_another_page(open_phone: OpenPhone, server: Server) -> None:
    """Check-ins, a refused score and a look at another page leave everything typed where it was.

    Sets and choices stay, too, and what is typed while a form is being sent.
    """
    night, cookies = night_over_the_wire(server.url, 12)
    desk = _desk(open_phone(), server.url, night, cookies)
    _type(desk, 1, 21, 21)
    _type(desk, 2, 21, 4)
    _save(desk)
    expect(desk.locator(".line [role=alert]")).to_be_visible()
    press(desk.locator("#swap summary"))
    desk.get_by_label("Player 1").select_option(label=_option(desk, "Ann"))
    desk.get_by_label("New player").fill("Max")
    press(desk.get_by_role("button", name="Add and check in"))
    expect(desk.get_by_text("Max is checked in.")).to_be_visible()
    _expect(desk, 1, "21", "21")
    expect(desk.get_by_label("Player 1")).not_to_have_value("")
    desk.get_by_label("New player").fill("Moe")
    press(desk.locator(".rounds a").nth(1))
    expect(desk.locator(".rounds a").nth(1)).to_have_attribute("aria-current", "page")
    expect(desk.get_by_label("New player")).to_have_value("Moe")
    press(desk.locator(".rounds a").first)
    expect(desk.locator(".rounds a").first).to_have_attribute("aria-current", "page")
    _expect(desk, 1, "21", "21")
    _expect(desk, 2, "21", "4")
    _type(desk, 1, 21, 8)

    def type_on(route: Route) -> None:
        desk.locator("[data-points]").nth(4).fill("13")
        route.continue_()

    desk.route("**/results", type_on)
    _save(desk)
    expect(desk.get_by_text("Saved.", exact=True)).to_be_visible()
    _expect(desk, 1, "21", "8")
    _expect(desk, 3, "13", "")


def _option(desk: Page, name: str) -> str:
    return desk.locator("#swap select").first.locator("option", has_text=re.compile(f"^{name}")).inner_text()


def test_scores_typed_after_the_night_was_closed_are_named(open_phone: OpenPhone, server: Server) -> None:
    """What was typed into fields that are gone can still be read, until the director has seen it."""
    night, cookies = night_over_the_wire(server.url, 12)
    desk, other = (_desk(open_phone(), server.url, night, cookies) for _director in range(2))
    _type(desk, 1, 21, 14)
    press(other.get_by_role("button", name="Close night anyway"))
    expect(other.get_by_text("This night is closed.")).to_be_visible()
    said = desk.locator("#unsaved")
    expect(said).to_contain_text(re.compile("Not saved, because the page has changed: Table 1.*: 21; Table 1.*: 14"))
    press(said.get_by_role("button", name="Got it"))
    expect(said.locator("p").nth(1)).to_be_hidden()


def test_the_desk_stays_while_the_server_is_gone(open_phone: OpenPhone, tmp_path: Path) -> None:
    """Without a server, the desk says so, keeps what is typed, and saves it once the server is back."""
    server = start(command(tmp_path))
    try:
        night, cookies = night_over_the_wire(server.url, 12)
        desk = _desk(open_phone(), server.url, night, cookies)
        _type(desk, 1, 21, 14)
        port = server.url.rpartition(":")[2]
        assert server.stop() == 0
        _save(desk)
        said = desk.locator("#unsaved")
        expect(said).to_contain_text("The server isn't answering. Nothing here is lost. Scorekeeper keeps trying.")
        _type(desk, 2, 21, 12)
        server = start(command(tmp_path, "--port", port))
        expect(desk.get_by_text("Saved.", exact=True)).to_be_visible()
        expect(said.locator("p").first).to_be_hidden()
        desk.reload()
        _expect(desk, 1, "21", "14")
        _expect(desk, 2, "21", "12")
        assert server.stop() == 0
    finally:
        kill_group(server)


def test_an_ended_session_and_an_expired_token_lose_nothing(open_phone: OpenPhone, server: Server) -> None:
    """An expired token is replaced without a word; a signed-out desk says so, and saves after the next sign-in."""
    night, cookies = night_over_the_wire(server.url, 12)
    desk = _desk(open_phone(), server.url, night, cookies)
    _type(desk, 1, 21, 14)
    desk.context.clear_cookies(name="scorekeeper")
    _save(desk)
    expect(desk.get_by_text("Saved.", exact=True)).to_be_visible()
    ours = desk.context.cookies()
    _type(desk, 2, 21, 12)
    desk.context.clear_cookies()
    _save(desk)
    said = desk.locator("#unsaved")
    expect(said.get_by_role("link", name="Sign in")).to_have_attribute("target", "_blank")
    expect(said).to_contain_text("Nothing here is lost.")
    _expect(desk, 2, "21", "12")
    desk.context.add_cookies(ours)  # type: ignore[arg-type]
    expect(said.locator("p").first).to_be_hidden(timeout=PATIENCE)
    desk.reload()
    _expect(desk, 2, "21", "12")


def test_the_desk_follows_the_tables_beside_a_refused_score(open_phone: OpenPhone, server: Server) -> None:
    """A refused score stays with its error until it is edited, while other tables, the count and disputes update.

    That holds on the page that answers the form in place, and on the page opened again after a refusal.
    """
    night, cookies = night_over_the_wire(server.url, 12)
    desk = _desk(open_phone(), server.url, night, cookies)
    cards = cards_of(desk, server.url, night)
    desk.goto(f"{night}/desk")
    left, lines = desk.locator("#round h2 small"), desk.locator(".grid .line")
    error = lines.first.locator("[role=alert]")
    _points(desk, 1)[0].fill("14")
    _save(desk)
    expect(error).to_have_text("Enter points for every side.")
    expect(left).to_have_text("3 tables left")
    with closing(WirePhone(server.url)) as phone:
        table = send_card(phone, cards[1], act="final", **{"points-0": 21, "points-1": 5})
    expect(left).to_have_text("2 tables left", timeout=PATIENCE)
    _expect(desk, 2, "21", "5")
    _expect(desk, 1, "14", "")
    expect(error).to_have_text("Enter points for every side.")
    expect(desk.get_by_text("The tables marked below aren't saved yet.")).to_be_visible()
    expect(_points(desk, 1)[1]).to_have_attribute("aria-invalid", "true")

    # Tapped before the scripts ran: the page after the refusal has an address of its own.
    desk.evaluate("document.querySelector('#grid').submit()")
    expect(desk).to_have_url(re.compile("answer="))
    expect(error).to_have_text("Enter points for every side.")
    with closing(WirePhone(server.url)) as phone:
        send_card(phone, cards[1], table=table, act="wrong", points="21,5")
    expect(lines.nth(1).get_by_text("21 to 5 is wrong.")).to_be_visible(timeout=PATIENCE)
    _expect(desk, 1, "14", "")
    expect(error).to_have_text("Enter points for every side.")
    expect(desk.locator(".theirs")).to_have_count(0)

    _points(desk, 1)[1].fill("21")
    expect(desk.locator("main [role=alert]")).to_have_count(0)
    _save(desk)
    expect(desk.get_by_text("Saved.", exact=True)).to_be_visible()
    _expect(desk, 1, "14", "21")


def test_a_question_about_a_score_stays_while_tables_save(open_phone: OpenPhone, server: Server) -> None:
    """How a game ended is asked by the refusal alone; question and answer stay, and an open part stays open."""
    night, cookies = night_over_the_wire(server.url, 12)
    desk = _desk(open_phone(), server.url, night, cookies)
    cards = cards_of(desk, server.url, night)
    desk.goto(f"{night}/desk")
    _type(desk, 1, 12, 14)
    _save(desk)
    ended = desk.get_by_label("How it ended")
    ended.select_option(index=1)
    value = ended.input_value()
    press(desk.locator("#forfeits summary"))
    with closing(WirePhone(server.url)) as phone:
        send_card(phone, cards[1], act="final", **{"points-0": 21, "points-1": 5})
    expect(desk.locator("#round h2 small")).to_have_text("2 tables left", timeout=PATIENCE)
    expect(ended).to_have_value(value)
    expect(desk.locator("#forfeits form")).to_be_visible()
    _save(desk)
    expect(desk.get_by_text("Saved.", exact=True)).to_be_visible()
    _expect(desk, 1, "12", "14")
