"""The parts of a game that no house rule changes: seatings, points of a hand, cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SeatingKind = Literal["partners", "alone", "called"]
Topic = Literal[
    "deal_passes",
    "bids",
    "higher",
    "auction",
    "all_pass",
    "special_bid",
    "pitch_fails",
    "low",
    "plays_alone",
    "winning",
    "ties",
]
"""A rule on which the published text of a game may be silent: it names a line of the rule card."""


@dataclass(frozen=True, slots=True)
class Seating:
    """How many sit down and who plays with whom.

    "partners" makes two sides of every other seat, "alone" a side of each seat, and "called" gives each player a score
    of their own while the bidder calls a partner for the hand.
    """

    players: int
    kind: SeatingKind


@dataclass(frozen=True, slots=True)
class Category:
    """One thing a hand is worth points for.

    `always`: some side takes it in every hand. `card`: the rank of the trump that carries it ("left" for the other jack
    of the same color, "RJ" and "BJ" for jokers); empty where High, Low or Game is decided by comparing. `dealt`: it
    belongs to the player it was dealt to, so the captured cards cannot show its owner.
    """

    key: str
    label: str
    value: int = 1
    always: bool = False
    card: str = ""
    dealt: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """Facts about play for the rule card only: nothing here changes a score."""

    lead: str
    """How trump is chosen, and what the bidder leads."""
    batch: int = 0
    """Cards dealt at a time; 0 where the rules don't say."""
    pack: str = ""
    """The deck, if it isn't the standard 52 cards."""
    deal: str = ""
    """The whole deal, if `cards_each` is 0."""
    after_deal: str = ""
    """What happens between the deal and the first trick."""
    cards: str = ""
    """Cards with a power of their own."""
    trumps_only: bool = False
    """Whether players with no trumps left are out of the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A game without its options."""

    preset: str
    name: str
    seatings: tuple[Seating, ...]
    categories: tuple[Category, ...] = ()
    hand_totals: tuple[tuple[int, int], ...] = ()
    """(players, points of a hand) where a hand has one total instead of categories."""
    ranks: str = "23456789TJQKA"
    """Ranks of the deck, lowest first."""
    jokers: bool = False
    cards_each: int = 6
    """Cards dealt to each player; 0 where that depends on how many play."""
    discard_to: int = 0
    """Cards that each player keeps for the tricks; 0: all of them."""
    play: Play
    decided: frozenset[Topic] = frozenset()
    """Where the published rules are silent, so that the app had to decide; the rule card says so."""

    @property
    def has_bowers(self) -> bool:
        """Return whether the other jack of the trump's color belongs to the trump suit."""
        return any(category.card == "left" for category in self.categories)

    @property
    def tricks(self) -> int:
        """Return the tricks in a hand; 0 if they depend on the number of players."""
        return self.discard_to or self.cards_each

    def counts(self, key: str) -> bool:
        """Return whether a hand has that point."""
        return any(category.key == key for category in self.categories)
