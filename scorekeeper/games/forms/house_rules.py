"""Forms for house rules, with one field "rule-<option>" for each option.

Read the search for a game on the new-game page: name and number of players.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from flask import request
from wtforms import StringField

from scorekeeper.games.forms.base import SeenForm, TextsField, number
from scorekeeper.games.logic.new_game import Findable
from scorekeeper.i18n.catalog import spoken
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, with_points
from scorekeeper.rules.table import table_at
from scorekeeper.web.forms import AppForm, at_most, printable
from scorekeeper.web.locale import page_language

POINTS = "points"
SHOWN_POINTS = "shown-points"
"""Name of the hidden field with the points of a hand as the page showed them, so that a change can be noticed."""


class HouseRulesForm(AppForm):
    """Choose the house rules of a game."""

    rules = TextsField(frozenset((SHOWN_POINTS,)), ("rule-",), several=frozenset((f"rule-{POINTS}",)))

    def options(self, preset: Ruleset) -> dict[str, Any]:
        """Return the options in the form that differ from `preset`. Their values are not checked yet."""
        return option_values(self.rules.data, preset)


class ChangeRulesForm(SeenForm, HouseRulesForm):
    """Change the house rules of a game in progress."""


def option_values(fields: Mapping[str, str], preset: Ruleset) -> dict[str, Any]:
    """Return the options in a form's "rule-…" fields that differ from `preset`, by option name.

    A value that cannot be read is kept as text, so that the rules refuse it. If the player changed the points of
    a hand but not the highest bid, the highest bid is left out, because it follows from the points.
    """
    given: dict[str, Any] = {}
    for field, text in fields.items():
        key = field.removeprefix("rule-")
        if key != field and key in OPTIONS:
            given[key] = _option(key, text.strip())
    base = game_with(preset, given)
    given |= {POINTS: base.points} if OPTIONS[POINTS].allows(given.get(POINTS)) else {}
    shown = game_with(preset, {POINTS: _option(POINTS, fields.get(SHOWN_POINTS, base.points))})
    if shown.points != base.points and given.get("bid_max") == shown.bid_max:
        del given["bid_max"]
    usual = {key: getattr(preset if key == POINTS else base, key) for key in given}
    return {key: value for key, value in given.items() if value != usual[key] or type(value) is not type(usual[key])}


def game_with(preset: Ruleset, options: Mapping[str, Any]) -> Ruleset:
    """Return `preset` with the points of a hand that are chosen in `options`.

    If `options` has no valid choice of points, or the game has no such choice, `preset` is returned unchanged.
    """
    points = options.get(POINTS, "")
    return with_points(preset, points) if OPTIONS[POINTS].allows(points) and preset.usual_points else preset


def _option(key: str, text: str) -> Any:
    option = OPTIONS[key]
    if option.several:
        told = option.joined(text.split())
        return told if len(told.split()) == len(text.split()) else text
    if option.values:
        return next((choice for choice in option.values if option_text(choice) == text), text)
    return None if option.nullable and not text else number(text)


def option_text(value: Any) -> str:
    """Return the value of an option as it is sent in a form: "yes", "no", a number or text, or "" for None."""
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


MOST_FIND = 60
"""Maximum number of characters of a search text that are used."""
PLAYERS = {
    f"{count}": count for count in sorted({seating.players for rules in PRESETS.values() for seating in rules.seatings})
}
"""The numbers of players that can be searched for, by form value."""


class FindForm(AppForm):
    """Search for a game by name and number of players. The form is sent by GET."""

    find = StringField(default="", filters=[printable, str.strip, at_most(MOST_FIND)])
    players = StringField(default="", filters=[printable])

    @property
    def wanted_players(self) -> int | None:
        """Return the number of players to search for, or None for any number."""
        return number_of_players(self.players.data or "")

    @property
    def text(self) -> str:
        """Return the name to search for, or "" for any name."""
        return self.find.data or ""


def asked_search() -> FindForm:
    """Return the search form, filled in from the query string of the current request."""
    return FindForm(formdata=request.args)


def number_of_players(value: str) -> int | None:
    """Return the number of players for a value from the form, or None if the value is not in `PLAYERS`."""
    return PLAYERS.get(value)


def findable_games() -> tuple[Findable, ...]:
    """Return the search entries of all games, with names in the reader's language, in the order of `PRESETS`."""
    return _findable(page_language())


@cache
def _findable(_language: str) -> tuple[Findable, ...]:
    return tuple(
        Findable(
            key,
            _names(rules),
            frozenset(seating.players for seating in rules.seatings),
            max(table_at(rules, seating).most for seating in rules.seatings),
        )
        for key, rules in PRESETS.items()
    )


def _names(rules: Ruleset) -> tuple[str, ...]:
    """Return everything that a player may type to find a game, with the game's main name first.

    The result has the game's names in the reader's language and in English, and the target score.
    """
    told = (rules.name, *rules.also)
    return tuple(dict.fromkeys((*map(spoken, told), *map(str, told), str(rules.target))))
