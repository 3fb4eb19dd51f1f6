"""The auction: which calls are legal, when the auction ends, and who wins it."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.table import Table, seat_after

Bid = int | str
"""A number of points, "pitch" or "moon"."""
Call = int | str
"""A bid, or "pass"."""

PASS = "pass"  # noqa: S105


class Auction(NamedTuple):
    """The state of an auction after some calls.

    `turn` is the seat that calls next, or None once the auction is closed. `bid` is the high bid so far, and `bidder`
    is the seat that made it. `bid` and `bidder` are None as long as nobody has bid. `out` has the seats that have
    passed.
    """

    dealer: int
    turn: int | None
    bidder: int | None = None
    bid: Bid | None = None
    out: frozenset[int] = frozenset()
    calls: tuple[Call, ...] = ()

    @property
    def closed(self) -> bool:
        """Return whether the auction is over."""
        return self.turn is None


def open_auction(table: Table, dealer: int) -> Auction:
    """Return an auction with no calls yet. The player to the dealer's left calls first.

    In a game without bidding, the auction is closed from the start.
    """
    return Auction(dealer, seat_after(table, dealer) if table.rules.has_bids else None)


def _must_have_bids(table: Table, call: int | None = None) -> None:
    if not table.rules.has_bids:
        raise RuleViolation("no_bids", "Nobody bids in this game.", field="bid", call=call)


def bid_value(table: Table, bid: Bid) -> int:
    """Return how many points a bid promises. A pitch or a moon promises all points of a hand."""
    return bid if isinstance(bid, int) else table.most + table.rules.slam_worth


def legal_calls(table: Table, auction: Auction) -> tuple[Call, ...]:
    """Return the legal calls for the player whose turn it is, or () if the auction is closed (RULES 1 to 6).

    If the player may pass, "pass" is the first call. The bids follow, lowest first.
    """
    if auction.turn is None:
        return ()
    rules = table.rules
    bids = table.bids
    if auction.bid is None:
        forced = rules.forced_bid is not None and _others_passed(table, auction)
        if not forced:
            return (PASS, *bids)
        stuck = bids.index(rules.forced_bid) if rules.forced_bid is not None else 0
        return bids[stuck : stuck + 1] if rules.forced_exactly else bids[stuck:]
    standing = bids.index(auction.bid)
    higher = bids[standing + 1 :]
    if auction.turn != auction.dealer:
        return (PASS, *higher)
    match = (auction.bid,) if may_match(table, auction.bid) else ()
    return (PASS, *match, *(higher if rules.dealer_raises else ()))


def hear_call(table: Table, auction: Auction, call: Call) -> Auction:
    """Return the auction after one more call.

    Raises `RuleViolation` if the call is illegal. The `call` of that error is the index of the call in the auction.
    """
    index = len(auction.calls)
    _must_have_bids(table, call=index)
    if auction.turn is None:
        raise RuleViolation("call_after_close", "The bidding is already over.", call=index)
    if type(call) not in (int, str) or call not in legal_calls(table, auction):
        raise RuleViolation("call_illegal", _why_illegal(table, auction, call), call=index)
    seat = auction.turn
    if call == PASS:
        bidder, bid, out = auction.bidder, auction.bid, auction.out | {seat}
    else:
        bidder, bid, out = seat, call, auction.out
    turn = _next_turn(table, auction.dealer, seat, bid, out)
    return Auction(auction.dealer, turn, bidder, bid, out, (*auction.calls, call))


def hear(table: Table, dealer: int, calls: Sequence[Call]) -> Auction:
    """Return the auction after all `calls` in a hand that `dealer` dealt.

    Raises `RuleViolation` at the first illegal call.
    """
    auction = open_auction(table, dealer)
    for call in calls:
        auction = hear_call(table, auction, call)
    return auction


def allowed_bids(table: Table, seat: int, dealer: int) -> tuple[Bid, ...]:
    """Return the bids with which the player at `seat` can win the auction, lowest first.

    `dealer` is the dealer's seat.
    """
    if seat != dealer or table.rules.forced_bid is None:
        return table.bids
    return tuple(bid for bid in table.bids if _dealer_may_bid(table, bid))


def _dealer_may_bid(table: Table, bid: Bid) -> bool:
    """Return whether the dealer, who is stuck with the forced bid if all others pass, can win the auction with `bid`.

    `bid` is one of `table.bids`.
    """
    rules, bids = table.rules, table.bids
    return (
        bid == rules.forced_bid
        or may_match(table, bid)
        or (rules.dealer_raises and bid != rules.bid_min)
        or (
            not rules.forced_exactly and rules.forced_bid is not None and bids.index(bid) > bids.index(rules.forced_bid)
        )
    )


def check_bid(table: Table, *, seat: int, dealer: int, bid: Bid) -> None:
    """Raise `RuleViolation` if the player at `seat` can't have won the auction with `bid`.

    `dealer` is the dealer's seat.
    """
    _must_have_bids(table)
    if type(bid) not in (int, str) or bid not in table.bids:
        raise RuleViolation("bid_illegal", _why_not_a_bid(table, bid), field="bid")
    if seat == dealer and table.rules.forced_bid is not None and not _dealer_may_bid(table, bid):
        raise RuleViolation(
            "bid_illegal", Phrase("The dealer can't match a bid of %(bid)s.", bid=bid_phrase(bid)), field="bid"
        )


def may_match(table: Table, bid: Bid) -> bool:
    """Return whether the dealer may win the auction with `bid` if another player bid the same before."""
    rules = table.rules
    if not rules.dealer_matches or isinstance(bid, str):
        return False
    return bid < table.top_bid or rules.dealer_may_match_max


def _others_passed(table: Table, auction: Auction) -> bool:
    return auction.turn == auction.dealer and len(auction.out) == table.players - 1


def _next_turn(table: Table, dealer: int, caller: int, bid: Bid | None, out: Collection[int]) -> int | None:
    """Return the seat that calls after `caller`, or None if the auction is over.

    `bid` is the high bid after the call, and `out` has the seats that have passed.
    """
    rules = table.rules
    highest = table.bids[-1]
    if bid == highest and rules.stop_at_max and not may_match(table, highest):
        return None
    if rules.auction == "once_around":
        return None if caller == dealer else seat_after(table, caller)
    left = table.players - len(out)
    if left == 0 or (left == 1 and bid is not None):
        return None
    seat = seat_after(table, caller)
    while seat in out:
        seat = seat_after(table, seat)
    return seat


def bid_phrase(bid: Bid) -> str:
    """Return a bid for use in a sentence, such as "3", "pitch" or "moon". The words are `Phrase`s, for translation."""
    return {"pitch": Phrase("pitch"), "moon": Phrase("moon")}.get(bid, str(bid)) if isinstance(bid, str) else str(bid)


_NO_SUCH_BID = {
    "pitch": Phrase("You can't bid a pitch in this game."),
    "moon": Phrase("You can't bid a moon in this game."),
}


def _why_not_a_bid(table: Table, bid: object) -> Phrase:
    if bid in ("pitch", "moon"):
        return _NO_SUCH_BID[str(bid)]
    lowest, highest = table.rules.bid_min, table.top_bid
    return {
        "none": Phrase("Bids go from %(lowest)s to %(highest)s.", lowest=lowest, highest=highest),
        "pitch": Phrase("Bids go from %(lowest)s to %(highest)s, or a pitch.", lowest=lowest, highest=highest),
        "moon": Phrase("Bids go from %(lowest)s to %(highest)s, or a moon.", lowest=lowest, highest=highest),
    }[table.rules.special_bid]


def _why_illegal(table: Table, auction: Auction, call: Call) -> Phrase:
    rules = table.rules
    if call == PASS:
        return Phrase("Everyone else passed, so the dealer must bid %(bid)s.", bid=rules.forced_bid)
    if type(call) not in (int, str) or call not in table.bids:
        return _why_not_a_bid(table, call)
    if auction.bid is None:
        if rules.forced_exactly:
            return Phrase("Everyone else passed, so the dealer must bid exactly %(bid)s.", bid=rules.forced_bid)
        return Phrase("Everyone else passed, so the dealer must bid at least %(bid)s.", bid=rules.forced_bid)
    standing = bid_phrase(auction.bid)
    if auction.turn == auction.dealer and not rules.dealer_raises:
        return Phrase("The dealer may pass or take the bid at %(bid)s, but not raise it.", bid=standing)
    return Phrase("A bid must be higher than %(bid)s.", bid=standing)
