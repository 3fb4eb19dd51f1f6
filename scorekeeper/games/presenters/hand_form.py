"""Make the form of a hand, with the bid step, the auction, and the points step."""

from collections.abc import Mapping, Sequence

from msgspec import structs

from scorekeeper.games.forms.hand import CARD_FIELD, HUNG, NO_CARD, hand_data
from scorekeeper.games.logic.default_points import likely_points
from scorekeeper.games.logic.reconcile import choice_digest
from scorekeeper.games.pages.board import AuctionView, BidRow, CallView, HandEntry, PointRow, TakenRow
from scorekeeper.games.pages.common import Choice
from scorekeeper.games.presenters.card_count import deciding_cards
from scorekeeper.games.presenters.snapshot import (
    LETTERS,
    Snapshot,
    call_text,
    new_tap_id,
    seat_views,
    side_views,
    suit_name,
    suit_sign,
)
from scorekeeper.games.presenters.summaries import preview_text
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.sentences import SideName, join_names, said
from scorekeeper.rules.bidding import PASS, Auction, Call, allowed_bids, hear_call, legal_calls, open_auction
from scorekeeper.rules.cards import taker_of_tie
from scorekeeper.rules.game import Game, OpenBid
from scorekeeper.rules.hands import RED_POINTS, allowed_points, allowed_trumps, most_tricks
from scorekeeper.rules.parts import SLAM, Category
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.ruleset import why_unused
from scorekeeper.rules.scoring import pitch_tricks
from scorekeeper.rules.table import Table

WIDEST_GRID = 6
"""Maximum number of bids that fit beside a name on a small phone. If there are more, a number pad is used."""


def bid_entry(snapshot: Snapshot, chosen: Mapping[str, str], error: str) -> HandEntry:
    """Return the bid step, which is a grid of players and bids, or a number pad if there are too many bids for a grid.

    `chosen` are the fields of a form that is shown again with `error`.
    """
    game = snapshot.game
    entry = structs.replace(hand_entry(game, snapshot.sides, chosen, points=False), error=error)
    rules = game.table.rules
    if rules.forced_concede and why_unused(rules, "forced_concede") is None:
        said = _("%(name)s gives up (%(bid)s)", name=snapshot.names[game.dealer], bid=rules.forced_bid)
        entry = structs.replace(entry, gives_up=said)
    bids = game.table.bids
    if len(bids) <= WIDEST_GRID:
        return structs.replace(entry, bid_rows=_bid_rows(game, snapshot.names))
    return structs.replace(
        entry,
        pad=True,
        bidders=tuple(
            Choice(str(seat.index), seat.name, seat.letter, chosen.get("bidder") == str(seat.index))
            for seat in seat_views(game, snapshot.names)
        ),
        bids=tuple(
            Choice(str(bid), call_text(bid), chosen="bidder" not in chosen and chosen.get("bid") == str(bid))
            for bid in bids
        ),
    )


def points_entry(
    snapshot: Snapshot, chosen: Mapping[str, str], error: str, preview: str, questions: Sequence[str] = ()
) -> HandEntry:
    """Return the points step of the hand in play.

    Until the player chooses, the form shows guesses for the winners of the points. `chosen` are the fields of a form
    that is shown again with `error`, with `preview` or with `questions`.
    """
    game = snapshot.game
    bid = game.open_bid
    known = {"bidder": str(bid.bidder), "bid": str(bid.bid), "trump": bid.trump or ""} if bid else {}
    if not _tells_points(chosen):
        chosen = {**way_before(game), **chosen}
    likely = {} if bid is None or error or _tells_points(chosen) else _likely_fields(snapshot, bid)
    entry = hand_entry(game, snapshot.sides, {**known, **likely, **chosen}, points=True, names=snapshot.names)
    if not likely:
        told = structs.replace(entry, questions=tuple(questions))
        return structs.replace(told, error=error, preview=preview, seen=chosen.get("seen", ""))
    data = hand_data({"trump": known["trump"], **likely, **chosen}, game.table)
    try:
        shown, seen = preview_text(snapshot, data), choice_digest(data, game.changed)
    except RuleViolation:
        shown, seen = "", ""  # something else is still missing, such as the partner
    rows = tuple(
        structs.replace(row, choices=tuple(structs.replace(choice, likely=choice.chosen) for choice in row.choices))
        for row in entry.point_rows
    )
    note = guess_note(left=any(key not in likely for key in allowed_points(game.table, bid.bid if bid else None)))
    return structs.replace(entry, likely=True, guess_note=note, point_rows=rows, preview=shown, seen=seen)


def guess_note(*, left: bool) -> str:
    """Return a sentence that explains the dashed outlines of guessed choices.

    `left` means that some points have no guess.
    """
    return _("Dashed = our guess. Tap the rest, fix any errors.") if left else _("Dashed = our guess. Tap to change.")


def way_before(game: Game) -> Mapping[str, str]:
    """Return the field "mode" as for the last scored hand, so that a table chooses its way of entering points once.

    The result is empty for the first hand, and for the usual way.
    """
    hands = (line.entry.hand for line in reversed(game.hands))
    last = next((hand for hand in hands if not (hand.thrown_in or hand.conceded)), None)
    if last is None or last.points is not None:
        return {}
    if game.table.rules.categories:
        return {"mode": "taken"}
    return {} if last.side_tricks is None else {"mode": "parts"}


def _tells_points(chosen: Mapping[str, str]) -> bool:
    """Return whether the fields `chosen` tell more about the hand than the trump. If so, no points are guessed."""
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
) -> HandEntry:
    """Return the fields of a hand, filled in with `chosen`.

    Without `points`, return only the fields of the bid step.
    """
    table = game.table
    return HandEntry(
        bid_rows=(),
        trumps=tuple(
            Choice(trump, suit_name(trump), suit_sign(trump), chosen.get("trump") == trump)
            for trump in allowed_trumps(table)
        ),
        may_throw_in=table.rules.has_bids and table.rules.forced_bid is None,
        gives_up="",
        turned_up=_turned_up(game, chosen) if points else (),
        point_rows=_point_rows(game, sides, chosen, names) if points else (),
        taken_rows=_taken_rows(game, sides, chosen, names) if points else (),
        only_points=chosen.get("mode") == "taken",
        part_rows=_part_rows(game, sides, chosen, names) if points else (),
        by_parts=chosen.get("mode") == "parts",
        ask_tricks=points and pitch_tricks(table.rules) is not None and chosen.get("bid") == "pitch",
        most_tricks=most_tricks(table.rules),
        tricks=chosen.get("tricks", ""),
        client_id=new_tap_id(),
        version=game.version,
        partners=_partners(game, names, chosen) if points else (),
        revokers=_revokers(game, names, chosen) if points else (),
        party=_party_words(game, names, chosen) if points else None,
        follows=_follows(game, sides, chosen) if points else "",
        carried=tuple((key, value) for key, value in chosen.items() if key.startswith(CARD_FIELD) and value != "none"),
        may_count=points and bool(table.rules.categories) and (game.open_bid is not None or not table.rules.has_bids),
    )


def auction_view(snapshot: Snapshot) -> AuctionView:
    """Return the auction of the hand in play, or a new auction for the next hand, with the calls so far."""
    game = snapshot.game
    auction = game.auction or open_auction(game.table, game.dealer)
    seats = seat_views(game, snapshot.names)
    assert auction.turn is not None
    callers = _callers(game, auction)
    standing = _("No bids yet.")
    if auction.bidder is not None and auction.bid is not None:
        bidder = snapshot.said_names[auction.bidder]
        standing = _("High bid: %(bid)s (%(bidder)s).", bidder=bidder, bid=call_text(auction.bid))
    return AuctionView(
        calls=tuple(
            CallView(seats[seat].name, seats[seat].side, seats[seat].letter, call_text(call))
            for seat, call in zip(callers, auction.calls, strict=True)
        ),
        turn=seats[auction.turn],
        choices=tuple(
            Choice(str(call), call_text(call), _hint(game, auction, call)) for call in legal_calls(game.table, auction)
        ),
        standing=standing,
        may_take_back=bool(auction.calls),
        every=tuple(map(str, game.table.bids)),
        version=game.version,
        client_id=new_tap_id(),
    )


def asked_sides(game: Game, bidder: str) -> tuple[int, ...]:
    """Return the sides whose points the form asks for, the bidder's side first. `bidder` is a seat as text.

    If the points of a hand have a fixed total, the last side is left out, because it gets the rest. If a partner is
    called, the form asks only for the points of the bidder's party, so the result is (0,).
    """
    table = game.table
    if table.called:
        return (0,)
    ours = table.side_of[int(bidder)] if bidder in map(str, range(table.players)) else 0
    order = [ours, *(side for side in range(len(table.sides)) if side != ours)]
    return tuple(order[:-1] if table.least == table.most else order)


def _callers(game: Game, auction: Auction) -> list[int]:
    """Return the seats that made the calls, in the order of the calls."""
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


def _bid_rows(game: Game, names: Sequence[str]) -> tuple[BidRow, ...]:
    forced, matched = game.table.rules.forced_bid, game.table.rules.dealer_matches
    rows = []
    for seat in seat_views(game, names):
        cells = tuple(Choice(str(bid), call_text(bid)) for bid in allowed_bids(game.table, seat.index, game.dealer))
        # If the dealer may match, the lowest bid can also be a match, so don't mark it as stuck.
        stuck = next((cell for cell in cells if seat.deals and cell.value == str(forced) and not matched), None)
        rows.append(BidRow(seat, cells, stuck))
    return tuple(rows)


def _point_rows(
    game: Game, sides: Sequence[SideName], chosen: Mapping[str, str], names: Sequence[str]
) -> tuple[PointRow, ...]:
    # A correction may still change the bid, and who bid.
    corrects = "dealer" in chosen
    bid = "pitch" if corrects else chosen.get("bid")
    bidder = _bidder_of(names, chosen)
    owners = allowed_points(game.table, bid, 0 if bidder is None else game.table.party_of(bidder))
    if corrects and SLAM.key in owners:
        owners = {**owners, SLAM.key: (*range(game.table.parties), None)}
    labels = [(side.name, LETTERS[index]) for index, side in enumerate(sides)]
    if game.table.called:
        bidder = None if corrects else bidder
        party = _("Bidder and partner") if bidder is None else _party_name(names, chosen)
        labels = [(party, "" if bidder is None else LETTERS[game.table.side_of[bidder]]), (_("the others"), "")]
    cards = deciding_cards(game.table, chosen)
    return tuple(
        PointRow(
            category.key,
            spoken(category.label),
            tuple(
                Choice("none", _nobody(game.table, category), "", chosen.get(category.key) == "none")
                if side is None
                else Choice(str(side), *labels[side], chosen.get(category.key) == str(side))
                for side in owners[category.key]
            ),
            _hung(game, sides, category, chosen.get(category.key)),
            cards.get(category.key, ""),
        )
        for category in game.table.rules.points_of(bid)
    )


def _hung(game: Game, sides: Sequence[SideName], category: Category, chosen: str | None) -> tuple[Choice, ...]:
    """Return the choices for a hung jack: the side that captured the jack from another side.

    The result is () unless `category` is the jack, in a game without bidding where a hung jack scores more.
    """
    rules = game.table.rules
    if rules.has_bids or category.key != "jack" or rules.hang_jack == category.value:
        return ()
    return tuple(
        Choice(f"{HUNG}{side}", named.name, LETTERS[side], chosen == f"{HUNG}{side}")
        for side, named in enumerate(sides)
    )


def _turned_up(game: Game, chosen: Mapping[str, str]) -> tuple[Choice, ...]:
    """Return the choices for the turned-up card: first "other", then each rank that scores for the dealer.

    The result is empty in games without such cards.
    """
    worth = game.table.rules.turned_up_worth
    told = chosen.get("turned_up", "")[:1]
    cards = tuple(Choice(rank, rank, f"+{points}", told == rank) for rank, points in worth.items())
    return (Choice(NO_CARD, _("other"), "", told not in worth), *cards) if cards else ()


def _nobody(table: Table, category: Category) -> str:
    """Return the label of the choice "nobody" for a point.

    Nobody gets a point if its card was not dealt, or if Game was tied or below its minimum. If a tie always goes to
    somebody, the label says to whom.
    """
    if category == SLAM:
        return _("no")
    if category.card:
        return _("not out")
    tie = taker_of_tie(table)
    if tie is not None:
        return _(_TIED[tie])
    return _("nobody") if table.rules.game_minimum or table.rules.game_tie != "nobody" else _("tied")


_TIED = {"bidder": N_("tied: bidder"), "defenders": N_("tied: defenders"), "dealer": N_("tied: dealer")}


def _taken_rows(
    game: Game, sides: Sequence[SideName], chosen: Mapping[str, str], names: Sequence[str]
) -> tuple[TakenRow, ...]:
    # Without bidding the order of the points decides, and sums don't tell it: only an imported hand may have them.
    if not game.table.rules.has_bids and chosen.get("mode") != "taken":
        return ()
    pitch = chosen.get("bid") == "pitch" or "dealer" in chosen
    most = game.table.most_scored if pitch else game.table.most
    return _pads(game, sides, chosen, names, {"taken": (most, "")})


def _part_rows(
    game: Game, sides: Sequence[SideName], chosen: Mapping[str, str], names: Sequence[str]
) -> tuple[TakenRow, ...]:
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
) -> tuple[TakenRow, ...]:
    """Return rows of number buttons, for each side whose points the form asks for.

    A side has one row for its points, or one row for its tricks and one for its red cards. `parts` has an entry for
    each row of a side. The key is the start of the field's name, such as "taken". The value is a pair of the highest
    number on the buttons and the label of the row.
    """
    views = side_views(game, sides)
    bidder = chosen.get("bidder", "")
    label = _party_name(names, chosen) if game.table.called else ""
    return tuple(
        TakenRow(
            f"{field}-{side}",
            views[side],
            tuple(Choice(str(n), str(n), "", chosen.get(f"{field}-{side}") == str(n)) for n in range(most + 1)),
            label,
            part,
        )
        for side in asked_sides(game, bidder)
        for field, (most, part) in parts.items()
    )


def _bidder_of(names: Sequence[str], chosen: Mapping[str, str]) -> int | None:
    """Return the seat of the bidder, or None if no bidder was chosen yet."""
    bidder = chosen.get("bidder", "")
    return int(bidder) if bidder in map(str, range(len(names))) else None


def _party_name(names: Sequence[str], chosen: Mapping[str, str]) -> str:
    """Return the name of the bidder's party, such as "Ann and Cid".

    The name is "Ann and partner" before a partner is chosen, and "Ann" if the bidder plays alone.
    """
    bidder, partner = _bidder_of(names, chosen), chosen.get("partner", "")
    if bidder is None:
        return _("Bidder and partner")
    if partner == "alone":
        return names[bidder]
    if partner in map(str, range(len(names))) and partner != str(bidder):
        return join_names([names[bidder], names[int(partner)]])
    return _("%(bidder)s and partner", bidder=names[bidder])


def _party_words(game: Game, names: Sequence[str], chosen: Mapping[str, str]) -> tuple[str, str] | None:
    bidder = _bidder_of(names, chosen)
    if not game.table.called or bidder is None:
        return None
    return names[bidder], join_names([names[bidder], "{partner}"])


def _follows(game: Game, sides: Sequence[SideName], chosen: Mapping[str, str]) -> str:
    table = game.table
    if table.called:
        return _("Everyone else gets the rest of the %(total)s.", total=table.most)
    rest = [side for side in range(len(sides)) if side not in asked_sides(game, chosen.get("bidder", ""))]
    if not rest:
        return ""
    named = SideName(join_names([sides[side].name for side in rest]), sides[rest[0]].several)
    return said(N_("{side} {side:get|gets} the rest of the {total}."), side=named, total=table.most)


def _revokers(game: Game, names: Sequence[str], chosen: Mapping[str, str]) -> tuple[Choice, ...]:
    """Return the choices for the player who revoked, with "nobody" first, or () if a revoke doesn't cost the bid."""
    if not game.table.rules.revoke_costs_bid:
        return ()
    told = chosen.get("revoked", "")
    players = (Choice(str(seat), name, "", told == str(seat)) for seat, name in enumerate(names))
    return (Choice("", _("nobody"), "", not told), *players)


def _partners(game: Game, names: Sequence[str], chosen: Mapping[str, str]) -> tuple[Choice, ...]:
    if not game.table.called:
        return ()
    # A correction may still change the bidder, so offer everyone.
    bidder = game.open_bid.bidder if game.open_bid is not None and "dealer" not in chosen else None
    others = [
        Choice(str(seat), name, LETTERS[seat], chosen.get("partner") == str(seat))
        for seat, name in enumerate(names)
        if seat != bidder
    ]
    return (*others, Choice("alone", _("alone"), "", chosen.get("partner") == "alone"))
