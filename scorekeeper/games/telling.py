"""What a game has come to, in sentences: how it ended, what a hand did or would do, what to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.games import pages
from scorekeeper.games.snapshot import Snapshot
from scorekeeper.games.words import LETTERS, hand_numbers
from scorekeeper.rules import events as ev
from scorekeeper.rules import explain
from scorekeeper.rules.commands import EnterHand, decide
from scorekeeper.rules.game import Adjustment, Game, Line, evolve
from scorekeeper.rules.scoring import Scored
from scorekeeper.wording import SideName, number, say, say_all, score_text


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


def latest_text(snapshot: Snapshot) -> str:
    """Return what happened last, in a sentence; where that was nothing of note, what the last hand did."""
    game, sides, event = snapshot.game, snapshot.sides, snapshot.latest
    score = ", ".join(f"{side.name} {number(total)}" for side, total in zip(sides, game.tally.totals, strict=True))
    match event:
        case ev.HandVoided() | ev.HandRestored() | ev.HandCorrected():
            return f"{_entry_named(game, event.seq)} is {_DONE[type(event)]}. {score}."
        case ev.RulesChanged():
            return f"The house rules are changed. {score}."
        case ev.HandMisdealt() | ev.DealerSet():
            return f"{snapshot.said_names[event.dealer]} deals{' again' if isinstance(event, ev.HandMisdealt) else ''}."
        case ev.GameReopened():
            return "The game goes on."
    return said_of(game, sides, game.lines[-1]) if game.lines else ""


_DONE: Mapping[type[Any], str] = {
    ev.HandVoided: "undone",
    ev.HandRestored: "back",
    ev.HandCorrected: "corrected",
}


def _entry_named(game: Game, seq: int) -> str:
    """What to call a hand that counts or did: by its place among those that count."""
    if isinstance(game.entry(seq).what, Adjustment):
        return "The adjustment"
    before = sum(line.entry.seq < seq for line in game.hands)
    return f"Hand {before + 1}"


def preview_text(snapshot: Snapshot, data: Mapping[str, Any]) -> str:
    """Return what will happen when the hand that `data` tells is saved; raises `RuleViolation` where it cannot be."""
    game = snapshot.game
    (event,) = decide(game, EnterHand(data))
    after = evolve(game, event)
    effect = said_of(after, snapshot.sides, after.lines[-1])
    if after.over:
        return f"{result_text(after, snapshot.sides)} {effect}"
    return " ".join((effect, *notices_of(after, snapshot.sides)))


def _why(game: Game, sides: Sequence[SideName]) -> str:
    outcome = game.outcome
    assert outcome is not None
    last = game.last_hand
    if game.tally.outcome is None or last is None:
        message = explain.why_over(game.table, outcome, game.tally.totals, game.tally, None)
    else:
        message = explain.why_over(game.table, outcome, last.before.totals, game.tally, last.entry.hand)
    return say(message, sides)


def said_of(game: Game, sides: Sequence[SideName], line: Line) -> str:
    """Return what a line of the sheet did to the score."""
    if line.after_end:
        return f"Hand {line.number} does not count: the game was over."
    agreed = line.entry.what
    if isinstance(agreed, Adjustment):
        change = f"+{agreed.points}" if agreed.points > 0 else number(agreed.points)
        return f"{sides[agreed.side].name} {change}: {agreed.reason}"
    scored = Scored(line.delta, line.made)
    return say_all(explain.effects(game.table, line.before, line.tally, line.entry.hand, scored), sides)


def notices_of(game: Game, sides: Sequence[SideName]) -> tuple[str, ...]:
    """Return what the table should know: hands after the end, and why the game goes on."""
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
