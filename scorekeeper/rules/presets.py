"""List the games that players can choose, and named sets of house rules.

The presets, by key: all games that players can choose. Their rules are in `setback_games.py` and `pitch_games.py`.

The meaning of a preset is frozen in the record format `scorekeeper-game/1` (RECORD 2).

Named sets of house rules, such as the rules of one region. Each set is one entry in this module.

Each set comes from one of the published texts, which RULES.md numbers 000 to 004, or from RULES 8.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from scorekeeper.rules import pitch_games, setback_games
from scorekeeper.rules.cards import pack_of
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Topic
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.ruleset import Ruleset, check_combination, check_value, with_options
from scorekeeper.rules.table import table_at

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
