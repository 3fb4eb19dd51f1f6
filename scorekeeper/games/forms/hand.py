"""Forms of a hand: its points, and the count of its cards; read as a record's hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wtforms import HiddenField, StringField

from scorekeeper.games.forms import number, read_bid, read_points
from scorekeeper.games.forms.base import SeenForm, TextsField
from scorekeeper.rules.commands import Command, EnterHand
from scorekeeper.rules.game import Game
from scorekeeper.rules.hands import RED_POINTS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.table import Table
from scorekeeper.web.forms import AppForm

CARD_FIELD = "card-"
POINTS = frozenset(category.key for rules in PRESETS.values() for category in rules.categories)
"""Fields for the winner of a point, for the points of all games."""


def entry_field() -> Any:
    """Return the field with all entries of a hand; the rules decide which of them the game needs."""
    names = ("mode", "dealer", "bidder", "bid", "partner", "trump", "tricks")
    return TextsField(POINTS.union(names), ("taken-", "side_tricks-", "side_red-", CARD_FIELD, "rank-"))


class HandForm(SeenForm):
    """Save or correct a hand.

    `number` is the number of the hand as the page showed it. `sure` confirms an unusual hand, `again` goes back to
    change it.
    """

    number = HiddenField()
    sure = StringField()
    again = StringField()
    entries = entry_field()

    @property
    def number_shown(self) -> int | None:
        """Return the number of the hand as the page showed it, None if it showed none."""
        return read_points(self.number.data or "") or None

    def command(self, game: Game) -> Command:
        """Return the command that saves the hand at the table of `game`."""
        return EnterHand(hand_data(self.entries.data, game.table))


class CountForm(AppForm):
    """Count the cards of a hand: `use` goes on to the points, `show` only shows the cards for a trump."""

    quick = StringField(default="")
    use = StringField()
    show = StringField()
    entries = entry_field()


def hand_data(fields: Mapping[str, str], table: Table) -> dict[str, Any]:
    """Return the hand in a form's fields as a record's hand.

    The field "mode" tells how it was entered: "points" for the winner of each, "taken" for the points of each side,
    "parts" for tricks and red cards, "passed" for a hand thrown in. Missing fields stay missing, so that the rules can
    ask for them.
    """
    data: dict[str, Any] = {}
    for key in ("dealer", "bidder", "tricks"):
        if fields.get(key):
            data[key] = number(fields[key])
    if fields.get("mode") == "passed":
        return {key: data[key] for key in data if key == "dealer"} | {"passed": True}
    if fields.get("bid"):
        data["bid"] = read_bid(fields["bid"])
    if fields.get("trump"):
        data["trump"] = fields["trump"]
    if "partner" in fields:
        data["partner"] = None if fields["partner"] == "alone" else number(fields["partner"])
    if fields.get("mode") == "parts":
        parts = {key: _by_side(fields, table, key, most) for key, most in _most_of(table).items()}
        return data | {key: points for key, points in parts.items() if points is not None}
    if fields.get("mode") == "taken" or not table.rules.categories:
        taken = _by_side(fields, table, "taken", table.most)
        return data if taken is None else data | {"taken": taken}
    keys = [category.key for category in table.rules.categories]
    data["points"] = {key: None if fields[key] == "none" else number(fields[key]) for key in keys if fields.get(key)}
    captured = read_cards(fields, table)
    if any(captured):
        data["captured"] = captured
    return data


def _most_of(table: Table) -> dict[str, int]:
    """Return the parts of a hand of tricks and red cards, and how many points each has."""
    return {"side_tricks": table.most - RED_POINTS, "side_red": RED_POINTS}


def _by_side(fields: Mapping[str, str], table: Table, field: str, most: int) -> list[Any] | None:
    """Return what each side got; with a fixed total, one missing side gets the rest. None: too few given."""
    given = [number(fields.get(f"{field}-{side}", "")) for side in range(2 if table.called else len(table.sides))]
    missing = [side for side, value in enumerate(given) if value == ""]
    if len(missing) == 1 and table.least == table.most and all(type(n) is int for n in given if n != ""):
        given[missing[0]] = max(most - sum(n for n in given if n != ""), 0)
        return given
    return None if missing else given


def read_cards(fields: Mapping[str, str], table: Table) -> list[list[str]]:
    """Return the cards that each side took, from the fields "card-<card>" whose value is a side."""
    piles: list[list[str]] = [[] for _ in table.sides]
    for key, value in fields.items():
        if key.startswith(CARD_FIELD) and value in map(str, range(len(piles))):
            piles[int(value)].append(key.removeprefix(CARD_FIELD))
    return [sorted(pile) for pile in piles]
