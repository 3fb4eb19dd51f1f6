"""The board is shown in other languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.web.locale import LANGUAGES, catalog
from tests.i18n.test_catalog import forms, messages
from tests.support.game import path_of, play, start
from tests.support.page import Page, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.phone import Phone

pytestmark = pytest.mark.looks

SPOKEN = ("alt", "aria-label", "data-check", "data-hint", "data-lost", "data-save", "data-says", "placeholder")
"""Attributes of elements whose text people read or hear."""
OTHERS = [language for language in LANGUAGES if language != "en"]


def english_left(page: Page, language: str) -> set[str]:
    """Return the phrases and labels on `page` that are in English although a translation into `language` exists."""
    pairs = [
        pair for message in messages(language) for pair in zip(forms(message.id), forms(message.string), strict=True)
    ]
    # "Place" is English, and French for another text.
    known = {text for text, said in pairs if text != said} - {said for _text, said in pairs}
    shown = {words(element) for element in page.tree.iter() if not len(element)}
    labels = {element.get(name, "") for element in page.tree.iter() for name in SPOKEN}
    return known & (shown | labels)


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_a_hand_in_the_language_of_the_browser(client: Phone, language: str) -> None:
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    board = start(client)
    for page in (
        board,
        client.see(f"{path_of(board)}?entry=auction"),
        play(client, board, 0, 3, "ABAA"),
        client.see(f"{path_of(board)}/table"),
        client.see(path_of(board).replace("/games/", "/watch/")),
    ):
        assert page.one("html").get("lang") == language
        assert not english_left(page, language)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("es", "¡Se cumplió! Ann y Cid suman 3: de 0 a 3."),
        ("fr", "Contrat réussi\N{NARROW NO-BREAK SPACE}! Ann et Cid marquent 3, de 0 à 3."),
    ],
)
def test_a_sentence_agrees_with_its_side(client: Phone, language: str, sentence: str) -> None:
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    board = play(client, start(client), 0, 3, "ABAA")
    assert " ".join(sentence.split()) in board.text


def test_refusals_are_translated(client: Phone) -> None:
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "es"
    board = start(client)
    refused = client.submit(board, f"{path_of(board)}/bid", 422, call="0:9")
    assert "Se puja de 2 a 4." in refused.text


def test_watchers_get_a_page_in_their_language(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """A watch page is shown in each phone's language.

    Each language has its own ETag, and `Vary` keeps caches from mixing up the languages.
    """
    address = path_of(start(client)).replace("/games/", "/watch/")
    tags = {}
    for language in LANGUAGES:
        response = new_phone().get(address, headers={"Accept-Language": language})
        assert "Accept-Language" in response.headers["Vary"]
        tags[language] = response.headers["ETag"]
    assert len(set(tags.values())) == len(LANGUAGES)
    again = new_phone().get(address, headers={"Accept-Language": "es", "If-None-Match": tags["fr"]})
    assert again.status_code == 200


def test_an_untranslated_text_stays_english() -> None:
    assert catalog("es").gettext("Nobody ever said this.") == "Nobody ever said this."
