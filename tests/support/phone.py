"""Simulate a phone by a test client that checks every page it receives."""

from __future__ import annotations

import hashlib
import threading
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from flask.testing import FlaskClient

from scorekeeper.accounts.devices import COOKIE
from tests.support.page import Page
from tests.support.page_checks import check_headers, check_page

if TYPE_CHECKING:
    from werkzeug.test import TestResponse


def device_word(name: str) -> str:
    """Return a token for the cookie of a phone; the same `name` always gives the same token."""
    return urlsafe_b64encode(hashlib.sha256(name.encode()).digest()).decode().rstrip("=")


class Phone(FlaskClient):
    """A browser without JavaScript that keeps cookies, sends the hidden fields of forms, and checks every page."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        """Send a request and return the response.

        Raises `AssertionError` if the response fails a check of `page_checks`.
        """
        response = super().open(*args, **{"buffered": True} | kwargs)
        # A page drawn meanwhile would or would not have the chances of winning.
        for thread in threading.enumerate():
            if thread.name == "odds":
                thread.join()
        check_headers(response)
        redirected = 300 <= response.status_code < 400  # a few words that nobody reads
        readable = response.mimetype == "text/html" and response.data and "Content-Encoding" not in response.headers
        if readable and not redirected:
            check_page(response.text)
        return response

    def see(self, path: str, status: int = 200) -> Page:
        """Return the page at `path`. Raises `AssertionError` if the response doesn't have this `status`."""
        response = self.get(path)
        assert response.status_code == status, f"{path}: {response.status}"
        return Page(response)

    def submit(self, page: Page, action: str, status: int = 303, **fields: object) -> Page:
        """Send the form of `page` whose address is `action`, with some `fields` changed, and return the next page.

        A field that is None isn't sent, and a list is sent as several values. `_` in a name means `-` if the form has
        such a field. The calling test fails if the response doesn't have this `status`. The redirect of a 303 is
        followed.
        """
        form = page.form(action)
        sent: dict[str, Any] = dict(form.values)
        for name, value in fields.items():
            real = name if name in form.names else name.replace("_", "-")
            sent[real if real in form.names else name] = value
        response = self.post(
            form.action,
            data={name: value for name, value in sent.items() if value is not None},
            headers={"Origin": "http://localhost", "Referer": f"http://localhost{page.path}"},
        )
        assert response.status_code == status, f"{action}: {response.status}: {' '.join(Page(response).text.split())}"
        return self.see(response.location) if status == 303 else Page(response)


def at_address(phone: Phone, host: str) -> Phone:
    """Let a phone be known at another address of the server, too, and return the phone."""
    cookie = phone.get_cookie(COOKIE)
    assert cookie is not None
    phone.set_cookie(COOKIE, cookie.value, domain=host)
    return phone
