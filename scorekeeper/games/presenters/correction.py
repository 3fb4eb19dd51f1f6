"""The page that corrects an older hand: the saved hand, and the effect of a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scorekeeper.games import pages
from scorekeeper.games.presenters.disputes import report_views
from scorekeeper.games.presenters.hand_form import hand_entry
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.presenters.summaries import result_text
from scorekeeper.games.presenters.vocabulary import LETTERS, adjustment_text, call_text, hand_text
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import score_text
from scorekeeper.rules.commands import Command, decide
from scorekeeper.rules.game import Adjustment, Entry, Game, Line
from scorekeeper.rules.replay import advance
from scorekeeper.rules.scoring import Hand


def correction_page(
    snapshot: Snapshot,
    entry: Entry,
    *,
    chosen: Mapping[str, str] | None = None,
    error: str = "",
    effect: pages.Effect | None = None,
    striking: bool = False,
) -> pages.CorrectionPage:
    """Return the page for the hand `entry`. An adjustment can only be deleted; players can then make another one.

    `chosen` are the fields of a form that comes back, and `effect` is their effect, once reviewed. `striking` asks to
    delete the hand.
    """
    game, names = snapshot.game, snapshot.names
    agreed = entry.what if isinstance(entry.what, Adjustment) else None
    fields = {} if agreed else dict(chosen) if chosen is not None else hand_fields(entry.hand)
    number = 0 if agreed else next((line.number for line in game.lines if line.entry.seq == entry.seq), 0)
    return pages.CorrectionPage(
        game_id=snapshot.public_id,
        number=number,
        seq=entry.seq,
        said=adjustment_text(snapshot.sides[agreed.side], agreed.points, agreed.reason)
        if agreed
        else hand_text(game.table, snapshot.said_names, snapshot.sides, entry.hand),
        dealers=() if agreed else _seats(names, fields.get("dealer")),
        bidders=() if agreed else (*_seats(names, fields.get("bidder")), *_nobody(game, entry.hand)),
        bids=tuple(
            pages.Choice(str(bid), call_text(bid), "", fields.get("bid") == str(bid))
            for bid in (() if agreed else game.table.bids)
        ),
        entry=replace(hand_entry(game, snapshot.sides, fields, points=not agreed, names=names), error=error),
        effect=effect,
        striking=striking,
        mode=fields.get("mode", "points"),
        reports=() if agreed else report_views(snapshot, number, entry),
    )


def _seats(names: Sequence[str], chosen: str | None) -> tuple[pages.Choice, ...]:
    return tuple(pages.Choice(str(seat), name, "", chosen == str(seat)) for seat, name in enumerate(names))


def _nobody(game: Game, hand: Hand) -> tuple[pages.Choice, ...]:
    """Return the choice for a hand that was thrown in, if the rules allow it."""
    return (pages.Choice("", _("thrown in"), "", hand.thrown_in),) if game.table.rules.forced_bid is None else ()


def effect_of(snapshot: Snapshot, command: Command, seen: str) -> pages.Effect:
    """Return the effect that `command` would have on a game. Raises `RuleViolation` if it isn't allowed."""
    after = advance(snapshot.game, decide(snapshot.game, command))
    return pages.Effect(changes(snapshot.game, after), result_text(after, snapshot.sides), seen)


def hand_fields(hand: Hand) -> dict[str, str]:
    """Return the form fields that describe `hand`."""
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
    """Return each hand after which the score would change. Adjustments count with the hand before them."""
    then = _standings(after)
    letters = LETTERS[:2] if len(before.table.sides) == 2 else ""
    rows = []
    for seq, (number, was) in _standings(before).items():
        will = then[seq][1] if seq in then else _("deleted")
        if was != will:
            rows.append(pages.ChangeRow(number, was, will, letters))
    return tuple(rows)


def _standings(game: Game) -> dict[int, tuple[int, str]]:
    """Return the number of each hand and the score after it and its adjustments, by its place in the log."""
    ends = {line.number: line for line in game.lines}
    return {line.entry.seq: (line.number, _standing(ends[line.number])) for line in game.hands}


def _standing(line: Line) -> str:
    return _("doesn't count") if line.after_end else score_text(line.tally.totals)
