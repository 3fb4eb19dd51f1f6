"""Models of the card count."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.pages.common import Choice, OptionField, SideView


@dataclass(frozen=True, slots=True)
class CardCell:
    """One card of the card count."""

    key: str
    """Name of the radio field: "card-AS" … Its value is a party from 0, or "none" for a card that no party got yet."""
    card: str
    """The card: "A♠", "10♥", "Joker"."""
    spoken: str
    """The card in words, for screen readers: "Ace of spades"."""
    points: int
    """Card points of this card toward the point called Game."""
    trump: bool
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class CardRow:
    suit: str
    """The symbol of the suit, "♠"; empty for jokers."""
    cells: tuple[CardCell, ...]


@dataclass(frozen=True, slots=True)
class RankRow:
    """A card rank in the quick count. Each side has a field for the number of cards of that rank that it took."""

    label: str
    """Name of the rank: "Tens", "Aces" …"""
    points: int
    fields: tuple[OptionField, ...]
    """A number field for each side, from 0 to 4: "rank-T-0" …"""


@dataclass(frozen=True, slots=True)
class CountPage:
    """The page for counting all cards of a hand (`cards`), or only the cards for the point Game (`ranks`).

    A POST to games.count shows the count. If the submit button "use" with the value 1 was pressed, the count is filled
    into the points step instead.
    """

    game_id: str
    title: str
    quick: bool
    may_be_quick: bool
    trumps: tuple[Choice, ...]
    sides: tuple[SideView, ...]
    cards: tuple[CardRow, ...]
    ranks: tuple[RankRow, ...]
    counted: tuple[str, ...]
    """The count in sentences: "Card points: Ann and Cid 41, Bob and Dee 39."; empty before the count."""
    missing: str
    """The cards that the player still has to assign to a side, or their number: "Not counted yet: A♠, 10♥.".

    Only cards that count toward Game are listed. Empty if all of these or none of these are assigned, and in the quick
    count.
    """
    error: str
    version: int
    client_id: str
