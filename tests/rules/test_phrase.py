"""Sentences of the rules can be translated after they were made."""

from __future__ import annotations

from scorekeeper.i18n.catalog import spoken
from scorekeeper.rules.bidding import check_bid
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.table import set_table
from tests.rules.refusals import refusal_of


def test_a_phrase_is_its_english_text_and_remembers_how_it_was_made() -> None:
    inner = Phrase("Low")
    phrase = Phrase("Choose who took %(point)s.", point=inner)
    assert phrase == "Choose who took Low."
    assert (phrase.template, phrase.values) == ("Choose who took %(point)s.", {"point": inner})
    assert Phrase("100 %") == "100 %"


def test_every_refusal_is_a_phrase_also_one_that_was_written_as_a_plain_text() -> None:
    assert isinstance(RuleViolation("seat", "No such seat.").message, Phrase)
    table = set_table(PRESETS["setback-7-pitch"], 4)
    refusal = refusal_of(lambda: check_bid(table, seat=0, dealer=1, bid=9))
    assert refusal is not None
    assert refusal.message == "Bids go from 1 to 4, or a pitch."
    assert isinstance(refusal.message, Phrase)
    assert refusal.message.values == {"lowest": 1, "highest": 4}


def test_a_phrase_is_spoken_with_the_values_that_stand_in_for_its_own() -> None:
    phrase = Phrase("“%(option)s” must be %(values)s.", option="low", values=Phrase("yes"))
    assert spoken(phrase) == phrase
    assert spoken(phrase, option="Low goes to") == "“Low goes to” must be yes."
    assert spoken(Phrase("100 %"), option="x") == "100 %"
    assert spoken("") == ""
