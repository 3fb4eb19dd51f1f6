"""People sign in with a password."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import PATIENCE
from tests.e2e.test_axe import judge
from tests.support import databases
from tests.support.directors import OTHER, PASSWORD
from tests.support.server import command as server_command
from tests.support.server import environment, start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server on which anyone can sign up."""
    folder = tmp_path_factory.mktemp("instance")
    env = environment(SCOREKEEPER_SIGN_UP="open", **databases.variables_for(folder))
    server = start(server_command(folder), env)
    yield server
    assert server.stop() == 0


@pytest.fixture
def page(browser: Browser, house: Server) -> Iterator[Page]:
    """Yield a page of a phone."""
    context = browser.new_context(base_url=house.url, viewport={"width": 360, "height": 640})
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def sign_up(page: Page, name: str) -> None:
    """Create an account, and open its page."""
    page.goto("/account/sign-up")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password At least").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("link", name="I have it, continue").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")


def sign_out(page: Page) -> None:
    """Sign out, and wait for the sign-in page."""
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_a_typed_password_can_be_shown(page: Page) -> None:
    page.goto("/account/sign-up")
    field = page.get_by_label("Password At least")
    field.fill(OTHER)
    expect(field).to_have_attribute("type", "password")
    page.get_by_label("Show password").check()
    expect(field).to_have_attribute("type", "text")


def test_a_password_works_without_javascript(browser: Browser, house: Server) -> None:
    """Without JavaScript, a password works. Controls that can't work without JavaScript aren't shown."""
    context = browser.new_context(base_url=house.url, java_script_enabled=False)
    page = context.new_page()
    sign_up(page, "Rosa")
    sign_out(page)
    expect(page.get_by_label("Show password")).to_be_hidden()
    page.get_by_label("Name").fill("Rosa")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    context.close()


def test_account_pages_are_accessible(page: Page) -> None:
    """The accessibility checker axe finds no problem on an account page with every kind of content."""
    page.goto("/account/sign-up")
    page.get_by_label("Name").fill("Rhea")
    page.get_by_label("Password At least").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    wrong = judge(page, "printed code")
    page.get_by_role("link", name="I have it, continue").click()
    wrong += judge(page, "account")
    page.goto("/account/sign-in")
    wrong += judge(page, "sign in again")
    page.goto("/account")
    page.get_by_role("link", name="Delete your account").click()
    wrong += judge(page, "deletion")
    page.get_by_role("button", name="Delete account").click()
    expect(page.get_by_text("Your account is deleted.")).to_be_visible()
    assert wrong == []
