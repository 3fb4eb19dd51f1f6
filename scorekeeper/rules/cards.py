"""The cards of each game, the points that they count toward Game, and the side that takes each point of a hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat

from scorekeeper.rules.parts import JOKERS, SLAM, Category
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.table import Table

CARD_POINTS: Mapping[str, int] = {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}
CARD_POINTS_IN_ALL = 80
"""Card points of a full deck. The card points of cards that were not dealt count for nobody."""
SUITS = "CDHS"
_SUITS = tuple(SUITS)
_WORTH = {rank + suit: points for rank, points in CARD_POINTS.items() for suit in SUITS}
SAME_COLOUR: Mapping[str, str] = {"H": "D", "D": "H", "C": "S", "S": "C"}

Captured = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Count:
    """The result of counting the cards of a hand.

    `card_points` has the points toward Game, by party (`Table.parties`). `points` has the party that takes each
    category, by the category's key. The party is None if nobody takes the point. A category is left out if the cards
    don't show who takes it.

    `cards` has the card that decides each category, by the category's key. A card is listed even if nobody took it.
    Game usually has no such card. High and Low have no card if no trump was taken.
    """

    card_points: tuple[int, ...]
    points: Mapping[str, int | None]
    cards: Mapping[str, str]


def pack_of(rules: Ruleset) -> frozenset[str]:
    """Return every card of the game's deck, as rank and suit, such as "TS" for the ten of spades.

    Jokers are `RJ` and `BJ`.
    """
    return _pack(rules.ranks, jokers_of(rules))


@lru_cache(maxsize=64)
def _pack(ranks: str, jokers: tuple[str, ...]) -> frozenset[str]:
    return frozenset({*(rank + suit for rank in ranks for suit in SUITS), *jokers})


def jokers_of(rules: Ruleset) -> tuple[str, ...]:
    """Return the jokers in the game's deck. The higher one is first."""
    return JOKERS[: rules.jokers]


def trumps_of(rules: Ruleset, trump: str) -> tuple[str, ...]:
    """Return every trump, lowest first: the trump suit, the jokers, and each off card that scores a point.

    `trump` is one of `C D H S`. An off card has the other suit of the same color, and ranks just below the trump with
    the same rank (RULES 3, 8). Jokers rank above the ten and below both jacks.
    """
    return _trumps(rules.ranks, jokers_of(rules), tuple(each.card for each in rules.categories if each.off), trump)


@lru_cache(maxsize=256)
def _trumps(ranks: str, jokers: tuple[str, ...], off: tuple[str, ...], trump: str) -> tuple[str, ...]:
    cards: list[str] = []
    for rank in ranks:
        if rank == "J":
            cards.extend(reversed(jokers))
        if rank in off:
            cards.append(rank + SAME_COLOUR[trump])
        cards.append(rank + trump)
    return tuple(cards)


def check_captured(table: Table, captured: Captured) -> None:
    """Raise `RuleViolation` unless the parties can have taken the piles of cards in `captured`.

    There must be one pile for each party. The cards must belong to this game, and no card may appear twice.
    """
    if len(captured) != table.parties:
        raise RuleViolation("captured_sides", "Enter the cards of each side.", field="captured")
    pack = pack_of(table.rules)
    cards = set[str]().union(*captured)
    if len(cards) == sum(map(len, captured)) and cards <= pack:
        return
    every = [card for pile in captured for card in pile]
    wrong = next(card for place, card in enumerate(every) if card not in pack or card in every[:place])
    if wrong not in pack:
        message = Phrase("This game has no card “%(card)s”.", card=wrong[:8])
        raise RuleViolation("card_unknown", message, field="captured")
    raise RuleViolation("card_twice", Phrase("Card %(card)s is counted twice.", card=wrong), field="captured")


def count_cards(
    table: Table, trump: str, captured: Captured, *, bidding_side: int | None = None, dealer: int | None = None
) -> Count:
    """Count the cards that each party took, and return the result (RULES 1, 3, 4).

    `captured` has a pile of cards for each party. `trump` is one of `C D H S`. `bidding_side` is a party, and `dealer`
    is a seat. In some games, one of these two decides a tie for Game. Raises `RuleViolation` for impossible piles, for
    any other `trump`, and for a game without categories.
    """
    if not table.rules.categories:
        raise RuleViolation("points_kind", "This game only counts each side's points.", field="captured")
    if trump not in _SUITS:
        raise RuleViolation("trump_needed", "Choose trump to count the cards.", field="trump")
    check_captured(table, captured)
    rules = table.rules
    owner = {card: side for side, pile in enumerate(captured) for card in pile}
    trumps = [card for card in trumps_of(rules, trump) if card in owner]
    card_points = [sum(map(_WORTH.get, pile, repeat(0))) for pile in captured]
    if not rules.trump_jack_counts and "J" + trump in owner:
        card_points[owner["J" + trump]] -= CARD_POINTS["J"]
    counted = [category for category in rules.categories if told_by_cards(rules, category)]
    cards = {"high": trumps[-1], "low": trumps[0]} if trumps else {}
    cards |= {category.key: carrier(category, trump) for category in counted if category.card}
    points = {category.key: owner.get(cards.get(category.key, "")) for category in counted}
    # In some games one card is Game, such as the ten of trump in Cinch.
    if "game" in points and "game" not in cards:
        points["game"] = game_owner(table, card_points, bidding_side=bidding_side, dealer=dealer)
    return Count(tuple(card_points), points, {key: card for key, card in cards.items() if key in points})


def told_by_cards(rules: Ruleset, category: Category) -> bool:
    """Return whether the captured cards show who takes the point of a category.

    The captured cards don't show this if the point goes to the player who was dealt the category's card, or if the
    point is for taking all the tricks.
    """
    key = category.key
    return not category.dealt and key != SLAM.key and not (key == "low" and rules.low == "dealt")


def game_owner(
    table: Table, card_points: Sequence[int], *, bidding_side: int | None = None, dealer: int | None = None
) -> int | None:
    """Return the party that takes Game, or None if nobody does (RULES 1).

    `card_points` has the card points of each party. The party with the most takes Game if it has at least
    `game_minimum`. The rule `game_tie` decides a tie, and may need `bidding_side` (a party) or `dealer` (a seat).
    """
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
    if rules.game_tie == "dealer" and dealer is not None and table.side_of[dealer] in leaders:
        return table.side_of[dealer]
    return None


def taker_of_tie(table: Table) -> str | None:
    """Return the value of `game_tie` if Game can go to nobody only by a tie, and a tie always goes to somebody.

    Otherwise return None. With more than two parties, those who tied may not include the one that the rule names.
    """
    rules = table.rules
    named = rules.game_tie == "dealer" or (rules.has_bids and rules.game_tie != "nobody")
    plain = table.parties == 2 and not rules.game_minimum and rules.compares("game")
    return rules.game_tie if named and plain else None


def carrier(category: Category, trump: str) -> str:
    """Return the card that decides who gets the point of a category when `trump` is trump, for example "JH".

    `trump` is one of `C D H S`. The category must be one that has a card.
    """
    if category.card in JOKERS:
        return category.card
    return category.card + (SAME_COLOUR[trump] if category.off else trump)
