"""Forms of a hand, for its points and for counting its cards. A hand is read in the format of a game record.

Forms of the bid: the winning bid, and a call of the auction.
"""

from collections.abc import Mapping
from typing import Any

from wtforms import HiddenField, StringField

from scorekeeper.games.forms.base import (
    GameForm,
    SeenForm,
    TextsField,
    number,
    read_bid,
    read_points,
    read_seat,
    text_field,
)
from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.commands import Command, EnterHand, TakeBid
from scorekeeper.rules.game import Game
from scorekeeper.rules.hands import RED_POINTS
from scorekeeper.rules.parts import POINTS as CATEGORIES
from scorekeeper.rules.parts import SLAM
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.table import Table
from scorekeeper.web.forms import AppForm

CARD_FIELD = "card-"
HUNG = "hung-"
"""Prefix of the jack's form value if a side captured the jack from another side: "hung-0" for side 0."""
NO_CARD = "other"
"""Form value for a turned-up card that scores nothing."""
POINTS = frozenset((*CATEGORIES, SLAM.key))
"""Names of the fields for the winner of each point, for all games."""


def entry_field() -> Any:
    """Return the form field that holds everything a player can enter for a hand, whatever the game."""
    names = ("mode", "dealer", "bidder", "bid", "partner", "trump", "tricks", "turned_up", "revoked")
    return TextsField(POINTS.union(names), ("taken-", "side_tricks-", "side_red-", CARD_FIELD, "rank-"))


class HandForm(SeenForm):
    """Save or correct a hand.

    `number` is the number of the hand that the page showed. `sure` means that the player has confirmed an unusual hand.
    `again` means that the player wants to change the hand instead of confirming it.
    """

    number = HiddenField()
    sure = StringField()
    again = StringField()
    entries = entry_field()

    @property
    def number_shown(self) -> int | None:
        """Return the number of the hand that the page showed, or None if the page showed none."""
        return read_points(self.number.data or "") or None

    def command(self, game: Game) -> Command:
        """Return the command that saves the hand in `game`."""
        return EnterHand(hand_data(self.entries.data, game.table))


class CountForm(AppForm):
    """Count the cards of a hand.

    `quick` is "1" to count only the cards for the point Game. The button `use` goes back to the form of
    the hand and fills in the winners of the points. The button `show` shows the cards for the chosen trump.
    """

    quick = StringField(default="")
    use = StringField()
    show = StringField()
    entries = entry_field()


def hand_data(fields: Mapping[str, str], table: Table) -> dict[str, Any]:
    """Return the hand in a form's fields, in the format of a game record.

    The field "mode" tells what was entered: "points" for the winner of each point, "taken" for the points of each side,
    "parts" for tricks and red cards, or "passed" for a hand that was thrown in. Fields that weren't sent are missing in
    the result, so that the rules can name them in an error.
    """
    data: dict[str, Any] = {}
    for key in ("dealer", "bidder", "tricks", "revoked"):
        if fields.get(key):
            data[key] = number(fields[key])
    if fields.get("mode") == "passed":
        return {key: data[key] for key in data if key == "dealer"} | {"passed": True}
    if fields.get("bid"):
        data["bid"] = read_bid(fields["bid"])
    if fields.get("trump"):
        data["trump"] = fields["trump"]
    if fields.get("turned_up", NO_CARD) != NO_CARD:
        data["turned_up"] = fields["turned_up"]
    if "partner" in fields:
        data["partner"] = None if fields["partner"] == "alone" else number(fields["partner"])
    if fields.get("mode") == "parts":
        parts = {key: _by_side(fields, table, key, most) for key, most in _most_of(table).items()}
        return data | {key: points for key, points in parts.items() if points is not None}
    if fields.get("mode") == "taken" or not table.rules.categories:
        taken = _by_side(fields, table, "taken", table.most)
        return data if taken is None else data | {"taken": taken}
    keys = [category.key for category in table.rules.points_of("pitch")]
    if fields.get("jack", "").startswith(HUNG):
        data["jack_hung"] = True
    told = {key: fields[key].removeprefix(HUNG) for key in keys if fields.get(key)}
    data["points"] = {key: None if side == "none" else number(side) for key, side in told.items()}
    captured = read_cards(fields, table)
    if any(captured):
        data["captured"] = captured
    return data


def _most_of(table: Table) -> dict[str, int]:
    """Return how many tricks and how many red cards all sides together can take.

    The keys of the dict are the beginnings of the field names: "side_tricks" and "side_red".
    """
    return {"side_tricks": table.most - RED_POINTS, "side_red": RED_POINTS}


def _by_side(fields: Mapping[str, str], table: Table, field: str, most: int) -> list[Any] | None:
    """Return the values of the fields "<field>-<party>", in the order of the parties.

    The parties are the sides. In a game with a called partner, they are the bidder's party and the defenders.

    `most` is the highest possible sum of the values. If every hand of the game has the same total and only one field
    is empty, that field gets what is left of `most`. In all other cases, the result is None if any field is empty.
    """
    given = [number(fields.get(f"{field}-{side}", "")) for side in range(table.parties)]
    missing = [side for side, value in enumerate(given) if value == ""]
    if len(missing) == 1 and table.least == table.most and all(type(n) is int for n in given if n != ""):
        given[missing[0]] = max(most - sum(n for n in given if n != ""), 0)
        return given
    return None if missing else given


def read_cards(fields: Mapping[str, str], table: Table) -> list[list[str]]:
    """Return the cards that each party took, as one list per party.

    A field "card-<card>" has the number of the party that took the card, from 0. The parties are the sides. In a game
    with a called partner, party 0 is the bidder and the partner, and party 1 is the defenders.
    """
    piles: list[list[str]] = [[] for _ in range(table.parties)]
    for key, value in fields.items():
        if key.startswith(CARD_FIELD) and value in map(str, range(len(piles))):
            piles[int(value)].append(key.removeprefix(CARD_FIELD))
    return [sorted(pile) for pile in piles]


class BidForm(HandForm):
    """Enter the winning bid.

    The page shows either a grid of buttons or a number pad. A button of the grid sends a single field, "<seat>:<bid>".
    The number pad sends two fields, bidder and bid.
    """

    call = text_field()

    def bid(self) -> Command:
        """Return the command that saves the bid.

        If the hand was thrown in or given up, return the command that saves the hand instead. Raises `RuleViolation` if
        the bidder is missing.
        """
        if self.call.data == "passed":
            return EnterHand({"passed": True})
        if self.call.data == "conceded":
            return EnterHand({"conceded": True})
        entries = self.entries.data
        seat, _, value = (self.call.data or f"{entries.get('bidder', '')}:{entries.get('bid', '')}").partition(":")
        if not seat:
            raise RuleViolation("bidder_missing", "Choose the bidder, then tap the bid.", field="bidder")
        bidder = read_seat(seat)
        return TakeBid(-1 if bidder is None else bidder, read_bid(value), entries.get("trump") or None)


class CallForm(GameForm):
    """Make a call in the auction."""

    call = StringField(default="")

    @property
    def bid(self) -> Bid:
        """Return the chosen call: a number, or a word such as "pass"."""
        return read_bid(self.call.data or "")
