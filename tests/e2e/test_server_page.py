"""The operator uses the server's page in a real browser, and phones keep their hands while saving is paused."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import PATIENCE
from tests.e2e.imported_games import bring_in, record
from tests.e2e.test_axe import judge
from tests.e2e.test_offline import SWEEP, TWO, badge, hands_of, ready, score, worker_ready
from tests.e2e.test_sign_in import sign_up
from tests.support import databases
from tests.support.directors import PASSWORD
from tests.support.server import command, environment, start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WHY = "We are moving to a new computer until 9 PM."


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Yield a server on which anyone can sign up."""
    server = start(command(tmp_path), environment(SCOREKEEPER_SIGN_UP="open", **databases.variables_for(tmp_path)))
    yield server
    assert server.stop() == 0


@pytest.fixture
def laptop(browser: Browser, server: Server) -> Iterator[Page]:
    """Yield a page on the operator's device, without JavaScript."""
    context = browser.new_context(
        base_url=server.url, viewport={"width": 360, "height": 640}, java_script_enabled=False
    )
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def become_operator(laptop: Page, folder: Path) -> None:
    """Create an account, let it open the operator's page with the command, and sign in again."""
    sign_up(laptop, "Rita B.")
    words = [sys.executable, "-m", "scorekeeper", "director", "operator", "Rita B.", "--instance", str(folder)]
    subprocess.run(words, env=environment(**databases.variables_for(folder)), check=True)
    laptop.goto("/server")
    laptop.get_by_label("Name").fill("Rita B.")
    laptop.get_by_label("Password").first.fill(PASSWORD)
    laptop.get_by_role("button", name="Sign in", exact=True).click()
    expect(laptop.get_by_role("heading", level=1)).to_have_text("This server")


def test_a_hand_waits_on_the_phone_until_saving_resumes(
    laptop: Page, open_phone: OpenPhone, server: Server, tmp_path: Path
) -> None:
    """A hand that is tapped while saving is paused stays on the phone, and is saved once when saving resumes."""
    become_operator(laptop, tmp_path)
    phone = open_phone()
    url = server.url + bring_in(phone, server, record(TWO))
    phone.goto(url)
    ready(phone)
    worker_ready(phone)
    laptop.locator("summary", has_text="Pause saving").click()
    laptop.get_by_label("What players read").fill(WHY)
    laptop.get_by_role("button", name="Pause saving").click()
    expect(laptop.get_by_role("status")).to_contain_text(WHY)
    phone.wait_for_timeout(1_100)
    score(phone, "Ann", 4, SWEEP)
    expect(badge(phone)).to_contain_text("1 hand waiting")
    assert len(hands_of(phone, url)) == 2
    laptop.get_by_role("button", name="Resume saving").click()
    expect(laptop.locator("summary", has_text="Pause saving")).to_be_visible()
    expect(badge(phone)).to_contain_text("Saved.", timeout=60_000)
    assert len(hands_of(phone, url)) == 3


def test_the_page_is_accessible(browser: Browser, laptop: Page, server: Server, tmp_path: Path) -> None:
    """Axe finds no problem on the page, with a league that is turned off, in maintenance mode, and on an invitation."""
    become_operator(laptop, tmp_path)
    laptop.goto("/leagues")
    for name in ("Fire Hall", "Kegel Alley"):
        laptop.locator("#league-name").fill(name)
        laptop.get_by_role("button", name="Create league").click()
        laptop.goto("/leagues")
    laptop.goto("/server")
    laptop.locator("summary", has_text="Turn off Fire Hall").click()
    form = laptop.locator("details[open]")
    form.get_by_label("Reason").fill("It sells used cars.")
    form.get_by_role("button", name="Turn league off").click()
    expect(laptop.locator("li", has_text="Fire Hall")).to_contain_text("turned off")
    context = browser.new_context(
        base_url=server.url, viewport={"width": 360, "height": 640}, storage_state=laptop.context.storage_state()
    )
    page = context.new_page()
    page.goto("/server")
    found = judge(page, "/server")  # opens everything that is folded
    page.get_by_role("button", name="Pause saving").click()
    expect(page.get_by_role("status")).to_be_visible()
    found += judge(page, "/server, paused")
    page.get_by_role("button", name="Resume saving").click()
    page.get_by_label("Name", exact=True).fill("Max")
    page.get_by_role("button", name="Create invitation").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Invitation for Max")
    found += judge(page, "the invitation")
    context.close()
    assert found == []
