"""Models of the card count."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.pages.common import Choice, OptionField, SideView


@dataclass(frozen=True, slots=True)
class CardCell:
    """One card of the count."""

    key: str
    """Form field "card-AS" …: radio with a side's index, or "none" for a card not counted yet."""
    card: str
    """"A♠", "10♥", "Joker"."""
    spoken: str
    """"Ace of spades"."""
    points: int
    """Card points toward Game."""
    trump: bool
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class CardRow:
    suit: str
    """"♠", or empty for jokers."""
    cells: tuple[CardCell, ...]


@dataclass(frozen=True, slots=True)
class RankRow:
    """One rank of the quick count: the number that each side took."""

    label: str
    """"Tens", "Aces" …"""
    points: int
    fields: tuple[OptionField, ...]
    """One number field for each side, "rank-T-0" …, 0 to 4."""


@dataclass(frozen=True, slots=True)
class CountPage:
    """Count the cards of a hand (cards) or just Game (ranks); POST games.count shows the count.

    The submit button `name=use value=1` carries the result to the points step.
    """

    game_id: str
    title: str
    quick: bool
    trumps: tuple[Choice, ...]
    sides: tuple[SideView, ...]
    cards: tuple[CardRow, ...]
    ranks: tuple[RankRow, ...]
    counted: tuple[str, ...]
    """The count in sentences: "Ann and Cid have 41, Bob and Dee 39."; empty before."""
    missing: str
    """"Still missing: A♠, 10♥."; empty where nothing is."""
    error: str
    version: int
    client_id: str
