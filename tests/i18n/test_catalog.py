"""The translations, which are complete and have the same placeholders as the original texts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import pytest
from babel.messages.pofile import read_po

if TYPE_CHECKING:
    from babel.messages.catalog import Message

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "scorekeeper" / "translations"
LANGUAGES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())


def messages(language: str) -> list[Message]:
    """Return the messages of a language's catalog, without the catalog's header."""
    with (FOLDER / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return [message for message in read_po(file, locale=language, abort_invalid=True) if message.id]


def forms(words: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return a translation's plural forms as a tuple. A translation without plural forms gives a tuple of one string.

    If the translation is missing, the string is "".
    """
    return (words or "",) if words is None or isinstance(words, str) else tuple(words)


def values(text: str) -> set[str]:
    """Return the names of the placeholders in `text`, which look like `%(name)s` or `{name}`."""
    braced = {name for _, name, _, _ in Formatter().parse(text) if name is not None} if "{" in text else set()
    return {*re.findall(r"%\((\w+)\)s", text), *braced}


@pytest.mark.slow
def test_the_catalogs_hold_every_text_of_the_source() -> None:
    """The catalogs are as `.ci/catalogs` writes them, which `.ci/run` checks in a step of its own."""
    pybabel = str(Path(sys.executable).with_name("pybabel"))
    told = subprocess.run(
        [ROOT / ".ci" / "catalogs", "--check"],
        env={"PATH": "/usr/bin:/bin", "PYBABEL": pybabel},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert told.returncode == 0, told.stderr


def test_spanish_and_french_are_there() -> None:
    assert LANGUAGES == ["es", "fr"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_fills_in_the_values_of_its_original(language: str) -> None:
    for message in messages(language):
        originals, said = forms(message.id), forms(message.string)
        assert len(said) == len(originals)
        for original, text in zip(originals, said, strict=True):
            if text:
                assert values(text) == values(original), original
                assert not re.findall(r"%(?!\(\w+\)s)", text), "a sign for nothing"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_that_agrees_has_its_two_forms(language: str) -> None:
    """A placeholder such as `{side:necesitan|necesita}` has exactly two forms.

    The first is for partners, the second for one player.
    """
    for message in messages(language):
        for text in forms(message.string):
            specs = [spec for _, _, spec, _ in Formatter().parse(text) if spec] if "|" in text else []
            assert all(spec.count("|") == 1 for spec in specs), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated(language: str) -> None:
    missing = [message.id for message in messages(language) if not all(forms(message.string))]
    assert missing == [], "translate these in messages.po; `.ci/catalogs` has put each one there"


def test_french_signs_stay_with_their_words() -> None:
    """A space before a sign, or inside quotes, never breaks: the sign would begin the next line."""
    loose = re.compile(r"\S [;:!?»](?!\w)|« ")
    assert [text for message in messages("fr") for text in forms(message.string) if loose.search(text)] == []


def test_each_language_has_one_apostrophe() -> None:
    """The texts of the source have straight apostrophes, and French texts curly ones; quotes go with the language."""
    wrong = {"en": '’"', "es": "’'\"“”", "fr": "'\"“”"}
    texts = {
        language: [text for message in messages(language) for text in forms(message.string)] for language in LANGUAGES
    }
    texts["en"] = [text for message in messages("fr") for text in forms(message.id)]
    found = [
        t for language in wrong for t in texts[language] if set(wrong[language]) & set(t.replace("Some'R'Set", ""))
    ]
    assert found == []
