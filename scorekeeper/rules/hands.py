"""Read hands from records and forms into a checked `Hand`, and write them back (RECORD 3)."""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import repeat
from typing import Any

from scorekeeper.rules.bidding import Bid, Call, check_bid, hear
from scorekeeper.rules.cards import SUITS, count_cards, game_owner, pack_of, taker_of_tie, told_by_cards
from scorekeeper.rules.parts import JOKERS, SLAM, Category
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.scoring import Hand, pitch_tricks, point_value
from scorekeeper.rules.table import Table

KEYS = frozenset(
    (
        *("dealer", "bidder", "bid", "calls", "points", "taken", "captured", "partner", "tricks", "trump", "passed"),
        *("side_tricks", "side_red", "turned_up", "jack_hung", "conceded", "revoked"),
    )
)
RED_POINTS = 12
"""Points for the red cards in a hand of Some'R'Set; all other points are for tricks, one each (RULES 6)."""
_SUITS = tuple(SUITS)
SOMERSET_SUITS = ("0", "2", "4", "6", "8", "10", "12")


def most_tricks(rules: Ruleset) -> int:
    """Return the most tricks that a record can give the bidder in a hand."""
    return rules.tricks or 6


def allowed_trumps(table: Table) -> tuple[str, ...]:
    """Return the legal trumps, as records write them: suits, then "none" if the rules allow it."""
    suits = SOMERSET_SUITS if table.rules.hand_totals else _SUITS
    return (*suits, "none") if table.rules.no_trump else suits


def allowed_points(table: Table, bid: Bid | None = None, party: int = 0) -> Mapping[str, tuple[int | None, ...]]:
    """Return a dict that says which parties can take each point, by the point's category key (RULES 1, 7).

    Parties are numbered from 0. A None after the parties means that the point can also go to nobody. `bid` and the
    bidder's `party` decide who can score all the tricks as an extra point (RULES 4).
    """
    parties = tuple(range(table.parties))
    return {
        category.key: (party, None) if category == SLAM else parties if category.always else (*parties, None)
        for category in table.rules.points_of(bid)
    }


def read_hand(table: Table, data: object, *, dealer: int) -> Hand:
    """Return the hand described by `data`, which is in the record format. The hand is checked against the rules.

    `dealer` is the seat of the dealer if `data` doesn't name the dealer. Raises `RuleViolation` at the first mistake.
    The violation's `field` names the wrong field. If a call is illegal, the violation's `call` is the index of the
    call.
    """
    if not isinstance(data, dict):
        raise RuleViolation("hand_shape", "A hand must be a JSON object.")
    extra = None if data.keys() <= KEYS else _extra(data)
    if "dealer" in data:
        dealer = check_seat(table, data["dealer"], "dealer")
    if not table.rules.has_bids:
        return _read_without_bids(table, data, dealer, extra)
    for key in _WITHOUT_BIDS:
        if data.get(key) is not None:
            raise RuleViolation("no_auction_field", "Only games without bidding record that.", field=key)
    calls, bidder, bid, passed = _who_bid(table, data, dealer)
    if passed:
        told = ("bidder", "bid", "points", "taken", "captured", "partner", "tricks", "trump", "conceded", "revoked")
        for key in (*told, *_PARTS):
            if data.get(key) is not None:
                raise RuleViolation("passed_hand", "Nobody bid, so there are no points to enter.", field=key)
        return Hand(dealer, calls=calls, extra=extra)
    assert bidder is not None
    assert bid is not None
    trump = check_trump(table, data.get("trump"))
    partner = _partner(table, data, bidder) if table.called or "partner" in data else None
    tricks = _tricks(table, data.get("tricks"), bid) if bid == "pitch" or "tricks" in data else None
    if "conceded" in data and _is_conceded(table, data, is_stuck=(bidder, bid) == (dealer, table.rules.forced_bid)):
        taken = (0,) * table.parties
        return Hand(dealer, bidder, bid, taken, None, trump, partner, tricks, calls, None, extra, conceded=True)
    revoked = _revoked(table, data["revoked"]) if "revoked" in data else None
    captured = read_captured(data["captured"]) if "captured" in data else None
    if not data.keys().isdisjoint(_PARTS):
        parts = _parts(table, data)
        taken = tuple(map(sum, zip(*parts, strict=True)))
        hand = Hand(dealer, bidder, bid, taken, None, trump, partner, tricks, calls, None, extra, *parts)
    else:
        points, taken = _won(table, data, trump, captured, table.party_of(bidder), dealer=dealer, bid=bid)
        hand = Hand(dealer, bidder, bid, taken, points, trump, partner, tricks, calls, captured, extra)
    return hand if revoked is None else hand._replace(revoked=revoked)


_NUMBERS = frozenset((int,))
_PARTS = ("side_tricks", "side_red")
_WITHOUT_BIDS = ("turned_up", "jack_hung")
_WITH_BIDS = ("bidder", "bid", "calls", "passed", "partner", "tricks", "conceded", "revoked")


def _read_without_bids(table: Table, data: Mapping[str, Any], dealer: int, extra: Mapping[str, Any] | None) -> Hand:
    """Return the hand in `data`, from a game without bidding (RULES 8).

    `dealer` is the seat of the dealer. `extra` holds the fields of the hand that are kept unchanged, or is None. Raises
    `RuleViolation` if a value is impossible or if `data` has a bid.
    """
    for key in _WITH_BIDS:
        if data.get(key) is not None and data[key] is not False:
            raise RuleViolation("no_bids", "Nobody bids in this game.", field=key)
    hung = data.get("jack_hung", False)
    if type(hung) is not bool:
        raise RuleViolation("jack_hung", "“jack_hung” must be true or false.", field="jack_hung")
    turned_up = _turned_up(table, data.get("turned_up"))
    suit = (turned_up or "")[1:] or None
    trump = check_trump(table, data.get("trump"))
    if trump and suit and trump != suit:
        raise RuleViolation("trump", "The turned-up card sets trump, so it must be of that suit.", field="turned_up")
    captured = read_captured(data["captured"]) if "captured" in data else None
    if captured is not None and any(turned_up in pile for pile in captured):
        raise RuleViolation("card_twice", "The turned-up card is out of play.", field="captured")
    points, taken = _won(table, data, trump or suit, captured, None, dealer=dealer, hung=hung)
    jack = (points or {}).get("jack")
    if hung and jack is None:
        raise RuleViolation("jack_hung", "To hang the jack, a side must take it.", field="jack_hung")
    if turned_up and turned_up[0] == "J" and jack is not None:
        raise RuleViolation("jack_turned_up", "The jack was turned up, so nobody can take it.", field="jack")
    hand = Hand(dealer, None, None, taken, points, trump, captured=captured, extra=extra)
    return hand._replace(turned_up=turned_up, jack_hung=hung)


def turned_up_cards(rules: Ruleset) -> frozenset[str]:
    """Return every turned-up card that a record can name.

    The result has each card of the deck except jokers. It also has each rank alone, for records that don't name the
    suit.
    """
    return frozenset({*rules.ranks, *pack_of(rules)} - {*JOKERS})


def _turned_up(table: Table, value: object) -> str | None:
    """Return the turned-up card in `value`, or None if no card was entered.

    If the suit is unknown, return only the rank.

    Raises `RuleViolation` for any other value.
    """
    if value is None:
        return None
    if isinstance(value, str) and value in turned_up_cards(table.rules):
        return value
    raise RuleViolation("turned_up", "Choose the turned-up card.", field="turned_up")


def _revoked(table: Table, value: object) -> int | None:
    """Return `value`, the seat of the player who revoked. None means that nobody revoked.

    Raises `RuleViolation` for a seat that doesn't exist. If a revoke doesn't cost the bid at this table,
    `RuleViolation` is raised for every seat.
    """
    if value is not None and not table.rules.revoke_costs_bid:
        raise RuleViolation("revoked", "At this table, enter a renege as an adjustment.", field="revoked")
    return None if value is None else check_seat(table, value, "revoked")


def _is_conceded(table: Table, data: Mapping[str, Any], *, is_stuck: bool) -> bool:
    """Return whether the dealer gave up the hand. `is_stuck` means that the bid is the dealer's forced bid.

    Raises `RuleViolation` if the rules don't allow giving up, or if the hand was given up but has points anyway.
    """
    conceded = data.get("conceded", False)
    if type(conceded) is not bool:
        raise RuleViolation("conceded", "“conceded” must be true or false.", field="conceded")
    if not conceded:
        return False
    if not (is_stuck and table.rules.forced_concede):
        raise RuleViolation("conceded", "Only a dealer who is stuck may give up a hand here.", field="conceded")
    nothing = [0] * table.parties
    if (
        data.get("taken") != nothing
        or data.get("revoked") is not None
        or any(key in data for key in ("points", "captured", *_PARTS))
    ):
        raise RuleViolation("conceded", "Nobody took any points in a hand that was given up.", field="taken")
    return True


def _parts(table: Table, data: Mapping[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the number of tricks by party, then the points of red cards by party.

    Raises `RuleViolation` if the numbers don't add up.
    """
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
    """Return the extra fields of a hand, whose names start with `x_`.

    Raises `RuleViolation` for other unknown fields.
    """
    extra = {key: value for key, value in data.items() if key not in KEYS}
    for key in extra:
        if not key.startswith("x_"):
            raise RuleViolation(
                "field_unknown", Phrase("A hand has no field “%(name)s”.", name=key[:40]), field=key[:40]
            )
    return extra


def write_hand(table: Table, hand: Hand, *, dealer: int) -> dict[str, Any]:
    """Return `hand` in the record format.

    `dealer` is the seat whose turn it is to deal. The result names the dealer of `hand` only if another seat dealt.
    """
    data: dict[str, Any] = {} if hand.dealer == dealer else {"dealer": hand.dealer}
    if hand.calls is not None:
        data["calls"] = list(hand.calls)
    if hand.thrown_in:
        data["passed"] = True
        return data | dict(hand.extra or {})
    if hand.bidder is not None:
        data |= {"bidder": hand.bidder, "bid": hand.bid}
    if hand.turned_up is not None:
        data["turned_up"] = hand.turned_up
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
        data |= {"jack_hung": True} if hand.jack_hung else {}
    else:
        data["taken"] = list(hand.taken)
        data |= {"conceded": True} if hand.conceded else {}
    if hand.revoked is not None:
        data["revoked"] = hand.revoked
    return data | dict(hand.extra or {})


def check_seat(table: Table, value: object, field: str) -> int:
    """Return `value` if it is a seat of this table. Otherwise raise `RuleViolation` for the field named `field`."""
    if type(value) is not int or not 0 <= value < table.players:
        message = Phrase("“%(name)s” must be a seat from 0 to %(last)s.", name=field, last=table.players - 1)
        raise RuleViolation("seat", message, field=field)
    return value


def check_side(table: Table, value: object, field: str) -> int:
    """Return `value` if it is a side of this table. Otherwise raise `RuleViolation` for the field named `field`."""
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
    """Return the calls, the bidder, the bid, and whether everyone passed.

    The calls are None if `data` has none. Bidder and bid are None if everyone passed. Raises `RuleViolation` if bidder
    or bid is missing, is illegal, or contradicts the calls.
    """
    passed = data.get("passed", False)
    if type(passed) is not bool:
        raise RuleViolation("passed_value", "“passed” must be true or false.", field="passed")
    bidder, bid = data.get("bidder"), data.get("bid")
    calls: tuple[Call, ...] | None = None
    if "calls" in data:
        calls, bidder, bid, passed = _heard(table, data, dealer)
    if passed:
        if table.rules.forced_bid is not None:
            message = Phrase("The dealer can't pass here and must bid %(bid)s.", bid=table.rules.forced_bid)
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


def _heard(table: Table, data: Mapping[str, Any], dealer: int) -> tuple[tuple[Call, ...], int | None, Bid | None, bool]:
    """Return the same as `_who_bid`, for a hand with calls."""
    if not isinstance(data["calls"], list):
        raise RuleViolation("calls_shape", "The calls must be a list.", field="calls")
    calls = tuple(data["calls"])
    auction = hear(table, dealer, calls)
    if not auction.closed:
        raise RuleViolation("calls_short", "The bidding isn't over after these calls.", call=len(calls), field="calls")
    heard = {"bidder": auction.bidder, "bid": auction.bid, "passed": auction.bidder is None}
    # 1, 1.0 and true are equal, but only one of them is a bid.
    if any(key in data and (type(data[key]), data[key]) != (type(told), told) for key, told in heard.items()):
        raise RuleViolation("calls_disagree", "These calls don't end with this hand's bid.", field="calls")
    return calls, auction.bidder, auction.bid, auction.bidder is None


def refit(old: Table, new: Table, hand: Hand) -> Hand:
    """Return `hand`, which was saved under the rules of `old`, converted to the rules of `new`.

    If the cards are known, the points are counted again. Points that `new` doesn't have are left out. Calls that the
    new rules don't allow are dropped, but the bid stays. Raises `RuleViolation` if the hand does not fit the new rules.
    """
    data = write_hand(old, hand, dealer=hand.dealer)
    if hand.points is not None:
        asked = new.rules.points_of(hand.bid)
        kept = {each.key for each in asked if hand.captured is None or not told_by_cards(new.rules, each)}
        data["points"] = {key: side for key, side in hand.points.items() if key in kept}
    try:
        return read_hand(new, data, dealer=hand.dealer)
    except RuleViolation as violation:
        if hand.calls is None or violation.call is None:
            raise
        return read_hand(new, {key: value for key, value in data.items() if key != "calls"}, dealer=hand.dealer)


def _partner(table: Table, data: Mapping[str, Any], bidder: int) -> int | None:
    if not table.called:
        raise RuleViolation("partner", "This game has no called partner.", field="partner")
    if "partner" not in data:
        raise RuleViolation(
            "partner_missing", "Choose the called partner, or tap “alone” if the bidder played alone.", field="partner"
        )
    if data["partner"] is None:
        return None
    partner = check_seat(table, data["partner"], "partner")
    if partner == bidder:
        raise RuleViolation(
            "partner",
            "The bidder can't be the called partner. Choose someone else, or tap “alone” instead.",
            field="partner",
        )
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
    """Return the captured cards by party. Raises `RuleViolation` unless `value` is a list of lists of strings."""
    if not isinstance(value, list) or not all(
        isinstance(pile, list) and all(map(isinstance, pile, repeat(str))) for pile in value
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
    bidding_side: int | None,
    *,
    dealer: int,
    bid: Bid | None = None,
    hung: bool = False,
) -> tuple[Mapping[str, int | None] | None, tuple[int, ...]]:
    """Return a dict of the winner of each point by category key, then a tuple of the points by party.

    The dict is None if `data` has only the points of each party. `captured` holds the captured cards by party, or is
    None if `data` has no cards. `bidding_side` is the party that won the bid, or None in a game without bidding. `hung`
    means that the jack was captured from the side that was dealt it. If `data` says that nobody took Game where only a
    tie can mean that, Game goes to the party that takes ties (RULES 1).

    Raises `RuleViolation` for impossible points.
    """
    if "taken" in data:
        if "points" in data or captured is not None:
            raise RuleViolation("points_twice", "Enter the points only one way.", field="taken")
        told = _by_side(table, data["taken"], "taken")
        check_total(table, told, bid, bidding_side)
        return None, told
    if "points" not in data and captured is None:
        raise RuleViolation("points_missing", "Enter how many points they took.", field="points")
    if not table.rules.categories:
        message = Phrase("This game only counts each side's points.")
        raise RuleViolation("points_kind", message, field="points" if "points" in data else "captured")
    points = _points(table, data["points"]) if "points" in data else {}
    if points.get("game", 0) is None and taker_of_tie(table):
        points["game"] = game_owner(table, [0] * table.parties, bidding_side=bidding_side, dealer=dealer)
    _check_slam(table, points, bid, bidding_side)
    if captured is not None:
        counted = count_cards(table, trump or "", captured, bidding_side=bidding_side, dealer=dealer).points
        points |= _agreed(table, counted, points)
    taken = [0] * table.parties
    played = table.rules.points_of(bid)
    for category in played:
        side = _owner(table, category, points, counted=captured is not None)
        if side is not None:
            taken[side] += point_value(table.rules, category, hung=hung)
    return {category.key: points[category.key] for category in played}, tuple(taken)


def _check_slam(table: Table, points: Mapping[str, int | None], bid: Bid | None, bidding_side: int | None) -> None:
    """Raise `RuleViolation` if a side gets the extra point for all the tricks without having bid a pitch (RULES 4)."""
    side = points.get(SLAM.key)
    if side is not None and bid != "pitch":
        raise RuleViolation("slam", "Taking all the tricks is worth a point only in a pitch.", field=SLAM.key)
    if side not in (None, bidding_side):
        raise RuleViolation("slam", "Taking all the tricks is worth a point only for the bidder.", field=SLAM.key)


def _agreed(
    table: Table, counted: Mapping[str, int | None], told: Mapping[str, int | None]
) -> Mapping[str, int | None]:
    """Return `counted`, which says who took each point according to the captured cards.

    `told` says who took each point according to the person who entered the hand. Raises `RuleViolation` if `told`
    differs from `counted`.
    """
    for category in table.rules.categories:
        key = category.key
        if key in told and told[key] != counted.get(key, told[key]):
            message = Phrase("The captured cards don't match who took %(point)s.", point=category.label)
            raise RuleViolation("points_disagree", message, field=key)
    return counted


def _owner(table: Table, category: Category, points: Mapping[str, int | None], *, counted: bool) -> int | None:
    """Return the party that took the point of `category`, or None if nobody did.

    Raises `RuleViolation` if `points` has no value for the category, or says that nobody took a point that a side
    always takes. If `counted` is true, the captured cards were counted, so the message can say that the cards don't
    show who took the point.
    """
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
    known = [category.key for category in table.rules.points_of("pitch")]
    for key, side in value.items():
        if key not in known:
            message = Phrase("This game has no point called “%(name)s”.", name=key[:40])
            raise RuleViolation("points_unknown", message, field="points")
        if side is not None and not (type(side) is int and 0 <= side < table.parties):
            raise RuleViolation(
                "points_side", Phrase("“%(name)s” must go to a side of this table.", name=key), field=key
            )
    return dict(value)


def _by_side(table: Table, value: object, field: str) -> tuple[int, ...]:
    if not isinstance(value, list) or not _NUMBERS.issuperset(map(type, value)):
        raise RuleViolation("points_shape", "The points must be whole numbers, one for each side.", field=field)
    wanted = table.parties
    if len(value) != wanted:
        message = Phrase("Enter points for %(sides)s sides, not %(given)s.", sides=wanted, given=len(value))
        raise RuleViolation("points_shape", message, field=field)
    if min(value) < 0:
        raise RuleViolation("points_total", "Points in a hand can't be below zero.", field=field)
    return tuple(value)


def check_total(table: Table, taken: Sequence[int], bid: Bid | None = None, bidding_side: int | None = None) -> None:
    """Raise `RuleViolation` unless a hand with this bid can give the points in `taken`, by party (RULES 1)."""
    total = sum(taken)
    if total in table.sums:
        return
    slam = table.rules.slam_worth if bid == "pitch" else 0
    if slam and taken[bidding_side or 0] >= slam and total - slam in table.sums:
        # All the tricks are among the bidder's points.
        return
    most = table.most + slam
    if max(taken) > most:
        message = Phrase("A hand has only %(most)s points to take.", most=most)
        raise RuleViolation("points_total", message, field="taken")
    if table.least == table.most:
        message = Phrase(
            "A hand has exactly %(most)s points, but these add up to %(total)s.", most=table.most, total=total
        )
    elif total > table.most:
        message = Phrase(
            "A hand has at most %(most)s points, but these add up to %(total)s.", most=table.most, total=total
        )
    elif total > table.least:
        message = Phrase("The points of a hand never add up to %(total)s in this game.", total=total)
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
