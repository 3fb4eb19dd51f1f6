"""The presets, by key: all games that players can choose. Their rules are in `setback_games.py` and `pitch_games.py`.

The meaning of a preset is frozen in the record format `scorekeeper-game/1` (RECORD 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from scorekeeper.rules import pitch_games, setback_games
from scorekeeper.rules.cards import pack_of
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Topic
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.ruleset import Ruleset, check_combination, check_value
from scorekeeper.rules.table import table_at
from scorekeeper.rules.violation import RuleViolation

STANDARD = "23456789TJQKA"
SAME_GAME: Mapping[str, str] = {"smear-10": "smear-52"}
"""Maps another key that records may have for a game to the key of its preset (RULES 8)."""

_GAMES: dict[str, Ruleset] = {}
PRESETS: Mapping[str, Ruleset] = _GAMES
"""Every game by its key, in the order in which the app shows them."""


def game(rules: Ruleset) -> Ruleset:
    """Offer players a new game with these `rules`, and return the rules.

    Raises `ValueError` if nobody can play by these rules, or if the rule card can't explain them.
    """
    try:
        for key in OPTIONS:
            check_value(key, getattr(rules, key))
        check_combination(rules)
        for seating in rules.seatings:
            table_at(rules, seating)
    except RuleViolation as violation:
        raise ValueError(f"The game {rules.preset!r} can't be played: {violation}") from None
    reason = _unplayable(rules)
    if reason:
        raise ValueError(f"The game {rules.preset!r} can't be played: {reason}")
    _GAMES[rules.preset] = rules
    return rules


def _unplayable(rules: Ruleset) -> str:
    """Return a sentence that says why the definition of a game in `rules` is wrong, or "" if nothing is wrong."""
    pack = len(pack_of(rules))
    fewer = dict(rules.fewer_cards)
    dealt = max(seating.players * fewer.get(seating.players, rules.cards_each) for seating in rules.seatings)
    uneven = [seating for seating in rules.seatings if seating.players % seating.sides]
    if uneven:
        return f"{uneven[0].players} players can't make {uneven[0].sides} equal sides."
    if dealt > pack:
        return f"{dealt} cards are dealt from a pack of {pack}."
    if rules.play.batch and rules.cards_each % rules.play.batch:
        return f"{rules.cards_each} cards can't be dealt {rules.play.batch} at a time: change `batch` in its `play`."
    if not rules.cards_each and not rules.play.deal:
        return "say in `play.deal` how the cards are dealt."
    if not rules.play.pack and rules.ranks != STANDARD:
        return "say in `play.pack` which cards are needed."
    unknown = rules.decided - set(get_args(Topic))
    if unknown:
        return f"`decided` names no line of the rule card: {', '.join(sorted(unknown))}."
    return f"there are two games with the key {rules.preset!r}." if rules.preset in _GAMES else ""


for _rules in (*setback_games.GAMES, *pitch_games.GAMES):
    game(_rules)


def preset_named(key: object) -> Ruleset:
    """Return the preset with that key. Raises `RuleViolation` if no preset has it."""
    if not isinstance(key, str):
        raise RuleViolation("preset_unknown", "Name a game by its key, such as “setback-21”.", field="preset")
    key = SAME_GAME.get(key, key)
    if key not in PRESETS:
        raise RuleViolation(
            "preset_unknown", Phrase("There is no game named “%(name)s”.", name=key[:40]), field="preset"
        )
    return PRESETS[key]
