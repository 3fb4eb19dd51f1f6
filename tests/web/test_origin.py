"""Only the server's own pages may send requests that change something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.phone import Phone

FOREIGN = "That form came from another site, so nothing was changed."


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_foreign_form_is_refused(client: Phone, method: str, headers: dict[str, str]) -> None:
    response = client.open("/", method=method, headers=headers)
    assert response.status_code == 403
    assert FOREIGN in response.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://localhost"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_our_own_forms_pass(client: Phone, headers: dict[str, str]) -> None:
    assert client.post("/", headers=headers).status_code == 405


def test_a_link_from_another_site_may_open_a_page(client: Phone) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    assert client.get("/", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["ftp://localhost", "localhost", "http:localhost", "http://[", "http://localhost/", "http://a@localhost", ""],
)
@pytest.mark.parametrize("more", [{}, {"Sec-Fetch-Site": "same-origin"}])
def test_what_no_browser_writes_is_refused(client: Phone, origin: str, more: dict[str, str]) -> None:
    assert client.post("/", headers={"Origin": origin, **more}).status_code == 400


def test_a_page_without_encryption_is_no_page_of_ours_by_https(client: Phone) -> None:
    """A form that is sent over HTTPS is refused if it is on a page that was loaded without encryption.

    Anyone on the network path could have changed such a page.
    """
    assert client.post("/", base_url="https://localhost", headers={"Origin": "http://localhost"}).status_code == 403
    assert client.post("/", base_url="https://localhost", headers={"Origin": "https://localhost"}).status_code == 405


@pytest.mark.parametrize("referrer", ["http://[", "http://localhost:x/", "//", "http://a b/"])
def test_an_odd_referrer_is_no_way_back(client: Phone, referrer: str) -> None:
    assert client.get("/nowhere", headers={"Referer": referrer}).status_code == 404
