"""People sign in with a passkey from a virtual authenticator in the browser, or with a password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

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

    from playwright.sync_api import Browser, CDPSession, Page, Route

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FINGER = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
"""A virtual authenticator built into the device, unlocked by a fingerprint that always matches."""


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
    """Yield a page at `localhost`, because passkeys don't work at an IP address."""
    context = browser.new_context(
        base_url=house.url.replace("127.0.0.1", "localhost"), viewport={"width": 360, "height": 640}
    )
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def finger(page: Page) -> CDPSession:
    """Return a DevTools session that controls the browser's virtual authenticators."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    return session


def plug_in(finger: CDPSession) -> str:
    """Add a virtual authenticator without passkeys to the browser, and return the authenticator's id."""
    made: dict[str, Any] = finger.send("WebAuthn.addVirtualAuthenticator", {"options": FINGER})
    return str(made["authenticatorId"])


def sign_up(page: Page, name: str) -> None:
    """Create an account, and open its page."""
    page.goto("/account/sign-up")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password At least").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("link", name="I have it, continue").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")


def add_passkey(page: Page) -> None:
    """Add a passkey on the account page."""
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("main")).to_contain_text("Passkey added")


def sign_out(page: Page) -> None:
    """Sign out, and wait for the sign-in page."""
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_a_passkey_signs_in_without_a_name_or_a_password(page: Page, finger: CDPSession) -> None:
    """A passkey signs a person in without a name or a password, until it is removed."""
    plug_in(finger)
    sign_up(page, "Rita")
    add_passkey(page)
    expect(page.get_by_role("main")).to_contain_text("For localhost, added")
    for _ in range(2):
        sign_out(page)
        page.get_by_role("button", name="Sign in with a passkey").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
        expect(page.get_by_role("main")).to_contain_text("Signed in as Rita")
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("main")).to_contain_text("Passkey removed.")
    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("That passkey wasn't accepted. Try again, or use your password.")
    page.get_by_label("Name").fill("rita")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_text("Account history").click()
    expect(page.get_by_text("Refused: passkey not accepted")).to_have_count(0)
    expect(page.get_by_text("Passkey removed")).to_be_visible()


def test_a_device_without_a_passkey_stays_on_the_sign_in_page(page: Page, finger: CDPSession) -> None:
    plug_in(finger)
    page.goto("/account/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("That didn't work. Try again, or use your password.")


def test_a_passkey_answer_works_only_once(page: Page, finger: CDPSession) -> None:
    """A recorded sign-in request with a passkey is refused the second time, even with the same cookies."""
    plug_in(finger)
    sign_up(page, "Ruth")
    add_passkey(page)
    sign_out(page)
    sent: list[Request] = []

    def record(route: Route) -> None:
        headers = {name: value for name, value in route.request.all_headers().items() if not name.startswith(":")}
        sent.append(Request(route.request.url, route.request.post_data_buffer, headers, method="POST"))
        route.continue_()

    page.route("**/account/sign-in/passkey", record)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    (answer,) = sent
    with pytest.raises(HTTPError) as refused:
        urlopen(answer)
    refused.value.close()
    assert refused.value.code == 422
    page.reload()
    page.get_by_text("Account history").click()
    expect(page.get_by_text("Refused: passkey not accepted")).to_be_visible()


def test_no_passkey_is_offered_at_an_ip_address(page: Page, house: Server) -> None:
    page.goto(f"{house.url}/account/sign-in")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(page.get_by_text("passkey")).to_have_count(0)


def test_a_typed_password_can_be_shown(page: Page) -> None:
    page.goto("/account/sign-up")
    field = page.get_by_label("Password At least")
    field.fill(OTHER)
    expect(field).to_have_attribute("type", "password")
    page.get_by_label("Show password").check()
    expect(field).to_have_attribute("type", "text")


def test_a_password_works_without_javascript(browser: Browser, house: Server) -> None:
    """Without JavaScript, a password works, and the page says that passkeys need JavaScript.

    Controls that can't work without JavaScript aren't shown.
    """
    context = browser.new_context(base_url=house.url.replace("127.0.0.1", "localhost"), java_script_enabled=False)
    page = context.new_page()
    sign_up(page, "Rosa")
    expect(page.get_by_role("main")).to_contain_text("Passkeys need JavaScript")
    expect(page.get_by_role("button", name="Add a passkey")).to_have_count(0)
    sign_out(page)
    expect(page.get_by_label("Show password")).to_be_hidden()
    page.get_by_label("Name").fill("Rosa")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    context.close()


def test_account_pages_are_accessible(page: Page, finger: CDPSession) -> None:
    """The accessibility checker axe finds no problem on an account page with every kind of content."""
    plug_in(finger)
    page.goto("/account/sign-up")
    page.get_by_label("Name").fill("Rhea")
    page.get_by_label("Password At least").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    wrong = judge(page, "printed code")
    page.get_by_role("link", name="I have it, continue").click()
    add_passkey(page)
    wrong += judge(page, "account")
    page.goto("/account/sign-in")
    wrong += judge(page, "sign in again")
    page.goto("/account")
    page.get_by_role("link", name="Delete your account").click()
    wrong += judge(page, "deletion")
    page.get_by_role("button", name="Delete account").click()
    expect(page.get_by_text("Your account is deleted.")).to_be_visible()
    assert wrong == []
