"""The live page of a game, made of its replayed log."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from flask import url_for

from scorekeeper.games import pages
from scorekeeper.games.words import LETTERS, bid_text, hand_numbers, suit_name, suit_sign
from scorekeeper.option_words import house_rules, rules_line
from scorekeeper.rules import explain
from scorekeeper.rules.bidding import allowed_bids
from scorekeeper.rules.game import Adjustment, EnterHand, Game, Line, decide, evolve
from scorekeeper.rules.hands import allowed_points, allowed_trumps
from scorekeeper.rules.scoring import Hand, Scored
from scorekeeper.rules.table import seat_after
from scorekeeper.wording import SideName, isolated, number, say, say_all, score_text, side_names


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game as it stands, with the names of everyone who ever sat at it, by player id."""

    public_id: str
    game: Game
    names_by_id: Mapping[int, str]
    mine: bool
    """The phone that asks may score it."""
    updated: datetime

    @property
    def names(self) -> tuple[str, ...]:
        """Return the players' names by seat."""
        return tuple(self.names_by_id[player] for player in self.game.players)

    @property
    def said_names(self) -> tuple[str, ...]:
        """Return the players' names by seat, fit to stand in a sentence."""
        return tuple(isolated(name) for name in self.names)

    @property
    def sides(self) -> tuple[SideName, ...]:
        """Return the sides' names, fit to stand in a sentence."""
        return side_names(self.game.table, self.said_names)


def new_tap_id() -> str:
    """Return a fresh id for one tap: what a form carries so that sending it twice does it once."""
    return secrets.token_urlsafe(12)


def board_page(
    snapshot: Snapshot,
    *,
    chosen: Mapping[str, str] | None = None,
    error: str = "",
    preview: str = "",
    notice: str = "",
) -> pages.BoardPage:
    """Return the live page; `chosen` are the fields of a form that comes back with `error` or `preview`."""
    game, sides = snapshot.game, snapshot.sides
    rules = game.table.rules
    notices = (*([notice] if notice else []), *_notices(game, sides))
    bid = game.open_bid
    return pages.BoardPage(
        id=snapshot.public_id,
        title=", ".join(f"{side.name} {total}" for side, total in zip(sides, game.tally.totals, strict=True)),
        game_name=rules.name,
        rules_line=rules_line(rules),
        house_rules=house_rules(rules),
        sides=side_views(game, sides),
        seats=seat_views(game, snapshot.names),
        dealer=snapshot.names[game.dealer],
        first_bidder=snapshot.names[seat_after(game.table, game.dealer)],
        hand_number=len(game.hands) + 1,
        open_bid=None
        if bid is None
        else pages.OpenBid(
            bid.bidder,
            snapshot.names[bid.bidder],
            game.table.side_of[bid.bidder],
            LETTERS[game.table.side_of[bid.bidder]],
            str(bid.bid),
            suit_sign(bid.trump),
            suit_name(bid.trump),
        ),
        rows=tuple(sheet_row(game, snapshot.names, line) for line in game.lines),
        last=_said_of(game, sides, game.lines[-1]) if game.lines else "",
        entry=_entry(snapshot, chosen or {}, error, preview) if snapshot.mine and not game.over else None,
        outcome=outcome_view(game, sides),
        undo=_undo(snapshot),
        redo=_redo(snapshot),
        may_score=snapshot.mine,
        notices=notices,
        version=game.version,
        updated=snapshot.updated,
        client_id=new_tap_id(),
    )


def side_views(game: Game, sides: Sequence[SideName]) -> tuple[pages.SideView, ...]:
    """Return every side with its total and what it needs."""
    totals = game.tally.totals
    best = max(totals)
    wants = ((),) * len(sides) if game.over else explain.needs(game.table, game.tally)
    outcome = game.outcome
    return tuple(
        pages.SideView(
            index=index,
            letter=LETTERS[index],
            name=side.name,
            total=totals[index],
            needs=say_all(wants[index], sides),
            sets=game.tally.sets[index],
            leads=totals[index] == best and totals.count(best) == 1,
            won=outcome is not None and outcome.winner == index,
        )
        for index, side in enumerate(sides)
    )


def seat_views(game: Game, names: Sequence[str]) -> tuple[pages.SeatView, ...]:
    """Return every seat, clockwise."""
    first = seat_after(game.table, game.dealer)
    return tuple(
        pages.SeatView(
            seat, name, game.table.side_of[seat], LETTERS[game.table.side_of[seat]], seat == game.dealer, seat == first
        )
        for seat, name in enumerate(names)
    )


def sheet_row(game: Game, names: Sequence[str], line: Line) -> pages.HandRow:
    """Return one line of the sheet: a hand, or an adjustment and why it was made."""
    agreed = line.entry.what
    if isinstance(agreed, Adjustment):
        return pages.HandRow(
            number=line.number,
            seq=line.entry.seq,
            dealer="",
            bidder=None,
            side=agreed.side,
            letter=LETTERS[agreed.side],
            bid=agreed.reason,
            trump="",
            made=None,
            deltas=line.delta,
            totals=line.tally.totals,
            points=(),
            after_end=line.after_end,
            corrected=False,
            ended=line.ended,
            adjusted=True,
        )
    hand = line.entry.hand
    side = None if hand.bidder is None else game.table.side_of[hand.bidder]
    labels = {category.key: category.label for category in game.table.rules.categories}
    return pages.HandRow(
        number=line.number,
        seq=line.entry.seq,
        dealer=names[hand.dealer],
        bidder=None if hand.bidder is None else names[hand.bidder],
        side=side,
        letter=None if side is None else LETTERS[side],
        bid=bid_text(hand.bid),
        trump=suit_sign(hand.trump),
        made=line.made,
        deltas=line.delta,
        totals=line.tally.totals,
        points=tuple(
            pages.PointView(labels[key], None if owner is None else LETTERS[owner])
            for key, owner in (hand.points or {}).items()
        ),
        after_end=line.after_end,
        corrected=line.entry.corrected,
        ended=line.ended,
    )


def outcome_view(game: Game, sides: Sequence[SideName]) -> pages.OutcomeView | None:
    """Return how the game ended, None while it runs."""
    outcome = game.outcome
    if outcome is None:
        return None
    winner = outcome.winner
    if winner is not None:
        headline = f"{sides[winner].name} {sides[winner]:win|wins}"
    else:
        headline = "Stopped" if outcome.rule == "abandoned" else "Nobody won"
    return pages.OutcomeView(headline, _why(game, sides), winner, None if winner is None else LETTERS[winner])


def result_text(game: Game, sides: Sequence[SideName]) -> str:
    """Return where the game stands, in a sentence: who won and why, or the score and that it goes on."""
    ended = outcome_view(game, sides)
    if ended is not None:
        return f"{ended.headline}. {ended.reason}"
    return f"The score is {score_text(game.tally.totals)}, and the game goes on."


def preview_text(snapshot: Snapshot, data: Mapping[str, Any]) -> str:
    """Return what will happen when the hand that `data` tells is saved; raises `RuleViolation` where it cannot be."""
    game = snapshot.game
    (event,) = decide(game, EnterHand(data))
    after = evolve(game, event)
    parts = [_said_of(after, snapshot.sides, after.lines[-1])]
    if after.over:
        parts.append(result_text(after, snapshot.sides))
    else:
        parts.extend(_notices(after, snapshot.sides))
    return " ".join(parts)


def choice_digest(data: Mapping[str, Any], version: int) -> str:
    """Return a short word for one choice at one version: what was looked at is what is saved."""
    text = json.dumps([version, dict(data)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _why(game: Game, sides: Sequence[SideName]) -> str:
    outcome = game.outcome
    assert outcome is not None
    last = game.last_hand
    if game.tally.outcome is None or last is None:
        message = explain.why_over(game.table, outcome, game.tally.totals, game.tally, None)
    else:
        message = explain.why_over(game.table, outcome, last.before.totals, game.tally, last.entry.hand)
    return say(message, sides)


def _said_of(game: Game, sides: Sequence[SideName], line: Line) -> str:
    if line.after_end:
        return f"Hand {line.number} does not count: the game was over."
    agreed = line.entry.what
    if isinstance(agreed, Adjustment):
        change = f"+{agreed.points}" if agreed.points > 0 else number(agreed.points)
        return f"{sides[agreed.side].name} {change}: {agreed.reason}"
    scored = Scored(line.delta, line.made)
    return say_all(explain.effects(game.table, line.before, line.tally, line.entry.hand, scored), sides)


def _notices(game: Game, sides: Sequence[SideName]) -> tuple[str, ...]:
    late = [line.number for line in game.hands if line.after_end]
    notices = []
    if late:
        verb = "was" if len(late) == 1 else "were"
        notices.append(
            f"{hand_numbers(late)} {verb} played after the end and {'does' if len(late) == 1 else 'do'} not count."
        )
    last = game.last_hand
    if last is not None and not game.over:
        message = explain.why_not_over(game.table, game.tally, last.entry.hand)
        if message is not None:
            notices.append(say(message, sides))
    return tuple(notices)


def _undo(snapshot: Snapshot) -> pages.Step | None:
    game = snapshot.game
    if not snapshot.mine:
        return None
    if game.stopped is not None and game.tally.outcome is None:
        label, endpoint = "Play on", "games.reopen"
    elif game.open_bid is not None:
        return None
    elif game.lines:
        last = game.lines[-1]
        label = f"Undo hand {last.number}" if last.is_hand else "Undo the adjustment"
        endpoint = "games.undo"
    else:
        return None
    return pages.Step(label, url_for(endpoint, game_id=snapshot.public_id), game.version, new_tap_id())


def _redo(snapshot: Snapshot) -> pages.Step | None:
    game = snapshot.game
    if not snapshot.mine or not game.undone or game.open_bid is not None:
        return None
    url = url_for("games.redo", game_id=snapshot.public_id)
    again = game.entry(game.undone[-1]).what
    label = f"Redo hand {len(game.hands) + 1}" if isinstance(again, Hand) else "Redo the adjustment"
    return pages.Step(label, url, game.version, new_tap_id())


def _entry(snapshot: Snapshot, chosen: Mapping[str, str], error: str, preview: str) -> pages.HandEntry:
    game = snapshot.game
    if game.open_bid is None:
        entry = hand_entry(game, snapshot.sides, {}, points=False)
        rows = _bid_rows(game, snapshot.names)
    else:
        entry = hand_entry(game, snapshot.sides, {"trump": game.open_bid.trump or "", **chosen}, points=True)
        rows = ()
    return replace(entry, bid_rows=rows, error=error, preview=preview, seen=chosen.get("seen", ""))


def hand_entry(game: Game, sides: Sequence[SideName], chosen: Mapping[str, str], *, points: bool) -> pages.HandEntry:
    """Return the fields of a hand with what was `chosen`; without `points` only those of the bid step."""
    table = game.table
    bid = chosen.get("bid") or (game.open_bid and str(game.open_bid.bid))
    return pages.HandEntry(
        bid_rows=(),
        trumps=tuple(
            pages.Choice(trump, suit_name(trump), suit_sign(trump), chosen.get("trump") == trump)
            for trump in allowed_trumps(table)
        ),
        may_throw_in=table.rules.forced_bid is None,
        point_rows=_point_rows(game, sides, chosen) if points else (),
        taken_rows=_taken_rows(game, sides, chosen) if points else (),
        only_points=chosen.get("mode") == "taken",
        ask_tricks=points and table.rules.pitch_test == "tricks" and bid == "pitch",
        tricks=chosen.get("tricks", ""),
        client_id=new_tap_id(),
        version=game.version,
    )


def _bid_rows(game: Game, names: Sequence[str]) -> tuple[pages.BidRow, ...]:
    forced = game.table.rules.forced_bid
    rows = []
    for seat in seat_views(game, names):
        cells = tuple(pages.BidCell(str(bid), str(bid)) for bid in allowed_bids(game.table, seat.index, game.dealer))
        stuck = next((cell for cell in cells if seat.deals and cell.value == str(forced)), None)
        rows.append(pages.BidRow(seat, cells, stuck))
    return tuple(rows)


def _point_rows(game: Game, sides: Sequence[SideName], chosen: Mapping[str, str]) -> tuple[pages.PointRow, ...]:
    labels = {category.key: category.label for category in game.table.rules.categories}
    nobody = {"game": "tied", "jack": "not out", "right": "not out", "left": "not out"}
    return tuple(
        pages.PointRow(
            key,
            labels[key],
            tuple(
                pages.Choice("none", nobody.get(key, "nobody"), "", chosen.get(key) == "none")
                if side is None
                else pages.Choice(str(side), sides[side].name, LETTERS[side], chosen.get(key) == str(side))
                for side in owners
            ),
        )
        for key, owners in allowed_points(game.table).items()
    )


def _taken_rows(game: Game, sides: Sequence[SideName], chosen: Mapping[str, str]) -> tuple[pages.TakenRow, ...]:
    views = side_views(game, sides)
    numbers = range(game.table.most + 1)
    return tuple(
        pages.TakenRow(
            f"taken-{side.index}",
            side,
            tuple(pages.Choice(str(n), str(n), "", chosen.get(f"taken-{side.index}") == str(n)) for n in numbers),
        )
        for side in views
    )
