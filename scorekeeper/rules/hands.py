"""Read hands from records and forms into a checked `Hand`, and write them back (RECORD 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from scorekeeper.rules.bidding import Bid, Call, check_bid, hear
from scorekeeper.rules.cards import SUITS, count_cards, told_by_cards
from scorekeeper.rules.parts import Category
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.scoring import Hand, pitch_tricks
from scorekeeper.rules.table import Table
from scorekeeper.rules.violation import RuleViolation

KEYS = frozenset(
    (
        *("dealer", "bidder", "bid", "calls", "points", "taken", "captured", "partner", "tricks", "trump", "passed"),
        *("side_tricks", "side_red"),
    )
)
RED_POINTS = 12
"""Points of all red cards in a hand of Some'R'Set; the rest are its tricks (RULES 6)."""
SOMERSET_SUITS = ("0", "2", "4", "6", "8", "10", "12")


def most_tricks(rules: Ruleset) -> int:
    """Return the most tricks that a hand can record for its bidder."""
    return rules.tricks or 6


def allowed_trumps(table: Table) -> tuple[str, ...]:
    """Return the legal trumps, as records write them: suits, then "none" if the rules allow it."""
    suits = SOMERSET_SUITS if table.rules.hand_totals else tuple(SUITS)
    return (*suits, "none") if table.rules.no_trump else suits


def allowed_points(table: Table) -> Mapping[str, tuple[int | None, ...]]:
    """Return the sides that can take each category, with None last if it can go to nobody (RULES 1)."""
    sides = tuple(range(len(table.sides)))
    return {category.key: sides if category.always else (*sides, None) for category in table.rules.categories}


def read_hand(table: Table, data: object, *, dealer: int) -> Hand:
    """Return the hand in `data`, in the form of a record's hand, checked against the rules.

    `dealer` is the dealer unless the hand names its own. Raises `RuleViolation` at the first
    mistake, with `field`, and with `call` for an illegal call.
    """
    if not isinstance(data, dict):
        raise RuleViolation("hand_shape", "A hand must be a JSON object.")
    extra = None if data.keys() <= KEYS else _extra(data)
    if "dealer" in data:
        dealer = check_seat(table, data["dealer"], "dealer")
    calls, bidder, bid, passed = _who_bid(table, data, dealer)
    if passed:
        for key in (*("bidder", "bid", "points", "taken", "captured", "partner", "tricks", "trump"), *_PARTS):
            if data.get(key) is not None:
                raise RuleViolation("passed_hand", "Nobody bid, so there are no points to enter.", field=key)
        return Hand(dealer, calls=calls, extra=extra)
    assert bidder is not None
    assert bid is not None
    trump = check_trump(table, data.get("trump"))
    partner = _partner(table, data, bidder)
    tricks = _tricks(table, data.get("tricks"), bid)
    captured = read_captured(data["captured"]) if "captured" in data else None
    if any(key in data for key in _PARTS):
        parts = _parts(table, data)
        taken = tuple(map(sum, zip(*parts, strict=True)))
        return Hand(dealer, bidder, bid, taken, None, trump, partner, tricks, calls, None, extra, *parts)
    points, taken = _won(table, data, trump, captured, table.side_of[bidder])
    return Hand(dealer, bidder, bid, taken, points, trump, partner, tricks, calls, captured, extra)


_PARTS = ("side_tricks", "side_red")


def _parts(table: Table, data: Mapping[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return tricks and points of red cards, each by side."""
    if not table.rules.hand_totals:
        raise RuleViolation("parts_kind", "Only Some'R'Set counts tricks and red cards.", field="side_tricks")
    if any(key in data for key in ("taken", "points", "captured")):
        raise RuleViolation("points_twice", "Enter the points only one way.", field="taken")
    tricks, red = (_by_side(table, data.get(key), key) for key in _PARTS)
    wanted = table.most - RED_POINTS
    if sum(tricks) != wanted:
        message = Phrase(
            "A hand has %(wanted)s tricks, but these add up to %(total)s.", wanted=wanted, total=sum(tricks)
        )
        raise RuleViolation("parts_total", message, field="side_tricks")
    if sum(red) != RED_POINTS:
        message = Phrase(
            "Red cards are worth %(wanted)s points, but these add up to %(total)s.", wanted=RED_POINTS, total=sum(red)
        )
        raise RuleViolation("parts_total", message, field="side_red")
    if any(points and not won for won, points in zip(tricks, red, strict=True)):
        raise RuleViolation("parts_total", "A side with no tricks has no red cards.", field="side_red")
    return tricks, red


def _extra(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the additional fields of a record, whose names start with `x_`."""
    extra = {key: value for key, value in data.items() if key not in KEYS}
    for key in extra:
        if not key.startswith("x_"):
            raise RuleViolation(
                "field_unknown", Phrase("A hand has no field “%(name)s”.", name=key[:40]), field=key[:40]
            )
    return extra


def write_hand(table: Table, hand: Hand, *, dealer: int) -> dict[str, Any]:
    """Return the hand in the form of a record; its dealer is left out if it is `dealer`, the next in turn."""
    data: dict[str, Any] = {} if hand.dealer == dealer else {"dealer": hand.dealer}
    if hand.calls is not None:
        data["calls"] = list(hand.calls)
    if hand.bidder is None:
        data["passed"] = True
        return data | dict(hand.extra or {})
    data |= {"bidder": hand.bidder, "bid": hand.bid}
    if hand.trump is not None:
        data["trump"] = hand.trump
    if table.called:
        data["partner"] = hand.partner
    if hand.tricks is not None:
        data["tricks"] = hand.tricks
    if hand.captured is not None:
        data["captured"] = [list(pile) for pile in hand.captured]
    if hand.side_tricks is not None and hand.side_red is not None:
        data |= {"side_tricks": list(hand.side_tricks), "side_red": list(hand.side_red)}
    elif hand.points is not None:
        data["points"] = dict(hand.points)
    else:
        data["taken"] = list(hand.taken)
    return data | dict(hand.extra or {})


def check_seat(table: Table, value: object, field: str) -> int:
    """Return `value` if it is a seat of this table. Raises `RuleViolation` for `field` otherwise."""
    if type(value) is not int or not 0 <= value < table.players:
        message = Phrase("“%(name)s” must be a seat from 0 to %(last)s.", name=field, last=table.players - 1)
        raise RuleViolation("seat", message, field=field)
    return value


def check_side(table: Table, value: object, field: str) -> int:
    """Return `value` if it is a side of this table. Raises `RuleViolation` for `field` otherwise."""
    if type(value) is not int or not 0 <= value < len(table.sides):
        raise RuleViolation("side", "This table doesn't have that side.", field=field)
    return value


def check_trump(table: Table, value: object) -> str | None:
    """Return `value` if it is a legal trump or None. Raises `RuleViolation` otherwise."""
    if value is None:
        return None
    allowed = allowed_trumps(table)
    if not isinstance(value, str) or value not in allowed:
        if value == "none":
            raise RuleViolation("trump", "You can't play without trump in this game.", field="trump")
        raise RuleViolation("trump", Phrase("Trump must be one of %(suits)s.", suits=" ".join(allowed)), field="trump")
    return value


def _who_bid(
    table: Table, data: Mapping[str, Any], dealer: int
) -> tuple[tuple[Call, ...] | None, int | None, Bid | None, bool]:
    """Return the calls (None if not given), the bidder, the bid, and whether everyone passed."""
    passed = data.get("passed", False)
    if type(passed) is not bool:
        raise RuleViolation("passed_value", "“passed” must be true or false.", field="passed")
    bidder, bid = data.get("bidder"), data.get("bid")
    calls: tuple[Call, ...] | None = None
    if "calls" in data:
        if not isinstance(data["calls"], list):
            raise RuleViolation("calls_shape", "The calls must be a list.", field="calls")
        calls = tuple(data["calls"])
        auction = hear(table, dealer, calls)
        if not auction.closed:
            raise RuleViolation(
                "calls_short", "The bidding isn't over after these calls.", call=len(calls), field="calls"
            )
        heard = {"bidder": auction.bidder, "bid": auction.bid, "passed": auction.bidder is None}
        # 1, 1.0 and true are equal, but only one of them is a bid.
        if any(key in data and (type(data[key]), data[key]) != (type(told), told) for key, told in heard.items()):
            raise RuleViolation("calls_disagree", "These calls don't end with this hand's bid.", field="calls")
        bidder, bid, passed = auction.bidder, auction.bid, auction.bidder is None
    if passed:
        if table.rules.forced_bid is not None:
            message = Phrase(
                "You can't throw in the hand here. The dealer must bid %(bid)s.", bid=table.rules.forced_bid
            )
            raise RuleViolation("passed_forced", message, field="passed")
        return calls, None, None, True
    if bidder is None:
        raise RuleViolation("bidder_missing", "Choose who bid.", field="bidder")
    seat = check_seat(table, bidder, "bidder")
    if bid is None:
        raise RuleViolation("bid_missing", "Choose the bid.", field="bid")
    if calls is None:
        check_bid(table, seat=seat, dealer=dealer, bid=bid)
    return calls, seat, bid, False


def refit(old: Table, new: Table, hand: Hand) -> Hand:
    """Return `hand`, saved under the rules of `old`, under those of `new`. Raises `RuleViolation`.

    If the cards are known, the points are worked out again. Calls that the new rules would
    not allow are dropped; the bid they led to stays.
    """
    data = write_hand(old, hand, dealer=hand.dealer)
    if hand.captured is not None and hand.points is not None:
        untold = [category.key for category in new.rules.categories if not told_by_cards(new.rules, category)]
        data["points"] = {key: hand.points[key] for key in untold}
    try:
        return read_hand(new, data, dealer=hand.dealer)
    except RuleViolation as violation:
        if hand.calls is None or violation.call is None:
            raise
        return read_hand(new, {key: value for key, value in data.items() if key != "calls"}, dealer=hand.dealer)


def _partner(table: Table, data: Mapping[str, Any], bidder: int) -> int | None:
    if not table.called:
        if "partner" in data:
            raise RuleViolation("partner", "This game has no called partner.", field="partner")
        return None
    if "partner" not in data:
        raise RuleViolation("partner_missing", "Choose the called partner, or no partner.", field="partner")
    if data["partner"] is None:
        return None
    partner = check_seat(table, data["partner"], "partner")
    if partner == bidder:
        raise RuleViolation("partner", "The bidder can't be the called partner. Choose no partner.", field="partner")
    return partner


def _tricks(table: Table, value: object, bid: Bid) -> int | None:
    if value is None:
        if bid == "pitch" and pitch_tricks(table.rules) is not None:
            raise RuleViolation("tricks_missing", "Enter how many tricks the bidder took.", field="tricks")
        return None
    most = most_tricks(table.rules)
    if type(value) is not int or not 0 <= value <= most:
        raise RuleViolation("tricks", Phrase("Tricks can be from 0 to %(most)s.", most=most), field="tricks")
    return value


def read_captured(value: object) -> tuple[tuple[str, ...], ...]:
    """Return the cards each side took. Raises `RuleViolation` unless `value` is a list of lists of strings."""
    if not isinstance(value, list) or not all(
        isinstance(pile, list) and all(isinstance(card, str) for card in pile) for pile in value
    ):
        raise RuleViolation(
            "captured_shape", "The captured cards must be a list of cards for each side.", field="captured"
        )
    return tuple(tuple(pile) for pile in value)


def _won(
    table: Table,
    data: Mapping[str, Any],
    trump: str | None,
    captured: tuple[tuple[str, ...], ...] | None,
    bidding_side: int,
) -> tuple[Mapping[str, int | None] | None, tuple[int, ...]]:
    """Return who took which point (None if not given) and the points by side."""
    if "taken" in data:
        if "points" in data or captured is not None:
            raise RuleViolation("points_twice", "Enter the points only one way.", field="taken")
        told = _by_side(table, data["taken"], "taken")
        check_total(table, told)
        return None, told
    if "points" not in data and captured is None:
        raise RuleViolation("points_missing", "Choose who took the points.", field="points")
    if not table.rules.categories:
        message = Phrase("This game only counts each side's points.")
        raise RuleViolation("points_kind", message, field="points" if "points" in data else "captured")
    points = _points(table, data["points"]) if "points" in data else {}
    if captured is not None:
        points |= _counted(table, trump, captured, bidding_side, points)
    taken = [0] * len(table.sides)
    for category in table.rules.categories:
        side = _owner(table, category, points, counted=captured is not None)
        if side is not None:
            taken[side] += category.value
    return {category.key: points[category.key] for category in table.rules.categories}, tuple(taken)


def _counted(
    table: Table,
    trump: str | None,
    captured: tuple[tuple[str, ...], ...],
    bidding_side: int,
    told: Mapping[str, int | None],
) -> Mapping[str, int | None]:
    """Return the points as the cards show them. Raises `RuleViolation` if they contradict `told`."""
    counted = count_cards(table, trump or "", captured, bidding_side=bidding_side).points
    for category in table.rules.categories:
        key = category.key
        if key in told and told[key] != counted.get(key, told[key]):
            message = Phrase("The captured cards don't match who took %(point)s.", point=category.label)
            raise RuleViolation("points_disagree", message, field=key)
    return counted


def _owner(table: Table, category: Category, points: Mapping[str, int | None], *, counted: bool) -> int | None:
    """Return who took a point. Raises `RuleViolation` if neither the table nor, if `counted`, the cards show it."""
    if category.key not in points:
        message = Phrase("Choose who took %(point)s.", point=category.label)
        if counted and not told_by_cards(table.rules, category):
            message = Phrase("Who gets %(point)s? The cards don't show it, so choose.", point=category.label)
        raise RuleViolation("points_missing", message, field=category.key)
    side = points[category.key]
    if side is None and category.always:
        message = Phrase("Someone always takes %(point)s.", point=category.label)
        raise RuleViolation("points_nobody", message, field=category.key)
    return side


def _points(table: Table, value: object) -> dict[str, int | None]:
    if not isinstance(value, dict):
        raise RuleViolation("points_shape", "The points must give the side that took each one.", field="points")
    known = {category.key for category in table.rules.categories}
    for key, side in value.items():
        if key not in known:
            message = Phrase("This game has no point called “%(name)s”.", name=key[:40])
            raise RuleViolation("points_unknown", message, field="points")
        if side is not None and not (type(side) is int and 0 <= side < len(table.sides)):
            raise RuleViolation(
                "points_side", Phrase("“%(name)s” must go to a side of this table.", name=key), field=key
            )
    return dict(value)


def _by_side(table: Table, value: object, field: str) -> tuple[int, ...]:
    if not isinstance(value, list) or any(type(points) is not int for points in value):
        raise RuleViolation("points_shape", "The points must be whole numbers, one for each side.", field=field)
    wanted = 2 if table.called else len(table.sides)
    if len(value) != wanted:
        message = Phrase("Enter points for %(sides)s sides, not %(given)s.", sides=wanted, given=len(value))
        raise RuleViolation("points_shape", message, field=field)
    if min(value) < 0:
        raise RuleViolation("points_total", "Points in a hand can't be below zero.", field=field)
    return tuple(value)


def check_total(table: Table, taken: Sequence[int]) -> None:
    """Raise `RuleViolation` unless a hand can give these points in all (RULES 1)."""
    if max(taken) > table.most:
        message = Phrase("A hand has only %(most)s points to take.", most=table.most)
        raise RuleViolation("points_total", message, field="taken")
    total = sum(taken)
    if table.least <= total <= table.most:
        return
    if table.least == table.most:
        message = Phrase(
            "A hand has exactly %(most)s points, but these add up to %(total)s.", most=table.most, total=total
        )
    elif total > table.most:
        message = Phrase(
            "A hand has at most %(most)s points, but these add up to %(total)s.", most=table.most, total=total
        )
    else:
        sure = reduce(_both, (category.label for category in table.rules.categories if category.always))
        message = Phrase(
            "A hand has at least %(least)s points (%(sure)s), but these add up to %(total)s.",
            least=table.least,
            sure=sure,
            total=total,
        )
    raise RuleViolation("points_total", message, field="taken")


def _both(one: str, other: str) -> Phrase:
    return Phrase("%(one)s and %(other)s", one=one, other=other)
