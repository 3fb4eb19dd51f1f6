"""Read the search for a game on the new-game page: name and number of players."""

from __future__ import annotations

from functools import cache

from flask import request
from wtforms import StringField

from scorekeeper.games.logic.game_search import Findable
from scorekeeper.i18n.catalog import spoken
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.table import table_at
from scorekeeper.web.forms import AppForm, at_most, printable
from scorekeeper.web.locale import page_language

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
