"""The page that corrects an older hand: as it stands, and what a change would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorekeeper.games import pages
from scorekeeper.games.presenters.disputes import report_views
from scorekeeper.games.presenters.hand_form import hand_entry
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.presenters.summaries import result_text
from scorekeeper.games.presenters.vocabulary import LETTERS, adjustment_text, call_text, hand_text
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import score_text
from scorekeeper.rules.events import Event
from scorekeeper.rules.game import Adjustment, Entry, Game, Line, evolve
from scorekeeper.rules.scoring import Hand


def correction_page(
    snapshot: Snapshot,
    entry: Entry,
    *,
    chosen: Mapping[str, str] | None = None,
    error: str = "",
    events: tuple[Event, ...] | None = None,
    seen: str = "",
    striking: bool = False,
) -> pages.CorrectionPage:
    """Return the page for the hand `entry`.

    `chosen` are the fields of a form that comes back; `events` what it would make happen,
    once it was checked (none where nothing would change), and `seen` the word for that choice.
    """
    game, names = snapshot.game, snapshot.names
    if isinstance(entry.what, Adjustment):
        return _adjustment_page(snapshot, entry, entry.what, events=events, seen=seen)
    fields = dict(chosen) if chosen is not None else hand_fields(entry.hand)
    after = game
    for event in events or ():
        after = evolve(after, event)
    bids = [str(bid) for bid in game.table.bids]
    bidders = [pages.Choice(str(seat), name, "", fields.get("bidder") == str(seat)) for seat, name in enumerate(names)]
    if game.table.rules.forced_bid is None:
        bidders.append(pages.Choice("", _("thrown in"), "", entry.hand.thrown_in))
    form = hand_entry(game, snapshot.sides, fields, points=True, names=names)
    number = next((line.number for line in game.lines if line.entry.seq == entry.seq), 0)
    return pages.CorrectionPage(
        game_id=snapshot.public_id,
        number=number,
        seq=entry.seq,
        said=hand_text(game.table, snapshot.said_names, snapshot.sides, entry.hand),
        dealers=tuple(
            pages.Choice(str(seat), name, "", fields.get("dealer") == str(seat)) for seat, name in enumerate(names)
        ),
        bidders=tuple(bidders),
        bids=tuple(pages.Choice(bid, call_text(bid), "", fields.get("bid") == bid) for bid in bids),
        entry=replace(form, error=error, seen=seen),
        changes=changes(game, after) if events is not None else (),
        result=result_text(after, snapshot.sides) if events is not None else "",
        checked=events is not None,
        striking=striking,
        mode=fields.get("mode", "points"),
        reports=report_views(snapshot, number, entry),
    )


def _adjustment_page(
    snapshot: Snapshot, entry: Entry, agreed: Adjustment, *, events: tuple[Event, ...] | None, seen: str
) -> pages.CorrectionPage:
    """The page of an adjustment, which can only be struck out: another one is made instead."""
    game = snapshot.game
    after = game
    for event in events or ():
        after = evolve(after, event)
    form = replace(hand_entry(game, snapshot.sides, {}, points=False), seen=seen)
    return pages.CorrectionPage(
        game_id=snapshot.public_id,
        number=0,
        seq=entry.seq,
        said=adjustment_text(snapshot.sides[agreed.side], agreed.points, agreed.reason),
        dealers=(),
        bidders=(),
        bids=(),
        entry=form,
        changes=changes(game, after) if events is not None else (),
        result=result_text(after, snapshot.sides) if events is not None else "",
        checked=events is not None,
        striking=events is not None,
    )


def hand_fields(hand: Hand) -> dict[str, str]:
    """Return the form fields that tell `hand`."""
    fields = {"dealer": str(hand.dealer), "trump": hand.trump or "", "mode": "points"}
    if hand.bidder is None:
        return fields
    fields |= {"bidder": str(hand.bidder), "bid": str(hand.bid)}
    if hand.tricks is not None:
        fields["tricks"] = str(hand.tricks)
    fields |= {f"taken-{side}": str(points) for side, points in enumerate(hand.taken)}
    fields["partner"] = "alone" if hand.partner is None else str(hand.partner)
    if hand.points is None:
        return fields | {"mode": "taken"}
    return fields | {key: "none" if side is None else str(side) for key, side in hand.points.items()}


def changes(before: Game, after: Game) -> tuple[pages.ChangeRow, ...]:
    """Return each hand after which the score would be another one, or none; adjustments count with the hand before."""
    then = _standings(after)
    letters = LETTERS[:2] if len(before.table.sides) == 2 else ""
    rows = []
    for seq, (number, was) in _standings(before).items():
        will = then[seq][1] if seq in then else _("struck out")
        if was != will:
            rows.append(pages.ChangeRow(number, was, will, letters))
    return tuple(rows)


def _standings(game: Game) -> dict[int, tuple[int, str]]:
    """Number and score of each hand, by its place in the log, adjustments after it included."""
    ends = {line.number: line for line in game.lines}
    return {line.entry.seq: (line.number, _standing(ends[line.number])) for line in game.hands}


def _standing(line: Line) -> str:
    return _("does not count") if line.after_end else score_text(line.tally.totals)
