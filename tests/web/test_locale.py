"""A page is in the language that the phone chose, or else in the language of the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.i18n.catalog import N_, _, ngettext

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("", "en"),
        ("es", "es"),
        ("es-MX,es;q=0.9,en;q=0.8", "es"),
        ("de, fr-CA;q=0.8, en;q=0.5", "fr"),
        ("de", "en"),
        ("en-GB, fr;q=0.9", "en"),
        ("fr;q=0, es;q=0.1", "es"),
        ("*", "en"),
        (";;q=x, \x7f", "en"),
    ],
)
def test_a_page_is_in_the_first_language_of_the_browser_that_we_know(client: Phone, asked: str, language: str) -> None:
    response = client.get("/", headers={"Accept-Language": asked})
    assert f'<html lang="{language}">' in response.text
    assert "Accept-Language" in response.headers["Vary"]


def test_outside_a_request_it_is_english(app: Flask) -> None:
    """Outside a request, as in commands, texts are in English, with or without an application context."""
    assert _("Anything, %(name)s", name="Ann") == "Anything, Ann"
    with app.app_context():
        assert ngettext("%(num)s hand", "%(num)s hands", 2) == "2 hands"
        assert N_("100%") == _("100%") == "100%"
