"""Make the page that corrects an older hand, and show the effect of a change."""

from collections.abc import Mapping, Sequence

from msgspec import structs

from scorekeeper.games.forms.hand import HUNG
from scorekeeper.games.pages.common import ChangeRow, Choice, Effect
from scorekeeper.games.presenters.disputes import report_views
from scorekeeper.games.presenters.hand_form import hand_entry
from scorekeeper.games.presenters.history import CorrectionPage
from scorekeeper.games.presenters.snapshot import LETTERS, Snapshot, adjustment_text, call_text, hand_text
from scorekeeper.games.presenters.summaries import result_text
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
    effect: Effect | None = None,
    striking: bool = False,
) -> CorrectionPage:
    """Return the page that corrects the hand or adjustment `entry`.

    An adjustment can't be changed on this page, but only deleted.

    `chosen` are the fields of a form that is shown again, or None to show the saved hand. `effect` is the effect of
    these fields, or None if the player has not asked for the effect yet. With `striking`, the page asks whether to
    delete the hand.
    """
    game, names = snapshot.game, snapshot.names
    agreed = entry.what if isinstance(entry.what, Adjustment) else None
    fields = {} if agreed else dict(chosen) if chosen is not None else hand_fields(entry.hand)
    asks_bid = not agreed and game.table.rules.has_bids
    number = 0 if agreed else next((line.number for line in game.lines if line.entry.seq == entry.seq), 0)
    return CorrectionPage(
        game_id=snapshot.public_id,
        number=number,
        seq=entry.seq,
        said=adjustment_text(snapshot.sides[agreed.side], agreed.points, agreed.reason)
        if agreed
        else hand_text(game.table, snapshot.said_names, snapshot.sides, entry.hand),
        dealers=() if agreed else _seats(names, fields.get("dealer")),
        bidders=(*_seats(names, fields.get("bidder")), *_nobody(game, entry.hand)) if asks_bid else (),
        bids=tuple(
            Choice(str(bid), call_text(bid), "", fields.get("bid") == str(bid))
            for bid in (() if agreed else game.table.bids)
        ),
        entry=structs.replace(hand_entry(game, snapshot.sides, fields, points=not agreed, names=names), error=error),
        effect=effect,
        striking=striking,
        mode=fields.get("mode", "points"),
        reports=() if agreed else report_views(snapshot, number, entry),
    )


def _seats(names: Sequence[str], chosen: str | None) -> tuple[Choice, ...]:
    return tuple(Choice(str(seat), name, "", chosen == str(seat)) for seat, name in enumerate(names))


def _nobody(game: Game, hand: Hand) -> tuple[Choice, ...]:
    """Return the choice for a hand that was thrown in, as a tuple, or () if the rules don't allow throwing in."""
    return (Choice("", _("all passed"), "", hand.thrown_in),) if game.table.rules.forced_bid is None else ()


def effect_of(snapshot: Snapshot, command: Command, seen: str) -> Effect:
    """Return the effect that `command` would have on a game. Raises `RuleViolation` if the command isn't allowed.

    `seen` is the `choice_digest` of the form, which the page sends back to confirm the change.
    """
    after = advance(snapshot.game, decide(snapshot.game, command))
    told = changes(snapshot.game, after)
    if told or after.over or after.tally.totals != snapshot.game.tally.totals:
        return Effect(told, result_text(after, snapshot.sides), seen)
    return Effect(told, _("Score: %(score)s. Game continues.", score=score_text(after.tally.totals)), seen)


def hand_fields(hand: Hand) -> dict[str, str]:
    """Return the form fields that describe `hand`."""
    fields = {"dealer": str(hand.dealer), "trump": hand.trump or "", "mode": "points"}
    if hand.thrown_in:
        return fields
    if hand.bidder is not None:
        fields |= {"bidder": str(hand.bidder), "bid": str(hand.bid)}
    if hand.turned_up is not None:
        fields["turned_up"] = hand.turned_up
    if hand.tricks is not None:
        fields["tricks"] = str(hand.tricks)
    fields |= {f"taken-{side}": str(points) for side, points in enumerate(hand.taken)}
    fields["revoked"] = "" if hand.revoked is None else str(hand.revoked)
    fields["partner"] = "alone" if hand.partner is None else str(hand.partner)
    if hand.points is None:
        return fields | {"mode": "taken"}
    hung = {"jack": f"{HUNG}{hand.points['jack']}"} if hand.jack_hung else {}
    return fields | {key: "none" if side is None else str(side) for key, side in hand.points.items()} | hung


def changes(before: Game, after: Game) -> tuple[ChangeRow, ...]:
    """Return a row for each hand after which the score in `after` differs from the score in `before`.

    The score after a hand includes the adjustments that were made before the next hand.
    """
    then = _standings(after)
    letters = LETTERS[:2] if len(before.table.sides) == 2 else ""
    rows = []
    for seq, (number, was) in _standings(before).items():
        will = then[seq][1] if seq in then else _("deleted")
        if was != will:
            rows.append(ChangeRow(number, was, will, letters))
    return tuple(rows)


def _standings(game: Game) -> dict[int, tuple[int, str]]:
    """Return a dict that maps each hand's log position to the hand's number and the score after the hand.

    The score is text, and includes adjustments that follow the hand.
    """
    ends = {line.number: line for line in game.lines}
    return {line.entry.seq: (line.number, _standing(ends[line.number])) for line in game.hands}


def _standing(line: Line) -> str:
    return _("doesn't count") if line.after_end else score_text(line.tally.totals)
