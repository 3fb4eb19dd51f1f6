"""The wording of the standings, such as numbers, lists and explanations of ties, in English and in other languages."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.standings.rows import Tie
from scorekeeper.leagues.standings.wording import decimal, listed, tie_line
from tests.leagues.standings.games import ANN, BOB, CID, NAMES

if TYPE_CHECKING:
    from flask import Flask


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(12), "12"),
        (Fraction(-3), "−3"),
        (Fraction(49, 4), "12.25"),
        (Fraction(25, 2), "12.50"),
        (Fraction(2, 3), "0.67"),
        (Fraction(1, 200), "0.01"),
        (Fraction(-1, 200), "−0.01"),
        (Fraction(-1, 300), "0.00"),
        (Fraction(-5, 2), "−2.50"),
    ],
)
def test_fractions_have_two_decimals(value: Fraction, text: str) -> None:
    assert decimal(value) == text


def test_lists_of_names() -> None:
    assert [listed(["Ann", "Bob", "Cid"][:count]) for count in (1, 2, 3)] == ["Ann", "Ann and Bob", "Ann, Bob and Cid"]


def test_a_list_of_a_thousand_is_translated(app: Flask) -> None:
    """A list of a thousand names, who may all share a rank, can be put into words in another language.

    If the list were built as nested phrases, the nesting would be too deep to translate.
    """
    names = [f"P{number}" for number in range(1_000)]
    with app.test_request_context(headers={"Accept-Language": "es"}):
        assert spoken(listed(names)) == f"{', '.join(names[:-1])} y {names[-1]}"
    assert listed(names) == f"{', '.join(names[:-1])} and {names[-1]}"


@pytest.mark.looks
def test_a_tie_in_the_readers_language(app: Flask) -> None:
    """The explanation of a tie is in the reader's language, including tie-breakers, lists and the decimal comma."""
    units = ((ANN,), (BOB,), (CID,))
    tie = Tie(units, ("per_game", "wins"), Fraction(49, 4), "head_to_head", (1, 0, -1))
    said = {}
    for language in ("es", "fr"):
        with app.test_request_context(headers={"Accept-Language": language}):
            said[language] = spoken(tie_line(tie, NAMES))
    assert said == {
        "es": "Ann, Bob y Cid empatan en puntos por partida (12,25) y victorias. "
        "Desempate por enfrentamiento directo (victorias menos derrotas): Ann +1, Bob 0 y Cid −1.",
        "fr": "Ann, Bob et Cid sont à égalité\u00a0: points par partie (12,25) et victoires. "
        "Départage par confrontation directe (victoires moins défaites)\u00a0: Ann +1, Bob 0 et Cid −1.",
    }
