"""Parts of pages that the server keeps: they depend only on their values, on the language and on addresses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from jinja2 import meta

from scorekeeper.config import asset_folder
from tests.support.game import path_of, play, start
from tests.support.page import Page, words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

MAY_USE = {"_", "kept", "ngettext", "url_for"}
"""What a template with kept macros may use, apart from the values of these macros."""


def test_kept_parts_know_nothing_of_the_phone(app: Flask) -> None:
    folder = asset_folder("templates")
    kept = set()
    for path in folder.rglob("*.html"):
        source = path.read_text()
        for name in re.findall(r"\bkept\((\w+)", source):
            imported = re.search(rf'{{% from "([^"]+)" import [^%]*\b{name}\b', source)
            kept.add(imported[1] if imported else str(path.relative_to(folder)))
    assert "_macros/sheet.html" in kept
    for name in kept:
        used = meta.find_undeclared_variables(app.jinja_env.parse((folder / name).read_text()))
        assert used <= MAY_USE, name


@pytest.mark.looks
def test_kept_parts_are_in_the_language_of_each_reader(client: Phone) -> None:
    path = path_of(play(client, start(client), 0, 3, "ABAA"))
    heads = [head_of(client, path, language) for language in ("en", "es", "fr", "en")]
    assert heads[0] == heads[3] != heads[1] != heads[2]
    assert heads[:3] == ["Hand", "Mano", "Donne"]


def head_of(phone: Phone, path: str, language: str) -> str:
    """Return the first word above the score sheet on the board at `path`, in `language`."""
    page = Page(phone.get(path, headers={"Accept-Language": language}))
    return words(page.one("table", class_="sheet").findall("thead/tr/th")[0])


@pytest.mark.looks
def test_links_of_kept_parts_lead_to_where_the_app_is_mounted(client: Phone) -> None:
    path = path_of(play(client, start(client), 0, 3, "ABAA"))
    for place in ("", "/cards", ""):
        page = Page(client.get(path, environ_overrides={"SCRIPT_NAME": place}))
        link = page.one("table", class_="sheet").findall("tbody/tr/th/a")[0]
        assert str(link.get("href")).startswith(f"{place}{path}/hands/")
