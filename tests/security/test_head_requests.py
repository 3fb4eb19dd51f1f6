"""A HEAD request never counts as a posted form, and gets the response of a GET request without its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.game import contents

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


def test_head_signs_nobody_in(app: Flask, client: Phone) -> None:
    """A HEAD request with a name and password in its query or body signs nobody in and changes nothing.

    The request isn't logged as a failed sign-in.
    """
    before = contents(app)
    fields = {"username": "Rita", "current-password": "four sleepy badgers"}
    page = client.get("/account/sign-in")
    for answer in (
        client.head("/account/sign-in"),
        client.head("/account/sign-in", query_string=fields),
        client.open("/account/sign-in", method="HEAD", data=fields),
    ):
        assert answer.status_code == 200
        assert not answer.data
        assert answer.headers["Content-Type"] == page.headers["Content-Type"]
    assert contents(app) == before


def test_head_of_what_takes_forms_only_is_refused(client: Phone) -> None:
    assert client.head("/games").status_code == 405
