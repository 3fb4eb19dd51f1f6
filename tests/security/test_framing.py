"""Other websites may show only one kind of page in a frame: the embeds of leagues with public pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.security.everywhere import Book, open_book

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

pytestmark = pytest.mark.database

NAMES = ("Ann", "Bob", "Cid", "Dee")


@pytest.fixture
def book(app: Flask, client: Phone) -> Book:
    """Return a database with an object for every address."""
    return open_book(app, client, NAMES)


def policy_of(phone: Phone, path: str) -> tuple[int, str]:
    """Return the status of the response at `path`, and which websites may show the response in a frame.

    The websites are as in the header Content-Security-Policy.
    """
    response = phone.get(path)
    policies = dict(each.strip().split(" ", 1) for each in response.headers["Content-Security-Policy"].split(";"))
    assert "X-Frame-Options" not in response.headers
    return response.status_code, policies["frame-ancestors"]


@pytest.mark.slow
def test_only_embeds_can_be_framed(book: Book) -> None:
    framed = set()
    for address in book.addresses("GET"):
        status, who = policy_of(book.phone, address.path)
        assert who in {"* file:", "'none'"}
        if who == "* file:":
            framed.add(address.endpoint)
            assert address.path.startswith("/embed/fire-hall/")
            assert status == 200
    embeds = {rule.endpoint for rule in book.app.url_map.iter_rules() if rule.rule.startswith("/embed/")}
    assert framed == embeds
    assert len(embeds) >= 2


def test_an_embed_runs_nothing_and_sets_no_cookie(book: Book) -> None:
    for address in book.addresses("GET"):
        if not address.path.startswith("/embed/"):
            continue
        response = book.phone.get(address.path)
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src" not in policy
        assert "Set-Cookie" not in response.headers
        assert "<script" not in response.text
        assert "<form" not in response.text
        assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


@pytest.mark.parametrize("embed", ["standings", "last-night", "schedule"])
def test_an_error_stays_out_of_frames(client: Phone, embed: str) -> None:
    assert policy_of(client, f"/embed/nowhere/{embed}") == (404, "'none'")


def test_an_unchanged_embed_keeps_its_policy(book: Book) -> None:
    first = book.phone.get("/embed/fire-hall/standings")
    again = book.phone.get("/embed/fire-hall/standings", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert again.headers["Content-Security-Policy"] == first.headers["Content-Security-Policy"]
