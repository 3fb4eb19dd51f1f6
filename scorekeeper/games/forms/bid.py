"""Forms of the bid: the winning bid, and a call of the auction."""

from __future__ import annotations

from wtforms import StringField

from scorekeeper.games.forms import read_bid, read_seat
from scorekeeper.games.forms.base import GameForm, text_field
from scorekeeper.games.forms.hand import HandForm
from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.commands import Command, EnterHand, TakeBid
from scorekeeper.rules.violation import RuleViolation


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
