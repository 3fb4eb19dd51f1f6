"""The form of a hand: the bid step, the auction, and the points step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scorekeeper.games import pages
from scorekeeper.games.forms.hand import CARD_FIELD, hand_data
from scorekeeper.games.logic.default_points import likely_points
from scorekeeper.games.logic.request_key import choice_digest
from scorekeeper.games.presenters.snapshot import Snapshot, new_tap_id, seat_views, side_views
from scorekeeper.games.presenters.summaries import preview_text
from scorekeeper.games.presenters.vocabulary import LETTERS, call_text, point_labels, suit_name, suit_sign
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.i18n.sentences import SideName, join_names, said
from scorekeeper.rules.bidding import PASS, Auction, Call, allowed_bids, hear_call, legal_calls, open_auction
from scorekeeper.rules.game import Game, OpenBid
from scorekeeper.rules.hands import RED_POINTS, allowed_points, allowed_trumps, most_tricks
from scorekeeper.rules.scoring import pitch_tricks
from scorekeeper.rules.violation import RuleViolation

WIDEST_GRID = 6
"""Most bids that fit beside a name on a small phone. More get a pad."""
NOBODY: Mapping[str, str] = {
    "game": N_("tied"),
    "jack": N_("not out"),
    "right": N_("not out"),
    "left": N_("not out"),
}
"""Label for a point that nobody took; "nobody" for the others."""


def bid_entry(snapshot: Snapshot, chosen: Mapping[str, str], error: str) -> pages.HandEntry:
    """Return the bid step: a grid of players by bids, or a pad if there are too many bids."""
    game = snapshot.game
    entry = replace(hand_entry(game, snapshot.sides, chosen, points=False), error=error)
    bids = game.table.bids
    if len(bids) <= WIDEST_GRID:
        return replace(entry, bid_rows=_bid_rows(game, snapshot.names))
    return replace(
        entry,
        pad=True,
        bidders=tuple(
            pages.Choice(str(seat.index), seat.name, seat.letter, chosen.get("bidder") == str(seat.index))
            for seat in seat_views(game, snapshot.names)
        ),
        bids=tuple(pages.Choice(str(bid), call_text(bid)) for bid in bids),
    )


def points_entry(
    snapshot: Snapshot, chosen: Mapping[str, str], error: str, preview: str, questions: Sequence[str] = ()
) -> pages.HandEntry:
    """Return the points step of the hand in play, filled in with a guess until the player chooses."""
    game = snapshot.game
    bid = game.open_bid
    assert bid is not None
    known = {"bidder": str(bid.bidder), "bid": str(bid.bid), "trump": bid.trump or ""}
    likely = {} if error or _tells_points(chosen) else _likely_fields(snapshot, bid)
    entry = hand_entry(game, snapshot.sides, {**known, **likely, **chosen}, points=True, names=snapshot.names)
    if not likely:
        told = replace(entry, questions=tuple(questions))
        return replace(told, error=error, preview=preview, seen=chosen.get("seen", ""))
    data = hand_data({"trump": known["trump"], **likely, **chosen}, game.table)
    try:
        shown, seen = preview_text(snapshot, data), choice_digest(data, game.changed)
    except RuleViolation:
        shown, seen = "", ""  # something else is still missing, such as the partner
    rows = tuple(
        replace(row, choices=tuple(replace(choice, likely=choice.chosen) for choice in row.choices))
        for row in entry.point_rows
    )
    note = guess_note(left=any(key not in likely for key in allowed_points(game.table)))
    return replace(entry, likely=True, guess_note=note, point_rows=rows, preview=shown, seen=seen)


def guess_note(*, left: bool) -> str:
    """Return a sentence that explains the dashed choices; `left` if some points have no guess."""
    return _("Dashed = our guess. Tap the rest, fix any errors.") if left else _("Dashed = our guess. Tap to change.")


def _tells_points(chosen: Mapping[str, str]) -> bool:
    """Return whether any point was chosen."""
    return any(key not in ("seen", "trump", "version") for key in chosen)


def _likely_fields(snapshot: Snapshot, bid: OpenBid) -> Mapping[str, str]:
    owners = likely_points(snapshot.game.table, bid.bidder, bid.bid, snapshot.learned)
    return {key: "none" if owner is None else str(owner) for key, owner in owners.items()}


def hand_entry(
    game: Game,
    sides: Sequence[SideName],
    chosen: Mapping[str, str],
    *,
    points: bool,
    names: Sequence[str] = (),
) -> pages.HandEntry:
    """Return the fields of a hand, filled in with `chosen`; without `points` only those of the bid step."""
    table = game.table
    return pages.HandEntry(
        bid_rows=(),
        trumps=tuple(
            pages.Choice(trump, suit_name(trump), suit_sign(trump), chosen.get("trump") == trump)
            for trump in allowed_trumps(table)
        ),
        may_throw_in=table.rules.forced_bid is None,
        point_rows=_point_rows(game, sides, chosen) if points else (),
        taken_rows=_pads(game, sides, chosen, names, {"taken": (game.table.most, "")}) if points else (),
        only_points=chosen.get("mode") == "taken",
        part_rows=_part_rows(game, sides, chosen, names) if points else (),
        by_parts=chosen.get("mode") == "parts",
        ask_tricks=points and pitch_tricks(table.rules) is not None and chosen.get("bid") == "pitch",
        most_tricks=most_tricks(table.rules),
        tricks=chosen.get("tricks", ""),
        client_id=new_tap_id(),
        version=game.version,
        partners=_partners(game, names, chosen) if points else (),
        follows=_follows(game, sides, chosen) if points else "",
        carried=tuple((key, value) for key, value in chosen.items() if key.startswith(CARD_FIELD) and value != "none"),
        may_count=points and bool(table.rules.categories) and game.open_bid is not None,
    )


def auction_view(snapshot: Snapshot) -> pages.AuctionView:
    """Return the auction of the next hand so far."""
    game = snapshot.game
    auction = game.auction or open_auction(game.table, game.dealer)
    seats = seat_views(game, snapshot.names)
    assert auction.turn is not None
    callers = _callers(game, auction)
    standing = _("No bids yet.")
    if auction.bidder is not None and auction.bid is not None:
        bidder = snapshot.said_names[auction.bidder]
        standing = _("High bid: %(bid)s (%(bidder)s).", bidder=bidder, bid=call_text(auction.bid))
    return pages.AuctionView(
        calls=tuple(
            pages.CallView(seats[seat].name, seats[seat].side, seats[seat].letter, call_text(call))
            for seat, call in zip(callers, auction.calls, strict=True)
        ),
        turn=seats[auction.turn],
        choices=tuple(
            pages.Choice(str(call), call_text(call), _hint(game, auction, call))
            for call in legal_calls(game.table, auction)
        ),
        standing=standing,
        may_take_back=bool(auction.calls),
        every=tuple(map(str, game.table.bids)),
        version=game.version,
        client_id=new_tap_id(),
    )


def asked_sides(game: Game, bidder: str) -> tuple[int, ...]:
    """Return the sides whose points are asked for, the bidder's first.

    If the points of a hand have a fixed total, the last side isn't asked: it gets the rest. If a partner is called,
    only the points of bidder and partner are asked for.
    """
    table = game.table
    if table.called:
        return (0,)
    ours = table.side_of[int(bidder)] if bidder in map(str, range(table.players)) else 0
    order = [ours, *(side for side in range(len(table.sides)) if side != ours)]
    return tuple(order[:-1] if table.least == table.most else order)


def _callers(game: Game, auction: Auction) -> list[int]:
    """Return the seat that made each call."""
    replayed = open_auction(game.table, auction.dealer)
    callers = []
    for call in auction.calls:
        assert replayed.turn is not None
        callers.append(replayed.turn)
        replayed = hear_call(game.table, replayed, call)
    return callers


def _hint(game: Game, auction: Auction, call: Call) -> str:
    if call == PASS:
        return ""
    if auction.bid is None and PASS not in legal_calls(game.table, auction) and call == game.table.rules.forced_bid:
        return _("stuck")
    return _("take it") if call == auction.bid else ""


def _bid_rows(game: Game, names: Sequence[str]) -> tuple[pages.BidRow, ...]:
    forced, matched = game.table.rules.forced_bid, game.table.rules.dealer_matches
    rows = []
    for seat in seat_views(game, names):
        cells = tuple(
            pages.Choice(str(bid), call_text(bid)) for bid in allowed_bids(game.table, seat.index, game.dealer)
        )
        # If the dealer may match, the lowest bid can also be a match, so don't mark it as stuck.
        stuck = next((cell for cell in cells if seat.deals and cell.value == str(forced) and not matched), None)
        rows.append(pages.BidRow(seat, cells, stuck))
    return tuple(rows)


def _point_rows(game: Game, sides: Sequence[SideName], chosen: Mapping[str, str]) -> tuple[pages.PointRow, ...]:
    labels = point_labels(game.table.rules)
    return tuple(
        pages.PointRow(
            key,
            labels[key],
            tuple(
                pages.Choice("none", _(NOBODY.get(key, N_("nobody"))), "", chosen.get(key) == "none")
                if side is None
                else pages.Choice(str(side), sides[side].name, LETTERS[side], chosen.get(key) == str(side))
                for side in owners
            ),
        )
        for key, owners in allowed_points(game.table).items()
    )


def _part_rows(
    game: Game, sides: Sequence[SideName], chosen: Mapping[str, str], names: Sequence[str]
) -> tuple[pages.TakenRow, ...]:
    if not game.table.rules.hand_totals:
        return ()
    tricks = game.table.most - RED_POINTS
    parts = {"side_tricks": (tricks, _("tricks")), "side_red": (RED_POINTS, _("red card points"))}
    return _pads(game, sides, chosen, names, parts)


def _pads(
    game: Game,
    sides: Sequence[SideName],
    chosen: Mapping[str, str],
    names: Sequence[str],
    parts: Mapping[str, tuple[int, str]],
) -> tuple[pages.TakenRow, ...]:
    """Return a pad of numbers for each side that is asked and each part; `parts` maps fields to maximum and name."""
    views = side_views(game, sides)
    bidder = chosen.get("bidder", "")
    label = ""
    if game.table.called:
        label = _("Bidder and partner")
        if bidder in map(str, range(len(names))):
            label = _("%(bidder)s and partner", bidder=names[int(bidder)])
    return tuple(
        pages.TakenRow(
            f"{field}-{side}",
            views[side],
            tuple(pages.Choice(str(n), str(n), "", chosen.get(f"{field}-{side}") == str(n)) for n in range(most + 1)),
            label,
            part,
        )
        for side in asked_sides(game, bidder)
        for field, (most, part) in parts.items()
    )


def _follows(game: Game, sides: Sequence[SideName], chosen: Mapping[str, str]) -> str:
    table = game.table
    if table.called:
        return _("Everyone else gets the rest of the %(total)s.", total=table.most)
    rest = [side for side in range(len(sides)) if side not in asked_sides(game, chosen.get("bidder", ""))]
    if not rest:
        return ""
    named = SideName(join_names([sides[side].name for side in rest]), sides[rest[0]].several)
    return said(N_("{side} {side:get|gets} the rest of the {total}."), side=named, total=table.most)


def _partners(game: Game, names: Sequence[str], chosen: Mapping[str, str]) -> tuple[pages.Choice, ...]:
    if not game.table.called:
        return ()
    # A correction may still change the bidder, so offer everyone.
    bidder = game.open_bid.bidder if game.open_bid is not None and "dealer" not in chosen else None
    others = [
        pages.Choice(str(seat), name, LETTERS[seat], chosen.get("partner") == str(seat))
        for seat, name in enumerate(names)
        if seat != bidder
    ]
    return (*others, pages.Choice("alone", _("alone"), "", chosen.get("partner") == "alone"))
