"""The help pages exist in each language, every link in them works, and every button that they name exists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from babel.messages.pofile import read_po

from scorekeeper.web.help_pages import PLAYERS, TOPICS, VOLUNTEERS
from scorekeeper.web.locale import LANGUAGES

if TYPE_CHECKING:
    from tests.support.phone import Phone

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates" / "web" / "help"
CATALOG = ROOT / "scorekeeper" / "translations" / "es" / "LC_MESSAGES" / "messages.po"
QUOTE = re.compile(r'ui\(_\("([^"]+)"')


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_has_a_page(client: Phone, language: str) -> None:
    index = client.get("/help", headers={"Accept-Language": language})
    assert index.status_code == 200
    for slug in TOPICS:
        assert f'href="/help/{slug}"' in index.text
        page = client.get(f"/help/{slug}", headers={"Accept-Language": language})
        assert page.status_code == 200
        assert page.text.count("<h1>") == 1
        for picture in re.findall(r'<img class="shot" src="([^"]+)"', page.text):
            assert client.get(picture).status_code == 200, picture


def test_a_topic_that_does_not_exist_is_not_found(client: Phone) -> None:
    client.see("/help/nothing", 404)
    client.see("/help/_topic", 404)


def test_the_topics_are_the_templates() -> None:
    assert set(TOPICS) == {path.stem for path in TEMPLATES.glob("[!_]*.html")} - {"index"}
    assert len(TOPICS) == len(PLAYERS) + len(VOLUNTEERS)


def test_every_button_and_heading_that_is_quoted_stands_on_another_page() -> None:
    """Each text that a help page quotes as ui(_("…")) is also in a template or module other than the help pages.

    The test fails if the text is changed in the app but not on the help page.
    """
    with CATALOG.open("rb") as file:
        places = {
            message.id if isinstance(message.id, str) else message.id[0]: {place for place, _line in message.locations}
            for message in read_po(file)
            if message.id
        }
    for template in sorted(TEMPLATES.glob("*.html")):
        for quoted in QUOTE.findall(template.read_text(encoding="utf-8")):
            elsewhere = {place for place in places.get(quoted, ()) if not place.startswith("templates/web/help/")}
            assert elsewhere, f"no page shows “{quoted}”, which {template.name} quotes"


def test_links_to_a_part_of_a_topic_lead_there(client: Phone) -> None:
    """Each link to a part of a help page, made by `help_topic` and an anchor, leads to a page that has this anchor."""
    link = re.compile(r"""url_for\(['"]help_topic['"], slug=['"]([a-z-]+)['"](?:, _anchor=['"]([a-z-]+)['"])?\)""")
    for template in sorted((ROOT / "templates").rglob("*.html")):
        for slug, anchor in link.findall(template.read_text(encoding="utf-8")):
            assert slug in TOPICS, f"{template}: {slug}"
            assert not anchor or f'id="{anchor}"' in client.see(f"/help/{slug}").response.text, f"{template}: #{anchor}"
