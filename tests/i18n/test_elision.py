"""Short words that change before some names, such as "y" in "Ann e Inés" (Spanish) and "de" in "d’Ann" (French)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scorekeeper.i18n import catalog
from scorekeeper.i18n.catalog import _, elided, ngettext
from scorekeeper.i18n.sentences import SideName, join_names, said, say
from scorekeeper.rules.explain import Message
from scorekeeper.web import locale


@pytest.fixture
def language(request: pytest.FixtureRequest) -> Iterator[None]:
    """Use the language given as the fixture's parameter during the test."""
    before = catalog._words
    catalog.speak(lambda: locale.catalog(request.param))
    yield
    catalog.speak(before)


@pytest.mark.parametrize("language", ["es"], indirect=True)
@pytest.mark.parametrize(
    ("last", "joined"),
    [
        ("Inés", "Ann e Inés"),
        ("Íñigo", "Ann e Íñigo"),
        ("Hilda", "Ann e Hilda"),
        ("Yvonne", "Ann e Yvonne"),
        ("Yolanda", "Ann y Yolanda"),
        ("Hiedra", "Ann y Hiedra"),
        ("Ian", "Ann y Ian"),
        ("Bob", "Ann y Bob"),
        ("Oscar", "Ann y Oscar"),
    ],
)
@pytest.mark.usefixtures("language")
def test_spanish_y_is_e_before_the_sound_of_i(last: str, joined: str) -> None:
    assert join_names(["Ann", last]) == joined


@pytest.mark.parametrize(
    ("value", "joined"),
    [
        ("Oscar", "Ann u Oscar"),
        ("Óscar", "Ann u Óscar"),
        ("Hortensia", "Ann u Hortensia"),
        ("Bob", "Ann o Bob"),
        (8, "Ann u 8"),
        (80, "Ann u 80"),
        (11, "Ann u 11"),
        (110, "Ann o 110"),
        (3, "Ann o 3"),
    ],
)
def test_spanish_o_is_u_before_the_sound_of_o(value: object, joined: str) -> None:
    for template in ("%(one)s o %(other)s", "{one} o {other}"):
        fitted = elided(template, {"one": "Ann", "other": value}, "es")
        values = {"one": "Ann", "other": value}
        assert (fitted % values if "%" in fitted else fitted.format_map(values)) == joined


@pytest.mark.parametrize(
    ("name", "joined"),
    [
        ("Ann", "score d’Ann"),
        ("Émile", "score d’Émile"),
        ("Yves", "score d’Yves"),
        ("Yann", "score de Yann"),
        ("Bob", "score de Bob"),
        ("Henri", "score de Henri"),
        (8, "score de 8"),
    ],
)
def test_french_de_is_cut_before_a_vowel(name: object, joined: str) -> None:
    assert elided("score de %(name)s", {"name": name}, "fr") % {"name": name} == joined


@pytest.mark.parametrize("language", ["fr"], indirect=True)
@pytest.mark.usefixtures("language")
def test_french_que_is_cut_before_a_side_that_begins_with_a_vowel() -> None:
    message = Message("over.agreed", {"side": 0})
    assert say(message, [SideName("Ann et Cid", several=True)]) == "La table a convenu qu’Ann et Cid ont gagné."
    assert say(message, [SideName("Bob", several=False)]) == "La table a convenu que Bob a gagné."


@pytest.mark.parametrize("language", ["fr"], indirect=True)
@pytest.mark.usefixtures("language")
def test_every_way_to_a_sentence_fits_the_word_before_a_value() -> None:
    """A short word before a name, such as "de", is adapted in each kind of template for sentences.

    There are templates with `%(name)s`, with plural forms, and with `{name}`. They need not be in the catalog.
    """
    assert _("de %(name)s", name="Ann") == "d’Ann"
    assert ngettext("%(num)s de %(name)s", "%(num)s de %(name)s", 2, name="Ann") == "2 d’Ann"
    assert said("de {name}", name="Ann") == "d’Ann"


def test_english_and_words_that_only_end_alike_stay() -> None:
    values = {"name": "Inés", "other": "Oscar"}
    assert elided("Ann o %(other)s", values, "") == "Ann o %(other)s"
    assert elided("Juego %(other)s, Ley %(name)s", values, "es") == "Juego %(other)s, Ley %(name)s"
    assert elided("Y %(name)s", values, "es") == "E %(name)s"
