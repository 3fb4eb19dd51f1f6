"""What a game is made of, which no house rule changes: who sits down, what a hand is worth, the cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SeatingKind = Literal["partners", "alone", "called"]


@dataclass(frozen=True, slots=True)
class Seating:
    """How many sit down and who is with whom.

    "partners" makes two sides of every other seat, "alone" a side of each seat, and
    "called" scores each alone while the bidder calls a partner for the hand.
    """

    players: int
    kind: SeatingKind


@dataclass(frozen=True, slots=True)
class Category:
    """One thing a hand is worth points for.

    `always`: some side takes it in every hand. `card`: the rank of the trump that
    carries it ("left" for the other jack of the trump's colour, "RJ" and "BJ" for
    jokers); empty where High, Low or Game is decided by comparing. `dealt`: belongs to
    the player it was dealt to, so the captured cards cannot tell.
    """

    key: str
    label: str
    value: int = 1
    always: bool = False
    card: str = ""
    dealt: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """What only the players need to know: nothing here changes a score."""

    deal: str
    trump: str
    lead: str
    cards: str = ""
    """Cards with a power of their own."""
    follow: str = ""
    """What to play to a trick, where it is not the suit led."""


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
    """Ranks of the pack, lowest first."""
    jokers: bool = False
    cards_each: int = 6
    """Cards dealt to each player; 0 where that depends on how many play."""
    play: Play

    @property
    def has_bowers(self) -> bool:
        """Return whether the other jack of the trump's colour belongs to the trump suit."""
        return any(category.card == "left" for category in self.categories)

    def counts(self, key: str) -> bool:
        """Return whether a hand has that point."""
        return any(category.key == key for category in self.categories)
