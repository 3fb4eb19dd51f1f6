"""Cards: their points toward Game, and which side takes each point of a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.rules.parts import Category
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.table import Table
from scorekeeper.rules.violation import RuleViolation

CARD_POINTS: Mapping[str, int] = {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}
CARD_POINTS_IN_ALL = 80
"""Card points of a full deck. Cards that were not dealt count for nobody."""
SUITS = "CDHS"
SAME_COLOUR: Mapping[str, str] = {"H": "D", "D": "H", "C": "S", "S": "C"}
JOKERS = ("RJ", "BJ")

Captured = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Count:
    """The card count of a hand.

    `card_points` are the points toward Game, by side. `points` maps each category to the side
    that takes it, None for nobody. Categories that the cards don't show are left out.
    """

    card_points: tuple[int, ...]
    points: Mapping[str, int | None]


def pack_of(rules: Ruleset) -> frozenset[str]:
    """Return every card of the game's deck: rank and suit, `T` for ten, `RJ` and `BJ` for jokers."""
    cards = {rank + suit for rank in rules.ranks for suit in SUITS}
    return frozenset(cards | set(JOKERS if rules.jokers else ()))


def trumps_of(rules: Ruleset, trump: str) -> tuple[str, ...]:
    """Return the trump suit, lowest first, with the other jack of that color and the jokers if they belong to it.

    The left bower ranks between jack and ten (seed 001), jokers below the ten.
    """
    suit = [rank + trump for rank in rules.ranks]
    guests = [*(("BJ", "RJ") if rules.jokers else ())]
    if rules.has_bowers:
        guests.append("J" + SAME_COLOUR[trump])
    jack = suit.index("J" + trump)
    return (*suit[:jack], *guests, *suit[jack:])


def check_captured(table: Table, captured: Captured) -> None:
    """Raise `RuleViolation` unless each side has a pile, of cards of this game, with no card twice."""
    if len(captured) != len(table.sides):
        raise RuleViolation("captured_sides", "Enter the cards of each side.", field="captured")
    pack = pack_of(table.rules)
    seen: set[str] = set()
    for pile in captured:
        for card in pile:
            if card not in pack:
                raise RuleViolation(
                    "card_unknown", Phrase("This game has no card “%(card)s”.", card=card[:8]), field="captured"
                )
            if card in seen:
                raise RuleViolation(
                    "card_twice", Phrase("Card %(card)s is counted twice.", card=card), field="captured"
                )
            seen.add(card)


def count_cards(table: Table, trump: str, captured: Captured, *, bidding_side: int | None = None) -> Count:
    """Return the count of the cards each side took. `trump` is one of `C D H S` (RULES 1, 3, 4).

    `bidding_side` decides a tied Game if the rules give it to the bidder or the defenders. Raises `RuleViolation` for
    impossible piles.
    """
    if not table.rules.categories:
        raise RuleViolation("points_kind", "This game only counts each side's points.", field="captured")
    if trump not in tuple(SUITS):
        raise RuleViolation("trump_needed", "Choose trump to count the cards.", field="trump")
    check_captured(table, captured)
    rules = table.rules
    owner = {card: side for side, pile in enumerate(captured) for card in pile}
    trumps = [card for card in trumps_of(rules, trump) if card in owner]
    worthless = set() if rules.trump_jack_counts else {"J" + trump}
    card_points = tuple(sum(CARD_POINTS.get(card[0], 0) for card in pile if card not in worthless) for pile in captured)
    points: dict[str, int | None] = {}
    for category in rules.categories:
        if not told_by_cards(rules, category):
            continue
        if category.key == "high":
            points["high"] = owner[trumps[-1]] if trumps else None
        elif category.key == "low":
            points["low"] = owner[trumps[0]] if trumps else None
        elif category.key == "game":
            points["game"] = game_owner(table, card_points, bidding_side=bidding_side)
        else:
            points[category.key] = owner.get(carrier(category, trump))
    return Count(card_points, points)


def told_by_cards(rules: Ruleset, category: Category) -> bool:
    """Return whether captured cards show the winner of the category, unless it goes to the player who was dealt it."""
    return not category.dealt and not (category.key == "low" and rules.low == "dealt")


def game_owner(table: Table, card_points: Sequence[int], *, bidding_side: int | None = None) -> int | None:
    """Return the side that takes Game, or None (RULES 1): most card points, `game_minimum`, `game_tie`."""
    rules = table.rules
    most = max(card_points)
    if most < rules.game_minimum:
        return None
    leaders = [side for side, points in enumerate(card_points) if points == most]
    if len(leaders) == 1:
        return leaders[0]
    if rules.game_tie == "bidder" and bidding_side in leaders:
        return bidding_side
    if rules.game_tie == "defenders" and bidding_side is not None:
        return 1 - bidding_side
    return None


def carrier(category: Category, trump: str) -> str:
    """Return the card that brings a point other than High, Low and Game."""
    if category.card == "left":
        return "J" + SAME_COLOUR[trump]
    return category.card if category.card in JOKERS else category.card + trump
