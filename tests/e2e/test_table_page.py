"""The page of a table follows what other phones say about its score, without losing what is typed on it."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import PATIENCE
from tests.e2e.night_over_the_wire import cards_of, night_over_the_wire, send_card
from tests.e2e.taps import press
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_phone_that_typed_the_score_is_told_about_a_dispute(open_phone: OpenPhone, server: Server) -> None:
    """The dispute appears and disappears by itself. A correction that is half typed stays, with its error."""
    night, cookies = night_over_the_wire(server.url, 8)
    desk, phone = open_phone(), open_phone()
    desk.context.add_cookies(cookies)  # type: ignore[arg-type]
    card = cards_of(desk, server.url, night)[0]
    phone.goto(f"{server.url}{card}")
    for side, points in enumerate(("9", "21")):
        phone.locator(f"[name=points-{side}]").fill(points)
    press(phone.get_by_role("button", name="Save final score"))
    expect(phone).to_have_url(re.compile(r"/tables/\d+"))
    table = re.findall(r"/tables/(\d+)", phone.url)[0]
    told = phone.get_by_text("According to another phone, 9 to 21 is wrong.")
    field = phone.locator("[name=points-0]")
    error = phone.locator("#final .error")
    field.fill("12")
    press(phone.get_by_role("button", name="Save final score"))
    expect(error).to_have_text("Enter points for every side.")
    phone.evaluate("window.same = true")
    with closing(WirePhone(server.url)) as other:
        send_card(other, card, table=table, act="wrong", points="9,21")
        expect(told).to_be_visible(timeout=PATIENCE)
        expect(field).to_have_value("12")
        expect(error).to_have_text("Enter points for every side.")
        field.fill("2")
        expect(error).to_have_count(0)
    desk.goto(f"{server.url}{night}/tables/{table}")
    desk.locator("#dispute [name=reason]").fill("Read the sheet.")
    press(desk.get_by_role("button", name="Keep 9 to 21"))
    expect(told).to_have_count(0, timeout=PATIENCE)
    expect(field).to_have_value("2")
    assert phone.evaluate("window.same"), "the page wasn't opened again"
