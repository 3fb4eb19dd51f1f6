"""The card count page: the cards each side took, and the points they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorekeeper.games import pages
from scorekeeper.games.forms.hand import CARD_FIELD, read_cards
from scorekeeper.games.presenters.snapshot import Snapshot, new_tap_id, side_views
from scorekeeper.games.presenters.vocabulary import LETTERS, suit_name, suit_sign
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.sentences import SideName, join_names
from scorekeeper.rules.cards import (
    CARD_POINTS,
    JOKERS,
    SUITS,
    Count,
    carrier,
    count_cards,
    game_owner,
    pack_of,
    told_by_cards,
    trumps_of,
)
from scorekeeper.rules.hands import allowed_trumps
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.violation import RuleViolation

RANKS: Mapping[str, tuple[str, str]] = {
    "T": (N_("Ten"), N_("Tens")),
    "A": (N_("Ace"), N_("Aces")),
    "K": (N_("King"), N_("Kings")),
    "Q": (N_("Queen"), N_("Queens")),
    "J": (N_("Jack"), N_("Jacks")),
}
"""Ranks that count toward Game, most points first: singular and plural."""
_FOUR: Mapping[str, str] = {
    "T": N_("There are only four tens in the deck."),
    "A": N_("There are only four aces in the deck."),
    "K": N_("There are only four kings in the deck."),
    "Q": N_("There are only four queens in the deck."),
    "J": N_("There are only four jacks in the deck."),
}
SHORT: Mapping[str, str] = {"A": N_("A"), "K": N_("K"), "Q": N_("Q"), "J": N_("J"), "T": "10"}
"""Text in the corner of a card."""
JOKER_NAMES: Mapping[str, str] = {"RJ": N_("High joker"), "BJ": N_("Low joker")}
SUIT_ROWS = "SHDC"
"""Suits in the order of the page."""
NAMED = 8
"""Most missing cards that are named; more are only counted."""


def count_page(
    snapshot: Snapshot, fields: Mapping[str, str], *, quick: bool, asked: bool, error: str = ""
) -> pages.CountPage:
    """Return the page with the cards tapped so far, and with the count if `asked`.

    `quick` counts the cards of each rank for Game only.
    """
    game = snapshot.game
    trump = chosen_trump(snapshot, fields)
    counted: tuple[str, ...] = ()
    if asked and not error:
        try:
            counted = _said_quick(snapshot, fields) if quick else _said(snapshot, count_of(snapshot, fields))
        except RuleViolation as violation:
            error = spoken(violation.message)
    rules = game.table.rules
    return pages.CountPage(
        game_id=snapshot.public_id,
        title=_("Count Game") if quick else _("Count the cards"),
        quick=quick,
        trumps=tuple(pages.Choice(t, suit_name(t), suit_sign(t), t == trump) for t in allowed_trumps(game.table)),
        sides=side_views(game, snapshot.sides),
        cards=() if quick else _card_rows(rules, trump, fields, snapshot.sides),
        ranks=_rank_rows(rules, fields, snapshot.sides) if quick else (),
        counted=counted,
        missing="" if quick else _missing(rules, fields),
        error=error,
        version=game.version,
        client_id=new_tap_id(),
    )


def whole_deck_page(snapshot: Snapshot) -> pages.CountPage:
    """Return the page with every card, each suit as if it were trump.

    A phone without a signal leaves out the cards that don't count.
    """
    by_suit = {suit: count_page(snapshot, {"trump": suit}, quick=False, asked=False) for suit in SUIT_ROWS}
    rows = [by_suit[suit].cards[row] for row, suit in enumerate(SUIT_ROWS)]
    page = count_page(snapshot, {}, quick=False, asked=False)
    return replace(page, cards=(*rows, *page.cards[len(rows) :]), missing="")


def chosen_trump(snapshot: Snapshot, fields: Mapping[str, str]) -> str:
    """Return the trump that was tapped, else that of the bid in play, else ""."""
    bid = snapshot.game.open_bid
    return fields.get("trump") or (bid.trump if bid else "") or ""


def count_of(snapshot: Snapshot, fields: Mapping[str, str]) -> Count:
    """Return the count of the tapped cards. Raises `RuleViolation`."""
    game = snapshot.game
    bid = game.open_bid
    side = None if bid is None else game.table.side_of[bid.bidder]
    piles = read_cards(fields, game.table)
    return count_cards(game.table, chosen_trump(snapshot, fields), piles, bidding_side=side)


def count_rules(snapshot: Snapshot) -> dict[str, Any]:
    """Return what `static/js/games/card-rules.js` counts by, ready for JSON; see there."""
    table = snapshot.game.table
    shown = [category for category in table.rules.categories if told_by_cards(table.rules, category)]
    return {
        "worth": CARD_POINTS,
        "trumps": {trump: trumps_of(table.rules, trump) for trump in SUITS},
        "carriers": {
            trump: {category.key: carrier(category, trump) for category in shown if category.card} for trump in SUITS
        },
        "shown": [category.key for category in shown],
        "jack_counts": table.rules.trump_jack_counts,
    }


def count_words() -> dict[str, Any]:
    """Return the sentences of a count, with braces for the phone to fill in."""
    return {
        "points": _("Card points: %(points)s.", points="{points}"),
        "owned": _owned("{point}", "{owner}"),
        "nobody": _("nobody"),
        "untold": _("%(point)s goes to the player it was dealt to, so choose that yourself.", point="{point}"),
        "trump": _("Trump: %(suit)s", suit="{suit}"),
        "needed": _("Choose trump to count the cards."),
        "four": {rank: _(text) for rank, text in _FOUR.items()},
        "number": _("Enter 0 to 4 cards of each kind."),
        "many": _("Not counted yet: %(number)s cards.", number="{n}"),
        "few": _("Not counted yet: %(cards)s.", cards="{cards}"),
    }


def points_fields(snapshot: Snapshot, fields: Mapping[str, str], *, quick: bool) -> dict[str, str]:
    """Return the fields of the points step that a count fills in. Raises `RuleViolation`."""
    if quick:
        return {"mode": "points", "game": _value(_quick_owner(snapshot, fields))}
    counted = count_of(snapshot, fields)
    cards = {key: value for key, value in fields.items() if key.startswith(CARD_FIELD) and value != "none"}
    owned = {key: _value(side) for key, side in counted.points.items()}
    return {"mode": "points", "trump": chosen_trump(snapshot, fields)} | owned | cards


def quick_points(fields: Mapping[str, str], sides: int) -> tuple[int, ...]:
    """Return the card points of each side from its number of cards of each rank. Raises `RuleViolation`."""
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
    side = None if bid is None else game.table.side_of[bid.bidder]
    return game_owner(game.table, quick_points(fields, len(game.table.sides)), bidding_side=side)


def _said_quick(snapshot: Snapshot, fields: Mapping[str, str]) -> tuple[str, ...]:
    points = quick_points(fields, len(snapshot.sides))
    return (
        _said_points(snapshot.sides, points),
        _owned(_("Game"), _owner(snapshot.sides, _quick_owner(snapshot, fields))),
    )


def _said(snapshot: Snapshot, counted: Count) -> tuple[str, ...]:
    categories = snapshot.game.table.rules.categories
    told = [
        _owned(spoken(category.label), _owner(snapshot.sides, counted.points[category.key]))
        for category in categories
        if category.key in counted.points
    ]
    untold = [
        _("%(point)s goes to the player who was dealt it. Tap that side yourself.", point=spoken(category.label))
        for category in categories
        if category.key not in counted.points
    ]
    return (_said_points(snapshot.sides, counted.card_points), " ".join(told), *untold)


def _owned(point: str, owner: str) -> str:
    return _("%(point)s: %(owner)s.", point=point, owner=owner)


def _said_points(sides: Sequence[SideName], points: Sequence[int]) -> str:
    each = [f"{side.name} {count}" for side, count in zip(sides, points, strict=True)]
    return _("Card points: %(points)s.", points=join_names(each))


def _owner(sides: Sequence[SideName], side: int | None) -> str:
    return _("nobody") if side is None else sides[side].name


def _card_rows(
    rules: Ruleset, trump: str, fields: Mapping[str, str], sides: Sequence[SideName]
) -> tuple[pages.CardRow, ...]:
    pack = pack_of(rules)
    rows = []
    for suit in SUIT_ROWS:
        ranks = reversed(rules.ranks) if suit == trump else (r for r in "AKQJT" if r + suit in pack)
        cells = tuple(_cell(rules, rank + suit, trump, fields, sides) for rank in ranks)
        rows.append(pages.CardRow(suit_sign(suit), cells))
    if rules.jokers:
        rows.append(pages.CardRow("", tuple(_cell(rules, joker, trump, fields, sides) for joker in JOKERS)))
    return tuple(rows)


def _cell(
    rules: Ruleset, card: str, trump: str, fields: Mapping[str, str], sides: Sequence[SideName]
) -> pages.CardCell:
    key = CARD_FIELD + card
    chosen = fields.get(key, "none")
    choices = [
        pages.Choice(str(index), side.name, LETTERS[index], chosen == str(index)) for index, side in enumerate(sides)
    ]
    return pages.CardCell(
        key=key,
        card=card_text(card),
        spoken=_(JOKER_NAMES[card]) if card in JOKER_NAMES else _card_name(card),
        points=0 if card in JOKERS or _worthless(rules, card, trump) else CARD_POINTS.get(card[0], 0),
        trump=bool(trump) and card in trumps_of(rules, trump),
        choices=(*choices, pages.Choice("none", _("not counted yet"), "–", chosen == "none")),
    )


def _worthless(rules: Ruleset, card: str, trump: str) -> bool:
    """Return whether `card` is the jack of trump in a game where it doesn't count toward Game (RULES 4)."""
    return not rules.trump_jack_counts and card == f"J{trump}"


def card_text(card: str) -> str:
    """Return a card as people write it: "A♠", "10♥"."""
    if card in JOKER_NAMES:
        return _(JOKER_NAMES[card])
    return f"{_(SHORT[card[0]]) if card[0] in SHORT else card[0]}{suit_sign(card[1])}"


def _card_name(card: str) -> str:
    rank = _(RANKS[card[0]][0]) if card[0] in RANKS else card[0]
    return _("%(rank)s of %(suit)s", rank=rank, suit=suit_name(card[1]))


def _missing(rules: Ruleset, fields: Mapping[str, str]) -> str:
    left = [
        rank + suit
        for rank in RANKS
        for suit in SUIT_ROWS
        if rank in rules.ranks and fields.get(f"{CARD_FIELD}{rank}{suit}", "none") == "none"
    ]
    if not left or len(left) == len(RANKS) * len(SUITS):
        return ""
    if len(left) > NAMED:
        return _("Not counted yet: %(number)s cards.", number=len(left))
    return _("Not counted yet: %(cards)s.", cards=", ".join(map(card_text, left)))


def _rank_rows(rules: Ruleset, fields: Mapping[str, str], sides: Sequence[SideName]) -> tuple[pages.RankRow, ...]:
    return tuple(
        pages.RankRow(
            _(several) if rank != "J" or rules.trump_jack_counts else _("Jacks (not the jack of trump)"),
            CARD_POINTS[rank],
            tuple(
                pages.OptionField(
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
