"""Named sets of house rules, such as the rules of one region. Each set is one entry in this module.

Each set comes from one of the published texts, which RULES.md numbers 000 to 004, or from RULES 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options


@dataclass(frozen=True, slots=True)
class LocalRules:
    """A set of house rules for one game, named after the place where people play by them."""

    key: str
    name: str
    preset: str
    options: Mapping[str, Any]
    """Options that differ from the preset; empty if people there play the preset itself."""


_NAMED: dict[str, LocalRules] = {}
LOCAL_RULES: Mapping[str, LocalRules] = _NAMED
"""All named sets of house rules by key, in the order in which the app shows them."""


def local_rules(preset: str, key: str, name: str, **options: Any) -> None:
    """Let players choose a named set of house rules for the game `preset`.

    `key` identifies the set in the app, and `name` is its name for players. `options` holds the house rules. Raises
    `RuleViolation` if nobody can play by these rules.
    """
    with_options(PRESETS[preset], options)
    _NAMED[key] = LocalRules(key, name, preset, options)


# Text 000: "The Bear grew up in Connecticut"; the usual rules are those of its section "How The Bear's Family Plays".
local_rules("setback-21", "connecticut", Phrase("Connecticut"))
# "Having a 2 does not disqualify you from a coke hand. The Bear prefers this variation …"
local_rules("setback-21", "connecticut-twos", Phrase("Connecticut, coke hands with twos"), redeal="ten")
# Its four variations, all at once.
local_rules(
    "setback-21",
    "connecticut-all",
    Phrase("Connecticut, all variations"),
    dealer_privilege="match",
    trump_any_time=True,
    redeal="ten",
    draw=True,
)
# Text 002: a pitch "promises four tricks".
local_rules("setback-7-pitch", "four-tricks", Phrase("By the book: a pitch is four tricks"), pitch_test="tricks")
# Text 003: "Option 2 - One point is awarded to the player that was dealt the lowest trump card."
local_rules("pitch-11", "online-2", Phrase("As played online: Low goes to the player who was dealt it"), low="dealt")
# RULES 8, AO: "Tobago rules: Ace is one point. Two is 2 points and Jack is three".
local_rules("all-fours-14", "tobago", Phrase("Tobago"), turned_up_points="two")
# RULES 8, FO: "If this card is a Jack, the dealer counts one point", "the game is won when a player has put up seven".
local_rules("all-fours-14", "seven-up", Phrase("Seven Up"), target=7, hang_jack=1, turned_up_points="jack")
