"""House rules that are known by a name, as data: a new set is one new entry here.

Each stands in one of the published texts (RULES.md calls them 000 to 004) or in RULES 8; nothing here is made up.
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
    """House rules of one game under the name of the place that plays them."""

    key: str
    name: str
    preset: str
    options: Mapping[str, Any]
    """Options that differ from the preset; none where the preset itself is played there."""


_NAMED: dict[str, LocalRules] = {}
LOCAL_RULES: Mapping[str, LocalRules] = _NAMED
"""Every set by its key, in the order in which they are offered."""


def local_rules(preset: str, key: str, name: str, **options: Any) -> None:
    """Offer `options` for the game `preset` under a name. Raises `RuleViolation` if nobody can play by them."""
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
local_rules("pitch-11", "online-2", Phrase("Online, option 2"), low="dealt")
