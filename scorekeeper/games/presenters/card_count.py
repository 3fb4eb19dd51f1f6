"""Models of the card count.

Make the page of the card count, with the cards that each side took and their points.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from scorekeeper.games.forms.hand import CARD_FIELD, read_cards
from scorekeeper.games.pages.common import Choice, OptionField, SideView
from scorekeeper.games.presenters.snapshot import Snapshot, new_tap_id, side_views, suit_name, suit_sign
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.sentences import SideName
from scorekeeper.rules.cards import (
    CARD_POINTS,
    SUITS,
    Count,
    carrier,
    count_cards,
    game_owner,
    jokers_of,
    told_by_cards,
    trumps_of,
)
from scorekeeper.rules.hands import allowed_trumps
from scorekeeper.rules.parts import JOKERS, Category
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.table import Table


class CardCell(Struct, frozen=True):
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


class RankRow(Struct, frozen=True):
    """A card rank in the quick count. Each side has a field for the number of cards of that rank that it took."""

    label: str
    """Name of the rank: "Tens", "Aces" …"""
    points: int
    fields: tuple[OptionField, ...]
    """A number field for each side, from 0 to 4: "rank-T-0" …"""


class CountPage(Struct, frozen=True):
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
    cards: tuple[tuple[CardCell, ...], ...]
    ranks: tuple[RankRow, ...]
    counted: tuple[str, ...]
    """The count in sentences: "Card points: Ann and Cid 41, Bob and Dee 39."; empty before the count."""
    missing: str
    """The cards that no side was given, or their number: "Nobody took: A♠, 10♥.".

    Only cards that count toward Game are listed. Empty if all of these or none of these are assigned, and in the quick
    count.
    """
    error: str
    version: int
    client_id: str


RANKS: Mapping[str, tuple[str, str]] = {
    "T": (N_("Ten"), N_("Tens")),
    "A": (N_("Ace"), N_("Aces")),
    "K": (N_("King"), N_("Kings")),
    "Q": (N_("Queen"), N_("Queens")),
    "J": (N_("Jack"), N_("Jacks")),
}
"""Singular and plural of the ranks that count toward the point called Game, most points first."""
_FOUR: Mapping[str, str] = {
    "T": N_("There are only four tens in the deck."),
    "A": N_("There are only four aces in the deck."),
    "K": N_("There are only four kings in the deck."),
    "Q": N_("There are only four queens in the deck."),
    "J": N_("There are only four jacks in the deck."),
}
SHORT: Mapping[str, str] = {"A": N_("A"), "K": N_("K"), "Q": N_("Q"), "J": N_("J"), "T": "10"}
"""Rank as printed in the corner of a card, by the letter that game records use."""
JOKER_NAMES: Mapping[str, str] = {"RJ": N_("High joker"), "BJ": N_("Low joker")}
SUIT_ROWS = "SHDC"
"""Suits in the order in which the page shows them."""
PARTIES = "●○"
"""Signs in place of letters if a partner is called: the bidder's party, and the defenders."""
NAMED = 8
"""Maximum number of missing cards that are named; if more are missing, the page only says how many."""


def count_page(
    snapshot: Snapshot, fields: Mapping[str, str], *, quick: bool, asked: bool, error: str = ""
) -> CountPage:
    """Return the page with the cards that were tapped so far. If `asked`, the page also shows the count.

    `fields` are the fields of the form. With `quick`, the page only counts the point Game, and asks for the number of
    cards of each rank.
    """
    game = snapshot.game
    trump = chosen_trump(snapshot, fields)
    counted: tuple[str, ...] = ()
    if asked and not error:
        try:
            counted = _said_quick(snapshot, fields) if quick else _said(snapshot, count_of(snapshot, fields))
        except RuleViolation as violation:
            error = spoken(violation.message)
    rules, sides = game.table.rules, _party_views(snapshot)
    return CountPage(
        game_id=snapshot.public_id,
        title=_("Count Game") if quick else _("Count the cards"),
        quick=quick,
        may_be_quick=rules.compares("game"),
        trumps=tuple(Choice(t, suit_name(t), suit_sign(t), t == trump) for t in allowed_trumps(game.table)),
        sides=sides,
        cards=() if quick else _card_rows(rules, trump, fields, sides),
        ranks=_rank_rows(rules, fields, sides) if quick else (),
        counted=counted,
        missing="" if quick else _missing(rules, fields),
        error=error,
        version=game.version,
        client_id=new_tap_id(),
    )


def _parties(snapshot: Snapshot) -> tuple[SideName, ...]:
    """Return the names of the parties for which the cards are counted.

    The parties are the sides. If a partner is called, the parties are "bidder and partner" and "the others".
    """
    if not snapshot.game.table.called:
        return snapshot.sides
    return SideName(_("Bidder and partner"), several=True), SideName(_("The others"), several=True)


def _party_views(snapshot: Snapshot) -> tuple[SideView, ...]:
    views = side_views(snapshot.game, snapshot.sides)
    if not snapshot.game.table.called:
        return views
    return tuple(
        structs.replace(view, letter=mark, name=party.name)
        for view, mark, party in zip(views, PARTIES, _parties(snapshot), strict=False)
    )


def whole_deck_page(snapshot: Snapshot) -> CountPage:
    """Return the page with every card that counts in at least one trump suit, with no card tapped yet.

    An offline phone uses this page, and hides the cards that don't count in the chosen suit.
    """
    by_suit = {suit: count_page(snapshot, {"trump": suit}, quick=False, asked=False) for suit in SUIT_ROWS}
    rows = [by_suit[suit].cards[row] for row, suit in enumerate(SUIT_ROWS)]
    page = count_page(snapshot, {}, quick=False, asked=False)
    return structs.replace(page, cards=(*rows, *page.cards[len(rows) :]), missing="")


def chosen_trump(snapshot: Snapshot, fields: Mapping[str, str]) -> str:
    """Return the trump suit that was tapped.

    If no suit was tapped, return the trump of the bid in play, or "" if there is none.
    """
    bid = snapshot.game.open_bid
    return fields.get("trump") or (bid.trump if bid else "") or ""


def count_of(snapshot: Snapshot, fields: Mapping[str, str]) -> Count:
    """Return the count of the cards that were tapped.

    Raises `RuleViolation` if the cards or the trump are impossible.
    """
    game = snapshot.game
    bid = game.open_bid
    side = None if bid is None else game.table.party_of(bid.bidder)
    piles = read_cards(fields, game.table)
    return count_cards(game.table, chosen_trump(snapshot, fields), piles, bidding_side=side, dealer=game.dealer)


def count_rules(snapshot: Snapshot) -> dict[str, Any]:
    """Return the rules of counting as data for `static/js/games/card-rules.js`, which describes the format."""
    table = snapshot.game.table
    shown = [category for category in table.rules.categories if told_by_cards(table.rules, category)]
    return {
        "worth": CARD_POINTS if table.rules.compares("game") else {},
        "trumps": {trump: trumps_of(table.rules, trump) for trump in SUITS},
        "carriers": {
            trump: {category.key: carrier(category, trump) for category in shown if category.card} for trump in SUITS
        },
        "shown": [category.key for category in shown],
        "jack_counts": table.rules.trump_jack_counts,
    }


def count_words(snapshot: Snapshot) -> dict[str, Any]:
    """Return a dict with the sentences of a card count in the reader's language.

    The sentences have placeholders in braces, which the phone fills in.
    """
    return {
        "owners": [party.name for party in _parties(snapshot)],
        "points": _("Card points: %(points)s.", points="{points}"),
        "owned": _owned("{point}", "{owner}"),
        "nobody": _("nobody"),
        "untold": _untold("{point}"),
        "trump": _("Trump: %(suit)s", suit="{suit}"),
        "needed": _("Choose trump to count the cards."),
        "four": {rank: _(text) for rank, text in _FOUR.items()},
        "number": _("Enter 0 to 4 cards of each kind."),
        "many": _("Nobody took: %(number)s cards.", number="{n}"),
        "few": _("Nobody took: %(cards)s.", cards="{cards}"),
    }


def points_fields(snapshot: Snapshot, fields: Mapping[str, str], *, quick: bool) -> dict[str, str]:
    """Return the form fields of the points step, filled in from a count.

    `quick` means that only the point Game was counted. Raises `RuleViolation` if the count is not possible.
    """
    if quick:
        return {"mode": "points", "game": _value(_quick_owner(snapshot, fields))}
    counted = count_of(snapshot, fields)
    cards = {key: value for key, value in fields.items() if key.startswith(CARD_FIELD) and value != "none"}
    owned = {key: _value(side) for key, side in counted.points.items()}
    return {"mode": "points", "trump": chosen_trump(snapshot, fields)} | owned | cards


def deciding_cards(table: Table, fields: Mapping[str, str]) -> dict[str, str]:
    """Return a dict that maps each category key to the card that decides its point, such as "A♠", or "" for no card.

    The cards are read from `fields`. The result is empty if no cards were counted, or if they are impossible.
    """
    piles = read_cards(fields, table)
    if not any(piles):
        return {}
    try:
        counted = count_cards(table, fields.get("trump", ""), piles)
    except RuleViolation:
        return {}
    return {category.key: _deciding_card(table.rules, category, counted) for category in table.rules.categories}


def quick_points(fields: Mapping[str, str], sides: int) -> tuple[int, ...]:
    """Return the card points of each side, calculated from the numbers of cards of each rank in `fields`.

    `sides` is the number of sides. Raises `RuleViolation` for impossible numbers.
    """
    points = [0] * sides
    for rank in RANKS:
        counts = [_card_number(fields.get(f"rank-{rank}-{side}", "")) for side in range(sides)]
        if sum(counts) > len(SUITS):
            raise RuleViolation("cards_many", _FOUR[rank], field=rank)
        points = [total + CARD_POINTS[rank] * number for total, number in zip(points, counts, strict=True)]
    return tuple(points)


def _card_number(text: str) -> int:
    if text in ("", "0", "1", "2", "3", "4"):
        return int(text or 0)
    raise RuleViolation("cards_number", "Enter 0 to 4 cards of each kind.")


def _value(side: int | None) -> str:
    return "none" if side is None else str(side)


def _quick_owner(snapshot: Snapshot, fields: Mapping[str, str]) -> int | None:
    game = snapshot.game
    bid = game.open_bid
    side = None if bid is None else game.table.party_of(bid.bidder)
    points = quick_points(fields, game.table.parties)
    return game_owner(game.table, points, bidding_side=side, dealer=game.dealer)


def _said_quick(snapshot: Snapshot, fields: Mapping[str, str]) -> tuple[str, ...]:
    points = quick_points(fields, len(_parties(snapshot)))
    return (
        _said_points(_parties(snapshot), points),
        _owned(_("Game"), _owner(_parties(snapshot), _quick_owner(snapshot, fields))),
    )


def _said(snapshot: Snapshot, counted: Count) -> tuple[str, ...]:
    rules = snapshot.game.table.rules
    told = [
        _owned(
            spoken(category.label),
            _owner(_parties(snapshot), counted.points[category.key]),
            _deciding_card(rules, category, counted),
        )
        for category in rules.categories
        if category.key in counted.points
    ]
    untold = [_untold(spoken(category.label)) for category in rules.categories if category.key not in counted.points]
    points = [_said_points(_parties(snapshot), counted.card_points)] if rules.compares("game") else []
    return (*points, " ".join(told), *untold)


def _owned(point: str, owner: str, card: str = "") -> str:
    return _("%(point)s: %(owner)s.", point=f"{point} ({card})" if card else point, owner=owner)


def _untold(point: str) -> str:
    """Return the sentence about a point for which the counted cards don't show who gets it."""
    return _("%(point)s goes to the player who was dealt it. Tap that side yourself.", point=point)


def _deciding_card(rules: Ruleset, category: Category, counted: Count) -> str:
    """Return the card that decides a point, such as "A♠", or "" if no card decides it.

    For a point that is itself a joker, the result is also "", because the name of the point already says so.
    """
    card = counted.cards.get(category.key, "")
    if card in JOKERS:
        return "" if category.card in JOKERS else _joker_name(rules, card)
    return card_text(card) if card else ""


def _said_points(sides: Sequence[SideName], points: Sequence[int]) -> str:
    each = [f"{side.name} {count}" for side, count in zip(sides, points, strict=True)]
    return _("Card points: %(points)s.", points=", ".join(each))


def _owner(sides: Sequence[SideName], side: int | None) -> str:
    return _("nobody") if side is None else sides[side].name


def _card_rows(
    rules: Ruleset, trump: str, fields: Mapping[str, str], sides: Sequence[SideView]
) -> tuple[tuple[CardCell, ...], ...]:
    counting = {rank + suit for rank in RANKS for suit in SUITS} if rules.compares("game") else set()
    shown = counting | set(trumps_of(rules, trump) if trump else ())
    cards = [[rank + suit for rank in reversed(rules.ranks) if rank + suit in shown] for suit in SUIT_ROWS]
    cards += [jokers] if (jokers := [*jokers_of(rules)]) else []
    return tuple(tuple(_cell(rules, card, trump, fields, sides) for card in row) for row in cards)


def _cell(rules: Ruleset, card: str, trump: str, fields: Mapping[str, str], sides: Sequence[SideView]) -> CardCell:
    key = CARD_FIELD + card
    chosen = fields.get(key, "none")
    choices = [Choice(str(side.index), side.name, side.letter, chosen == str(side.index)) for side in sides]
    return CardCell(
        key=key,
        card=_joker_name(rules, card) if card in JOKERS else card_text(card),
        spoken=_joker_name(rules, card) if card in JOKERS else _card_name(card),
        points=_card_points(rules, card, trump),
        trump=bool(trump) and card in trumps_of(rules, trump),
        choices=(*choices, Choice("none", _("nobody"), "–", chosen == "none")),
    )


def _card_points(rules: Ruleset, card: str, trump: str) -> int:
    """Return the card points that `card` counts toward Game when the trump suit is `trump`.

    In some games, the jack of trump counts nothing (RULES 4).
    """
    if card in JOKERS or not rules.compares("game") or (card == f"J{trump}" and not rules.trump_jack_counts):
        return 0
    return CARD_POINTS.get(card[0], 0)


def _joker_name(rules: Ruleset, card: str) -> str:
    return _(JOKER_NAMES[card]) if rules.jokers > 1 else _("Joker")


def card_text(card: str) -> str:
    """Return the usual short name of a card other than a joker, such as "A♠" or "10♥"."""
    return f"{_(SHORT[card[0]]) if card[0] in SHORT else card[0]}{suit_sign(card[1])}"


def _card_name(card: str) -> str:
    rank = _(RANKS[card[0]][0]) if card[0] in RANKS else card[0]
    return _("%(rank)s of %(suit)s", rank=rank, suit=suit_name(card[1]))


def _missing(rules: Ruleset, fields: Mapping[str, str]) -> str:
    left = [
        rank + suit
        for rank in RANKS
        for suit in SUIT_ROWS
        if rules.compares("game") and rank in rules.ranks and fields.get(f"{CARD_FIELD}{rank}{suit}", "none") == "none"
    ]
    if not left or len(left) == len(RANKS) * len(SUITS):
        return ""
    if len(left) > NAMED:
        return _("Nobody took: %(number)s cards.", number=len(left))
    return _("Nobody took: %(cards)s.", cards=", ".join(map(card_text, left)))


def _rank_rows(rules: Ruleset, fields: Mapping[str, str], sides: Sequence[SideView]) -> tuple[RankRow, ...]:
    return tuple(
        RankRow(
            _(several) if rank != "J" or rules.trump_jack_counts else _("Jacks (not the jack of trump)"),
            CARD_POINTS[rank],
            tuple(
                OptionField(
                    key=f"rank-{rank}-{index}",
                    label=f"{_(several)}, {side.name}",
                    help="",
                    kind="number",
                    value=fields.get(f"rank-{rank}-{index}", ""),
                    usual="",
                    choices=(),
                    low=0,
                    high=4,
                    error="",
                )
                for index, side in enumerate(sides)
            ),
        )
        for rank, (_one, several) in RANKS.items()
    )
